"""The words of the game: ours, the Japanese rule word, what it means, and the file below ka_env/blackpoker."""

from __future__ import annotations

import argparse

from ka_env.blackpoker.glossary import ENTRIES, SECTIONS, Entry
from ka_env.commands.rules import print_table
from ka_env.errors import KaError, nearest

HELP = "the words of the game"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", nargs="*", metavar="WORD", help="only this word, English or Japanese")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")


def run(args: argparse.Namespace) -> int:
    if args.word:
        print_entries(find(" ".join(args.word)), args.markdown)
        return 0
    for i, (title, entries) in enumerate(SECTIONS.items()):
        print(f"{'' if i == 0 else chr(10)}{'## ' if args.markdown else ''}{title.capitalize()}\n")
        print_entries(entries, args.markdown)
    return 0


def find(word: str) -> list[Entry]:
    """All entries of that name; some words name a unit and an action."""
    found = [entry for entry in ENTRIES if word.lower() == entry.word.lower() or word == entry.japanese]
    if not found:
        raise KaError(f"no word {word!r}{nearest(word, [e.word for e in ENTRIES] + [e.japanese for e in ENTRIES])}")
    return found


def print_entries(entries: list[Entry], markdown: bool) -> None:
    rows = [[e.word, e.japanese, e.meaning, f"`{e.file}`" if markdown else e.file] for e in entries]
    print_table(["word", "Japanese", "meaning", "file"], rows, markdown)
