"""`policy`: plays with a trained network, e.g. `policy:NAME` for a shipped one or `policy:runs/mine/policy.npz`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.agents.base import Agent
from ka_env.agents.nets import AT_ONCE, PolicyError, PolicyNet, choose, uniforms
from ka_env.agents.rules_agent import RulesAgent

NOTED = 16  # games asked about at once, up to which the latest decision is kept for `notes`


def advised(games: np.ndarray, masks: np.ndarray, views: Any) -> np.ndarray:
    """What the game's first rules-based player would do."""
    if views is None:
        raise PolicyError("an advised network needs views of the games")
    return RulesAgent(views.about.room("styles").STYLES[0]).act(games, None, masks, views)


class PolicyAgent(Agent):
    """Draws from the network's probabilities, sharpened by `temperature`; 0 always plays the likeliest action."""

    name = "policy"

    def __init__(self, name: str | PolicyNet, temperature: float = 0.0) -> None:
        if not temperature >= 0:
            raise PolicyError(f"policy: temperature can't be below 0: {temperature}")
        self.net = name if isinstance(name, PolicyNet) else PolicyNet.load(name)
        self.needs_views = self.needs_views or self.net.advised
        self.temperature = float(temperature)
        self._states = np.zeros(0, np.uint64)
        self._latest: dict[
            int, tuple[np.ndarray, np.ndarray]
        ] = {}  # legal actions and logits, where few games are played

    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        room = int(games.max(initial=-1)) + 1
        if room > self._states.size:
            self._states = np.concatenate([self._states, np.zeros(room - self._states.size, np.uint64)])
        self._states[games] = seeds

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> np.ndarray:
        assert observations is not None
        self.check_width(observations.shape[1])
        advice = advised(games, masks, views) if self.net.advised else None
        parts = [slice(i, i + AT_ONCE) for i in range(0, len(games), AT_ONCE)]
        return np.concatenate([self._act(part, games, observations, masks, advice) for part in parts])

    def check_width(self, columns: int) -> None:
        """Refuses observations the network can't read."""
        if columns not in self.net.widths:
            raise PolicyError(f"{self.name}: trained on {self.net.inputs} numbers, this game shows {columns}")

    def _act(
        self, part: slice, games: np.ndarray, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None
    ) -> np.ndarray:
        games = games[part]
        heeded = None if advice is None else advice[part]
        legal, logits, _ = self.net.legal_logits(observations[part], masks[part], heeded)
        uniform, self._states[games] = uniforms(self._states[games])
        self._latest = {int(g): (legal[i], logits[i]) for i, g in enumerate(games)} if len(games) <= NOTED else {}
        places, _ = choose(legal, logits, uniform, self.temperature)
        return legal[np.arange(len(games)), places].astype(np.int64)

    def notes(self, game: int) -> dict[int, float] | None:
        """The network's probabilities."""
        if game not in self._latest:
            return None
        legal, logits = self._latest[game]
        count = int((legal >= 0).sum())
        weights = np.exp(logits[:count] - logits[:count].max())
        return {int(a): round(float(w), 4) for a, w in zip(legal[:count], weights / weights.sum())}
