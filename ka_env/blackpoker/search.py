"""Information-set Monte-Carlo tree search on records (single observer, one re-draw of the hidden cards an iteration).

A node stands for a line of decisions as the searching player could see them. Which moves are open at a node depends on
the re-draw, so each child counts how often it was open (availability) and selection compares it with that, not with
the visits of its parent. Forced decisions are no nodes; whether the enemy has a choice at all depends on the re-draw
too, so a child is told apart by who decides what, not by the action alone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from ka_env.bits import BIT
from ka_env.blackpoker import flow
from ka_env.blackpoker.codes import (
    AT_ATTACKERS,
    AT_DRAW_MORE,
    DONE,
    DRAWN,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_REQUEST,
    NO,
    RUNNING,
    WON_0,
)
from ka_env.blackpoker.determinize import determinize
from ka_env.blackpoker.kernels import options, pick
from ka_env.blackpoker.legal import find_legal, is_legal
from ka_env.blackpoker.zones import State
from ka_env.jit import entry, kernel, parallel_entry
from ka_env.rng import advance, below

Array = Any

NODE = np.dtype(
    (
        np.record,
        [
            ("key", np.int32),  # who decided what: see key_of
            ("child", np.int32),  # first child, 0 = none (the root is nobody's child)
            ("sibling", np.int32),  # next child of the same parent
            ("visits", np.int32),
            ("open", np.int32),  # how often it could have been chosen
            ("score", np.float32),  # sum of results for the player who chose it: 1, 1/2, 0
        ],
    )
)
MAX_DEPTH = 128


@kernel
def key_of(s: State, action: int) -> int:
    return action + (s.kind << 8) + (s.player << 16)


@kernel
def action_of(key: int) -> int:
    return key & 255


@kernel
def player_of(key: int) -> int:
    return key >> 16


@kernel
def play(s: State, action: int) -> None:
    flow.answer(s, action)
    flow.settle(s)


@kernel
def forget_option(s: State, action: int) -> None:
    """Take an action out of the legal sets; `find_legal` brings them back."""
    if action < FIRST_CARD:
        s.legal_words &= ~BIT[action]
    elif action < FIRST_OWN:
        s.legal_cards &= ~BIT[action - FIRST_CARD]
    elif action < FIRST_ENEMY:
        s.legal_own &= ~BIT[action - FIRST_OWN]
    elif action < FIRST_REQUEST:
        s.legal_enemy &= ~BIT[action - FIRST_ENEMY]
    else:
        s.legal_requests &= ~BIT[action - FIRST_REQUEST]


@kernel
def best_open_child(s: State, tree: Array, node: int, exploration: float) -> int:
    """The open child to follow; afterwards the legal sets hold only actions that have no child yet."""
    best = 0
    best_value = -1.0
    child = tree[node].child
    while child:
        at = tree[child]
        if player_of(at.key) == s.player and (at.key >> 8) & 255 == s.kind and is_legal(s, action_of(at.key)):
            at.open += 1
            forget_option(s, action_of(at.key))
            value = at.score / at.visits + exploration * math.sqrt(math.log(at.open) / at.visits)
            if value > best_value:
                best_value = value
                best = child
        child = at.sibling
    return best


@kernel
def add_child(tree: Array, used: int, node: int, key: int) -> None:
    at = tree[used]
    at.key = key
    at.child = 0
    at.sibling = tree[node].child
    at.visits = 0
    at.open = 1
    at.score = 0.0
    tree[node].child = used


@kernel
def playout_action(s: State, state: Any) -> int:
    """Mostly random, but no second draw and no half-hearted attack."""
    if s.kind == AT_DRAW_MORE:
        return NO
    n = options(s)
    action = pick(s, below(state, n))
    if s.kind == AT_ATTACKERS and action == DONE:  # a second thought before attackers stay at home
        action = pick(s, below(advance(state), n))
    return action


@kernel
def playout(s: State, state: Any) -> Any:
    while s.result == RUNNING:
        state = advance(advance(state))
        play(s, playout_action(s, state))
    return state


@kernel
def score_for(s: State, player: int) -> float:
    if s.result == DRAWN:
        return 0.5
    return 1.0 if s.result == WON_0 + player else 0.0


@kernel
def iterate(s: State, p: int, tree: Array, used: int, path: Array, state: Any, exploration: float) -> Any:
    """One iteration on s, a copy of the root; returns the new number of nodes and generator state."""
    s.rng = advance(state)
    state = s.rng
    determinize(s, p)
    node = 0
    depth = 0
    while s.result == RUNNING and depth < MAX_DEPTH:
        child = best_open_child(s, tree, node, exploration)
        untried = options(s)
        if untried > 0 and used < tree.size:
            state = advance(state)
            action = pick(s, below(state, untried))
            add_child(tree, used, node, key_of(s, action))
            child = used
            used += 1
        elif child == 0:
            find_legal(s)
            break
        path[depth] = child
        depth += 1
        node = child
        find_legal(s)
        play(s, action_of(tree[child].key))
        if tree[child].visits == 0:
            break
    state = playout(s, state)
    for i in range(depth):
        at = tree[path[i]]
        at.visits += 1
        at.score += score_for(s, player_of(at.key))
    return used, state


@kernel
def search_one(
    root: State,
    p: int,
    tree: Array,
    used: int,
    path: Array,
    scratch: Array,
    slot: int,
    state: Any,
    iterations: int,
    exploration: float,
) -> Any:
    for _ in range(iterations):
        scratch[slot] = root
        used, state = iterate(scratch[slot], p, tree, used, path, state, exploration)
    return used, state


@entry
def search_games(
    roots: Array,
    players: Array,
    trees: Array,
    used: Array,
    paths: Array,
    scratch: Array,
    rng: Array,
    iterations: int,
    exploration: float,
) -> None:
    """Search on in every game; trees, used and rng carry the search from call to call."""
    for i in range(roots.size):
        used[i], rng[i] = search_one(
            roots[i], players[i], trees[i], used[i], paths[i], scratch, i, rng[i], iterations, exploration
        )


@parallel_entry
def search_games_parallel(
    roots: Array,
    players: Array,
    trees: Array,
    used: Array,
    paths: Array,
    scratch: Array,
    rng: Array,
    iterations: int,
    exploration: float,
) -> None:
    for i in prange(roots.size):
        u, r = search_one(
            roots[i], players[i], trees[i], used[i], paths[i], scratch, i, rng[i], iterations, exploration
        )
        used[i] = u
        rng[i] = r


@entry
def root_visits(trees: Array, out: Array) -> None:
    """out[i, a]: visits of action a at the root of tree i."""
    out[:] = 0
    for i in range(out.shape[0]):
        child = trees[i, 0].child
        while child:
            out[i, action_of(trees[i, child].key)] = trees[i, child].visits
            child = trees[i, child].sibling


@entry
def graft(tree: Array, action: int, out: Array) -> int:
    """Copy what was found below an action of the root into a new tree; returns its number of nodes, 0 if none."""
    child = tree[0].child
    while child and action_of(tree[child].key) != action:
        child = tree[child].sibling
    if child == 0:
        return 0
    # `out` is filled breadth first; until a node is reached, its `child` is that of the old tree.
    out[0] = tree[child]
    out[0].sibling = 0
    used = 1
    at = 0
    while at < used:
        old = out[at].child
        out[at].child = 0
        while old and used < out.size:
            out[used] = tree[old]
            out[used].sibling = out[at].child
            out[at].child = used
            used += 1
            old = tree[old].sibling
        at += 1
    return used
