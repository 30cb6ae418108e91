"""Watch agents play against each other, or a recorded game. Two agents, or one file of records."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ka_env.commands.play import need_screen
from ka_env.commands.show import setup_arguments
from ka_env.errors import KaError
from ka_env.games import DEFAULT_RULESET
from ka_env.record import load, save, suffixes
from ka_env.screen.session import PlayError, Show
from ka_env.screen.words import LANGUAGES

HELP = "watch agents play, or a recorded game"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="+", metavar="AGENT AGENT | FILE", help="two agents (or levels, as in ka play), or a file"
    )
    parser.add_argument("--speed", type=float, default=1.0, metavar="N", help="moves per second; + and - change it")
    setup_arguments(parser)
    parser.add_argument("--seed", type=int, help="of the deal and the agents; default: a new one each time")
    parser.add_argument("--game", type=int, default=1, metavar="N", help="which game of a file of many")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language: English or Japanese")
    parser.add_argument("--save", metavar="FILE", help="write the record of the agents' game when you leave")
    parser.add_argument("--plain", action="store_true", help="tell the whole game line by line")


def run(args: argparse.Namespace) -> int:
    if not 0.05 <= args.speed <= 100:
        raise PlayError(f"--speed {args.speed:g}: expected moves per second, 0.05 to 100")
    show = recorded(args) if is_file(args.what) else live(args)
    need_screen(args.plain)
    try:
        watch(show, args)
    finally:
        if args.save and show.recorder is not None:
            save(args.save, [show.recorder.record()])
    return 0


def is_file(what: list[str]) -> bool:
    if len(what) > 2:
        raise PlayError(f"expected two agents or one file, not {len(what)} names: {' '.join(what)}")
    if len(what) == 2:
        return False
    if Path(what[0]).suffix in suffixes() or Path(what[0]).exists():
        return True
    raise PlayError(
        f"{what[0]!r}: expected two agents (ka watch random ismcts) or a file that ends with {', '.join(suffixes())}"
    )


def recorded(args: argparse.Namespace) -> Show:
    for name in ("ruleset", "frame", "seed", "save"):
        if getattr(args, name) is not None:
            raise PlayError(f"--{name} is for a game of agents; {args.what[0]} has its own")
    records = load(args.what[0])
    if not 1 <= args.game <= len(records):
        raise PlayError(f"--game {args.game}: {args.what[0]} holds {len(records)} games")
    try:
        return Show.of_record(records[args.game - 1], language=args.lang)
    except KaError as error:
        raise type(error)(f"{args.what[0]}: {error}") from None


def live(args: argparse.Namespace) -> Show:
    if args.save and Path(args.save).suffix not in suffixes():
        raise PlayError(f"--save {args.save}: expected a name that ends with {', '.join(suffixes())}")
    pair = (args.what[0], args.what[1])
    return Show.live(args.ruleset or DEFAULT_RULESET, args.frame, pair, args.seed, language=args.lang)


def watch(show: Show, args: argparse.Namespace) -> None:
    if args.plain:
        tell(show)
        return
    show.forward()  # compiles what it needs while the terminal still shows it
    show.now = 0
    os.environ["KA_QUIET"] = "1"
    from ka_env.screen.watching import WatchApp

    app = WatchApp(show, args.speed)
    app.run()
    if app.failure is not None:
        raise app.failure


def tell(show: Show) -> None:
    told = 0
    while show.forward():
        for line in show.log(None)[told:]:
            print(line.text, flush=True)
        told = len(show.log(None))
