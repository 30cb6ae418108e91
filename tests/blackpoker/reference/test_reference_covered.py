"""Every ruling of the pro page and every action row is shown by a scenario, or by a test that names it."""

import re
from pathlib import Path

import pytest

from .. import scenario
from .tables import MAST, NEW_RULESETS, PRO, VERBS

SCENARIOS = [case for path in sorted(scenario.FOLDER.glob("pro_*.txt")) for case in scenario.load(path.name)]
RULINGS = [f"R{n}" for n in range(29, 78)]
FRAME_VERBS = ["open", "raredraw", "raresummon", "trap", "setup"]
ROWS = [(edition, verb) for edition in ("8.0", "6.1") for verb in ["reverse", *PRO, *MAST]]
ROWS += [("8.0", verb) for verb in FRAME_VERBS]
KINDS = "pay_sacrifice key target quick_form grave_card new_target search_card recruit_order pack_card".split()


def rules_of(case):
    return next(line.split()[1] for line in case.position if line.startswith("rules "))


def docstrings():
    folder = Path(__file__).parent
    return " ".join(
        text
        for path in folder.glob("test_*.py")
        for text in re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)
    )


@pytest.mark.parametrize("ruling", RULINGS)
def test_ruling_is_covered(ruling):
    lines = [case.covers for case in SCENARIOS] + [docstrings()]
    assert any(re.search(rf"\b{ruling}\b", line) for line in lines)


@pytest.mark.parametrize(("edition", "verb"), ROWS)
def test_action_is_played(edition, verb):
    played = [step for case in SCENARIOS if rules_of(case).startswith(edition) for step in case.steps if step[0] == ">"]
    assert any(verb in step.split() for step in played)


@pytest.mark.parametrize("kind", KINDS)
def test_kind_is_asked(kind):
    assert any(step.startswith(f"? at {kind} ") for case in SCENARIOS for step in case.steps)


@pytest.mark.parametrize("ruleset", NEW_RULESETS)
def test_ruleset_is_played(ruleset):
    assert any(rules_of(case) == ruleset for case in SCENARIOS)


def test_rows_are_all_verbs():
    assert {verb for _, verb in ROWS} == set(VERBS[VERBS.index("reverse") :])
