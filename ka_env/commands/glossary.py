"""The words of a game: ours, the Japanese rule word, what it means, and the file below its package."""

from __future__ import annotations

import argparse
from typing import Any

from ka_env.errors import KaError, nearest
from ka_env.games import game_names, load_game, packages

HELP = "the words of a game"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", nargs="*", metavar="WORD", help="only this word, English or Japanese")
    parser.add_argument("--game", metavar="NAME", help=f"only this game: {', '.join(game_names())}")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")


def run(args: argparse.Namespace) -> int:
    games = [load_game(args.game)] if args.game else [package.GAME for package in packages() if package.GAME.pages]
    pages = {game.title: game.room("pages") for game in games}
    if args.word:
        return print_found(" ".join(args.word), pages, args.markdown)
    for title, page in pages.items():
        for section, entries in page.SECTIONS.items():
            print(f"{'## ' if args.markdown else ''}{title}: {section}\n")
            page.print_entries(entries, args.markdown)
            print()
    return 0


def print_found(word: str, pages: dict[str, Any], markdown: bool) -> int:
    """All entries of that name; some words name a unit and an action, or belong to two games."""
    found = {
        title: [entry for entry in page.ENTRIES if word.lower() == entry.word.lower() or word == entry.japanese]
        for title, page in pages.items()
    }
    if not any(found.values()):
        known = [name for page in pages.values() for entry in page.ENTRIES for name in (entry.word, entry.japanese)]
        raise KaError(f"no word {word!r}{nearest(word, known)}")
    for title, entries in found.items():
        if entries:
            pages[title].print_entries(entries, markdown)
    return 0
