"""The league: whom the learner plays. The current policy, past snapshots and built-in agents.

Snapshots and built-in agents are drawn the more often the harder they are for the learner. All have a rating: Elo
points over the first built-in agent, updated after every game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.agents import Agent, make_agent
from ka_env.agents.nets import PolicyNet
from ka_env.agents.policy_agent import PolicyAgent
from ka_env.training.config import Config

LEARNER = -1
MEMORY = 0.9  # how much of the counted games is kept from one update to the next
PRIOR = 4.0  # even games that a newcomer is credited with
K_LEARNER, K_OTHERS = 8.0, 4.0  # Elo points per surprising result


class Member:
    """An opponent, and how the learner has fared against it lately."""

    def __init__(self, number: int, agent: Agent, label: str, built_in: bool, rating: float = 0.0) -> None:
        self.number, self.agent, self.label, self.built_in = number, agent, label, built_in
        self.rating = rating
        self.score = PRIOR / 2  # of the learner
        self.games = PRIOR
        self.total = 0  # games in all

    @property
    def rate(self) -> float:
        """The learner's win rate."""
        return self.score / self.games

    def facts(self) -> dict[str, Any]:
        keys = ("number", "label", "built_in", "rating", "score", "games", "total")
        return {key: getattr(self, key) for key in keys}


class League:
    """Members by number; numbers are never used twice."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.members: dict[int, Member] = {}
        self.rating = 0.0  # of the learner
        self._next = 0
        self.active: list[int] = []  # snapshots that new games may draw
        for spec in config.built_in():
            self._join(make_agent(spec), spec, True, 0.0)

    def _join(self, agent: Agent, label: str, built_in: bool, rating: float) -> Member:
        member = Member(self._next, agent, label, built_in, rating)
        self.members[self._next] = member
        self._next += 1
        return member

    @property
    def snapshots(self) -> list[Member]:
        return [member for member in self.members.values() if not member.built_in]

    def add_snapshot(self, net: PolicyNet, label: str, in_play: set[int]) -> None:
        """The policy as it is now joins; if the pool is full the easiest snapshot that isn't in play goes."""
        self._join(_player(net), label, False, self.rating)
        while len(self.snapshots) > self.config.pool_size:
            leaving = [m for m in self.snapshots[:-1] if m.number not in in_play] or self.snapshots[:1]
            del self.members[max(leaving, key=lambda m: m.rate).number]

    def weights(self, members: list[Member]) -> np.ndarray:
        """How likely each is drawn: by hardness, and never quite 0."""
        hard = np.array([(1 - m.rate) ** self.config.hardness for m in members]) + 0.02
        return hard / hard.sum()

    def choose_active(self, rng: np.random.Generator) -> None:
        """A few snapshots for the games to come: each needs a network pass of its own in every round."""
        pool = self.snapshots
        count = min(self.config.at_once, len(pool))
        if count:
            drawn = rng.choice(len(pool), size=count, replace=False, p=self.weights(pool))
            self.active = [pool[i].number for i in sorted(drawn)]

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Opponents for new games: numbers of members, or LEARNER."""
        built_in = [m for m in self.members.values() if m.built_in]
        past = [self.members[n] for n in self.active if n in self.members]
        share = np.array([self.config.self_share, self.config.past_share if past else 0.0, 0.0])
        share[2] = max(0.0, 1 - self.config.self_share - self.config.past_share)
        share = share / share.sum() if share.sum() > 0 else np.array([1.0, 0.0, 0.0])
        chances = np.concatenate(
            [share[:1], share[1] * self.weights(past) if past else [], share[2] * self.weights(built_in)]
        )
        numbers = np.array([LEARNER, *(m.number for m in past), *(m.number for m in built_in)])
        return numbers[rng.choice(len(numbers), size=count, p=chances / chances.sum())]

    def record(self, number: int, score: float, games: int) -> None:
        """`games` games against a member gave the learner `score` points."""
        member = self.members.get(number)
        if member is None:
            return
        member.score += score
        member.games += games
        member.total += games
        expected = games / (1 + 10 ** ((member.rating - self.rating) / 400))
        surprise = min(max(score - expected, -10.0), 10.0)
        self.rating += K_LEARNER * surprise
        if number != 0:  # the first built-in agent is the zero of the scale
            member.rating -= K_OTHERS * surprise

    def forget(self) -> None:
        """Old games count less and less."""
        for member in self.members.values():
            member.score = MEMORY * member.score + (1 - MEMORY) * PRIOR * member.rate
            member.games = MEMORY * member.games + (1 - MEMORY) * PRIOR

    # ---- keeping it

    def facts(self) -> dict[str, Any]:
        members = [member.facts() for member in self.members.values()]
        return {"rating": self.rating, "next": self._next, "active": self.active, "members": members}

    def arrays(self) -> dict[str, np.ndarray]:
        """The snapshots' weights."""
        return {
            f"member.{member.number}.{name}": array
            for member in self.snapshots
            for name, array in member.agent.net.arrays.items()  # type: ignore[attr-defined]
        }

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray], like: PolicyNet) -> None:
        """`like` is a network of the kind the snapshots are. Agents that are here already stay the same."""
        self.rating, self._next, self.active = facts["rating"], facts["next"], list(facts["active"])
        before, self.members = self.members, {}
        for row in facts["members"]:
            number = row["number"]
            if number in before:
                agent = before[number].agent
            elif row["built_in"]:
                agent = make_agent(row["label"])
            else:
                net = type(like)(under(arrays, f"member.{number}."), dict(like.card))
                net.threads = like.threads
                agent = _player(net)
            member = Member(number, agent, row["label"], row["built_in"])
            for key, value in row.items():
                setattr(member, key, value)
            self.members[number] = member


def under(arrays: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """The arrays whose names begin so, without that beginning."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _player(net: PolicyNet) -> PolicyAgent:
    """Snapshots play as they did when they learned: by their probabilities."""
    return PolicyAgent(net, temperature=1.0)
