"""Standings as tables for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from ka_env.training.arena.charts import signed
from ka_env.training.arena.sides import SideTable
from ka_env.training.arena.standings import Standings
from ka_env.training.ratings import Winrate


def percent(rate: float | None) -> str:
    return "" if rate is None or rate != rate else f"{100 * rate:.1f} %"


def show(found: list[Standings], sides: Sequence[SideTable] = ()) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False, emoji=False)
    for one in found:
        console.print()
        console.print(rating_table(one))
        console.print(payoff_table(one))
        console.print(summary(one))
    for table in sides:
        console.print()
        console.print(side_table(table))
        if table.starter:
            first = table.starter
            console.print(f"First turn: {percent(first.rate)} ({percent(first.low)} to {percent(first.high)}).")


def summary(found: Standings) -> str:
    first = found.seats.first
    words = (
        f"First player: {percent(first.rate)} ({percent(first.low)} to {percent(first.high)}), "
        f"{signed(found.ratings.first_advantage)} ± {found.ratings.first_advantage_half_width:.0f} Elo. "
        f"{found.total} games, {found.draws} drawn"
    )
    lost = [f"{name} {n}" for name, n in zip(found.agents, found.forfeits) if n]
    return words + (f". Lost by forfeit: {', '.join(lost)}." if lost else ", none lost by forfeit.")


def rating_table(found: Standings) -> Table:
    table = Table(title=found.label, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("agent", no_wrap=True)
    for head in ("Elo", "±", "win rate", "as first", "as second", "games", "LOS over next", "Nash", "α-Rank"):
        table.add_column(head, justify="right")
    half, los = found.ratings.half_width, found.los_over_next()
    for rank, k in enumerate(found.order, 1):
        table.add_row(
            str(rank),
            found.agents[k],
            signed(found.ratings.elo[k]),
            f"{half[k]:.0f}",
            *(_rate(x) for x in (found.winrates[k], found.seats.as_first[k], found.seats.as_second[k])),
            str(found.games[k]),
            percent(los[k]),
            "" if found.nash is None else percent(float(found.nash.mix[k])),
            "" if found.alpha is None else percent(float(found.alpha[k])),
        )
    return table


def _rate(rate: Winrate | None) -> str:
    return "" if rate is None else percent(rate.rate)


def payoff_table(found: Standings) -> Table:
    """Win rate of the row's agent against the column's."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("win rate against", no_wrap=True)
    for rank, _ in enumerate(found.order, 1):
        table.add_column(str(rank), justify="right")
    for rank, k in enumerate(found.order, 1):
        cells = ["·" if k == other else percent(float(found.payoff.rate[k, other])) for other in found.order]
        table.add_row(f"{rank} {found.agents[k]}", *cells)
    return table


def side_table(found: SideTable) -> Table:
    """Win rates in % of the row against the column, over both seats and all agents."""
    table = Table(title=f"{found.label} by {found.word}", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("% against", no_wrap=True)
    for name in [*found.names, "all", *found.facts, "Nash"]:
        table.add_column(name, justify="right")
    for i, name in enumerate(found.names):
        cells = ["·" if rate != rate else f"{100 * rate:.0f}" for rate in found.rate[i].tolist()]
        nash = "" if found.nash is None else percent(float(found.nash.mix[i]))
        table.add_row(name, *cells, _rate(found.each[i]), *(f"{mean[i]:.2f}" for mean in found.facts.values()), nash)
    return table
