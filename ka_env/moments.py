"""A move taken apart: the chosen action and every forced decision after it, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ka_env.engine.loops import RUNNING
from ka_env.game import Event, Game


class Moment(NamedTuple):
    """One answer, chosen or forced; the states are records."""

    before: Any
    action: int
    after: Any


def moments(game: Game, action: int, chance: Sequence[Event] = ()) -> list[Moment]:
    """What a legal action brings, answer by answer. `chance`: what chance brought, if known."""
    if action not in game.legal_ids():
        game.copy().step(action)  # says what is legal
    kernels = game.about.kernels
    before = game.scripted(action, chance)
    actions, left = np.array([action]), np.ones(1, np.int64)
    found: list[Moment] = []
    while left[0] == 1:
        after = before.copy()
        kernels.answer_games(after, actions, left)
        found.append(Moment(before[0], int(actions[0]), after[0]))
        if after[0].result != RUNNING:
            break
        before = after
        kernels.random_actions(after, 1, np.zeros(1, np.uint64), actions)  # of a forced decision, the only one
    return found
