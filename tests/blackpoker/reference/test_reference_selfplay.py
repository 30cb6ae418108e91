"""Random games of the reference: cards conserved, texts read back, every game ends (R27, R52)."""

import random

import pytest

from . import RefGame, deal
from .positions import random_position
from .selfplay import lively, play_one
from .setup import frames_of
from .tables import LITE_AND_STD, NEW_RULESETS, VERBS

FRAMES = ["entry20", "full54", "deck40", "half27"]


@pytest.mark.parametrize("ruleset", LITE_AND_STD)
@pytest.mark.parametrize("frame", FRAMES)
def test_random_games(ruleset, frame):
    rng = random.Random(f"{ruleset} {frame}")
    for i in range(5):
        play_one(deal(ruleset, frame, rng), rng, choose=lively if i % 2 else None)


@pytest.mark.parametrize("ruleset", LITE_AND_STD)
def test_random_positions(ruleset):
    rng = random.Random(ruleset)
    for i in range(40):
        play_one(random_position(ruleset, rng), rng, choose=lively if i % 2 else None)


@pytest.mark.parametrize(("ruleset", "frame"), [(r, f) for r in NEW_RULESETS for f in frames_of(r)])
def test_random_pro_games(ruleset, frame):
    rng = random.Random(f"{ruleset} {frame}")
    for i in range(2):
        play_one(deal(ruleset, frame, rng), rng, choose=lively if i % 2 else None)


@pytest.mark.parametrize("ruleset", NEW_RULESETS)
def test_random_pro_positions(ruleset):
    rng = random.Random(ruleset)
    for i in range(15):
        play_one(random_position(ruleset, rng), rng, choose=lively if i % 2 else None)


@pytest.mark.parametrize("edition", ["8.0", "6.1"])
def test_everything_happens(edition):
    """From made-up positions every action of pro, mast and the frames is announced, every kind of decision comes up."""
    rulesets = ["8.0-mast+strategy"] * 9 + ["8.0-lite+setup"] if edition == "8.0" else ["6.1-mast"] * 10
    shown, rng = set(), random.Random(edition)
    for ruleset in rulesets * 15:
        game = RefGame.from_text(random_position(ruleset, rng))
        while not game.over:
            token = lively(game.legal(), rng)
            shown.add(token if game.decision == "chance" else game.decision)
            game.play(token)
    frames = {"open", "raredraw", "raresummon", "trap", "setup", "pack_card"}
    kinds = set("pay_sacrifice key target quick_form grave_card new_target search_card recruit_order pack_card".split())
    verbs = set(VERBS[VERBS.index("reverse") :])
    assert (verbs | kinds) - (frames if edition == "6.1" else set()) <= shown
