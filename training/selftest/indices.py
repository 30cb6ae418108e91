"""Does any kernel use an index below 0? Numba takes -1 for the last place, so even its bounds checks don't see it.

Played without compiling, on records whose arrays refuse such an index.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.engine.batch import BatchEngine
from ka_env.engine.jit import INTERPRETED
from ka_env.games import all_rulesets
from ka_env.training.selftest.results import Result, Task

GAMES = 2


class Watched(np.ndarray):
    """An array that knows no index below 0."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(_above(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(_above(index), value)


def _above(index: Any) -> Any:
    for one in index if isinstance(index, tuple) else (index,):
        if isinstance(one, int | np.integer) and one < 0:
            raise IndexError(f"index {index} is below 0")
    return index


class WatchedRecord(np.record):  # type: ignore[misc]  # final for type checkers only
    """A record whose arrays are watched; where kernels copy it, the copy is not."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return value.view(Watched) if type(value) is np.ndarray else value


def watched(games: np.ndarray) -> np.ndarray:
    """The same records, watched."""
    return games.view(np.ndarray).view(np.dtype((WatchedRecord, games.dtype.fields)))


def indices(task: Task, result: Result) -> None:
    """Whole games of every ruleset, with what players see of them."""
    if not INTERPRETED:
        result.fail("NUMBA_DISABLE_JIT=1 is needed")
        return
    for number in task.tries(1):
        for ruleset in all_rulesets():
            if not task.in_time:
                break
            engine = BatchEngine(ruleset, num_games=GAMES, seed=task.seed + number)
            kernels = engine.about.kernels
            engine.games = watched(engine.games)
            rng = np.arange(1, GAMES + 1, dtype=np.uint64)
            row = np.zeros((GAMES, engine.observation_size), np.float32)
            result.tried += GAMES
            try:
                while not engine.done.all() and task.in_time:
                    engine.step(engine.random_actions(rng))
                    kernels.observe_games(engine.games, 1, engine.to_play, row)
                    result.count("decisions", int((~engine.done).sum()))
            except IndexError as error:
                result.fail(f"{ruleset}: {error}: {_where(error)}")


def _where(error: BaseException) -> str:
    """The kernel that used the index."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return next((frame for frame in reversed(frames) if "selftest" not in frame), frames[-1])
