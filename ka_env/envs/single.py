"""Gymnasium environment: a learner against an agent, one game at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ka_env.agents import Agent
from ka_env.envs.aec import RENDER_MODES, check_render_mode, facts_of_game, observation_box, render_game
from ka_env.envs.duel import Duels
from ka_env.errors import whole_number
from ka_env.games import DEFAULT_RULESET


class DuelEnv(gymnasium.Env):
    """The learner's decisions only; the opponent plays in between. Reward 1, -1 or 0 when the game ends.

    `action_masks()` and info["action_mask"] say what is legal. An illegal action loses the game: reward -1,
    info["illegal_action"] is True. When a game ends, info tells what else its game reports, e.g. crystals.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        ruleset: str = DEFAULT_RULESET,
        frame: str | None = None,
        opponent: str | Agent | Sequence[str | Agent] = "random",
        seat: int | str | None = "random",
        deck0: Any = None,
        deck1: Any = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._duels = Duels(1, opponent, seat=seat, seed=None, ruleset=ruleset, frame=frame, deck0=deck0, deck1=deck1)
        engine = self._duels.engine
        self.observation_space = observation_box(engine.observation_size)
        self.action_space = spaces.Discrete(engine.num_actions)

    @property
    def game(self) -> Any:
        """The game as a readable `Game` (a copy)."""
        return self._duels.engine.game(0)

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self._duels.seats[0])

    def action_masks(self) -> np.ndarray:
        return self._duels.action_mask[0].copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat}

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self._duels.reset(seed)
        self._duels.deal_finished()
        return self._duels.observe()[0], self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        action = whole_number(action, "action")
        if not self.action_space.contains(action) or not self._duels.action_mask[0, action]:
            self._duels.forfeit(np.array([0]))
            return self._duels.observe()[0], -1.0, True, False, self._info() | {"illegal_action": True}
        over = bool(self._duels.step(np.array([action]))[0])
        reward = float(self._duels.rewards()[0])
        if self.render_mode == "human":
            self.render()
        facts = facts_of_game(self._duels.engine, 0) if over else {}
        return self._duels.observe()[0], reward, over, False, self._info() | facts

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return render_game(self.game, self.render_mode)
