"""Soldier (兵士召喚), hero (英雄召喚), ace (エース召喚), magician (魔術士召喚): the key comes as a soldier."""

from __future__ import annotations

from ka_env.blackpoker.flow.stage import caster, keep_key, key_of_top
from ka_env.blackpoker.flow.zones import State, come_as_soldier
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    come_as_soldier(s, caster(s), key_of_top(s, 0))
    keep_key(s, 0)
    return True
