"""Sequential test of "is A stronger than B by elo1 rather than elo0?", on the five outcomes of a pair.

The generalised SPRT of chess engine testing: the log-likelihood ratio (LLR) compares the best-fitting distribution of
pair scores under either hypothesis, so draws and the luck shared by the two games of a pair need no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log, sqrt
from typing import Literal

from scipy import optimize  # type: ignore[import-untyped]

from ka_env.training.ratings import ELO, PAIR_SCORES, elo_difference, expected_score

Model = Literal["logistic", "normalized"]
Decision = Literal["H0", "H1"]

SCORES = tuple(score / 2 for score in PAIR_SCORES)  # per game
EMPTY = 1e-3  # count that stands for an outcome not seen yet: possible, but no evidence


def normalized_elo(counts: Sequence[float]) -> float:
    """Score above one half in units of one game's noise, scaled to look like Elo: what decides a test's length."""
    if not sum(_checked(counts)):
        raise ValueError("no pairs: normalized Elo needs at least one")
    _, share = _shares(counts)
    mean, sigma = _mean_sigma(share)
    return 2 * ELO * (mean - 0.5) / (sqrt(2) * sigma)


def pentanomial_llr(counts: Sequence[float], elo0: float, elo1: float, model: Model = "logistic") -> float:
    """LLR of elo1 against elo0, given how many pairs were scored 0, 0.5, 1, 1.5 and 2."""
    _check_model(model)
    if not sum(_checked(counts)):
        return 0.0
    total, share = _shares(counts)
    if model == "logistic":
        p0, p1 = (_fit_mean(share, expected_score(elo)) for elo in (elo0, elo1))
    else:
        p0, p1 = (_fit_ratio(share, sqrt(2) * elo / (2 * ELO)) for elo in (elo0, elo1))
    return total * sum(s * log(b / a) for s, a, b in zip(share, p0, p1))


class Sprt:
    """A running test. Feed it pair scores of A against B until `decision` is no longer None.

    "H1" says that A is stronger by elo1 or more, "H0" that it is not stronger than elo0. If elo0 is true, "H1" comes up
    with probability of about `alpha`; if elo1 is true, "H0" with about `beta`. The first decision stays: pairs that
    come in late are counted but change nothing.
    """

    def __init__(
        self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05, model: Model = "logistic"
    ) -> None:
        if not (isfinite(elo0) and isfinite(elo1) and elo0 < elo1):
            raise ValueError(f"elo0 must be less than elo1, not {elo0} and {elo1}")
        if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
            raise ValueError(f"alpha and beta must be positive with a sum below 1, not {alpha} and {beta}")
        _check_model(model)
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.model: Model = model
        self.bounds = (log(beta / (1 - alpha)), log((1 - beta) / alpha))
        self.counts = [0, 0, 0, 0, 0]
        self.llr = 0.0
        self.decision: Decision | None = None

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    def add(self, pair_score: float) -> Decision | None:
        """Count one pair, scored 0, 0.5, 1, 1.5 or 2 by A; returns the decision so far."""
        if pair_score not in PAIR_SCORES:
            raise ValueError(f"the score of a pair must be one of 0, 0.5, 1, 1.5, 2, not {pair_score}")
        counts = [0, 0, 0, 0, 0]
        counts[int(2 * pair_score)] = 1
        return self.update(counts)

    def update(self, counts: Sequence[int]) -> Decision | None:
        """Count further pairs, given how many were scored 0, 0.5, 1, 1.5 and 2; returns the decision so far."""
        if any(count != int(count) for count in _checked(counts)):
            raise ValueError(f"counts must be whole numbers of pairs, not {list(counts)}")
        self.counts = [old + int(new) for old, new in zip(self.counts, counts)]
        self.llr = pentanomial_llr(self.counts, self.elo0, self.elo1, self.model)
        if self.decision is None and self.llr <= self.bounds[0]:
            self.decision = "H0"
        elif self.decision is None and self.llr >= self.bounds[1]:
            self.decision = "H1"
        return self.decision

    def summary(self) -> str:
        """Hypotheses, evidence and decision in three lines."""
        low, high = self.bounds
        unit = "Elo" if self.model == "logistic" else "normalized Elo"
        if self.pairs:
            mean, _ = _mean_sigma([count / self.pairs for count in self.counts])
            score = f"score {100 * mean:.1f} % ({elo_difference(mean):+.1f} Elo)"
        else:
            score = "no score yet"
        return (
            f"SPRT [{self.elo0:g}, {self.elo1:g}] {unit}, alpha {self.alpha:g}, beta {self.beta:g}\n"
            f"{self.pairs} pairs {self.counts}: {score}\n"
            f"LLR {self.llr:.2f} ({low:.2f}, {high:.2f}): {self.decision or 'undecided'}"
        )


def _check_model(model: str) -> None:
    if model not in ("logistic", "normalized"):
        raise ValueError(f"model must be 'logistic' or 'normalized', not {model!r}")


def _checked(counts: Sequence[float]) -> Sequence[float]:
    if len(counts) != 5 or not all(isfinite(count) and count >= 0 for count in counts):
        raise ValueError(f"counts must be five numbers of pairs, none negative, not {list(counts)}")
    return counts


def _shares(counts: Sequence[float]) -> tuple[float, list[float]]:
    filled = [float(count) or EMPTY for count in _checked(counts)]
    total = sum(filled)
    return total, [count / total for count in filled]


def _mean_sigma(share: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of the score per game, over pairs."""
    mean = sum(p * x for p, x in zip(share, SCORES))
    return mean, sqrt(sum(p * (x - mean) ** 2 for p, x in zip(share, SCORES)))


def _tilt(share: Sequence[float], values: Sequence[float]) -> list[float]:
    """The distribution nearest in likelihood to `share` under which `values` have mean 0 (empirical likelihood)."""
    low, high = -1 / max(values), -1 / min(values)
    edge = 1e-12 * (high - low)

    def excess(theta: float) -> float:
        return sum(p * v / (1 + theta * v) for p, v in zip(share, values))

    theta = optimize.brentq(excess, low + edge, high - edge, xtol=1e-14)
    return [p / (1 + theta * v) for p, v in zip(share, values)]


def _fit_mean(share: Sequence[float], mean: float) -> list[float]:
    """Most likely distribution with this mean score."""
    return _tilt(share, [x - mean for x in SCORES])


def _fit_ratio(share: Sequence[float], ratio: float) -> list[float]:
    """Most likely distribution whose mean score lies `ratio` standard deviations above one half.

    The constraint is linearised at the current fit and solved again until nothing moves. The start is the distribution
    on lost and won pairs alone that meets the constraint, so that every linearised problem has a solution.
    """
    won = 0.5 + ratio / (2 * sqrt(1 + ratio**2))
    fit = [1 - won, 0.0, 0.0, 0.0, won]
    for _ in range(100):
        mean, sigma = _mean_sigma(fit)
        bent = [x - 0.5 - ratio * sigma * (1 + ((x - mean) / sigma) ** 2) / 2 for x in SCORES]
        previous, fit = fit, _tilt(share, bent)
        if max(abs(old - new) for old, new in zip(previous, fit)) < 1e-9:
            break
    return fit
