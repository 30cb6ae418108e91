"""What the players of a game bring with them (decks, peoples), compared over a tournament: who beats whom, and more.

In the two games of a pair the sides keep their seats while the agents swap theirs, so a pair is one fair try of a side
against another, whatever the agents are worth.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
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
            "win_rate_in_seat_0": plain(self.first),
            "starter_win_rate": None if self.starter is None else round(self.starter.rate, 4),
            "nash": None if self.nash is None else [round(float(x), 4) for x in self.nash.mix],
            "means": {name: [round(x, 4) for x in values] for name, values in self.facts.items()},
        }


def side_tables(store: Store) -> list[SideTable]:
    """By rules; none where the game has no sides, or only one met."""
    tables = [_table(store, number) for (number,) in store.query("SELECT DISTINCT rules FROM games ORDER BY rules")]
    return [table for table in tables if table is not None]


@dataclass(frozen=True)
class _Deals:
    """Deals of which both games were played to the end: forfeits tell nothing of sides."""

    sides: np.ndarray  # [seat, deal]: by number
    scores: np.ndarray  # of seat 0 in both games, 0 to 2
    starter: np.ndarray  # who had the first turn

    def scores_of(self, seat: int) -> np.ndarray:
        return self.scores if seat == 0 else SEATS - self.scores

    def alone(self, side: int, seat: int) -> np.ndarray:
        """Scores of a side in a seat, against any."""
        return self.scores_of(seat)[self.sides[seat] == side]

    def meetings(self, side: int, other: int, seat: int) -> np.ndarray:
        """Scores of a side in a seat against another side."""
        return self.scores_of(seat)[(self.sides[seat] == side) & (self.sides[1 - seat] == other)]

    def against(self, side: int, others: Iterable[int]) -> np.ndarray:
        """Scores of a side against some others, in both seats."""
        return np.concatenate([self.meetings(side, other, seat) for other in others for seat in range(SEATS)])


def _table(store: Store, rules: int) -> SideTable | None:
    about = store.plan.rules[rules].game.sides
    if about is None:
        return None
    side_0, side_1, facts, reason = store.columns("side_first", "side_second", "facts", "reason", rules=rules)
    names = tuple(name for name in about.names if name in {*side_0, *side_1})
    if len(names) < 2:
        return None
    sides = np.array([[names.index(name) for name in seat] for seat in (side_0, side_1)])
    normal = reason == NORMAL
    means = _means(facts[normal], sides[:, normal], len(names))
    return _compared(store.plan.rules[rules].label, about.word, names, _deals(store, rules, sides, normal), means)


def _deals(store: Store, rules: int, sides: np.ndarray, normal: np.ndarray) -> _Deals:
    """Games by their deals."""
    one, two, pair, score, starter = store.columns("first", "second", "pair", "score", "starter", rules=rules)
    keys = np.stack([np.minimum(one, two), np.maximum(one, two), pair], axis=1)
    _, first, deal = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    deal = deal.reshape(-1)
    whole = np.bincount(deal, normal) == SEATS
    scores = np.bincount(deal, score)
    return _Deals(sides[:, first][:, whole], scores[whole], starter[first][whole])


def _compared(label: str, word: str, names: tuple[str, ...], deals: _Deals, facts: dict[str, list[float]]) -> SideTable:
    n = len(names)
    everybody = range(n)
    rate, low, high, first = (np.full((n, n), np.nan) for _ in range(4))
    pairs = np.zeros((n, n), np.int64)
    for i, j in np.ndindex(n, n):
        first[i, j] = _mean(deals.meetings(i, j, 0)) / SEATS
        scores = deals.against(i, [j])
        if i != j and len(scores):
            found = winrate_interval(scores)
            rate[i, j], low[i, j], high[i, j], pairs[i, j] = found.rate, found.low, found.high, len(scores)
    mirror = np.eye(n, dtype=bool)
    met = not np.isnan(rate[~mirror]).any()
    of_starter = np.where(deals.starter == 0, deals.scores, SEATS - deals.scores)
    return SideTable(
        label=label,
        word=word,
        names=names,
        rate=rate,
        low=low,
        high=high,
        pairs=pairs,
        first=first,
        each=[_winrate(deals.against(k, [j for j in everybody if j != k])) for k in everybody],
        as_first=[_mean(deals.alone(k, 0)) / SEATS for k in everybody],
        as_second=[_mean(deals.alone(k, 1)) / SEATS for k in everybody],
        facts=facts,
        nash=nash_average(np.where(mirror, 0.5, rate)) if met else None,
        starter=_winrate(of_starter),
    )


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _winrate(scores: np.ndarray) -> Winrate | None:
    return winrate_interval(scores) if len(scores) else None


def _means(facts: np.ndarray, sides: np.ndarray, n: int) -> dict[str, list[float]]:
    """Facts with a number for each player, by side."""
    told = [json.loads(text) for text in facts.tolist() if text]
    if len(told) != len(facts) or not told:
        return {}
    found = {}
    for name in [name for name in told[0] if all(_is_by_player(one.get(name)) for one in told)]:
        values = np.array([one[name] for one in told], float).T
        sums = sum(np.bincount(sides[seat], values[seat], minlength=n) for seat in range(SEATS))
        counts = sum(np.bincount(sides[seat], minlength=n) for seat in range(SEATS))
        found[name] = (sums / np.maximum(counts, 1)).tolist()
    return found


def _is_by_player(value: object) -> bool:
    return isinstance(value, list) and len(value) == SEATS and all(isinstance(x, int | float) for x in value)


# ---- as text --------------------------------------------------------------------------------------------------------


def sides_csv(tables: list[SideTable]) -> str:
    """One row for each two sides that have met."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow("rules side against pairs win_rate low high win_rate_in_seat_0".split())
    for table in tables:
        writer.writerows(_csv_rows(table))
    return out.getvalue()


def _csv_rows(table: SideTable) -> Iterator[list[Any]]:
    for i, j in np.argwhere(table.pairs > 0).tolist():
        values = [table.rate[i, j], table.low[i, j], table.high[i, j], table.first[i, j]]
        shown = ["" if x != x else f"{x:.4f}" for x in values]
        yield [table.label, table.names[i], table.names[j], int(table.pairs[i, j]), *shown]
