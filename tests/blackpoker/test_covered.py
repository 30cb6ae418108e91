"""Every ruling and every action row is shown by a scenario or a named test."""

import re
from pathlib import Path

import pytest

from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.rulesets import EDITIONS, RULESETS, actions_of

from . import scenario

HERE = Path(__file__).parent
SCENARIOS = scenario.load_all()
RULINGS = [f"R{n}" for n in range(1, 78)]
ROWS = sorted({(ruleset.partition("-")[0], action.verb) for ruleset in RULESETS for action in actions_of(ruleset)})


def covers_lines():
    """The `covers:` lines of scenarios, and those in the docstrings of tests."""
    found = [case.covers for case in SCENARIOS]
    for path in HERE.glob("test_*.py"):
        found += re.findall(r'"""covers: (.*)', path.read_text(encoding="utf-8"))
    return found


def edition_of(case):
    rules = [line.split()[1] for line in case.position if line.startswith("rules ")]
    return rules[0].partition("-")[0] if rules else ""


def shown(case):
    """Every word of a scenario that plays or shows an action."""
    lines = [line for line in case.position if line.startswith("stage ")] + [s for s in case.steps if s[0] in ">="]
    asked = [step.split()[2].removesuffix("ers") for step in case.steps if step.startswith("? at ")]  # block, attack
    return {*re.findall(r"[a-z_]+", " ".join([*lines, case.covers])), *asked}


@pytest.mark.parametrize("ruling", RULINGS)
def test_ruling_is_covered(ruling):
    assert any(re.search(rf"\b{ruling}\b", line) for line in covers_lines())


def test_no_ruling_beyond_these():
    named = {word for line in covers_lines() for word in re.findall(r"\bR\d+\b", line)}
    assert named <= set(RULINGS)


@pytest.mark.parametrize(("edition", "verb"), ROWS)
def test_action_row_is_covered(edition, verb):
    """In each edition that has the row, a scenario plays it, finds it on the stage, or says that it is about it."""
    assert any(edition_of(case) == edition and verb in shown(case) for case in SCENARIOS)


def test_every_ruleset_and_edition_has_scenarios():
    rules = {line.split()[1] for case in SCENARIOS for line in case.position if line.startswith("rules ")}
    assert set(RULESETS) <= rules
    assert set(EDITIONS) == {"8.0", "6.1"}


def test_every_decision_kind_is_shown():
    """`? at KIND` of some scenario; those before the deal have no position to begin with (test_more.py)."""
    asked = {step.split()[2] for case in SCENARIOS for step in case.steps if step.startswith("? at ")}
    assert asked == set(KINDS) - {"first_hand", "rare"}
