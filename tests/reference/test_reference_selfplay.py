"""Random games of the reference: cards conserved, texts read back, every game ends."""

import random

import pytest

from . import deal
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
    for i in range(20):
        play_one(random_position(ruleset, rng), rng, choose=lively if i % 2 else None)


def test_everything_happens():
    """The made-up positions lead to every action and every kind of decision, of both editions."""
    for edition, missing in (("8.0", set()), ("6.1", {"open", "raredraw", "raresummon", "trap", "setup"})):
        shown = set()
        rng = random.Random(edition)
        for ruleset in [r for r in NEW_RULESETS if r.startswith(edition)] * (16 if edition == "8.0" else 30):
            play_one(random_position(ruleset, rng), rng, choose=lively, shown=shown)
        kinds = "pay_sacrifice key target quick_form grave_card new_target search_card recruit_order".split()
        assert set(VERBS) - missing <= shown
        assert set(kinds) <= shown
        assert ("pack_card" in shown) == (edition == "8.0")
