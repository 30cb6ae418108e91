"""Search as a teacher: improved policies for decisions of the learner, by small searches with its current network."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ka_env.agents.nets import PolicyNet, uniforms
from ka_env.agents.policy_agent import PolicyAgent
from ka_env.engine.batch import BatchEngine
from ka_env.engine.improve import Asked, Desk, Halving, desk
from ka_env.engine.rng import mix_array
from ka_env.engine.view import PlayerViews
from ka_env.training.config import Config, load_config

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
        found = self.improve_views(engine.views(games, seeds), net, seeds)
        self.seconds += time.perf_counter() - began
        return found

    def improve_views(self, views: PlayerViews, net: PolicyNet, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same for games as their deciders know them."""
        how, count = self._how(net), len(views.records)
        room: Any = views.about.room("search")
        actions, policies = np.zeros(count, np.int64), np.zeros((count, views.about.num_actions), np.float32)
        asked = Asked(views.records, views.players, seeds, actions, policies)
        room.improve_games(asked, self._desk(views, how), how)
        return actions, policies

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

    def _desk(self, views: PlayerViews, how: Halving) -> Desk:
        columns = columns_of(views)
        found = self._desks.get(columns)
        if found is None:
            found = self._desks[columns] = desk(views.records, views.about.num_actions, how, columns)
        return found


def columns_of(views: PlayerViews) -> int:
    """The size of their observations, the same for all."""
    about = views.about
    return about.observation_size(about.rulesets[views.records[0].ruleset])


class ImprovedAgent(PolicyAgent):
    """Plays the improved policy's likeliest action. For learning how good a teacher would be."""

    name = "improved"
    needs_observations = False
    needs_views = True

    def __init__(
        self,
        name: str | PolicyNet,
        iterations: int = 32,
        actions: int = 8,
        sharpness: float = 10.0,
        trust: float = 1.0,
    ) -> None:
        super().__init__(name)
        settings = {"iterations": iterations, "actions": actions, "sharpness": sharpness, "trust": trust}
        self.improver = Improver(load_config(overrides={f"search_{key}": value for key, value in settings.items()}))

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Any = None,
    ) -> np.ndarray:
        self.check_width(columns_of(views))
        _, self._states[games] = uniforms(self._states[games])
        _, policies = self.improver.improve_views(views, self.net, mix_array(self._states[games]))
        return policies.argmax(axis=1)
