"""Random outcomes (notation, section 4): own random numbers, given outcomes, or the assumed ones of the search."""

from __future__ import annotations

import random
from typing import Any


class Random:
    def __init__(self, seed: Any = 0) -> None:
        self.rng = random.Random(seed)

    def copy(self) -> Random:
        other = Random()
        other.rng.setstate(self.rng.getstate())
        return other

    def shuffle(self, player: int, codes: list[str]) -> list[str]:
        return self.rng.sample(codes, len(codes))

    def hit(self, player: int, codes: list[str]) -> str:
        return self.rng.choice(codes)

    found = hit

    def starter(self) -> int:
        return self.rng.randrange(2)


class Given:
    """Outcomes told from outside, in the form of `Game.last_random`."""

    def __init__(self, events: Any) -> None:
        self.events = [tuple(event) for event in events]

    def _next(self, name: str, *who: int) -> tuple[Any, ...]:
        if not self.events or self.events[0][: 1 + len(who)] != (name, *who):
            raise ValueError(f"the given outcomes {self.events} don't begin with {name} of {who}")
        return self.events.pop(0)

    def shuffle(self, player: int, codes: list[str]) -> list[str]:
        event = self._next("shuffle", player)
        if sorted(event[2]) != sorted(codes):
            raise ValueError(f"{event} is not a shuffle of {codes}")
        return list(event[2])

    def _one(self, name: str, player: int, codes: list[str]) -> str:
        event = self._next(name, player)
        if event[2] not in codes:
            raise ValueError(f"{event} is not one of {codes}")
        return str(event[2])

    def hit(self, player: int, codes: list[str]) -> str:
        return self._one("hit", player, codes)

    def found(self, player: int, codes: list[str]) -> str:
        return self._one("found", player, codes)

    def starter(self) -> int:
        return int(self._next("starter")[1])


class Assumed:
    """Where chance falls in the search, any outcome may be assumed (section 8)."""

    def shuffle(self, player: int, codes: list[str]) -> list[str]:
        return codes

    def hit(self, player: int, codes: list[str]) -> str:
        return codes[0]

    found = hit
