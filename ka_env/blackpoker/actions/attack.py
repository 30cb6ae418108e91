"""Attack (アタック): name attackers in ascending slot order; they become driven. With at least one, block triggers."""

from __future__ import annotations

from ka_env.blackpoker.codes import BLOCK
from ka_env.blackpoker.decisions import AT_ATTACKERS
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.bits import BIT, highest
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.kind = AT_ATTACKERS
    return False


@kernel
def options(s: State) -> int:
    """Own soldiers that may attack, above those already picked."""
    p = s.player
    slots = s.soldiers[p] & s.charged[p] & (~s.came[p] | s.haste[p])
    if s.picked:
        slots &= ~(BIT[highest(s.picked) + 1] - 1)
    return slots


@kernel
def fits(s: State) -> bool:
    """Could those picked so far have been picked?"""
    picked = s.picked
    s.picked = 0
    fit = picked & ~options(s) == 0
    s.picked = picked
    return fit


@kernel
def answer(s: State, slot: int) -> bool:
    """`slot` is the next attacker, -1 for done."""
    if slot >= 0:
        s.picked |= BIT[slot]
        return False
    s.attackers[s.turn] = s.picked
    s.charged[s.turn] &= ~s.picked
    if s.picked:
        s.push_due = BLOCK
    s.picked = 0
    return True
