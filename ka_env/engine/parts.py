"""Sharing work among threads where Python calls kernels or NumPy: searches and networks.

Batches of games are shared by `prange` inside the parallel entries of a game: a step is too short for a hand-over
between Python threads.

Kernels release the GIL, so plain threads do. The caller works on the last part itself; the other threads are kept, and
wait on a queue of their own, which costs some microseconds a call.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue

Work = Callable[[int, int], None]  # from, to


class _Helper:
    """A thread that does one piece of work at a time."""

    def __init__(self) -> None:
        self._todo: SimpleQueue[tuple[Work, int, int]] = SimpleQueue()
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        threading.Thread(target=self._run, daemon=True, name="ka_env part").start()

    def _run(self) -> None:
        while True:
            work, low, high = self._todo.get()
            try:
                work(low, high)
                self._done.put(None)
            except BaseException as error:
                self._done.put(error)

    def start(self, work: Work, low: int, high: int) -> None:
        self._todo.put((work, low, high))

    def wait(self) -> None:
        error = self._done.get()
        if error is not None:
            raise error


_local = threading.local()  # each caller has helpers of its own: two callers never wait for each other


def _helpers(count: int) -> list[_Helper]:
    found = getattr(_local, "helpers", None)
    if found is None or _local.pid != os.getpid():  # threads don't survive a fork
        found = _local.helpers = []
        _local.pid = os.getpid()
    while len(found) < count:
        found.append(_Helper())
    return found[:count]


@cache
def _edges(count: int, threads: int) -> list[tuple[int, int]]:
    return [(count * t // threads, count * (t + 1) // threads) for t in range(threads)]


def in_parts(work: Work, count: int, threads: int, least: int = 64) -> None:
    """Call work(low, high) for equal parts of range(count), side by side; fewer than `least` are not worth it."""
    if threads == 1 or count < least:
        work(0, count)
        return
    *others, (low, high) = _edges(count, threads)
    helpers = _helpers(threads - 1)
    for helper, part in zip(helpers, others):
        helper.start(work, *part)
    try:
        work(low, high)
    finally:
        for helper in helpers:
            helper.wait()
