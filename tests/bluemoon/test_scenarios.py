"""The worked cases: the shared ones and those for every ruling, ability and refusal."""

import pytest

from ka_env.bluemoon import Game

from . import scenario
from .mirrored import Mirrored

SCENARIOS = scenario.load_all()


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.name)
def test_scenario(case):
    scenario.run(case, Game)


@pytest.mark.parametrize("case", [case for case in SCENARIOS if not case.refused], ids=lambda case: case.name)
def test_scenario_with_the_players_exchanged(case):
    """Nearly all of them are told for player 0; a rule that forgets the other one would pass."""
    scenario.run(case, Mirrored)
