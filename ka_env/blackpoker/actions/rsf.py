"""R・S・F: the player it is aimed at takes 40 damage (R43)."""

from __future__ import annotations

from ka_env.blackpoker.codes import FIRST_PLAYER_TARGET
from ka_env.blackpoker.flow.stage import target_of_top
from ka_env.blackpoker.flow.zones import State, damage
from ka_env.engine.jit import kernel

DAMAGE = 40


@kernel
def resolve(s: State) -> bool:
    damage(s, target_of_top(s) - FIRST_PLAYER_TARGET, DAMAGE)
    return True
