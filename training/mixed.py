"""Games under several rules side by side, stepped as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ka_env.engine.batch import BatchEngine
from ka_env.engine.view import PlayerViews
from ka_env.game import NOT_SEEN
from ka_env.games import Setup, copy_records


class MixedEngine(BatchEngine):
    """A batch with `counts[i]` games of `setups[i]`, one setup after another.

    All are of one game, and their players see equally many numbers. Records know their ruleset, so that only dealing
    is done for each setup by itself.
    """

    def __init__(self, setups: Sequence[Setup], counts: Sequence[int], seed: int = 0) -> None:
        self._settings: list[np.ndarray] = []
        ruleset, frame, *decks = setups[0]
        super().__init__(ruleset, frame, sum(counts), deck0=decks[0], deck1=decks[1])  # deals nothing yet
        edges = np.cumsum([0, *counts])
        self._places = [slice(int(low), int(high)) for low, high in pairwise(edges)]
        self._which = np.repeat(np.arange(len(setups)), counts)  # [game]: number of its setup
        self.games["ruleset"] = np.array([self.about.ruleset_index(one.ruleset) for one in setups])[self._which]
        self._settings = [one.setting() for one in setups]
        self.reset(seed)

    def _deal(self, only_done: bool, out: np.ndarray | None) -> None:
        due = np.unique(self._which[self.done]) if only_done else range(len(self._settings))
        for number in due:
            place = self._places[number]
            seen = NOT_SEEN if out is None else out[place]
            given = (self.threads, self._settings[number], only_done)
            self._deal_games(self.games[place], *given, *(array[place] for array in self._outputs), seen)

    def views(self, which: np.ndarray, seeds: np.ndarray) -> PlayerViews:
        frame = self.frame if len(self._settings) == 1 else None  # of several, nobody's
        return PlayerViews(copy_records(self.games, which), self.to_play[which], seeds, self.about, frame)
