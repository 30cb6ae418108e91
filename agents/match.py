"""One game of two agents, written down move by move with what the agents noted."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ka_env.agents.base import Agent
from ka_env.agents.registry import make_agent
from ka_env.batch import BatchEngine
from ka_env.errors import KaError
from ka_env.games import GAMES, load_game


def record_game(
    players: Sequence[str | Agent],
    ruleset: str = "8.0-lite",
    frame: str | None = None,
    seed: int = 0,
    date: str = "-",
    game: str = "blackpoker",
) -> Any:
    """Play one game, the first agent in seat 0, and return its record. The same seed gives the same game."""
    if len(players) != 2:
        raise KaError(f"a game has two players, not {len(players)}: {', '.join(map(str, players))}")
    frame = frame or load_game(game).default_frame(ruleset)
    agents = [make_agent(player) for player in players]
    engine = BatchEngine(ruleset, frame, num_games=1, seed=seed, game=game)
    recorder = import_module(f"{GAMES[game]}.record").Recorder(
        engine.game(0), frame, seed, players=" ".join(agent.name for agent in agents), date=date
    )
    rng = np.random.default_rng(abs(int(seed)))
    number = np.arange(1)
    for seat, agent in enumerate(agents):
        agent.begin(number, np.array([seat], np.int8), rng.integers(2**64, size=1, dtype=np.uint64))
    while not engine.done[0]:
        agent = agents[engine.to_play[0]]
        observations = engine.observe_some(number) if agent.needs_observations else None
        views = engine.views(number, rng.integers(2**64, size=1, dtype=np.uint64)) if agent.needs_views else None
        action = agent.act(number, observations, engine.action_mask[number], views)
        recorder.step(int(action[0]), notes=agent.notes(0))
        engine.step(action)
    return recorder.record()
