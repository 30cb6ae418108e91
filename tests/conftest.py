"""Settings shared by all tests, and what neutral suites are run on.

Suites that know no game take the fixture `setup`, `one_setup` or `two_setups`: they run for every game, a case of a new
one is a new line here.

Hypothesis draws the same examples on every machine and never times anything; with KA_EXAMPLES=500 it draws so many
others on every run, and prints how to repeat a failure (`make test-long`). Tests marked `long` run there only. With
KA_NO_SKIPS=1, as in CI, a skipped test fails the run: what is not tested there is not tested at all.
"""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

from ka_env.games import Setup
from tests.examples import MANY, USUAL

for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "KA_QUIET", "RAY_ADDRESS"):
    os.environ.pop(name, None)  # what people like on their terminals, and a cluster of theirs, must not change a result


@pytest.fixture(autouse=True)
def quiet_is_not_inherited():
    """Commands that draw on the screen set KA_QUIET for their process: the next test must not have it."""
    before = os.environ.get("KA_QUIET")
    yield
    if before is None:
        os.environ.pop("KA_QUIET", None)


SETUPS = [
    Setup("8.0-lite", "half27"),
    Setup("8.0-std", "half27"),
    Setup("6.1-lite", "half27"),
    Setup("6.1-std", "half27"),
    Setup("base", "random"),
    Setup("base+opt", "khind-buka"),
]
ONE_OF_EACH_GAME = [SETUPS[0], SETUPS[-1]]
TWO_OF_EACH_GAME = [(SETUPS[0], SETUPS[3]), (SETUPS[-2], SETUPS[-1])]


def _label(setup: Setup) -> str:
    return setup.label.replace("/", "-")


@pytest.fixture(scope="module", params=SETUPS, ids=_label)
def setup(request: pytest.FixtureRequest) -> Setup:
    return request.param


@pytest.fixture(scope="module", params=ONE_OF_EACH_GAME, ids=_label)
def one_setup(request: pytest.FixtureRequest) -> Setup:
    """One of each game, where more would only take time."""
    return request.param


@pytest.fixture(scope="module", params=TWO_OF_EACH_GAME, ids=lambda setups: " ".join(map(_label, setups)))
def two_setups(request: pytest.FixtureRequest) -> tuple[Setup, Setup]:
    """Two of each game, for what plays several."""
    return request.param


settings.register_profile(
    "ka",
    derandomize=not MANY,
    deadline=None,
    database=None,
    max_examples=MANY or USUAL,
    print_blob=bool(MANY),
    phases=[Phase.explicit, Phase.generate],  # whole games don't get smaller, they only take time
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ka")


class Skips:
    """Counts what was skipped, here and in the processes of xdist."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.names.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.names.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.names and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.names:
            terminalreporter.write_line(f"KA_NO_SKIPS: {len(self.names)} skipped, so the run has failed", red=True)


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("KA_NO_SKIPS") == "1":
        config.pluginmanager.register(Skips())
