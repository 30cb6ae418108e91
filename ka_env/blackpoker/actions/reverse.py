"""Reverse (リバース): a soldier becomes bulwarks, a bulwark a soldier, in the state the caster chooses (R20)."""

from __future__ import annotations

from ka_env.blackpoker.actions.twist import set_charge
from ka_env.blackpoker.codes import CHARGE, SLOTS
from ka_env.blackpoker.decisions import AT_REVERSE_STATE
from ka_env.blackpoker.flow.stage import target_of_top
from ka_env.blackpoker.flow.zones import State, flip_to_bulwarks, flip_to_soldier
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.kind = AT_REVERSE_STATE
    return False


@kernel
def answer(s: State, word: int) -> bool:
    unit = target_of_top(s)
    q, slot = unit // SLOTS, unit % SLOTS
    if s.soldiers[q] & BIT[slot]:
        flip_to_bulwarks(s, q, slot, word == CHARGE)
    else:
        flip_to_soldier(s, q, slot)
    set_charge(s, unit, word == CHARGE)
    return True
