"""Show a position: a board in the terminal, or a picture. Without FILE a game is dealt."""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from ka_env import plain
from ka_env.errors import MOST_POSITION, KaError, NotationError
from ka_env.game import Game
from ka_env.games import DEFAULT_RULESET, Setup, all_rulesets, game_of_text, packages

HELP = "show a position"


def setup_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say what to deal."""
    rulesets = ", ".join(all_rulesets())
    frames = "; ".join(f"{package.TITLE}: {', '.join(package.FRAMES)}" for package in packages())
    parser.add_argument("--ruleset", metavar="NAME", help=f"of the game to deal: {rulesets}")
    parser.add_argument("--frame", metavar="NAME", help=f"how the decks are made up, default: the usual one. {frames}")


def position_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say which game a command is about."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a position text, - for standard input")
    setup_arguments(parser)
    parser.add_argument("--seed", type=int, default=0, help="of the deal, and of chance events still to come")


def arguments(parser: argparse.ArgumentParser) -> None:
    position_arguments(parser)
    parser.add_argument("--moves", type=int, default=0, metavar="N", help="play so many random moves first")
    parser.add_argument("--viewer", type=int, choices=(0, 1), help="show only what this player may know")
    parser.add_argument("--png", metavar="OUT", help="write a picture to this file (needs Pillow)")
    parser.add_argument("--scale", type=float, default=1, help="of the picture; 1 is 1280 x 800")


def run(args: argparse.Namespace) -> int:
    game = position(args)
    play_at_random(game, args.moves, args.seed)
    if args.png:
        save_picture(game, args.viewer, args.scale, args.png)
    else:
        print(game.about.room("board", plain).board_text(game, args.viewer, color=wants_color()), end="")
    return 0


def position(args: argparse.Namespace) -> Game:
    """The game that the options describe."""
    if args.file is None:
        setup = Setup.of(args.ruleset or DEFAULT_RULESET, args.frame)
        return setup.game.Game.deal(setup, args.seed)
    if args.ruleset or args.frame:
        raise KaError("--ruleset and --frame are for dealing a game; a position text has its own")
    text = read_text(args.file)
    return game_of_text(text).Game.from_text(text, args.seed)


def read_text(file: str) -> str:
    most = MOST_POSITION + 1  # what is longer is refused anyway
    try:
        if file == "-":
            return sys.stdin.read(most)
        with Path(file).open(encoding="utf-8") as text:
            return text.read(most)
    except UnicodeDecodeError:
        raise NotationError(f"{file} is no UTF-8 text") from None


def play_at_random(game: Game, moves: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(moves):
        if game.over:
            break
        game.play(rng.choice(game.legal()))


def wants_color() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def save_picture(game: Game, viewer: int | None, scale: float, file: str) -> None:
    if scale <= 0:
        raise KaError(f"--scale must be above 0, not {scale:g}")
    try:
        picture = game.about.room("board", plain).board_image(game, viewer, scale)
        from PIL import Image
    except ImportError as error:
        raise KaError(str(error)) from None
    try:
        Image.fromarray(picture).save(file)
    except ValueError:
        raise KaError(f"--png {file}: the name must end with .png or another kind of picture") from None
