"""Twist (ツイスト): the caster chooses whether the target becomes driven or charged."""

from __future__ import annotations

from ka_env.blackpoker.codes import CHARGE, SLOTS
from ka_env.blackpoker.decisions import AT_TWIST
from ka_env.blackpoker.flow.stage import target_of_top
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.kind = AT_TWIST
    return False


@kernel
def answer(s: State, word: int) -> bool:
    set_charge(s, target_of_top(s), word == CHARGE)
    return True


@kernel
def set_charge(s: State, unit: int, charged: bool) -> None:
    q, slot = unit // SLOTS, unit % SLOTS
    if charged:
        s.charged[q] |= BIT[slot]
    else:
        s.charged[q] &= ~BIT[slot]
