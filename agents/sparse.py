"""Layers for many observations at once: for playing, and forwards and backwards for training.

Few columns of an observation are not as usual, and a decision has about four legal actions out of hundreds. The first
layer therefore adds up the weights of the features only, and the last one computes the legal outputs only. Weights are
laid out by input in the first layer and by output in the last, so that each step walks along a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.engine import net as nets
from ka_env.engine.jit import entry, kernel
from ka_env.engine.prefetch import uncounted

Array = Any

IMPOSSIBLE = -3.0e38  # the logit of no action at all


# ---- playing --------------------------------------------------------------------------------------------------------


@entry
def judge(net: Any, mind: Any, at: int, seen: Array, advice: Array, legal: Array, logits: Array, values: Array) -> None:
    """Logits of the listed actions, very negative where a list has ended, and values; with row `at` of the mind."""
    net, mind = uncounted(net), uncounted(mind)
    for i in range(seen.shape[0]):
        mind.advice[at] = advice[i]
        judge_row(net, mind, at, seen[i], legal[i], logits[i], values[i : i + 1])


@entry
def compress(
    net: Any, seen: Array, advice: Array, starts: Array, features: Array, amounts: Array, chosen: Array
) -> None:
    """Observations and advice as features: those of row i from starts[i] to starts[i + 1]."""
    starts[0] = 0
    for i in range(seen.shape[0]):
        end = nets.list_features(net, seen[i], chosen[i], features, amounts, starts[i])
        if advice[i] >= 0:
            features[end] = nets.advice_feature(net, advice[i])
            amounts[end] = 1.0
            end += 1
        starts[i + 1] = end


@kernel
def judge_row(net: Any, mind: Any, at: int, seen: Array, legal: Array, logits: Array, value: Array) -> None:
    hidden = nets.think(net, mind, at, seen)
    value[0] = nets.value(net, hidden)
    for n in range(legal.size):
        if legal[n] < 0:
            logits[n:] = IMPOSSIBLE
            break
        logits[n] = nets.logit(net, mind, at, hidden, legal[n])


@entry
def list_legal(masks: Array, which: Array, out: Array) -> None:
    """The legal actions of each row, then -1 to the end."""
    for b in range(which.shape[0]):
        i = which[b]
        n = 0
        for a in range(masks.shape[1]):
            if masks[i, a]:
                out[b, n] = a
                n += 1
        out[b, n:] = -1


# ---- the first layer ------------------------------------------------------------------------------------------------


@entry
def count_features(starts: Array, features: Array, which: Array, counts: Array) -> None:
    """In how many of these rows there is each feature."""
    counts[:] = 0
    for b in range(which.shape[0]):
        i = which[b]
        for at in range(starts[i], starts[i + 1]):
            counts[features[at]] += 1


@entry
def part_rows(
    starts: Array,
    features: Array,
    amounts: Array,
    which: Array,
    place: Array,
    common: Array,
    rest_starts: Array,
    rest: Array,
    rest_amounts: Array,
) -> None:
    """Features that have a place go into common[b, place] (all zeros before), the rest stays a list."""
    end = 0
    for b in range(which.shape[0]):
        i = which[b]
        rest_starts[b] = end
        for at in range(starts[i], starts[i + 1]):
            f = features[at]
            if place[f] >= 0:
                common[b, place[f]] += amounts[at]
            else:
                rest[end] = f
                rest_amounts[end] = amounts[at]
                end += 1
    rest_starts[which.shape[0]] = end


@entry
def add_first_layer(starts: Array, features: Array, amounts: Array, weight: Array, out: Array) -> None:
    """out[b] += x @ weight for each compressed row x; weight is (features, outputs)."""
    for b in range(out.shape[0]):
        nets.add_rows(features, amounts, starts[b], starts[b + 1], weight, out[b])


@entry
def first_layer_gradient(starts: Array, features: Array, amounts: Array, gradient: Array, out: Array) -> None:
    """Add to `out` (features, outputs) the gradient of the weight."""
    for b in range(gradient.shape[0]):
        for at in range(starts[b], starts[b + 1]):
            f, v = features[at], amounts[at]
            for k in range(out.shape[1]):
                out[f, k] += v * gradient[b, k]


# ---- the last layer -------------------------------------------------------------------------------------------------


@entry
def last_layer(hidden: Array, row: Array, weight: Array, bias: Array, legal: Array, out: Array) -> None:
    """Logits of the listed actions, very negative where the list has ended; weight is (rows, hidden)."""
    for i in range(hidden.shape[0]):
        for n in range(legal.shape[1]):
            if legal[i, n] < 0:
                out[i, n:] = IMPOSSIBLE
                break
            r = row[legal[i, n]]
            out[i, n] = bias[r] + nets.dot(weight, r, hidden[i])


@entry
def last_layer_gradient(
    hidden: Array,
    row: Array,
    weight: Array,
    legal: Array,
    gradient: Array,
    to_hidden: Array,
    to_weight: Array,
    to_bias: Array,
) -> None:
    """From the gradient of the logits to those of hidden (overwritten), weight and bias (added to)."""
    size = hidden.shape[1]
    for i in range(hidden.shape[0]):
        to_hidden[i, :] = 0.0
        for n in range(legal.shape[1]):
            if legal[i, n] < 0:
                break
            r = row[legal[i, n]]
            g = gradient[i, n]
            to_bias[r] += g
            for k in range(size):
                to_hidden[i, k] += g * weight[r, k]
                to_weight[r, k] += g * hidden[i, k]


# ---- the things that actions name -----------------------------------------------------------------------------------


@entry
def point(net: Any, rows: Any, which: Array, queries: Array, legal: Array, out: Array) -> None:
    """How well the things that the listed actions name answer the queries [b, verb * k]; 0 where there is none."""
    starts, features, amounts, chosen = rows
    size = net.keys.shape[1]
    key = np.empty(size, np.float32)
    for b in range(which.shape[0]):
        i = which[b]
        for n in range(legal.shape[1]):
            a = legal[b, n]
            out[b, n] = 0.0
            if a < 0 or net.named[a] < 0:
                continue
            nets.key_of_thing(net, net.named[a], chosen[i], features, amounts, starts[i], starts[i + 1], key)
            first = net.verb[a] * size
            for k in range(size):
                out[b, n] += queries[b, first + k] * key[k]


@entry
def point_gradient(
    net: Any,
    rows: Any,
    which: Array,
    queries: Array,
    legal: Array,
    gradient: Array,
    to_queries: Array,
    to_keys: Array,
    to_states: Array,
) -> None:
    """From the gradient of `out` to those of queries (overwritten), keys and states (added to)."""
    starts, features, amounts, chosen = rows
    size = net.keys.shape[1]
    key = np.empty(size, np.float32)
    back = np.empty(size, np.float32)
    to_queries[:] = 0.0
    for b in range(which.shape[0]):
        i = which[b]
        for n in range(legal.shape[1]):
            a = legal[b, n]
            if a < 0:
                break
            thing = net.named[a]
            if thing < 0:
                continue
            nets.key_of_thing(net, thing, chosen[i], features, amounts, starts[i], starts[i + 1], key)
            first = net.verb[a] * size
            for k in range(size):
                to_queries[b, first + k] += gradient[b, n] * key[k]
                back[k] = gradient[b, n] * queries[b, first + k] if key[k] > 0 else 0.0
            row = nets.thing_row(net, thing, chosen[i])
            for k in range(size):
                to_keys[row, k] += back[k]
            for at in range(starts[i], starts[i + 1]):
                f = features[at]
                if net.thing[f] == thing:
                    for k in range(size):
                        to_states[net.zone[f], k] += amounts[at] * back[k]
