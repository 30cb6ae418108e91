"""Minimal sets of hand cards that meet a need (section 12, B30), picked one at a time in ascending order."""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon.cards import (
    BOTH_SUMS,
    CHARACTER,
    COUNT_CHARACTERS,
    EARTH_SUM,
    EITHER_SUM,
    FIRE_SUM,
    OF_TYPE,
)
from ka_env.bluemoon.chance import State, above, after_highest
from ka_env.bluemoon.layers.power import printed, sum_of
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def meets(s: State, p: int, need: int, n: int, cards: int) -> bool:
    """Do these cards of p meet the need?"""
    if need == COUNT_CHARACTERS:
        return count(cards & OF_TYPE[s.deck[p], CHARACTER]) >= n
    if need == FIRE_SUM:
        return sum_of(s, p, 0, cards) >= n
    if need == EARTH_SUM:
        return sum_of(s, p, 1, cards) >= n
    if need == EITHER_SUM:
        return sum_of(s, p, 0, cards) >= n or sum_of(s, p, 1, cards) >= n
    return splits(s, p, n, cards)


@kernel
def splits(s: State, p: int, n: int, cards: int) -> bool:
    """Can the cards be dealt into a part with fire sum n and a part with earth sum n?"""
    if sum_of(s, p, 0, cards) < n or sum_of(s, p, 1, cards) < n:
        return False
    best = np.full(n + 1, -1, np.int64)  # [fire sum so far, n at most]: the greatest earth sum beside it
    best[0] = 0
    while cards:
        fire = printed(s, p, 0, lowest(cards))
        earth = printed(s, p, 1, lowest(cards))
        cards = without_lowest(cards)
        for f in range(n, -1, -1):
            if best[f] >= 0:
                reached = min(n, f + fire)
                with_fire = best[f]
                best[f] += earth
                best[reached] = max(best[reached], with_fire)
    return best[n] >= n


@kernel
def is_minimal(s: State, p: int, need: int, n: int, cards: int) -> bool:
    """No card can be left out."""
    left = cards
    while left:
        if meets(s, p, need, n, cards & ~BIT[lowest(left)]):
            return False
        left = without_lowest(left)
    return True


@kernel
def candidates(s: State, p: int, need: int, cards: int) -> int:
    """Those of the cards that could be part of a minimal set at all."""
    if need == COUNT_CHARACTERS:
        return cards & OF_TYPE[s.deck[p], CHARACTER]
    found = 0
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        fire = need != EARTH_SUM and printed(s, p, 0, card) > 0
        earth = need != FIRE_SUM and printed(s, p, 1, card) > 0
        if fire or earth:
            found |= BIT[card]
    return found


@kernel
def completes(s: State, p: int, need: int, n: int, chosen: int, rest: int) -> bool:
    """Can `chosen` be made a minimal set with cards of `rest`, all of which come after it?"""
    if meets(s, p, need, n, chosen):
        return is_minimal(s, p, need, n, chosen)
    while rest:
        card = lowest(rest)
        rest = without_lowest(rest)
        if meets(s, p, need, n, chosen | BIT[card] | rest) and completes(s, p, need, n, chosen | BIT[card], rest):
            return True
    return False


@kernel
def next_picks(s: State, p: int, need: int, n: int, picked: int, hand: int) -> int:
    """The hand cards that may be picked next: those with which the set can still be completed."""
    rest = after_highest(candidates(s, p, need, hand), picked)
    found = 0
    left = rest
    while left:
        card = lowest(left)
        left = without_lowest(left)
        if completes(s, p, need, n, picked | BIT[card], above(rest, card)):
            found |= BIT[card]
    return found


assert BOTH_SUMS and EITHER_SUM
