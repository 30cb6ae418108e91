"""Count the lines of play from a position: per depth, and per move at the last depth. Without FILE a game is dealt.

Forced decisions are no nodes, and a game that ends counts as one line. Below a chance event counts
depend on the seed.
"""

from __future__ import annotations

import argparse

from ka_env.commands.show import position, position_arguments
from ka_env.engine.perft import breakdown, perft
from ka_env.errors import KaError

HELP = "count the lines of play from a position"


def arguments(parser: argparse.ArgumentParser) -> None:
    position_arguments(parser)
    parser.add_argument("--depth", type=int, default=3, metavar="N", help="decisions to look ahead (default 3)")


def run(args: argparse.Namespace) -> int:
    if args.depth < 1:
        raise KaError(f"--depth must be at least 1, not {args.depth}")
    game = position(args)
    print(f"{'depth':>5} {'lines':>15}")
    for depth in range(1, args.depth):
        print(f"{depth:5} {perft(game, depth):15}", flush=True)
    counts = breakdown(game, args.depth)
    print(f"{args.depth:5} {sum(counts.values()) if counts else 1:15}")
    if counts:
        print(f"\nat depth {args.depth} by first move:")
    for token, count in counts.items():
        print(f"{token:>10} {count:10}")
    return 0
