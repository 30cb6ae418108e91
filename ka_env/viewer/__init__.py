"""The viewer: a recorded game as one HTML page that needs nothing else.

This is the shell: it knows controls, keys, language, views and the list of moves. What lies on the table comes from
the `viewer` room of a game: positions and what is told of a move, which replay.py puts together, and beside its module
table.html, table.css and table.js, which draws a position. A position says `turn`, `player`, `ask` (the question; with
`hidden` for those who can't see all of it), `result`; everything else is between the game's data and its script.
Cards are written with who knows them at the end. A policy in the page's head forbids it to load anything.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ka_env.errors import KaError, nearest
from ka_env.games import game_of_text
from ka_env.viewer.replay import replay_data
from ka_env.viewer.words import LANGUAGES


def page(record: Any, language: str = "en", analysis: dict[str, Any] | None = None) -> str:
    """The page of a record; with an analysis of it (`Analysis.to_json`) also the chances and the marks."""
    if language not in LANGUAGES:
        raise KaError(
            f"unknown language {language!r}: expected {', '.join(LANGUAGES)}{nearest(language, list(LANGUAGES))}"
        )
    room = game_of_text(record.deal).room("viewer")
    data = replay_data(record, language)
    names = [name or LANGUAGES[language]["player"].format(player=i) for i, name in enumerate(data["players"])]
    data["words"] = {**LANGUAGES[language], **data["words"]}
    data["analysis"] = analysis
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Template(_asset("page.html")).substitute(
        language=language,
        title=escape(" – ".join(names)),
        style=_asset("style.css"),
        script=_asset("viewer.js"),
        pieces_script=_asset("pieces.js"),
        table_html=_asset("table.html", room.__package__),
        table_style=_asset("table.css", room.__package__),
        table_script=_asset("table.js", room.__package__),
        data=text.replace("<", "\\u003c"),
    )


def _asset(name: str, package: str = __name__) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
