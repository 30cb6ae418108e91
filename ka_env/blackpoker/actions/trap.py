"""Trap (罠カウンター): cancels a request if the rare card is the same card as one of its keys (R60, R61)."""

from __future__ import annotations

from ka_env.blackpoker.cards import JOKER
from ka_env.blackpoker.codes import FIRST_STAGE_TARGET
from ka_env.blackpoker.flow.stage import cancel, key_of_top, target_of_top
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    i = target_of_top(s) - FIRST_STAGE_TARGET
    if matches(key_of_top(s, 0), s.stage_key[i, 0]) or matches(key_of_top(s, 0), s.stage_key[i, 1]):
        cancel(s, i)
    return True


@kernel
def matches(card: int, key: int) -> bool:
    """The same rank and suit; any Joker is the same as any Joker."""
    return card == key or (card >= JOKER and key >= JOKER)
