"""Learning on several cores: a process for each, with games of its own.

All members of a team do the same in lockstep: the captain (this process) tells the others what. Their gradients lie
side by side in shared memory, and there is one set of weights for all.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from ka_env.errors import KaError
from ka_env.training.arena.workers import end_with_parent
from ka_env.training.config import Config

LINE = 64  # bytes that processors read at once


def padded(count: int) -> int:
    """So many numbers in whole lines."""
    return -(-count // (LINE // 4)) * (LINE // 4)


def _room(rows: int, count: int) -> int:
    return rows * padded(count) + LINE // 4


class Team:
    """A team of one. What members of larger ones do together is written so that one can do it alone."""

    rank, size = 0, 1

    def __init__(self, count: int) -> None:
        self._lay_out(np.zeros(_room(2, count), np.float32), count)

    def _lay_out(self, memory: Any, count: int) -> None:
        """Where processors like it best, and always alike: how numbers lie decides how sums are rounded."""
        numbers = np.frombuffer(memory, np.float32)
        first = -numbers.ctypes.data % LINE // 4
        rows = numbers[first : first + (self.size + 1) * padded(count)].reshape(self.size + 1, -1)
        self.weights, self.gradients = rows[0], rows[1:]

    @property
    def gradient(self) -> np.ndarray:
        """The own one."""
        return self.gradients[self.rank]

    def tell(self, method: str, *words: Any) -> None:
        """The captain's: all others do the same as it is about to do."""

    def gather(self, own: Any) -> list[Any]:
        """What everybody brings, by rank. Nobody goes on before all are here."""
        return [own]

    def scatter(self, several: list[Any] | None) -> Any:
        """To each what the captain has for it."""
        assert several is not None
        return several[0]

    def close(self) -> None:
        """Let the others go."""


class Captain(Team):
    def __init__(self, config: Config, size: int, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        memory = context.RawArray("f", _room(size + 1, count))  # vanishes with the last of its processes
        self.size = size
        self._lay_out(memory, count)
        self._pipes: list[Connection] = []
        self._mates = []
        for rank in range(1, size):
            pipe, theirs = context.Pipe()
            mate = context.Process(target=_follow, args=(config, rank, size, memory, count, theirs), daemon=True)
            mate.start()
            theirs.close()
            self._pipes.append(pipe)
            self._mates.append(mate)

    def tell(self, method: str, *words: Any) -> None:
        for rank in range(1, self.size):
            self._send(rank, (method, words))

    def gather(self, own: Any) -> list[Any]:
        everything = [own, *(self._receive(rank) for rank in range(1, self.size))]
        for rank in range(1, self.size):
            self._send(rank, everything)
        return everything

    def scatter(self, several: list[Any] | None) -> Any:
        assert several is not None
        for rank in range(1, self.size):
            self._send(rank, several[rank])
        return several[0]

    def close(self) -> None:
        for pipe, mate in zip(self._pipes, self._mates):
            pipe.close()
            mate.terminate()
            mate.join()

    def _send(self, rank: int, thing: Any) -> None:
        try:
            self._pipes[rank - 1].send(thing)
        except (BrokenPipeError, ConnectionError):
            self._receive(rank)  # its last word, if there is one
            raise

    def _receive(self, rank: int) -> Any:
        try:
            found = self._pipes[rank - 1].recv()
        except (EOFError, ConnectionError):
            self._mates[rank - 1].join(5)
            code = self._mates[rank - 1].exitcode
            raise KaError(f"process {rank} of the training has ended (exit code {code})") from None
        if isinstance(found, _Failure):
            raise KaError(f"process {rank} of the training has failed: {found.words}")
        return found


class Mate(Team):
    def __init__(self, rank: int, size: int, memory: Any, count: int, pipe: Connection) -> None:
        self.rank, self.size, self._pipe = rank, size, pipe
        self._lay_out(memory, count)

    def gather(self, own: Any) -> list[Any]:
        self._pipe.send(own)
        return self._pipe.recv()

    def scatter(self, several: list[Any] | None) -> Any:
        return self._pipe.recv()


class _Failure:
    def __init__(self, words: str) -> None:
        self.words = words


def _follow(config: Config, rank: int, size: int, memory: Any, count: int, pipe: Connection) -> None:
    """A mate's life: do what the captain tells until it goes."""
    os.environ["KA_QUIET"] = "1"  # the captain says what is being compiled
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the captain's business
    end_with_parent()
    try:
        from ka_env.training.ppo import FastTrainer

        trainer = FastTrainer(config, Mate(rank, size, memory, count, pipe))
        while True:
            method, words = pipe.recv()
            getattr(trainer, method)(*words)
    except (EOFError, ConnectionError):
        pass  # the captain has gone
    except KaError as error:
        known = "it knows only games and agents that can be imported; threads=1 does without"
        pipe.send(_Failure(f"{error} ({known})"))
    except Exception:
        pipe.send(_Failure(traceback.format_exc()))


def members(config: Config) -> int:
    """How many learn: a process for each thread; no more than there are actors that play, if Ray's do."""
    return min(config.threads, config.workers or config.threads)


def make_team(config: Config, count: int) -> Team:
    """`count`: of the weights."""
    size = members(config)
    return Captain(config, size, count) if size > 1 else Team(count)
