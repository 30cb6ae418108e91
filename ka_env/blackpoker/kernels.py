"""The kernels Python calls: loops over the games of a batch.

Those that play have a twin for several threads, which shares the batch out in slices. All take `threads`, so that
callers can hold either one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from ka_env.bits import count, lowest, nth, without_lowest
from ka_env.blackpoker import deal as dealing
from ka_env.blackpoker import flow
from ka_env.blackpoker.codes import FIRST_CARD, FIRST_ENEMY, FIRST_OWN, FIRST_REQUEST, NUM_ACTIONS, RUNNING, WON_0
from ka_env.blackpoker.determinize import determinize
from ka_env.blackpoker.legal import find_legal, is_legal
from ka_env.blackpoker.observe import observe, observe_entities
from ka_env.blackpoker.pending import pending_fits
from ka_env.jit import entry, kernel, parallel_entry
from ka_env.rng import advance, below, stream

Array = Any
SKIP, SETTLE = -1, -2  # in place of an action: leave the game as it is; only take forced decisions
Views = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def views(count: int) -> Views:
    """What users of a batch see, filled by the kernels: action mask, who decides, over?, rewards."""
    return (
        np.zeros((count, NUM_ACTIONS), np.bool_),
        np.zeros(count, np.int8),
        np.zeros(count, np.bool_),
        np.zeros((count, 2), np.float32),
    )


def seed_bits(seed: int) -> np.uint64:
    """Any whole number as a seed."""
    return np.uint64(int(seed) & 0xFFFF_FFFF_FFFF_FFFF)


@kernel
def mark(row: Array, first: int, bits: int) -> None:
    while bits:
        row[first + lowest(bits)] = True
        bits = without_lowest(bits)


@kernel
def publish(s: Any, row: Array, i: int, to_play: Array, done: Array, rewards: Array) -> None:
    """Write what users of the batch see of game i: mask, who decides, whether it is over, rewards."""
    row[:] = False
    mark(row, 0, s.legal_words)
    mark(row, FIRST_CARD, s.legal_cards)
    mark(row, FIRST_OWN, s.legal_own)
    mark(row, FIRST_ENEMY, s.legal_enemy)
    mark(row, FIRST_REQUEST, s.legal_requests)
    to_play[i] = s.player
    over = s.result != RUNNING
    done[i] = over
    won = 0
    if s.result == WON_0:
        won = 1
    elif s.result == WON_0 + 1:
        won = -1
    rewards[i, 0] = won
    rewards[i, 1] = -won


@entry
def seed_games(games: Array, seed: np.uint64, first: int) -> None:
    for i in range(games.size):
        games[i].rng = stream(seed, first + i)


@kernel
def deal_slice(
    games: Array,
    lo: int,
    hi: int,
    lists: Array,
    drawn: int,
    preset: bool,
    only_done: bool,
    mask: Array,
    to_play: Array,
    done: Array,
    rewards: Array,
) -> None:
    for i in range(lo, hi):
        if done[i] or not only_done:
            dealing.deal(games[i], lists[0], lists[1], drawn, preset)
            publish(games[i], mask[i], i, to_play, done, rewards)


@entry
def deal_games(
    games: Array,
    threads: int,
    lists: Array,
    drawn: int,
    preset: bool,
    only_done: bool,
    mask: Array,
    to_play: Array,
    done: Array,
    rewards: Array,
) -> None:
    """Deal all games, or only those that are over."""
    deal_slice(games, 0, games.size, lists, drawn, preset, only_done, mask, to_play, done, rewards)


@parallel_entry
def deal_games_parallel(
    games: Array,
    threads: int,
    lists: Array,
    drawn: int,
    preset: bool,
    only_done: bool,
    mask: Array,
    to_play: Array,
    done: Array,
    rewards: Array,
) -> None:
    n = games.size
    for t in prange(threads):
        lo, hi = n * t // threads, n * (t + 1) // threads
        deal_slice(games, lo, hi, lists, drawn, preset, only_done, mask, to_play, done, rewards)


@entry
def first_illegal(games: Array, actions: Array) -> int:
    """The first game that still runs and whose action is not legal; -1 if there is none."""
    for i in range(games.size):
        if actions[i] != SKIP and games[i].result == RUNNING and not is_legal(games[i], actions[i]):
            return i
    return -1


@kernel
def step_slice(
    games: Array, lo: int, hi: int, actions: Array, mask: Array, to_play: Array, done: Array, rewards: Array
) -> None:
    for i in range(lo, hi):
        s = games[i]
        if actions[i] == SKIP:
            continue
        if s.result == RUNNING:
            if actions[i] != SETTLE:
                flow.answer(s, actions[i])
            flow.settle(s)
        publish(s, mask[i], i, to_play, done, rewards)


@entry
def step_games(
    games: Array, threads: int, actions: Array, mask: Array, to_play: Array, done: Array, rewards: Array
) -> None:
    """Play one legal action in every game that still runs; SKIP and SETTLE play none."""
    step_slice(games, 0, games.size, actions, mask, to_play, done, rewards)


@parallel_entry
def step_games_parallel(
    games: Array, threads: int, actions: Array, mask: Array, to_play: Array, done: Array, rewards: Array
) -> None:
    n = games.size
    for t in prange(threads):
        step_slice(games, n * t // threads, n * (t + 1) // threads, actions, mask, to_play, done, rewards)


@entry
def answer_games(games: Array, actions: Array, left: Array) -> None:
    """Play one legal action in every game and leave forced decisions open; left[i] is the number of options then."""
    for i in range(games.size):
        flow.answer(games[i], actions[i])
        left[i] = find_legal(games[i])


@kernel
def observe_slice(games: Array, lo: int, hi: int, players: Array, out: Array) -> None:
    for i in range(lo, hi):
        if players[i] < 0:
            out[i, :] = 0.0
        else:
            observe(games[i], players[i], out[i])


@entry
def observe_games(games: Array, threads: int, players: Array, out: Array) -> None:
    """Fill out[i] with what players[i] sees of game i; with zeros for player -1."""
    observe_slice(games, 0, games.size, players, out)


@parallel_entry
def observe_games_parallel(games: Array, threads: int, players: Array, out: Array) -> None:
    n = games.size
    for t in prange(threads):
        observe_slice(games, n * t // threads, n * (t + 1) // threads, players, out)


@entry
def observe_entities_games(
    games: Array, players: Array, cards: Array, units: Array, stage: Array, table: Array
) -> None:
    """The same by entity; for player -1 the buffers stay as they are."""
    for i in range(games.size):
        if players[i] >= 0:
            observe_entities(games[i], players[i], cards[i], units[i], stage[i], table[i])


@entry
def check_pending(games: Array) -> bool:
    """Does the decision of game 0, read from a text, fit its position?"""
    return pending_fits(games[0])


@entry
def determinize_games(games: Array, players: Array, seeds: Array) -> None:
    """Re-draw what players[i] can't know of game i; seeds[i] decides, and later shuffles go on from it."""
    for i in range(games.size):
        games[i].rng = stream(seeds[i], 0)
        determinize(games[i], players[i])


@kernel
def pick(s: Any, n: int) -> int:
    """The n-th legal action."""
    for first, bits in (
        (0, s.legal_words),
        (FIRST_CARD, s.legal_cards),
        (FIRST_OWN, s.legal_own),
        (FIRST_ENEMY, s.legal_enemy),
        (FIRST_REQUEST, s.legal_requests),
    ):
        here = count(bits)
        if n < here:
            return first + nth(bits, n)
        n -= here
    return -1


@kernel
def options(s: Any) -> int:
    return (
        count(s.legal_words)
        + count(s.legal_cards)
        + count(s.legal_own)
        + count(s.legal_enemy)
        + count(s.legal_requests)
    )


@kernel
def random_slice(games: Array, lo: int, hi: int, rng: Array, out: Array) -> None:
    for i in range(lo, hi):
        s = games[i]
        if s.result == RUNNING:
            rng[i] = advance(rng[i])
            out[i] = pick(s, below(rng[i], options(s)))


@entry
def random_actions(games: Array, threads: int, rng: Array, out: Array) -> None:
    """A uniformly random legal action for every game that still runs; `rng` is one generator state per game."""
    random_slice(games, 0, games.size, rng, out)


@parallel_entry
def random_actions_parallel(games: Array, threads: int, rng: Array, out: Array) -> None:
    n = games.size
    for t in prange(threads):
        random_slice(games, n * t // threads, n * (t + 1) // threads, rng, out)


@kernel
def leaves(scratch: Array, depth: int) -> int:
    """Lines of `depth` decisions from scratch[depth]; a game that ends earlier counts once. Uses scratch[:depth]."""
    s = scratch[depth]
    if depth == 0 or s.result != RUNNING:
        return 1
    n = options(s)
    if depth == 1:
        return n
    total = 0
    for k in range(n):
        scratch[depth - 1] = s
        flow.answer(scratch[depth - 1], pick(s, k))
        flow.settle(scratch[depth - 1])
        total += leaves(scratch, depth - 1)
    return total


@entry
def perft(scratch: Array, depth: int) -> int:
    return leaves(scratch, depth)
