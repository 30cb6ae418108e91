"""Ratings from paired games: Elo with error bars, payoff matrix, Nash averaging, α-Rank.

A pair is one deal played twice with the seats swapped. The two games share the luck of the deal, so every interval here
counts pairs, never games. Pure functions of a `Results` table; `docs/statistics.md` tells the methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special, stats  # type: ignore[import-untyped]

from ka_env.errors import nearest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ELO = 400 / np.log(10)  # Elo points per unit of log-odds
GAME_SCORES = (0.0, 0.5, 1.0)
PAIR_SCORES = (0.0, 0.5, 1.0, 1.5, 2.0)


def expected_score(elo: float) -> float:
    """Expected score of a player who is `elo` points stronger."""
    return float(special.expit(elo / ELO))


def elo_difference(score: float) -> float:
    """Elo difference at which `score` (0 to 1) is expected; infinite at 0 and 1."""
    return float(ELO * special.logit(score))


# ---------------------------------------------------------------------------------------------------------- results


@dataclass(frozen=True)
class Results:
    """Games in pairs, one row per game: agent `a` sat first, agent `b` second, `a` scored `score` (0, 0.5 or 1).

    The two rows with the same `pair` id are one deal with the seats swapped. Ids may come in any order, but each stands
    for one pair in the whole table; a game whose partner is missing is refused.
    """

    agents: Sequence[str]
    a: Ints
    b: Ints
    score: Floats
    pair: Ints

    def __post_init__(self) -> None:
        agents = tuple(self.agents)
        if len(set(agents)) != len(agents):
            raise ValueError(f"agents must have different names, not {', '.join(map(str, agents))}")
        columns = {name: np.asarray(getattr(self, name)) for name in ("a", "b", "score", "pair")}
        if any(column.ndim != 1 or len(column) != len(columns["a"]) for column in columns.values()):
            raise ValueError("a, b, score and pair must be one-dimensional and equally long")
        if not len(columns["a"]):
            raise ValueError("no games: results need at least one pair")
        for name in ("a", "b"):
            columns[name] = _agent_indices(columns[name], agents, name)
        columns["score"] = _scores(columns["score"], GAME_SCORES, "score of a game")
        if columns["pair"].dtype.kind not in "iu":
            raise ValueError("pair ids must be integers")
        order = _paired_order(columns["a"], columns["b"], columns["pair"])
        object.__setattr__(self, "agents", agents)
        for name, column in columns.items():
            object.__setattr__(self, name, column[order])

    @classmethod
    def from_pairs(
        cls, agents: Sequence[str], i: ArrayLike, j: ArrayLike, first: ArrayLike, second: ArrayLike
    ) -> Results:
        """One row per pair: agents i and j, the score of i when seated first, and when seated second."""
        rows = [np.asarray(column) for column in (i, j, first, second)]
        if any(row.ndim != 1 or len(row) != len(rows[0]) for row in rows):
            raise ValueError("i, j, first and second must be one-dimensional and equally long")
        one, two, one_first, one_second = rows
        ids = np.arange(len(one))
        return cls(
            agents,
            np.concatenate([one, two]),
            np.concatenate([two, one]),
            np.concatenate([one_first, 1 - one_second]),
            np.concatenate([ids, ids]),
        )

    def index(self, agent: str | int) -> int:
        """Index of an agent given by name or index."""
        if isinstance(agent, str):
            if agent not in self.agents:
                raise ValueError(f"unknown agent {agent!r}{nearest(agent, self.agents)}")
            return list(self.agents).index(agent)
        if not 0 <= agent < len(self.agents):
            raise ValueError(f"unknown agent index {agent}: expected 0 to {len(self.agents) - 1}")
        return int(agent)

    def by_pair(self) -> tuple[Ints, Ints, Floats, Floats]:
        """Per pair: agents i < j, score of i when seated first, score of i when seated second."""
        swap = self.a[0::2] > self.b[0::2]
        i, j = np.where(swap, self.b[0::2], self.a[0::2]), np.where(swap, self.a[0::2], self.b[0::2])
        first = np.where(swap, self.score[1::2], self.score[0::2])
        second = 1 - np.where(swap, self.score[0::2], self.score[1::2])
        return i, j, first, second

    def pair_scores(self, agent: str | int, opponent: str | int) -> Floats:
        """Score of `agent` in each pair against `opponent`: 0, 0.5, 1, 1.5 or 2."""
        i, j = self.index(agent), self.index(opponent)
        low, high, first, second = self.by_pair()
        scores = (first + second)[(low == min(i, j)) & (high == max(i, j))]
        return scores if i < j else 2 - scores


def pentanomial(pair_scores: ArrayLike) -> Ints:
    """How many pairs were scored 0, 0.5, 1, 1.5 and 2."""
    scores = _scores(pair_scores, PAIR_SCORES, "score of a pair")
    return np.bincount((2 * scores).astype(np.int64), minlength=5)


def _scores(values: ArrayLike, allowed: Sequence[float], what: str) -> Floats:
    scores = np.asarray(values, dtype=np.float64)
    bad = scores[~np.isin(scores, allowed)]
    if bad.size:
        raise ValueError(f"the {what} must be one of {', '.join(f'{x:g}' for x in allowed)}, not {bad[0]:g}")
    return scores


def _agent_indices(column: NDArray[Any], agents: Sequence[str], name: str) -> Ints:
    if column.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold integer indices of agents")
    unknown = column[(column < 0) | (column >= len(agents))]
    if unknown.size:
        raise ValueError(f"unknown agent index {unknown[0]} in {name}: there are {len(agents)} agents")
    return column.astype(np.int64)


def _paired_order(a: Ints, b: Ints, pair: Ints) -> Ints:
    """Order of the games in which the two games of a pair are neighbours."""
    if np.any(a == b):
        raise ValueError(f"game {int(np.argmax(a == b))} has the same agent in both seats")
    ids, counts = np.unique(pair, return_counts=True)
    if np.any(counts != 2):
        odd = int(np.argmax(counts != 2))
        raise ValueError(f"pair {ids[odd]} has {counts[odd]} games: a pair is one deal played in both seatings")
    order = np.argsort(pair, kind="stable")
    one, two = order[0::2], order[1::2]
    wrong = (a[one] != b[two]) | (b[one] != a[two])
    if np.any(wrong):
        raise ValueError(f"pair {pair[one][wrong][0]} is not the same two agents with seats swapped")
    return order


# ------------------------------------------------------------------------------------------------------- win rates


class Winrate(NamedTuple):
    """Mean score per game with its interval."""

    rate: float
    low: float
    high: float
    pairs: int


def winrate_interval(pair_scores: ArrayLike, level: float = 0.95) -> Winrate:
    """Mean score per game from pair scores, with a Wilson interval on the effective number of pairs.

    The variance of the five outcomes, with half a won and half a lost pair added, says how many coin flips the pairs
    are worth; Wilson's formula with a t quantile does the rest. So the interval never leaves 0 to 1, and five pairs out
    of five don't prove a perfect player.
    """
    scores = _scores(np.atleast_1d(np.asarray(pair_scores, dtype=np.float64)), PAIR_SCORES, "score of a pair") / 2
    _check_level(level)
    n = len(scores)
    if n == 0:
        raise ValueError("no pairs: a win rate needs at least one")
    rate = float(scores.mean())
    padded = (scores.sum() + 0.5) / (n + 1)
    variance = (((scores - padded) ** 2).sum() + ((1 - padded) ** 2 + padded**2) / 2) / (n + 1)
    worth = n * padded * (1 - padded) / variance
    t2 = float(stats.t.ppf((1 + level) / 2, n)) ** 2
    centre = (rate + t2 / (2 * worth)) / (1 + t2 / worth)
    half = np.sqrt(t2 * (rate * (1 - rate) / worth + t2 / (4 * worth**2))) / (1 + t2 / worth)
    return Winrate(rate, float(max(0.0, centre - half)), float(min(1.0, centre + half)), n)


@dataclass(frozen=True)
class Payoff:
    """Win rates by row agent against column agent, with intervals; NaN where two agents never met."""

    agents: Sequence[str]
    rate: Floats
    low: Floats
    high: Floats
    pairs: Ints

    def cell(self, one: int, two: int) -> Winrate:
        """One agent against another."""
        low, high = float(self.low[one, two]), float(self.high[one, two])
        return Winrate(float(self.rate[one, two]), low, high, int(self.pairs[one, two]))


def payoff_matrix(results: Results, level: float = 0.95) -> Payoff:
    """Win rate of every agent against every other, from their pairs. The diagonal is 0.5."""
    n = len(results.agents)
    rate, low, high = (np.full((n, n), np.nan) for _ in range(3))
    pairs = np.zeros((n, n), dtype=np.int64)
    one, two, first, second = results.by_pair()
    for i, j in np.unique(np.stack([one, two], axis=1), axis=0):
        cell = winrate_interval((first + second)[(one == i) & (two == j)], level)
        rate[i, j], low[i, j], high[i, j] = cell.rate, cell.low, cell.high
        rate[j, i], low[j, i], high[j, i] = 1 - cell.rate, 1 - cell.high, 1 - cell.low
        pairs[i, j] = pairs[j, i] = cell.pairs
    for matrix in (rate, low, high):
        np.fill_diagonal(matrix, 0.5)
    return Payoff(results.agents, rate, low, high, pairs)


class SeatWinrates(NamedTuple):
    """How often the first player wins, and each agent's win rate in either seat (None for agents without games)."""

    first: Winrate
    as_first: list[Winrate | None]
    as_second: list[Winrate | None]


def seat_winrates(results: Results, level: float = 0.95) -> SeatWinrates:
    """Win rates by seat. An agent sits once in each seat of a pair, so its rows are independent games."""
    overall = winrate_interval(results.score[0::2] + results.score[1::2], level)

    def of_games(scores: Floats) -> Winrate | None:
        return winrate_interval(2 * scores, level) if len(scores) else None

    agents = range(len(results.agents))
    as_first = [of_games(results.score[results.a == agent]) for agent in agents]
    as_second = [of_games(1 - results.score[results.b == agent]) for agent in agents]
    return SeatWinrates(overall, as_first, as_second)


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")


# -------------------------------------------------------------------------------------------------------------- Elo


@dataclass(frozen=True)
class Ratings:
    """Elo ratings with the covariance of their errors. All Elo, all intervals at `level`."""

    agents: Sequence[str]
    elo: Floats
    covariance: Floats  # of `elo`, so relative to the mean or to the anchor
    first_advantage: float
    first_advantage_se: float
    pairs: int
    level: float

    @property
    def half_width(self) -> Floats:
        """Half the interval of each rating: `elo ± half_width`."""
        return self._quantile() * np.sqrt(np.diag(self.covariance).clip(min=0))

    @property
    def first_advantage_half_width(self) -> float:
        return self._quantile() * self.first_advantage_se

    def differences(self) -> tuple[Floats, Floats]:
        """Rating of row agent minus column agent, and half the interval of that difference."""
        return self.elo[:, None] - self.elo[None, :], self._quantile() * self._difference_se()

    def los(self) -> Floats:
        """Likelihood of superiority: how likely it is that the row agent is stronger than the column agent."""
        difference, se = self.elo[:, None] - self.elo[None, :], self._difference_se()
        ratio = np.divide(difference, se, out=np.zeros_like(se), where=se > 0)
        return stats.t.cdf(ratio, self.pairs)

    def table(self) -> str:
        """Agents from strong to weak, one line each, then the first player's advantage."""
        width = max(len(name) for name in (*self.agents, "first player"))
        half = self.half_width
        lines = [f"{self.agents[k]:<{width}} {self.elo[k]:+7.1f} ± {half[k]:.1f}" for k in np.argsort(-self.elo)]
        lines.append(f"{'first player':<{width}} {self.first_advantage:+7.1f} ± {self.first_advantage_half_width:.1f}")
        return "\n".join(lines)

    def _quantile(self) -> float:
        return float(stats.t.ppf((1 + self.level) / 2, self.pairs))

    def _difference_se(self) -> Floats:
        variance = np.diag(self.covariance)
        return np.sqrt((variance[:, None] + variance[None, :] - 2 * self.covariance).clip(min=0))


def elo_ratings(
    results: Results,
    anchor: tuple[str | int, float] | None = None,
    prior: float = 1.0,
    level: float = 0.95,
) -> Ratings:
    """Bradley–Terry ratings with a first-player advantage, by maximum likelihood; errors clustered by pair.

    A draw counts as half a win. The mean rating is 0, or `anchor` = (agent, Elo) is held fixed. `prior` is the number
    of virtual games, half won and half lost, that every agent has played against an average opponent, and the two seats
    against each other: it keeps unbeaten agents finite and the ratings of agents who never met uncertain.
    """
    _check_level(level)
    if not (np.isfinite(prior) and prior > 0):
        raise ValueError(f"prior must be a positive number of virtual games, not {prior}")
    shift = _centring(results, anchor)  # before any work: names the unknown anchor
    theta, bread = _fit(results, prior)
    inverse = np.linalg.inv(bread)
    covariance = ELO**2 * inverse @ _meat(results, theta, prior) @ inverse
    elo = shift @ theta[:-1] * ELO + (anchor[1] if anchor else 0.0)
    return Ratings(
        agents=results.agents,
        elo=elo,
        covariance=shift @ covariance[:-1, :-1] @ shift.T,
        first_advantage=float(theta[-1] * ELO),
        first_advantage_se=float(np.sqrt(covariance[-1, -1])),
        pairs=len(results.score) // 2,
        level=level,
    )


def _centring(results: Results, anchor: tuple[str | int, float] | None) -> Floats:
    """Matrix that takes the mean, or the anchor's rating, off every rating."""
    n = len(results.agents)
    if anchor is None:
        return np.eye(n) - 1 / n
    if not np.isfinite(anchor[1]):
        raise ValueError(f"the anchor's rating must be finite, not {anchor[1]}")
    shift = np.eye(n)
    shift[:, results.index(anchor[0])] -= 1
    return shift


def _win_probabilities(theta: Floats) -> Floats:
    """P(row agent, seated first, beats column agent)."""
    return special.expit(theta[:-1, None] - theta[None, :-1] + theta[-1])


def _fit(results: Results, prior: float) -> tuple[Floats, Floats]:
    """Log-odds ratings with the first-seat advantage at the end, and minus the Hessian there. Newton, damped."""
    n = len(results.agents)
    cell = results.a * n + results.b
    games = np.bincount(cell, minlength=n * n).reshape(n, n)
    points = np.bincount(cell, weights=results.score, minlength=n * n).reshape(n, n)
    theta = np.zeros(n + 1)
    for _ in range(200):
        p = _win_probabilities(theta)
        virtual = special.expit(theta)
        surplus, weight = points - games * p, games * p * (1 - p)
        gradient = prior * (0.5 - virtual)
        gradient[:-1] += surplus.sum(axis=1) - surplus.sum(axis=0)
        gradient[-1] += surplus.sum()
        hessian = np.diag(prior * virtual * (1 - virtual))
        hessian[:-1, :-1] += np.diag(weight.sum(axis=1) + weight.sum(axis=0)) - weight - weight.T
        hessian[:-1, -1] = hessian[-1, :-1] = weight.sum(axis=1) - weight.sum(axis=0)
        hessian[-1, -1] += weight.sum()
        step = np.linalg.solve(hessian, gradient)
        if np.abs(step).max() < 1e-10:
            return theta, hessian
        theta = theta + step * min(1.0, 1.0 / np.abs(step).max())  # far from the top, Newton jumps too far
    raise ArithmeticError("the ratings did not converge")


def _meat(results: Results, theta: Floats, prior: float) -> Floats:
    """Sum over pairs of the outer product of each pair's score vector; virtual games count as games."""
    n = len(results.agents)
    p = _win_probabilities(theta)
    i, j, first, second = results.by_pair()
    one, two = first - p[i, j], (1 - second) - p[j, i]  # surprise of the first seat in either game
    gain, seat = one - two, one + two  # what the pair says about i against j, and about the seats
    cell = i * n + j

    def by_pairing(values: Floats) -> Floats:
        return np.bincount(cell, weights=values, minlength=n * n).reshape(n, n).astype(np.float64)

    square, cross = by_pairing(gain * gain), by_pairing(gain * seat)
    meat = np.empty((n + 1, n + 1))
    meat[:-1, :-1] = np.diag(square.sum(axis=1) + square.sum(axis=0)) - square - square.T
    meat[:-1, -1] = meat[-1, :-1] = cross.sum(axis=1) - cross.sum(axis=0)
    meat[-1, -1] = (seat * seat).sum()
    virtual = special.expit(theta)
    pairs = len(i)
    meat *= (pairs + n + 1) / (pairs + 1)  # n fitted parameters leave the residuals too small
    return meat + np.diag(prior * ((1 - virtual) ** 2 + virtual**2) / 2)


# -------------------------------------------------------------------------------------------------------- meta game


class NashAverage(NamedTuple):
    """The maximum-entropy equilibrium of "choose an agent", and each agent's win rate against it (at most 0.5)."""

    mix: Floats
    winrate: Floats


def nash_average(rate: ArrayLike) -> NashAverage:
    """Nash averaging of a win-rate matrix: the one equilibrium that spreads as evenly as equilibria can.

    A linear program per agent finds the equilibrium that uses it most. If they all agree, that is the only one;
    otherwise the entropy is maximised over the agents that appear in any. Copies of an agent share its weight, agents
    that are always worse get none.
    """
    payoff = _win_rates(rate) - 0.5
    corners = np.array([_equilibrium_favouring(agent, payoff) for agent in range(len(payoff))])
    mix = corners.mean(axis=0)
    if np.abs(corners - mix).max() > 1e-7:
        mix = _most_even_equilibrium(payoff, mix > 1e-7)
    return NashAverage(mix, payoff @ mix + 0.5)


def _equilibrium_favouring(agent: int, payoff: Floats) -> Floats:
    """The equilibrium with the most weight on one agent. Equilibria are the mixes against which no agent gains."""
    n = len(payoff)
    weights_sum = np.ones((1, n))
    found = optimize.linprog(-np.eye(n)[agent], payoff, np.zeros(n), weights_sum, [1.0], bounds=(0, 1))
    if not found.success:
        raise ArithmeticError(f"no equilibrium found: {found.message}")
    mix = np.where(found.x > 1e-9, found.x, 0.0)
    return mix / mix.sum()


def _most_even_equilibrium(payoff: Floats, support: NDArray[np.bool_]) -> Floats:
    """Maximum entropy under `payoff @ mix <= 0`, through the dual: one multiplier per agent, none negative."""
    inner = payoff[:, support] / np.abs(payoff).max() if payoff.any() else payoff

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        logits = -multipliers @ inner
        return float(special.logsumexp(logits)), -inner @ special.softmax(logits)

    limits = [(0, None)] * len(payoff)
    options = {"maxiter": 10_000, "maxfun": 50_000, "ftol": 1e-15, "gtol": 1e-9}
    best = optimize.minimize(dual, np.zeros(len(payoff)), jac=True, bounds=limits, method="L-BFGS-B", options=options)
    mix = np.zeros(len(payoff))
    mix[support] = special.softmax(-best.x @ inner)
    return mix


def alpha_rank(rate: ArrayLike, alpha: float = 100.0, population: int = 50) -> Floats:
    """α-Rank: how often a population that always follows a stronger mutant plays each agent, in the long run.

    One population, pairwise constant-sum payoffs. `alpha` is the pressure of selection; large values ask only who beats
    whom, small ones also by how much.
    """
    payoff = _win_rates(rate) - 0.5
    if not (np.isfinite(alpha) and alpha > 0) or population < 2:
        raise ValueError(f"alpha must be positive and population at least 2, not {alpha} and {population}")
    n = len(payoff)
    if n == 1:
        return np.ones(1)
    takeover = _fixation(alpha * population / (population - 1) * payoff.T, population)  # [resident, mutant]
    np.fill_diagonal(takeover, 0)
    flow = takeover / (n - 1)
    # Stationarity: inflow = outflow for all agents but one, whose equation follows from the others; weights sum to 1.
    system = (flow - np.diag(flow.sum(axis=1))).T
    system[-1] = 1
    weights = np.linalg.solve(system, np.eye(n)[-1]).clip(min=0)
    return weights / weights.sum()


def _fixation(gain: Floats, population: int) -> Floats:
    """Chance that one mutant with this advantage takes over: (1 - exp(-gain)) / (1 - exp(-population gain))."""
    size = np.abs(gain)
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = np.expm1(-size) / np.expm1(-population * size)
    chance = np.where(gain < 0, np.exp(-(population - 1) * size) * chance, chance)
    return np.where(size < 1e-14, 1 / population, chance)


def _win_rates(rate: ArrayLike) -> Floats:
    """A checked win-rate matrix."""
    matrix = np.asarray(rate, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(f"the win rates must be a square matrix, not of shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise ValueError(f"no win rate of agent {i} against agent {j}: every two agents must have met")
    if matrix.min() < 0 or matrix.max() > 1 or not np.allclose(matrix + matrix.T, 1, atol=1e-9):
        raise ValueError("win rates must lie between 0 and 1, and those of two agents must sum to 1")
    return matrix
