"""Boards and stories of a game that brings none of its own (rooms `board` and `people`): its texts, as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ka_env.errors import KaError
from ka_env.game import Event, Game


def board_text(game: Game, viewer: int | None = None, color: bool = False) -> str:
    """The position text and the choices; for a viewer the sections of the observation, as the text tells all cards."""
    text = game.to_text() if viewer is None else _seen(game, viewer)
    if game.over or viewer not in (None, game.player):
        return text
    return f"{text}player {game.player}, {game.decision}: {' '.join(game.legal())}\n"


def _seen(game: Game, viewer: int) -> str:
    row = game.observation(viewer)
    lines = [f"What player {viewer} sees"]
    for section in game.about.sections(game.ruleset):
        numbers = row[section.offset : section.offset + section.length]
        lines.append(f"  {section.name:16} {' '.join(f'{number:g}' for number in numbers)}")
    return "\n".join(lines) + "\n"


def board_image(game: Game, viewer: int | None = None, scale: float = 1) -> np.ndarray:
    raise KaError(f"{game.about.title} draws no pictures: expected a game with the room 'board'")


class Fact(NamedTuple):
    text: str
    heading: bool = False


class Teller:
    """Tells what chance brought; the moves are told by their tokens."""

    def tell(self, game: Game, token: str, chance: Sequence[Event] = ()) -> list[Any]:
        return [Fact(" ".join(game.chance_words(event))) for event in chance]


def describe(game: Game, token: str) -> str:
    return f"player {game.player}, {game.decision}"


def turn_words(game: Game, number: int) -> str:
    return f"Turn {number}: player {game.turn}"


def result_words(game: Game) -> str:
    if game.result is None:
        return "The game goes on"
    return "A draw" if game.result[0] == game.result[1] else f"Player {game.result.index(1)} wins"
