"""What a part of the selftest has tried, and what failed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TOLD = 20  # failures that are kept with their words


@dataclass
class Result:
    """Numbers of one part. Everything is counted; only the first failures are told."""

    part: str
    tried: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    def fail(self, words: str) -> None:
        self.failed += 1
        if len(self.failures) < TOLD:
            self.failures.append(words[:2000])

    def expect(self, fine: object, words: str) -> None:
        if not fine:
            self.fail(words)

    def count(self, what: str, number: int = 1) -> None:
        self.facts[what] = self.facts.get(what, 0) + number

    @contextmanager
    def trying(self, what: str, allowed: tuple[type[BaseException], ...] = ()) -> Iterator[None]:
        """One try: an error of the allowed kinds is an answer, any other a failure."""
        self.tried += 1
        try:
            yield
            self.count("accepted")
        except allowed as error:
            self.count(type(error).__name__)
        except Exception as error:
            self.fail(f"{what}: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class Task:
    """What a part is given."""

    scale: float
    seed: int
    folder: Path  # for everything it writes
    deadline: float  # of time.monotonic

    def many(self, count: int) -> int:
        """So many tries, scaled."""
        return max(1, round(count * self.scale))

    def rng(self, what: str) -> random.Random:
        return random.Random(f"{what} {self.seed}")

    @property
    def in_time(self) -> bool:
        return time.monotonic() < self.deadline

    def tries(self, count: int) -> Iterator[int]:
        """0, 1, 2, ... until there are enough, or the time is over."""
        for number in range(self.many(count)):
            if not self.in_time:
                return
            yield number


Part = Callable[[Task, Result], None]
