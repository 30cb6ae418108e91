"""Pairs of hand cards: the two keys of one suit, or of one number, that are missed least."""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.players.appraise import (
    LOW,
    Temper,
    keep,
)
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def cheap_pair(first: int, second: int, suit: int, t: Temper) -> tuple[int, int]:
    """The two low cards of a suit that are missed least, the lower first; -1 if there are none."""
    return pair_with_sum(first, second, suit, 0, t)


@kernel
def pair_with_sum(first: int, second: int, suit: int, least: int, t: Temper) -> tuple[int, int]:
    """The same among pairs whose numbers add up to `least` or more."""
    best, low, high = 0, -1, -1
    firsts = first & suit & LOW
    while firsts:
        a = lowest(firsts)
        firsts = without_lowest(firsts)
        seconds = second & suit & LOW & ~(BIT[a + 1] - 1)
        while seconds:
            b = lowest(seconds)
            seconds = without_lowest(seconds)
            cost = keep(a, t) + keep(b, t)
            if NUMBER[a] + NUMBER[b] >= least and (low < 0 or cost < best):
                best, low, high = cost, a, b
    return low, high


@kernel
def twins(first: int, second: int, t: Temper) -> tuple[int, int]:
    """The two cards of one number that are missed least, the lower first."""
    best, low, high = 0, -1, -1
    while first:
        a = lowest(first)
        first = without_lowest(first)
        others = second & ~(BIT[a + 1] - 1)
        while others:
            b = lowest(others)
            others = without_lowest(others)
            cost = keep(a, t) + keep(b, t)
            if NUMBER[a] == NUMBER[b] and (low < 0 or cost < best):
                best, low, high = cost, a, b
    return low, high
