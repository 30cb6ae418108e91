"""Is a store what was played? Every game is dealt anew from the secret and replayed, thousands side by side.

What can't be verified this way: who played, and whether a forfeit happened as it is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from ka_env.engine.loops import SKIP
from ka_env.training.arena.engines import Engine, dealt, final_hash
from ka_env.training.arena.faults import FORFEITS, LIMIT, NORMAL, REASONS, VOID, ArenaError
from ka_env.training.arena.plan import Lane, Plan
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.store import Store, game_id
from ka_env.training.arena.telling import Telling, tellings

SIDE_BY_SIDE = 2048  # games
TOLD = 5  # wrong games in a message
MOST_PAIRS = 1 << 31
SCORES = {NORMAL: (0, 0.5, 1), LIMIT: (0.5,), VOID: (0.5,)}  # by reason; a forfeit has a loser

Wrong = tuple[GameRow, str]  # a game, and what is wrong with it


def verify(store: Store) -> int:
    """The number of games, all of which come out as stored. Raises ArenaError for the others."""
    rows = store.rows()
    check_rows(store, rows)
    wrong = [found for lane in by_lane(rows) for found in _wrong(store.plan, lane)]
    if wrong:
        told = "; ".join(f"{game_id(row)}: {reason}" for row, reason in wrong[:TOLD])
        more = f" (and {len(wrong) - TOLD} more)" if len(wrong) > TOLD else ""
        raise ArenaError(
            f"{store.path}: {len(wrong)} of {len(rows)} games don't come out as stored: {told}{more}. "
            "--unverified rates them all the same"
        )
    return len(rows)


# ---- what a row must be ---------------------------------------------------------------------------------------------


def check_rows(store: Store, rows: Sequence[GameRow]) -> None:
    """Values of the kinds they should be, whatever wrote them, and whole pairs."""
    for row in rows:
        reason = _misfit(row, store.plan)
        if reason:
            raise ArenaError(f"{store.path}: damaged: a game with {reason}")
    games = {(row.rules, row.first, row.second, row.pair) for row in rows}
    for rules, first, second, pair in games:
        if (rules, second, first, pair) not in games:
            raise ArenaError(
                f"{store.path}: half a pair: there is no game {rules}.{second}.{first}.{pair}; the command that played "
                "the tournament plays it again"
            )


def _misfit(row: GameRow, plan: Plan) -> str | None:
    """The first value that can't be."""
    agents, error_told = len(plan.agents), row.reason in FORFEITS or row.reason == VOID
    fits = {
        "rules": _is_number(row.rules, len(plan.rules)),
        "first": _is_number(row.first, agents),
        "second": _is_number(row.second, agents) and row.second != row.first,
        "pair": _is_number(row.pair, MOST_PAIRS),
        "reason": row.reason in REASONS,
        "score": row.score
        in ((0, 1) if row.reason in FORFEITS else (0.5,) if row.reason in (LIMIT, VOID) else (0, 0.5, 1)),
        "decisions": _is_number(row.decisions, MOST_PAIRS),
        "turns": _is_number(row.turns, MOST_PAIRS),
        "usage_first": _is_usage(row.usage_first),
        "usage_second": _is_usage(row.usage_second),
        "deal_seed": _is_number(row.deal_seed, 1 << 63),
        "actions": isinstance(row.actions, bytes),
        "hash": isinstance(row.hash, str),
        "margin": row.margin is None or isinstance(row.margin, int | float),
        "error": isinstance(row.error, str) if error_told else row.error is None,
        "starter": type(row.starter) is int and -1 <= row.starter <= 1,
        "side_first": _is_side(row.side_first, row.rules, plan),
        "side_second": _is_side(row.side_second, row.rules, plan),
        "facts": row.facts is None or _object(row.facts) is not None,
    }
    return next((f"{name} {ascii(getattr(row, name))[:40]}" for name, fine in fits.items() if not fine), None)


def _is_side(name: object, rules: object, plan: Plan) -> bool:
    sides = plan.rules[rules].game.sides if isinstance(rules, int) and rules < len(plan.rules) else None
    return name is None if sides is None else name in sides.names


def _is_number(value: object, below: int) -> bool:
    return type(value) is int and 0 <= value < below


def _object(text: object) -> dict[str, Any] | None:
    """What a JSON object holds; None for anything else."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_usage(text: object) -> bool:
    counts = _object(text)
    return counts is not None and all(_is_number(n, MOST_PAIRS) for n in counts.values())


# ---- replaying ------------------------------------------------------------------------------------------------------


def by_lane(rows: Iterable[GameRow]) -> Iterable[list[GameRow]]:
    """Games with the same rules, agents and seats, some at a time; neighbours in number."""

    def key(row: GameRow) -> tuple[int, ...]:
        return row.rules, row.first, row.second, row.pair // SIDE_BY_SIDE

    for _, some in groupby(sorted(rows, key=key), key):
        yield list(some)


def _wrong(plan: Plan, rows: list[GameRow]) -> list[Wrong]:
    one, two = sorted((rows[0].first, rows[0].second))
    deal_seed = plan.unit(Lane(rows[0].rules, one, two), 0, 1).seed_for("deals")
    strange = [(row, "another deal than the secret gives") for row in rows if row.deal_seed != deal_seed]
    rows = [row for row in rows if row.deal_seed == deal_seed]
    return strange + _replayed(plan, rows) if rows else strange


def lay_out(plan: Plan, rows: list[GameRow]) -> tuple[Engine, np.ndarray, np.ndarray, list[int]]:
    """Games of one lane dealt anew: the engine, each row's place in it, the moves by number, rows with half a move."""
    first = min(row.pair for row in rows)
    places = np.array([row.pair - first for row in rows])
    rules = plan.rules[rows[0].rules]
    engine = dealt(rules, plan.match, rows[0].deal_seed, first, int(places.max()) + 1)
    kind = np.dtype("u1" if engine.num_actions <= 256 else "<u2")
    moves = np.full((max(len(row.actions) for row in rows) + 1, engine.num_games), SKIP, np.int64)
    halves = [i for i, row in enumerate(rows) if len(row.actions) % kind.itemsize]
    for i, (place, row) in enumerate(zip(places, rows)):
        if i not in halves:
            actions = np.frombuffer(row.actions, kind)
            moves[: len(actions), place] = actions
    return engine, places, moves, halves


def _replayed(plan: Plan, rows: list[GameRow]) -> list[Wrong]:
    engine, places, moves, halves = lay_out(plan, rows)
    starters = engine.games["turn"].copy()
    wrong: dict[int, str] = {int(places[i]): "half a move" for i in halves}
    for number, actions in enumerate(moves, 1):
        played = actions != SKIP
        known = played & (actions < engine.num_actions) & ~engine.done
        legal = known & engine.action_mask[np.arange(engine.num_games), np.where(known, actions, 0)]
        for place in np.flatnonzero(played & ~legal):
            wrong.setdefault(int(place), f"move {number} is illegal")
            moves[:, place] = SKIP
        if not legal.any():
            break
        engine.step(np.where(legal, actions, SKIP))
    told = tellings(engine)
    for place, row in zip(places.tolist(), rows):
        wrong.setdefault(place, _ending(engine, place, row) or _mistold(told[place], starters[place], row))
    return [(row, wrong[place]) for place, row in zip(places.tolist(), rows) if wrong[place]]


def _ending(engine: Engine, place: int, row: GameRow) -> str:
    """What is wrong with the end of a game; nothing if it is as stored."""
    score = (float(engine.rewards[place, 0]) + 1) / 2 if engine.done[place] else None
    if score != (row.score if row.reason == NORMAL else None):
        return f"stored as {row.reason} with score {row.score:g}, replayed with {score}"
    found = final_hash(engine, place)
    return "" if found == row.hash else f"stored with hash {row.hash[:16]!a}, replayed with {found}"


def _mistold(told: Telling, starter: int, row: GameRow) -> str:
    """What is wrong with starter, sides and facts of a game."""
    expected = told if row.reason == NORMAL else told._replace(facts=None)
    for name, value in {"starter": int(starter), **expected._asdict()}.items():
        if getattr(row, name) != value:
            return f"stored with {name} {ascii(getattr(row, name))[:40]}, replayed with {value!r}"
    return ""
