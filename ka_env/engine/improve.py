"""Improved policies: what a small search makes of a network's probabilities, for a trainer to learn from.

After Gumbel AlphaZero (Danihelka et al. 2022). A few actions are drawn without replacement, by the network's
probabilities (the best sums of logit and Gumbel noise). Sequential halving shares the iterations among them: all are
tried alike, the better half goes on. The improved policy is the softmax of logit + `sharpness` * value over all legal
actions; those never tried get the value the others have on average.

Hidden cards make results noisy, so actions are compared over the same re-draws: each round tries all that are still in
the race on one re-draw, and one that left the race is judged by how far it was behind the winner in the rounds of both.

A game binds `improve_all` in its own entry `improve_games`, with its `Rules` and its `Guide`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ka_env.engine.ismcts import MAX_DEPTH, NODE, add_children, ask, expected_for, iterate, priors_of_net
from ka_env.engine.jit import kernel
from ka_env.engine.loops import options, pick
from ka_env.engine.net import Mind, Net, forget, mind
from ka_env.engine.rng import mix, stream

Array = Any
State = Any

NODES = 16  # room in the tree for each iteration
PHASES = 8  # of halving, at most: 256 actions
LEAST = 1e-30  # no probability is less
ROUNDS = 1 << 16  # streams of random numbers from here on are for re-draws, those before for noise
_S11 = np.uint64(11)


class Asked(NamedTuple):
    """Decisions, and what is made of them."""

    roots: Array  # records in which all that the player can't know is drawn anew
    players: Array
    seeds: Array
    actions: Array  # what the search chose
    policies: Array  # [decision, action]: the improved policy


class Desk(NamedTuple):
    """Room to work."""

    tree: Array
    path: Array
    scratch: Array  # a batch of one record
    mind: Mind
    logits: Array  # by option
    chances: Array  # logit and noise
    racing: Array
    scores: Array
    left: Array  # the phase after which an option left the race, -1: it never was in it
    means: Array  # [phase, option]: its mean result at the end of the phase


class Halving(NamedTuple):
    """How to search: so many iterations over so many of the options at first; for the rest see ismcts.How."""

    iterations: int
    options: int
    sharpness: float
    exploration: float
    turns: int
    trust: float
    net: Net


def desk(records: np.ndarray, num_actions: int, how: Halving, columns: int) -> Desk:
    """For searches with such records, whose observations have so many columns."""
    return Desk(
        np.zeros(1 + num_actions + NODES * how.iterations, NODE),
        np.zeros(MAX_DEPTH, np.int64),
        records[:1].copy(),
        mind(how.net, 1, columns),
        np.zeros(num_actions),
        np.zeros(num_actions),
        np.zeros(num_actions, np.bool_),
        np.zeros(num_actions),
        np.zeros(num_actions, np.int64),
        np.zeros((PHASES, num_actions)),
    )


@kernel
def gumbel(seed: Any, i: int) -> float:
    """The i-th number that a seed gives, of the Gumbel distribution."""
    uniform = (float(mix(stream(seed, i)) >> _S11) + 0.5) * 2.0**-53
    return -math.log(-math.log(uniform))


@kernel
def best_of(scores: Array, racing: Array, n: int) -> int:
    """Of the options in the race."""
    best = -1
    for i in range(n):
        if racing[i] and (best < 0 or scores[i] > scores[best]):
            best = i
    return best


@kernel
def drop_worst(scores: Array, racing: Array, n: int) -> None:
    worst = -1
    for i in range(n):
        if racing[i] and (worst < 0 or scores[i] < scores[worst]):
            worst = i
    racing[worst] = False


@kernel
def expand_root(s: State, rules: Any, guide: Any, p: int, tree: Array, net: Any, mind: Any) -> float:
    """Nodes 1, 2 ... for the options of the root, in their order; returns what p may expect."""
    tree[0].key = p << 16
    tree[0].child = 0
    tree[0].visits = 0
    tree[0].score = 0.0
    add_children(s, rules, guide, p, tree, 1, 0)
    forget(mind, 0)
    hidden = ask(s, rules, guide, net, mind, 0)
    priors_of_net(s, rules, guide, p, tree, 0, 1, net, mind, 0, hidden, 0.0)
    return expected_for(s, p, net, hidden)


@kernel
def enter_race(tree: Array, seed: Any, n: int, count: int, logits: Array, chances: Array, racing: Array) -> None:
    """`count` of the options, drawn by the network's probabilities."""
    for i in range(n):
        logits[i] = math.log(max(LEAST, tree[1 + i].prior))
        chances[i] = logits[i] + gumbel(seed, i)
        racing[i] = True
    for _ in range(n - count):
        drop_worst(chances, racing, n)


@kernel
def try_all(root: State, rules: Any, guide: Any, p: int, desk: Any, used: int, rng: Any, n: int, how: Any) -> int:
    """One iteration for each option in the race, all on the same re-draw."""
    for i in range(n):
        if desk.racing[i]:
            desk.scratch[0] = root
            desk.scratch[0].rng = rng
            used = iterate(
                desk.scratch[0],
                rules,
                guide,
                p,
                desk.tree,
                used,
                desk.path,
                how.exploration,
                how.turns,
                how.net,
                desk.mind,
                0,
                how.trust,
                0.0,
                1 + i,
            )
    return used


@kernel
def race(root: State, rules: Any, guide: Any, p: int, seed: Any, desk: Any, n: int, how: Any) -> int:
    """Sequential halving; returns the winner."""
    tree, racing, means, scores = desk.tree, desk.racing, desk.means, desk.scores
    count = min(how.options, n, how.iterations)
    enter_race(tree, seed, n, count, desk.logits, desk.chances, racing)
    desk.left[:n] = -1
    phases = max(1, math.ceil(math.log2(count)))
    used, tries, spent = 1 + n, 0, 0
    for phase in range(phases):
        rounds = max(1, (how.iterations - spent) // ((phases - phase) * count))
        for _ in range(rounds):
            if spent + count <= how.iterations:
                used = try_all(root, rules, guide, p, desk, used, stream(seed, ROUNDS + tries), n, how)
                tries += 1
                spent += count
        for i in range(n):
            if racing[i]:
                means[phase, i] = tree[1 + i].score / max(1, tree[1 + i].visits)
                desk.left[i] = phase
                scores[i] = desk.chances[i] + how.sharpness * means[phase, i]
        for _ in range(count // 2):
            drop_worst(scores, racing, n)
        count -= count // 2
    return best_of(scores, racing, n)


@kernel
def complete(tree: Array, n: int, best: int, expected: float, left: Array, means: Array, values: Array) -> None:
    """A value for each option: by how far it was behind the winner, or what the others have on average."""
    last = left[best]
    tried = 0
    weight = 0.0
    total = 0.0
    for i in range(n):
        if left[i] >= 0:
            values[i] = means[last, best] + means[left[i], i] - means[left[i], best]
            prior = max(LEAST, tree[1 + i].prior)
            tried += tree[1 + i].visits
            weight += prior
            total += prior * values[i]
    average = (expected + tried * total / weight) / (1 + tried)
    for i in range(n):
        if left[i] < 0:
            values[i] = average


@kernel
def softmax(x: Array, n: int) -> None:
    most = x[:n].max()
    total = 0.0
    for i in range(n):
        x[i] = math.exp(x[i] - most)
        total += x[i]
    for i in range(n):
        x[i] /= total


@kernel
def improve_one(root: State, rules: Any, guide: Any, p: int, seed: Any, desk: Any, how: Any, policy: Array) -> int:
    """Returns the action chosen; `policy` is filled."""
    tree, scores = desk.tree, desk.scores
    desk.scratch[0] = root
    expected = expand_root(desk.scratch[0], rules, guide, p, tree, how.net, desk.mind)
    n = options(root)
    best = race(root, rules, guide, p, seed, desk, n, how)
    complete(tree, n, best, expected, desk.left, desk.means, scores)
    for i in range(n):
        scores[i] = desk.logits[i] + how.sharpness * scores[i]
    softmax(scores, n)
    policy[:] = 0.0
    for i in range(n):
        policy[pick(root, rules.first_id, i)] = scores[i]
    return pick(root, rules.first_id, best)


@kernel
def improve_all(asked: Any, desk: Any, rules: Any, guide: Any, how: Any) -> None:
    for i in range(asked.roots.size):
        asked.actions[i] = improve_one(
            asked.roots[i], rules, guide, asked.players[i], asked.seeds[i], desk, how, asked.policies[i]
        )
