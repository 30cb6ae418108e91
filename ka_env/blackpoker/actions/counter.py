"""Counter (カウンター): cancels a request with two keys, or with one key whose number is not above this key's (R14)."""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.codes import FIRST_STAGE_TARGET
from ka_env.blackpoker.flow.stage import cancel, key_of_top, target_of_top
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    i = target_of_top(s) - FIRST_STAGE_TARGET
    two_keys = s.stage_key[i, 1] >= 0
    if two_keys or NUMBER[s.stage_key[i, 0]] <= NUMBER[key_of_top(s, 0)]:
        cancel(s, i)
    return True
