"""What an agent may hold of games: everything its player can know, and nothing to find the rest by.

Inside a view is not the game but one re-draw of it: everything the player can't know was drawn anew when the view was
made, so hidden cards can't be reached through it, by whatever means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.games import KaGame, copy_records


class PlayerView:
    """One game as one player knows it."""

    __slots__ = ("_sample", "player")

    def __init__(self, game: Any, player: int, rng: np.random.Generator | int | None = None) -> None:
        self.player = player
        self._sample = game.determinize(player, rng)

    def sample(self, rng: np.random.Generator | int | None = None) -> Any:
        """A game that could be the real one: all that the player can't know is drawn anew."""
        return self._sample.determinize(self.player, rng)

    def legal(self) -> list[str]:
        """The player's legal tokens."""
        return self._sample.legal() if self._sample.player == self.player else []

    def action_mask(self) -> np.ndarray:
        mask = self._sample.action_mask()
        return mask if self._sample.player == self.player else np.zeros_like(mask)

    def observation(self) -> np.ndarray:
        return self._sample.observation(self.player)

    def entities(self) -> dict[str, np.ndarray]:
        return self._sample.entities(self.player)

    @property
    def decision(self) -> str | None:
        return self._sample.decision


class PlayerViews(Sequence[PlayerView]):
    """Views of many games at once. `records` are the re-drawn games, for agents that are kernels themselves. `frame` is
    that of all of them; None where nobody knows it, as of a position from a text."""

    def __init__(
        self, records: np.ndarray, players: np.ndarray, seeds: np.ndarray, about: KaGame, frame: str | None = None
    ) -> None:
        """`records` must be a copy: it is re-drawn in place."""
        self.about = about
        self.frame = frame
        self.players = players
        self.records = records
        about.kernels.determinize_games(records, players, seeds)

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, i: Any) -> Any:
        i = range(len(self.records))[i]
        game = self.about.Game(copy_records(self.records, slice(i, i + 1)))
        return PlayerView(game, int(self.players[i]), i)
