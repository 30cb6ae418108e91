"""kill -9 at random moments, early and late; then the same command goes on. At the end everything is as if nothing had
happened."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.training.selftest.results import Result, Task

PATIENCE = 900.0  # seconds for one command
AFTERLIFE = 30.0  # seconds in which processes must follow their parent


def _start(words: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "ka_env", *words], stdout=file, stderr=file, start_new_session=True
        )


def _run(words: Sequence[str], log: Path) -> float:
    """To its end; the seconds it took."""
    began = time.monotonic()
    code = _start(words, log).wait(PATIENCE)
    if code:
        raise RuntimeError(f"{' '.join(words[:3])} ended with exit code {code}: {log.read_text()[-500:]}")
    return time.monotonic() - began


def _children(pid: int) -> list[int]:
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [int(word) for word in found]


def _family(pid: int) -> list[int]:
    return [one for child in _children(pid) for one in (child, *_family(child))]


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _kill(
    process: subprocess.Popen[bytes], rng: random.Random, result: Result, workers: bool = False, ray: bool = False
) -> None:
    """The command, or (it goes on then) one of its workers. How long Ray's own processes stay is Ray's affair."""
    family = _family(process.pid)
    if workers and family and rng.random() < 0.3:
        os.kill(rng.choice(family), signal.SIGKILL)
        result.count("workers killed")
        return
    process.kill()
    process.wait()
    result.count("commands killed")
    deadline = time.monotonic() + AFTERLIFE
    while any(map(_lives, family)) and time.monotonic() < deadline:
        time.sleep(0.1)
    left = [pid for pid in family if _lives(pid)]
    if ray:
        result.count(f"Ray's processes left after {AFTERLIFE:.0f} s", len(left))
    else:
        result.expect(not left, f"{len(left)} processes outlive their command")
    for pid in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


# ---- the arena ------------------------------------------------------------------------------------------------------

AGENTS = ("random", "greedy", "rush")
RULES = ("8.0-lite/entry20", "6.1-std/full54")


def _arena(store: Path, pairs: int, *more: str) -> list[str]:
    on = [word for label in RULES for word in ("--on", label)]
    words = ["arena", "round-robin", *AGENTS, *on, "--pairs", str(pairs), "--seed", "1", "--store", str(store)]
    return [*words, "--workers", "2", "--no-report", "--quiet", *more]


def _games(store: Path) -> int:
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=10) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM games").fetchone()[0])
    except sqlite3.Error:
        return 0


def _rows(store: Path) -> list[Any]:
    with sqlite3.connect(store) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        return connection.execute("SELECT * FROM games ORDER BY rules, first, second, pair").fetchall()


def arena(task: Task, result: Result) -> None:
    _kill_arena(task, result, task.many(4), pairs=75, more=(), workers=True)


def arena_ray(task: Task, result: Result) -> None:
    """The same with Ray."""
    if find_spec("ray") is None:
        result.facts["left out"] = "Ray is not installed"
        return
    _kill_arena(task, result, task.many(1), pairs=100, more=("--ray", "local"), workers=False)


def _kill_arena(task: Task, result: Result, kills: int, pairs: int, more: Sequence[str], workers: bool) -> None:
    """`pairs`: of games for each kill, so that many have their moments."""
    pairs *= kills
    rng, log = task.rng("arena"), task.folder / "log"
    whole, killed = task.folder / "whole.sqlite", task.folder / "killed.sqlite"
    _run(_arena(whole, pairs), log)
    expected = _rows(whole)
    words = _arena(killed, pairs, *more)
    process = _start(words, log)
    for number in range(kills):
        if not task.in_time or _games(killed) >= len(expected):
            break
        if process.poll() is not None:
            process = _start(words, log)
        _wait_for(lambda: _games(killed), len(expected) * (number + rng.random()) / kills, process)
        result.facts["games stored at the last kill"] = _games(killed)
        _kill(process, rng, result, workers, ray=bool(more))
        result.tried += 1
    process.wait(PATIENCE)
    _run(words, log)
    found = _rows(killed)
    result.facts |= {"games": len(expected), "equal rows": sum(a == b for a, b in zip(expected, found))}
    result.expect(found == expected, f"{len(found)} games, {result.facts['equal rows']} of {len(expected)} equal")


def _wait_for(progress: Callable[[], float], goal: float, process: subprocess.Popen[bytes]) -> None:
    """Until it is so far, or the command has ended."""
    deadline = time.monotonic() + PATIENCE
    while progress() < goal and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)


# ---- training -------------------------------------------------------------------------------------------------------

SETTINGS = (
    "hidden=16,16", "games=32", "rollout=512", "minibatch=128", "threads=1", "agents=random", "baselines=random",
    "evaluate_pairs=4", "final_pairs=4", "snapshot_every=2", "evaluate_every=50", "checkpoint_every=2",
    "tensorboard=false", "self_share=0.4", "past_share=0.4",
)  # fmt: skip
UPDATES = 16
TIMES = (
    "seconds",
    "seconds_playing",
    "seconds_searching",
    "seconds_forward",
    "seconds_backward",
    "seconds_env",
    "time",
)


def training(task: Task, result: Result) -> None:
    """Two processes that learn together."""
    _kill_training(task, result, task.many(2), "trainer=fast", "threads=2")


def training_sb3(task: Task, result: Result) -> None:
    _kill_training(task, result, task.many(1), "trainer=sb3")


def training_ray(task: Task, result: Result) -> None:
    if find_spec("ray") is None:
        result.facts["left out"] = "Ray is not installed"
        return
    _kill_training(task, result, task.many(1), "trainer=fast", "workers=1")


def _kill_training(task: Task, result: Result, kills: int, *settings: str) -> None:
    if find_spec("torch") is None or find_spec("sb3_contrib") is None:
        result.facts["left out"] = "the extra `train` is not installed"
        return
    rng, log = task.rng("training"), task.folder / "log"
    whole, killed = task.folder / "whole", task.folder / "killed"
    given = [word for setting in (*SETTINGS, *settings, f"steps={512 * UPDATES}") for word in ("--set", setting)]
    _run(["train", *given, "--out", str(whole), "--quiet"], log)
    for number in range(kills):
        if not task.in_time:
            break
        process = _start(_go_on(killed, given), log)
        _wait_for(lambda: _updates(killed), UPDATES * (number + rng.random()) / kills, process)
        time.sleep(rng.random() * 0.3)
        result.facts["updates at the last kill"] = _updates(killed)
        _kill(process, rng, result, ray="workers=1" in settings)
        result.tried += 1
    _run(_go_on(killed, given), log)
    _compare_runs(whole, killed, result)


def _go_on(folder: Path, given: Sequence[str]) -> list[str]:
    """Resume, or begin if it was killed before there was anything to go on from."""
    if any((folder / name).exists() for name in ("checkpoint.pt", "checkpoint.pt.previous")):
        return ["train", "--resume", str(folder), "--quiet"]
    shutil.rmtree(folder, ignore_errors=True)
    return ["train", *given, "--out", str(folder), "--quiet"]


def _updates(folder: Path) -> int:
    try:
        return len((folder / "history.jsonl").read_text().splitlines())
    except OSError:
        return 0


def _compare_runs(whole: Path, killed: Path, result: Result) -> None:
    from ka_env.training import checkpoint

    (facts, arrays, _), (others, found, _) = (checkpoint.read(path / checkpoint.FILE) for path in (whole, killed))
    for name, array in arrays.items():
        same = name in found and np.array_equal(array, found[name])
        result.expect(same, f"{name} differs from the uninterrupted run")
    result.facts["arrays compared"] = len(arrays)
    one, two = (json.dumps(_without_times(some["history"])) for some in (facts, others))
    result.expect(one == two, "the history differs from the uninterrupted run")


def _without_times(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in TIMES} for row in history]
