"""Stored games as full records: replayed from the deal, checked against the store, written as files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from ka_env.engine.batch import BatchEngine
from ka_env.errors import IllegalMove
from ka_env.match import MatchRecorder, new_match
from ka_env.record import Record, Recorder, save
from ka_env.training.arena.engines import match_seeds, record_hash
from ka_env.training.arena.faults import NORMAL, ArenaError
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.store import Store, game_id
from ka_env.viewer import page

MANY = ".jsonl"  # the games of a match


def rebuild(store: Store, row: GameRow) -> list[Record]:
    """The record of a stored game, or those of all games of a match. ArenaError if it does not come out as stored."""
    return _rebuild_game(store, row) if store.plan.match is None else _rebuild_match(store, row)


def _rebuild_game(store: Store, row: GameRow) -> list[Record]:
    rules = store.plan.rules[row.rules]
    engine = BatchEngine(*rules[:2], num_games=1, seed=row.deal_seed, first_game=row.pair)
    recorder = Recorder(engine.game(0), rules.frame, *_about(store, row))
    _replay(store, row, recorder.step)
    _check(row, recorder.game.result, recorder.game.records())
    return [recorder.record()]


def _rebuild_match(store: Store, row: GameRow) -> list[Record]:
    plan = store.plan
    assert plan.match is not None
    (seed,) = match_seeds(row.deal_seed, np.array([row.pair]))
    match = new_match(plan.match, plan.rules[row.rules], seed)
    recorder = MatchRecorder(match, *_about(store, row))
    _replay(store, row, recorder.step)
    _check(row, match.result, match.records())
    return recorder.records()


def _about(store: Store, row: GameRow) -> tuple[str, str, str]:
    """The headers seed, players, date."""
    agents = store.plan.agents
    return f"{row.deal_seed} deal {row.pair}", f"{agents[row.first]} {agents[row.second]}", store.settings["date"]


def _replay(store: Store, row: GameRow, step: Callable[[int], None]) -> None:
    few = store.plan.rules[row.rules].game.num_actions <= 256
    for number, action in enumerate(np.frombuffer(row.actions, "u1" if few else "<u2").tolist(), 1):
        try:
            step(action)
        except IllegalMove as error:
            raise ArenaError(f"game {game_id(row)}, move {number}: {error}") from None


def _check(row: GameRow, result: tuple[float, float] | None, records: np.ndarray) -> None:
    score = result[0] if result else None
    if row.reason == NORMAL and score != row.score:
        raise ArenaError(f"game {game_id(row)}: stored with score {row.score}, replayed with {score}")
    found = record_hash(records)
    if found != row.hash:
        raise ArenaError(f"game {game_id(row)}: stored with hash {row.hash}, replayed with {found}")


def suffix_of(store: Store) -> str:
    """How the names of its record files end."""
    return store.plan.rules[0].game.suffix if store.plan.match is None else MANY


def export_games(store: Store, folder: str | Path, ids: Iterable[str] | None = None, pages: bool = False) -> list[Path]:
    """Write games (all of them by default) as record files named by their ids; `pages`: and a page to view each."""
    rows = store.rows() if ids is None else [store.game(name) for name in ids]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for row in rows:
        path = folder / (game_id(row) + suffix_of(store))
        records = rebuild(store, row)
        save(path, records)
        for number, record in enumerate(records if pages else [], 1):
            (folder / page_name(store, row, number)).write_text(page(record), encoding="utf-8")
        written.append(path)
    return written


def page_name(store: Store, row: GameRow, number: int = 1) -> str:
    """Of the page to view a game; in a match its games are numbered."""
    return f"{game_id(row)}{'' if store.plan.match is None else f'-{number}'}.html"
