"""The worked cases against the reference."""

import pytest

from .. import scenario
from . import RefGame

SCENARIOS = scenario.load_all()


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.name)
def test_scenario(case):
    scenario.run(case, RefGame, reads_pending=False)
