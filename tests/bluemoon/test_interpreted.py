"""Compiled and interpreted rules are the same rules: whole games and made-up positions, hashed after every step.

Run as a module, this file prints the story; with NUMBA_DISABLE_JIT=1 it is the interpreted half of the comparison.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from ka_env.engine.jit import INTERPRETED

from .play import many

ROOT = Path(__file__).parents[2]


def story():
    for k, game in enumerate(many("interpreted", 8, 30)):
        mark = game.state.tobytes() + b"".join(game.observation(p).tobytes() for p in (0, 1))
        if k % 10 == 0:
            mark += game.determinize(k // 10 % 2, k).state.tobytes()
            mark += b"".join(array.tobytes() for array in game.entities(0).values())
        yield f"{k} {hashlib.blake2b(mark, digest_size=8).hexdigest()} {' '.join(game.legal())}"


def test_compiled_is_interpreted():
    assert not INTERPRETED
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.bluemoon.test_interpreted"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = done.stdout.splitlines()
    for k, line in enumerate(story()):
        assert k < len(told), f"stops after {len(told)} steps:\n{done.stderr[-2000:]}"
        assert told[k] == line, f"step {k} differs"
    assert done.stderr == "", "warnings"


if __name__ == "__main__":
    for line in story():
        print(line, flush=True)
