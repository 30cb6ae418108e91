"""Information-set Monte-Carlo tree search on records (single observer, one re-draw of the hidden cards an iteration).

A node stands for a line of decisions as the searching player could see them. Which moves are open at a node depends on
the re-draw, so each child counts how often it was open (availability) and selection compares it with that, not with
the visits of its parent. Forced decisions are no nodes; whether the enemy has a choice at all depends on the re-draw
too, so a child is told apart by who decides what, not by the action alone. Options that the searching player could not
tell apart (a card the enemy plays face down) share one child; which of them it is, the guide says in every re-draw.

Where to look first and how a leaf stands is told either by a guide (a rules-based player of the game: its choice, and a
few turns played out by it, judged on the way and at the end) or by a network (its probabilities and its value).

A game binds `search_games` and the rest in its own entries, with its `Rules` and its `Guide`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ka_env.engine import net as nets
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel
from ka_env.engine.loops import DRAWN, RUNNING, WON_0, WORDS, is_legal, options, pick, play, word_of
from ka_env.engine.prefetch import uncounted
from ka_env.engine.rng import advance, roll

Array = Any
State = Any


class Guide(NamedTuple):
    """What a game tells the search, in kernels."""

    choose: Any  # (s, player): the action of the game's first rules-based player, from what the player can know
    lead: Any  # (s, player): how much better the player stands than the opponent, as the logit of the chances to win
    secret: Any  # (s, action): does the other player see no more of it than that something was done face down?


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
TRUST = 0.5  # prior of the guide's choice; the other options share the rest
NEXT = 0.5 * TRUST  # and no other option gets more: else the guide would have no say between two
LOOK = 32  # iterations between two looks at whether the choice is clear
UNTRIED = 0.1  # an option not yet tried counts as this much worse than its parent
COVERED = 255  # in place of an action: any of those that are secret
DEEPER = 0.4  # below the root less is explored: every try of a bad option speaks against the line that leads there


@kernel
def key_of(s: State, action: int) -> int:
    return action + (int(s.kind) << 8) + (int(s.player) << 16)  # int: interpreted, these are small NumPy integers


@kernel
def action_of(key: int) -> int:
    return key & 255


@kernel
def player_of(key: int) -> int:
    return key >> 16


@kernel
def shown(s: State, guide: Any, p: int, action: int) -> int:
    """An action as p sees it."""
    return COVERED if s.player != p and guide.secret(s, action) else action


@kernel
def secrets(s: State, rules: Any, guide: Any) -> int:
    """How many options are secret."""
    n = 0
    for i in range(options(s)):
        n += guide.secret(s, pick(s, rules.first_id, i))
    return n


@kernel
def uncover(s: State, rules: Any, guide: Any) -> int:
    """One of the secret options: the guide's choice, or any if that is none of them."""
    best = guide.choose(s, s.player)
    if guide.secret(s, best):
        return best
    left = roll(s, secrets(s, rules, guide))
    for i in range(options(s)):
        action = pick(s, rules.first_id, i)
        if guide.secret(s, action):
            if left == 0:
                return action
            left -= 1
    return best


@kernel
def is_open(s: State, rules: Any, guide: Any, p: int, key: int) -> bool:
    """May this child be chosen in s?"""
    action = action_of(key)
    if key != key_of(s, action):
        return False
    if action == COVERED:
        return secrets(s, rules, guide) > 0
    return is_legal(s, rules.first_id, action) and shown(s, guide, p, action) == action


# ---- leaves ---------------------------------------------------------------------------------------------------------


@kernel
def playout(s: State, rules: Any, guide: Any, turns: int) -> None:
    """The guide plays on for both until the game is over or `turns` more turns have begun (0: to the end)."""
    turn = s.turn
    while s.result == RUNNING:
        if s.turn != turn:
            turn = s.turn
            turns -= 1
            if turns == 0:
                break
        play(s, rules, guide.choose(s, s.player))


@kernel
def result_for(s: State, guide: Any, p: int) -> float:
    """p's result; where the game still runs, p's chances by how both stand."""
    if s.result == DRAWN:
        return 0.5
    if s.result != RUNNING:
        return 1.0 if s.result == WON_0 + p else 0.0
    return 1.0 / (1.0 + math.exp(-guide.lead(s, p)))


@kernel
def judge(s: State, rules: Any, guide: Any, p: int, turns: int) -> float:
    """p's chances: half at the end of this turn, half `turns` later. Either alone is wrong in its own way."""
    playout(s, rules, guide, 1)
    soon = result_for(s, guide, p)
    playout(s, rules, guide, turns)
    return 0.5 * soon + 0.5 * result_for(s, guide, p)


@kernel
def ask(s: State, rules: Any, guide: Any, net: Any, mind: Any, i: int) -> Any:
    """What the network makes of s, seen by the player who decides: its last hidden layer."""
    if net.skip.size:
        mind.advice[i] = guide.choose(s, s.player)
    rules.observe(s, s.player, mind.seen[i])
    return nets.think_again(net, mind, i, s.player, mind.seen[i])


@kernel
def expected_for(s: State, p: int, net: Any, hidden: Array) -> float:
    """p's expected result as the network sees it, from 0 to 1."""
    own = min(1.0, max(-1.0, nets.value(net, hidden)))
    return 0.5 + 0.5 * own if s.player == p else 0.5 - 0.5 * own


# ---- the tree -------------------------------------------------------------------------------------------------------


@kernel
def has_child(tree: Array, first: int, key: int) -> bool:
    """Is there a child with this key, from `first` on along its siblings?"""
    child = first
    while child and tree[child].key != key:
        child = tree[child].sibling
    return child != 0


@kernel
def forget_option(s: State, first_id: Any, action: int) -> None:
    w = word_of(first_id, action)
    s.legal[w] &= ~BIT[action - first_id(w)]


@kernel
def add_children(s: State, rules: Any, guide: Any, p: int, tree: Array, used: int, node: int) -> int:
    """A child for every legal action that has none; those that are open are counted. Returns the nodes used.

    Actions that have one are taken out of `legal` meanwhile.
    """
    legal = s.legal[0], s.legal[1], s.legal[2], s.legal[3], s.legal[4]
    child = tree[node].child
    while child:
        key = tree[child].key
        if is_open(s, rules, guide, p, key):
            tree[child].open += 1
            if action_of(key) != COVERED:
                forget_option(s, rules.first_id, action_of(key))
        child = tree[child].sibling
    for i in range(options(s)):
        action = shown(s, guide, p, pick(s, rules.first_id, i))
        key = key_of(s, action)
        if action == COVERED and has_child(tree, tree[node].child, key):
            continue
        if used == tree.size:
            break
        at = tree[used]
        at.key = key
        at.child = 0
        at.sibling = tree[node].child
        at.visits = 0
        at.open = 1
        at.prior = 0.0
        at.score = 0.0
        tree[node].child = used
        used += 1
    for w in range(WORDS):
        s.legal[w] = legal[w]
    return used


@kernel
def priors_of_guide(s: State, guide: Any, p: int, tree: Array, node: int, first: int) -> None:
    """Priors of the children from number `first`."""
    n = options(s)
    best = shown(s, guide, p, guide.choose(s, s.player))
    child = tree[node].child
    while child >= first:
        at = tree[child]
        at.prior = TRUST if action_of(at.key) == best else min(NEXT, (1.0 - TRUST) / max(1, n - 1))
        child = at.sibling


@kernel
def priors_of_net(
    s: State,
    rules: Any,
    guide: Any,
    p: int,
    tree: Array,
    node: int,
    first: int,
    net: Any,
    mind: Any,
    slot: int,
    hidden: Array,
    doubt: float,
) -> None:
    """The same by a network: the covered child has what all secret options have together.

    A part, the doubt, is shared out evenly, so that what the network thinks nothing of is tried, too.
    """
    weights = mind.weights[slot]
    n = options(s)
    total = 0.0
    covered = 0.0
    secret = 0
    for i in range(n):
        action = pick(s, rules.first_id, i)
        weight = math.exp(min(50.0, nets.logit(net, mind, slot, hidden, action)))
        weights[action] = weight
        total += weight
        if shown(s, guide, p, action) == COVERED:
            covered += weight
            secret += 1
    child = tree[node].child
    while child >= first:
        at = tree[child]
        action = action_of(at.key)
        weight = covered if action == COVERED else weights[action]
        at.prior = (1.0 - doubt) * weight / total + doubt * (secret if action == COVERED else 1) / n
        child = at.sibling


@kernel
def best_child(s: State, rules: Any, guide: Any, p: int, tree: Array, node: int, exploration: float) -> int:
    """The open child to follow; 0 if the tree has no room for any."""
    own = tree[node].score / max(1, tree[node].visits)
    if player_of(tree[node].key) != s.player:
        own = 1.0 - own
    best = 0
    best_value = -1.0e9
    child = tree[node].child
    while child:
        at = tree[child]
        if is_open(s, rules, guide, p, at.key):
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
    rules: Any,
    guide: Any,
    p: int,
    tree: Array,
    used: int,
    path: Array,
    exploration: float,
    turns: int,
    net: Any,
    mind: Any,
    slot: int,
    trust: float,
    doubt: float,
    forced: int,
) -> int:
    """One iteration on s, a copy of the root; returns the new number of nodes. `forced`: the root's child to follow."""
    asked = net.sizes.size > 0
    deeper = exploration if asked else DEEPER * exploration
    rules.determinize(s, p)
    node = 0
    path[0] = 0
    depth = 1
    while s.result == RUNNING and depth < MAX_DEPTH:
        first = used
        used = add_children(s, rules, guide, p, tree, used, node)
        if used > first:
            if asked:
                hidden = ask(s, rules, guide, net, mind, slot)
                priors_of_net(s, rules, guide, p, tree, node, first, net, mind, slot, hidden, doubt)
            else:
                priors_of_guide(s, guide, p, tree, node, first)
        child = forced
        if node or not forced or not is_open(s, rules, guide, p, tree[forced].key):
            child = best_child(s, rules, guide, p, tree, node, deeper if node else exploration)
        if child == 0:
            break
        path[depth] = child
        depth += 1
        node = child
        action = action_of(tree[child].key)
        play(s, rules, uncover(s, rules, guide) if action == COVERED else action)
        if tree[child].visits == 0:
            break
    if asked and s.result == RUNNING:
        hidden = ask(s, rules, guide, net, mind, slot)
        result = expected_for(s, p, net, hidden)
        if tree[node].visits == 0:  # what it says of the options is at hand, too
            first = used
            used = add_children(s, rules, guide, p, tree, used, node)
            priors_of_net(s, rules, guide, p, tree, node, first, net, mind, slot, hidden, doubt)
        if trust < 1.0:
            result = trust * result + (1.0 - trust) * judge(s, rules, guide, p, turns)
    else:
        result = judge(s, rules, guide, p, turns)
    for i in range(depth):
        at = tree[path[i]]
        at.visits += 1
        at.score += result if player_of(at.key) == p else 1.0 - result
    return used


@kernel
def decided(root: State, rules: Any, guide: Any, tree: Array, left: int) -> bool:
    """Is one option so far ahead that the iterations left can't change the choice?"""
    most = 0
    next_most = 0
    child = tree[0].child
    while child:
        visits = tree[child].visits
        if is_open(root, rules, guide, root.player, tree[child].key):
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
    rules: Any,
    guide: Any,
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
    net: Any,
    mind: Any,
    trust: float,
    doubt: float,
) -> Any:
    tree[0].key = p << 16
    for done in range(iterations):
        if done % LOOK == 0 and decided(root, rules, guide, tree, iterations - done + later):
            break
        scratch[slot] = root
        state = advance(state)
        scratch[slot].rng = state
        at = scratch[slot]
        used = iterate(at, rules, guide, p, tree, used, path, exploration, turns, net, mind, slot, trust, doubt, 0)
    return used, state


class Search(NamedTuple):
    """Searches under way, one per game; trees, used and rng carry them from call to call."""

    roots: Array
    players: Array
    trees: Array
    used: Array
    rng: Array
    paths: Array
    scratch: Array
    mind: Any  # a row for each game


class How(NamedTuple):
    """How to search: `later` iterations come after this call; `net` is a network, or NO_NET.

    `trust` is the network's share in judging a leaf; for the rest the guide plays on. `doubt` is the share of its
    opinion of moves that goes to all options alike.
    """

    iterations: int
    later: int
    exploration: float
    turns: int
    net: Any
    trust: float = 1.0
    doubt: float = 0.0


@kernel
def search_slice(search: Any, lo: int, hi: int, rules: Any, guide: Any, how: Any) -> None:
    """Search on in every game until its choice is clear."""
    search, how = uncounted(search), uncounted(how)  # so many arrays are handed on in every iteration
    for i in range(lo, hi):
        used, state = search_one(
            search.roots[i],
            rules,
            guide,
            search.players[i],
            search.trees[i],
            search.used[i],
            search.paths[i],
            search.scratch,
            i,
            search.rng[i],
            how.iterations,
            how.later,
            how.exploration,
            how.turns,
            how.net,
            search.mind,
            how.trust,
            how.doubt,
        )
        search.used[i] = used
        search.rng[i] = state


@kernel
def count_root_visits(roots: Array, trees: Array, out: Array) -> None:
    """out[i, a]: visits of action a at the root of tree i. A kept tree may hold decisions that did not come up."""
    out[:] = 0
    for i in range(out.shape[0]):
        child = trees[i, 0].child
        while child:
            at = trees[i, child]
            if at.key == key_of(roots[i], action_of(at.key)):
                out[i, action_of(at.key)] = at.visits
            child = at.sibling


@kernel
def graft_tree(tree: Array, action: int, out: Array) -> int:
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
