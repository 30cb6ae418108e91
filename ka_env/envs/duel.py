"""A learner against opponents in many games at once: the core of the Gymnasium and SB3 environments.

The learner sees only its own decisions; between them the opponents play. When a game ends its slot is dealt anew in
the same step. An opponent is any agent; with a pool of them each game draws one. The deals, the seats and what
opponents are given come from three generators, none of which tells anything of the others: without a seed each is
drawn for itself, with one each is a hash of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.agents import Agent, ask, make_agent
from ka_env.engine.batch import BatchEngine
from ka_env.engine.loops import SKIP
from ka_env.luck import fresh_seed, separate_rng

SEATS = {"first": 0, "second": 1, 0: 0, 1: 1, "random": -1, None: -1}


def seat_number(seat: int | str | None) -> int:
    """0, 1, or -1 for a random seat in each game."""
    if seat not in SEATS:
        raise ValueError(f"unknown seat {seat!r}: expected 0, 1 or 'random'")
    return SEATS[seat]


class Duels:
    """N games of a learner against opponents."""

    def __init__(
        self,
        num_games: int,
        opponent: str | Agent | Sequence[str | Agent] = "random",
        weights: Sequence[float] | None = None,
        seat: int | str | None = "random",
        seed: int | None = 0,
        **engine_options: Any,
    ) -> None:
        self.engine = BatchEngine(num_games=num_games, **engine_options)
        self._seat = seat_number(seat)
        self.seats = np.zeros(num_games, np.int8)
        self._opponent_of = np.zeros(num_games, np.int64)
        self._opponents: list[Agent] = []
        self.lengths = np.zeros(num_games, np.int64)  # learner decisions so far
        self._actions = np.full(num_games, SKIP, np.int64)
        self.set_opponents(opponent, weights)
        self.rng = self.luck = np.random.default_rng(0)
        self.reset(fresh_seed() if seed is None else seed, secret=seed is None)

    # ---- opponents

    def set_opponents(
        self, opponent: str | Agent | Sequence[str | Agent], weights: Sequence[float] | None = None
    ) -> None:
        """Who plays in games that begin from now on; games under way keep their opponent."""
        pool = [opponent] if isinstance(opponent, str | Agent) else list(opponent)
        if not pool:
            raise ValueError("the pool of opponents is empty")
        chances = np.ones(len(pool)) if weights is None else np.asarray(weights, float)
        if chances.shape != (len(pool),) or not np.isfinite(chances).all() or chances.min() < 0 or chances.sum() <= 0:
            raise ValueError(f"weights must be {len(pool)} numbers, none negative and not all 0; got {weights!r}")
        kept: list[Agent] = []
        if self._opponents:
            still, self._opponent_of = np.unique(self._opponent_of, return_inverse=True)
            kept = [self._opponents[i] for i in still]
        self._first_in_pool = len(kept)
        self._opponents = kept + [make_agent(spec) for spec in pool]
        self._chances = chances / chances.sum()

    @property
    def opponents(self) -> list[Agent]:
        """The current pool."""
        return self._opponents[self._first_in_pool :]

    # ---- playing

    def reset(self, seed: int | None = None, secret: bool = False) -> None:
        """Deal all games; seats and opponents are drawn anew. A secret seed is for the deals alone."""
        if seed is not None:
            self.rng = separate_rng(None if secret else seed, "seats")  # seats and choice of opponents
            self.luck = separate_rng(None if secret else seed, "opponents")  # what opponents are given
        self.engine.reset(seed)
        self._begin(np.arange(self.engine.num_games))
        self._play_opponents()

    def _begin(self, games: np.ndarray) -> None:
        """Seats, opponents and seeds of new games."""
        n = len(games)
        self.seats[games] = self.rng.integers(2, size=n) if self._seat < 0 else self._seat
        drawn = self.rng.choice(len(self._chances), size=n, p=self._chances) if len(self._chances) > 1 else 0
        self._opponent_of[games] = self._first_in_pool + drawn
        self.lengths[games] = 0
        self.begin_opponents(games, self._seeds(n))

    def begin_opponents(self, games: np.ndarray, seeds: np.ndarray) -> None:
        """Tell the opponents of some games that these begin, or go on with new random numbers."""
        for i in np.unique(self._opponent_of[games]):
            mine = self._opponent_of[games] == i
            self._opponents[i].begin(games[mine], 1 - self.seats[games[mine]], seeds[mine])

    def opponent_of_each(self) -> list[Agent]:
        """Who plays in each game."""
        return [self._opponents[i] for i in self._opponent_of]

    def put_opponents(self, agents: Sequence[Agent], which: np.ndarray) -> None:
        """Games under way go on with these agents: game i with agents[which[i]]."""
        self._opponents, self._opponent_of = list(agents), which

    def _seeds(self, n: int) -> np.ndarray:
        return self.luck.integers(2**64, size=n, dtype=np.uint64)

    def chances(self) -> list[dict[str, Any]]:
        """Where the generators of seats and of opponents are; `restore_chances` takes it back."""
        return [dict(rng.bit_generator.state) for rng in (self.rng, self.luck)]

    def restore_chances(self, states: Sequence[dict[str, Any]]) -> None:
        self.rng.bit_generator.state, self.luck.bit_generator.state = states

    def step(self, actions: np.ndarray) -> np.ndarray:
        """The learner's actions; then the opponents play until the learner is to decide, or the game is over.

        Returns which games are over. Call `deal_finished` before the next step.
        """
        self._refuse_skips(np.arange(self.engine.num_games), actions)
        self.engine.step(actions)
        self.lengths += 1
        self._play_opponents()
        return self.engine.done

    def forfeit(self, games: np.ndarray) -> None:
        """Leave these games: nothing is legal in them any more, and `deal_finished` deals them anew."""
        self.engine.done[games] = True
        self.engine.action_mask[games] = False

    def deal_finished(self) -> None:
        """Deal the games that are over; one that ends before the learner has a say is dealt again."""
        while np.count_nonzero(self.engine.done):  # faster than any()
            finished = np.flatnonzero(self.engine.done)
            self.engine.reset_done()
            self._begin(finished)
            self._play_opponents()

    def _play_opponents(self) -> None:
        engine = self.engine
        while True:
            waiting = np.flatnonzero((engine.to_play != self.seats) & ~engine.done)
            if waiting.size == 0:
                return
            self._actions[:] = SKIP
            if len(self._opponents) == 1:
                self._actions[waiting] = self._ask(self._opponents[0], waiting)
            else:
                for i in np.unique(self._opponent_of[waiting]):
                    games = waiting[self._opponent_of[waiting] == i]
                    self._actions[games] = self._ask(self._opponents[i], games)
            engine.step(self._actions)

    def _ask(self, agent: Agent, games: np.ndarray) -> np.ndarray:
        actions = ask(agent, self.engine, games, self._seeds)
        self._refuse_skips(games, actions)
        return actions

    def _refuse_skips(self, games: np.ndarray, actions: np.ndarray) -> None:
        """The engine takes -1 for a game that is left alone; a player may not."""
        if len(actions) and actions.min() < 0:
            i = int(np.argmin(actions))
            raise self.engine.illegal(int(games[i]), int(actions[i]))

    # ---- what the learner sees

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """From the learner's seat, in games that run and in games that are over."""
        return self.engine.observe(out, self.seats)

    def rewards(self) -> np.ndarray:
        """1, -1 or 0 for the learner, as the games stand."""
        return self.engine.rewards[np.arange(self.engine.num_games), self.seats]

    @property
    def action_mask(self) -> np.ndarray:
        return self.engine.action_mask
