"""Information-set Monte-Carlo tree search on records (single observer, one re-draw of the hidden cards an iteration).

A node stands for a line of decisions as the searching player could see them. Which moves are open at a node depends on
the re-draw, so each child counts how often it was open (availability) and selection compares it with that, not with
the visits of its parent. Forced decisions are no nodes; whether the enemy has a choice at all depends on the re-draw
too, so a child is told apart by who decides what, not by the action alone. Which card the enemy lays face down is no
node either: greedy chooses it.

Where to look first and how a leaf stands is told either by greedy (its choice, and a few turns played out by it,
judged on the way and at the end) or by a network (its probabilities and its value).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from ka_env import mlp
from ka_env.bits import BIT, count, lowest, without_lowest
from ka_env.blackpoker import flow
from ka_env.blackpoker.cards import SUIT
from ka_env.blackpoker.codes import (
    AT_BULWARK_CARD,
    DRAWN,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_REQUEST,
    RUNNING,
    WON_0,
)
from ka_env.blackpoker.determinize import determinize
from ka_env.blackpoker.kernels import options, pick
from ka_env.blackpoker.legal import is_legal
from ka_env.blackpoker.observe import SIZE, observe
from ka_env.blackpoker.strategies.greedy import choose
from ka_env.blackpoker.zones import State
from ka_env.jit import entry, kernel, parallel_entry
from ka_env.rng import advance

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
            ("prior", np.float32),  # how promising it looked before it was tried
            ("score", np.float32),  # sum of results for the player who chose it: 1, 1/2, 0
        ],
    )
)
MAX_DEPTH = 128
TRUST = 0.5  # prior of greedy's choice; the other options share the rest
LOOK = 32  # iterations between two looks at whether the choice is clear
UNTRIED = 0.1  # an option not yet tried counts as this much worse than its parent
DEEPER = 0.4  # below the root less is explored: every try of a bad option speaks against the line that leads there
IN_HAND = np.array([0.55, 0.4, 0.5, 0.85, 0.63])  # what a card in hand adds: spades, hearts, diamonds, clubs, jokers
OWN_TURN = 0.43  # what it adds to have the turn


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
def is_open(s: State, key: int) -> bool:
    """May this child be chosen in s?"""
    return key == key_of(s, action_of(key)) and is_legal(s, action_of(key))


@kernel
def play(s: State, action: int) -> None:
    flow.answer(s, action)
    flow.settle(s)


# ---- leaves ---------------------------------------------------------------------------------------------------------


@kernel
def playout(s: State, turns: int) -> None:
    """Greedy plays on for both until the game is over or `turns` more turns have begun (0: to the end)."""
    turn = s.turn
    while s.result == RUNNING:
        if s.turn != turn:
            turn = s.turn
            turns -= 1
            if turns == 0:
                break
        play(s, choose(s, s.player))


@kernel
def standing(s: State, q: int) -> float:
    """How well q stands. The weights were fitted to the results of play by the shipped policies."""
    life = s.life_count[q]
    points = 0.127 * life - 10.0 / (1 + life) + 0.5 * count(s.bulwarks[q])
    points += 0.21 * count(s.soldiers[q]) + 0.18 * count(s.soldiers[q] & s.charged[q])
    slots = s.soldiers[q]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        points += 0.06 * max(0, s.sizes[q, slot] + s.change[q, slot])
    hand = s.hand[q]
    while hand:
        points += IN_HAND[SUIT[lowest(hand)]]
        hand = without_lowest(hand)
    return points


@kernel
def result_for(s: State, p: int) -> float:
    """p's result; where the game still runs, p's chances by how both stand."""
    if s.result == DRAWN:
        return 0.5
    if s.result != RUNNING:
        return 1.0 if s.result == WON_0 + p else 0.0
    turn = OWN_TURN if s.turn == p else -OWN_TURN
    return 1.0 / (1.0 + math.exp(standing(s, 1 - p) - standing(s, p) - turn))


@kernel
def judge(s: State, p: int, turns: int) -> float:
    """p's chances: half at the end of this turn, half `turns` later. Either alone is wrong in its own way."""
    playout(s, 1)
    soon = result_for(s, p)
    playout(s, turns)
    return 0.5 * soon + 0.5 * result_for(s, p)


@kernel
def ask(s: State, weights: Array, sizes: Array, buffers: Array) -> int:
    """What the network makes of s, seen by the player who decides; returns which buffer holds it."""
    observe(s, s.player, buffers[0, :SIZE])
    return mlp.think(weights, sizes, buffers)


@kernel
def expected_for(s: State, p: int, weights: Array, sizes: Array, hidden: Array) -> float:
    """p's expected result as the network sees it, from 0 to 1."""
    own = min(1.0, max(-1.0, mlp.value(weights, sizes, hidden)))
    return 0.5 + 0.5 * own if s.player == p else 0.5 - 0.5 * own


# ---- the tree -------------------------------------------------------------------------------------------------------


@kernel
def forget_option(s: State, action: int) -> None:
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
def add_children(s: State, tree: Array, used: int, node: int) -> int:
    """A child for every legal action that has none; those that are open are counted. Returns the nodes used."""
    words, cards, own, enemy, requests = s.legal_words, s.legal_cards, s.legal_own, s.legal_enemy, s.legal_requests
    child = tree[node].child
    while child:
        if is_open(s, tree[child].key):
            tree[child].open += 1
            forget_option(s, action_of(tree[child].key))
        child = tree[child].sibling
    new = min(options(s), tree.size - used)
    for i in range(new):
        at = tree[used + i]
        at.key = key_of(s, pick(s, i))
        at.child = 0
        at.sibling = tree[node].child
        at.visits = 0
        at.open = 1
        at.prior = 0.0
        at.score = 0.0
        tree[node].child = used + i
    s.legal_words, s.legal_cards, s.legal_own, s.legal_enemy, s.legal_requests = words, cards, own, enemy, requests
    return used + new


@kernel
def priors_of_greedy(s: State, tree: Array, node: int, first: int) -> None:
    """Priors of the children from number `first`."""
    n = options(s)
    best = choose(s, s.player)
    child = tree[node].child
    while child >= first:
        at = tree[child]
        at.prior = TRUST if action_of(at.key) == best else (1.0 - TRUST) / max(1, n - 1)
        child = at.sibling


@kernel
def priors_of_net(s: State, tree: Array, node: int, first: int, weights: Array, sizes: Array, hidden: Array) -> None:
    total = 0.0
    for i in range(options(s)):
        total += math.exp(min(50.0, mlp.logit(weights, sizes, hidden, pick(s, i))))
    child = tree[node].child
    while child >= first:
        at = tree[child]
        at.prior = math.exp(min(50.0, mlp.logit(weights, sizes, hidden, action_of(at.key)))) / total
        child = at.sibling


@kernel
def best_child(s: State, tree: Array, node: int, exploration: float) -> int:
    """The open child to follow; 0 if the tree has no room for any."""
    own = tree[node].score / max(1, tree[node].visits)
    if player_of(tree[node].key) != s.player:
        own = 1.0 - own
    best = 0
    best_value = -1.0e9
    child = tree[node].child
    while child:
        at = tree[child]
        if is_open(s, at.key):
            known = at.score / at.visits if at.visits else own - UNTRIED
            value = known + exploration * at.prior * math.sqrt(at.open) / (1 + at.visits)
            if value > best_value:
                best_value = value
                best = child
        child = at.sibling
    return best


@kernel
def iterate(
    s: State,
    p: int,
    tree: Array,
    used: int,
    path: Array,
    exploration: float,
    turns: int,
    weights: Array,
    sizes: Array,
    buffers: Array,
) -> int:
    """One iteration on s, a copy of the root; returns the new number of nodes."""
    net = sizes.size > 0
    deeper = exploration if net else DEEPER * exploration
    determinize(s, p)
    node = 0
    path[0] = 0
    depth = 1
    while s.result == RUNNING and depth < MAX_DEPTH:
        if s.kind == AT_BULWARK_CARD and s.player != p:  # face down: no node, or p would know the card from then on
            play(s, choose(s, s.player))
            continue
        first = used
        used = add_children(s, tree, used, node)
        if used > first:
            if net:
                hidden = ask(s, weights, sizes, buffers)
                priors_of_net(s, tree, node, first, weights, sizes, buffers[hidden])
            else:
                priors_of_greedy(s, tree, node, first)
        child = best_child(s, tree, node, deeper if node else exploration)
        if child == 0:
            break
        path[depth] = child
        depth += 1
        node = child
        play(s, action_of(tree[child].key))
        if tree[child].visits == 0:
            break
    if net and s.result == RUNNING:
        hidden = ask(s, weights, sizes, buffers)
        result = expected_for(s, p, weights, sizes, buffers[hidden])
        if tree[node].visits == 0:  # what it says of the options is at hand, too
            first = used
            used = add_children(s, tree, used, node)
            priors_of_net(s, tree, node, first, weights, sizes, buffers[hidden])
    else:
        result = judge(s, p, turns)
    for i in range(depth):
        at = tree[path[i]]
        at.visits += 1
        at.score += result if player_of(at.key) == p else 1.0 - result
    return used


@kernel
def decided(root: State, tree: Array, left: int) -> bool:
    """Is one option so far ahead that the iterations left can't change the choice?"""
    most = 0
    next_most = 0
    child = tree[0].child
    while child:
        visits = tree[child].visits
        if is_open(root, tree[child].key):
            if visits > most:
                next_most = most
                most = visits
            elif visits > next_most:
                next_most = visits
        child = tree[child].sibling
    return most > next_most + left


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
    later: int,
    exploration: float,
    turns: int,
    weights: Array,
    sizes: Array,
    buffers: Array,
) -> Any:
    tree[0].key = p << 16
    for done in range(iterations):
        if done % LOOK == 0 and decided(root, tree, iterations - done + later):
            break
        scratch[slot] = root
        state = advance(state)
        scratch[slot].rng = state
        used = iterate(scratch[slot], p, tree, used, path, exploration, turns, weights, sizes, buffers)
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
    buffers: Array,
    iterations: int,
    later: int,
    exploration: float,
    turns: int,
    weights: Array,
    sizes: Array,
) -> None:
    """Search on in every game until its choice is clear, with `later` iterations to come after this call.

    trees, used and rng carry the search from call to call.
    """
    for i in range(roots.size):
        used[i], rng[i] = search_one(
            roots[i],
            players[i],
            trees[i],
            used[i],
            paths[i],
            scratch,
            i,
            rng[i],
            iterations,
            later,
            exploration,
            turns,
            weights,
            sizes,
            buffers[i],
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
    buffers: Array,
    iterations: int,
    later: int,
    exploration: float,
    turns: int,
    weights: Array,
    sizes: Array,
) -> None:
    for i in prange(roots.size):
        u, r = search_one(
            roots[i],
            players[i],
            trees[i],
            used[i],
            paths[i],
            scratch,
            i,
            rng[i],
            iterations,
            later,
            exploration,
            turns,
            weights,
            sizes,
            buffers[i],
        )
        used[i] = u
        rng[i] = r


@entry
def root_visits(roots: Array, trees: Array, out: Array) -> None:
    """out[i, a]: visits of action a at the root of tree i. A kept tree may hold decisions that did not come up."""
    out[:] = 0
    for i in range(out.shape[0]):
        child = trees[i, 0].child
        while child:
            at = trees[i, child]
            if at.key == key_of(roots[i], action_of(at.key)):
                out[i, action_of(at.key)] = at.visits
            child = at.sibling


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
