"""Asking an agent: it gets what it needs of the games it decides in, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ka_env.agents.base import Agent
from ka_env.engine.batch import BatchEngine

Seeds = np.ndarray | Callable[[int], np.ndarray]


def ask(
    agent: Agent,
    engine: BatchEngine,
    which: np.ndarray,
    seeds: Seeds,
    names: np.ndarray | None = None,
    observations: np.ndarray | None = None,
) -> np.ndarray:
    """An action for each of the games `which` of an engine.

    `seeds` (uint64, one for each game, or a function that makes so many) decide how what the agent can't know is
    re-drawn; only agents that need views take any. `names` are the games' numbers as the agent knows them, if others;
    `observations` are rows already at hand.
    """
    if not agent.needs_observations:
        observations = None
    elif observations is None:
        observations = engine.observe_some(which)
    views = None
    if agent.needs_views:
        views = engine.views(which, seeds(len(which)) if callable(seeds) else seeds)
    return agent.act(which if names is None else names, observations, engine.action_mask[which], views)
