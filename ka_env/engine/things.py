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


class Levels(NamedTuple):
    """Columns that count or name something (a size, a slot) rather than measure it: a weight for each value helps.

    The level of a number is ceil(number * grain), kept from `low` up to `low + many - 1`.
    """

    grain: np.ndarray  # [column] float32
    low: np.ndarray  # [column]
    many: np.ndarray  # [column]: 0 if the column is a mere number


Row = tuple[str, slice, tuple[int, int, int]]  # a section, which of its columns, and their grain, lowest, highest level


def no_levels(columns: int) -> Levels:
    return Levels(np.zeros(columns, np.float32), np.zeros(columns, np.int64), np.zeros(columns, np.int64))


def levels_in(sections: Sequence[Section], table: Sequence[Row]) -> Levels:
    """Rows of sections that are not there are left out."""
    names = {section.name for section in sections}
    found = no_levels(sections[-1].offset + sections[-1].length)
    for name, which, (grain, low, high) in table:
        if name in names:
            columns = columns_of(sections, name)[which]
            found.grain[columns], found.low[columns], found.many[columns] = grain, low, high - low + 1
    return found


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
