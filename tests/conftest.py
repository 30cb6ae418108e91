"""Shared by all tests: what neutral suites are run on, and Hypothesis, which draws the same examples everywhere.

Suites that know no game take the fixture `setup`: they run for every game, a case of a new one is a new line here.
"""

import pytest
from hypothesis import HealthCheck, Phase, settings

from ka_env.games import Setup

SETUPS = [
    Setup("8.0-lite", "half27"),
    Setup("8.0-std", "half27"),
    Setup("6.1-lite", "half27"),
    Setup("6.1-std", "half27"),
    Setup("base", "random"),
    Setup("base+opt", "khind-buka"),
]
ONE_OF_EACH_GAME = [SETUPS[0], SETUPS[-1]]


def _label(setup: Setup) -> str:
    return setup.label.replace("/", "-")


@pytest.fixture(params=SETUPS, ids=_label)
def setup(request: pytest.FixtureRequest) -> Setup:
    return request.param


@pytest.fixture(params=ONE_OF_EACH_GAME, ids=_label)
def one_setup(request: pytest.FixtureRequest) -> Setup:
    """One of each game, where more would only take time."""
    return request.param


settings.register_profile(
    "ka",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=12,
    print_blob=False,
    phases=[Phase.explicit, Phase.generate],  # whole games don't get smaller, they only take time
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ka")
