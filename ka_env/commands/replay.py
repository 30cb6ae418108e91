"""Replay game records: tell a game move by move, or verify many files (also .jsonl, .parquet)."""

from __future__ import annotations

import argparse

from rich.console import Console

from ka_env import plain
from ka_env.errors import KaError
from ka_env.match import check_follows, standing_after
from ka_env.record import Entry, Record, entries, names_of_files

HELP = "tell or verify recorded games"
PLAYER_STYLES = ("cyan", "magenta")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"records: {names_of_files()}")
    parser.add_argument("--positions", action="store_true", help="print the position text after every move")
    parser.add_argument("--verify", action="store_true", help="only check that all games replay; exit code 1 if not")


def run(args: argparse.Namespace) -> int:
    console = make_console()
    if args.verify:
        return verify(args.files, console)
    for name in args.files:
        before: Record | None = None
        for entry in entries(name):
            where = place(name, entry.where)
            console.print(where, style="bold")
            try:
                record = read(entry, before)
                tell(record, console, args.positions)
            except KaError as error:
                raise type(error)(f"{where}: {error}") from None
            before = record
    return 0


def read(entry: Entry, before: Record | None) -> Record:
    """A record; if it goes on with the match of the one before it, the two must fit."""
    record = entry.read()
    if before is not None:
        check_follows(before, record)
    return record


def make_console() -> Console:
    """Plain text; colours only on a terminal."""
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def place(name: str, where: str) -> str:
    return f"{name}: {where}" if where else name


# ---- telling --------------------------------------------------------------------------------------------------------


def tell(record: Record, console: Console, positions: bool = False) -> None:
    """Print headers, every move in words, and the result."""
    for key, value in record.headers.items():
        console.print(f"{key:8} {value}", style="dim")
    game = record.start()
    people = game.about.room("people", plain)
    teller = people.Teller()
    line = -1
    for step in record.steps():
        if step.line != line:
            line = step.line
            console.print("\n" + people.turn_words(step.before, line + 1), style="bold")
        style = PLAYER_STYLES[step.before.player or 0]
        described = people.describe(step.before, step.token)
        console.print(f"{step.number:4}  {step.token:10}{described}", style=style)
        for fact in teller.tell(step.before, step.token, step.chance):
            if not fact.heading and fact.text != described:
                console.print(f"{'':16}  {fact.text}", style="dim")
        if positions:
            console.print(step.after.to_text(), style="dim")
        game = step.after
    console.print("\n" + people.result_words(game), style="bold")
    standing = standing_after(record)
    if standing:
        match, number, wins = standing
        console.print(f"Match {match} after game {number}: {wins[0]} to {wins[1]}", style="bold")


# ---- verifying ------------------------------------------------------------------------------------------------------


def verify(names: list[str], console: Console) -> int:
    """Replay everything, name what fails, count."""
    games = failures = 0
    for name in names:
        for error in verify_file(name):
            games += 1
            if error:
                failures += 1
                console.print(error, style="red")
    console.print(f"{games} games, {failures} failed", style="red" if failures else "green")
    return 1 if failures else 0


def verify_file(name: str) -> list[str]:
    """One word of complaint per game; empty if it replays. A file that can't be opened counts as one game."""
    found: list[str] = []
    before: Record | None = None
    try:
        for entry in entries(name):
            found.append("")
            try:
                before = read(entry, before)
                before.replay()
            except KaError as error:
                found[-1] = f"{place(name, entry.where)}: {error}"
    except KaError as error:
        found.append(f"{name}: {error}")
    except OSError as error:
        found = [*found[:-1], f"{name}: {error.strerror or error}"]
    return found
