"""Measuring an agent against another in pairs of games: one deal, seats swapped. Quick, in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ka_env.agents import Agent, make_agent
from ka_env.batch import BatchEngine
from ka_env.training.arena.plan import Rules
from ka_env.training.arena.seeds import seed_of, streams

if TYPE_CHECKING:
    from ka_env.training.ratings import Winrate

AT_ONCE = 512  # pairs
MOST_DECISIONS = 20_000  # a game that is longer is a draw


def winrate(
    agent: str | Agent, other: str | Agent, rules: Rules, pairs: int, seed: int = 0, game: str = "blackpoker"
) -> Winrate:
    """The agent's mean score per game with its 95 % interval."""
    from ka_env.training.ratings import winrate_interval

    return winrate_interval(pair_scores(agent, other, rules, pairs, seed, game))


def pair_scores(
    agent: str | Agent, other: str | Agent, rules: Rules, pairs: int, seed: int = 0, game: str = "blackpoker"
) -> np.ndarray:
    """The agent's score in each pair, 0 to 2."""
    players = (make_agent(agent), make_agent(other))
    parts = []
    for first in range(0, pairs, AT_ONCE):
        count = min(AT_ONCE, pairs - first)
        parts.append(_play(players, rules, count, first, seed, game))
    return np.concatenate(parts)


def _play(players: tuple[Agent, Agent], rules: Rules, count: int, first: int, seed: int, game: str) -> np.ndarray:
    engine = _twice(rules, count, first, seed_of("evaluation", seed), game)
    sits_first = np.repeat([0, 1], count)  # which player has seat 0; the one in seat s is sits_first ^ s
    every = np.arange(2 * count)
    for number, player in enumerate(players):
        seats = (sits_first != number).astype(np.int8)
        player.begin(every, seats, streams(seed_of("player", seed, number), every + 2 * first))
    for decision in range(MOST_DECISIONS):
        running = ~engine.done
        if not running.any():
            break
        actions = np.full(2 * count, -1, np.int64)
        for number, player in enumerate(players):
            games = np.flatnonzero(running & ((sits_first ^ engine.to_play) == number))
            if games.size:
                seen = engine.observe_some(games) if player.needs_observations else None
                seeds = streams(seed_of("views", seed, decision), games + 2 * first)
                views = engine.views(games, seeds) if player.needs_views else None
                actions[games] = player.act(games, seen, engine.action_mask[games], views)
        engine.step(actions)
    scores = (engine.rewards[every, sits_first] + 1) / 2
    return scores[:count] + scores[count:]


def _twice(rules: Rules, count: int, first: int, seed: int, game: str) -> BatchEngine:
    """2 * count games: the deals from number `first` on, twice."""
    dealt = BatchEngine(rules.ruleset, rules.frame, count, seed, game=game, first_game=first)
    both = BatchEngine(rules.ruleset, rules.frame, 2 * count, seed, game=game)
    for name in ("games", "action_mask", "to_play", "done", "rewards"):
        array = getattr(both, name)
        array[:count] = array[count:] = getattr(dealt, name)
    return both
