"""Compiled and interpreted rules are the same rules: whole games, hashed after every step, and scenarios.

Run as a module, this file prints the hashes of the games it is given; with NUMBA_DISABLE_JIT=1 it is the interpreted
half of the comparison.
"""

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from ka_env import BatchEngine, Game
from ka_env.engine.jit import INTERPRETED
from tests.blackpoker.lists import LITE_AND_STD as RULESETS

from . import scenario
from .strategies import FRAMES, new_game, walk

ROOT = Path(__file__).parents[2]
SEEDS = 2
POSITIONS = 8
SCENARIO_STRIDE = 4


def mark(game):
    return hashlib.blake2b(game.state.tobytes(), digest_size=8).hexdigest()


def story_of_games(ruleset, frame):
    """Every step of some games, with what each player could be up against redrawn now and then."""
    for seed in range(POSITIONS if frame == "position" else SEEDS):
        for k, game in enumerate(walk(new_game(ruleset, frame, seed), seed=seed)):
            yield f"{seed} {k} {mark(game)} {''.join(game.legal())}"
            if k % 10 == 0 and frame != "position":
                yield f"{seed} {k} redrawn {mark(game.determinize(k // 10 % 2, k))}"


def story_of_batch(ruleset):
    batch = BatchEngine(ruleset, "half27", num_games=3, seed=9)
    rng = random.Random(ruleset)
    for _ in range(60):
        batch.step([rng.choice(mask.nonzero()[0]) if mask.any() else 0 for mask in batch.action_mask])
        batch.reset_done()
        yield hashlib.blake2b(batch.games.tobytes() + batch.action_mask.tobytes(), digest_size=8).hexdigest()


def scenarios():
    return scenario.load_all()[::SCENARIO_STRIDE]


def story_of_scenarios():
    """The name of each scenario that holds, and what went wrong with the others."""
    for case in scenarios():
        try:
            scenario.run(case, Game, reads_pending=True)
            yield case.name
        except Exception as error:
            yield f"{case.name}: {type(error).__name__} {' '.join(str(error).split())}"


def story(what):
    """All lines of a ruleset, or of the scenarios."""
    if what == "scenarios":
        yield from story_of_scenarios()
        return
    for frame in [*FRAMES, "position"]:
        yield from (f"{frame} {line}" for line in story_of_games(what, frame))
    yield from (f"batch {line}" for line in story_of_batch(what))


def interpreted(what):
    """The story as another process tells it without compiling."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.blackpoker.test_interpreted", what],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games(ruleset):
    """All frames, random positions and a batch."""
    assert not INTERPRETED
    expected = list(story(ruleset))
    told, errors = interpreted(ruleset)
    for k, line in enumerate(expected):
        assert k < len(told), f"stops after {k} of {len(expected)} steps:\n{errors[-2000:]}"
        assert told[k] == line, f"step {k} differs"
    assert len(told) == len(expected)
    assert errors == "", "warnings"


def test_scenarios_interpreted():
    told, errors = interpreted("scenarios")
    assert told == [case.name for case in scenarios()], errors[-2000:]


if __name__ == "__main__":
    assert INTERPRETED
    for line in story(sys.argv[1]):
        print(line, flush=True)
