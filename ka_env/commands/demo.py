"""Deal a game, play it and print it move by move. Without --players it is played at random."""

from __future__ import annotations

import argparse
import random
from datetime import date

from ka_env.commands.replay import make_console, tell
from ka_env.commands.show import setup_arguments
from ka_env.games import DEFAULT_RULESET, Setup
from ka_env.record import Record, Recorder, names_of_files, save

HELP = "deal a game, play it at random or by two agents, print it move by move"


def arguments(parser: argparse.ArgumentParser) -> None:
    setup_arguments(parser)
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same game")
    parser.add_argument("--players", nargs=2, metavar="AGENT", help="who plays, e.g. random ismcts:iterations=200")
    parser.add_argument("--save", metavar="FILE", help=f"write the record to a file: {names_of_files()}")


def run(args: argparse.Namespace) -> int:
    setup = Setup.of(args.ruleset or DEFAULT_RULESET, args.frame)
    if args.players:
        from ka_env.agents.match import record_game

        record = record_game(args.players, *setup[:2], args.seed, date.today().isoformat())
    else:
        record = play(setup, args.seed)
    console = make_console()
    tell(record, console)
    console.print("\n" + record.replay().to_text(), end="")
    if args.save:
        save(args.save, [record])
    return 0


def play(setup: Setup, seed: int) -> Record:
    """A game of two players who choose at random."""
    rng = random.Random(seed)
    game = setup.game.Game.deal(setup, seed)
    recorder = Recorder(game, setup.frame, seed, players="random random", date=date.today().isoformat())
    while not game.over:
        recorder.step(rng.choice(game.legal_ids()))
    return recorder.record()
