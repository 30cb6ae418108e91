"""Search as a teacher: improved policies for decisions of the learner, by small searches with its current network."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ka_env.agents.nets import PolicyNet
from ka_env.engine.batch import BatchEngine
from ka_env.engine.improve import Asked, Desk, Halving, desk
from ka_env.training.config import Config

EXPLORATION = 1.0  # below the root, as the agent `ismcts` has it with a network
TURNS = 2


class Improver:
    """Searches as the settings say. It sees what the player sees: everything else is drawn anew."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.seconds = 0.0  # spent so far
        self._desks: dict[int, Desk] = {}  # by size of the observation

    def improve(
        self, engine: BatchEngine, games: np.ndarray, net: PolicyNet, seeds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """For the deciders of some games: the action to play, and the policy to learn, a row over all actions."""
        began = time.perf_counter()
        how = self._how(net)
        room: Any = engine.about.room("search")
        views = engine.views(games, seeds)
        desk = self._desk(engine, views.records, how)
        asked = Asked(
            views.records,
            views.players,
            seeds,
            np.zeros(len(games), np.int64),
            np.zeros((len(games), engine.num_actions), np.float32),
        )
        room.improve_games(asked, desk, how)
        self.seconds += time.perf_counter() - began
        return asked.actions, asked.policies

    def _how(self, net: PolicyNet) -> Halving:
        config = self.config
        return Halving(
            config.search_iterations,
            config.search_actions,
            config.search_sharpness,
            EXPLORATION,
            TURNS,
            config.search_trust,
            net.net,
        )

    def _desk(self, engine: BatchEngine, records: np.ndarray, how: Halving) -> Desk:
        found = self._desks.get(engine.observation_size)
        if found is None:
            found = desk(records, engine.num_actions, how, engine.observation_size)
            self._desks[engine.observation_size] = found
        return found
