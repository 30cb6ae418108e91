"""What a game tells a network about its things: cards, units, requests, whatever actions can name.

Columns of the flat observation tell of things: each belongs to a thing and a zone (what it tells: that the card is in
hand, that the unit is charged). What a thing is for good is told by its facts, so that like things are learned
together. Where it depends on the observation which card a column means (on the deck, for instance), a one-hot section
chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ka_env.engine.sections import Section

NOTHING = -1


class Things(NamedTuple):
    """`thing`, `zone`: by column, NOTHING where a column tells of the table as a whole."""

    thing: np.ndarray  # [column]
    zone: np.ndarray  # [column]
    facts: np.ndarray  # [row, fact] float32
    row: np.ndarray  # [thing]: its first row of facts
    step: np.ndarray  # [thing]: rows from one of its variants to the next
    chooser: np.ndarray  # [thing]: which of `choosers` tells the variant, NOTHING: there is only one
    choosers: np.ndarray  # [chooser]: first column and number of columns of the one-hot section
    named: np.ndarray  # [action]: the thing it names, NOTHING: none
    verb: np.ndarray  # [action]: what is done to it, from 0


def columns_of(sections: Sequence[Section], name: str) -> np.ndarray:
    """The places of a section in the observation."""
    section = next(s for s in sections if s.name == name)
    return np.arange(section.offset, section.offset + section.length)


def one_hot(numbers: np.ndarray, count: int | None = None) -> np.ndarray:
    """A row of zeros and a one for each number; below 0: zeros alone."""
    numbers = np.asarray(numbers)
    out = np.zeros((numbers.size, int(numbers.max()) + 1 if count is None else count), np.float32)
    out[np.flatnonzero(numbers >= 0), numbers[numbers >= 0]] = 1.0
    return out
