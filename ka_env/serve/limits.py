"""How much of everything there may be, so that nobody can use up the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from ka_env.errors import KaError


class TooMuch(KaError):
    """More than the limits allow."""


class Limits(NamedTuple):
    message: int = 8_192  # bytes of a message that is read; a longer one is refused with an error
    frame: int = 65_536  # bytes of a message that is received at all: beyond it the connection ends
    games: int = 8  # running games of a client
    connections: int = 16  # of a client
    tables: int = 1_000  # in all; the oldest that nobody plays at make room
    per_second: float = 20  # messages of a connection, in the long run
    burst: int = 60  # and at once
    waiting: int = 500  # messages to a connection that doesn't read them
    refused: int = 200  # errors in a row before a connection ends


class Bucket:
    """So many at once, refilled at a steady rate."""

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, per_second, clock
        self._left, self._then = float(burst), clock()

    def take(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            raise TooMuch(f"too many messages: expected at most {self._rate:g} a second")
        self._left -= 1
