"""The toy game is a package of its own, `kuhn`, as any other package would bring it."""

import sys
from pathlib import Path

import pytest

from ka_env import games

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def kuhn():
    """The game, known in this process as long as the test runs."""
    import kuhn

    games.add_game(kuhn)
    yield kuhn.GAME
    games._added.remove(kuhn)
    games._find.cache_clear()
    games._named.cache_clear()
