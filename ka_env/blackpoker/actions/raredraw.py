"""Raredraw (レアドロー): the rare card goes to hand, unseen by the opponent."""

from __future__ import annotations

from ka_env.blackpoker.flow.zones import State
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel

MOST_LIFE = 9  # with a longer life it can't be announced


@kernel
def resolve(s: State) -> bool:
    p = s.player
    s.hand[p] |= BIT[s.rare[p]]
    s.rare[p] = -1
    return True
