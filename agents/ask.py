"""Asking an agent: it gets what it needs of the games it decides in, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ka_env.agents.base import Agent
from ka_env.engine.batch import BatchEngine

Seeds = Callable[[int], np.ndarray]


def ask(
    agent: Agent,
    engine: BatchEngine,
    which: np.ndarray,
    seeds: Seeds,
    names: np.ndarray | None = None,
    observations: np.ndarray | None = None,
) -> np.ndarray:
    """An action for each of the games `which` of an engine.

    `seeds(n)` makes n seeds (uint64) for re-drawing what the agent can't know; it is called only for agents that need
    views. `names` are the games' numbers as the agent knows them, if others; `observations` are rows already at hand.
    """
    if not agent.needs_observations:
        observations = None
    elif observations is None:
        observations = engine.observe_some(which)
    views = engine.views(which, seeds(len(which))) if agent.needs_views else None
    return agent.act(which if names is None else names, observations, engine.action_mask[which], views)
