"""The messages of the socket: what a client may say, and how it is read.

A message is a JSON object; `do` says what is wanted, the other fields are listed in SAYINGS. Whatever else comes gets
an error and changes nothing. The server's messages have `is`: `lobby`, `opponents`, `seated`, `table`, `hint`, `error`.
"""

from __future__ import annotations

import json
from typing import Any

from ka_env.errors import KaError, nearest
from ka_env.screen.session import SEATS
from ka_env.viewer.words import LANGUAGES

MOST_TOKENS = 4  # in one answer: a click on the table may say two or three at once
MOST_WORD = 64  # characters of a name or token
MOST_DECK = 600  # characters of a deck list
PASSING = ("auto", "ask", "once")


class BadMessage(KaError):
    """A message that can't be read or that doesn't fit now."""


class Field:
    """What a field of a message may hold."""

    def __init__(self, kind: str, needed: bool = True, most: int = MOST_WORD, choices: tuple[str, ...] = ()) -> None:
        self.kind, self.needed, self.most, self.choices = kind, needed, most, choices

    def read(self, name: str, value: Any) -> Any:
        if self.kind == "number":
            if type(value) is not int or not 0 <= value < 1 << 31:
                raise BadMessage(f"message: {name!r} must be a whole number from 0, not {shown(value)}")
        elif self.kind == "tokens":
            if not isinstance(value, list) or not 1 <= len(value) <= MOST_TOKENS:
                raise BadMessage(f"message: {name!r} must be a list of 1 to {MOST_TOKENS} tokens, not {shown(value)}")
            for token in value:
                Field("text").read(name, token)
        elif not isinstance(value, str) or not 0 < len(value) <= self.most or not value.isprintable():
            raise BadMessage(f"message: {name!r} must be a text of 1 to {self.most} signs, not {shown(value)}")
        elif self.choices and value not in self.choices:
            raise BadMessage(
                f"message: {name!r} is {shown(value)}: expected one of {', '.join(self.choices)}"
                f"{nearest(value, self.choices)}"
            )
        return value


TEXT, NUMBER, TOKENS = Field("text"), Field("number"), Field("tokens")
LANGUAGE = Field("text", choices=tuple(LANGUAGES))
DECK = Field("text", needed=False, most=MOST_DECK)
SAYINGS: dict[str, dict[str, Field]] = {
    "lobby": {"language": LANGUAGE},
    "opponents": {"ruleset": TEXT, "frame": TEXT, "language": LANGUAGE},
    "new": {
        "ruleset": TEXT,
        "frame": TEXT,
        "seat": Field("text", choices=SEATS),
        "opponent": TEXT,
        "language": LANGUAGE,
        "deck": DECK,
        "their_deck": DECK,
    },
    "lesson": {"game": TEXT, "number": NUMBER, "language": LANGUAGE},
    "sit": {"table": TEXT, "language": Field("text", needed=False, choices=tuple(LANGUAGES))},
    "choose": {"at": NUMBER, "tokens": TOKENS},
    "undo": {"at": NUMBER},
    "hint": {"at": NUMBER},
    "resign": {},
    "rematch": {},
    "passing": {"mode": Field("text", choices=PASSING)},
}


def shown(value: Any) -> str:
    """A value in an error message."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def read(text: str | bytes, most: int) -> dict[str, Any]:
    """A message, checked field by field."""
    if not isinstance(text, str):
        raise BadMessage("message: expected a text, found bytes")
    if len(text.encode("utf-8", "surrogatepass")) > most:
        raise BadMessage(f"message: {len(text)} signs: expected at most {most} bytes")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage(f"message: no JSON: {shown(text)}") from None
    if not isinstance(message, dict) or not isinstance(message.get("do"), str):
        raise BadMessage(f"message: expected an object that says what to `do`, found {shown(message)}")
    fields = SAYINGS.get(message["do"])
    if fields is None:
        raise BadMessage(
            f"message: unknown {shown(message['do'])}: expected one of {', '.join(SAYINGS)}"
            f"{nearest(message['do'], SAYINGS)}"
        )
    for name in message:
        if name != "do" and name not in fields:
            raise BadMessage(f"message: {message['do']!r} has no field {shown(name)}{nearest(name, fields)}")
    for name, field in fields.items():
        if name in message:
            field.read(name, message[name])
        elif field.needed:
            raise BadMessage(f"message: {message['do']!r} needs the field {name!r}")
    return message
