"""Layers for networks whose input is mostly zeros and of whose outputs few are legal.

About one number in ten of an observation is not zero, and a decision has about four legal actions out of hundreds. The
first layer therefore adds up the weights of the non-zero inputs only, and the last one computes the legal outputs
only. Weights are laid out by input in the first layer and by output in the last, so that each step walks along a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.engine.jit import entry, kernel

Array = Any


@entry
def count_nonzero(rows: Array, counts: Array) -> None:
    for i in range(rows.shape[0]):
        n = 0
        for j in range(rows.shape[1]):
            n += rows[i, j] != 0.0
        counts[i] = n


@entry
def compress(rows: Array, starts: Array, columns: Array, values: Array) -> None:
    """Row i's non-zero numbers go to `columns` and `values` from starts[i] on."""
    for i in range(rows.shape[0]):
        at = starts[i]
        for j in range(rows.shape[1]):
            value = rows[i, j]
            if value != 0.0:
                columns[at] = j
                values[at] = value
                at += 1


@entry
def decompress(starts: Array, columns: Array, values: Array, which: Array, rows: Array) -> None:
    """Some of the compressed rows in full."""
    for b in range(which.shape[0]):
        rows[b, :] = 0.0
        i = which[b]
        for at in range(starts[i], starts[i + 1]):
            rows[b, columns[at]] = values[at]


@kernel
def add_rows(columns: Array, values: Array, start: int, end: int, weight: Array, out: Array, b: int) -> None:
    """out[b] += the weighted sum of some rows of `weight`, four at a time: memory is the bottleneck."""
    size = out.shape[1]
    at = start
    while at + 4 <= end:
        c0, c1, c2, c3 = columns[at], columns[at + 1], columns[at + 2], columns[at + 3]
        v0, v1, v2, v3 = values[at], values[at + 1], values[at + 2], values[at + 3]
        for k in range(size):
            out[b, k] += (v0 * weight[c0, k] + v1 * weight[c1, k]) + (v2 * weight[c2, k] + v3 * weight[c3, k])
        at += 4
    while at < end:
        c, v = columns[at], values[at]
        for k in range(size):
            out[b, k] += v * weight[c, k]
        at += 1


@entry
def first_layer(
    starts: Array, columns: Array, values: Array, which: Array, weight: Array, bias: Array, out: Array
) -> None:
    """out[b] = bias + x @ weight for compressed row x = which[b]; weight is (inputs, outputs)."""
    for b in range(which.shape[0]):
        i = which[b]
        out[b, :] = bias
        add_rows(columns, values, starts[i], starts[i + 1], weight, out, b)


@entry
def first_layer_gradient(
    starts: Array, columns: Array, values: Array, which: Array, gradient: Array, out: Array
) -> None:
    """Add to `out` (inputs, outputs) the gradient of the weight."""
    for b in range(which.shape[0]):
        i = which[b]
        for at in range(starts[i], starts[i + 1]):
            c, v = columns[at], values[at]
            for k in range(out.shape[1]):
                out[c, k] += v * gradient[b, k]


@entry
def layer(rows: Array, weight: Array, bias: Array, out: Array) -> None:
    """out = bias + rows @ weight, for rows with many zeros; weight is (inputs, outputs)."""
    columns = np.empty(rows.shape[1], np.int64)
    values = np.empty(rows.shape[1], np.float32)
    for i in range(rows.shape[0]):
        n = 0
        for j in range(rows.shape[1]):
            if rows[i, j] != 0.0:
                columns[n] = j
                values[n] = rows[i, j]
                n += 1
        out[i, :] = bias
        add_rows(columns, values, 0, n, weight, out, i)


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


@kernel
def dot(a: Array, i: int, b: Array, j: int) -> float:
    """a[i] @ b[j], as eight sums side by side, which the compiler turns into vector instructions."""
    zero = a[i, 0] * 0
    s0, s1, s2, s3, s4, s5, s6, s7 = zero, zero, zero, zero, zero, zero, zero, zero
    whole = a.shape[1] // 8 * 8
    for k in range(0, whole, 8):
        s0 += a[i, k] * b[j, k]
        s1 += a[i, k + 1] * b[j, k + 1]
        s2 += a[i, k + 2] * b[j, k + 2]
        s3 += a[i, k + 3] * b[j, k + 3]
        s4 += a[i, k + 4] * b[j, k + 4]
        s5 += a[i, k + 5] * b[j, k + 5]
        s6 += a[i, k + 6] * b[j, k + 6]
        s7 += a[i, k + 7] * b[j, k + 7]
    total = ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
    for k in range(whole, a.shape[1]):
        total += a[i, k] * b[j, k]
    return total


@entry
def last_layer(hidden: Array, weight: Array, bias: Array, legal: Array, out: Array) -> None:
    """Logits of the listed actions, very negative where the list has ended; weight is (actions, hidden)."""
    for i in range(hidden.shape[0]):
        for n in range(legal.shape[1]):
            a = legal[i, n]
            if a < 0:
                out[i, n:] = -3.0e38
                break
            out[i, n] = bias[a] + dot(hidden, i, weight, a)


@entry
def last_layer_gradient(
    hidden: Array, weight: Array, legal: Array, gradient: Array, to_hidden: Array, to_weight: Array, to_bias: Array
) -> None:
    """From the gradient of the logits to those of hidden (overwritten), weight and bias (added to)."""
    size = hidden.shape[1]
    for i in range(hidden.shape[0]):
        to_hidden[i, :] = 0.0
        for n in range(legal.shape[1]):
            a = legal[i, n]
            if a < 0:
                break
            g = gradient[i, n]
            to_bias[a] += g
            for k in range(size):
                to_hidden[i, k] += g * weight[a, k]
                to_weight[a, k] += g * hidden[i, k]
