"""What do the machines know about the game? Play many games of strong agents, judge a sample by search, and tell it.

One HTML page with charts; every figure has its interval. Interrupted? The same command goes on where it stopped.
`ka study decks` searches for better decks, `ka study report` makes the page of a store once more.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from ka_env.errors import KaError
from ka_env.games import DEFAULT_RULESET, Setup

HELP = "what the machines found: statistics of many games, judged by search, as a report"
DEFAULTS: dict[str, Any] = {
    "on": None, "games": 20_000, "agents": None, "judge": 2000, "budget": 400, "net": "auto", "seed": 0, "store": None,
    "workers": None, "threads": None, "report": None, "decks": None, "quiet": False,
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    _options(parser)
    parser.set_defaults(what=None)
    commands = parser.add_subparsers(metavar="what")
    decks = commands.add_parser("decks", help="search for better decks", description="Search for better decks.")
    _deck_options(decks)
    decks.set_defaults(what="decks")
    again = commands.add_parser("report", help="the page of a store once more", description="The page of a store.")
    again.add_argument("store", metavar="STORE")
    for name, text in (("--report", "the page to write"), ("--decks", "a search for decks (.sqlite) to tell of")):
        again.add_argument(name, metavar="FILE", default=argparse.SUPPRESS, help=text)
    again.add_argument("--quiet", action="store_true", default=argparse.SUPPRESS, help="no summary")
    again.set_defaults(what="report")


def _options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the study", argument_default=argparse.SUPPRESS)
    group.add_argument(
        "--on", action="append", metavar="RULESET/FRAME", help=f"default {DEFAULT_RULESET}; may be repeated"
    )
    group.add_argument("--games", type=int, metavar="N", help="under each of the rules (default 20000)")
    group.add_argument(
        "--agents", nargs="+", metavar="AGENT", help="who plays (default: the shipped network, with and without chance)"
    )
    group.add_argument(
        "--judge", type=int, metavar="N", help="decisions of each sample to judge by search (default 2000; 0: none)"
    )
    group.add_argument("--budget", type=int, metavar="N", help="iterations for each of them (default 400)")
    group.add_argument("--net", metavar="NAME", help="the network that judges: auto, none or a policy")
    group.add_argument("--seed", type=int, metavar="N", help="of deals, agents and search (default 0)")
    group.add_argument("--store", metavar="FILE", help="where the games go (default study.sqlite)")
    group.add_argument(
        "--workers", type=int, metavar="N", help="processes that play; all cores by default, 0: this one"
    )
    group.add_argument("--threads", type=int, metavar="N", help="threads that judge; all cores by default")
    group.add_argument("--report", metavar="FILE", help="the page to write (default: beside the store, .html)")
    group.add_argument("--decks", metavar="FILE", help="a search for decks (.sqlite) to tell of")
    group.add_argument("--quiet", action="store_true", help="no progress, no summary")


def _deck_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--on", required=True, metavar="RULESET/FRAME", help="e.g. a frame with decks of 40 cards")
    parser.add_argument(
        "--agent", metavar="AGENT", help="who plays both sides (default: the usual agent of these rules)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--first-games", type=int, default=6000, metavar="N", help="with random decks (default 6000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of changes (default 5)")
    parser.add_argument("--changes", type=int, default=8, metavar="N", help="tried in a round (default 8)")
    parser.add_argument("--trial-games", type=int, default=200, metavar="N", help="of each (default 200)")
    parser.add_argument(
        "--proof-games", type=int, default=800, metavar="N", help="before a change is taken (default 800)"
    )
    parser.add_argument(
        "--final-games", type=int, default=2000, metavar="N", help="of the final figures (default 2000)"
    )
    parser.add_argument(
        "--store", default="decks.sqlite", metavar="FILE", help="where the trials go (default decks.sqlite)"
    )
    parser.add_argument("--json", action="store_true", help="what was found as JSON to standard output")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    if args.what == "decks":
        return decks(args)
    options = argparse.Namespace(**{**DEFAULTS, **vars(args)})
    return report(options) if args.what == "report" else study(options)


def study(options: argparse.Namespace) -> int:
    from ka_env.training.arena.store import Store
    from ka_env.training.study.study import judge_games, make_plan, play_games, usual_agents

    rules = [Setup.parse(text) for text in options.on or [DEFAULT_RULESET]]
    agents = tuple(options.agents or usual_agents(rules[0]))
    path = Path(options.store or "study.sqlite")
    threads = options.threads or os.cpu_count() or 1
    if options.judge < 0:
        raise KaError(f"--judge {options.judge}: expected 0 or more decisions")
    try:
        play_games(make_plan(rules, agents, options.games, options.seed), path, options.workers, options.quiet)
        if options.judge:
            with Store.read(path) as store:
                judge_games(store, options.judge, options.budget, options.net, options.seed, threads, options.quiet)
    except KeyboardInterrupt:
        print(f"\nstudy: interrupted; what is finished is in {path}, the same command goes on", file=sys.stderr)
        return 130
    return report(argparse.Namespace(**{**vars(options), "store": str(path)}))


def report(options: argparse.Namespace) -> int:
    from ka_env.training.arena.store import Store
    from ka_env.training.study.study import report as make_report
    from ka_env.training.study.study import stored_decks

    path = Path(options.store)
    page = Path(options.report or path.with_suffix(".html"))
    found = stored_decks(options.decks) if options.decks else None
    with Store.read(path) as store:
        figures = make_report(store, page, shlex.join(["ka", *sys.argv[1:]]), found)
    if not options.quiet:
        from ka_env.training.study.tell import tell

        tell(figures)
        print(f"Report: {page}")
    return 0


def decks(args: argparse.Namespace) -> int:
    from ka_env.training.arena.progress import Meter
    from ka_env.training.study.decks import Search, find_decks
    from ka_env.training.study.study import usual_agents
    from ka_env.training.study.tell import tell_decks

    agent = args.agent or usual_agents(Setup.parse(args.on))[1]
    names = ("first_games", "rounds", "changes", "trial_games", "proof_games", "final_games")
    search = Search(args.on, agent, args.seed, **{name: getattr(args, name) for name in names})
    meter, done = Meter(search.most_games, 0, args.quiet, "decks", "games"), 0

    def after(games: int) -> None:
        nonlocal done
        done += games
        meter.show(done, None)

    try:
        found = find_decks(args.store, search, after)
    except KeyboardInterrupt:
        print(f"\ndecks: interrupted; what is finished is in {args.store}, the same command goes on", file=sys.stderr)
        return 130
    finally:
        meter.close()
    Path(args.store).with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if args.json:
        print(json.dumps(found, indent=1))
    else:
        tell_decks(found)
    return 0
