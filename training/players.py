"""Who plays the games that are learned from: this process, or actors on a Ray cluster (extra `ray`)."""

from __future__ import annotations

import math
import os
from importlib import import_module
from typing import Any

import numpy as np

from ka_env.agents.nets import PolicyNet
from ka_env.hints import install_extra
from ka_env.training.arena.seeds import seed_of
from ka_env.training.config import Config, ConfigError
from ka_env.training.league import League, under
from ka_env.training.rollout import Collector, Rows
from ka_env.training.team import Team

Result = tuple[int, float, int]


class LocalPlayers:
    """One collector in this process, which plays its share of the games."""

    def __init__(self, config: Config, league: League, team: Team) -> None:
        self.share, self.prefix = 1 / team.size, f"player.{team.rank}."
        edges = np.linspace(0, config.games, team.size + 1).astype(int)
        games = int(edges[team.rank + 1] - edges[team.rank])
        self.collector = Collector(config, league, seed_of("member", config.seed, team.rank), games)

    def collect(self, net: PolicyNet, count: int, advised: bool = False) -> list[Rows]:
        return [self.collector.collect(net, math.ceil(count * self.share), advised)]

    def results(self) -> list[Result]:
        return self.collector.results()

    @property
    def finished(self) -> int:
        return self.collector.finished

    @property
    def seconds_searching(self) -> float:
        return self.collector.improver.seconds

    @property
    def in_play(self) -> set[int]:
        return self.collector.in_play

    def facts(self) -> list[dict[str, Any]]:
        return [self.collector.facts()]

    def arrays(self) -> dict[str, np.ndarray]:
        return {self.prefix + name: array for name, array in self.collector.arrays().items()}

    def restore(self, facts: list[dict[str, Any]], arrays: dict[str, np.ndarray]) -> None:
        self.collector.restore(facts[0], under(arrays, self.prefix))

    def close(self) -> None:
        pass


class ServedPlayers:
    """Where Ray's actors play, all but the captain of the team get their rows from it."""

    finished = 0
    seconds_searching = 0.0
    in_play: frozenset[int] = frozenset()

    def __init__(self, team: Team) -> None:
        self.team = team

    def collect(self, net: PolicyNet, count: int, advised: bool = False) -> list[Rows]:
        return self.team.scatter(None)

    def results(self) -> list[Result]:
        return []

    def facts(self) -> list[dict[str, Any]]:
        return []

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def restore(self, facts: list[dict[str, Any]], arrays: dict[str, np.ndarray]) -> None:
        pass

    def close(self) -> None:
        pass


class Actor:
    """A collector with a league of its own, which follows the learner's."""

    def __init__(self, config: Config, number: int, games: int) -> None:
        self.league = League(config)
        self.collector = Collector(config, self.league, seed_of("actor", config.seed, number), games)

    def collect(
        self,
        weights: tuple[str, dict[str, np.ndarray], dict[str, Any]],
        news: tuple[Any, Any],
        count: int,
        advised: bool,
    ) -> tuple[Rows, list[Result], int, set[int], float]:
        kind, arrays, card = weights
        net = PolicyNet.kinds[kind](_own(arrays), card)
        self.league.restore(news[0], _own(news[1]), net)
        rows = self.collector.collect(net, count, advised)
        collector = self.collector
        return rows, collector.results(), collector.finished, collector.in_play, collector.improver.seconds

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return self.collector.facts(), self.collector.arrays()

    def restore(self, news: tuple[Any, Any], net: tuple[str, dict[str, Any]], facts: Any, arrays: Any) -> None:
        self.league.restore(news[0], _own(news[1]), PolicyNet.kinds[net[0]]({}, net[1]))
        self.collector.restore(facts, _own(arrays))


def _own(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Copies: what comes out of Ray's store can't be written to, and is another type for compiled code."""
    return {name: array.copy() for name, array in arrays.items()}


class RayPlayers:
    """Actors that play side by side: on the cluster RAY_ADDRESS names, else on this machine."""

    def __init__(self, config: Config, league: League, team: Team) -> None:
        try:
            self._ray: Any = import_module("ray")
        except ImportError:
            raise ConfigError(f"setting `workers` needs the extra `ray`: {install_extra('ray')}") from None
        if not self._ray.is_initialized():
            address = os.environ.get("RAY_ADDRESS", "local")
            os.environ.setdefault("RAY_worker_niceness", "0")  # the learner waits for its actors
            self._ray.init(address=address, log_to_driver=False, include_dashboard=False)
        cores = int(self._ray.cluster_resources().get("CPU", 0))
        if config.workers > cores:
            raise ConfigError(f"setting 'workers': the Ray cluster has {cores} cores, not {config.workers}")
        self.config, self.league, self.team = config, league, team
        edges = np.linspace(0, config.games, config.workers + 1).astype(int)
        remote = self._ray.remote(num_cpus=1)(Actor)
        self.actors = [remote.remote(config, i, int(edges[i + 1] - edges[i])) for i in range(config.workers)]
        self._sent: set[int] = set()  # snapshots the actors have
        self._results: list[Result] = []
        self.finished = 0
        self.in_play: set[int] = set()
        self.seconds_searching = 0.0  # by an actor, on average

    def collect(self, net: PolicyNet, count: int, advised: bool = False) -> list[Rows]:
        weights = self._ray.put((net.kind, net.arrays, net.card))
        news = self._ray.put(self._news())
        share = -(-count // len(self.actors))
        answers = self._ray.get([actor.collect.remote(weights, news, share, advised) for actor in self.actors])
        rows, results, finished, in_play, seconds = zip(*answers)
        self._results = [result for some in results for result in some]
        self.finished = sum(finished)
        self.in_play = set().union(*in_play)
        self.seconds_searching = sum(seconds) / len(seconds)
        return self.team.scatter([list(rows[rank :: self.team.size]) for rank in range(self.team.size)])

    def _news(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """The league as it is, with the weights of snapshots that are new."""
        new = {member.number for member in self.league.snapshots} - self._sent
        self._sent |= new
        prefixes = tuple(f"member.{number}." for number in new)
        arrays = {name: array for name, array in self.league.arrays().items() if name.startswith(prefixes)}
        return self.league.facts(), arrays

    def results(self) -> list[Result]:
        found, self._results = self._results, []
        return found

    def facts(self) -> list[dict[str, Any]]:
        return [facts for facts, _ in self._states()]

    def arrays(self) -> dict[str, np.ndarray]:
        states = self._states()
        return {f"player.{i}.{name}": array for i, (_, own) in enumerate(states) for name, array in _own(own).items()}

    def _states(self) -> list[tuple[dict[str, Any], dict[str, np.ndarray]]]:
        return self._ray.get([actor.state.remote() for actor in self.actors])

    def restore(self, facts: list[dict[str, Any]], arrays: dict[str, np.ndarray]) -> None:
        self._sent = set()
        news = self._ray.put(self._news())
        like = next((member.agent.net for member in self.league.snapshots), None)  # type: ignore[attr-defined]
        net = (like.kind, like.card) if like else ("mlp", {})
        self._ray.get(
            [
                actor.restore.remote(news, net, facts[i], under(arrays, f"player.{i}."))
                for i, actor in enumerate(self.actors)
            ]
        )

    def close(self) -> None:
        for actor in self.actors:
            self._ray.kill(actor)


def make_players(config: Config, league: League, team: Team) -> LocalPlayers | RayPlayers | ServedPlayers:
    if not config.workers:
        return LocalPlayers(config, league, team)
    return ServedPlayers(team) if team.rank else RayPlayers(config, league, team)
