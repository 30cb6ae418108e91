"""Third-party agents, each in a process of its own: whatever it does there costs it one game and nothing else.

A guest is asked one decision at a time, so that it is clear which game it fails in. It plays one game at a time in
each seat order, and each seat order has its own process: a guest never holds both sides of a deal. Its answers
are numbers in JSON, never pickles.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import sys
import threading
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from ka_env.agents import Agent, AgentError, make_agent
from ka_env.training.arena.faults import CRASH, ILLEGAL, TIMEOUT, Fault

START_TIME = 300.0  # seconds for importing and making the agent, compiling included
MOST_BYTES = 1 << 20  # of one answer


class GuestAgent(Agent):
    """An agent that plays in other processes. Games 0 and 1 (the two seat orders) go to different ones."""

    def __init__(self, spec: str, move_time: float) -> None:
        self.name = spec
        self._move_time = move_time
        self._processes = [GuestProcess(spec), GuestProcess(spec)]
        self._learn_needs()

    def _learn_needs(self) -> None:
        try:
            needs = self._processes[0].start()
        except Fault as fault:
            raise AgentError(f"agent {self.name!r} can't be made:\n{fault.text}") from None
        self.needs_observations, self.needs_views = bool(needs[0]), bool(needs[1])

    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        for i, game in enumerate(games):
            one = slice(i, i + 1)
            self._processes[game].ask(self._move_time, "begin", games[one], seats[one], seeds[one])

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> np.ndarray:
        (game,) = games
        answer = self._processes[game].ask(self._move_time, "act", games, observations, masks, views)
        if not isinstance(answer, list) or len(answer) != 1 or type(answer[0]) is not int:
            raise Fault(ILLEGAL, f"expected one action id, got {answer!r}")
        return np.array([np.clip(answer[0], -(2**31), 2**31)], np.int64)

    def close(self) -> None:
        for process in self._processes:
            process.stop()


class GuestProcess:
    """One process with one agent in it. It is started when it is needed and stopped after every fault."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._process: Any = None
        self._pipe: Connection | None = None

    def start(self) -> Any:
        """Returns what the agent wants to be given: observations?, views?"""
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._spec), daemon=True)
        self._process.start()
        theirs.close()
        return self._answer(START_TIME)

    def ask(self, seconds: float, method: str, *arguments: Any) -> Any:
        """Call a method of the agent. Raises Fault if there is no proper answer in time."""
        if self._pipe is None:
            self.start()
        assert self._pipe is not None
        try:
            self._pipe.send((method, arguments))
        except OSError:
            raise self._gone() from None
        return self._answer(seconds)

    def _answer(self, seconds: float) -> Any:
        assert self._pipe is not None
        try:
            if not self._pipe.poll(seconds):
                self.stop()
                raise Fault(TIMEOUT, f"no answer within {seconds:g} s")
            kind, value = json.loads(self._pipe.recv_bytes(MOST_BYTES))
        except (EOFError, OSError):
            raise self._gone() from None
        except ValueError:
            self.stop()
            raise Fault(CRASH, "the agent's process sent something unreadable") from None
        if kind != "done":
            self.stop()
            raise Fault(CRASH, str(value))
        return value

    def _gone(self) -> Fault:
        self._process.join(5)
        code = self._process.exitcode
        self.stop()
        return Fault(CRASH, f"the agent's process ended with exit code {code}")

    def stop(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
        self._pipe = self._process = None


# ---- inside the process ---------------------------------------------------------------------------------------------


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _serve(pipe: Connection, spec: str) -> None:
    """Make the agent and answer calls until the pipe is closed."""
    end_with_parent()
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        try:
            agent = make_agent(spec)
            _send(pipe, "done", [bool(agent.needs_observations), bool(agent.needs_views)])
            while True:
                method, arguments = pipe.recv()
                answer = getattr(agent, method)(*arguments)
                _send(pipe, "done", None if method == "begin" else _plain(answer))
        except (EOFError, OSError):
            raise
        except BaseException:
            _send(pipe, "failed", traceback.format_exc())
            sys.stdout.flush()


def _plain(answer: Any) -> Any:
    """An answer as JSON knows it; what it does not know is told by its text."""
    answer = np.asarray(answer)
    return answer.tolist() if answer.dtype.kind in "iu" else repr(answer)


def _send(pipe: Connection, kind: str, value: Any) -> None:
    pipe.send_bytes(json.dumps([kind, value]).encode())
