"""The errors a user can meet. All are ValueErrors, so old `except ValueError` code keeps working."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable
from typing import Any

MOST_MESSAGE = 4000  # characters of a message, whatever was given
MOST_WORD = 64  # characters of a word that may be meant for another
MOST_POSITION = 100_000  # characters of a position text


class KaError(ValueError):
    """Base of all errors raised for bad input."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(cut(one) if isinstance(one, str) else one for one in arguments))


class NotationError(KaError):
    """A text (token, card, position, record) that can't be read."""


class IllegalMove(KaError):
    """A move that can be read but is against the rules here. The game is unchanged."""


class RulesetError(KaError):
    """An unknown ruleset or frame, or a deck that breaks the deck rules."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or an empty string when nothing is close."""
    word = str(word)
    found = difflib.get_close_matches(word, list(choices), n=1, cutoff=0.5) if len(word) <= MOST_WORD else []
    return f"; did you mean {found[0]!r}?" if found else ""


def cut(text: str, most: int = MOST_MESSAGE) -> str:
    """A long text without its middle."""
    return text if len(text) <= most else f"{text[: most * 3 // 4]} … {text[-most // 5 :]}"


def limit_text(text: str, most: int, what: str) -> None:
    """Nobody writes such a long one: refuse it before it costs time and memory."""
    if not isinstance(text, str):
        raise NotationError(f"{what}: expected a text, not {text!r}")
    if len(text) > most:
        raise NotationError(f"{what}: {len(text)} characters: expected at most {most}")


def whole_number(value: Any, what: str) -> int:
    """Any kind of integer as an int; anything else is refused, not rounded."""
    try:
        return operator.index(value)
    except TypeError:
        raise KaError(f"{what}: expected a whole number, not {value!r}") from None
