"""A network inside kernels: what agents play with, what the search asks at every leaf, what the trainer learns.

An observation is first told as features: its columns that are not as usual, each with how far it is from that. A column
may stand for several features, one for each value of a one-hot part of the observation (whose cards these are, for
instance). The first layer adds up the weights of the features, the others follow; then there are a value and, for each
action asked about, a logit. An action that names a thing (a card, a unit) is also scored by that thing: a query from
the last hidden layer times a vector of the thing, which is made of what it is and of what is seen of it now.

A network may be told what the game's first rules-based player would do, its adviser: a feature for each action, after
those of the columns, and a number that is added to the logit of the advised action.

There is one kind of arrays for all networks. One without things has a `keys` of no columns, one without an adviser a
`skip` of no length.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ka_env.engine.jit import kernel, summing

Array = Any
PLAYERS = 2


class Net(NamedTuple):
    """All that is needed to compute. `sizes` are the numbers of units of the layers."""

    # from columns to features
    usual: Array  # [column]: what it mostly is
    base: Array  # [column]: its first feature
    chooser: Array  # [column]: which one-hot part chooses among its features, -1: it has only one
    choosers: Array  # [chooser]: first column and number of columns of such a part
    # layers
    first: Array  # [feature, unit]
    first_bias: Array
    hidden: Array  # for each layer but the first its matrix, row by input, and its bias
    sizes: Array
    # heads
    row: Array  # [action]: its row in the head
    policy: Array  # [row, unit]
    policy_bias: Array
    value: Array  # [0, unit]
    value_bias: Array
    skip: Array  # [action]: added to its logit where it is the advised one
    # things
    named: Array  # [action]: the thing it names, -1: none
    verb: Array  # [action]: what would be done to it: which query
    thing: Array  # [feature]: the thing it tells of, -1: none
    zone: Array  # [feature]: what it tells of it
    card: Array  # [thing]: its first row in `keys`
    card_chooser: Array  # [thing]: which one-hot part chooses among its rows, -1: it has only one
    step: Array  # [thing]: rows from one of them to the next
    keys: Array  # [row, k]: what the thing is
    states: Array  # [zone, k]: what is told of it
    query: Array  # [verb * k, unit]
    query_bias: Array


class Mind(NamedTuple):
    """Room for thoughts, a row for each of those who think at the same time."""

    seen: Array  # the observation
    features: Array
    amounts: Array
    count: Array  # of features
    advice: Array  # [row]: the advised action, -1: none
    chosen: Array  # the value of each one-hot part that chooses
    layers: Array
    places: Array  # non-zero units of a layer
    signals: Array  # and how strong they are
    queries: Array
    ready: Array  # which queries have been computed
    weights: Array  # [row, action]: room for the exponentials of logits
    based: Array  # [row, player]: is there a first observation yet, see `think_again`
    basis: Array  # [row, player]: that observation
    sums: Array  # [row, player]: and its first layer before the ReLU


def mind(net: Net, rows: int, columns: int | None = None) -> Mind:
    """For observations of so many columns: see `list_features`."""
    widest = int(max(net.sizes.max(initial=1), net.base.size, 1))
    seen = net.base.size if columns is None else min(columns, net.base.size)
    return Mind(
        np.zeros((rows, seen), np.float32),
        np.zeros((rows, net.base.size), np.int64),
        np.zeros((rows, net.base.size), np.float32),
        np.zeros(rows, np.int64),
        np.full(rows, -1),
        np.zeros((rows, len(net.choosers)), np.int64),
        np.zeros((rows, 2, int(net.sizes.max(initial=1))), np.float32),
        np.zeros((rows, widest), np.int64),
        np.zeros((rows, widest), np.float32),
        np.zeros((rows, net.query.shape[0]), np.float32),
        np.zeros((rows, max(1, int(net.verb.max(initial=0)) + 1)), np.bool_),
        np.zeros((rows, net.row.size)),
        np.zeros((rows, PLAYERS), np.bool_),
        np.zeros((rows, PLAYERS, seen), np.float32),
        np.zeros((rows, PLAYERS, net.first_bias.size), np.float32),
    )


_NONE = np.zeros(0, np.int64)
_NO_MATRIX = np.zeros((0, 0), np.float32)
_NO_VECTOR = np.zeros(0, np.float32)
NO_CHOOSERS = np.zeros((0, 2), np.int64)


def no_things(columns: int, actions: int) -> tuple[np.ndarray, ...]:
    """The last part of a network without things."""
    none, every = np.full(actions, -1), np.full(columns, -1)
    return (none, np.zeros(actions, np.int64), every, every, _NONE, _NONE, _NONE, *[_NO_MATRIX] * 3, _NO_VECTOR)


NO_NET = Net(
    *(_NO_VECTOR, _NONE, _NONE, NO_CHOOSERS),
    *(_NO_MATRIX, _NO_VECTOR, _NO_VECTOR, _NONE),
    *(_NONE, _NO_MATRIX, _NO_VECTOR, _NO_MATRIX, _NO_VECTOR, _NO_VECTOR),
    *no_things(0, 0),
)


# ---- features -------------------------------------------------------------------------------------------------------


@kernel
def chosen_of(first: int, count: int, seen: Array) -> int:
    """Which of the columns is on; 0 if none is."""
    for i in range(min(count, seen.size - first)):
        if seen[first + i] != 0.0:
            return i
    return 0


@kernel
def list_features(net: Any, seen: Array, chosen: Array, features: Array, amounts: Array, at: int) -> int:
    """The features of an observation, from place `at` on; returns where they end.

    It may lack the last columns, as it does under rulesets that have no use for them: those are as usual.
    """
    for i in range(net.choosers.shape[0]):
        chosen[i] = chosen_of(net.choosers[i, 0], net.choosers[i, 1], seen)
    for j in range(seen.size):
        if seen[j] != net.usual[j]:
            by = net.chooser[j]
            features[at] = net.base[j] + (chosen[by] if by >= 0 else 0)
            amounts[at] = seen[j] - net.usual[j]
            at += 1
    return at


# ---- layers ---------------------------------------------------------------------------------------------------------


@kernel
def add_rows(places: Array, amounts: Array, start: int, end: int, weight: Array, out: Array) -> None:
    """out += the weighted sum of some rows of `weight`, four at a time: memory is the bottleneck."""
    size = out.size
    at = start
    while at + 4 <= end:
        c0, c1, c2, c3 = places[at], places[at + 1], places[at + 2], places[at + 3]
        v0, v1, v2, v3 = amounts[at], amounts[at + 1], amounts[at + 2], amounts[at + 3]
        for k in range(size):
            out[k] += (v0 * weight[c0, k] + v1 * weight[c1, k]) + (v2 * weight[c2, k] + v3 * weight[c3, k])
        at += 4
    while at < end:
        c, v = places[at], amounts[at]
        for k in range(size):
            out[k] += v * weight[c, k]
        at += 1


@kernel
def relu(x: Array) -> None:
    for k in range(x.size):
        x[k] = max(x[k], np.float32(0.0))


@summing
def dot(matrix: Array, i: int, x: Array) -> float:
    """matrix[i] @ x."""
    total: Any = np.float32(0.0)
    for k in range(x.size):
        total += matrix[i, k] * x[k]
    return total


@kernel
def next_layer(matrix: Array, bias: Array, x: Array, y: Array, places: Array, signals: Array) -> None:
    """y = relu(x @ matrix + bias); about half of x is zero."""
    n = 0
    for j in range(x.size):  # written down in any case: a guess whether to would be wrong half of the time
        places[n] = j
        signals[n] = x[j]
        n += x[j] != 0.0
    y[:] = bias
    add_rows(places, signals, 0, n, matrix, y)
    relu(y)


@kernel
def advice_feature(net: Any, action: int) -> int:
    """The last features are those of advised actions."""
    return net.first.shape[0] - net.skip.size + action


@kernel
def add_advice(net: Any, mind: Any, i: int, x: Array) -> None:
    """What the advice adds to the sums of the first layer."""
    if mind.advice[i] >= 0:
        row = advice_feature(net, mind.advice[i])
        for k in range(x.size):
            x[k] += net.first[row, k]


@kernel
def first_sums(net: Any, mind: Any, i: int, seen: Array, x: Array) -> None:
    """x = the first layer before its ReLU, but for what the advice adds."""
    mind.count[i] = list_features(net, seen, mind.chosen[i], mind.features[i], mind.amounts[i], 0)
    x[:] = net.first_bias
    add_rows(mind.features[i], mind.amounts[i], 0, mind.count[i], net.first, x)


@kernel
def list_changes(net: Any, before: Array, seen: Array, features: Array, amounts: Array) -> int:
    """The features in which two observations differ, and how far; returns how many. For networks without choosers."""
    n = 0
    for j in range(seen.size):
        if seen[j] != before[j]:
            features[n] = net.base[j]
            amounts[n] = seen[j] - before[j]
            n += 1
    return n


@kernel
def changed_sums(net: Any, mind: Any, i: int, player: int, seen: Array, x: Array) -> None:
    """The same as `first_sums`, from what differs from the first observation of this player."""
    features, amounts = mind.features[i], mind.amounts[i]
    if mind.based[i, player]:
        x[:] = mind.sums[i, player]
        add_rows(features, amounts, 0, list_changes(net, mind.basis[i, player], seen, features, amounts), net.first, x)
        return
    first_sums(net, mind, i, seen, x)
    mind.based[i, player] = True
    mind.basis[i, player, :] = seen
    mind.sums[i, player, :] = x


@kernel
def think_on(net: Any, mind: Any, i: int) -> Any:
    """From the sums of the first layer to the last hidden layer."""
    mind.ready[i, :] = False
    units = net.sizes[0]
    now = 0
    x = mind.layers[i, now, :units]
    relu(x)
    at = 0
    for n in range(1, net.sizes.size):
        inputs, units = units, net.sizes[n]
        edge = at + inputs * units
        matrix = net.hidden[at:edge].reshape((inputs, units))
        y = mind.layers[i, 1 - now, :units]
        next_layer(matrix, net.hidden[edge : edge + units], x, y, mind.places[i], mind.signals[i])
        at = edge + units
        now = 1 - now
        x = y
    return x


@kernel
def think(net: Any, mind: Any, i: int, seen: Array) -> Any:
    """The last hidden layer, for an observation and an advice; `mind` row i then holds all that `logit` needs."""
    first_sums(net, mind, i, seen, mind.layers[i, 0, : net.sizes[0]])
    add_advice(net, mind, i, mind.layers[i, 0, : net.sizes[0]])
    return think_on(net, mind, i)


@kernel
def think_again(net: Any, mind: Any, i: int, player: int, seen: Array) -> Any:
    """The same for one of many observations of a player that are much alike, as those of one search are.

    Most of a row is as it was the first time, so only the rest is added up. Sums come out the same but for rounding.
    What is told of things must be listed whole, and choosers change what columns mean: such networks think anew.
    """
    if net.choosers.shape[0] or net.keys.shape[1]:
        return think(net, mind, i, seen)
    changed_sums(net, mind, i, player, seen, mind.layers[i, 0, : net.sizes[0]])
    add_advice(net, mind, i, mind.layers[i, 0, : net.sizes[0]])
    return think_on(net, mind, i)


@kernel
def forget(mind: Any, i: int) -> None:
    """What comes next has nothing to do with what was thought about before."""
    mind.based[i, :] = False


# ---- heads ----------------------------------------------------------------------------------------------------------


@kernel
def value(net: Any, x: Array) -> float:
    """The expected result, about -1 to 1."""
    return float(net.value_bias[0] + dot(net.value, 0, x))


@kernel
def thing_row(net: Any, thing: int, chosen: Array) -> int:
    by = net.card_chooser[thing]
    return net.card[thing] + (chosen[by] * net.step[thing] if by >= 0 else 0)


@kernel
def key_of_thing(
    net: Any, thing: int, chosen: Array, features: Array, amounts: Array, start: int, end: int, out: Array
) -> None:
    """What the thing is, and what is seen of it now: out = relu(key + states)."""
    out[:] = net.keys[thing_row(net, thing, chosen)]
    for at in range(start, end):
        f = features[at]
        if net.thing[f] == thing:
            for k in range(out.size):
                out[k] += amounts[at] * net.states[net.zone[f], k]
    relu(out)


@kernel
def pointed(net: Any, mind: Any, i: int, x: Array, action: int) -> float:
    """How well the thing that an action names answers the query."""
    size = net.keys.shape[1]
    verb = net.verb[action]
    first = verb * size
    if not mind.ready[i, verb]:
        mind.ready[i, verb] = True
        for k in range(size):
            mind.queries[i, first + k] = net.query_bias[first + k] + dot(net.query, first + k, x)
    key = mind.signals[i, :size]
    features, amounts = mind.features[i], mind.amounts[i]
    key_of_thing(net, net.named[action], mind.chosen[i], features, amounts, 0, mind.count[i], key)
    total = np.float32(0.0)
    for k in range(size):
        total += mind.queries[i, first + k] * key[k]
    return float(total)


@kernel
def logit(net: Any, mind: Any, i: int, x: Array, action: int) -> float:
    row = net.row[action]
    total = net.policy_bias[row] + dot(net.policy, row, x)
    if action == mind.advice[i]:
        total += net.skip[action]
    if net.named[action] >= 0:
        return float(total) + pointed(net, mind, i, x, action)
    return float(total)
