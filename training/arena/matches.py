"""Bouts of matches: the result of a match counts, and agents also decide what lies between its games."""

from __future__ import annotations

import numpy as np

from ka_env.agents import Agent
from ka_env.match_batch import MatchBatch
from ka_env.training.arena.plan import Unit
from ka_env.training.arena.play import Bout, as_actions
from ka_env.training.arena.seeds import streams


class MatchBout(Bout):
    """Pairs of matches played side by side: one split or series of deals, seats swapped."""

    engine: MatchBatch

    def __init__(self, unit: Unit, agents: list[Agent], first: int, count: int) -> None:
        super().__init__(unit, agents, first, count)
        self.turns = self.engine.begun.astype(np.int64)
        self.most *= self.engine.matches[0].most_games

    def _round(self) -> None:
        super()._round()
        begun = np.flatnonzero(self.live & self.engine.begun)
        if begun.size:
            for number in (0, 1):
                self._begin(number, begun)

    def _begin_seeds(self, what: str) -> np.ndarray:
        """Every game of a match has seeds of its own, and so has what is decided before the first."""
        numbers = np.array([match.number for match in self.engine.matches]) - self.engine.waits
        return streams(super()._begin_seeds(what), numbers)

    def _turns_passed(self, before: np.ndarray) -> np.ndarray:
        return self.engine.begun | super()._turns_passed(before)

    def _ask(self, agent: Agent, games: np.ndarray) -> np.ndarray:
        waits = self.engine.waits[games]
        actions = np.zeros(len(games), np.int64)
        if not waits.all():
            actions[~waits] = super()._ask(agent, games[~waits])
        if waits.any():
            which = games[waits]
            seen, masks = self.engine.observe_matches(which), self.engine.action_mask[which]
            actions[waits] = as_actions(agent.between(which, seen, masks, self._decision_seeds(which)), which)
        return actions
