"""The engine and the independent reference, move by move: position, decider, kind, legal ids, events, result."""

import random
from collections import Counter

import pytest

from ka_env.bluemoon import Game
from ka_env.bluemoon.codes import KINDS

from . import scenario
from .play import PAIRINGS, position, seen
from .positions import random_position
from .reference import Game as Reference
from .reference.completability import in_window, naively_stays_completable
from .reference.layers import Layers
from .reference.tasks import raw_options

FLOOR = 10  # each question is asked at least so often


def events(game):
    return [(name, player, *map(tuple, rest)) for name, player, *rest in game.last_random]


def lockstep(game, rng, most, text=None, first=(), met=None):
    """Some first moves, then random ones, in both; `met` counts the questions. Returns the number of decisions."""
    first = iter(first)
    twin = Reference.from_text(text or game.to_text(), chance=game.last_random if text else [])
    for k in range(most):
        assert seen(game) == seen(twin), f"after {k} decisions"
        if game.over:
            return k
        if met is not None:
            met[game.decision] += 1
        token = next(first, None) or game.token(rng.choice(game.legal_ids()))
        game.play(token)
        twin.play(token, chance=game.last_random)
        assert events(twin) == events(game)
    return most


@pytest.mark.parametrize("frame", PAIRINGS)
def test_every_pairing(frame):
    rng = random.Random(frame)
    assert lockstep(Game.new("base", frame, seed=rng.randrange(2**32)), rng, 1000) > 20


@pytest.mark.parametrize("seed", range(12))
def test_optional_rules(seed):
    rng = random.Random(f"optional {seed}")
    lockstep(Game.new("base+opt", "random", seed=seed), rng, 1000)


@pytest.mark.parametrize("ruleset", ["base/match", "base+opt/match"])
def test_matches(ruleset):
    rng = random.Random(ruleset)
    assert lockstep(Game.new(ruleset, "random", seed=5), rng, 4000) < 4000


@pytest.mark.parametrize("seed", range(20))
def test_made_up_positions(seed):
    rng = random.Random(f"made up {seed}")
    for k in range(12):
        text = random_position(rng)
        lockstep(Game.from_text(text, seed=k), rng, 40, text)


def test_worked_cases_played_on():
    """Random play hardly ever asks the rarest questions; the scenarios begin near them. A floor for all of them."""
    rng = random.Random("played on")
    met = Counter()
    for turn in range(FLOOR):
        for k, case in enumerate(scenario.load_all()):
            asked = {step.split()[2] for step in case.steps if step.startswith("? at ")}
            tokens = [token for step in case.steps if step[0] == ">" for token in step[1:].split()]
            text = "\n".join(case.position)
            if (tokens or asked) and "pending" not in text and (turn == 0 or any(met[kind] < FLOOR for kind in asked)):
                lockstep(Game.from_text(text, seed=k), rng, len(tokens) + 5, text, tokens, met)
    assert {kind: met[kind] for kind in KINDS if met[kind] < FLOOR} == {}


@pytest.mark.parametrize("seed", range(20))
def test_options_are_those_of_a_search_without_cuts(seed):
    """Completability: what is offered is what a plain search over everything finds."""
    rng = random.Random(f"completable {seed}")
    for k in range(6):
        game = position(rng, k)
        for _ in range(8):
            if game.over:
                break
            state = Reference.from_text(game.to_text(), chance=[]).state if "pending" not in game.to_text() else None
            if state is not None and in_window(state) and len(state.sides[state.turn].hand) <= 5:
                naive = [action for action in raw_options(state) if naively_stays_completable(state, action)]
                assert game.legal_ids() == naive
            game.step(rng.choice(game.legal_ids()))


def test_totals_are_those_of_the_reference():
    rng = random.Random("totals")
    compared = 0
    for k in range(150):
        game = position(rng, k)
        if not game.over and "pending" not in game.to_text() and game.state.fight >= 2:
            layers = Layers(Reference.from_text(game.to_text(), chance=[]).state)
            assert game.state.total.tolist() == [layers.total(0), layers.total(1)]
            compared += 1
    assert compared > 50
