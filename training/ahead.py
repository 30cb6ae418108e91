"""One step ahead: every legal action is tried in the game as it is, and the network judges what comes of it.

In training the game is known, hidden cards and luck to come with it. What differs between the actions is then their doing
alone, not luck: their mean is a baseline that takes the luck of the moment out of an advantage, and the differences tell of
all actions, not only of the one that was drawn.
"""

from __future__ import annotations

import numpy as np

from ka_env.agents.nets import PolicyNet
from ka_env.engine.batch import BatchEngine
from ka_env.engine.loops import outputs
from ka_env.games import copy_records


def values_ahead(engine: BatchEngine, games: np.ndarray, legal: np.ndarray, net: PolicyNet) -> np.ndarray:
    """For each game and each of its legal actions, as listed, what the network expects after it, from -1 to 1."""
    rows, places = np.nonzero(legal >= 0)
    records = copy_records(engine.games, games[rows])
    after = outputs(len(rows), engine.num_actions)
    seen = np.empty((len(rows), engine.observation_size), np.float32)
    engine.about.kernels.step_games(records, 1, legal[rows, places].astype(np.int64), *after, seen)
    players = engine.to_play[games][rows]
    expected = net.values(seen) * np.where(after.to_play == players, 1, -1)
    sure = after.rewards[np.arange(len(rows)), players]
    found = np.zeros(legal.shape, np.float32)
    found[rows, places] = np.where(after.done, sure, expected)
    return found


def compared(values: np.ndarray, legal: np.ndarray, logits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean over the actions as likely as they are, and how far each is from it; 0 where the list has ended."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    mean = (weights * values).sum(axis=1)
    return mean, np.where(legal >= 0, values - mean[:, None], 0)
