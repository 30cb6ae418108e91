"""Temper: what a style holds dear, in points. One point of power is about one point."""

from __future__ import annotations

import numpy as np

TEMPER = np.dtype(
    (
        np.record,
        [
            ("card", np.float64),  # what it minds giving a card away, for each point of the card's worth
            ("power", np.float64),  # each point of the own total, up to `enough` ...
            ("enough", np.float64),
            ("more", np.float64),  # ... and beyond it
            ("short", np.float64),  # each point that the own total is short of the opponent's
            ("fear", np.float64),  # each point of the opponent's total
            ("text", np.float64),  # a working text on the table, for each point of its worth
            ("laid", np.float64),  # each own card on the table: six attract a second dragon
            ("crowd", np.float64),  # six of them
            ("dragon", np.float64),  # a dragon lost by a retreat
            ("open", np.float64),  # wants to open a fight this much more than it promises
            ("refuse", np.float64),  # a decline discards hand cards worth less than this
            ("load", np.float64),  # a card on a ship, for each point of its worth
            ("lie", np.float64),  # what it minds bluffing with the wrong card
            ("trust", np.float64),  # challenges if the chance that all bluffs are honest is less than this
        ],
    )
)


def temper(**points: float) -> np.ndarray:
    """A table of one temper, all its fields given."""
    missing = set(TEMPER.names or ()) ^ set(points)
    if missing:
        raise TypeError(f"temper: {', '.join(sorted(missing))} missing or unknown")
    return but(np.zeros(1, TEMPER), **points)


def but(table: np.ndarray, **points: float) -> np.ndarray:
    """The same temper with some fields changed."""
    table = table.copy()
    for name, value in points.items():
        table[name] = value
    return table
