"""One game of two agents, written down move by move with what the agents noted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ka_env.agents.ask import ask
from ka_env.agents.base import Agent
from ka_env.agents.registry import make_agent
from ka_env.engine.batch import BatchEngine
from ka_env.errors import KaError
from ka_env.games import DEFAULT_RULESET
from ka_env.luck import separate_rng
from ka_env.record import Record, Recorder


def record_game(
    players: Sequence[str | Agent],
    ruleset: str = DEFAULT_RULESET,
    frame: str | None = None,
    seed: int = 0,
    date: str = "-",
) -> Record:
    """Play one game, the first agent in seat 0, and return its record. The same seed gives the same game.

    What the agents are given is made from the seed by hashes of their own: it tells them nothing of the deal.
    """
    if len(players) != 2:
        raise KaError(f"a game has two players, not {len(players)}: {', '.join(map(str, players))}")
    agents = [make_agent(player) for player in players]
    engine = BatchEngine(ruleset, frame, num_games=1, seed=seed)
    names = " ".join(agent.called(ruleset, engine.frame) for agent in agents)
    recorder = Recorder(engine.game(0), engine.frame, seed, players=names, date=date)
    luck = [separate_rng(seed, f"player {seat}") for seat in range(2)]
    number = np.arange(1)
    for seat, agent in enumerate(agents):
        agent.begin(number, np.array([seat], np.int8), _seeds(luck[seat], 1))
    while not engine.done[0]:
        seat = engine.to_play[0]
        agent = agents[seat]
        action = ask(agent, engine, number, partial(_seeds, luck[seat]))
        recorder.step(int(action[0]), notes=agent.notes(0))
        engine.step(action)
    return recorder.record()


def _seeds(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.integers(2**64, size=count, dtype=np.uint64)
