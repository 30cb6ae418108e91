"""Train an agent by self-play in a league of its past selves and the built-in agents.

Settings come from a preset, a TOML file (--config) and --set key=value, in this order; --settings lists them. Ctrl-C
ends the run after the update under way; --resume DIR goes on with it.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ka_env import hints

if TYPE_CHECKING:
    from ka_env.training.config import Config
    from ka_env.training.run import Run

HELP = "train an agent by self-play"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--preset",
        help="quick (about 2 minutes on two cores), standard (about an hour), or a long one of a game (hours)",
    )
    parser.add_argument("--config", metavar="FILE", help="settings as TOML")
    parser.add_argument(
        "--on",
        action="append",
        metavar="RULESET/FRAME",
        help="what to play, or a game's name: all of it; may be repeated",
    )
    parser.add_argument("--trainer", help="sb3 or fast")
    parser.add_argument("--seed", type=int, metavar="N")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any setting; may be repeated")
    parser.add_argument("--out", metavar="DIR", help="where the run goes (default runs/ and the time)")
    parser.add_argument("--resume", metavar="DIR", help="go on with a run")
    parser.add_argument("--settings", action="store_true", help="list the settings, as they would be, and stop")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    from ka_env.training.config import ConfigError, load_config, parse_overrides

    overrides = parse_overrides(args.set)
    for key, value in (("rules", args.on), ("trainer", args.trainer), ("seed", args.seed)):
        if value is not None:
            overrides[key] = value
    if args.resume and (args.preset or args.config or args.out):
        raise ConfigError("--resume goes on with the run's own settings: leave --preset, --config and --out away")
    if args.settings:
        return show_settings(load_config(args.preset, args.config, overrides))
    from ka_env.training.stages import begun, resumed

    if args.resume:
        out = args.resume
        runs = resumed(out, overrides, args.quiet)
    else:
        config = load_config(args.preset, args.config, overrides)
        out = args.out or f"runs/{datetime.now():%Y%m%d-%H%M%S}"
        runs = begun(config, out, _command(args), args.quiet)
    for training in runs:
        policy = training.train()
        if training.interrupted:
            print(f"train: interrupted; go on with: ka train --resume {shlex.quote(str(out))}", file=sys.stderr)
            return 130
        tell(training, policy)
    return 0


def _command(args: argparse.Namespace) -> str:
    """The command that trains the same again."""
    parts = ["ka", "train"]
    for name in ("preset", "config", "trainer", "seed"):
        value = getattr(args, name)
        if value is not None:
            parts += [f"--{name}", str(value)]
    for name in ("on", "set"):
        for value in getattr(args, name) or []:
            parts += [f"--{name}", value]
    return shlex.join(parts)


def show_settings(config: Config) -> int:
    from dataclasses import fields

    for setting in fields(config):
        value = getattr(config, setting.name)
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        print(f"{setting.name:18} {text:28} {setting.metadata['meaning']}")
    return 0


def speed(history: list[dict[str, Any]]) -> str:
    """Decisions per second and where the time went, without the first update, which may compile."""
    rows = [row for row in history if "seconds" in row and not row.get("final")]
    rows = rows[1:] or rows
    total = sum(row["seconds"] for row in rows)
    learned = rows[-1]["steps"] * len(rows) / rows[-1]["update"]  # updates are alike
    shares = {
        "playing": "seconds_playing",
        "searching": "seconds_searching",
        "in the environment": "seconds_env",
        "forward": "seconds_forward",
        "backward": "seconds_backward",
    }
    told = [
        f"{sum(row.get(key, 0) for row in rows) / total:.0%} {what}" for what, key in shares.items() if key in rows[0]
    ]
    return f"{learned / total:,.0f} decisions/s; of the time {', '.join(told)}"


def tell(training: Run, policy: Path) -> None:
    """The result in a few lines."""
    for name, (rate, low, high) in training.history[-1]["winrates"].items():
        print(f"win rate against {name:12} {100 * rate:5.1f} % ({100 * low:.1f} to {100 * high:.1f})")
    print(f"speed   {speed(training.history)}")
    print(f"policy  {policy}")
    print(f"report  {policy.with_name('report.html')}")
    rules, player, ka = training.rules[0], shlex.quote(f"policy:{policy}"), hints.ka()
    print("what next?")
    print(f"  {ka} play --ruleset {rules.ruleset} --frame {rules.frame} --opponent {player}")
    print(f"  {ka} arena duel {player} {training.config.measured()[-1]} --on {rules.label}")
