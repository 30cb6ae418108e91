"""Many matches side by side: the names of a `BatchEngine` that the arena and `ask` use.

`games` holds the game under way of each match, or its last one. In a match that `waits` no game is under way: players
decide something between two games, such as a deck.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ka_env.engine.loops import SKIP
from ka_env.engine.view import PlayerViews
from ka_env.errors import IllegalMove
from ka_env.games import KaGame, Setup, copy_records
from ka_env.match import Match, new_match


class MatchBatch:
    """Matches that are played side by side, one for each seed."""

    def __init__(self, name: str, setup: Setup, seeds: Sequence[int]) -> None:
        self.setup = setup
        self.matches: list[Match] = [new_match(name, setup, int(seed)) for seed in seeds]
        count = self.num_games = len(self.matches)
        self.num_actions = self.about.num_actions
        self.games = self.about.blank(count)
        self.games["ruleset"] = self.about.ruleset_index(setup.ruleset)
        self.to_play = np.full(count, -1, np.int8)
        self.action_mask = np.zeros((count, self.num_actions), bool)
        self.done = np.zeros(count, bool)
        self.rewards = np.zeros((count, 2), np.float32)
        self.waits = np.zeros(count, bool)
        self.begun = np.zeros(count, bool)  # a game has begun with the last step
        self._numbers = np.zeros(count, np.int64)  # of the game that has begun last
        for i in range(count):
            self._publish(i)

    @property
    def about(self) -> KaGame:
        return self.setup.game

    # ---- playing

    def step(self, actions: np.ndarray) -> None:
        """Play one action id in every match; one that is over, or whose action is SKIP, stays as it is."""
        self.begun[:] = False
        for i in np.flatnonzero((np.asarray(actions) != SKIP) & ~self.done):
            self.matches[i].step(int(actions[i]))
            self._publish(int(i))

    def _publish(self, i: int) -> None:
        match = self.matches[i]
        self.to_play[i] = -1 if match.player is None else match.player
        self.action_mask[i] = match.action_mask()
        self.done[i] = match.over
        first = (match.result or (0.5, 0.5))[0]
        self.rewards[i] = 2 * first - 1, 1 - 2 * first
        self.waits[i] = match.game is None and not match.over
        if match.game is not None:
            record = match.game.records()
            raw = np.dtype(f"V{record.dtype.itemsize}")
            self.games.view(raw)[i : i + 1] = record.view(raw)
            self.begun[i] = match.number > self._numbers[i]
            self._numbers[i] = match.number

    def illegal(self, i: int, action: int) -> IllegalMove:
        match = self.matches[i]
        return IllegalMove(
            f"match {i}, action {action}: player {match.player} is at {match.decision!r} and may choose "
            f"{' '.join(match.legal())}"
        )

    # ---- what players see

    def observe_some(self, which: np.ndarray) -> np.ndarray:
        """What the deciders of some matches see of the games under way."""
        out = np.empty((len(which), self.about.observation_size(self.setup.ruleset)), np.float32)
        self.about.kernels.observe_games(copy_records(self.games, which), 1, self.to_play[which], out)
        return out

    def observe_matches(self, which: np.ndarray) -> np.ndarray:
        """The same with how the matches stand: see `Match.observation`."""
        return np.array([self.matches[i].observation(int(self.to_play[i])) for i in which], np.float32)

    def views(self, which: np.ndarray, seeds: np.ndarray) -> PlayerViews:
        return PlayerViews(copy_records(self.games, which), self.to_play[which], seeds, self.about, self.setup.frame)

    def margins(self) -> list[float]:
        """By how many games the winners lead."""
        return [float(abs(match.wins[0] - match.wins[1])) for match in self.matches]
