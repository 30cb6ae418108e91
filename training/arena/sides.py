"""What the players of a game bring with them (decks, peoples), compared over a tournament: who beats whom, and more.

In the two games of a pair the sides keep their seats while the agents swap theirs, so a pair is one fair try of a side
against another, whatever the agents are worth.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ka_env.training.arena.faults import NORMAL
from ka_env.training.arena.store import Store
from ka_env.training.ratings import NashAverage, Winrate, nash_average, winrate_interval

SEATS = 2


@dataclass(frozen=True)
class SideTable:
    """Everything by side is in the order of `names`; matrices tell of the row against the column, NaN: never met."""

    label: str  # of the rules
    word: str
    names: tuple[str, ...]
    rate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pairs: np.ndarray
    first: np.ndarray  # of the row when it sits first
    each: list[Winrate | None]
    as_first: list[float]
    as_second: list[float]
    facts: dict[str, list[float]]  # of those that tell a number for each player: the mean by side
    nash: NashAverage | None  # None unless every two sides have met
    starter: Winrate | None  # of whoever has the first turn

    def numbers(self) -> dict[str, Any]:
        """The main figures, for JSON."""

        def plain(values: np.ndarray) -> list[Any]:
            rounded = np.round(values.astype(float), 4).tolist()
            return [[None if x != x else x for x in row] for row in rounded]

        return {
            "rules": self.label,
            "sides": list(self.names),
            "win_rate": plain(self.rate),
            "low": plain(self.low),
            "high": plain(self.high),
            "pairs": self.pairs.tolist(),
            "win_rate_as_first": plain(self.first),
            "starter_win_rate": None if self.starter is None else round(self.starter.rate, 4),
            "nash": None if self.nash is None else [round(float(x), 4) for x in self.nash.mix],
            "means": {name: [round(x, 4) for x in values] for name, values in self.facts.items()},
        }


def side_tables(store: Store) -> list[SideTable]:
    """By rules; none where the game has no sides, or only one met."""
    tables = [_table(store, number) for (number,) in store.query("SELECT DISTINCT rules FROM games ORDER BY rules")]
    return [table for table in tables if table is not None]


def _table(store: Store, rules: int) -> SideTable | None:
    about = store.plan.rules[rules].game.sides
    if about is None:
        return None
    names_of = "first second pair score reason starter side_first side_second facts".split()
    columns = store.columns(*names_of, rules=rules)
    one, two, pair, score, reason, starter, side_0, side_1, facts = columns
    present = set(side_0) | set(side_1)
    names = tuple(name for name in about.names if name in present)
    if len(names) < 2:
        return None
    number = {name: k for k, name in enumerate(names)}
    sides = np.array([[number[x] for x in side_0], [number[x] for x in side_1]])
    deals = np.stack([np.minimum(one, two), np.maximum(one, two), pair], axis=1)
    deal = np.unique(deals, axis=0, return_inverse=True)[1].reshape(-1)
    normal = reason == NORMAL
    label = store.plan.rules[rules].label
    return _compared(label, about.word, names, sides, deal, score, normal, facts, starter)


def _compared(
    label: str,
    word: str,
    names: tuple[str, ...],
    sides: np.ndarray,
    deal: np.ndarray,
    score: np.ndarray,
    normal: np.ndarray,
    facts: np.ndarray,
    starter: np.ndarray,
) -> SideTable:
    n = len(names)
    whole = np.bincount(deal[normal], minlength=deal.max() + 1) == SEATS  # forfeits tell nothing of sides
    sums = np.bincount(deal, np.where(normal, score, 0.0))
    seats = np.zeros((SEATS, len(whole)), np.int64)
    seats[:, deal] = sides
    rate, low, high, first = (np.full((n, n), np.nan) for _ in range(4))
    pairs = np.zeros((n, n), np.int64)
    for i, j in np.ndindex(n, n):
        when_first = sums[whole & (seats[0] == i) & (seats[1] == j)]
        if len(when_first):
            first[i, j] = when_first.mean() / 2
        scores = np.concatenate([when_first, 2 - sums[whole & (seats[0] == j) & (seats[1] == i)]])
        if i != j and len(scores):
            found = winrate_interval(scores)
            rate[i, j], low[i, j], high[i, j], pairs[i, j] = found.rate, found.low, found.high, len(scores)
    met = not np.isnan(rate[~np.eye(n, dtype=bool)]).any()
    starts = np.zeros(len(whole), np.int64)
    starts[deal] = starter
    of_starter = np.where(starts == 0, sums, SEATS - sums)[whole]
    as_seat = [[_mean(_of_seat(sums, seat)[whole & (seats[seat] == k)] / 2) for k in range(n)] for seat in range(SEATS)]
    return SideTable(
        label=label,
        word=word,
        names=names,
        rate=rate,
        low=low,
        high=high,
        pairs=pairs,
        first=first,
        each=[_each(sums, seats, whole, k) for k in range(n)],
        as_first=as_seat[0],
        as_second=as_seat[1],
        facts=_means(facts[normal], sides[:, normal], n),
        nash=nash_average(np.where(np.eye(n, dtype=bool), 0.5, rate)) if met else None,
        starter=winrate_interval(of_starter) if len(of_starter) else None,
    )


def _of_seat(sums: np.ndarray, seat: int) -> np.ndarray:
    return sums if seat == 0 else SEATS - sums


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _each(sums: np.ndarray, seats: np.ndarray, whole: np.ndarray, side: int) -> Winrate | None:
    """Against all others."""
    other = whole & (seats[0] != seats[1])
    scores = np.concatenate([_of_seat(sums, seat)[other & (seats[seat] == side)] for seat in range(SEATS)])
    return winrate_interval(scores) if len(scores) else None


def _means(facts: np.ndarray, sides: np.ndarray, n: int) -> dict[str, list[float]]:
    """Facts with a number for each player, by side."""
    told = [json.loads(text) for text in facts.tolist() if text]
    if len(told) != len(facts) or not told:
        return {}
    names = [name for name, value in told[0].items() if isinstance(value, list) and len(value) == SEATS]
    found = {}
    for name in names:
        values = np.array([one[name] for one in told], float).T
        sums = sum(np.bincount(sides[seat], values[seat], minlength=n) for seat in range(SEATS))
        counts = sum(np.bincount(sides[seat], minlength=n) for seat in range(SEATS))
        found[name] = (sums / np.maximum(counts, 1)).tolist()
    return found


# ---- as text --------------------------------------------------------------------------------------------------------


def sides_csv(tables: list[SideTable]) -> str:
    """One row for each two sides that have met."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow("rules side against pairs win_rate low high win_rate_as_first".split())
    for table in tables:
        writer.writerows(_csv_rows(table))
    return out.getvalue()


def _csv_rows(table: SideTable) -> Iterator[list[Any]]:
    for i, j in np.argwhere(table.pairs > 0).tolist():
        values = [table.rate[i, j], table.low[i, j], table.high[i, j], table.first[i, j]]
        shown = ["" if x != x else f"{x:.4f}" for x in values]
        yield [table.label, table.names[i], table.names[j], int(table.pairs[i, j]), *shown]
