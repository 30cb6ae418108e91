"""Blue Moon's rules bound to the neutral loops: what Python calls.

An entry plays all games of a batch; the parallel one shares them out among threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from ka_env.bluemoon.flow.completable import is_completable
from ka_env.bluemoon.flow.legal import find_legal, first_id
from ka_env.bluemoon.flow.turn import answer, deal
from ka_env.bluemoon.knowledge.determinize import determinize
from ka_env.bluemoon.knowledge.entities import entities
from ka_env.bluemoon.knowledge.observe import observe
from ka_env.engine import loops
from ka_env.engine.jit import entry, kernel, parallel_entry
from ka_env.engine.loops import Array, Rules


@kernel
def deal_and_begin(s: Array, setting: Array) -> None:
    """Deal, and take the forced decisions of the first turn."""
    deal(s, setting)
    loops.play(s, Rules(first_id, deal, answer, find_legal, observe, entities, determinize), loops.SETTLE)


@kernel
def rules() -> Rules:
    return Rules(first_id, deal_and_begin, answer, find_legal, observe, entities, determinize)


# fmt: off
@entry
def deal_games(games: Array, threads: int, setting: Array, only_done: bool,
               mask: Array, to_play: Array, done: Array, rewards: Array, seen: Array) -> None:
    loops.deal_slice(games, 0, games.size, rules(), setting, only_done, mask, to_play, done, rewards, seen)


@parallel_entry
def deal_games_parallel(games: Array, threads: int, setting: Array, only_done: bool,
                        mask: Array, to_play: Array, done: Array, rewards: Array, seen: Array) -> None:
    for t in prange(threads):
        lo, hi = loops.part(games, t, threads)
        loops.deal_slice(games, lo, hi, rules(), setting, only_done, mask, to_play, done, rewards, seen)


@entry
def step_games(games: Array, threads: int, actions: Array,
               mask: Array, to_play: Array, done: Array, rewards: Array, seen: Array) -> int:
    wrong = loops.first_illegal(games, rules(), actions)
    if wrong < 0:
        loops.step_slice(games, 0, games.size, rules(), actions, mask, to_play, done, rewards, seen)
    return wrong


@parallel_entry
def step_games_parallel(games: Array, threads: int, actions: Array,
                        mask: Array, to_play: Array, done: Array, rewards: Array, seen: Array) -> int:
    wrong = loops.first_illegal(games, rules(), actions)
    if wrong < 0:
        for t in prange(threads):
            lo, hi = loops.part(games, t, threads)
            loops.step_slice(games, lo, hi, rules(), actions, mask, to_play, done, rewards, seen)
    return wrong
# fmt: on


@entry
def observe_games(games: Array, threads: int, players: Array, seen: Array) -> None:
    loops.observe_slice(games, 0, games.size, rules(), players, seen)


@parallel_entry
def observe_games_parallel(games: Array, threads: int, players: Array, seen: Array) -> None:
    for t in prange(threads):
        lo, hi = loops.part(games, t, threads)
        loops.observe_slice(games, lo, hi, rules(), players, seen)


@entry
def random_actions(games: Array, threads: int, rng: Array, actions: Array) -> None:
    loops.random_slice(games, 0, games.size, rules(), rng, actions)


@parallel_entry
def random_actions_parallel(games: Array, threads: int, rng: Array, actions: Array) -> None:
    for t in prange(threads):
        lo, hi = loops.part(games, t, threads)
        loops.random_slice(games, lo, hi, rules(), rng, actions)


@entry
def seed_games(games: Array, seed: np.uint64, first: int) -> None:
    loops.seed_slice(games, seed, first)


@entry
def answer_games(games: Array, actions: Array, left: Array) -> None:
    loops.answer_slice(games, rules(), actions, left)


@entry
def entities_games(games: Array, players: Array, groups: Any) -> None:
    loops.entities_slice(games, rules(), players, groups)


@entry
def determinize_games(games: Array, players: Array, seeds: Array) -> None:
    loops.determinize_slice(games, rules(), players, seeds)


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
