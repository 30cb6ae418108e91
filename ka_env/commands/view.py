"""Make a page of a recorded game that steps through it on a drawn table: one HTML file that needs nothing else.

FILE is a record, a file of many (.jsonl, .parquet) or a store of the arena (.sqlite).
"""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path
from typing import Any, NamedTuple

from ka_env.errors import KaError
from ka_env.record import Record, entries, names_of_files
from ka_env.viewer import LANGUAGES, page

HELP = "a recorded game as a page to look at in the browser"
SQLITE = b"SQLite format 3\0"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=f"records ({names_of_files()}) or a store of the arena")
    parser.add_argument("-o", "--out", metavar="OUT.html", help="the page to write (default: beside FILE)")
    parser.add_argument(
        "--game", metavar="N", help="which game of the file: its number, or its id in a store (of a match: 0.0.1.12.2)"
    )
    parser.add_argument("--lang", default="en", choices=list(LANGUAGES), help="language of the page (default en)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


class Found(NamedTuple):
    record: Any
    name: str  # of the game in its file; empty if the file holds one game
    games: int  # in the file


def run(args: argparse.Namespace) -> int:
    path = Path(args.file)
    found = find(path, args.game)
    out = Path(args.out) if args.out else path.with_name(f"{path.stem}{'-' * bool(found.name)}{found.name}.html")
    try:
        text = page(found.record, args.lang)
    except KaError as error:
        raise type(error)(f"{path}: {error}") from None
    out.write_text(text, encoding="utf-8")
    if found.games > 1 and args.game is None:
        print(f"{path} holds {found.games} games: this is {found.name}; --game takes another")
    print(f"Page: {out}")
    if args.open:
        webbrowser.open(out.resolve().as_uri())
    return 0


def find(path: Path, wanted: str | None) -> Found:
    """The game asked for, the first one if none was."""
    with path.open("rb") as file:
        if file.read(len(SQLITE)) == SQLITE:
            return _from_store(path, wanted)
    found = list(entries(path))
    if not found:
        raise KaError(f"{path}: no game in it")
    entry = found[_number(path, wanted, len(found)) - 1]
    try:
        record: Record = entry.read()
    except KaError as error:
        raise type(error)(": ".join(filter(None, [str(path), entry.where, str(error)]))) from None
    return Found(record, entry.where.removeprefix("game "), len(found))


def _number(path: Path, wanted: str | None, count: int) -> int:
    if wanted is None:
        return 1
    if not wanted.isdecimal() or not 1 <= int(wanted) <= count:
        raise KaError(f"{path}: there is no game {wanted!r}: expected a number from 1 to {count}")
    return int(wanted)


def _from_store(path: Path, wanted: str | None) -> Found:
    from ka_env.training.arena.records import rebuild
    from ka_env.training.arena.store import Store, game_id

    with Store.read(path) as store:
        rows = store.rows()
        if not rows:
            raise KaError(f"{path}: no game in it")
        key, number = _in_match(wanted) if store.plan.match else (wanted, 1)
        row = store.game(key) if key and "." in key else rows[_number(path, key, len(rows)) - 1]
        records = rebuild(store, row)
        if not 1 <= number <= len(records):
            raise KaError(f"{path}: the match {game_id(row)} has no game {number}: expected 1 to {len(records)}")
        name = f"{game_id(row)}.{number}" if store.plan.match else game_id(row)
        return Found(records[number - 1], name, len(rows) if store.plan.match is None else len(records))


def _in_match(wanted: str | None) -> tuple[str | None, int]:
    """`0.0.1.12.2` is the second game of the match 0.0.1.12."""
    parts = (wanted or "").split(".")
    if len(parts) == 5 and parts[4].isdecimal():
        return ".".join(parts[:4]), int(parts[4])
    return wanted, 1
