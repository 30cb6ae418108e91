"""Numbers of the observation that count something: networks may have a weight for each of their values."""

from __future__ import annotations

from ka_env.bluemoon.knowledge.observe import SECTIONS
from ka_env.engine.things import Levels, Row, levels_in

_ALL = slice(None)
_LEVELS: tuple[Row, ...] = (
    ("dragons", _ALL, (3, 1, 3)),
    ("crystals", _ALL, (5, 1, 5)),
    ("totals", _ALL, (20, -5, 40)),
    ("record", _ALL, (8, 1, 8)),
    ("counts", _ALL, (40, 1, 40)),
    ("left", _ALL, (8, 1, 8)),
)


def levels_of(ruleset: str) -> Levels:
    return levels_in(SECTIONS, _LEVELS)
