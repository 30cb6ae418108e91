"""Agents that do what agents must not: `python:ka_env.training.selftest.hostile:Class`. Don't give them to people.

Each plays the first legal action until its second decision, and then does its worst. `FORFEITS` lose a game by it at
least; `HARMLESS` do something that must have no effect.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import os
import signal
import socket
import sqlite3
import stat
import struct
import sys
import threading
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.agents import Agent


class Hostile(Agent):
    """Behaves until its second decision of a game."""

    needs_views = True

    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        self.decisions = 0

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> Any:
        self.decisions += 1
        if self.decisions == 2:
            found = self.misbehave(masks, observations, views)
            if found is not None:
                return found
        return masks.argmax(axis=1)

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        """An answer, or None to go on with a legal one."""


def pipes() -> list[int]:
    """This process's open pipes that can be written to: the arena's among them."""
    found = []
    for fd in range(3, 1024):
        try:
            if stat.S_ISFIFO(os.fstat(fd).st_mode) and fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY:
                found.append(fd)
        except OSError:
            continue
    return found


def frame(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


# ---- failing --------------------------------------------------------------------------------------------------------


class Raises(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        raise RuntimeError("no idea")


class RaisesInBegin(Hostile):
    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        raise RuntimeError("not today")


class FailsToStart(Hostile):
    """Can be made in the check before the tournament, and never again: as soon as the store is there."""

    def __init__(self, store: str) -> None:
        if Path(store).exists():
            raise RuntimeError("no GPU memory left")


class Escapes(Hostile):
    """Its message would colour terminals and run in pages."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        raise RuntimeError("\x1b[31m\u202e<script>window.OWNED = 1</script>" + "x" * 1_000_000)


class ExitsHard(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        os._exit(7)


class ExitsSoftly(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        sys.exit(0)


class Crashes(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        ctypes.string_at(0)


class CrashesLater(Hostile):
    """Between two questions."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        threading.Timer(0.05, os._exit, [9]).start()
        time.sleep(1)


# ---- taking for ever ------------------------------------------------------------------------------------------------


class Loops(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        while True:
            pass


class Sleeps(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        time.sleep(10_000)


class LoopsInBegin(Hostile):
    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        time.sleep(10_000)


class IgnoresSignals(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(1)


# ---- wrong answers --------------------------------------------------------------------------------------------------


class Illegal(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        return masks.argmin(axis=1)


class MinusOne(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        return np.array([-1])


class Huge(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        return np.array([2**63 - 1])


class Words(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        return "the first one"


class Many(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        return np.zeros(5_000_000, np.int64)


class Nothing(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        return np.zeros(0, np.int64)


# ---- playing with the pipe ------------------------------------------------------------------------------------------


class HalfMessage(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for fd in pipes():
            os.write(fd, b"\0\0\1\0" + b'["done"')
        time.sleep(10_000)


class Drips(Hostile):
    """A byte now and then."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for byte in frame(b'["done", [0]]' + b" " * 10_000):
            for fd in pipes():
                os.write(fd, bytes([byte]))
            time.sleep(0.2)


class NeverReads(Hostile):
    """Answers without being asked."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        answer = frame(b'["done", [%d]]' % masks[0].argmax())
        while True:
            for fd in pipes():
                os.write(fd, answer * 64)  # the first one is legal, the others are there before the next question


class OverLong(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for fd in pipes():
            os.write(fd, struct.pack(">I", 2**31) + b"x" * 1000)
        time.sleep(10_000)


class Nested(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for fd in pipes():
            os.write(fd, frame(b"[" * 60_000))
        time.sleep(10_000)


class Garbage(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for fd in pipes():
            os.write(fd, frame(bytes(range(256))))
        time.sleep(10_000)


class ClosesEverything(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        os.closerange(0, 1024)
        time.sleep(10_000)


# ---- eating the machine ---------------------------------------------------------------------------------------------


class Memory(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        kept = []
        while True:
            kept.append(np.ones(1 << 24))


class Prints(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for _ in range(1000):
            print("x" * 1_000_000, flush=True)


class FillsTheDisk(Hostile):
    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for number in range(1000):
            Path(f"file{number}").write_bytes(bytes(10_000_000))


class Forks(Hostile):
    """Leaves processes that never end by themselves, and then exits."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for _ in range(30):
            if os.fork() == 0:
                os.setsid()
                time.sleep(10_000)
                os._exit(0)
        os._exit(5)


# ---- reaching beyond ------------------------------------------------------------------------------------------------


class KillsParents(Hostile):
    """The process that keeps it, and the one above: a worker of the arena."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        parents = [os.getppid()]
        try:
            fields = Path(f"/proc/{parents[0]}/stat").read_text().rpartition(")")[2].split()
            parents.append(int(fields[1]))
        except (OSError, IndexError):
            pass
        for pid in reversed(parents):
            if pid > 1:
                os.kill(pid, signal.SIGKILL)
        raise RuntimeError("nobody to kill" if max(parents) <= 1 else "parents killed")


class EditsTheStore(Hostile):
    """Turns all results round, if it can."""

    def __init__(self, store: str) -> None:
        self.store = store

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        try:
            connection = sqlite3.connect(self.store, timeout=1)
            connection.execute("UPDATE games SET score = 1 - score")
            connection.commit()
        except sqlite3.Error:
            pass


class Rummages(Hostile):
    """Looks for engines, records and the arena's memory, and writes into whatever it finds."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for thing in gc.get_objects():
            if isinstance(thing, np.ndarray) and thing.dtype.names:
                thing.view(np.uint8)[...] = 0
        for name in ("mem", "environ", "fd"):
            for pid in (os.getppid(), 1):
                try:
                    Path(f"/proc/{pid}/{name}").open("r+b").close()
                except OSError:
                    continue


class Scribbles(Hostile):
    """Writes into everything it was given, and answers well."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        chosen = masks.argmax(axis=1)
        masks[:] = True
        observations[:] = 1
        views.records["result"] = 1
        return chosen


class Patches(Hostile):
    """Changes the engine, in its own process."""

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        from ka_env.engine.batch import BatchEngine

        BatchEngine.step = lambda *_: None  # type: ignore[method-assign]


def marks(folder: Path) -> list[Path]:
    """Where Phones writes: in the folder and outside; every folder has its own, since others may test at that time."""
    name = f"ka-selftest-mark-{zlib.crc32(bytes(folder)):08x}"
    return [place / name for place in (folder, Path("/tmp"), Path("/dev/shm")) if place.is_dir()]


class Phones(Hostile):
    """Tries to reach its other process by network and by files, and leaves a mark if it can."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def misbehave(self, masks: np.ndarray, observations: Any, views: Any) -> Any:
        for mark in marks(self.folder):
            try:
                mark.write_text("here")
            except OSError:
                continue
        try:
            with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
                (self.folder / "ka-selftest-network").write_text("here")
        except OSError:
            pass


FORFEITS = [
    *(Raises, RaisesInBegin, FailsToStart, Escapes, ExitsHard, ExitsSoftly, Crashes, CrashesLater),
    *(Loops, Sleeps, LoopsInBegin, IgnoresSignals, Illegal, MinusOne, Huge, Words, Many, Nothing),
    *(HalfMessage, Drips, NeverReads, OverLong, Nested, Garbage, ClosesEverything),
    *(Memory, Prints, FillsTheDisk, Forks, KillsParents),
]
HARMLESS = [EditsTheStore, Rummages, Scribbles, Patches, Phones]


def specs(store: str, folder: str) -> dict[str, str]:
    """All of them by name, as the arena takes them."""
    options = {"FailsToStart": f",store={store}", "EditsTheStore": f",store={store}", "Phones": f",folder={folder}"}
    names = [kind.__name__ for kind in (*FORFEITS, *HARMLESS)]
    return {name: f"python:{__name__}:{name}{options.get(name, '')}" for name in names}
