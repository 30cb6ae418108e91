"""Ratings: hand-worked cases, known strengths recovered, coverage of the intervals in simulation, bad input."""

import contextlib
import io
import re
from math import nan
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, ndtr

from ka_env.training.ratings import (
    ELO,
    PAIR_SCORES,
    Results,
    alpha_rank,
    elo_difference,
    elo_ratings,
    expected_score,
    nash_average,
    payoff_matrix,
    pentanomial,
    seat_winrates,
    winrate_interval,
)

ROCK_PAPER_SCISSORS = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def match(wins, splits, losses):
    """Two agents: pairs won 2-0, pairs won 1-1 by the first seat and by the second seat in turn, pairs lost 0-2."""
    first = [1.0] * wins + [1.0, 0.0] * (splits // 2) + [0.0] * losses
    second = [1.0] * wins + [0.0, 1.0] * (splits // 2) + [0.0] * losses
    return Results.from_pairs(["x", "y"], [0] * len(first), [1] * len(first), first, second)


def tournament(rng, elo, advantage, pairs, luck=0.0, draws=0.0):
    """Every two agents play `pairs` pairs. `luck` is the correlation of the first seat's fortune in a pair's games.

    Expected scores are Bradley–Terry's exactly, whatever the luck and the draws.
    """
    strength, n = np.asarray(elo) / ELO, len(elo)
    i, j = (np.repeat(side, pairs) for side in np.triu_indices(n, 1))
    deal = rng.standard_normal(len(i))

    def first_scores(a, b):
        fortune = ndtr(np.sqrt(luck) * deal + np.sqrt(1 - luck) * rng.standard_normal(len(a)))
        p = expit(strength[a] - strength[b] + advantage / ELO)
        margin = draws * np.minimum(p, 1 - p)
        return np.where(fortune < p - margin, 1.0, np.where(fortune < p + margin, 0.5, 0.0))

    return Results.from_pairs([f"agent{k}" for k in range(n)], i, j, first_scores(i, j), 1 - first_scores(j, i))


# ---------------------------------------------------------------------------------------------------------- results


def test_results_put_the_games_of_a_pair_together():
    results = Results(["x", "y", "z"], [0, 2, 1, 0], [1, 0, 0, 2], [1, 0.5, 0, 1], [7, 3, 7, 3])
    assert results.pair.tolist() == [3, 3, 7, 7]
    i, j, first, second = results.by_pair()
    assert i.tolist() == [0, 0]
    assert j.tolist() == [2, 1]
    assert first.tolist() == [1, 1]
    assert second.tolist() == [0.5, 1]
    assert results.pair_scores("x", "z").tolist() == [1.5]
    assert results.pair_scores("z", 0).tolist() == [0.5]
    assert results.pair_scores("y", "z").tolist() == []


def test_pentanomial():
    assert pentanomial([0, 2, 2, 1, 1.5, 0.5]).tolist() == [1, 1, 1, 1, 2]


# -------------------------------------------------------------------------------------------------------- win rates


def test_winrate_of_independent_games_is_wilsons():
    # 400 pairs of fair independent games are 800 games: Wilson's half width is 1.96 / (2 √(800 + 1.96²)).
    interval = winrate_interval([0] * 100 + [1] * 200 + [2] * 100)
    assert interval.rate == 0.5
    assert interval.pairs == 400
    assert interval.high - 0.5 == pytest.approx(1.96 / (2 * (800 + 1.96**2) ** 0.5), rel=0.01)
    assert 0.5 - interval.low == pytest.approx(interval.high - 0.5)


def test_pairs_that_split_tell_more_than_pairs_that_dont():
    split = winrate_interval([0] * 5 + [1] * 90 + [2] * 5)
    swept = winrate_interval([0] * 50 + [2] * 50)
    assert split.high - split.low < 0.4 * (swept.high - swept.low)


@pytest.mark.parametrize("pairs", [1, 5, 50])
def test_perfect_score(pairs):
    won, lost = winrate_interval([2] * pairs), winrate_interval([0] * pairs)
    assert won.rate == won.high == 1
    assert won.low == pytest.approx({1: 0.006, 5: 0.431, 50: 0.925}[pairs], abs=0.001)  # docs/statistics.md: 43 %
    assert lost.high == pytest.approx(1 - won.low)


@pytest.mark.parametrize(
    "probabilities", [[0.25, 0, 0.5, 0, 0.25], [0.03, 0, 0.84, 0, 0.13], [0.05, 0.2, 0.4, 0.25, 0.1]]
)
def test_coverage_of_the_winrate(probabilities):
    truth = np.dot(probabilities, PAIR_SCORES) / 2
    samples = np.random.default_rng(1).multinomial(100, probabilities, size=500)
    intervals = [winrate_interval(np.repeat(PAIR_SCORES, counts)) for counts in samples]
    assert 0.92 <= np.mean([low <= truth <= high for _, low, high, _ in intervals]) <= 0.98


def test_payoff_matrix():
    results = Results.from_pairs(["x", "y", "z"], [0, 0, 1], [1, 1, 0], [1, 1, 0], [1, 0, 0])
    payoff = payoff_matrix(results)  # x scored 2, 1 and 2 against y
    assert payoff.rate[0, 1] == pytest.approx(5 / 6)
    assert payoff.rate[1, 0] == pytest.approx(1 / 6)
    assert payoff.low[0, 1] == pytest.approx(1 - payoff.high[1, 0])
    assert payoff.pairs[0].tolist() == [0, 3, 0]
    assert payoff.rate[2, 2] == 0.5
    assert np.isnan(payoff.rate[0, 2])


def test_seat_winrates():
    seats = seat_winrates(Results.from_pairs(["x", "y", "z"], [0] * 4, [1] * 4, [1, 1, 1, 0], [0, 0, 1, 0]))
    assert seats.first.rate == 6 / 8
    assert seats.first.pairs == 4
    assert seats.as_first[0].rate == 3 / 4
    assert seats.as_second[0].rate == 1 / 4
    assert seats.as_first[1].rate == 3 / 4
    assert seats.as_first[2] is None


# -------------------------------------------------------------------------------------------------------------- Elo


def test_elo_and_score():
    assert elo_difference(0.75) == pytest.approx(190.85, abs=0.01)
    assert expected_score(190.85) == pytest.approx(0.75, abs=1e-5)
    assert expected_score(0) == 0.5


def test_three_quarters_is_191_elo():
    ratings = elo_ratings(match(wins=600, splits=300, losses=100))
    assert ratings.elo == pytest.approx([95.4, -95.4], abs=0.1)
    assert ratings.first_advantage == pytest.approx(0, abs=1e-6)
    # Delta method by hand: pair scores 2, 1, 0 have variance 0.45, the slope of a pair's mean score is 2 p (1 - p).
    difference, half = ratings.differences()
    assert difference[0, 1] == pytest.approx(190.8, abs=0.2)
    assert half[0, 1] == pytest.approx(1.96 * (0.45 / 1000) ** 0.5 / (2 * 0.1875) * ELO, rel=0.01)
    assert ratings.half_width == pytest.approx([half[0, 1] / 2] * 2)


def test_draws_are_half_wins():
    split = match(wins=50, splits=100, losses=10)
    drawn = np.where((split.pair >= 50) & (split.pair < 150), 0.5, split.score)
    ratings = elo_ratings(Results(split.agents, split.a, split.b, drawn, split.pair))
    assert ratings.elo == pytest.approx(elo_ratings(split).elo, abs=1e-6)
    assert ratings.half_width == pytest.approx(elo_ratings(split).half_width, abs=1e-6)


def test_equals_are_equal():
    ratings = elo_ratings(match(30, 40, 30))
    assert ratings.elo == pytest.approx([0, 0], abs=1e-9)
    assert ratings.los() == pytest.approx(np.full((2, 2), 0.5))


def test_seat_advantage_by_hand():
    # The first seat scores 3/4 whoever sits there: 191 Elo for the seat, none for the agents.
    first = [1.0, 1.0, 1.0, 0.0] * 100
    second = [0.0, 0.0, 0.0, 1.0] * 100
    ratings = elo_ratings(Results.from_pairs(["x", "y"], [0] * 400, [1] * 400, first, second))
    assert ratings.first_advantage == pytest.approx(190.85, abs=0.5)
    assert ratings.elo == pytest.approx([0, 0], abs=1e-6)


def test_anchor():
    results = tournament(np.random.default_rng(2), [200, 0, -100], 30, 50)
    free, fixed = elo_ratings(results), elo_ratings(results, anchor=("agent1", 1500))
    assert free.elo.mean() == pytest.approx(0, abs=1e-9)
    assert fixed.elo[1] == pytest.approx(1500)
    assert fixed.half_width[1] == pytest.approx(0, abs=1e-6)
    for one, other in zip(free.differences(), fixed.differences()):
        assert one == pytest.approx(other, abs=1e-6)
    assert free.los() == pytest.approx(fixed.los())


def test_unbeaten_agents_stay_finite_and_uncertain():
    ratings = elo_ratings(match(50, 0, 0))
    difference, half = (matrix[0, 1] for matrix in ratings.differences())
    assert 700 < difference < 1200
    assert 300 < half < difference
    assert ratings.los()[0, 1] > 0.999


def test_agents_who_never_met_are_uncertain():
    wins = [1.0] * 60 + [0.0] * 40
    results = Results.from_pairs(list("wxyz"), [0] * 100 + [2] * 100, [1] * 100 + [3] * 100, wins * 2, wins * 2)
    _, half = elo_ratings(results).differences()
    # Every pair went 2-0 or 0-2, so it tells no more than one game: 100 coin flips at 60 %.
    assert half[0, 1] == pytest.approx(1.97 * (0.24 / 100) ** 0.5 / 0.24 * ELO, rel=0.02)
    assert half[0, 2] > 500


def test_known_strengths_are_recovered():
    elo = np.array([300, 120, 20, -60, -380])
    ratings = elo_ratings(tournament(np.random.default_rng(3), elo, 45, 20_000, luck=0.5, draws=0.3))
    assert ratings.elo == pytest.approx(elo, abs=5)
    assert ratings.first_advantage == pytest.approx(45, abs=3)
    assert ratings.half_width.max() < 4
    assert ratings.los()[0, 1:].min() > 0.999


def test_table_lists_the_strongest_first():
    table = elo_ratings(tournament(np.random.default_rng(4), [-100, 100], 30, 200)).table()
    assert [line.split()[0] for line in table.splitlines()] == ["agent1", "agent0", "first"]


@pytest.mark.parametrize(
    ("elo", "advantage", "pairs", "luck", "draws", "runs"),
    [
        ([50, -50], 30, 60, 0.0, 0.0, 2000),  # few agents, few figures per run: more runs against chance
        ([200, 50, -50, -200], 40, 40, 0.0, 0.2, 600),
        ([200, 50, -50, -200], 40, 40, 0.6, 0.0, 600),  # the deal decides most games
        ([200, 50, -50, -200], 40, 40, 0.6, 0.5, 600),
        (np.linspace(-360, 360, 10), 60, 5, 0.5, 0.0, 600),
    ],
)
def test_coverage_of_the_ratings(elo, advantage, pairs, luck, draws, runs):
    rng = np.random.default_rng(5)
    elo = np.asarray(elo, dtype=float)
    truth = elo[:, None] - elo[None, :]
    upper = np.triu_indices(len(elo), 1)
    to_mean, between, seat = [], [], []
    for _ in range(runs):
        ratings = elo_ratings(tournament(rng, elo, advantage, pairs, luck, draws))
        difference, half = ratings.differences()
        to_mean.append(np.mean(np.abs(ratings.elo - elo) <= ratings.half_width))
        between.append(np.mean((np.abs(difference - truth) <= half)[upper]))
        seat.append(abs(ratings.first_advantage - advantage) <= ratings.first_advantage_half_width)
    for covered in (to_mean, between, seat):
        assert 0.945 <= np.mean(covered) <= 0.975  # docs/statistics.md: 95 to 97 of 100


def test_intervals_per_game_would_be_wrong():
    """With the deal's luck shared, pairs are worth more than their two games: the interval must be the narrower one."""
    rng = np.random.default_rng(6)
    lucky = elo_ratings(tournament(rng, [50, -50], 0, 500, luck=0.8))
    plain = elo_ratings(tournament(rng, [50, -50], 0, 500))
    assert lucky.half_width[0] < 0.75 * plain.half_width[0]
    assert lucky.first_advantage_half_width > 1.15 * plain.first_advantage_half_width


# -------------------------------------------------------------------------------------------------------- meta game


def test_nash_of_rock_paper_scissors():
    nash = nash_average(ROCK_PAPER_SCISSORS)
    assert nash.mix == pytest.approx([1 / 3] * 3)
    assert nash.winrate == pytest.approx([0.5] * 3)


def test_nash_of_biased_rock_paper_scissors():
    payoff = np.array([[0, -0.5, 1], [0.5, 0, -0.1], [-1, 0.1, 0]])
    assert nash_average((payoff + 1) / 2).mix == pytest.approx([1 / 16, 10 / 16, 5 / 16])


def test_dominated_agents_get_nothing():
    rate = np.full((4, 4), 0.9)
    rate[:3, :3] = ROCK_PAPER_SCISSORS
    rate[3, :] = 0.1
    rate[3, 3] = 0.5
    nash = nash_average(rate)
    assert nash.mix == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert nash.winrate[3] == pytest.approx(0.1)
    assert nash_average([[0.5, 0.6], [0.4, 0.5]]).mix == pytest.approx([1, 0])


def test_copies_share_their_weight():
    twice = [0, 1, 2, 2]
    nash = nash_average(ROCK_PAPER_SCISSORS[np.ix_(twice, twice)])
    assert nash.mix == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-6)
    assert nash_average(np.full((5, 5), 0.5)).mix == pytest.approx([0.2] * 5)


def test_no_agent_gains_against_the_nash_mix():
    rng = np.random.default_rng(7)
    for n in [1, 2, 5, 9]:
        half = rng.choice([-0.3, -0.1, 0, 0.2], size=(n, n))
        nash = nash_average(0.5 + (half - half.T) / 2)
        assert nash.mix.sum() == pytest.approx(1)
        assert nash.mix.min() >= 0
        assert nash.winrate.max() <= 0.5 + 1e-7


def test_alpha_rank_of_two_agents_by_hand():
    # Population 2: a mutant with gain u takes over with 1 / (1 + exp(-u)); u = alpha · 2 · (0.6 - 0.5) = 0.4 here.
    weights = alpha_rank([[0.5, 0.6], [0.4, 0.5]], alpha=2, population=2)
    assert weights == pytest.approx([expit(0.4), expit(-0.4)])


def test_alpha_rank_of_cycles_and_champions():
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)
    # Who beats whom is all that counts under strong selection, so a biased cycle is a cycle.
    payoff = np.array([[0, -0.5, 1], [0.5, 0, -0.1], [-1, 0.1, 0]])
    assert alpha_rank((payoff + 1) / 2, alpha=1e4) == pytest.approx([1 / 3] * 3)
    champion = np.array([[0.5, 0.7, 0.6], [0.3, 0.5, 0.8], [0.4, 0.2, 0.5]])
    assert alpha_rank(champion) == pytest.approx([1, 0, 0])
    assert alpha_rank([[0.5]]) == pytest.approx([1])
    assert alpha_rank(np.full((3, 3), 0.5)) == pytest.approx([1 / 3] * 3)


def test_alpha_rank_of_three_agents_by_hand():
    # x beats y, y beats z, x and z are equal. Strong selection: y goes to x, z goes to y, x and z drift at 1/50.
    rate = [[0.5, 0.9, 0.5], [0.1, 0.5, 0.9], [0.5, 0.1, 0.5]]
    # Balance: x loses 1/50 to z, z loses 1 to y and 1/50 to x, y loses 1 to x. So z : y : x = 1 : 1 : 51.
    assert alpha_rank(rate, alpha=1e4) == pytest.approx([51 / 53, 1 / 53, 1 / 53])


# --------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Results(["x", "y"], [], [], [], []), "no games"),
        (lambda: Results.from_pairs(["x", "y"], [], [], [], []), "no games"),
        (lambda: Results(["x", "y"], [0, 1], [1, 0], [1, nan], [0, 0]), "score of a game"),
        (lambda: Results(["x", "y"], [0, 1], [1, 0], [1, 2], [0, 0]), "score of a game"),
        (lambda: Results(["x", "y"], [0, 2], [2, 0], [1, 0], [0, 0]), "unknown agent index 2"),
        (lambda: Results(["x", "y"], [0, -1], [-1, 0], [1, 0], [0, 0]), "unknown agent index -1"),
        (lambda: Results(["x", "y"], [0, nan], [1, 0], [1, 0], [0, 0]), "integer"),
        (lambda: Results(["x", "y"], [0, 1], [1, 0], [1, 0], [0, nan]), "integers"),
        (lambda: Results(["x", "x"], [0, 1], [1, 0], [1, 0], [0, 0]), "different names"),
        (lambda: Results(["x", "y"], [0, 1], [1, 0], [1], [0, 0]), "equally long"),
        (lambda: Results(["x", "y"], [0, 0], [0, 0], [1, 0], [0, 0]), "both seats"),
        (lambda: Results(["x", "y"], [0, 1], [1, 0], [1, 0], [0, 1]), "pair 0 has 1 games"),
        (lambda: Results(["x", "y"], [0, 0], [1, 1], [1, 0], [4, 4]), "pair 4 is not"),
        (lambda: match(1, 0, 0).index("z"), "unknown agent 'z'"),
        (lambda: match(1, 0, 0).pair_scores(0, 5), "unknown agent index 5"),
        (lambda: elo_ratings(match(1, 0, 0), anchor=("z", 0)), "unknown agent 'z'"),
        (lambda: elo_ratings(match(1, 0, 0), anchor=("x", nan)), "finite"),
        (lambda: elo_ratings(match(1, 0, 0), prior=0), "prior"),
        (lambda: elo_ratings(match(1, 0, 0), level=95), "level"),
        (lambda: winrate_interval([]), "no pairs"),
        (lambda: winrate_interval([1, nan]), "score of a pair"),
        (lambda: winrate_interval([1, 0.25]), "score of a pair"),
        (lambda: pentanomial([3]), "score of a pair"),
        (lambda: nash_average([[0.5, nan], [nan, 0.5]]), "agent 0 against agent 1"),
        (lambda: nash_average([[0.5, 0.7], [0.7, 0.5]]), "sum to 1"),
        (lambda: nash_average(np.zeros((0, 0))), "square"),
        (lambda: alpha_rank([[0.5, 0.7]]), "square"),
        (lambda: alpha_rank([[0.5]], alpha=0), "alpha"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# -------------------------------------------------------------------------------------------------------------- docs


def test_the_page_prints_what_it_says():
    shown = re.search(r"```python\n(.*?)```\s+```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(shown.group(1), str(PAGE), "exec"), {"__name__": "__main__"})
    assert printed.getvalue() == shown.group(2)
