"""Where do two agents differ? They play each other, and at every decision the other one says what it would have done.

Search judges a sample of the decisions on which they disagree. The page links to the positions with the greatest
differences. Interrupted? The same command goes on with the games it has.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ka_env.commands.analyse import judging_arguments
from ka_env.errors import KaError
from ka_env.games import DEFAULT_RULESET, Setup

HELP = "where two agents differ: by kind and phase, with positions, judged by search"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("a", metavar="A")
    parser.add_argument("b", metavar="B")
    parser.add_argument("--on", default=DEFAULT_RULESET, metavar="RULESET/FRAME", help=f"default {DEFAULT_RULESET}")
    parser.add_argument(
        "--games", type=int, default=400, metavar="N", help="of the two against each other (default 400)"
    )
    parser.add_argument("--judge", type=int, default=300, metavar="N", help="decisions to judge (default 300)")
    judging_arguments(parser)
    parser.set_defaults(budget=1000)
    parser.add_argument(
        "--store", default="compare.sqlite", metavar="FILE", help="where the games go (default compare.sqlite)"
    )
    parser.add_argument("--report", metavar="FILE", help="the page to write (default: beside the store, .html)")
    parser.add_argument("--json", action="store_true", help="everything as JSON to standard output, and no page")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes that play; all cores by default, 0: this one"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    from ka_env.training.arena.progress import Meter
    from ka_env.training.arena.store import Store
    from ka_env.training.study.compare import compare, find_differences, judge_differences, tell, write_comparison
    from ka_env.training.study.judge import Judge
    from ka_env.training.study.study import make_plan, play_games

    if args.judge < 1:
        raise KaError(f"--judge {args.judge}: expected at least 1 decision")
    setup = Setup.parse(args.on)
    judge = Judge(setup, args.budget, args.net, args.seed)
    try:
        play_games(make_plan([setup], (args.a, args.b), args.games, args.seed), args.store, args.workers, args.quiet)
        with Store.read(args.store) as store:
            counted, differences = find_differences(store)
            meter, done = Meter(min(args.judge, len(differences)), 0, args.quiet, "compare", "decisions"), 0

            def after() -> None:
                nonlocal done
                done += 1
                meter.show(done, None)

            try:
                found = judge_differences(differences, args.judge, judge, args.threads, after)
            finally:
                meter.close()
            figures = compare(store, counted, found, judge)
            if args.json:
                print(json.dumps(figures, indent=1))
                return 0
            tell(figures)
            page = write_comparison(store, figures, args.report or Path(args.store).with_suffix(".html"))
    except KeyboardInterrupt:
        print(f"\ncompare: interrupted; the games are in {args.store}, the same command goes on", file=sys.stderr)
        return 130
    print(f"Page: {page}")
    return 0
