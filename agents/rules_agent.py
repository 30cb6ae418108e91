"""Rules-based players: the styles a game brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.agents.base import Agent
from ka_env.errors import KaError, nearest


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
        about: Any = views.about  # type: ignore[attr-defined]
        styles = about.room("styles")
        if self.style not in styles.STYLES:
            hint = f"expected {', '.join(styles.STYLES)}{nearest(self.style, styles.STYLES)}"
            raise KaError(f"{about.title} has no player {self.style!r}: {hint}")
        out = np.zeros(len(games), np.int64)
        number = styles.STYLES.index(self.style)
        styles.choose_games(views.records, views.players, number, out)  # type: ignore[attr-defined]
        return out
