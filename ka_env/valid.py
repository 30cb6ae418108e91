"""Records that come from outside (a checkpoint, a pickle): checked before any kernel touches them.

Kernels run without bounds checks, so a wrong byte in a record could reach any memory. A game's own `check` says whether
a record is one that its rules can bring about; what every record begins with is checked here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.engine.loops import DRAWN, RUNNING
from ka_env.errors import KaError, NotationError
from ka_env.games import KaGame


def check_records(about: KaGame, records: Any) -> None:
    """Raises NotationError unless every record is one of this game."""
    expected = about.blank(0).dtype
    if not isinstance(records, np.ndarray) or records.dtype != expected or records.ndim != 1:
        raise NotationError(f"records: expected an array of records of {about.title}")
    _check_head(about, records)
    if about.check is not None:
        about.check(records)


def _check_head(about: KaGame, records: np.ndarray) -> None:
    over = records["result"] != RUNNING
    within = {
        "ruleset": (0, len(about.rulesets) - 1),
        "kind": (0, len(about.kinds)),  # the number after the last one: at the end
        "player": (-1, 1),
        "turn": (0, 1),
        "result": (RUNNING, DRAWN),
    }
    for name, (low, high) in within.items():
        refuse_where((records[name] < low) | (records[name] > high), f"{name} is out of range")
    stuck = ~over & ((records["player"] < 0) | (records["kind"] == len(about.kinds)))
    refuse_where(stuck, "the game goes on, but nobody decides")


def refuse_where(wrong: np.ndarray, reason: str) -> None:
    """Raises NotationError for the first record that is wrong."""
    for i in np.argwhere(wrong)[:1, 0]:
        raise NotationError(f"record {i}: {reason}")


def refuse_unless_written_back(about: KaGame, records: np.ndarray, besides: tuple[str, ...]) -> None:
    """Every record must come out of its own position text, all but the fields `besides`.

    For a game's `check`, after it has made sure that writing the text is safe: reading it back asks for everything that
    a position must be.
    """
    compared = [name for name in records.dtype.names or () if name not in besides]
    for i in range(len(records)):
        try:
            text = about.Game.text_of(records[i : i + 1])
            back = about.Game.from_text(text).records()
        except (KaError, ValueError, IndexError, KeyError, OverflowError) as error:
            raise NotationError(f"record {i}: {error}") from None
        for name in compared:
            if not np.array_equal(back[name][0], records[name][i]):
                raise NotationError(f"record {i}: {name} does not fit the rest of the position")
