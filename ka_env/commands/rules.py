"""A ruleset as tables made from the engine's own data, and how its flow goes. Without RULESET: which rulesets and
frames there are."""

from __future__ import annotations

import argparse

from ka_env.errors import KaError
from ka_env.games import all_rulesets, game_of, packages

HELP = "a ruleset in tables"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ruleset", nargs="?", metavar="RULESET", help=f"one of {', '.join(all_rulesets())}")
    parser.add_argument("--deck", metavar="NAME", help="the card table of one deck, in games with ready-made decks")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")


def run(args: argparse.Namespace) -> int:
    if args.deck is not None:
        return show_deck(args)
    if args.ruleset is not None:
        game_of(args.ruleset).room("pages").show_ruleset(args.ruleset, args.markdown)
        return 0
    for package in packages():
        if package.GAME.pages is not None:
            print(f"{'## ' if args.markdown else ''}{package.TITLE}\n")
            package.GAME.room("pages").list_rulesets(args.markdown)
            print()
    return 0


def show_deck(args: argparse.Namespace) -> int:
    if args.ruleset is None:
        raise KaError(f"--deck {args.deck}: of which ruleset? For example: ka rules base --deck {args.deck}")
    game = game_of(args.ruleset)
    page = game.room("pages")
    if not hasattr(page, "show_deck"):
        raise KaError(f"--deck {args.deck}: {game.title} has no ready-made decks")
    page.show_deck(args.ruleset, args.deck, args.markdown)
    return 0
