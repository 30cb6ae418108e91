"""The same game with the players' numbers exchanged: what holds for player 0 must hold for player 1."""

from __future__ import annotations

import re
from typing import Any

from ka_env.bluemoon import Game

PAIRS = ("decks", "dragons", "crystals", "result")  # two words, one for each player
NUMBERS = ("turn", "out")


def other(number: str) -> str:
    return {"0": "1", "1": "0"}.get(number, number)


def mirror(text: str) -> str:
    """A position text from the other side."""
    return "\n".join(map(_line, text.splitlines()))


def _line(line: str) -> str:
    name, _, rest = line.strip().partition(" ")
    if name in PAIRS:
        return " ".join([name, *reversed(rest.split())])
    if name in NUMBERS:
        return f"{name} {other(rest)}"
    if name == "hyla" and rest != "-":
        return f"{name} {other(rest[0])}{rest[1:]}"
    if name == "pending":
        return re.sub(r"\b(player=|retreater=|settled)([01])", lambda found: found[1] + other(found[2]), line)
    return re.sub(r"^([a-z]+)([01])\b", lambda found: found[1] + other(found[2]), line.strip())


def _mirrored(events: list[Any]) -> list[Any]:
    return [(name, 1 - player, *rest) for name, player, *rest in events]


class Mirrored:
    """A game that is told and asked from the other side, for the scenarios."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def from_text(cls, text: str) -> Mirrored:
        return cls(Game.from_text(mirror(text)))

    def to_text(self) -> str:
        return mirror(self.game.to_text())

    def copy(self) -> Mirrored:
        return Mirrored(self.game.copy())

    @property
    def player(self) -> int | None:
        return None if self.game.player is None else 1 - self.game.player

    @property
    def result(self) -> tuple[float, float] | None:
        return None if self.game.result is None else self.game.result[::-1]

    @property
    def last_random(self) -> list[Any]:
        return _mirrored(self.game.last_random)

    def step_with(self, action: int, chance: list[Any]) -> None:
        self.game.step_with(action, _mirrored(chance))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)
