"""Our engine and the independent reference play the same games, compared in full at every decision."""

import random

import pytest

from ka_env import Game
from ka_env.blackpoker import RULESETS

from .lists import DEALS
from .reference import RefGame, random_position


def facts(game):
    text = [line for line in game.to_text().splitlines() if not line.startswith("pending")]
    return game.player, game.decision, game.legal(), game.result, text


def play_in_lockstep(text, rng):
    """Random moves until the end; returns how many decisions there were."""
    game, reference = Game.from_text(text), RefGame.from_text(text)
    decisions = 0
    while not game.over:
        assert facts(reference) == facts(game)
        token = rng.choice(game.legal())
        game.play(token)
        reference.shuffler = lambda player, cards: list(game.last_shuffle[1])
        reference.play(token)
        decisions += 1
    assert facts(reference) == facts(game)
    return decisions


def dealt(ruleset, frame, seed, rng):
    """A game after its set-up."""
    game = Game.new(ruleset, frame, seed=seed)
    while game.decision in ("first_hand", "rare"):
        game.play(rng.choice(game.legal()))
    return game


@pytest.mark.parametrize(("ruleset", "frame"), DEALS)
def test_dealt_games(ruleset, frame):
    rng = random.Random(f"{ruleset} {frame}")
    for seed in range(12):
        play_in_lockstep(dealt(ruleset, frame, seed, rng).to_text(), rng)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_from_random_positions(ruleset):
    """These reach what dealt games rarely show: long stages, fog, fights under way, cards known on a life."""
    rng = random.Random(ruleset)
    for _ in range(150):
        play_in_lockstep(random_position(ruleset, rng), rng)
