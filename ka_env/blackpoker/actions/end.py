"""End (エンド): discard down to 7, the turn passes, everything that lasts a turn is over."""

from __future__ import annotations

from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.decisions import AT_DISCARD
from ka_env.blackpoker.flow.zones import State, clear_fog, discard
from ka_env.engine.bits import count
from ka_env.engine.jit import kernel

HAND_LIMIT = 7


@kernel
def resolve(s: State) -> bool:
    if fits(s):
        s.kind = AT_DISCARD
        return False
    clear_fog(s, s.turn)
    pass_the_turn(s)
    s.charge_due = 1
    return True


@kernel
def fits(s: State) -> bool:
    return count(s.hand[s.turn]) > HAND_LIMIT


@kernel
def answer(s: State, card: int) -> bool:
    discard(s, s.turn, card)
    return resolve(s)


@kernel
def pass_the_turn(s: State) -> None:
    s.turn = 1 - s.turn
    s.used = 0
    s.force = 0
    for q in range(2):
        s.came[q] = 0
        for slot in range(SLOTS):
            s.change[q, slot] = 0
        if s.fog[q]:
            s.fog_link[q, :] = -1  # R10: the cards stay, without effect
            s.fog_plus[q] = 0
