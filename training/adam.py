"""Adam over all weights at once. Each member of a team adds up the gradients and moves the weights of its own part."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.engine import net as nets
from ka_env.engine.jit import entry
from ka_env.training.team import Team

Array = Any

DECAY, DECAY_OF_SQUARES, LEAST = 0.9, 0.999, 1e-5


@entry
def add_up(gradients: Array, start: int, total: Array) -> float:
    """total[0] = the sum of everybody's gradients from `start` on; returns the square of its length."""
    total[0, :] = gradients[0, start : start + total.shape[1]]
    for other in range(1, gradients.shape[0]):
        for i in range(total.shape[1]):
            total[0, i] += gradients[other, start + i]
    return nets.dot(total, 0, total[0])


@entry
def move(
    weights: Array, gradient: Array, mean: Array, square: Array, factor: float, rate: float, bias: Array, least: float
) -> None:
    """One step of Adam; `bias` corrects what the two means lack at first."""
    keep, keep_square = np.float32(DECAY), np.float32(DECAY_OF_SQUARES)
    new, new_square = np.float32(1 - DECAY), np.float32(1 - DECAY_OF_SQUARES)
    scale, pace, floor = np.float32(factor), np.float32(rate / bias[0]), np.float32(least)
    root = np.float32(bias[1] ** -0.5)
    for i in range(weights.size):
        g = gradient[i] * scale
        mean[i] = keep * mean[i] + new * g
        square[i] = keep_square * square[i] + new_square * g * g
        weights[i] -= pace * mean[i] / (np.sqrt(square[i]) * root + floor)


class Adam:
    """Of the weights and gradients that lie in the team's memory."""

    def __init__(self, team: Team, longest: float) -> None:
        self.team, self.longest = team, longest
        edges = np.linspace(0, team.weights.size, team.size + 1).astype(int)
        self._own = slice(int(edges[team.rank]), int(edges[team.rank + 1]))
        size = self._own.stop - self._own.start
        self._total = np.zeros((1, size), np.float32)
        self.mean, self.square = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.steps = 0

    def step(self, rate: float) -> None:
        """When everybody's gradient is there. The weights are new when all have come to the end of this."""
        length = sum(self.team.gather(add_up(self.team.gradients, self._own.start, self._total))) ** 0.5
        self.steps += 1
        bias = 1 - np.array([DECAY, DECAY_OF_SQUARES]) ** self.steps
        factor = min(1.0, self.longest / (length + 1e-6))
        move(self.team.weights[self._own], self._total[0], self.mean, self.square, factor, rate, bias, LEAST)
        self.team.gather(None)
