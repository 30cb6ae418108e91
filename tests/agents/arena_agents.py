"""Agents for the tests of the arena, named by `python:tests.agents.arena_agents:Class`."""

from __future__ import annotations

import os
import time

import numpy as np

from ka_env.agents import Agent


class FirstLegal(Agent):
    """Plays the first legal action, as its view tells it."""

    needs_observations = False
    needs_views = True

    def act_one(self, game, observation, mask, view):
        assert observation is None
        assert (view.action_mask() == mask).all()
        return int(view.action_mask().argmax())


class Faulty(FirstLegal):
    """Fails at its second decision when it sits first."""

    def __init__(self, how="crash"):
        self.how = how
        self.seats, self.decisions = {}, {}

    def begin(self, games, seats, seeds):
        self.seats.update(zip(games.tolist(), seats.tolist()))
        self.decisions.update(dict.fromkeys(games.tolist(), 0))

    def act_one(self, game, observation, mask, view):
        self.decisions[game] += 1
        if self.seats[game] == 0 and self.decisions[game] == 2:
            return self.fail(mask)
        return super().act_one(game, observation, mask, view)

    def fail(self, mask):
        if self.how == "crash":
            raise RuntimeError("out of ideas")
        if self.how == "hang":
            time.sleep(1000)
        if self.how == "exit":
            os._exit(7)
        return int(np.flatnonzero(~mask)[0])


class Fool(Agent):
    """Always illegal: loses every game."""

    def act(self, games, observations, masks, views=None):
        return masks.argmin(axis=1)


class Fragile(Agent):
    """Plays many games in one go, and crashes if game 0 is among them."""

    def act(self, games, observations, masks, views=None):
        if 0 in games:
            raise RuntimeError("not this one")
        return masks.argmax(axis=1)


class Hashing(Agent):
    """Chooses by the bytes of everything it is given, so that it plays differently if any of it differs."""

    needs_views = True

    def begin(self, games, seats, seeds):
        self.seeds = {**getattr(self, "seeds", {}), **dict(zip(games.tolist(), seeds.tolist()))}

    def act(self, games, observations, masks, views=None):
        chosen = []
        for i, game in enumerate(games.tolist()):
            legal = np.flatnonzero(masks[i])
            text = views.records[i].tobytes() + observations[i].tobytes() + str(self.seeds[game]).encode()
            chosen.append(legal[sum(text) % len(legal)])
        return np.array(chosen)
