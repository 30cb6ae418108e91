"""Boards: a text for the terminal and a picture, for a spectator or as one player may see it."""

from __future__ import annotations

import re

import numpy as np

from ka_env.bluemoon.game import Game
from ka_env.bluemoon.people.look import look
from ka_env.bluemoon.people.screens import Line, board, question
from ka_env.bluemoon.people.story import Names

WIDTH = 80


def board_text(game: Game, viewer: int | None = None, color: bool = False) -> str:
    """The board in 80 columns; the viewer's side (or player 0's) is below. `color` adds ANSI colours."""
    view = look(game, viewer)
    names = Names(viewer, "en", watching=True)
    lines = [f"{view.ruleset} · {names.say('turn', who=names.who(view.turn))}"]
    lines += [_plain(line) for line in board(game, viewer, width=WIDTH, watching=True)]
    lines.append("═" * WIDTH)
    lines.append(headline(game, viewer))
    if view.choices:
        lines += _wrapped(f"{names.say('choices')}: ", view.choices)
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return _colored(text) if color else text


def board_image(game: Game, viewer: int | None = None, scale: float = 1) -> np.ndarray:
    """The board as a picture: uint8 of shape (800 * scale, 1280 * scale, 3), the viewer's side below. Needs Pillow."""
    from ka_env.bluemoon.people.picture import paint_board

    return paint_board(look(game, viewer), viewer if viewer in (0, 1) else 0, headline(game, viewer), scale)


def headline(game: Game, viewer: int | None = None) -> str:
    """Who decides what, or how the game ended."""
    if not game.over:
        return question(game, viewer, watching=True)
    names = Names(None, "en")
    if game.result is None:
        return names.say("over illegal")
    winner = 0 if game.result[0] == 1 else 1
    return names.say("over", who=names.who(winner), crystals=names.crystals(game.crystals[winner]))


def _plain(line: Line) -> str:
    return "".join(span.text for span in line)


def _wrapped(head: str, words: list[str]) -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > WIDTH and lines[-1].strip():
            lines.append(" " * len(head))
        lines[-1] += word if len(lines[-1]) == len(head) else f" {word}"
    return lines


def _colored(text: str) -> str:
    text = re.sub(r"\bfire\b|◆", lambda m: f"\x1b[31m{m[0]}\x1b[0m", text)
    text = re.sub(r"\bearth\b", lambda m: f"\x1b[32m{m[0]}\x1b[0m", text)
    return re.sub(r"(?m)^(P[01])", lambda m: f"\x1b[1m{m[0]}\x1b[0m", text)
