"""Sequential tests: hand-worked likelihood ratios, published values, error rates in simulation, bad input."""

from math import log, nan

import numpy as np
import pytest

from ka_env.training.ratings import expected_score
from ka_env.training.sprt import SCORES, Sprt, normalized_elo, pentanomial_llr


def test_bounds_are_those_of_wald():
    sprt = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert sprt.bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


def test_only_lost_and_won_pairs_are_coin_flips():
    s0, s1 = expected_score(0), expected_score(20)
    by_hand = 60 * log(s1 / s0) + 40 * log((1 - s1) / (1 - s0))
    assert pentanomial_llr([40, 0, 0, 0, 60], 0, 20) == pytest.approx(by_hand, abs=1e-3)


def test_normalized_elo_of_won_pairs_only():
    # One and the same outcome, 104 times: the best fit with ratio t puts (1 + t) / 2 on it when t is small.
    ratio = 2**0.5 * 5 / (800 / log(10))
    assert pentanomial_llr([0, 0, 0, 0, 104], 0, 5, "normalized") == pytest.approx(104 * log(1 + ratio), abs=1e-3)


def test_many_pairs_agree_with_the_normal_approximation():
    counts = np.array([500, 2000, 4900, 2050, 550])
    share = counts / counts.sum()
    mean = share @ SCORES
    variance = share @ (np.array(SCORES) - mean) ** 2
    s0, s1 = expected_score(0), expected_score(4)
    normal = counts.sum() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert pentanomial_llr(counts, 0, 4) == pytest.approx(normal, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "llr"),
    [  # values that chess testing frameworks give for these counts
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, "logistic", -3.07),
        ([871, 26175, 55983, 26678, 821], 0, 2, "logistic", -4.98),
        ([365, 16618, 36229, 16974, 390], 0, 2, "normalized", 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, "normalized", 3.01),
    ],
)
def test_published_values(counts, elo0, elo1, model, llr):
    assert pentanomial_llr(counts, elo0, elo1, model) == pytest.approx(llr, abs=0.005)


def test_normalized_elo():
    assert normalized_elo([34, 54, 63, 64, 75]) == pytest.approx(57.94, abs=0.01)
    assert normalized_elo([75, 64, 63, 54, 34]) == pytest.approx(-57.94, abs=0.01)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_mirror(model):
    counts = [3, 5, 40, 9, 12]
    assert pentanomial_llr(counts, -10, 30, model) == pytest.approx(-pentanomial_llr(counts[::-1], -30, 10, model))
    assert pentanomial_llr([4, 3, 20, 3, 4], -10, 10, model) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize("outcome", range(5))
def test_one_outcome_only_stays_finite(outcome, model):
    counts = [0] * 5
    counts[outcome] = 30
    llr = pentanomial_llr(counts, -20, 60, model)
    assert np.isfinite(llr)
    assert (llr > 0) == (outcome > 2)


def test_add_and_update_agree_and_the_first_decision_stays():
    one, many = Sprt(0, 60), Sprt(0, 60)
    for score in [2, 1, 1.5, 2, 0, 0.5, 1, 2]:
        one.add(score)
    many.update([1, 1, 2, 1, 3])
    assert one.counts == many.counts
    assert one.pairs == 8
    assert one.llr == many.llr
    assert one.decision is None
    assert many.update([0, 0, 0, 0, 60]) == "H1"
    assert many.update([500, 0, 0, 0, 0]) == "H1"
    assert many.llr < 0


def test_summary():
    sprt = Sprt(0, 60)
    assert "no score yet" in sprt.summary()
    sprt.update([10, 0, 20, 0, 10])  # near 40 (s1 - s0)² / (2 · 0.125) = 1.17 below zero
    assert sprt.summary().splitlines() == [
        "SPRT [0, 60] Elo, alpha 0.05, beta 0.05",
        "40 pairs [10, 0, 20, 0, 10]: score 50.0 % (+0.0 Elo)",
        "LLR -1.17 (-2.94, 2.94): undecided",
    ]


def accepted(probabilities, elo0, elo1, runs, seed, model="logistic"):
    """How often "H1" is the decision; every run must come to one."""
    rng = np.random.default_rng(seed)
    count = 0
    for _ in range(runs):
        sprt = Sprt(elo0, elo1, model=model)
        for outcome in rng.choice(5, size=3000, p=probabilities):
            if sprt.add(outcome / 2):
                break
        assert sprt.decision is not None
        count += sprt.decision == "H1"
    return count / runs


def outcomes(elo, deal_luck):
    """Probabilities of the pair scores: independent games, or games that the deal mostly decides; with some draws."""
    score = expected_score(elo)
    edge = score - 0.5
    if deal_luck:
        return [0.12 - edge, 0.05, 0.66, 0.05, 0.12 + edge]
    return [(1 - score) ** 2, 0, 2 * score * (1 - score), 0, score**2]


@pytest.mark.parametrize("deal_luck", [False, True])
def test_error_rates(deal_luck):
    runs = 300
    limit = 0.05 + 2.3 * (0.05 * 0.95 / runs) ** 0.5  # 99 % of all seeds pass when the error rate is 5 %
    assert accepted(outcomes(0, deal_luck), 0, 70, runs, seed=1) <= limit
    assert 1 - accepted(outcomes(70, deal_luck), 0, 70, runs, seed=2) <= limit


def test_error_rates_normalized():
    # The won-or-lost outcomes below have a normalized Elo of 0 and 70.
    t = 70 / (800 / log(10)) * 2**0.5
    q = 0.5 + t / (2 * (1 + t * t) ** 0.5)
    assert normalized_elo([1e6 * (1 - q), 0, 0, 0, 1e6 * q]) == pytest.approx(70, abs=0.01)
    assert accepted([0.5, 0, 0, 0, 0.5], 0, 70, 40, 3, "normalized") <= 0.15
    assert accepted([1 - q, 0, 0, 0, q], 0, 70, 40, 4, "normalized") >= 0.85


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sprt(10, 0), "elo0 must be less than elo1"),
        (lambda: Sprt(0, nan), "elo0 must be less than elo1"),
        (lambda: Sprt(0, 10, alpha=0), "alpha and beta"),
        (lambda: Sprt(0, 10, alpha=0.6, beta=0.5), "alpha and beta"),
        (lambda: Sprt(0, 10, model="bayesian"), "model must be"),
        (lambda: Sprt(0, 10).add(0.25), "score of a pair"),
        (lambda: Sprt(0, 10).add(nan), "score of a pair"),
        (lambda: Sprt(0, 10).update([1, 2, 3]), "five"),
        (lambda: Sprt(0, 10).update([1, 2, 3, 4, -5]), "five"),
        (lambda: Sprt(0, 10).update([1, 2, 3, 4, nan]), "five"),
        (lambda: Sprt(0, 10).update([1, 2, 3, 4, 0.5]), "whole"),
        (lambda: pentanomial_llr([1, 1, 1, 1, 1], 0, 10, "bayesian"), "model must be"),
        (lambda: normalized_elo([0, 0, 0, 0, 0]), "no pairs"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()
