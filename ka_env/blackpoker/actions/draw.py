"""Draw (ドロー): the turn player draws 1, then may draw 1 more."""

from __future__ import annotations

from ka_env.blackpoker.codes import YES
from ka_env.blackpoker.decisions import AT_DRAW_MORE
from ka_env.blackpoker.flow import zones
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    zones.draw(s, s.turn)
    if fits(s):
        s.kind = AT_DRAW_MORE
        return False
    return True


@kernel
def fits(s: State) -> bool:
    return s.life_count[s.turn] > 0


@kernel
def answer(s: State, word: int) -> bool:
    if word == YES:
        zones.draw(s, s.turn)
    return True
