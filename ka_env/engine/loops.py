"""Loops over the games of a batch, written once for every game.

A game's rules are a `Rules`: a named tuple of its kernels on one record, made by a kernel of its own (a global tuple of
kernels would keep Numba from caching). `<game>/kernels.py` binds it to the loops in its own entries.

Every record begins with the same head:

    rng      the game's own generator
    legal    the legal action ids of the decider: word w holds the ids from first_id(w) on, as bits
    ruleset  number of the ruleset
    kind     kind of decision
    player   who decides, -1 after the game
    turn     the turn player
    result   RUNNING, WON_0, WON_1, DRAWN
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ka_env.engine.bits import BIT, count, lowest, nth, without_lowest
from ka_env.engine.jit import apart, kernel
from ka_env.engine.prefetch import look_ahead, prefetch, uncounted
from ka_env.engine.rng import advance, below, stream
from ka_env.errors import whole_number

Array = Any
State = Any

RUNNING, WON_0, WON_1, DRAWN = range(4)  # results
SKIP = -1  # in place of an action: leave the game as it is
SETTLE = -(1 << 63)  # only take forced decisions; no number anybody would take for an action
WORDS = 5  # of `legal`; a game that needs fewer leaves the last ones empty


class Rules(NamedTuple):
    """A game, for the loops: kernels, most of them on one record `s`."""

    first_id: Any  # (w): the first action id of word w of `legal`; after the last word: the number of actions
    deal: Any  # (s, setting): a new game up to a decision with several options; `setting` is the game's own affair
    answer: Any  # (s, action): play one legal action and go on to the next decision, forced or not
    find_legal: Any  # (s): fill `legal`, return the number of options
    observe: Any  # (s, player, row): what the player sees, as float32
    entities: Any  # (s, player, i, groups): the same by entity, into row i of each array of the tuple `groups`
    determinize: Any  # (s, player): draw anew what the player can't know


def head() -> list[tuple]:
    """The fields a record begins with; together they are its first cache line."""
    return [
        ("rng", np.uint64),
        ("legal", np.int64, WORDS),
        ("ruleset", np.int8),
        ("kind", np.int8),
        ("player", np.int8),
        ("turn", np.int8),
        ("result", np.int8),
    ]


class Outputs(NamedTuple):
    """What users of a batch see, filled by the kernels."""

    action_mask: np.ndarray
    to_play: np.ndarray
    done: np.ndarray
    rewards: np.ndarray


def outputs(count: int, num_actions: int) -> Outputs:
    return Outputs(
        np.zeros((count, num_actions), np.bool_),
        np.zeros(count, np.int8),
        np.zeros(count, np.bool_),
        np.zeros((count, 2), np.float32),
    )


def seed_bits(seed: int) -> np.uint64:
    """Any whole number as a seed."""
    return np.uint64(whole_number(seed, "seed") & 0xFFFF_FFFF_FFFF_FFFF)


# ---- one game -------------------------------------------------------------------------------------------------------


@kernel
def options(s: State) -> int:
    """How many actions are legal."""
    legal = s.legal
    return count(legal[0]) + count(legal[1]) + count(legal[2]) + count(legal[3]) + count(legal[4])


@kernel
def pick(s: State, first_id: Any, n: int) -> int:
    """The n-th legal action, counting from 0."""
    legal = s.legal
    for first, bits in (  # not a loop once compiled: each word has its own habits, which the processor learns
        (first_id(0), legal[0]),
        (first_id(1), legal[1]),
        (first_id(2), legal[2]),
        (first_id(3), legal[3]),
        (first_id(4), legal[4]),
    ):
        here = count(bits)
        if n < here:
            return first + nth(bits, n)
        n -= here
    return -1


@kernel
def first_legal(s: State, first_id: Any) -> int:
    """The lowest legal action: of a forced decision, the only one."""
    w = 0
    while s.legal[w] == 0:
        w += 1
    return first_id(w) + lowest(s.legal[w])


@kernel
def word_of(first_id: Any, action: int) -> int:
    """The word of `legal` that holds an action."""
    w = 0
    for later in range(1, WORDS):  # all of them: the processor can't guess where to stop
        w += action >= first_id(later)
    return w


@kernel
def is_legal(s: State, first_id: Any, action: int) -> bool:
    if action < 0 or action >= first_id(WORDS):
        return False
    w = word_of(first_id, action)
    return s.legal[w] & BIT[action - first_id(w)] != 0


@kernel
def play(s: State, rules: Any, action: int) -> None:
    """One legal action (or none: SETTLE), and the forced decisions after it."""
    while True:  # a game's rules stand here once: a second copy of so much code would cost time
        if action != SETTLE:
            rules.answer(s, action)
        if rules.find_legal(s) != 1:
            return
        action = first_legal(s, rules.first_id)


@kernel
def mark(mask: Array, i: int, first: int, bits: int) -> None:
    while bits:
        mask[i, first + lowest(bits)] = True
        bits = without_lowest(bits)


@kernel
def publish(s: State, first_id: Any, i: int, mask: Array, to_play: Array, done: Array, rewards: Array) -> None:
    """Write what users of the batch see of game i: mask, who decides, whether it is over, rewards."""
    mask = uncounted(mask)
    mask[i, :] = False
    mark(mask, i, first_id(0), s.legal[0])  # not a loop: each word has its own habits, which the processor learns
    mark(mask, i, first_id(1), s.legal[1])
    mark(mask, i, first_id(2), s.legal[2])
    mark(mask, i, first_id(3), s.legal[3])
    mark(mask, i, first_id(4), s.legal[4])
    to_play[i] = s.player
    done[i] = s.result != RUNNING
    won = 0
    if s.result == WON_0:
        won = 1
    elif s.result == WON_1:
        won = -1
    rewards[i, 0] = won
    rewards[i, 1] = -won


# ---- a batch --------------------------------------------------------------------------------------------------------
# Each takes the games from number lo up to hi, so that threads can share a batch. `seen` is empty, or has a row for
# each game, which is filled with what the decider sees while the record is at hand.


@kernel
def part(games: Array, t: int, threads: int) -> Any:
    """The games of thread t: from, to."""
    return games.size * t // threads, games.size * (t + 1) // threads


@kernel
def seed_slice(games: Array, seed: Any, first: int) -> None:
    for i in range(games.size):
        games[i].rng = stream(seed, first + i)


@apart
def show(s: State, rules: Any, player: int, i: int, seen: Array) -> None:
    """What a player sees; nobody (-1) sees zeros."""
    if player < 0:
        seen[i, :] = 0.0
    else:
        rules.observe(s, player, uncounted(seen)[i])


@kernel
def deal_slice(
    games: Array,
    lo: int,
    hi: int,
    rules: Any,
    setting: Array,
    only_done: bool,
    mask: Array,
    to_play: Array,
    done: Array,
    rewards: Array,
    seen: Array,
) -> None:
    for i in range(lo, hi):
        if done[i] or not only_done:
            s = games[i]
            rules.deal(s, setting)
            rules.find_legal(s)
            publish(s, rules.first_id, i, mask, to_play, done, rewards)
            if seen.shape[0]:
                show(s, rules, s.player, i, seen)


@kernel
def first_illegal(games: Array, rules: Any, actions: Array) -> int:
    """The first game that still runs and whose action is not legal; -1 if there is none."""
    for i in range(games.size):
        s, action = games[i], actions[i]
        if not is_legal(s, rules.first_id, action) and action != SKIP and action != SETTLE and s.result == RUNNING:
            return i
    return -1


@kernel
def step_slice(
    games: Array,
    lo: int,
    hi: int,
    rules: Any,
    actions: Array,
    mask: Array,
    to_play: Array,
    done: Array,
    rewards: Array,
    seen: Array,
) -> None:
    ahead = look_ahead(games)
    for i in range(lo, hi):
        s = games[i]
        if i + ahead < hi and actions[i + ahead] != SKIP:
            prefetch(games, i + ahead)
        if actions[i] != SKIP:
            if s.result == RUNNING:
                play(s, rules, actions[i])
            publish(s, rules.first_id, i, mask, to_play, done, rewards)
        if seen.shape[0]:
            show(s, rules, s.player, i, seen)


@kernel
def answer_slice(games: Array, rules: Any, actions: Array, left: Array) -> None:
    """Play one legal action in every game and leave forced decisions open; left[i] is the number of options then."""
    for i in range(games.size):
        rules.answer(games[i], actions[i])
        left[i] = rules.find_legal(games[i])


@kernel
def observe_slice(games: Array, lo: int, hi: int, rules: Any, players: Array, out: Array) -> None:
    ahead = look_ahead(games)
    for i in range(lo, hi):
        prefetch(games, i + ahead)
        show(games[i], rules, players[i], i, out)


@kernel
def entities_slice(games: Array, rules: Any, players: Array, groups: Any) -> None:
    """For player -1 the buffers stay as they are."""
    for i in range(games.size):
        if players[i] >= 0:
            rules.entities(games[i], players[i], i, groups)


@kernel
def determinize_slice(games: Array, rules: Any, players: Array, seeds: Array) -> None:
    """Re-draw what players[i] can't know of game i; seeds[i] decides, and later chance goes on from it."""
    for i in range(games.size):
        games[i].rng = stream(seeds[i], 0)
        rules.determinize(games[i], players[i])


@kernel
def random_slice(games: Array, lo: int, hi: int, rules: Any, rng: Array, out: Array) -> None:
    """A uniformly random legal action for every game that still runs; `rng` is one generator state per game."""
    for i in range(lo, hi):
        s = games[i]
        if s.result == RUNNING:
            rng[i] = advance(rng[i])
            out[i] = pick(s, rules.first_id, below(rng[i], options(s)))


@kernel
def leaves(scratch: Array, rules: Any, depth: int) -> int:
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
        play(scratch[depth - 1], rules, pick(s, rules.first_id, k))
        total += leaves(scratch, rules, depth - 1)
    return total
