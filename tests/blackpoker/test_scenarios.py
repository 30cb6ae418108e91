"""Every worked case, those of the rules pages and our own."""

import pytest

from ka_env import Game

from . import scenario

SCENARIOS = scenario.load_all()


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.name)
def test_scenario(case):
    scenario.run(case, Game, reads_pending=True)
