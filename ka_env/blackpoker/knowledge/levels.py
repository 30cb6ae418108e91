"""Numbers of the observation that count or name something: networks may have a weight for each of their values."""

from __future__ import annotations

from ka_env.blackpoker.cards import CARDS
from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.knowledge.observe import KEY, NEAR, REQUEST, UNIT, sections_of
from ka_env.engine.things import Levels, Row, levels_in

_ALL = slice(None)
_SLOT = (SLOTS, 1, NEAR)
_NUMBER = (13, 1, 13)
_LEVELS: tuple[Row, ...] = (
    ("counts", _ALL, (CARDS, 1, CARDS)),
    ("paid", slice(0, 1), (3, 1, 3)),
    ("keys", slice(0, None, KEY), (CARDS, 1, CARDS)),
    ("keys", slice(1, None, KEY), _NUMBER),
    ("attacker", _ALL, _SLOT),
    ("own_piles", _ALL, (1, 0, 1)),  # field, grave
    ("enemy_piles", _ALL, (2, 0, 2)),  # field, grave, life
    *((f"{side}_units", slice(7, None, UNIT), _SLOT) for side in ("own", "enemy")),  # blocks
    *((f"{side}_units", slice(8, None, UNIT), (13, 0, 20)) for side in ("own", "enemy")),  # size
    *((f"{side}_units", slice(9, None, UNIT), (10, -10, 10)) for side in ("own", "enemy")),  # change of size
    *((f"{side}_units", slice(10, None, UNIT), _NUMBER) for side in ("own", "enemy")),  # of its bottom card
    ("stage_count", _ALL, (32, 1, 6)),
    ("stage_top", slice(25, None, REQUEST), _NUMBER),  # first key
    ("stage_top", slice(26, None, REQUEST), _NUMBER),  # second key
    ("stage_top", slice(30, None, REQUEST), _SLOT),  # what it is aimed at
    ("force", _ALL, (20, 1, 20)),
    ("successions", _ALL, (4, 1, 4)),
)


def levels_of(ruleset: str) -> Levels:
    return levels_in(sections_of(ruleset), _LEVELS)
