"""A ruleset as tables made from the engine's own data, and how its flow goes. Without RULESET: which rulesets and
frames there are."""

from __future__ import annotations

import argparse

from ka_env.games import all_rulesets, game_of, packages

HELP = "a ruleset in tables"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ruleset", nargs="?", metavar="RULESET", help=f"one of {', '.join(all_rulesets())}")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")


def run(args: argparse.Namespace) -> int:
    if args.ruleset is not None:
        game_of(args.ruleset).room("pages").show_ruleset(args.ruleset, args.markdown)
        return 0
    for package in packages():
        if package.GAME.pages is not None:
            print(f"{'## ' if args.markdown else ''}{package.TITLE}\n")
            package.GAME.room("pages").list_rulesets(args.markdown)
            print()
    return 0
