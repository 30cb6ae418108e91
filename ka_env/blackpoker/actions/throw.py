"""Throw (投擲): the opponent takes damage equal to the number of the spade key."""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.flow.stage import caster, key_of_top
from ka_env.blackpoker.flow.zones import State, damage
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    damage(s, 1 - caster(s), NUMBER[key_of_top(s, 0)])
    return True
