"""A move taken apart: the chosen token and every forced decision after it, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ka_env.bluemoon import kernels
from ka_env.bluemoon.cards import members
from ka_env.bluemoon.codes import STARTS
from ka_env.bluemoon.game import Game
from ka_env.engine.loops import RUNNING
from ka_env.game import Event


class Moment(NamedTuple):
    """One answer, chosen or forced; the states are records."""

    before: Any
    action: int
    after: Any


def moments(game: Game, action: int, chance: Sequence[Event] = ()) -> list[Moment]:
    """What a legal action brings, answer by answer. `chance`: what chance brought, if known."""
    if action not in game.legal_ids():
        game.copy().step(action)  # says what is legal
    before = game.scripted(chance)
    found: list[Moment] = []
    left = np.ones(1, np.int64)
    while left[0] == 1:
        after = before.copy()
        kernels.answer_games(after, np.array([action]), left)
        found.append(Moment(before[0], action, after[0]))
        if after[0].result != RUNNING:
            break
        before = after
        action = pick_only(after[0])
    return found


def pick_only(s: Any) -> int:
    """The lowest legal action id: of a forced decision, the only one."""
    return next(first + members(bits)[0] for first, bits in zip(STARTS, s.legal) if bits)
