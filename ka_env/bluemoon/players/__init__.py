"""Rules-based players. A style is a kernel `choose(s, p)`: the action of player p, from what p can know of record s.

All styles think alike (decide.py and what it calls) and differ in temper: what each holds dear, in points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon import STYLES as STYLES
from ka_env.bluemoon.players import bully, greedy, miser
from ka_env.bluemoon.players.decide import decide
from ka_env.engine.jit import entry

TEMPERS = np.concatenate([greedy.TEMPER, miser.TEMPER, bully.TEMPER])

Array = Any


@entry
def choose_games(records: Array, players: Array, style: int, out: Array) -> None:
    """out[i] = what players[i] does in records[i], by the number of the style; player -1 is left alone."""
    for i in range(records.size):
        if players[i] >= 0:
            out[i] = decide(records[i], players[i], TEMPERS[style])
