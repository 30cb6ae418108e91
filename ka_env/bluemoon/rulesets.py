"""Rulesets and frames as data: which cards are in, whether it is a match, which decks meet."""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon.cards import ACHIEVEMENT, DECKS, IN_DECK, OF_TYPE
from ka_env.errors import RulesetError, nearest

RULESETS = ["base", "base+opt", "base/match", "base+opt/match"]
OPTIONAL_RULES = np.array(["+opt" in name for name in RULESETS])
MATCH = np.array([name.endswith("/match") for name in RULESETS])

_READY_MADE = (1 << 30) - 1


def _list(deck: int, ruleset: int) -> int:
    """The cards of a deck: achievements are used in a match only."""
    cards = int(IN_DECK[deck])
    if not OPTIONAL_RULES[ruleset]:
        return cards & _READY_MADE
    return cards if MATCH[ruleset] else cards & ~int(OF_TYPE[deck, ACHIEVEMENT])


LISTS = np.array([[_list(deck, r) for r in range(len(RULESETS))] for deck in range(len(DECKS))], dtype=np.int64)

DECK_NAMES = [name.lower() for name in DECKS]
RANDOM = -1  # a deck drawn at random, different from the other one
FRAMES = {f"{a}-{b}": (i, j) for i, a in enumerate(DECK_NAMES) for j, b in enumerate(DECK_NAMES)}
FRAMES["random"] = (RANDOM, RANDOM)


def ruleset_index(name: str) -> int:
    if name in RULESETS:
        return RULESETS.index(name)
    raise RulesetError(f"unknown ruleset {name!r}: expected one of {', '.join(RULESETS)}{nearest(name, RULESETS)}")


def frame_decks(name: str) -> np.ndarray:
    """The frame as the deal wants it: the deck of either player."""
    if name in FRAMES:
        return np.array(FRAMES[name], np.int64)
    raise RulesetError(
        f"unknown frame {name!r}: expected 'random' or <deck>-<deck> with decks of {', '.join(DECK_NAMES)}"
        f"{nearest(name, FRAMES)}"
    )
