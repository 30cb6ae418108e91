"""Layers for networks whose input is mostly zeros and of whose outputs few are legal.

About one number in fifteen of an observation is not zero, and a decision has about four legal actions out of
hundreds. The first layer therefore adds up the weights of the non-zero inputs only, and the last one computes the
legal outputs only; the layers between are left to BLAS. Weights are laid out by input in the first layer and by output in the
last, so that each step walks along one row.
"""

from __future__ import annotations

from typing import Any

from ka_env.jit import entry, kernel

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
def add_scaled(total: Array, row: Array, factor: float) -> None:
    for k in range(total.shape[0]):
        total[k] += factor * row[k]


@kernel
def dot(a: Array, b: Array) -> float:
    """Eight sums side by side, which the compiler turns into vector instructions."""
    zero = a[0] * 0
    s0, s1, s2, s3, s4, s5, s6, s7 = zero, zero, zero, zero, zero, zero, zero, zero
    whole = a.shape[0] // 8 * 8
    for k in range(0, whole, 8):
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
        s4 += a[k + 4] * b[k + 4]
        s5 += a[k + 5] * b[k + 5]
        s6 += a[k + 6] * b[k + 6]
        s7 += a[k + 7] * b[k + 7]
    total = ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
    for k in range(whole, a.shape[0]):
        total += a[k] * b[k]
    return total


@entry
def first_layer(
    starts: Array, columns: Array, values: Array, which: Array, weight: Array, bias: Array, out: Array
) -> None:
    """out[b] = bias + x @ weight for compressed row x = which[b]; weight is (inputs, hidden)."""
    for b in range(which.shape[0]):
        i = which[b]
        out[b, :] = bias
        for at in range(starts[i], starts[i + 1]):
            add_scaled(out[b], weight[columns[at]], values[at])


@entry
def first_layer_gradient(
    starts: Array, columns: Array, values: Array, which: Array, gradient: Array, low: int, high: int, out: Array
) -> None:
    """Add to `out` (inputs, hidden) what rows low to high of the batch contribute to the gradient of the weight."""
    for b in range(low, high):
        i = which[b]
        for at in range(starts[i], starts[i + 1]):
            add_scaled(out[columns[at]], gradient[b], values[at])


@entry
def layer(rows: Array, weight: Array, bias: Array, out: Array) -> None:
    """out = bias + rows @ weight, for rows with many zeros; weight is (inputs, outputs)."""
    for i in range(rows.shape[0]):
        out[i, :] = bias
        for j in range(rows.shape[1]):
            if rows[i, j] != 0.0:
                add_scaled(out[i], weight[j], rows[i, j])


@entry
def list_legal(masks: Array, which: Array, out: Array) -> None:
    """The legal actions of each row, then -1 to the end."""
    for b in range(which.shape[0]):
        n = 0
        for a in range(masks.shape[1]):
            if masks[which[b], a]:
                out[b, n] = a
                n += 1
        out[b, n:] = -1


@entry
def last_layer(hidden: Array, weight: Array, bias: Array, legal: Array, out: Array) -> None:
    """Logits of the listed actions, -inf where the list has ended; weight is (actions, hidden)."""
    for i in range(hidden.shape[0]):
        for n in range(legal.shape[1]):
            a = legal[i, n]
            if a < 0:
                out[i, n:] = -3.0e38
                break
            out[i, n] = bias[a] + dot(hidden[i], weight[a])


@entry
def last_layer_gradient(
    hidden: Array, weight: Array, legal: Array, gradient: Array, to_hidden: Array, to_weight: Array, to_bias: Array
) -> None:
    """From the gradient of the logits to those of hidden (overwritten), weight and bias (added to)."""
    for i in range(hidden.shape[0]):
        to_hidden[i, :] = 0.0
        for n in range(legal.shape[1]):
            a = legal[i, n]
            if a < 0:
                break
            g = gradient[i, n]
            to_bias[a] += g
            add_scaled(to_hidden[i], weight[a], g)
            add_scaled(to_weight[a], hidden[i], g)
