"""Measuring an agent against another in pairs of games: one deal, seats swapped. Quick, in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ka_env.agents import Agent, ask, make_agent
from ka_env.engine.batch import paired_engine
from ka_env.engine.loops import SKIP
from ka_env.games import Setup
from ka_env.training.arena.seeds import seed_of, streams

if TYPE_CHECKING:
    from ka_env.training.ratings import Winrate

AT_ONCE = 512  # pairs
MOST_DECISIONS = 20_000  # a game that is longer is a draw


def winrate(agent: str | Agent, other: str | Agent, rules: Setup, pairs: int, seed: int = 0) -> Winrate:
    """The agent's mean score per game with its 95 % interval."""
    from ka_env.training.ratings import winrate_interval

    return winrate_interval(pair_scores(agent, other, rules, pairs, seed))


def pair_scores(agent: str | Agent, other: str | Agent, rules: Setup, pairs: int, seed: int = 0) -> np.ndarray:
    """The agent's score in each pair, 0 to 2."""
    players = (make_agent(agent), make_agent(other))
    parts = []
    for first in range(0, pairs, AT_ONCE):
        count = min(AT_ONCE, pairs - first)
        parts.append(np.add(*seat_scores(players, rules, count, first, seed)))
    return np.concatenate(parts)


def seat_scores(
    players: tuple[Agent, Agent], rules: Setup, count: int, first: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The first player's scores in pairs number `first` and on: in the games where it sits first, and in the others."""
    engine = paired_engine(rules, seed_of("evaluation", seed), first, count)
    sits_first = np.repeat([0, 1], count)  # which player has seat 0; the one in seat s is sits_first ^ s
    every = np.arange(2 * count)
    for number, player in enumerate(players):
        seats = (sits_first != number).astype(np.int8)
        player.begin(every, seats, streams(seed_of("player", seed, number), every + 2 * first))
    for decision in range(MOST_DECISIONS):
        running = ~engine.done
        if not running.any():
            break
        actions = np.full(2 * count, SKIP, np.int64)
        for number, player in enumerate(players):
            games = np.flatnonzero(running & ((sits_first ^ engine.to_play) == number))
            if games.size:
                seeds = streams(seed_of("views", seed, decision), games + 2 * first)
                actions[games] = ask(player, engine, games, seeds)
        engine.step(actions)
    scores = (engine.rewards[every, sits_first] + 1) / 2
    return scores[:count], scores[count:]
