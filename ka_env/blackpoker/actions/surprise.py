"""Surprise (奇襲): all own bulwarks become soldiers; then all own soldiers become charged (R49)."""

from __future__ import annotations

from ka_env.blackpoker.flow.stage import caster
from ka_env.blackpoker.flow.zones import State, flip_to_soldier
from ka_env.engine.bits import lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    p = caster(s)
    slots = s.bulwarks[p]
    while slots:
        flip_to_soldier(s, p, lowest(slots))
        slots = without_lowest(slots)
    s.charged[p] |= s.soldiers[p]
    return True
