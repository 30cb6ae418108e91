"""The worked cases on the reference."""

from __future__ import annotations

import pytest

from . import scenario
from .reference import Game


@pytest.mark.parametrize("case", scenario.load_all(), ids=lambda case: case.name)
def test_scenario(case: scenario.Scenario) -> None:
    scenario.run(case, Game)
