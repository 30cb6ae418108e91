"""Golden games: whole games a person can read. They must replay exactly; goldens/make.py writes them."""

from pathlib import Path

import pytest

from ka_env.bluemoon.cards import ABILITIES, ROWS
from ka_env.errors import KaError
from ka_env.record import load

from .goldens.make import SETUPS, comments, played
from .play import seen
from .reference import Game as Reference

FOLDER = Path(__file__).parent / "goldens"
FILES = [f"{ruleset.replace('/', '_')}_{frame}.bm" for ruleset, frame in SETUPS]
ABILITY_OF = {row["code"]: row["ability"] for row in ROWS}
PROMO = {row["ability"] for row in ROWS if row["deck"] == "promo"}


def steps_of(name):
    try:
        return list(load(FOLDER / name)[0].steps())
    except KaError as error:
        pytest.fail(f"{name}: {error}", pytrace=False)


def test_the_files_are_there():
    assert sorted(path.name for path in FOLDER.glob("*.bm")) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_replays_to_its_end(name):
    record = load(FOLDER / name)[0]
    assert steps_of(name)[-1].after.over
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text == record.to_text(comments(record)), f"{name}: run `python -m tests.bluemoon.goldens.make`"


@pytest.mark.parametrize("name", FILES)
def test_the_reference_replays_it_too(name):
    """Goldens are written by the engine; the other implementation must find the same positions at every decision."""
    steps = steps_of(name)
    twin = Reference.from_text(steps[0].before.to_text(), chance=[])
    for step in steps:
        assert seen(twin) == seen(step.before)
        twin.play(step.token, chance=step.after.last_random)
    assert seen(twin) == seen(steps[-1].after)


def test_together_they_show_every_ability():
    tokens = {played(step.token) for name in FILES for step in steps_of(name)}
    assert {ABILITY_OF.get(token) for token in tokens} >= set(ABILITIES[1:]) - PROMO
