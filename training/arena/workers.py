"""Crews: who plays the units. All have `submit` and `collect`; at most `size` units may be under way."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from dataclasses import replace
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol

from ka_env.errors import KaError
from ka_env.hints import install_extra
from ka_env.training.arena.faults import ArenaError
from ka_env.training.arena.plan import Unit
from ka_env.training.arena.play import Cast, GameRow, abandoned, play_unit


class Played(NamedTuple):
    unit: Unit
    rows: list[GameRow]
    seconds: float


class Crew(Protocol):
    size: int

    def submit(self, unit: Unit) -> None: ...
    def collect(self) -> Played:
        """Wait until a unit is finished."""

    def close(self) -> None: ...


def make_crew(workers: int | None = None, ray: str | None = None) -> Crew:
    """`workers` processes (all cores by default), none but this one for 0; or Ray: `auto` or `local`."""
    if ray is not None:
        return RayCrew(ray, workers)
    if workers is None:
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 0:
        raise ArenaError(f"workers must be at least 0, not {workers}")
    return LocalCrew(workers) if workers else SoloCrew()


def _timed(unit: Unit, cast: Cast) -> Played:
    began = time.perf_counter()
    return Played(unit, play_unit(unit, cast), time.perf_counter() - began)


class SoloCrew:
    """Plays in this process."""

    size = 1

    def __init__(self) -> None:
        self._cast = Cast()
        self._units: list[Unit] = []

    def submit(self, unit: Unit) -> None:
        self._units.append(unit)

    def collect(self) -> Played:
        return _timed(self._units.pop(0), self._cast)

    def close(self) -> None:
        self._cast.close()


# ---- processes ------------------------------------------------------------------------------------------------------


class LocalCrew:
    """Processes of this machine. If one dies, its unit is played again with every agent in a process of its own.

    If that one dies too, an agent has ended it from outside: its games are lost.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._idle = [_Worker(quiet=number < size - 1) for number in range(size)]  # the last is asked first
        self._busy: dict[Connection, tuple[_Worker, Unit]] = {}
        self._abandoned: list[Played] = []

    def submit(self, unit: Unit) -> None:
        worker = self._idle.pop()
        self._busy[worker.pipe] = (worker, unit)
        worker.pipe.send(unit)

    def collect(self) -> Played:
        while not self._abandoned:
            (pipe, *_) = wait(list(self._busy))
            assert isinstance(pipe, Connection)
            worker, unit = self._busy.pop(pipe)
            try:
                answer = pipe.recv()
            except (EOFError, OSError):
                self._replace(worker, unit)
                continue
            self._idle.append(worker)
            if isinstance(answer, Played):
                return answer
            raise ArenaError(f"{unit}: {answer}")
        return self._abandoned.pop()

    def _replace(self, worker: _Worker, unit: Unit) -> None:
        code = worker.stop()
        self._idle.append(_Worker(quiet=True))
        if not unit.isolated:
            self.submit(replace(unit, isolated=True))
            return
        rows = abandoned(unit, f"a worker ended with exit code {code} while playing {unit}, as the one before it")
        self._abandoned.append(Played(unit, rows, 0.0))

    def close(self) -> None:
        for worker in [*self._idle, *(worker for worker, _ in self._busy.values())]:
            worker.stop()


class _Worker:
    """A process; `quiet` ones leave it to another to say what is being compiled."""

    def __init__(self, quiet: bool) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, quiet))  # no daemon: it starts processes for guests
        self._process.start()
        theirs.close()

    def stop(self) -> int | None:
        self.pipe.close()
        self._process.terminate()
        self._process.join()
        return self._process.exitcode


def _work(pipe: Connection, quiet: bool) -> None:
    """Play units until the pipe is closed."""
    if quiet:
        os.environ["KA_QUIET"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    end_with_parent()
    cast = Cast()
    while True:
        try:
            unit = pipe.recv()
        except (EOFError, OSError):
            break
        pipe.send(_answer(unit, cast))
    cast.close()


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _answer(unit: Unit, cast: Cast) -> Played | str:
    try:
        return _timed(unit, cast)
    except KaError as error:
        return str(error)
    except Exception:
        return traceback.format_exc()


# ---- Ray ------------------------------------------------------------------------------------------------------------

_ray_cast = Cast()  # of the Ray worker process this module is imported in


def _ray_task(unit: Unit, path: list[str]) -> Played | str:
    sys.path += [folder for folder in path if folder not in sys.path]
    return _answer(unit, _ray_cast)


class RayCrew:
    """The same units as Ray tasks: on the cluster at hand (`auto`) or on this machine (`local`)."""

    def __init__(self, address: str, size: int | None = None) -> None:
        try:
            self._ray: Any = import_module("ray")
        except ImportError:
            raise ArenaError(f"--ray needs the extra `ray`: {install_extra('ray')}") from None
        if address not in ("auto", "local"):
            raise ArenaError(f"--ray is 'auto' or 'local', not {address!r}")
        if not self._ray.is_initialized():
            self._ray.init(address=address, log_to_driver=False)
        self.size = size or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._play = self._ray.remote(_ray_task)
        self._units: dict[Any, Unit] = {}

    def submit(self, unit: Unit) -> None:
        self._units[self._play.remote(unit, sys.path)] = unit

    def collect(self) -> Played:
        (ready, *_), _ = self._ray.wait(list(self._units), num_returns=1)
        unit = self._units.pop(ready)
        answer = self._ray.get(ready)
        if isinstance(answer, Played):
            return answer
        raise ArenaError(f"{unit}: {answer}")

    def close(self) -> None:
        for task in self._units:
            self._ray.cancel(task, force=True)
        self._ray.shutdown()
