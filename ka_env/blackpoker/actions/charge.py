"""Charge (チャージ): all units of the new turn player become charged; then draw triggers."""

from __future__ import annotations

from ka_env.blackpoker.codes import DRAW
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> None:
    s.charged[s.turn] = units_of(s, s.turn)
    s.push_due = DRAW
