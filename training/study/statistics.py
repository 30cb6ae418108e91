"""Means with 95 % intervals where observations come in clusters: the games of one deal tell less than so many deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Z = 1.96


class Interval(NamedTuple):
    """A mean, its 95 % interval, and how many observations it rests on."""

    value: float
    low: float
    high: float
    n: int

    def numbers(self, digits: int = 5) -> dict[str, float | int]:
        return {
            "value": round(self.value, digits),
            "low": round(self.low, digits),
            "high": round(self.high, digits),
            "n": self.n,
        }


def mean_of(
    values: np.ndarray,
    clusters: np.ndarray,
    weights: np.ndarray | None = None,
    bounds: tuple[float, float] | None = None,
) -> Interval | None:
    """The mean of values (with weights: of a value per unit of weight); None if there are fewer than two clusters.

    The error is that of a ratio over clusters. Shares are kept within `bounds`, and get the width that Wilson's formula
    has at the edge, so that none of ten is not certainly none.
    """
    values = np.asarray(values, float)
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, float)
    total = weights.sum()
    _, index = np.unique(clusters, return_inverse=True)
    count = int(index.max(initial=-1)) + 1
    if count < 2 or total <= 0:
        return None
    mean = float(values.sum() / total)
    residual = np.bincount(index, values - mean * weights)
    error = float(np.sqrt((residual**2).sum() * count / (count - 1)) / total)
    if bounds is None:
        return Interval(mean, mean - Z * error, mean + Z * error, len(values))
    low, high = bounds
    least = (high - low) / (count + Z**2)  # about what one more observation could change
    half_low, half_high = max(Z * error, least), max(Z * error, least)
    return Interval(mean, max(low, mean - half_low), min(high, mean + half_high), len(values))


def share_of(values: np.ndarray, clusters: np.ndarray, weights: np.ndarray | None = None) -> Interval | None:
    return mean_of(values, clusters, weights, (0.0, 1.0))
