"""Stable-Baselines3 vector environment, with action masks for sb3-contrib's MaskablePPO (extra `train`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from ka_env.agents import Agent
from ka_env.envs.aec import check_render_mode, observation_box, render_game
from ka_env.envs.duel import Duels
from ka_env.games import DEFAULT_RULESET
from ka_env.hints import install_extra
from ka_env.luck import fresh_seed

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(f"ka_env.envs.sb3 needs Stable-Baselines3: {install_extra('train')}") from error


class DuelVecEnv(VecEnv):
    """N duels for SB3; infos carry `episode` (as SB3's Monitor gives it), `terminal_observation` and `seat`."""

    def __init__(
        self,
        num_envs: int = 1024,
        ruleset: str = DEFAULT_RULESET,
        frame: str | None = None,
        opponent: str | Agent | Sequence[str | Agent] = "random",
        weights: Sequence[float] | None = None,
        seat: int | str | None = "random",
        seed: int | None = None,
        threads: int = 1,
        deck0: Any = None,
        deck1: Any = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode, ["rgb_array"])  # SB3 would ask each game to show itself
        self.render_mode = render_mode
        self.duels = Duels(
            num_envs,
            opponent,
            weights,
            seat,
            seed,
            ruleset=ruleset,
            frame=frame,
            threads=threads,
            deck0=deck0,
            deck1=deck1,
        )
        engine = self.duels.engine
        super().__init__(num_envs, observation_box(engine.observation_size), spaces.Discrete(engine.num_actions))
        self._began = time.time()
        self._next_seed: int | None = None
        self._actions = np.zeros(num_envs, np.int64)

    def action_masks(self) -> np.ndarray:
        """(num_envs, actions), True where legal."""
        return self.duels.action_mask

    def set_opponents(
        self, opponent: str | Agent | Sequence[str | Agent], weights: Sequence[float] | None = None
    ) -> None:
        self.duels.set_opponents(opponent, weights)

    def seed(self, seed: int | None = None) -> list[int | None]:
        self._next_seed = fresh_seed() if seed is None else seed
        return [self._next_seed] * self.num_envs

    def reset(self) -> np.ndarray:
        self.duels.reset(self._next_seed)
        self._next_seed = None
        self.duels.deal_finished()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.duels.observe()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        duels = self.duels
        over = duels.step(self._actions).copy()
        rewards = duels.rewards().astype(np.float32)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        finished = np.flatnonzero(over)
        if finished.size:
            final = duels.engine.observe_some(finished, duels.seats[finished])
            facts = duels.engine.facts_of(finished)
            seconds = round(time.time() - self._began, 6)
            for row, i in enumerate(finished):
                infos[i] = {
                    "episode": {"r": float(rewards[i]), "l": int(duels.lengths[i]), "t": seconds},
                    "terminal_observation": final[row],
                    "TimeLimit.truncated": False,
                    "seat": int(duels.seats[i]),
                    **{name: values[row] for name, values in facts.items()},
                }
            duels.deal_finished()
        return duels.observe(), rewards, over, infos

    def close(self) -> None:
        pass

    def get_images(self) -> Sequence[np.ndarray | None]:
        engine = self.duels.engine
        return [render_game(engine.game(i), "rgb_array") for i in range(min(self.num_envs, 16))]

    # SB3 asks its sub-environments by these; all of ours are alike.

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        if indices is not None:
            raise ValueError("the games of this environment share their attributes: leave `indices` out")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        if method_name == "action_masks":
            masks = self.action_masks()
            return list(masks if indices is None else masks[list(self._get_indices(indices))])
        return [getattr(self, method_name)(*args, **kwargs)] * len(list(self._get_indices(indices)))

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        # Episode statistics are here, so SB3 need not add a Monitor.
        monitored = getattr(wrapper_class, "__name__", "") == "Monitor"
        return [monitored] * len(list(self._get_indices(indices)))
