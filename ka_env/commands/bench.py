"""Measure speed on this machine: random legal play through the public interface."""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ka_env.games import DEFAULT_RULESET

if TYPE_CHECKING:  # imported when the command runs: `ka --help` should not wait for a stopwatch
    from rich.table import Table

HELP = "measure speed on this machine"

EXPLAINED = """\
Decisions/s counts choices of a player: one per game and step, including the deals of new games. Games/s is that
rate divided by the mean length of 1024 random games, each played to its end once. `of memcpy` sets the rate beside
a plain NumPy copy (np.copyto, one thread) of the bytes a decision hands out (the mask, and the observation where it
is measured), at the same batch size and in the same run: time of the copy / time of the step. 100 % would mean that
playing costs no more than copying its result. At batch 1 both sides are mostly the cost of a call from Python.
Rates are medians of interleaved repeats; printed rates are cut, not rounded, and printed times are rounded up.
Several threads need idle cores: beside other busy programs every step waits for the slowest thread.
Some games have parts that are timed decision by decision in random games: completability is what finding the options of
a turn costs where each is followed until the turn can be finished; mean and worst case.
ismcts: iterations of the search in games it plays against itself, one core, all its work included; also with each
shipped network that was trained on these rules. network: positions judged a second (legal actions and value), one core.
learning: decisions a second that `ka train` plays and learns from, with networks like the shipped ones, the usual
settings and those of the preset of that name; the rest of the time goes into Adam and waiting. Arithmetic:
multiplications and additions of the layers, beside what a product of two 512×512 matrices reaches in the same time on
as many cores.
First start: `import` to the end of the first step of a batch, all that it needs being compiled. Cold compile: every
kernel of the engine, those for threads too. Warm start: as the first, with compiled rules on disk.
Peers are timed if installed (extra `peers`).
The full run needs a few minutes and about 3 GB of memory."""


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXPLAINED
    parser.add_argument(
        "--ruleset", action="append", metavar="NAME", help=f"such as {DEFAULT_RULESET}; may be repeated"
    )
    parser.add_argument("--frame", action="append", metavar="NAME", help="one for all rulesets, or one for each")
    parser.add_argument("--batch", action="append", type=positive, metavar="N", help="games at once; may be repeated")
    parser.add_argument("--threads", action="append", type=positive, metavar="N", help="may be repeated")
    parser.add_argument("--repeats", type=positive, metavar="N", help="timings of each case")
    parser.add_argument("--quick", action="store_true", help="a few seconds (and the compile), without learning")
    parser.add_argument("--no-compile", action="store_true", help="leave out cold and warm start")
    parser.add_argument("--no-peers", action="store_true", help="leave out other projects' environments")
    parser.add_argument("--json", action="store_true", help="machine-readable, with unrounded numbers")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")


def settings(rulesets: list[str], frames: list[str] | None) -> tuple[tuple[str, str], ...]:
    """Rulesets with their frames: the usual one, one for all, or one for each."""
    from ka_env.errors import RulesetError
    from ka_env.games import Setup

    given: list[str | None] = [*frames] if frames else [None]
    if len(given) not in (1, len(rulesets)):
        raise RulesetError(f"{len(given)} frames for {len(rulesets)} rulesets: give one for all, or one for each")
    pairs = zip(rulesets, given * len(rulesets) if len(given) == 1 else given)
    return tuple(Setup.of(ruleset, frame)[:2] for ruleset, frame in pairs)


def run(args: argparse.Namespace) -> int:
    from ka_env.bench import timing as bench

    plan = bench.QUICK if args.quick else bench.Plan()
    if args.ruleset or args.frame:
        plan = replace(plan, settings=settings(args.ruleset or [r for r, _ in plan.settings], args.frame))
    plan = replace(
        plan,
        batches=tuple(args.batch or plan.batches),
        threads=tuple(args.threads or plan.threads),
        repeats=args.repeats or plan.repeats,
        start_up=not args.no_compile,
        peers=not args.no_peers,
    )
    results = bench.run(plan, say=lambda text: print(f"ka bench: {text}", file=sys.stderr, flush=True))
    if args.json:
        print(bench.to_json(results))
    else:
        show(results, args.markdown)
    return 0


# ---- tables


def rate(value: float) -> str:
    """Three digits, cut: 3.149 million is '3.14 M'."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{cut(value / size)} {unit}"
    return cut(value)


def cut(value: float) -> str:
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    return f"{math.floor(value * 10**decimals) / 10**decimals:.{decimals}f}"


def seconds(value: float) -> str:
    return f"{math.ceil(value * 100) / 100:.2f} s"


def rate_table(rows: list[dict[str, Any]], title: str, markdown: bool) -> Table:
    """One line per measurement and batch; three columns for each number of threads."""
    from rich import box
    from rich.table import Table

    threads = sorted({row["threads"] for row in rows})
    table = Table(title=title, title_justify="left", box=box.MARKDOWN if markdown else box.SIMPLE_HEAVY)
    table.add_column("measured")
    table.add_column("batch", justify="right")
    table.add_column("bytes", justify="right")
    for n in threads:
        plural = "thread" if n == 1 else "threads"
        for head in (f"decisions/s\n{n} {plural}", "games/s", "of memcpy", *(["over\n1 thread"] if n > 1 else [])):
            table.add_column(head.replace("\n", ", " if "/" in head else " ") if markdown else head, justify="right")
    lines: dict[tuple[Any, ...], dict[int, dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault((row["measurement"], row["batch"], row["bytes_per_decision"]), {})[row["threads"]] = row
    for (name, batch, size), by_threads in lines.items():
        cells = [name, str(batch), str(size)]
        for n in threads:
            cells += rate_cells(by_threads.get(n), n)
        table.add_row(*cells)
    return table


def peer_table(rows: list[dict[str, Any]], markdown: bool) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.MARKDOWN if markdown else box.SIMPLE_HEAVY)
    table.add_column("observe + step, one core")
    table.add_column("steps/s", justify="right")
    table.add_column("ka_env over it, raw or wrapped like it", justify="right")
    for row in rows:
        times = "" if row["name"] == row["beside"] else f"× {cut(row['ours_over_it'])}"
        table.add_row(row["name"], rate(row["steps_per_second"]), times)
    return table


def cost_line(row: dict[str, Any]) -> str:
    mean, worst, elsewhere = (micro(row[f"{name}_seconds"]) for name in ("mean", "worst", "elsewhere"))
    return (
        f"{row['name']}, {row['ruleset']} {row['frame']}: {mean} a decision, at worst {worst} "
        f"({row['decisions']} decisions at {', '.join(row['kinds'])}; at the others {elsewhere}; a call included)"
    )


def learning_line(row: dict[str, Any]) -> str:
    threads = "1 thread" if row["threads"] == 1 else f"{row['threads']} threads"
    gain = "" if row["over_one_thread"] is None else f", × {cut(row['over_one_thread'])} over 1 thread"
    shares = ", ".join(f"{cut(100 * share)} % {what}" for what, share in row["shares"].items())
    return (
        f"learning with {row['net']}, {row['ruleset']} {row['frame']}, settings {row['preset']} "
        f"(minibatch {row['minibatch']}), {threads}: "
        f"{rate(row['decisions_per_second'])} decisions/s{gain} ({shares}; "
        f"{cut(100 * row['arithmetic'])} % of the cores' arithmetic)"
    )


def micro(value: float) -> str:
    """Microseconds, rounded up."""
    return f"{math.ceil(value * 1e7) / 10:.1f} µs"


def rate_cells(row: dict[str, Any] | None, threads: int) -> list[str]:
    if row is None:
        return [""] * (4 if threads > 1 else 3)
    cells = [rate(row["decisions_per_second"]), rate(row["games_per_second"]), f"{cut(100 * row['memcpy_ratio'])} %"]
    if threads > 1:
        gain = row["over_one_thread"]
        cells.append("" if gain is None else f"× {cut(gain)}")
    return cells


def show(results: dict[str, Any], markdown: bool = False) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() and not markdown else 160, highlight=False)
    m, plan = results["machine"], results["plan"]
    load = "" if m["load"] is None else f", load {m['load']:.2f} before the run"
    console.print(
        f"ka_env {m['ka_env']}, Python {m['python']}, NumPy {m['numpy']}, Numba {m['numba']}"
        f"{'' if m['compiled'] else ' (NOT COMPILED: NUMBA_DISABLE_JIT is set)'}; "
        f"{m['cpu']}, {m['cores']} cores, {m['system']}; {m['date']}{load}"
    )
    console.print(f"Medians of {plan['repeats']} repeats of about {plan['seconds']} s each, interleaved.\n")
    for record in results["games"]:
        ruleset, frame = record["ruleset"], record["frame"]
        rows = [row for row in results["rates"] if (row["ruleset"], row["frame"]) == (ruleset, frame)]
        title = (
            f"{ruleset} {frame}: {record['bytes']} bytes per game record, "
            f"{record['decisions_per_game']:.1f} decisions per random game"
        )
        if markdown:
            console.print(f"**{title}**")
        console.print(rate_table(rows, "" if markdown else title, markdown))
    for row in results["searches"]:
        net = f" with {row['net']}" if row["net"] else ""
        told = f"{rate(row['iterations_per_second'])} iterations/s"
        console.print(f"ismcts{net}, {row['ruleset']} {row['frame']}: {told}")
    for row in results["networks"]:
        kind = f"{row['network']['kind']} {'×'.join(map(str, row['network']['hidden']))}"
        told = f"{rate(row['evaluations_per_second'])} evaluations/s"
        console.print(f"network {row['net']} ({kind}), {row['ruleset']} {row['frame']}: {told}")
    for row in results["learning"]:
        console.print(learning_line(row))
    for row in results["costs"]:
        console.print(cost_line(row))
    console.print()
    if results["peers"]:
        console.print(peer_table(results["peers"], markdown))
    if results["start_up"]:
        start = results["start_up"]
        console.print(
            f"First start, import to first step, {seconds(start['first_seconds'])}; cold compile of every kernel "
            f"{seconds(start['cold_seconds'])}; warm start {seconds(start['warm_seconds'])} "
            f"({start['ruleset']} {start['frame']}).\n"
        )
    console.print("Included:")
    for name, text in results["included"].items():
        console.print(f"- {name}: {text}.", soft_wrap=markdown)
    if not markdown:
        console.print("How to read `of memcpy`: ka bench --help")
