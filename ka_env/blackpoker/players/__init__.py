"""Rules-based players. A style is a kernel `choose(s, p)`: the action of player p, from what p can know of record s.

All styles think alike (answers.py and what it calls) and differ in temper: what each holds dear, in points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.blackpoker import STYLES as STYLES
from ka_env.blackpoker.codes import LEGAL_WORDS
from ka_env.blackpoker.decisions import AT_CHANCE
from ka_env.blackpoker.players import greedy, rush, wall
from ka_env.blackpoker.players.answers import decide
from ka_env.engine.jit import entry

TEMPERS = np.concatenate([greedy.TEMPER, rush.TEMPER, wall.TEMPER])

Array = Any


@entry
def choose_games(records: Array, players: Array, style: int, out: Array) -> None:
    """out[i] = what players[i] does in records[i], by the number of the style; player -1 is left alone."""
    for i in range(records.size):
        if players[i] >= 0:
            out[i] = decide(records[i], players[i], TEMPERS[style])


def forbid(records: np.ndarray, actions: list[int]) -> None:
    """Actions (words) that a player shall never begin: they are struck from what may be chosen at a chance."""
    bits = sum(1 << action for action in actions)
    at_chance = records["kind"] == AT_CHANCE
    records["legal"][at_chance, LEGAL_WORDS] &= ~np.int64(bits)
