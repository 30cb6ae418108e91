"""Deal a game, play it and print it move by move. Without --players it is played at random."""

from __future__ import annotations

import argparse
import random
from datetime import date

from ka_env.blackpoker import FRAMES, RULESETS, Game, default_frame
from ka_env.blackpoker.record import Record, Recorder, save
from ka_env.commands.replay import make_console, tell

HELP = "deal a game, play it at random or by two agents, print it move by move"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ruleset", default="8.0-lite", choices=RULESETS)
    parser.add_argument("--frame", choices=list(FRAMES), help="how the decks are made up; default: the ruleset's own")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same game")
    parser.add_argument("--players", nargs=2, metavar="AGENT", help="who plays, e.g. random ismcts:iterations=200")
    parser.add_argument("--save", metavar="FILE", help="write the record to a .ka, .jsonl or .parquet file")


def run(args: argparse.Namespace) -> int:
    frame = args.frame or default_frame(args.ruleset)
    if args.players:
        from ka_env.agents.match import record_game

        record = record_game(args.players, args.ruleset, frame, args.seed, date.today().isoformat())
    else:
        record = play(args.ruleset, frame, args.seed)
    console = make_console()
    tell(record, console)
    console.print("\n" + record.replay().to_text(), end="")
    if args.save:
        save(args.save, [record])
    return 0


def play(ruleset: str, frame: str, seed: int) -> Record:
    """A game of two players who choose at random."""
    rng = random.Random(seed)
    game = Game.new(ruleset, frame, seed)
    recorder = Recorder(game, frame, seed, players="random random", date=date.today().isoformat())
    while not game.over:
        recorder.step(rng.choice(game.legal_ids()))
    return recorder.record()
