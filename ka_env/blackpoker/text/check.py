"""Which bytes are a game: asked of records that come from files, before any kernel touches them."""

from __future__ import annotations

import numpy as np

from ka_env.blackpoker.cards import CARDS
from ka_env.blackpoker.codes import ACTION_NAME, FIRST_PLAYER_TARGET, LINK_ALL, NO_TARGET, SLOTS, STAGE
from ka_env.blackpoker.deal import CHOSEN, MIN_DECK_WITH_PACK
from ka_env.blackpoker.decisions import AT_FIRST_HAND, SETTING_UP
from ka_env.blackpoker.rulesets import RULES
from ka_env.blackpoker.state import NOT_POSITION, blank
from ka_env.games import load_game
from ka_env.valid import refuse_unless_written_back, refuse_where

CARD_SETS = "deck hand fog seen placed fog_plus pack first_hand surely never".split()
SLOT_SETS = "bulwarks soldiers charged came haste attackers picked".split()
ACTIONS = max(ACTION_NAME)
RANGES: dict[str, tuple[int, int]] = {
    "passed": (0, 3),
    "push_due": (-1, ACTIONS),
    "bottom": (-1, CARDS - 1),
    "blocks": (-1, SLOTS - 1),
    "verb": (-1, ACTIONS),
    "paid_slot": (-1, SLOTS - 1),
    "key": (-1, CARDS - 1),
    "attacker": (-1, SLOTS - 1),
    "ordered": (0, 13),
    "order": (-1, CARDS - 1),
    "stage_count": (0, STAGE),
    "stage_action": (-1, ACTIONS),
    "stage_player": (-1, 1),
    "stage_key": (-1, CARDS - 1),
    "stage_target": (min(NO_TARGET, -2), FIRST_PLAYER_TARGET + 1),
    "force": (0, 99),
    "successions": (0, CARDS),
    "pack_closed": (0, 1),
    "rare": (-1, CARDS - 1),
    "rare_chosen": (-1, CARDS - 1),
    "list_unknown": (0, 1),
    "life_count": (0, CARDS),
    "grave_count": (0, CARDS),
    "life": (-1, CARDS - 1),
    "grave": (-1, CARDS - 1),
    "above": (-1, CARDS - 1),
    "fog_link": (-1, LINK_ALL),
    "shuffled_by": (-1, 1),
    "shuffled_count": (0, CARDS),
    "shuffled": (-1, CARDS - 1),
}


def check(records: np.ndarray) -> None:
    """Raises NotationError unless every record is a position its own text describes."""
    for name, (low, high) in RANGES.items():
        refuse_where((records[name] < low) | (records[name] > high), f"{name} is out of range")
    for names, size in ((CARD_SETS, CARDS), (SLOT_SETS, SLOTS)):
        for name in names:
            refuse_where(records[name] >> size != 0, f"{name} has places beyond {size}")
    refuse_where(_goes_round(records), "a unit's cards lie above themselves")
    listed = records["deck"]
    refuse_where(records["surely"] & ~listed != 0, "a card that is surely in the deck is not")
    refuse_where(records["never"] & listed != 0, "a card that is never in the deck is")
    setting_up = np.array([bool(SETTING_UP >> int(kind) & 1) for kind in records["kind"]], np.bool_)
    _check_set_up(records[setting_up])
    refuse_unless_written_back(load_game("blackpoker"), records[~setting_up], NOT_POSITION)


def _check_set_up(records: np.ndarray) -> None:
    """Before the deal there is nothing but the decks and what has been chosen of them."""
    rules = RULES[records["ruleset"]]
    refuse_where(rules["rare"] == 0, "the ruleset has no set-up")
    refuse_where(
        (rules["strategy"] == 0) & (records["kind"] == AT_FIRST_HAND), "the ruleset has no first hand to choose"
    )
    refuse_where(records["first_hand"] & ~records["deck"] != 0, "first_hand is not of the deck")
    few = np.array([[int(cards).bit_count() < MIN_DECK_WITH_PACK for cards in decks] for decks in records["deck"]])
    many = np.array([[int(cards).bit_count() > CHOSEN for cards in hands] for hands in records["first_hand"]])
    refuse_where(few.reshape(-1, 2), "the deck is too small")
    refuse_where(many.reshape(-1, 2), "first_hand has too many cards")
    chosen = records["rare_chosen"].astype(np.int64)
    refuse_where((chosen >= 0) & (records["deck"] >> np.maximum(chosen, 0) & 1 == 0), "rare_chosen is not of the deck")
    empty = blank(1)
    given = {*"rng legal ruleset kind player deck first_hand rare_chosen".split()}
    for name in [name for name in records.dtype.names or () if name not in given]:
        axes = tuple(range(1, records[name].ndim))
        refuse_where(
            (records[name] != empty[name]).any(axis=axes) if axes else records[name] != empty[name],
            f"{name} before the deal",
        )


def _goes_round(records: np.ndarray) -> np.ndarray:
    """Would walking up a unit's cards never end? Not if each card lies on one at most, and a bottom card on none."""
    above, bottom = records["above"], records["bottom"]
    wrong = np.zeros((len(records), 2), np.bool_)
    for card in range(CARDS):
        below = (above == card).sum(axis=2)
        wrong |= (below > 1) | ((below > 0) & (bottom == card).any(axis=2))
    return wrong
