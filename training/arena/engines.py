"""What is played: games side by side, or matches; the same names for both."""

from __future__ import annotations

import hashlib

import numpy as np

from ka_env.engine.batch import BatchEngine, paired_engine
from ka_env.games import Setup
from ka_env.match_batch import MatchBatch
from ka_env.training.arena.seeds import streams

Engine = BatchEngine | MatchBatch


def dealt(rules: Setup, match: str | None, seed: int, first: int, count: int) -> Engine:
    """The deals from number `first` on."""
    if match is None:
        return BatchEngine(*rules[:2], num_games=count, seed=seed, first_game=first)
    return MatchBatch(match, rules, match_seeds(seed, np.arange(first, first + count)))


def paired(rules: Setup, match: str | None, seed: int, first: int, count: int) -> Engine:
    """The same deals twice, so that two players can swap seats."""
    if match is None:
        return paired_engine(rules, seed, first, count)
    return MatchBatch(match, rules, match_seeds(seed, np.tile(np.arange(first, first + count), 2)))


def match_seeds(seed: int, numbers: np.ndarray) -> list[int]:
    """Seeds of matches by their numbers; their games have seeds made from these."""
    return [int(one) for one in streams(seed, numbers)]


def final_hash(engine: Engine, i: int) -> str:
    """16 hex digits of the bytes of a game record, in which everything is; of a match of all its games."""
    records = engine.matches[i].records() if isinstance(engine, MatchBatch) else engine.games[i : i + 1]
    return record_hash(records)


def record_hash(records: np.ndarray) -> str:
    return hashlib.blake2b(records.tobytes(), digest_size=8).hexdigest()


def margins(engine: Engine) -> list[float | None]:
    """How far the winners were from losing, if the game can say; of matches the lead in games."""
    if isinstance(engine, MatchBatch):
        return [*engine.margins()]
    said = engine.about.margins
    return [None] * engine.num_games if said is None else [float(m) for m in said(engine.games)]
