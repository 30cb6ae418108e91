"""The `ka` command. Each subcommand is a module of ka_env.commands with HELP, arguments(parser) and run(args)."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from ka_env import __version__
from ka_env.errors import KaError
from ka_env.hints import install_extra
from ka_env.streams import make_safe

COMMANDS = ["demo", "play", "serve", "watch", "show", "perft", "replay", "view", "rules", "glossary", "bench", "arena"]
COMMANDS += ["train", "exploit", "selftest", "analyse", "study", "compare"]

EXTRAS = {
    "scipy": "arena",
    "ray": "ray",
    "PIL": "render",
    "pyarrow": "parquet",
    "stable_baselines3": "train",
    "sb3_contrib": "train",
    "torch": "train",
    "tensorboard": "train",
    "textual": "play",
    "starlette": "web",
    "uvicorn": "web",
    "websockets": "web",
}


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ka", description="Environments for trump-card duels (an unofficial fan work of BlackPoker)."
    )
    parser.add_argument("--version", action="version", version=f"ka_env {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    for name in COMMANDS:
        module = import_module(f"ka_env.commands.{name}")
        command = commands.add_parser(name, help=module.HELP, description=module.__doc__)
        module.arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(argv: list[str] | None = None) -> int:
    make_safe()
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
        return 0
    try:
        return args.run(args)
    except KaError as error:
        print(f"ka {args.command}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        print(f"ka {args.command}: needs {error.name}: {install_extra(extra)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0
    except OSError as error:
        print(f"ka {args.command}: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
