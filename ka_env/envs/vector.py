"""Vector environments: N duels in one process, for Gymnasium and for Stable-Baselines3.

Both deal a finished game anew in the same step. `set_opponents` changes the pool of opponents while training goes on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ka_env.agents import Agent
from ka_env.envs.aec import check_render_mode, observation_box, render_game
from ka_env.envs.duel import Duels
from ka_env.games import DEFAULT_RULESET

Opponents = str | Agent | Sequence[str | Agent]


class DuelVectorEnv(VectorEnv):
    """Gymnasium's interface. `action_masks()` and infos["action_mask"] say what is legal."""

    metadata: dict[str, Any] = {
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        num_envs: int = 1024,
        ruleset: str = DEFAULT_RULESET,
        frame: str | None = None,
        opponent: Opponents = "random",
        weights: Sequence[float] | None = None,
        seat: int | str | None = "random",
        threads: int = 1,
        deck0: Any = None,
        deck1: Any = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.duels = Duels(
            num_envs,
            opponent,
            weights,
            seat,
            None,
            ruleset=ruleset,
            frame=frame,
            threads=threads,
            deck0=deck0,
            deck1=deck1,
        )
        engine = self.duels.engine
        self.single_observation_space = observation_box(engine.observation_size)
        self.single_action_space = spaces.Discrete(engine.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._began = np.full(num_envs, time.perf_counter())

    def action_masks(self) -> np.ndarray:
        return self.duels.action_mask.copy()

    def set_opponents(self, opponent: Opponents, weights: Sequence[float] | None = None) -> None:
        self.duels.set_opponents(opponent, weights)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self.duels.reset(seed)
        self.duels.deal_finished()
        self._began[:] = time.perf_counter()
        return self.duels.observe(), {"action_mask": self.action_masks()}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        duels = self.duels
        over = duels.step(np.asarray(actions)).copy()
        rewards = duels.rewards().astype(np.float64)
        infos: dict[str, Any] = {}
        if over.any():
            infos = self._final_infos(over, rewards)
            duels.deal_finished()
        infos["action_mask"] = self.action_masks()
        return duels.observe(), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _final_infos(self, over: np.ndarray, rewards: np.ndarray) -> dict[str, Any]:
        """As Gymnasium's own vector envs give them: final observations, and statistics of the episodes."""
        final_obs = np.full(self.num_envs, None, dtype=object)
        observations = self.duels.observe()
        for i in np.flatnonzero(over):
            final_obs[i] = observations[i]
        now = time.perf_counter()
        seconds = np.where(over, now - self._began, 0.0)
        self._began[over] = now
        return {
            "final_obs": final_obs,
            "_final_obs": over,
            "final_info": {"seat": np.where(over, self.duels.seats, 0), **self._facts(over)},
            "_final_info": over,
            "episode": {
                "r": np.where(over, rewards, 0.0),
                "l": np.where(over, self.duels.lengths, 0),
                "t": seconds,
            },
            "_episode": over,
        }

    def _facts(self, over: np.ndarray) -> dict[str, np.ndarray]:
        """What the game reports of those that are over; zeros for the others."""
        engine = self.duels.engine
        facts = engine.facts_of(np.arange(self.num_envs))
        return {name: values * over.reshape(-1, *[1] * (values.ndim - 1)) for name, values in facts.items()}

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        engine = self.duels.engine
        return tuple(render_game(engine.game(i), self.render_mode) for i in range(min(self.num_envs, 16)))
