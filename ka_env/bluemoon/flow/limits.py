"""What the opponent's texts forbid: taking cards (section 2), playing cards (section 7)."""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    ABOVE_4,
    AMOUNT,
    BOOSTER,
    CHARACTER,
    CONDITION,
    DRAW_LIMIT,
    HAND_CAP,
    HAS_TEXT,
    HYLA_NO_LEADERSHIP,
    IN_DECK,
    LEADERSHIP_CARD,
    LIMITS_AREA,
    NO_TEXT,
    OF_TYPE,
    PLAY_FORBIDDEN,
    PLAY_LIMIT,
    SUPPORT,
    TYPE_ARG,
    TYPES,
    VALUE_ABOVE_4,
    WITH_ABILITY,
    WITH_TEXT,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import D_ALL, D_AREA, D_TOOK
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

ANY_TYPE = (1 << len(TYPES)) - 1
NO_LIMIT = 127


@kernel
def texts(s: State, q: int, ability: int) -> int:
    """q's active cards with a working text of that ability."""
    return s.works[q] & WITH_ABILITY[s.deck[q], ability]


@kernel
def least_amount(s: State, q: int, ability: int) -> int:
    """The least amount of q's working texts of that ability."""
    least = NO_LIMIT
    cards = texts(s, q, ability)
    while cards:
        least = min(least, int(AMOUNT[s.deck[q], lowest(cards)]))
        cards = without_lowest(cards)
    return least


@kernel
def can_hold(s: State, q: int, cards: int) -> bool:
    """May a hand of so many cards take one more?"""
    return cards < least_amount(s, 1 - q, HAND_CAP)


@kernel
def can_take(s: State, q: int) -> bool:
    return can_hold(s, q, count(s.hand[q]))


@kernel
def deck_allowed(s: State, q: int) -> bool:
    """May q take one more card from the own deck this turn?"""
    if s.pile_count[q] == 0:
        return False
    took = int(s.did[D_TOOK]) if q == s.turn else 0
    return took < least_amount(s, 1 - q, DRAW_LIMIT)


@kernel
def can_draw(s: State, q: int) -> bool:
    return deck_allowed(s, q) and can_take(s, q)


@kernel
def forbidden_by(s: State, q: int, card: int) -> int:
    """q's cards that this card of the opponent forbids to play face up; it looks at type and print."""
    d = s.deck[q]
    o = s.deck[1 - q]
    condition = CONDITION[o, card]
    cards = IN_DECK[d]
    if condition == HAS_TEXT:
        cards = WITH_TEXT[d]
    elif condition == NO_TEXT:
        cards &= ~WITH_TEXT[d]
    elif condition == ABOVE_4:
        cards = VALUE_ABOVE_4[d]
    types = TYPE_ARG[o, card]
    if types == ANY_TYPE:
        return cards
    allowed = 0
    while types:
        allowed |= OF_TYPE[d, lowest(types)]
        types = without_lowest(types)
    return cards & allowed


@kernel
def forbidden(s: State, q: int) -> int:
    """q's cards that may not be played face up now, by prohibitions and limits."""
    d = s.deck[q]
    o = 1 - q
    found = 0
    cards = texts(s, o, PLAY_FORBIDDEN)
    while cards:
        found |= forbidden_by(s, q, lowest(cards))
        cards = without_lowest(cards)
    cards = texts(s, o, PLAY_LIMIT)
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if reached(s, o, card, D_ALL, False):
            found |= IN_DECK[d]
        if reached(s, o, card, D_AREA, True):
            found |= OF_TYPE[d, CHARACTER] | OF_TYPE[d, BOOSTER]
    if s.hyla >= 0 and texts(s, s.hyla_owner, HYLA_NO_LEADERSHIP):
        found |= OF_TYPE[d, LEADERSHIP_CARD]
    return found


@kernel
def reached(s: State, o: int, card: int, counter: int, area: bool) -> bool:
    """Is o's limit, if it is one of that scope, reached?"""
    limits_area = LIMITS_AREA[s.deck[o]] & BIT[card] != 0
    return limits_area == area and s.did[counter] >= AMOUNT[s.deck[o], card]


@kernel
def bluff_forbidden(s: State, q: int) -> bool:
    """A bluff is a support card without text."""
    o = 1 - q
    cards = texts(s, o, PLAY_FORBIDDEN)
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        condition = CONDITION[s.deck[o], card]
        if TYPE_ARG[s.deck[o], card] & BIT[SUPPORT] and condition != HAS_TEXT and condition != ABOVE_4:
            return True
    cards = texts(s, o, PLAY_LIMIT)
    while cards:
        if reached(s, o, lowest(cards), D_ALL, False):
            return True
        cards = without_lowest(cards)
    return False
