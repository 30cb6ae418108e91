"""Blue Moon's kernels bound to the neutral loops: what Python calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon.codes import STARTS
from ka_env.bluemoon.flow.completable import is_completable
from ka_env.bluemoon.flow.legal import find_legal
from ka_env.bluemoon.flow.turn import answer, deal
from ka_env.bluemoon.knowledge.determinize import determinize
from ka_env.bluemoon.knowledge.entities import entities
from ka_env.bluemoon.knowledge.observe import observe
from ka_env.engine import loops
from ka_env.engine.jit import entry, kernel
from ka_env.engine.loops import Rules

Array = Any


@kernel
def rules() -> Rules:
    return Rules(STARTS, deal, answer, find_legal, observe, entities, determinize)


@entry
def seed_games(games: Array, seed: np.uint64, first: int) -> None:
    loops.seed_slice(games, seed, first)


@entry
def deal_games(games: Array, lo: int, hi: int, setting: Array, only_done: bool, out: Any, seen: Array) -> None:
    loops.deal_slice(games, lo, hi, rules(), setting, only_done, out, seen)


@entry
def first_illegal(games: Array, actions: Array) -> int:
    return loops.first_illegal_in(games, rules(), actions)


@entry
def step_games(games: Array, lo: int, hi: int, actions: Array, out: Any, seen: Array) -> None:
    loops.step_slice(games, lo, hi, rules(), actions, out, seen)


@entry
def answer_games(games: Array, actions: Array, left: Array) -> None:
    loops.answer_slice(games, rules(), actions, left)


@entry
def observe_games(games: Array, lo: int, hi: int, players: Array, out: Array) -> None:
    loops.observe_slice(games, lo, hi, rules(), players, out)


@entry
def entities_games(games: Array, players: Array, groups: Any) -> None:
    loops.entities_slice(games, rules(), players, groups)


@entry
def determinize_games(games: Array, players: Array, seeds: Array) -> None:
    loops.determinize_slice(games, rules(), players, seeds)


@entry
def random_actions(games: Array, lo: int, hi: int, rng: Array, out: Array) -> None:
    loops.random_slice(games, lo, hi, rules(), rng, out)


@entry
def perft(scratch: Array, depth: int) -> int:
    return loops.leaves(scratch, rules(), depth)


@entry
def check_completable(games: Array) -> bool:
    """Can the turn of game 0, read from a text after engagement, be finished?"""
    return is_completable(games[0])


@entry
def count_options(games: Array) -> int:
    """How many options the decision of game 0 has."""
    return find_legal(games[0])
