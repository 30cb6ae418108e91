"""Play against an agent in the terminal. The game is saved after every move."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path

import platformdirs

from ka_env.commands.show import setup_arguments
from ka_env.errors import KaError
from ka_env.games import DEFAULT_RULESET, game_of
from ka_env.screen.session import SEATS, Player, PlayError, Session, agent_named
from ka_env.screen.words import LANGUAGES, say

HELP = "play against an agent"


def arguments(parser: argparse.ArgumentParser) -> None:
    setup_arguments(parser)
    parser.add_argument("--opponent", metavar="AGENT", help="e.g. random, ismcts, ismcts:milliseconds=500")
    parser.add_argument("--seat", choices=SEATS, help="first: you begin; default: random")
    parser.add_argument("--seed", type=int, help="of the deal and the opponent; default: a new one each time")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language: English or Japanese")
    parser.add_argument("--hint", metavar="AGENT", default="ismcts:iterations=500", help="who gives hints (key h)")
    parser.add_argument("--save", metavar="FILE", help="the record, a new file; default: one of its own")
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--web", action="store_true", help="in the browser instead: see ka serve")
    parser.add_argument("--plain", action="store_true", help="line by line, for pipes and screen readers")


def run(args: argparse.Namespace) -> int:
    if args.web:
        from ka_env.commands.serve import serve

        return serve("127.0.0.1", 0, True, args.lang, [args.opponent] if args.opponent else [])
    if not args.plain:
        import textual  # noqa: F401  (missing: say so before anything is dealt)

        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise KaError("the screen needs a terminal; use --plain for pipes")
    agent_named(args.hint)  # a wrong name is said now, not in the middle of a game
    session = resumed(args) if args.resume else dealt(args)
    warm_up(session)
    try:
        play(session, args.plain)
    finally:
        farewell(session)
    return 0


def dealt(args: argparse.Namespace) -> Session:
    suffix = game_of(args.ruleset or DEFAULT_RULESET).suffix
    path = Path(args.save) if args.save else default_path(suffix)
    if path.suffix != suffix:
        raise PlayError(f"--save {path}: expected a name that ends with {suffix}")
    if path.exists():
        raise PlayError(f"--save {path}: there is such a file already; go on with it by --resume {path}")
    return Session.new(
        args.ruleset or DEFAULT_RULESET,
        args.frame,
        args.opponent or "random",
        path,
        args.seat or "random",
        args.seed,
        language=args.lang,
        hint=args.hint,
    )


def resumed(args: argparse.Namespace) -> Session:
    for name in ("ruleset", "frame", "seed", "save"):
        if getattr(args, name) is not None:
            raise PlayError(f"--{name} is for a new game; --resume {args.resume} has its own")
    return Session.resume(Path(args.resume), args.opponent, args.seat, language=args.lang, hint=args.hint)


def default_path(suffix: str) -> Path:
    """A new file in the user's data directory."""
    home = Path(platformdirs.user_data_dir("ka_env")) / "games"
    return home / f"{datetime.now():%Y-%m-%d-%H%M%S}-{os.getpid()}{suffix}"


def warm_up(session: Session) -> None:
    """Compile what the game needs while the terminal still shows it: notices would spoil the screen."""
    game = session.game.copy()
    session.people.Teller().tell(game, game.legal()[0])
    if session.opponent.agent.needs_views:
        Player(session.opponent.spec, 1 - session.seat, 0).choose(game)


def play(session: Session, plain: bool) -> None:
    if plain:
        from ka_env.screen.plain import PlainGame

        PlainGame(session).run()
        return
    from ka_env.screen.app import PlayApp

    os.environ["KA_QUIET"] = "1"  # what is compiled from here on must not write over the screen
    app = PlayApp(session)
    app.run()
    if app.failure is not None:
        raise app.failure


def farewell(session: Session) -> None:
    """Where the game is, and how to go on."""
    words = [say(session.language, "saved", path=session.path)]
    words.append(say(session.language, "watch with" if session.over else "resume with", path=session.path))
    print("\n".join(words))
