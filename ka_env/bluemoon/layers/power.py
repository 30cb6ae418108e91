"""Layers 5-7 and the total (sections 4 and 5): raises, doublings, the least total. Only the contested element."""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon.cards import (
    ALL_BOOSTERS,
    ALL_CHARACTERS,
    ALL_SUPPORTS,
    AMOUNT,
    BOOSTER,
    BOOSTING,
    CHARACTER,
    DOUBLE_VALUE,
    ELEMENT,
    MIN_TOTAL,
    OF_TYPE,
    ONE_CHARACTER,
    RAISE_BLUFFS,
    RAISE_TO,
    RAISE_TO_MAX,
    RAISE_TO_SUM,
    TARGET,
    VALUE,
    WITH_ABILITY,
)
from ka_env.bluemoon.chance import State
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

BLUFF_VALUE = 2


@kernel
def printed(s: State, q: int, e: int, card: int) -> int:
    """The printed value of a face-up card as layer 4 left it."""
    if (s.blank[q] | s.zero[q, e]) & BIT[card]:
        return 0
    return int(VALUE[s.deck[q], e, card])


@kernel
def sum_of(s: State, q: int, e: int, cards: int) -> int:
    total = 0
    d = s.deck[q]
    cards &= ~(s.blank[q] | s.zero[q, e])
    while cards:
        total += int(VALUE[d, e, lowest(cards)])
        cards = without_lowest(cards)
    return total


@kernel
def bluff_sum(s: State, q: int, bluffs: int, least: int) -> int:
    """Face-down cards: 2 each in the contested element, at least what a raise says."""
    zeroed = count(bluffs & s.zero[q, 0])
    return (count(bluffs) - zeroed) * max(BLUFF_VALUE, least) + zeroed * least


@kernel
def total_power(s: State, q: int, e: int) -> int:
    cards = ((s.combat[q] & ~s.covered[q]) | s.support[q]) & ~s.blank[q]
    bluffs = cards & s.down[q]
    cards &= ~bluffs
    if not s.works[q] & BOOSTING[s.deck[q]]:
        return sum_of(s, q, e, cards) + bluff_sum(s, q, bluffs, 0)
    return boosted_power(s, q, e, cards, bluffs)


@kernel
def doublings(s: State, q: int, e: int, target: int) -> int:
    """How many working doublings of that target there are."""
    n = 0
    d = s.deck[q]
    texts = s.works[q] & WITH_ABILITY[d, DOUBLE_VALUE]
    while texts:
        card = lowest(texts)
        texts = without_lowest(texts)
        n += TARGET[d, card] == target and ELEMENT[d, card] & BIT[e] != 0
    return n


@kernel
def greatest_amount(s: State, q: int, e: int, ability: int) -> int:
    """The greatest amount of q's working texts of that ability and element; 0 without any."""
    best = 0
    d = s.deck[q]
    texts = s.works[q] & WITH_ABILITY[d, ability]
    while texts:
        card = lowest(texts)
        texts = without_lowest(texts)
        if ELEMENT[d, card] & BIT[e]:
            best = max(best, int(AMOUNT[d, card]))
    return best


@kernel
def boosted_power(s: State, q: int, e: int, cards: int, bluffs: int) -> int:
    d = s.deck[q]
    characters = cards & OF_TYPE[d, CHARACTER]
    boosters = cards & OF_TYPE[d, BOOSTER]
    supports = cards & ~characters & ~boosters
    total = characters_power(s, q, e, characters) * 2 ** doublings(s, q, e, ALL_CHARACTERS)
    total += sum_of(s, q, e, boosters) * 2 ** doublings(s, q, e, ALL_BOOSTERS)
    hidden = bluff_sum(s, q, bluffs, greatest_amount(s, q, e, RAISE_BLUFFS))
    total += (sum_of(s, q, e, supports) + hidden) * 2 ** doublings(s, q, e, ALL_SUPPORTS)
    return max(total, greatest_amount(s, q, e, MIN_TOTAL))


@kernel
def raised(s: State, q: int, e: int, effect: int, card: int) -> int:
    """What the raise makes of a character, reckoned from its printed values."""
    d = s.deck[q]
    fire = printed(s, q, 0, card)
    earth = printed(s, q, 1, card)
    if WITH_ABILITY[d, RAISE_TO_SUM] & BIT[effect]:
        return fire + earth
    if WITH_ABILITY[d, RAISE_TO_MAX] & BIT[effect]:
        return max(fire, earth)
    return int(AMOUNT[d, effect])


@kernel
def raises(s: State, q: int, e: int) -> int:
    """q's working texts that raise one own character in that element."""
    d = s.deck[q]
    texts = s.works[q] & (WITH_ABILITY[d, RAISE_TO_SUM] | WITH_ABILITY[d, RAISE_TO_MAX] | WITH_ABILITY[d, RAISE_TO])
    found = texts
    while texts:
        if not ELEMENT[d, lowest(texts)] & BIT[e]:
            found &= ~BIT[lowest(texts)]
        texts = without_lowest(texts)
    return found


@kernel
def characters_power(s: State, q: int, e: int, characters: int) -> int:
    """The greatest sum over all ways to spread the effects on one character (B10).

    All doublings go best on the same character, the strongest one after the raises; every way to spread the raises
    is tried.
    """
    effects = raises(s, q, e)
    factor = 2 ** doublings(s, q, e, ONE_CHARACTER) - 1
    if not characters:
        return 0
    if not effects:
        best = 0
        cards = characters
        while cards:
            best = max(best, printed(s, q, e, lowest(cards)))
            cards = without_lowest(cards)
        return sum_of(s, q, e, characters) + best * factor
    return spread_raises(s, q, e, characters, effects, factor)


@kernel
def spread_raises(s: State, q: int, e: int, characters: int, effects: int, factor: int) -> int:
    m = count(characters)
    n = count(effects)
    base = np.zeros(m, np.int64)
    raised_to = np.zeros((n, m), np.int64)
    values = np.zeros(m, np.int64)
    cards = characters
    for x in range(m):
        base[x] = printed(s, q, e, lowest(cards))
        left = effects
        for r in range(n):
            raised_to[r, x] = raised(s, q, e, lowest(left), lowest(cards))
            left = without_lowest(left)
        cards = without_lowest(cards)
    best = 0
    for way in range(m**n):
        for x in range(m):
            values[x] = base[x]
        rest = way
        for r in range(n):
            x = rest % m
            rest //= m
            values[x] = max(values[x], raised_to[r, x])
        total = 0
        strongest = 0
        for x in range(m):
            total += values[x]
            strongest = max(strongest, values[x])
        best = max(best, total + strongest * factor)
    return best
