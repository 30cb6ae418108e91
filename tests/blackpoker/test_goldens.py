"""Golden games: whole games a person can read. They must replay exactly; goldens/make.py writes them."""

from pathlib import Path

import pytest

from ka_env import KaError
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.people.story import told
from ka_env.blackpoker.rulesets import EDITIONS, RULESETS, actions_of
from ka_env.record import load
from tests.blackpoker.lists import GOLDENS

from .reference import RefGame
from .test_lockstep import facts

FOLDER = Path(__file__).parent / "goldens"
FILES = [f"{ruleset}_{frame}.ka" for ruleset, frame in GOLDENS]


def steps_of(name):
    """All moves of a golden; a failure names the file and the move."""
    try:
        return list(load(FOLDER / name)[0].steps())
    except KaError as error:
        pytest.fail(f"{name}: {error}", pytrace=False)


def test_there_is_one_for_each_ruleset_and_frame():
    assert sorted(path.name for path in FOLDER.glob("*.ka")) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_replays_to_its_end(name):
    record = load(FOLDER / name)[0]
    assert f"{record.headers['ruleset']}_{record.headers['frame']}.ka" == name
    steps = steps_of(name)
    assert len(steps) > 20
    assert steps[-1].after.over


@pytest.mark.parametrize("name", FILES)
def test_the_reference_replays_it_too(name):
    """Goldens are written by the engine; the other implementation must find the same positions at every decision."""
    steps = [step for step in steps_of(name) if step.before.decision not in ("first_hand", "rare")]
    reference = RefGame.from_text(steps[0].before.to_text())
    for step in steps:
        assert facts(reference) == facts(step.before)
        reference.shuffler = lambda player, cards, after=step.after: list(after.last_shuffle[1])
        reference.play(step.token)
    assert facts(reference) == facts(steps[-1].after)


@pytest.mark.parametrize("name", FILES)
def test_comments_tell_the_game(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text == told(load(FOLDER / name)[0]), f"{name}: run `python -m tests.blackpoker.goldens.make --words`"


@pytest.mark.parametrize("edition", EDITIONS)
def test_together_they_show_every_action_of_the_edition(edition):
    rows = {row for ruleset in RULESETS if ruleset.startswith(edition) for row in actions_of(ruleset)}
    steps = [step for name in FILES if name.startswith(edition) for step in steps_of(name)]
    shown = {step.token for step in steps if step.before.decision == "chance"}
    assert {row.verb for row in rows if row.timing != "triggered"} <= shown


def test_together_they_show_every_decision_after_the_deal():
    """`deck` is decided between games, and choices before the deal stand in the headers."""
    steps = [step for name in FILES for step in steps_of(name)]
    assert {step.before.decision for step in steps} >= set(KINDS) - {"first_hand", "rare"}
