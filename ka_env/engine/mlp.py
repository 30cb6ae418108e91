"""A small network inside kernels, for searches that ask it at every leaf.

All weights lie in one float32 array: for each layer its matrix, row by input, and its bias; then the rows of the policy
head by action, its bias, the row of the value head and its bias. `sizes` holds the numbers of inputs, of the units of
each hidden layer, and of actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.engine.jit import kernel

Array = Any

NO_NET = (np.zeros(0, np.float32), np.zeros(0, np.int64))


def pack(layers: list[tuple[np.ndarray, np.ndarray]], policy: Any, value: Any) -> tuple[np.ndarray, np.ndarray]:
    """Weights and sizes from (matrix, bias) pairs: hidden layers (inputs x units), policy (actions x units), value."""
    parts = [part for pair in (*layers, policy, value) for part in pair]
    sizes = [layers[0][0].shape[0], *(bias.size for _, bias in layers), policy[1].size]
    return np.concatenate([np.ravel(part) for part in parts]).astype(np.float32), np.array(sizes, np.int64)


def room(sizes: np.ndarray) -> int:
    """How long a row of the buffers for `think` must be."""
    return int(sizes.max(initial=1))


@kernel
def layer(weights: Array, at: int, inputs: int, outputs: int, x: Array, y: Array) -> None:
    """y = relu(x W + b); most of x is zero."""
    bias = at + inputs * outputs
    for k in range(outputs):
        y[k] = weights[bias + k]
    for j in range(inputs):
        if x[j] != 0.0:
            factor = x[j]
            row = at + j * outputs
            for k in range(outputs):
                y[k] += factor * weights[row + k]
    for k in range(outputs):
        y[k] = max(y[k], np.float32(0.0))


@kernel
def think(weights: Array, sizes: Array, buffers: Array) -> int:
    """From the inputs in buffers[0] to the last hidden layer; returns which of the two buffers holds it."""
    at = 0
    now = 0
    for i in range(sizes.size - 2):
        layer(weights, at, sizes[i], sizes[i + 1], buffers[now], buffers[1 - now])
        at += (sizes[i] + 1) * sizes[i + 1]
        now = 1 - now
    return now


@kernel
def heads_at(sizes: Array) -> int:
    """Where the policy head begins."""
    at = 0
    for i in range(sizes.size - 2):
        at += (sizes[i] + 1) * sizes[i + 1]
    return at


@kernel
def unit_sum(weights: Array, at: int, hidden: Array, units: int) -> float:
    total = np.float32(0.0)
    for k in range(units):
        total += weights[at + k] * hidden[k]
    return float(total)


@kernel
def logit(weights: Array, sizes: Array, hidden: Array, action: int) -> float:
    units = sizes[sizes.size - 2]
    head = heads_at(sizes)
    return (
        unit_sum(weights, head + action * units, hidden, units) + weights[head + sizes[sizes.size - 1] * units + action]
    )


@kernel
def value(weights: Array, sizes: Array, hidden: Array) -> float:
    """The expected result, between -1 and 1."""
    units = sizes[sizes.size - 2]
    head = heads_at(sizes) + (units + 1) * sizes[sizes.size - 1]
    return unit_sum(weights, head, hidden, units) + weights[head + units]
