"""What a study asks of a game: the attribute `study` of its room `pages`. A game may do without.

CARDS, `first_hands(deals)`: games x players x cards, who holds what after the deal.
ENDINGS, `endings(before, actions, after)`: how games ended, by their records at the last decision and after it.
CAMPS, `camps(deals)`: games x players, where players come with decks of their own.
QUESTIONS: decisions that players wonder about. DECKS: frames with decks to choose, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ka_env.games import KaGame


class Ask(NamedTuple):
    """A kind of decision with one choice that matters."""

    kind: str
    title: str
    choice: str  # its token
    words: str  # "to ..."
    facts: Callable[[np.ndarray], Mapping[str, np.ndarray]]  # of records: whole numbers to sort the decisions by


class DeckSpace(NamedTuple):
    """Decks are `size` of these cards, each at most once."""

    cards: Sequence[str]
    size: int
    held: Callable[[np.ndarray], np.ndarray]  # of records: games x players x cards, what is in the decks


class NoRoom:
    """In place of a room that a game does not bring."""

    CARDS: Sequence[str] = ()
    ENDINGS: Sequence[str] = ()
    CAMPS: Sequence[str] = ()
    QUESTIONS: Sequence[Ask] = ()
    DECKS: Mapping[str, DeckSpace] = {}


def study_room(game: KaGame) -> Any:
    return getattr(game.room("pages", NoRoom), "study", NoRoom)


def names(room: Any, what: str) -> Sequence[str]:
    return getattr(room, what, ())
