"""Standings as tables for the terminal, and as JSON and CSV. No rate without its interval."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ka_env.training.arena.charts import signed
from ka_env.training.arena.sides import SideTable
from ka_env.training.arena.standings import Standings
from ka_env.training.ratings import Winrate

WIDE = 240  # columns where there is no terminal to fit


def percent(rate: float | None) -> str:
    return "" if rate is None or rate != rate else f"{100 * rate:.1f} %"


def interval(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f}"


def with_interval(rate: Winrate | Sequence[float] | None) -> str:
    """`81.2 % (72.0 to 88.0)`: a win rate as it is told everywhere."""
    return "" if rate is None else f"{percent(rate[0])} ({interval(rate[1], rate[2])})"


def show(found: list[Standings], sides: Sequence[SideTable] = ()) -> None:
    console = Console(width=None if sys.stdout.isatty() else WIDE, highlight=False, markup=False, emoji=False)
    for one in found:
        console.print()
        console.print(rating_table(one))
        console.print(payoff_table(one))
        console.print(summary(one))
    for table in sides:
        console.print()
        console.print(side_table(table))
        if table.starter:
            console.print(f"First turn: {with_interval(table.starter)}.")


def summary(found: Standings) -> str:
    games = "games" if found.match is None else f"matches ({found.match})"
    words = (
        f"First player: {with_interval(found.seats.first)}, "
        f"{signed(found.ratings.first_advantage)} ± {found.ratings.first_advantage_half_width:.0f} Elo. "
        f"{found.total} {games}, {found.draws} drawn"
    )
    lost = [f"{name} {n}" for name, n in zip(found.agents, found.forfeits) if n]
    return words + (f". Lost by forfeit: {', '.join(lost)}." if lost else ", none lost by forfeit.")


def rating_table(found: Standings) -> Table:
    table = Table(title=found.label, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("agent", overflow="fold")
    table.add_column("Elo", justify="right", no_wrap=True)
    for head in ("win rate", "as first", "as second", "games", "LOS over next", "Nash", "α-Rank"):
        table.add_column(head, justify="right")
    half, los = found.ratings.half_width, found.los_over_next()
    for rank, k in enumerate(found.order, 1):
        table.add_row(
            str(rank),
            found.agents[k],
            f"{signed(found.ratings.elo[k])} ± {half[k]:.0f}",
            *(with_interval(x) for x in (found.winrates[k], found.seats.as_first[k], found.seats.as_second[k])),
            str(found.games[k]),
            percent(los[k]),
            "" if found.nash is None else percent(float(found.nash.mix[k])),
            "" if found.alpha is None else percent(float(found.alpha[k])),
        )
    return table


def payoff_table(found: Standings) -> Table:
    """Win rate of the row's agent against the column's."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("win rate against", overflow="fold")
    for rank, _ in enumerate(found.order, 1):
        table.add_column(str(rank), justify="right")
    for rank, k in enumerate(found.order, 1):
        cells = [_payoff_cell(found, k, other) for other in found.order]
        table.add_row(f"{rank} {found.agents[k]}", *cells)
    return table


def _payoff_cell(found: Standings, one: int, two: int) -> str:
    if one == two:
        return "·"
    return with_interval(found.payoff.cell(one, two)) if found.payoff.pairs[one, two] else ""


def side_table(found: SideTable) -> Table:
    """Win rates in % of the row against the column, over both seats and all agents."""
    table = Table(title=f"{found.label} by {found.word}", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("% against", no_wrap=True)
    for name in [*found.names, "all", *found.facts, "Nash"]:
        table.add_column(name, justify="right")
    for i, name in enumerate(found.names):
        cells = ["·" if rate != rate else f"{100 * rate:.0f}" for rate in found.rate[i].tolist()]
        nash = "" if found.nash is None else percent(float(found.nash.mix[i]))
        table.add_row(
            name, *cells, with_interval(found.each[i]), *(f"{mean[i]:.2f}" for mean in found.facts.values()), nash
        )
    return table


# ---- for other programs ---------------------------------------------------------------------------------------------


def all_numbers(found: list[Standings], tables: list[SideTable]) -> list[dict[str, Any]]:
    """The main figures by rules, for JSON."""
    sides = {table.label: {table.word: table.numbers()} for table in tables}
    return [one.numbers() | sides.get(one.label, {}) for one in found]


def as_json(found: list[Standings], sides: list[SideTable], about: dict[str, Any]) -> str:
    """The main figures, with what was played."""
    return json.dumps(about | {"standings": all_numbers(found, sides)}, indent=1, ensure_ascii=False) + "\n"


CSV_HEAD = ["rules", "agent", "opponent", "pairs", "win_rate", "low", "high", "s0", "s0.5", "s1", "s1.5", "s2"]


def as_csv(found: list[Standings]) -> str:
    """A line for each pairing: win rate of the agent with its interval, and how many pairs brought so many points."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(CSV_HEAD)
    for one in found:
        for agent, opponent, counts, rate in one.pairings:
            lines.writerow([one.label, agent, opponent, rate.pairs, *(f"{x:.4f}" for x in rate[:3]), *counts])
    return out.getvalue()
