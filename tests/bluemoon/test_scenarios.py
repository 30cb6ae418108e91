"""The worked cases: the shared ones and those for every ruling, ability and refusal."""

import pytest

from ka_env.bluemoon import Game

from . import scenario

SCENARIOS = scenario.load_all()


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.name)
def test_scenario(case):
    scenario.run(case, Game)
