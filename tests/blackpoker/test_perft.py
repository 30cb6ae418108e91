"""Numbers of lines of play (perft/counts.txt): pinned; the smaller ones also counted through `Game`, and by the
reference, which shares nothing with the engine."""

from pathlib import Path

import pytest

from ka_env import Game
from ka_env.engine.perft import breakdown, perft
from tests.blackpoker.lists import LITE_AND_STD as RULESETS

from .reference import RefGame
from .scenario import load

SLOW_LIMIT = 5_000  # lines that are also counted through Game.copy and Game.play
REFERENCE_LIMIT, LONG_LIMIT = 1_000, 5_000  # lines that are also counted by the reference
SCENARIOS = {scenario.name: "\n".join(scenario.position) for scenario in load("shared.txt")}


def read_pins():
    lines = (Path(__file__).parent / "perft" / "counts.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return [(name, int(depth), int(count)) for name, depth, count in rows]


PINS = read_pins()


def position(name):
    """`ruleset/frame/seed` is dealt, anything else is a scenario."""
    if "/" in name:
        ruleset, frame, seed = name.split("/")
        return Game.new(ruleset, frame, seed=int(seed))
    return Game.from_text(SCENARIOS[name])


def slow_count(game, depth):
    if depth == 0 or game.over:
        return 1
    total = 0
    for token in game.legal():
        after = game.copy()
        after.play(token)
        total += slow_count(after, depth - 1)
    return total


def reference_count(reference, game, depth):
    """By the reference's own moves; our game only tells how lives were shuffled."""
    if depth == 0 or reference.over:
        return 1
    if depth == 1:
        return len(reference.legal())
    total = 0
    for token in reference.legal():
        after, ours = reference.copy(), game.copy()
        ours.play(token)
        after.shuffler = lambda player, cards, ours=ours: list(ours.last_shuffle[1])
        after.play(token)
        total += reference_count(after, ours, depth - 1)
    return total


@pytest.mark.parametrize(("name", "depth", "count"), PINS)
def test_pinned_counts(name, depth, count):
    game = position(name)
    assert perft(game, depth) == count, f"by move: {breakdown(game, depth)}"


@pytest.mark.parametrize(("name", "depth", "count"), [pin for pin in PINS if pin[2] <= SLOW_LIMIT])
def test_the_slow_count_agrees(name, depth, count):
    assert slow_count(position(name), depth) == count


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        pytest.param(*pin, marks=[pytest.mark.long] if pin[2] > REFERENCE_LIMIT else [])
        for pin in PINS
        if pin[2] <= LONG_LIMIT
    ],
)
def test_the_reference_agrees(name, depth, count):
    game = position(name)
    assert reference_count(RefGame.from_text(game.to_text()), game, depth) == count


def test_the_pins_cover_enough():
    names = {name for name, _, _ in PINS}
    assert {name.split("/")[0] for name in names if "/" in name} == set(RULESETS)
    assert len([name for name in names if "/" not in name]) >= 6


def test_breakdown_sums_up():
    game = Game.new("6.1-std", "full54", seed=3)
    before = game.copy()
    counts = breakdown(game, 3)
    assert list(counts) == game.legal()
    assert sum(counts.values()) == perft(game, 3)
    assert game == before


def test_depth_0_and_finished_games_are_one_line():
    game = Game.new(seed=1)
    assert perft(game, 0) == 1
    while not game.over:
        game.play(game.legal()[-1])
    assert perft(game, 3) == 1
    assert breakdown(game, 3) == {}


def test_a_game_that_ends_early_counts_once():
    """Bulwark with the last life card, and search for it: both end the game at once."""
    game = Game.from_text(SCENARIOS["bulwark-last-life"])
    assert perft(game, 6) == slow_count(game, 6)


def test_refuses_bad_depths():
    game = Game.new()
    with pytest.raises(ValueError, match="negative"):
        perft(game, -1)
    with pytest.raises(ValueError, match="at least 1"):
        breakdown(game, 0)
