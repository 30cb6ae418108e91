"""What `ka study` asks of Blue Moon: see ka_env/training/study/room.py."""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon import PEOPLES
from ka_env.bluemoon.cards import CODES
from ka_env.bluemoon.codes import CARDS as SLOTS
from ka_env.training.study.room import Ask, DeckSpace

CARDS = [code or f"{people}{slot}" for people, codes in zip(PEOPLES, CODES) for slot, code in enumerate(codes)]
ENDINGS = [f"a win of {n} crystal{'s' * (n > 1)}" for n in range(1, 5)] + ["a win of more crystals"]
CAMPS = list(PEOPLES)
DECKS: dict[str, DeckSpace] = {}


def first_hands(records: np.ndarray) -> np.ndarray:
    """Which cards each player holds; the cards of all peoples side by side."""
    bits = np.arange(SLOTS, dtype=np.int64)
    held = (records["hand"][:, :, None] >> bits & 1).astype(bool)
    found = np.zeros((len(records), 2, len(PEOPLES), SLOTS), bool)
    games = np.arange(len(records))
    for seat in range(2):
        found[games, seat, records["deck"][:, seat]] = held[:, seat]
    return found.reshape(len(records), 2, -1)


def camps(records: np.ndarray) -> np.ndarray:
    """The people of each player."""
    return records["deck"].astype(int)


def endings(before: np.ndarray, actions: np.ndarray, after: np.ndarray) -> np.ndarray:
    """How many crystals the winner has won."""
    return np.clip(after["crystals"].max(axis=1).astype(int) - 1, 0, len(ENDINGS) - 1)


def _own(records: np.ndarray) -> dict[str, np.ndarray]:
    games, player = np.arange(len(records)), records["player"].astype(int)
    behind = records["total"][games, 1 - player].astype(int) - records["total"][games, player]
    hand = np.bitwise_count(records["hand"][games, player])
    return {"points behind": behind.astype(int), "hand": hand.astype(int)}


QUESTIONS = [Ask("engage", "When to retreat", "retreat", "retreat", _own)]
