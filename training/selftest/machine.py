"""Threads, processes, and playing for a long time."""

from __future__ import annotations

import copy
import hashlib
import multiprocessing
import os
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.engine.batch import BatchEngine
from ka_env.games import all_rulesets
from ka_env.training.selftest.results import Result, Task

GAMES, STEPS = 512, 300


def played(ruleset: str, threads: int, seed: int, steps: int = STEPS) -> str:
    """A hash of the games after so many rounds of random play."""
    engine = BatchEngine(ruleset, num_games=GAMES, seed=seed, threads=threads)
    rng = np.arange(1, GAMES + 1, dtype=np.uint64)
    for _ in range(steps):
        engine.step(engine.random_actions(rng))
        engine.reset_done()
    return hashlib.blake2b(engine.games.tobytes(), digest_size=8).hexdigest()


def _played_in_child(ruleset: str, threads: int, seed: int, answers: multiprocessing.Queue) -> None:
    answers.put(played(ruleset, threads, seed))


def threads(task: Task, result: Result) -> None:
    """The same games with any number of threads, in copies and pickles, and in processes started in either way."""
    rulesets = all_rulesets()
    for number in task.tries(1):
        seed = task.seed + number
        for ruleset in rulesets:
            expected = played(ruleset, 1, seed)
            for count in (2, 3, 7):
                result.tried += 1
                result.expect(played(ruleset, count, seed) == expected, f"{ruleset}: {count} threads differ")
            result.count("decisions", 4 * GAMES * STEPS)
        expected = played(rulesets[0], 2, seed)
        methods = [way for way in ("spawn", "fork") if way in multiprocessing.get_all_start_methods()]
        for way in methods:
            for count in (1, 2):
                result.tried += 1
                found = _in_child(way, rulesets[0], count, seed)
                result.expect(found == expected, f"{way}, {count} threads: {found} instead of {expected}")
        _copies(rulesets[-1], seed, result)


def _in_child(way: str, ruleset: str, count: int, seed: int) -> str:
    context: Any = multiprocessing.get_context(way)
    answers = context.Queue()
    child = context.Process(target=_played_in_child, args=(ruleset, count, seed, answers))
    child.start()
    try:
        return answers.get(timeout=300)
    except Exception:
        return f"exit code {child.exitcode}"
    finally:
        child.join(10)
        child.kill()


def _copies(ruleset: str, seed: int, result: Result) -> None:
    engine = BatchEngine(ruleset, num_games=32, seed=seed)
    for other in (copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
        result.tried += 1
        actions = engine.random_actions(np.arange(32, dtype=np.uint64))
        before = engine.games.tobytes()
        other.step(actions)
        result.expect(engine.games.tobytes() == before, "a copy shares its games")
        result.expect(other.games.tobytes() != before, "a copy does not play")


def _megabytes() -> float:
    """Memory of this process."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def soak(task: Task, result: Result) -> None:
    """Random play without end: memory stays as it is, nobody is ever without a choice, every game comes to an end."""
    goal = task.many(20_000_000)
    count, rulesets = 4096, all_rulesets()
    engines = [BatchEngine(ruleset, num_games=count, seed=task.seed) for ruleset in rulesets]
    states = [np.arange(1, count + 1, dtype=np.uint64) for _ in engines]
    ages = [np.zeros(count, np.int64) for _ in engines]
    began, after_warm_up, longest = time.monotonic(), 0.0, 0
    while result.tried < goal and task.in_time:
        for engine, rng, age in zip(engines, states, ages):
            result.expect(engine.action_mask.any(axis=1).all(), f"{engine}: nothing is legal")
            engine.step(engine.random_actions(rng))
            age += 1
            age[engine.done] = 0
            longest = max(longest, int(age.max()))
            engine.reset_done()
            result.tried += count
        if not after_warm_up and time.monotonic() - began > 5:
            after_warm_up = _megabytes()
    result.facts |= {"decisions": result.tried, "rulesets": len(rulesets), "longest game so far": longest}
    if after_warm_up:
        result.facts |= {"MB at first": round(after_warm_up), "MB at the end": round(_megabytes())}
        result.expect(_megabytes() < 1.1 * after_warm_up + 20, "memory grows")
    result.expect(longest < 20_000, f"a game of {longest} decisions")
