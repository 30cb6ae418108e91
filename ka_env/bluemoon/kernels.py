"""The kernels Python calls: loops over the games of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bits import BIT, count, lowest, nth, without_lowest
from ka_env.bluemoon.codes import NUM_ACTIONS, RUNNING, STARTS, WON_0
from ka_env.bluemoon.deal import new_game
from ka_env.bluemoon.flow.completable import is_completable
from ka_env.bluemoon.flow.legal import find_legal
from ka_env.bluemoon.flow.turn import answer, proceed
from ka_env.bluemoon.knowledge.determinize import determinize
from ka_env.bluemoon.knowledge.entities import entities
from ka_env.bluemoon.knowledge.observe import observe
from ka_env.jit import entry, kernel
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
def deal(s: Any, deck_0: int, deck_1: int) -> None:
    """Deal a game and go on to its first decision point."""
    new_game(s, deck_0, deck_1)
    proceed(s)


@kernel
def pick(s: Any, n: int) -> int:
    """The n-th legal action."""
    for w in range(4):
        here = count(s.legal[w])
        if n < here:
            return STARTS[w] + nth(s.legal[w], n)
        n -= here
    return -1


@kernel
def settle(s: Any) -> None:
    """Take forced decisions until there are two or more options."""
    while find_legal(s) == 1:
        answer(s, pick(s, 0))


@kernel
def publish(s: Any, row: Array, i: int, to_play: Array, done: Array, rewards: Array) -> None:
    """Write what users of the batch see of game i: mask, who decides, whether it is over, rewards."""
    row[:] = False
    for w in range(4):
        bits = s.legal[w]
        while bits:
            row[STARTS[w] + lowest(bits)] = True
            bits = without_lowest(bits)
    to_play[i] = s.player
    done[i] = s.result != RUNNING
    won = 0
    if s.result != RUNNING:
        won = 1 if s.result == WON_0 else -1
    rewards[i, 0] = won
    rewards[i, 1] = -won


@entry
def seed_games(games: Array, seed: np.uint64, first: int) -> None:
    for i in range(games.size):
        games[i].rng = stream(seed, first + i)


@entry
def deal_games(
    games: Array, decks: Array, only_done: bool, mask: Array, to_play: Array, done: Array, rewards: Array
) -> None:
    """Deal all games, or only those that are over."""
    for i in range(games.size):
        if done[i] or not only_done:
            deal(games[i], decks[0], decks[1])
            settle(games[i])
            publish(games[i], mask[i], i, to_play, done, rewards)


@entry
def first_illegal(games: Array, actions: Array) -> int:
    """The first game that still runs and whose action is not legal; -1 if there is none."""
    for i in range(games.size):
        if actions[i] != SKIP and games[i].result == RUNNING and not is_legal(games[i], actions[i]):
            return i
    return -1


@kernel
def is_legal(s: Any, action: int) -> bool:
    for w in range(4):
        if STARTS[w] <= action < STARTS[w + 1]:
            return s.legal[w] & BIT[action - STARTS[w]] != 0
    return False


@entry
def step_games(games: Array, actions: Array, mask: Array, to_play: Array, done: Array, rewards: Array) -> None:
    """Play one legal action in every game that still runs; SKIP and SETTLE play none."""
    for i in range(games.size):
        s = games[i]
        if actions[i] == SKIP:
            continue
        if s.result == RUNNING:
            if actions[i] != SETTLE:
                answer(s, actions[i])
            settle(s)
        publish(s, mask[i], i, to_play, done, rewards)


@entry
def random_actions(games: Array, rng: Array, out: Array) -> None:
    """A uniformly random legal action for every game that still runs; `rng` is one generator state per game."""
    for i in range(games.size):
        s = games[i]
        if s.result == RUNNING:
            n = count(s.legal[0]) + count(s.legal[1]) + count(s.legal[2]) + count(s.legal[3])
            rng[i] = advance(rng[i])
            out[i] = pick(s, below(rng[i], n))


@entry
def check_completable(games: Array) -> bool:
    """Can the turn of game 0, read from a text after engagement, be finished?"""
    return is_completable(games[0])


@entry
def count_options(games: Array) -> int:
    """How many options the decision of game 0 has."""
    return find_legal(games[0])


@entry
def observe_games(games: Array, players: Array, out: Array) -> None:
    """Fill out[i] with what players[i] sees of game i; with zeros for player -1."""
    for i in range(games.size):
        if players[i] < 0:
            out[i, :] = 0.0
        else:
            observe(games[i], players[i], out[i])


@entry
def observe_entities_games(games: Array, players: Array, cards: Array, face_down: Array, table: Array) -> None:
    """The same by entity; for player -1 the buffers stay as they are."""
    for i in range(games.size):
        if players[i] >= 0:
            entities(games[i], players[i], cards[i], face_down[i], table[i])


@entry
def determinize_games(games: Array, players: Array, seeds: Array) -> None:
    """Re-draw what players[i] can't know of game i; seeds[i] decides, and later chance goes on from it."""
    for i in range(games.size):
        games[i].rng = stream(seeds[i], 0)
        determinize(games[i], players[i])
