"""Third-party agents, each in a process of its own: whatever it does there costs it one game and nothing else.

A guest is asked one decision at a time, so that it is clear which game it fails in. It plays one game at a time in
each seat order, and each seat order has its own process: a guest never holds both sides of a deal. Its answers
are numbers in JSON, never pickles. One deadline stands over asking and answering. What its process can't do is told in
cell.py; how far that goes depends on the platform.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ka_env.agents import Agent, AgentError, make_agent
from ka_env.training.arena.faults import CRASH, ILLEGAL, TIMEOUT, ArenaError, Fault
from ka_env.training.arena.plan import MEMORY, MOVE_TIME

CELL = Path(__file__).with_name("cell.py")
START_TIME = 300.0  # seconds for importing and making the agent, compiling included
END_TIME = 10.0  # seconds to wait for the exit code of a process that is ending
MOST_STARTS = 3  # failures in a row before it is not tried any more
MOST_BYTES = 1 << 16  # of one answer
TOLD_BYTES = 2000  # of what a guest printed, in the message of its crash
_SIZE = struct.Struct(">I")


class Limits(NamedTuple):
    """What a guest has and has not."""

    move_time: float = MOVE_TIME
    memory: int = MEMORY  # megabytes for each process
    walls: bool = True  # False: only limits, as where the kernel allows nothing more
    hidden: tuple[str, ...] = ()  # files it must not see


class GuestAgent(Agent):
    """An agent that plays in other processes. Games 0 and 1 (the two seat orders) go to different ones."""

    def __init__(self, spec: str, limits: Limits = Limits()) -> None:  # noqa: B008  (immutable)
        self.name = spec
        self._processes = [GuestProcess(spec, limits), GuestProcess(spec, limits)]
        self._limits = limits

    def prepare(self) -> tuple[str, ...]:
        """Start it once, so that what is wrong is told before anything is played. The walls that stand around it."""
        process = self._processes[0]
        try:
            process.start()
        except Fault as fault:
            raise AgentError(f"agent {self.name!r} can't be made:\n{fault.text}") from None
        return process.walls

    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        for i, game in enumerate(games):
            one, process = slice(i, i + 1), self._processes[game]
            process.ask(self._limits.move_time, "begin", games[one], seats[one], seeds[one])
            self.needs_observations, self.needs_views = process.needs

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> np.ndarray:
        return self._ask_one("act", games, observations, masks, views)

    def between(self, games: np.ndarray, observations: np.ndarray, masks: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        return self._ask_one("between", games, observations, masks, seeds)

    def _ask_one(self, method: str, games: np.ndarray, *arguments: Any) -> np.ndarray:
        (game,) = games
        answer = self._processes[game].ask(self._limits.move_time, method, games, *arguments)
        if not isinstance(answer, list) or len(answer) != 1 or type(answer[0]) is not int:
            raise Fault(ILLEGAL, f"expected one action id, got {str(answer)[:200]!r}")
        return np.array([np.clip(answer[0], -(2**31), 2**31)], np.int64)

    def close(self) -> None:
        for process in self._processes:
            process.stop()


class GuestProcess:
    """One process with one agent in it. It is started when it is needed and stopped after every fault."""

    def __init__(self, spec: str, limits: Limits) -> None:
        self._spec, self._limits = spec, limits
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._failure = Fault(CRASH, "")
        self.needs = (True, False)  # observations, views
        self.walls: tuple[str, ...] = ()

    # ---- starting and stopping

    def start(self) -> None:
        """Learns what the agent wants to be given. Raises Fault if it can't be made."""
        if self._process is not None:
            return
        if self._failures >= MOST_STARTS:
            raise Fault(self._failure.reason, f"{MOST_STARTS} starts in a row have failed:\n{self._failure.text}")
        self._launch()
        try:
            deadline = time.monotonic() + START_TIME
            self.walls = tuple(map(str, self._receive(deadline, START_TIME)))  # sent before the agent has a say
            needs = self._receive(deadline, START_TIME)
            self.needs = (bool(needs[0]), bool(needs[1]))
        except Fault as fault:
            self._failures, self._failure = self._failures + 1, fault
            raise
        self._failures = 0

    def _launch(self) -> None:
        if os.name != "posix":
            raise ArenaError("third-party agents need Linux or macOS")
        questions, self._questions = os.pipe()
        self._answers, answers = os.pipe()
        life, self._life = os.pipe()
        self._folder = tempfile.mkdtemp(prefix="ka-guest-")
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed in stop)
        orders = {
            "questions": questions,
            "answers": answers,
            "life": life,
            "spec": self._spec,
            "folder": self._folder,
            "hidden": list(self._limits.hidden),
            "memory": self._limits.memory,
            "walls": self._limits.walls,
            "path": sys.path,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(CELL), json.dumps(orders)],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            pass_fds=(questions, answers, life),
            start_new_session=True,
        )
        for theirs in (questions, answers, life):
            os.close(theirs)
        for ours in (self._questions, self._answers):
            os.set_blocking(ours, False)

    def stop(self) -> None:
        """End it, and everything it has started where that can be done."""
        if self._process is None:
            return
        for ours in (self._life, self._questions, self._answers):
            os.close(ours)
        self._exit_code()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._output.close()
        self._process = None

    def _exit_code(self) -> int:
        """Of the process, whose keeper ends by itself now; a keeper that does not is ended."""
        assert self._process is not None
        try:
            return self._process.wait(END_TIME)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            return self._process.wait()

    # ---- asking

    def ask(self, seconds: float, method: str, *arguments: Any) -> Any:
        """Call a method of the agent. Raises Fault if there is no proper answer in time."""
        self.start()
        deadline = time.monotonic() + seconds
        if self._wait(self._answers, select.POLLIN, time.monotonic()):
            raise self._unasked()
        question = pickle.dumps((method, arguments))
        self._send(_SIZE.pack(len(question)) + question, deadline, seconds)
        return self._receive(deadline, seconds)

    def _wait(self, pipe: int, what: int, deadline: float) -> bool:
        """Until a pipe is ready, closed pipes included; False if it isn't in time."""
        poll = select.poll()
        poll.register(pipe, what)
        return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))

    def _send(self, data: bytes, deadline: float, seconds: float) -> None:
        rest = memoryview(data)
        while rest:
            if not self._wait(self._questions, select.POLLOUT, deadline):
                raise self._late(seconds)
            try:
                rest = rest[os.write(self._questions, rest[: 1 << 16]) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._gone() from None

    def _receive(self, deadline: float, seconds: float) -> Any:
        (size,) = _SIZE.unpack(self._read(_SIZE.size, deadline, seconds))
        if size > MOST_BYTES:
            raise self._fault(CRASH, f"an answer of {size} bytes: at most {MOST_BYTES} are taken")
        data = self._read(size, deadline, seconds)
        try:
            kind, value = json.loads(data)
        except (ValueError, TypeError, RecursionError):
            raise self._fault(CRASH, "the agent's process sent something unreadable") from None
        if kind != "done":
            raise self._fault(CRASH, str(value))
        return value

    def _read(self, size: int, deadline: float, seconds: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            if not self._wait(self._answers, select.POLLIN, deadline):
                raise self._late(seconds)
            data = os.read(self._answers, size - len(found))
            if not data:
                raise self._gone()
            found += data
        return bytes(found)

    # ---- what can go wrong

    def _fault(self, reason: str, text: str) -> Fault:
        self.stop()
        return Fault(reason, text)

    def _late(self, seconds: float) -> Fault:
        return self._fault(TIMEOUT, f"no answer within {seconds:g} s")

    def _unasked(self) -> Fault:
        if not self._peek():
            return self._gone()
        return self._fault(CRASH, "the agent's process sent something without being asked")

    def _peek(self) -> bool:
        """Is there anything to read? The process has ended if not."""
        try:
            return bool(os.read(self._answers, 1))
        except BlockingIOError:
            return True

    def _gone(self) -> Fault:
        text, printed = f"the agent's process {self._ending()}", self._printed()
        return self._fault(CRASH, f"{text}; the last it printed:\n{printed}" if printed else text)

    def _ending(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(END_TIME)
        except subprocess.TimeoutExpired:
            return "has closed its pipe"
        return f"was ended by {_signal_name(code - 128)}" if code > 128 else f"ended with exit code {code}"

    def _printed(self) -> str:
        size = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, size - TOLD_BYTES))
        return self._output.read(TOLD_BYTES).decode(errors="replace").strip()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# ---- inside the process ---------------------------------------------------------------------------------------------


def serve(questions: int, answers: int, spec: str, folder: str, walls: list[str]) -> None:
    """Make the agent and answer calls until the pipe is closed. Called by cell.py."""
    _send(answers, "done", walls)
    try:
        agent = make_agent(spec)  # where the arena was started, so that it finds files by relative paths
        os.chdir(folder)
        _send(answers, "done", [bool(agent.needs_observations), bool(agent.needs_views)])
        with open(questions, "rb") as file:
            while head := file.read(_SIZE.size):
                method, arguments = pickle.loads(file.read(*_SIZE.unpack(head)))
                answer = getattr(agent, method)(*arguments)
                _send(answers, "done", None if method == "begin" else _plain(answer))
    except BrokenPipeError:
        pass
    except BaseException:
        _send(answers, "failed", traceback.format_exc()[-MOST_BYTES // 8 :])


def _plain(answer: Any) -> Any:
    """An answer as JSON knows it; what it does not know is told by its text."""
    answer = np.asarray(answer)
    return answer.tolist() if answer.dtype.kind in "iu" and answer.size < 100 else repr(answer)[:1000]


def _send(pipe: int, kind: str, value: Any) -> None:
    data = json.dumps([kind, value]).encode()
    rest = memoryview(_SIZE.pack(len(data)) + data)
    while rest:
        rest = rest[os.write(pipe, rest) :]
