"""The errors a user can meet. All are ValueErrors, so old `except ValueError` code keeps working."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class KaError(ValueError):
    """Base of all errors raised for bad input."""


class NotationError(KaError):
    """A text (token, card, position, record) that can't be read."""


class IllegalMove(KaError):
    """A move that can be read but is against the rules here. The game is unchanged."""


class RulesetError(KaError):
    """An unknown ruleset or frame, or a deck that breaks the deck rules."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or an empty string when nothing is close."""
    found = difflib.get_close_matches(str(word), list(choices), n=1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else ""
