"""Stored games as full records: replayed from the deal, checked against the store, written as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.engine.batch import BatchEngine
from ka_env.errors import IllegalMove
from ka_env.record import Recorder
from ka_env.training.arena.faults import NORMAL, ArenaError
from ka_env.training.arena.play import GameRow, record_hash
from ka_env.training.arena.store import Store, game_id
from ka_env.viewer import page


def rebuild(store: Store, row: GameRow) -> Any:
    """The record of a stored game. Raises ArenaError if it does not come out as stored."""
    plan, rules = store.plan, store.plan.rules[row.rules]
    engine = BatchEngine(*rules[:2], num_games=1, seed=row.deal_seed, first_game=row.pair)
    recorder = Recorder(
        engine.game(0),
        rules.frame,
        seed=f"{row.deal_seed} deal {row.pair}",
        players=f"{plan.agents[row.first]} {plan.agents[row.second]}",
        date=store.settings["date"],
    )
    actions = np.frombuffer(row.actions, "u1" if engine.num_actions <= 256 else "<u2")
    for number, action in enumerate(actions.tolist(), 1):
        try:
            recorder.step(action)
        except IllegalMove as error:
            raise ArenaError(f"game {game_id(row)}, move {number}: {error}") from None
    _check(recorder.game, row)
    return recorder.record()


def _check(game: Any, row: GameRow) -> None:
    score = game.result[0] if game.result else None
    if row.reason == NORMAL and score != row.score:
        raise ArenaError(f"game {game_id(row)}: stored with score {row.score}, replayed with {score}")
    found = record_hash(game.state)
    if found != row.hash:
        raise ArenaError(f"game {game_id(row)}: stored with hash {row.hash}, replayed with {found}")


def export_games(store: Store, folder: str | Path, ids: Iterable[str] | None = None, pages: bool = False) -> list[Path]:
    """Write games (all of them by default) as record files named by their ids; `pages`: and a page to view each."""
    rows = store.rows() if ids is None else [store.game(name) for name in ids]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for row in rows:
        path = folder / (game_id(row) + store.plan.rules[row.rules].game.suffix)
        record = rebuild(store, row)
        path.write_bytes(record.to_text().encode())
        if pages:
            text = page(record)
            (folder / f"{game_id(row)}.html").write_text(text, encoding="utf-8")
        written.append(path)
    return written
