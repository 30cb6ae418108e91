"""The league: whom the learner plays. The current policy, past snapshots and built-in agents.

Snapshots and built-in agents are drawn the more often the harder they are for the learner. What is known of them is how
the learner fares: no ratings are made of these games, since members never meet each other, the learner changes all the
time, and hardly any games are against those it always beats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.agents import Agent, make_agent
from ka_env.agents.nets import PolicyNet
from ka_env.agents.policy_agent import PolicyAgent
from ka_env.training.config import Config
from ka_env.training.ratings import Winrate, winrate_interval

LEARNER = -1
MEMORY = 0.9  # how much of the counted games is kept from one update to the next
PRIOR = 4.0  # even games that a newcomer is credited with


class Member:
    """An opponent, and how the learner has fared against it lately."""

    def __init__(self, number: int, agent: Agent, label: str, built_in: bool) -> None:
        self.number, self.agent, self.label, self.built_in = number, agent, label, built_in
        self.score = PRIOR / 2  # of the learner
        self.games = PRIOR
        self.total, self.points = 0, 0.0  # games in all, and the learner's points

    @property
    def rate(self) -> float:
        """The learner's win rate, lately."""
        return self.score / self.games

    @property
    def overall(self) -> Winrate | None:
        """The learner's win rate in all games against this member, with its interval. They are no pairs."""
        if not self.total:
            return None
        whole = int(self.points)  # where there were draws the interval is rather too wide
        halves = round(2 * (self.points - whole))
        return winrate_interval(np.repeat([2.0, 1.0, 0.0], [whole, halves, self.total - whole - halves]))

    def facts(self) -> dict[str, Any]:
        keys = ("number", "label", "built_in", "score", "games", "total", "points")
        return {key: getattr(self, key) for key in keys}


class League:
    """Members by number; numbers are never used twice."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.members: dict[int, Member] = {}
        self._next = 0
        self.active: list[int] = []  # snapshots that new games may draw
        for spec in config.built_in():
            self._join(make_agent(spec), spec, True)

    def _join(self, agent: Agent, label: str, built_in: bool) -> Member:
        member = Member(self._next, agent, label, built_in)
        self.members[self._next] = member
        self._next += 1
        return member

    @property
    def snapshots(self) -> list[Member]:
        return [member for member in self.members.values() if not member.built_in]

    def add_snapshot(self, net: PolicyNet, label: str, in_play: set[int]) -> None:
        """The policy as it is now joins; if the pool is full the easiest snapshot that isn't in play goes."""
        self._join(_player(net), label, False)
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
        member.points += score

    def forget(self) -> None:
        """Old games count less and less."""
        for member in self.members.values():
            member.score = MEMORY * member.score + (1 - MEMORY) * PRIOR * member.rate
            member.games = MEMORY * member.games + (1 - MEMORY) * PRIOR

    # ---- keeping it

    def facts(self) -> dict[str, Any]:
        members = [member.facts() for member in self.members.values()]
        return {"next": self._next, "active": self.active, "members": members}

    def arrays(self) -> dict[str, np.ndarray]:
        """The snapshots' weights."""
        return {
            f"member.{member.number}.{name}": array
            for member in self.snapshots
            for name, array in member.agent.net.arrays.items()  # type: ignore[attr-defined]
        }

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray], like: PolicyNet) -> None:
        """`like` is a network of the kind the snapshots are. Agents that are here already stay the same."""
        self._next, self.active = facts["next"], list(facts["active"])
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
            for key in member.facts():
                setattr(member, key, row.get(key, 0))
            member.total = member.total if "points" in row else 0  # a checkpoint from before points were counted
            self.members[number] = member


def under(arrays: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """The arrays whose names begin so, without that beginning."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _player(net: PolicyNet) -> PolicyAgent:
    """Snapshots play as they did when they learned: by their probabilities."""
    return PolicyAgent(net, temperature=1.0)
