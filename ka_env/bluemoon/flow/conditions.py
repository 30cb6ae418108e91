"""Conditions of `when_playing` texts (section 7), read just before the card leaves its place."""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    AMOUNT,
    ATTACKED_ANY,
    ATTACKED_EARTH,
    ATTACKED_FIRE,
    BOOSTER,
    CHARACTER,
    CONDITION,
    HAND_DIFFERENCE,
    OF_TYPE,
    OPP_BOOSTERS,
    OPP_CHARACTERS,
    OPP_DRAGONS,
    OPP_FIGHT_CARDS,
    OPP_ICONS,
    OPP_SUPPORTS,
    OPP_TABLE,
    OWN_SHIPS,
    OWN_TABLE,
    WITH_ICONS,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import IN_EARTH, IN_FIRE
from ka_env.bluemoon.layers.ignored import active
from ka_env.bluemoon.zones import table_cards
from ka_env.engine.bits import count
from ka_env.engine.jit import kernel


@kernel
def on_table(s: State, q: int) -> int:
    """q's active cards in combat and support area."""
    return (s.combat[q] & ~s.covered[q]) | s.support[q]


@kernel
def active_characters(s: State, q: int) -> int:
    return s.combat[q] & ~s.covered[q] & OF_TYPE[s.deck[q], CHARACTER]


@kernel
def condition_holds(s: State, t: int, card: int) -> bool:
    o = 1 - t
    condition = CONDITION[s.deck[t], card]
    n = AMOUNT[s.deck[t], card]
    if condition == ATTACKED_FIRE:
        return s.fight == IN_FIRE and s.total[o] >= n
    if condition == ATTACKED_EARTH:
        return s.fight == IN_EARTH and s.total[o] >= n
    if condition == ATTACKED_ANY:
        return s.fight >= IN_FIRE and s.total[o] >= n
    if condition == OPP_FIGHT_CARDS:
        return count(on_table(s, o)) >= n
    if condition == OPP_CHARACTERS:
        return count(active_characters(s, o)) >= n
    if condition == OPP_BOOSTERS:
        return count(on_table(s, o) & OF_TYPE[s.deck[o], BOOSTER] & ~s.down[o]) >= n
    if condition == OPP_SUPPORTS:
        return count(s.support[o]) >= n
    if condition == OPP_ICONS:
        return count(active(s, o) & WITH_ICONS[s.deck[o]] & ~s.down[o]) >= n
    if condition == OPP_TABLE:
        return count(table_cards(s, o)) >= n
    if condition == OWN_TABLE:
        return table_cards(s, t) == 0
    if condition == OWN_SHIPS:
        return s.ships[t] & ~s.landed[t] == 0
    if condition == OPP_DRAGONS:
        return s.dragons[o] >= n
    if condition == HAND_DIFFERENCE:
        return count(s.hand[o]) - count(s.hand[t]) >= n
    return True
