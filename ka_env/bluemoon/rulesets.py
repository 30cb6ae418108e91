"""Rulesets and frames as data: which cards are in, whether it is a match, which decks meet."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon import FRAMES, PEOPLES, RULESETS
from ka_env.bluemoon.cards import ACHIEVEMENT, DECKS, IN_DECK, OF_TYPE
from ka_env.errors import RulesetError, nearest

assert [name.lower() for name in DECKS] == PEOPLES
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

RANDOM = -1  # a deck drawn at random, different from the other one


def ruleset_index(name: str) -> int:
    if name in RULESETS:
        return RULESETS.index(name)
    raise RulesetError(f"unknown ruleset {name!r}: expected one of {', '.join(RULESETS)}{nearest(name, RULESETS)}")


def setting_of(ruleset: str, frame: str, deck0: Any = None, deck1: Any = None) -> np.ndarray:
    """The frame as the deal wants it: the deck of either player."""
    ruleset_index(ruleset)
    for i, given in enumerate((deck0, deck1)):
        if given is not None:
            raise RulesetError(
                f"deck{i} was given, but Blue Moon is played with its ready-made decks: use a frame like khind-buka"
            )
    if frame not in FRAMES:
        raise RulesetError(
            f"unknown frame {frame!r}: expected 'random' or <deck>-<deck> with decks of {', '.join(PEOPLES)}"
            f"{nearest(str(frame).lower(), FRAMES)}"
        )
    decks = [RANDOM, RANDOM] if frame == "random" else [PEOPLES.index(name) for name in frame.split("-")]
    return np.array(decks, np.int64)
