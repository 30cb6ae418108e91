"""Our engine and the independent reference play the same games, compared in full at every decision."""

import random
from collections import Counter

import pytest

from ka_env import Game
from ka_env.blackpoker import RULESETS
from ka_env.blackpoker.codes import VERBS
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.rulesets import actions_of

from . import scenario
from .lists import DEALS
from .reference import RefGame, random_position

POSITIONS = 100  # of each ruleset
FLOOR = 20  # each verb is announced, each question is asked at least so often


def facts(game):
    text = [line for line in game.to_text().splitlines() if not line.startswith("pending")]
    return game.player, game.decision, game.legal(), game.result, text


def play_in_lockstep(text, rng, met=None, first=()):
    """Some first moves, then random ones until the end, verbs met seldom more often; `met` counts what is met."""
    game, reference = Game.from_text(text), RefGame.from_text(text)
    met = Counter() if met is None else met
    first = iter(first)
    while not game.over:
        assert facts(reference) == facts(game)
        legal = game.legal()
        weights = [2 / (1 + met[token]) if token in VERBS else 0.05 for token in legal]
        token = next(first, None) or rng.choices(legal, weights)[0]
        met[game.decision] += 1
        met[token] += 1
        game.play(token)
        reference.shuffler = lambda player, cards: list(game.last_shuffle[1])
        reference.play(token)
    assert facts(reference) == facts(game)
    met[game.result] += 1
    return met


def dealt(ruleset, frame, seed, rng):
    """A game after its set-up."""
    game = Game.new(ruleset, frame, seed=seed)
    while game.decision in ("first_hand", "rare"):
        game.play(rng.choice(game.legal()))
    return game


@pytest.mark.parametrize(("ruleset", "frame"), DEALS)
def test_dealt_games(ruleset, frame):
    rng = random.Random(f"{ruleset} {frame}")
    met = Counter()
    for seed in range(12):
        play_in_lockstep(dealt(ruleset, frame, seed, rng).to_text(), rng, met)
    assert met["chance"] > 100


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_from_random_positions(ruleset):
    """These reach what dealt games rarely show: long stages, fog, fights under way, cards known on a life."""
    rng = random.Random(ruleset)
    met = Counter()
    for _ in range(POSITIONS):
        play_in_lockstep(random_position(ruleset, rng), rng, met)
    verbs = {action.verb for action in actions_of(ruleset)} & set(VERBS)
    assert {verb for verb in verbs if not met[verb]} == set()


def test_worked_cases_played_on():
    """Random play hardly ever asks the rarest questions; the scenarios begin near them. Floors for all of them."""
    rng = random.Random("played on")
    met = Counter()
    for turn in range(FLOOR):
        for case in scenario.load_all():
            tokens = [token for step in case.steps if step[0] == ">" for token in step[1:].split()]
            shown = {step.split()[2] for step in case.steps if step.startswith("? at ")} | {*tokens} & {*VERBS}
            if tokens and (turn == 0 or any(met[what] < FLOOR for what in shown)):
                play_in_lockstep("\n".join(case.position), rng, met, tokens)
    expected = set(KINDS) - {"first_hand", "rare"} | set(VERBS)
    assert {what: met[what] for what in expected if met[what] < FLOOR} == {}
