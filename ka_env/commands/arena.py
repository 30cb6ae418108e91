"""Tournaments of agents. Every deal is played twice with the seats swapped; such pairs are what ratings count.

Agents are given by name and options: random, ismcts:iterations=1000, one of a game's rules-based players, or
python:package.module:Class for a class of your own. Interrupted? The same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ka_env.games import DEFAULT_RULESET

if TYPE_CHECKING:
    from ka_env.games import KaGame
    from ka_env.training.arena.plan import Plan

HELP = "tournaments: play agents against each other, rate them, report"


@dataclass(frozen=True)
class Preset:
    """A tournament with a name."""

    agents: tuple[str, ...]
    quick_agents: tuple[str, ...]
    on: tuple[str, ...]  # none: what the default game is measured on
    pairs: int
    quick_pairs: int


STYLES = "styles"  # in their place: the rules-based players of the game
PRESETS = {
    "ladder": Preset(
        agents=("random", STYLES, "ismcts:iterations=1000,net=none", "ismcts:iterations=5000,net=none"),
        quick_agents=("random", STYLES, "ismcts:iterations=100,net=none"),
        on=(),
        pairs=25,
        quick_pairs=10,
    )
}
DEFAULTS: dict[str, Any] = {
    "on": None, "match": None, "pairs": None, "seed": None, "secret": "", "agent_seeds": "", "store": None,
    "workers": None, "ray": None, "move_time": None, "memory": None, "no_walls": False, "report": None,
    "no_report": False, "json": None, "csv": None, "sides": None, "unverified": False, "quiet": False,
    "preset": None, "quick": False,
}  # fmt: skip
PAIRS = {"round-robin": 100, "gauntlet": 100, "duel": 20_000}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--preset", choices=list(PRESETS), default=argparse.SUPPRESS, help="a tournament with a name")
    parser.add_argument("--quick", action="store_true", default=argparse.SUPPRESS, help="the preset, much shorter")
    _playing_options(parser)
    parser.set_defaults(what=None)
    commands = parser.add_subparsers(metavar="what")
    for name, (help_text, add) in _WHAT.items():
        command = commands.add_parser(name, help=help_text, description=help_text)
        add(command)
        command.set_defaults(what=name)


def _playing_options(parser: argparse.ArgumentParser) -> None:
    """Given before or after the name of the tournament; without defaults, or those of one would hide the other."""
    group = parser.add_argument_group("playing", argument_default=argparse.SUPPRESS)
    group.add_argument(
        "--on", action="append", metavar="RULESET/FRAME", help=f"default {DEFAULT_RULESET}; may be repeated"
    )
    group.add_argument(
        "--match",
        metavar="NAME",
        help="every game is a match, best3, best5 ... or one of the game's own; its result counts",
    )
    group.add_argument("--pairs", type=int, metavar="N", help="pairs of games per pairing and rules")
    group.add_argument(
        "--seed", type=int, metavar="N", help="the same seed gives the same games; anybody can then tell the deals"
    )
    group.add_argument("--secret", metavar="HEX", help="of the deals, 32 hex digits or more; drawn by default")
    group.add_argument("--agent-seeds", metavar="HEX", help="the same for the seeds agents are given; drawn by default")
    group.add_argument("--store", metavar="FILE", help="where the games go (default arena.sqlite)")
    group.add_argument("--workers", type=int, metavar="N", help="processes; all cores by default, 0: this one")
    group.add_argument("--ray", choices=["auto", "local"], help="play as Ray tasks: on the cluster at hand or here")
    group.add_argument("--move-time", type=float, metavar="SECONDS", help="limit of third-party agents (default 60)")
    group.add_argument(
        "--memory", type=int, metavar="MB", help="for each process of a third-party agent (default 4096)"
    )
    group.add_argument("--no-walls", action="store_true", help="let third-party agents use the network and write files")
    group.add_argument("--report", metavar="FILE", help="the page to write (default: beside the store, .html)")
    group.add_argument("--no-report", action="store_true", help="write no page")
    _figures_options(group)
    group.add_argument("--unverified", action="store_true", help="rate games without replaying them; the page says so")
    group.add_argument("--quiet", action="store_true", help="no progress, no tables")


def _figures_options(parser: Any) -> None:
    suppressed = {"default": argparse.SUPPRESS, "metavar": "FILE"}
    parser.add_argument("--json", help="write the figures, with low and high of every rate and counts", **suppressed)
    parser.add_argument("--csv", help="write a line for each pairing: win rate, low, high, counts", **suppressed)


def _round_robin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agents", nargs="+", metavar="AGENT")
    _playing_options(parser)


def _gauntlet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("one", metavar="ONE")
    parser.add_argument("others", nargs="+", metavar="OTHER")
    _playing_options(parser)


def _duel(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A")
    parser.add_argument("b", metavar="B")
    parser.add_argument("--elo0", type=float, default=0.0, help="A is no stronger than this (default 0) ...")
    parser.add_argument("--elo1", type=float, default=10.0, help="... or at least this much stronger (default 10)")
    parser.add_argument("--alpha", type=float, default=0.05, help="chance to be wrong in favour of A (default 0.05)")
    parser.add_argument("--beta", type=float, default=0.05, help="chance to be wrong against A (default 0.05)")
    parser.add_argument("--no-sprt", action="store_true", help="play all pairs")
    _playing_options(parser)


def _report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE")
    parser.add_argument("--report", metavar="FILE", default=argparse.SUPPRESS)
    parser.add_argument("--no-report", action="store_true", default=argparse.SUPPRESS, help="write no page")
    _figures_options(parser)
    parser.add_argument("--unverified", action="store_true", default=argparse.SUPPRESS, help="don't replay the games")
    parser.add_argument("--sides", metavar="FILE", default=argparse.SUPPRESS, help="who beats whom by side, as CSV")


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE")
    parser.add_argument("--out", required=True, metavar="DIR", help="where the files go")
    parser.add_argument("--game", action="append", metavar="ID", help="only this game, e.g. 0.0.1.12; may be repeated")


_WHAT = {
    "round-robin": ("everybody against everybody", _round_robin),
    "gauntlet": ("one agent against many", _gauntlet),
    "duel": ("two agents, until a sequential test (SPRT) knows who is stronger", _duel),
    "report": ("tables and page of a store", _report),
    "export": ("games of a store as records, replayed and checked", _export),
}


def run(args: argparse.Namespace) -> int:
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # for python:module:Class
    options = argparse.Namespace(**{**DEFAULTS, **vars(args)})
    if options.what == "export":
        return export(options)
    if options.what == "report":
        return report(options, Path(options.store))
    return play(options)


# ---- playing --------------------------------------------------------------------------------------------------------


def play(options: argparse.Namespace) -> int:
    from ka_env.training.arena.tournament import play_tournament

    plan = make_plan(options)
    store = Path(options.store or (f"{options.preset}.sqlite" if options.preset else "arena.sqlite"))
    try:
        outcome = play_tournament(plan, store, options.workers, options.ray, options.quiet)
    except KeyboardInterrupt:
        print(f"\narena: interrupted; what is finished is in {store}, the same command goes on", file=sys.stderr)
        return 130
    if outcome.sprt and not options.quiet:
        print(outcome.sprt.summary())
    return report(options, store)


def make_plan(options: argparse.Namespace) -> Plan:
    from ka_env.games import game_of
    from ka_env.match import parse_setup
    from ka_env.training.arena.faults import ArenaError
    from ka_env.training.arena.plan import MEMORY, MOVE_TIME, Kind, Plan, SprtSettings

    if (options.what is None) == (options.preset is None):
        raise ArenaError(f"say what to play: {', '.join(_WHAT)}, or --preset {'|'.join(PRESETS)}")
    kind: Kind = options.what or "round-robin"
    on = options.on or (PRESETS[options.preset].on if options.preset else [DEFAULT_RULESET])
    rules = [parse_setup(text, options.match) for text in on] or game_of(DEFAULT_RULESET).measured_setups()
    agents, pairs = _preset(options, rules[0].game) if options.preset else (_agents(options), PAIRS[kind])
    sprt = None
    if kind == "duel" and not options.no_sprt:
        sprt = SprtSettings(options.elo0, options.elo1, options.alpha, options.beta)
    return Plan(
        agents=agents,
        rules=tuple(rules),
        pairs=pairs if options.pairs is None else options.pairs,
        kind=kind,
        seed=options.seed,
        secret=options.secret,
        agent_seeds=options.agent_seeds,
        move_time=MOVE_TIME if options.move_time is None else options.move_time,
        memory=MEMORY if options.memory is None else options.memory,
        walls=not options.no_walls,
        sprt=sprt,
        match=options.match,
    )


def _agents(options: argparse.Namespace) -> tuple[str, ...]:
    if options.what == "gauntlet":
        return (options.one, *options.others)
    return (options.a, options.b) if options.what == "duel" else tuple(options.agents)


def _preset(options: argparse.Namespace, game: KaGame) -> tuple[tuple[str, ...], int]:
    """Agents (those there are) and pairs."""
    from ka_env.agents.registry import agent_names, parse_spec

    preset = PRESETS[options.preset]
    styles = game.room("styles").STYLES if game.styles else []
    named = preset.quick_agents if options.quick else preset.agents
    wanted = [spec for name in named for spec in (styles if name == STYLES else [name])]
    names = agent_names()
    missing = [spec for spec in wanted if parse_spec(spec)[0] not in names]
    if missing and not options.quiet:
        print(f"arena: not installed, left out: {', '.join(missing)}", file=sys.stderr)
    agents = tuple(spec for spec in wanted if spec not in missing)
    return agents, preset.quick_pairs if options.quick else preset.pairs


# ---- reporting ------------------------------------------------------------------------------------------------------


def report(options: argparse.Namespace, path: Path) -> int:
    from ka_env.training.arena.report import write_report
    from ka_env.training.arena.sides import side_tables, sides_csv
    from ka_env.training.arena.standings import all_standings
    from ka_env.training.arena.store import Store
    from ka_env.training.arena.tables import as_csv, as_json, show

    with Store.read(path) as store:
        found, sides = all_standings(store), side_tables(store)
        if not options.quiet:
            show(found, sides)
        if options.json:
            Path(options.json).write_text(as_json(found, sides, store.about()), encoding="utf-8")
        if options.csv:
            Path(options.csv).write_text(as_csv(found), encoding="utf-8")
        if options.sides:
            Path(options.sides).write_text(sides_csv(sides), encoding="utf-8")
        if not options.no_report:
            page = write_report(store, options.report or path.with_suffix(".html"), options.unverified)
            if not options.quiet:
                told = (
                    "not verified" if options.unverified or store.rules_changed else "all games replayed and verified"
                )
                print(f"\nReport: {page} ({told})")
    return 0


def export(options: argparse.Namespace) -> int:
    from ka_env.training.arena.records import export_games
    from ka_env.training.arena.store import Store

    with Store.read(options.store) as store:
        written = export_games(store, options.out, options.game)
    print(f"{len(written)} games replayed, checked and written to {options.out}")
    return 0
