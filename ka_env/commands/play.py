"""Play against the computer in the terminal. The game is saved after every move."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path

import platformdirs

from ka_env.agents.levels import WORDS, default_hint, default_opponent, levels
from ka_env.commands.show import setup_arguments
from ka_env.errors import KaError
from ka_env.games import DEFAULT_RULESET, game_of, packages
from ka_env.screen.session import SEATS, Player, PlayError, Session, agent_named, opponent_named
from ka_env.screen.words import LANGUAGES, LOOKS, say

HELP = "play against the computer"


def arguments(parser: argparse.ArgumentParser) -> None:
    setup_arguments(parser)
    words = ", ".join(WORDS)
    parser.add_argument("--opponent", metavar="LEVEL", help=f"{words} (see below; default: medium), or any agent")
    parser.add_argument("--seat", choices=SEATS, help="first: you begin; default: random")
    parser.add_argument("--seed", type=int, help="of the deal and the opponent; default: a new one each time")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language: English or Japanese")
    parser.add_argument("--hint", metavar="AGENT", help="who gives hints (key h); default: the best one shipped")
    parser.add_argument("--save", metavar="FILE", help="the record, a new file; default: one of its own")
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--web", action="store_true", help="in the browser instead: see ka serve")
    parser.add_argument("--plain", action="store_true", help="line by line, for pipes and screen readers")
    plain_help = parser.format_help
    parser.format_help = lambda: f"{plain_help()}\n{levels_text()}"  # type: ignore[method-assign]  # made when asked for


def levels_text() -> str:
    """The levels of each game under its first ruleset: networks are trained for some rules only."""
    lines = ["levels (of other rulesets alike; networks are trained for some rules only):"]
    for package in packages():
        if package.GAME.people is None:
            continue
        ruleset = package.RULESETS[0]
        lines.append(f"  {package.TITLE} {ruleset}, hints from {default_hint(ruleset)}:")
        for level in levels(ruleset):
            usual = " (default)" if level.spec == default_opponent(ruleset) else ""
            lines.append(f"    {level.word:10} {level.spec}: {level.strength()}{usual}")
    return "\n".join(lines) + "\n"


def run(args: argparse.Namespace) -> int:
    if args.web:
        from ka_env.commands.serve import serve

        return serve("127.0.0.1", 0, True, args.lang, [args.opponent] if args.opponent else [])
    if args.hint is not None:
        agent_named(args.hint)  # a wrong name is said now, not in the middle of a game
    if args.resume:
        session = resumed(args)
        need_screen(args.plain)
    else:
        opponent_named(args.opponent, args.ruleset or DEFAULT_RULESET, args.frame)
        need_screen(args.plain)  # before anything is dealt
        session = dealt(args)
    while play_out(session, args.plain):
        again = None if args.seed is None else args.seed + 1
        args.seed = again
        session = session.rematch(default_path(session.game.about.suffix), again)
    return 0


def need_screen(plain: bool) -> None:
    if plain:
        return
    import textual  # noqa: F401  (missing: the error says which extra has it)

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise KaError("the screen needs a terminal; use --plain for pipes")


def play_out(session: Session, plain: bool) -> bool:
    """One game; true if a rematch is wanted."""
    warm_up(session)
    try:
        return play(session, plain)
    finally:
        farewell(session)


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
        args.opponent,
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
    name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{os.getpid()}"
    taken = sum(path.name.startswith(name) for path in home.glob(f"{name}*"))  # a rematch within the same second
    return home / f"{name}{f'-{taken}' if taken else ''}{suffix}"


def warm_up(session: Session) -> None:
    """Compile what the game needs while the terminal still shows it: notices would spoil the screen."""
    game = session.game.copy()
    session.people.Teller().tell(game, game.legal()[0])
    if session.opponent.agent.needs_views:
        opponent = session.opponent
        Player(opponent.spec, 1 - session.seat, 0, opponent.frame).choose(game)


def play(session: Session, plain: bool) -> bool:
    if plain:
        from ka_env.screen.plain import PlainGame

        return PlainGame(session).run()
    from ka_env.screen.app import PlayApp

    os.environ["KA_QUIET"] = "1"  # what is compiled from here on must not write over the screen
    app = PlayApp(session)
    app.run()
    if app.failure is not None:
        raise app.failure
    return app.rematch


def farewell(session: Session) -> None:
    """Where the game is, and how to go on."""
    if session.game.setting_up:
        print(say(session.language, "not dealt"))
        return
    words = [say(session.language, "saved", path=session.path)]
    if session.over:
        words.append(say(session.language, "look with", command=f"ka {LOOKS[0]}", path=session.path))
    else:
        words.append(say(session.language, "resume with", path=session.path))
    print("\n".join(words))
