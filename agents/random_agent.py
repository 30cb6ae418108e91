"""`random`: any legal action, each with the same probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.agents.base import Agent
from ka_env.engine.jit import entry
from ka_env.engine.rng import advance, below, stream


@entry
def _choose(states: Any, masks: Any, out: Any) -> None:
    for i in range(masks.shape[0]):
        legal = 0
        for a in range(masks.shape[1]):
            legal += masks[i, a]
        states[i] = advance(states[i])
        n = below(states[i], legal)
        for a in range(masks.shape[1]):
            if masks[i, a]:
                if n == 0:
                    out[i] = a
                    break
                n -= 1


@entry
def _seed(states: Any, seeds: Any) -> None:
    for i in range(states.size):
        states[i] = stream(seeds[i], 0)


class RandomAgent(Agent):
    name = "random"
    needs_observations = False

    def __init__(self) -> None:
        self._states = np.zeros(0, np.uint64)

    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        room = int(games.max(initial=-1)) + 1
        if room > self._states.size:
            self._states = np.concatenate([self._states, np.zeros(room - self._states.size, np.uint64)])
        states = np.empty(len(games), np.uint64)
        _seed(states, np.asarray(seeds, np.uint64))
        self._states[games] = states

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> np.ndarray:
        states = self._states[games]
        out = np.zeros(len(games), np.int64)
        _choose(states, masks, out)
        self._states[games] = states
        return out
