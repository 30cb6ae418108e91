"""Which bytes are a game: asked of records that come from files, before any kernel touches them."""

from __future__ import annotations

import numpy as np

from ka_env.blackpoker.cards import CARDS
from ka_env.blackpoker.codes import ACTION_NAME, FIRST_STAGE_TARGET, NO_TARGET, SLOTS, STAGE
from ka_env.blackpoker.state import NOT_POSITION
from ka_env.games import load_game
from ka_env.valid import refuse_unless_written_back, refuse_where

CARD_SETS = "deck hand fog seen placed".split()
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
    "stage_target": (min(NO_TARGET, -2), FIRST_STAGE_TARGET + STAGE - 1),
    "life_count": (0, CARDS),
    "grave_count": (0, CARDS),
    "life": (-1, CARDS - 1),
    "grave": (-1, CARDS - 1),
    "above": (-1, CARDS - 1),
    "fog_link": (-1, 2 * SLOTS - 1),
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
    refuse_unless_written_back(load_game("blackpoker"), records, NOT_POSITION)


def _goes_round(records: np.ndarray) -> np.ndarray:
    """Would walking up a unit's cards never end? Not if each card lies on one at most, and a bottom card on none."""
    above, bottom = records["above"], records["bottom"]
    wrong = np.zeros((len(records), 2), np.bool_)
    for card in range(CARDS):
        below = (above == card).sum(axis=2)
        wrong |= (below > 1) | ((below > 0) & (bottom == card).any(axis=2))
    return wrong
