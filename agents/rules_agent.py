"""Rules-based players: the styles a game brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.agents.base import Agent
from ka_env.errors import KaError, nearest
from ka_env.games import KaGame, copy_records, game_names, load_game


class RulesAgent(Agent):
    """Plays one style of whatever game it is asked about. `without=kill+rain`: it never begins these actions."""

    needs_observations = False
    needs_views = True

    def __init__(self, style: str, without: str = "") -> None:
        self.name = style
        self.style = style
        self.without = [word for word in str(without).split("+") if word]
        words = {word for name in game_names() for word in load_game(name).words.values()} if self.without else set()
        for word in self.without:
            if word not in words:
                raise KaError(
                    f"agent {style!r}: without={without}: no game has the action {word!r}{nearest(word, words)}"
                )

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
        records: np.ndarray = views.records  # type: ignore[attr-defined]
        if self.without:
            records = copy_records(records)
            self._forbid(about, styles, records)
        styles.choose_games(records, views.players, number, out)  # type: ignore[attr-defined]
        return out

    def _forbid(self, about: KaGame, styles: Any, records: np.ndarray) -> None:
        """Strike out what it shall do without."""
        if not hasattr(styles, "forbid"):
            raise KaError(f"agent {self.name!r}: the players of {about.title} can't do without anything")
        ids = {word: action for action, word in about.words.items()}
        for word in self.without:
            if word not in ids:
                raise KaError(f"agent {self.name!r}: {about.title} has no {word!r}{nearest(word, list(ids))}")
        styles.forbid(records, [ids[word] for word in self.without])
