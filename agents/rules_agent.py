"""Rules-based players: the styles of a game's `strategies`, e.g. `greedy`, `rush` and `wall` of BlackPoker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.agents.base import Agent
from ka_env.games import load_game


class RulesAgent(Agent):
    """Plays one style of whatever game it is asked about."""

    needs_observations = False
    needs_views = True

    def __init__(self, style: str) -> None:
        self.name = style
        self.style = style

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> np.ndarray:
        if views is None:
            raise ValueError(f"agent {self.name!r} needs views of the games")
        strategies: Any = load_game(views.game_name).strategies  # type: ignore[attr-defined]
        out = np.zeros(len(games), np.int64)
        number = strategies.STYLES.index(self.style)
        strategies.choose_games(views.records, views.players, number, out)  # type: ignore[attr-defined]
        return out


def greedy() -> RulesAgent:
    return RulesAgent("greedy")


def rush() -> RulesAgent:
    return RulesAgent("rush")


def wall() -> RulesAgent:
    return RulesAgent("wall")
