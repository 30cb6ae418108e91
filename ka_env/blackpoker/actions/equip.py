"""Equip (装備): the key is added on top of an own soldier of its suit; marks and size changes stay."""

from __future__ import annotations

from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.flow.stage import caster, keep_key, key_of_top, target_of_top
from ka_env.blackpoker.flow.zones import State, put_on_top
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    put_on_top(s, caster(s), target_of_top(s) % SLOTS, key_of_top(s, 0))
    keep_key(s, 0)
    return True
