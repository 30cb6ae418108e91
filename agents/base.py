"""The protocol of agents.

An agent plays any number of games at once. It is told which games begin, and is asked for one action id per game in
which it has to decide. It is given observations and masks of exactly those games, and nothing else; an agent that
says `needs_views` gets the games as their player knows them as well (`PlayerViews`), from which hidden cards can't
be reached.

Write `act_one` for a simple agent, or `act` for one that handles many games in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Agent:
    """Base of all agents. Subclass it and write `act_one` or `act`."""

    name: str = "agent"
    needs_observations: bool = True
    needs_views: bool = False

    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        """New games begin: their numbers (any ints, used in `act` too), the agent's seat and a seed for each."""

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> np.ndarray:
        """One legal action id for each of `games`. Rows of `observations` and `masks` are in the same order."""
        return np.array(
            [
                self.act_one(
                    int(game),
                    None if observations is None else observations[i],
                    masks[i],
                    None if views is None else views[i],
                )
                for i, game in enumerate(games)
            ],
            dtype=np.int64,
        )

    def act_one(self, game: int, observation: np.ndarray | None, mask: np.ndarray, view: Any | None) -> int:
        raise TypeError(f"{type(self).__name__} must define act_one or act")

    def between(self, games: np.ndarray, observations: np.ndarray, masks: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """A decision between two games of a match, such as a deck; rows are those of the match (`Match.observation`).

        Unless an agent knows better: any, all alike, by the seeds.
        """
        choices = [np.flatnonzero(mask) for mask in masks]
        return np.array([ids[int(seed % len(ids))] for ids, seed in zip(choices, seeds.astype(object))], np.int64)

    def called(self, ruleset: str, frame: str | None = None) -> str:
        """Its name, with what it chooses by itself under these rules. For records."""
        return self.name

    def notes(self, game: int) -> dict[int, float] | None:
        """How the latest decision in this game was weighed, by action id: visits, probabilities ... For records."""
        return None

    def __repr__(self) -> str:
        return f"<agent {self.name}>"
