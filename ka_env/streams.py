"""Output wherever it goes: a stream that can't show a character gets one that looks like it, never a traceback."""

from __future__ import annotations

import codecs
import sys
from typing import Any

PLAIN = "ka_env.plain"  # name of the error handler
LIKE = {"±": "+-", "α": "alpha", "…": "...", "→": "->", "←": "<-", "≥": ">=", "≤": "<="}
for _signs, _letter in {
    **{"♠♤": "s", "♥♡": "h", "♦♢": "d", "♣♧": "c", "★☆": "*", "×": "x", "÷": "/"},
    **{"·•": ".", "−–—━─╸╺═": "-", "│┃║": "|", "▒░█▓": "#", "“”": '"', "‘’": "'"},
}.items():
    LIKE |= dict.fromkeys(_signs, _letter)


def plainer(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    there = error.object[error.start : error.end]
    return "".join(LIKE.get(character, "?") for character in there), error.end


def make_safe(*streams: Any) -> None:
    """Have these text streams (stdout and stderr if none is given) write what they can."""
    codecs.register_error(PLAIN, plainer)
    for stream in streams or (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=PLAIN)
