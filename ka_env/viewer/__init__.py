"""The viewer: a recorded game as one HTML page that needs nothing else.

The page draws what the `viewer` room of a game says: positions with two sides (life, hand, grave, fog, units) and a
stage, and the moves between them. Text, style and script stand in the page; a policy in its head forbids it to load
anything.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ka_env.errors import KaError, nearest
from ka_env.games import game_of_text
from ka_env.viewer.words import LANGUAGES


def page(record: Any, language: str = "en") -> str:
    """The page of a record."""
    if language not in LANGUAGES:
        raise KaError(
            f"unknown language {language!r}: expected {', '.join(LANGUAGES)}{nearest(language, list(LANGUAGES))}"
        )
    data = game_of_text(record.deal).room("viewer").replay_data(record, language)
    names = [name or LANGUAGES[language]["player"].format(player=i) for i, name in enumerate(data["players"])]
    data["words"] = {**LANGUAGES[language], **data["words"]}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Template(_asset("page.html")).substitute(
        language=language,
        title=escape(" – ".join(names)),
        style=_asset("style.css"),
        script=_asset("viewer.js"),
        data=text.replace("<", "\\u003c"),
    )


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
