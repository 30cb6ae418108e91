"""What can go wrong: in the arena, and in an agent."""

from __future__ import annotations

import traceback

from ka_env.errors import KaError

NORMAL = "normal"
CRASH, TIMEOUT, ILLEGAL = FORFEITS = ("crash", "timeout", "illegal")
LIMIT = "limit"  # the game was stopped because it would not end
VOID = "void"  # the game could not be played, and nobody can say by whose fault
REASONS = (NORMAL, *FORFEITS, LIMIT, VOID)


class ArenaError(KaError):
    """A tournament that can't be played, or a store that can't be used."""


MOST_TEXT = 10_000  # characters of what an agent tells


class Fault(Exception):
    """An agent has lost its game by what it did: the reason, and what there is to read about it."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = printable(text)

    @classmethod
    def of(cls, error: Exception) -> Fault:
        """The fault an exception stands for: itself, or a crash with its traceback."""
        if isinstance(error, cls):
            return error
        return cls(CRASH, "".join(traceback.format_exception(error)))


def printable(text: str) -> str:
    """What an agent tells goes to terminals and pages: no control characters, and no more than can be read."""
    if len(text) > MOST_TEXT:
        text = f"{text[: MOST_TEXT // 2]}\n…\n{text[-MOST_TEXT // 2 :]}"
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)
