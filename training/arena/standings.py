"""What the games of a store say: ratings, win rates, payoffs, by rules and over all of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from ka_env.training.arena.faults import FORFEITS, ArenaError
from ka_env.training.arena.store import Store
from ka_env.training.arena.verify import check_rows
from ka_env.training.ratings import (
    NashAverage,
    Payoff,
    Ratings,
    Results,
    SeatWinrates,
    Winrate,
    alpha_rank,
    elo_ratings,
    nash_average,
    payoff_matrix,
    pentanomial,
    seat_winrates,
    winrate_interval,
)


class Pairing(NamedTuple):
    """Two agents who met: how many pairs gave the first 0, 0.5, 1, 1.5 and 2 points, and its win rate."""

    agent: str
    opponent: str
    counts: list[int]
    rate: Winrate

    def numbers(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "opponent": self.opponent,
            "pairs": self.counts,
            "win_rate": _figures(self.rate),
        }


def _figures(rate: Winrate | None) -> list[float] | None:
    """Rate, low and high."""
    return None if rate is None else [round(x, 4) for x in rate[:3]]


@dataclass(frozen=True)
class Standings:
    """Everything indexed by agent is in the order of `agents`; `order` lists them from strong to weak."""

    label: str
    rules: int | None  # number of the rules; None: all together
    match: str | None  # every game is a match of this name
    agents: tuple[str, ...]
    ratings: Ratings
    payoff: Payoff
    pairings: list[Pairing]  # the stronger agent first
    seats: SeatWinrates
    winrates: list[Winrate | None]
    nash: NashAverage | None  # None unless every two agents have met
    alpha: np.ndarray | None
    games: list[int]
    forfeits: list[int]
    draws: int
    total: int

    @property
    def order(self) -> list[int]:
        return [int(k) for k in np.argsort(-self.ratings.elo, kind="stable")]

    def los_over_next(self) -> list[float | None]:
        """How likely each agent is stronger than the next one in `order`; in the order of `agents`."""
        los, order = self.ratings.los(), self.order
        found: list[float | None] = [None] * len(order)
        for one, two in pairwise(order):
            found[one] = float(los[one, two])
        return found

    def numbers(self) -> dict[str, Any]:
        """The main figures, for JSON. Every rate is [rate, low, high]; null where there are no games."""
        return {
            "rules": self.label,
            "match": self.match,
            "agents": list(self.agents),
            "elo": [round(float(x), 1) for x in self.ratings.elo],
            "elo_half_width": [round(float(x), 1) for x in self.ratings.half_width],
            "win_rate": [_figures(rate) for rate in self.winrates],
            "as_first": [_figures(rate) for rate in self.seats.as_first],
            "as_second": [_figures(rate) for rate in self.seats.as_second],
            "pairings": [pairing.numbers() for pairing in self.pairings],
            "games": self.games,
            "forfeits": self.forfeits,
            "draws": self.draws,
            "total": self.total,
            "first_player_win_rate": _figures(self.seats.first),
        }


def all_standings(store: Store) -> list[Standings]:
    """By rules, then all together if there are several."""
    numbers = [number for (number,) in store.query("SELECT DISTINCT rules FROM games ORDER BY rules")]
    if not numbers:
        raise ArenaError(f"{store.path}: no games yet")
    check_rows(store, store.rows())
    found = [standings(store, number) for number in numbers]
    return found if len(found) == 1 else [*found, standings(store, None)]


def standings(store: Store, rules: int | None) -> Standings:
    on, a, b, score, pair, reason = store.columns("rules", "first", "second", "score", "pair", "reason", rules=rules)
    agents = store.plan.agents
    deals = np.stack([on, np.minimum(a, b), np.maximum(a, b), pair], axis=1)
    results = Results(agents, a, b, score, np.unique(deals, axis=0, return_inverse=True)[1].reshape(-1))
    payoff = payoff_matrix(results)
    met = not np.isnan(payoff.rate).any()
    count = len(agents)
    ratings = elo_ratings(results)
    at_fault = np.where(score == 0, a, b)[np.isin(reason, FORFEITS)]
    return Standings(
        label="all rules" if rules is None else store.plan.label(rules),
        rules=rules,
        match=store.plan.match,
        agents=agents,
        ratings=ratings,
        payoff=payoff,
        pairings=_pairings(results, payoff, np.argsort(-ratings.elo, kind="stable")),
        seats=seat_winrates(results),
        winrates=[_winrate(results, k) for k in range(count)],
        nash=nash_average(payoff.rate) if met else None,
        alpha=alpha_rank(payoff.rate) if met else None,
        games=(np.bincount(a, minlength=count) + np.bincount(b, minlength=count)).tolist(),
        forfeits=np.bincount(at_fault, minlength=count).tolist(),
        draws=int((score == 0.5).sum()),
        total=len(score),
    )


def _pairings(results: Results, payoff: Payoff, order: np.ndarray) -> list[Pairing]:
    found = []
    for one, two in combinations(map(int, order), 2):
        if payoff.pairs[one, two]:
            scores = results.pair_scores(one, two)
            found.append(
                Pairing(results.agents[one], results.agents[two], pentanomial(scores).tolist(), payoff.cell(one, two))
            )
    return found


def _winrate(results: Results, agent: int) -> Winrate | None:
    """Against everybody it met."""
    i, j, first, second = results.by_pair()
    scores = np.concatenate([(first + second)[i == agent], 2 - (first + second)[j == agent]])
    return winrate_interval(scores) if len(scores) else None
