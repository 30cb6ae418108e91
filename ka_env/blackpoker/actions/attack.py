"""Attack (アタック): name attackers in ascending slot order; they become driven. With at least one, block triggers."""

from __future__ import annotations

from ka_env.blackpoker.codes import AT_ATTACKERS, BLOCK
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.kind = AT_ATTACKERS
    return False


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
