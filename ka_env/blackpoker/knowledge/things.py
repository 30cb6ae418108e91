"""Cards, units and requests as the things that networks share weights over."""

from __future__ import annotations

import numpy as np

from ka_env.blackpoker.cards import CARDS, HEART, NUMBER, SPADE, SUIT
from ka_env.blackpoker.codes import FIRST_CARD, FIRST_ENEMY, FIRST_OWN, FIRST_REQUEST, NUM_ACTIONS, SLOTS, STAGE
from ka_env.blackpoker.knowledge.observe import FOG_CARDS, NEAR, UNIT, sections_of
from ka_env.engine.things import NOTHING, Things, columns_of, one_hot

# things: the cards, own slots, enemy slots, requests from the bottom of the stage; their facts in the same order
_OWN, _ENEMY, _REQUESTS = CARDS, CARDS + SLOTS, CARDS + 2 * SLOTS
_THINGS = CARDS + 2 * SLOTS + STAGE
_FOG = np.concatenate([np.flatnonzero((suit == SUIT) & (NUMBER <= FOG_CARDS // 2)) for suit in (SPADE, HEART)])
_BY_CARD = "own_hand own_life own_piles enemy_hidden enemy_piles own_pack own_choice".split()
_SIDES = (("own", _OWN), ("enemy", _ENEMY))


def _facts() -> np.ndarray:
    """Of a card: which it is, its number (also as a number), its suit. Of a unit: whose, where. Of a request: where."""
    which = np.arange(_THINGS)
    kind = np.repeat([0, 1, 2, 3], [CARDS, SLOTS, SLOTS, STAGE])
    number, suit = np.full(_THINGS, NOTHING), np.full(_THINGS, NOTHING)
    number[:CARDS], suit[:CARDS] = NUMBER, SUIT
    place = np.where(which < CARDS, NOTHING, (which - CARDS) % SLOTS)
    size = np.where(number > 0, number / 13, 0).astype(np.float32)
    card = np.where(which < CARDS, which, NOTHING)
    return np.concatenate(
        [one_hot(kind), one_hot(card), one_hot(number), one_hot(suit), one_hot(place), size[:, None]], 1
    )


def things_of(ruleset: str) -> Things:
    sections = sections_of(ruleset)
    size = sections[-1].offset + sections[-1].length
    thing, zone = np.full(size, NOTHING), np.full(size, NOTHING)
    zones = 0

    def tell(columns: np.ndarray, things: np.ndarray, features: np.ndarray | int = 0) -> None:
        nonlocal zones
        thing[columns] = things
        zone[columns] = zones + features
        zones = int(zone.max()) + 1

    names = {section.name for section in sections}
    for name in _BY_CARD:
        if name in names:
            tell(columns_of(sections, name), np.arange(CARDS))
    for side, first in _SIDES:
        tell(columns_of(sections, f"{side}_fog"), _FOG)
        places = np.arange(NEAR * UNIT)
        tell(columns_of(sections, f"{side}_units"), first + places // UNIT, places % UNIT)
        tell(columns_of(sections, f"{side}_far_units"), first + np.arange(NEAR, SLOTS))
    places = np.arange(2 * STAGE)
    tell(columns_of(sections, "stage"), _REQUESTS + places // 2, places % 2)
    named, verb = np.full(NUM_ACTIONS, NOTHING), np.zeros(NUM_ACTIONS, np.int64)
    named[FIRST_CARD:] = np.arange(_THINGS)
    for number, first_id in enumerate((FIRST_CARD, FIRST_OWN, FIRST_ENEMY, FIRST_REQUEST)):
        verb[first_id:] = number
    none, zeros = np.full(_THINGS, NOTHING), np.zeros(_THINGS, np.int64)
    return Things(thing, zone, _facts(), np.arange(_THINGS), zeros, none, np.zeros((0, 2), np.int64), named, verb)
