"""What cards are worth, in points: in hand (WORTH), and their texts (TEXT_WORTH), whoever holds them."""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon.cards import (
    ABILITIES,
    ABILITY,
    FACTS,
    FREE,
    GANGS,
    INTERFERENCE,
    LEADERSHIP_CARD,
    ONLY_IF_SWAP,
    PAIR,
    PROTECTED,
    RETRIEVE,
    SHIELD_EARTH,
    SHIELD_FIRE,
    SHIP,
    SHOWS,
    TYPE,
    VALUE,
)
from ka_env.bluemoon.codes import CARDS
from ka_env.engine.bits import lowest, without_lowest
from ka_env.engine.jit import kernel

_TEXTS = {
    "attack_again": 2.0,
    "discard_from_opp_hand_blind": 2.0,
    "discard_opp_table_cards": 2.0,
    "double_own_caterpillar": 1.0,
    "double_value": 1.5,
    "dragon_for_discard": 4.0,
    "dragon_if_two_storms": 2.0,
    "draw": 1.5,
    "draw_random_from_own_discard": 1.5,
    "draw_then_discard_one_of_them": 1.5,
    "draw_then_return_two": 1.0,
    "draw_up_to_hand_size": 2.0,
    "extra_plays": 1.0,
    "force_retreat_if_two_floods": 3.0,
    "free_if": 1.0,
    "landing_keeps_hand_playable": 1.0,
    "load_from_hand": 2.0,
    "mill_opp": 0.5,
    "min_total_power": 3.0,
    "next_card_free": 1.0,
    "no_bluff_challenge": 0.5,
    "opp_active_character_limit": 1.0,
    "opp_cards_ignored": 2.5,
    "opp_discards_down_to": 1.0,
    "opp_discards_own_choice": 1.5,
    "opp_draw_limit": 2.5,
    "opp_hand_cap": 2.5,
    "opp_icons_ignored": 1.0,
    "opp_must_discard": 3.0,
    "opp_must_play": 2.5,
    "opp_play_forbidden": 2.5,
    "opp_play_limit": 2.5,
    "opp_reveals_hand": 0.3,
    "opp_texts_ignored": 2.0,
    "opp_values_parity_zero": 1.5,
    "raise_own_bluffs_to": 1.0,
    "raise_value_to": 2.5,
    "raise_value_to_max": 1.0,
    "raise_value_to_sum": 2.0,
    "recycle_discard": 2.0,
    "retreat_dragons_cap": 0.5,
    "retreat_dragons_minus": 1.0,
    "retreat_dragons_plus": 2.0,
    "retreat_dragons_zero": 1.0,
    "return_own_table_card": 1.0,
    "search_deck_ship_or_load": 2.0,
    "search_to_hand": 2.0,
    "hyla_hand_size": 1.0,
    "interfere": 2.0,
    "achieve_win_plus": 1.0,
    "achieve_loss_minus": 1.0,
}
assert set(_TEXTS) <= set(ABILITIES)

TEXT_WORTH = np.array([_TEXTS.get(name, 0.0) for name in ABILITIES])[ABILITY]  # [deck, card]


def _shown(icon: int) -> np.ndarray:
    """[deck, card]: does it show the icon?"""
    return (SHOWS[:, icon, None] >> np.arange(CARDS) & 1).astype(float)


def _worth() -> np.ndarray:
    """[deck, card]: a card in hand. Its better value counts most: the opener chooses the element."""
    worth = 2.0 + 0.6 * VALUE.max(axis=1) + 0.3 * VALUE.min(axis=1) + TEXT_WORTH
    worth += 1.0 * _shown(SHIELD_FIRE) + 1.0 * _shown(SHIELD_EARTH)
    worth += 1.5 * _shown(FREE) + 1.0 * _shown(PAIR) + 1.5 * _shown(RETRIEVE) + 0.5 * _shown(PROTECTED)
    worth += 1.0 * (GANGS[:, None] >> np.arange(CARDS) & 1)
    worth -= 2.0 * (ABILITY == ONLY_IF_SWAP)  # seldom playable
    worth += 1.0 * np.isin(TYPE, [LEADERSHIP_CARD, SHIP, INTERFERENCE])
    return np.where(FACTS["type"] >= 0, worth, 0.0)


WORTH = _worth()


@kernel
def worth_of(deck: int, cards: int) -> float:
    """All of a set of cards."""
    total = 0.0
    while cards:
        total += WORTH[deck, lowest(cards)]
        cards = without_lowest(cards)
    return total


@kernel
def texts_of(deck: int, cards: int) -> float:
    """The texts of a set of cards."""
    total = 0.0
    while cards:
        total += TEXT_WORTH[deck, lowest(cards)]
        cards = without_lowest(cards)
    return total


@kernel
def least_worth(deck: int, cards: int) -> int:
    """The card of a set that will be missed least; -1 of an empty set."""
    best = -1
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if best < 0 or WORTH[deck, card] < WORTH[deck, best]:
            best = card
    return best


@kernel
def most_worth(deck: int, cards: int) -> int:
    """The best card of a set; -1 of an empty set."""
    best = -1
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if best < 0 or WORTH[deck, card] > WORTH[deck, best]:
            best = card
    return best
