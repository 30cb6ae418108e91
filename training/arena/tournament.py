"""Playing a tournament into its store: plan, play, store, stop."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ka_env.agents import ask, make_agent
from ka_env.agents.registry import is_registered, is_third_party
from ka_env.engine.batch import BatchEngine
from ka_env.games import ENTRY_POINT, Setup, is_added
from ka_env.training.arena.faults import NORMAL, ArenaError
from ka_env.training.arena.guests import GuestAgent, Limits
from ka_env.training.arena.plan import Plan, Schedule
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.progress import Meter
from ka_env.training.arena.seeds import streams
from ka_env.training.arena.store import Store
from ka_env.training.arena.workers import Crew, make_crew
from ka_env.training.sprt import Sprt


@dataclass(frozen=True)
class Outcome:
    """What came of it: games played now, games in the store, the test of a duel."""

    played: int
    stored: int
    sprt: Sprt | None = None


class Referee:
    """Feeds the sequential test in the order of pairs, whatever the order in which they are played.

    So the test stops at the same pair with any number of workers; pairs played beyond it don't count.
    """

    def __init__(self, plan: Plan) -> None:
        assert plan.sprt is not None
        self.sprt = plan.sprt.test()
        self._rules = len(plan.rules)
        self._waiting: dict[tuple[int, int], float] = {}  # (pair, rules): score of the first agent in its games so far
        self._games: dict[tuple[int, int], int] = {}
        self._next = (0, 0)
        self.stopped_at: tuple[int, int] | None = None

    def add(self, rows: Iterable[GameRow]) -> None:
        for row in rows:
            key = (row.pair, row.rules)
            score = row.score if row.first == 0 else 1 - row.score
            self._waiting[key] = self._waiting.get(key, 0.0) + score
            self._games[key] = self._games.get(key, 0) + 1
        while self.stopped_at is None and self._games.get(self._next) == 2:
            key = self._next
            if self.sprt.add(self._waiting.pop(key)):
                self.stopped_at = key
            pair, rules = key
            self._next = (pair, rules + 1) if rules + 1 < self._rules else (pair + 1, 0)


def play_tournament(
    plan: Plan,
    store_path: str | Path,
    workers: int | None = None,
    ray: str | None = None,
    quiet: bool = False,
) -> Outcome:
    """Play what is missing in the store. `workers` as in `make_crew`: 0 plays in this process."""
    walls = check_agents(plan, in_process=workers == 0 and ray is None)
    with Store.open(store_path, plan) as store:
        if store.rules_changed and not quiet:
            print("arena: the rules have changed since this tournament began; results may not mix", file=sys.stderr)
        if walls is not None:
            store.add_walls(walls)
        return _Run(store, quiet).play(workers, ray)


def check_agents(plan: Plan, in_process: bool) -> list[str] | None:
    """Make every agent once, so that wrong names and options are told before anything is played.

    Returns the walls that stand around all third-party agents; None if there are no such agents.
    """
    game = plan.rules[0].game.name
    if is_added(game) and not in_process:
        raise ArenaError(
            f"the game {game!r} is known to this process only: play with workers=0, or bring it by the entry point "
            f"{ENTRY_POINT!r}"
        )
    walls: list[str] | None = None
    for spec in plan.agents:
        if is_third_party(spec):
            guest = GuestAgent(spec, Limits(plan.move_time, plan.memory, plan.walls))
            try:
                found = guest.prepare()
            finally:
                guest.close()
            walls = [wall for wall in found if walls is None or wall in walls]
        elif is_registered(spec) and not in_process:
            raise ArenaError(
                f"agent {spec!r} is known to this process only: play with workers=0, or name it as python:module:Class"
            )
        else:
            make_agent(spec)
    return walls


class _Run:
    def __init__(self, store: Store, quiet: bool) -> None:
        plan = store.plan  # with the store's secrets
        self._plan, self._store, self._quiet = plan, store, quiet
        self._referee = Referee(plan) if plan.sprt else None
        if self._referee:
            self._referee.add(store.rows())
        done = store.done()
        self._schedule = Schedule(plan, done)
        self._before = 2 * sum(map(len, done.values()))
        self._played = 0
        self._forfeits = 0
        self._told: set[tuple[str, str]] = set()

    def play(self, workers: int | None, ray: str | None) -> Outcome:
        if self._schedule.open_pairs and not self._stopped():
            warm_up(self._plan)
            crew = make_crew(workers, ray)
            meter = Meter(self._before + 2 * self._schedule.open_pairs, self._before, self._quiet)
            try:
                self._play(crew, meter)
            finally:
                meter.close()
                crew.close()
        if self._referee and self._referee.stopped_at:
            self._store.drop_after(*self._referee.stopped_at)
            self._store.set("decided", True)
        stored = self._store.query("SELECT COUNT(*) FROM games")[0][0]
        return Outcome(self._played, stored, self._referee.sprt if self._referee else None)

    def _stopped(self) -> bool:
        return self._referee is not None and self._referee.stopped_at is not None

    def _play(self, crew: Crew, meter: Meter) -> None:
        under_way = 0
        while not self._stopped():
            while under_way < crew.size and (unit := self._schedule.next()):
                crew.submit(replace(unit, hidden=self._store.files))
                under_way += 1
            if not under_way:
                break
            unit, rows, seconds = crew.collect()
            under_way -= 1
            self._store.add(rows)
            self._schedule.finished(unit, seconds)
            self._count(rows)
            meter.show(self._before + self._played, self._schedule.seconds_left(crew.size), self._note())
        meter.show(self._before + self._played, None, self._note(), last=True)

    def _count(self, rows: list[GameRow]) -> None:
        self._played += len(rows)
        for row in rows:
            if row.error is not None and row.reason != NORMAL:
                self._tell_forfeit(row)
        if self._referee:
            self._referee.add(rows)

    def _tell_forfeit(self, row: GameRow) -> None:
        """The first of each kind with all there is to read; the rest is in the store."""
        self._forfeits += 1
        loser = self._plan.agents[row.first if row.score == 0 else row.second]
        if self._quiet or (loser, row.reason) in self._told:
            return
        self._told.add((loser, row.reason))
        print(f"arena: {loser} loses a game by {row.reason}:\n{(row.error or '').rstrip()}", file=sys.stderr)

    def _note(self) -> str:
        notes = [f"{self._forfeits} forfeits"] if self._forfeits else []
        if self._referee:
            notes.append(f"LLR {self._referee.sprt.llr:.2f}")
        return ", ".join(notes)


def warm_up(plan: Plan) -> None:
    """Have everything compiled before the workers start, so that they don't all compile the same.

    Third-party agents may use any of our kernels, and can't keep what they compile: for them it is all made ready.
    """
    specs = [spec for spec in plan.agents if not is_third_party(spec)]
    guests = len(specs) < len(plan.agents)
    for rules in plan.rules:
        ready = [*specs, *_of_the_house(rules)] if guests else specs
        engine = BatchEngine(*rules[:2], num_games=2)
        games = (~engine.done).nonzero()[0]
        engine.observe_some(games)
        engine.views(games, streams(0, games))
        for spec in ready:
            with suppress(Exception):  # an agent that fails now will forfeit later
                agent = make_agent(spec)
                agent.begin(games, np.zeros(len(games), np.int8), streams(0, games))
                ask(agent, engine, games, lambda n: streams(0, np.arange(n)))
        engine.step(engine.action_mask.argmax(axis=1))


def _of_the_house(rules: Setup) -> list[str]:
    """An agent of each kind that the game has."""
    game = rules.game
    found = ["random"]
    if game.styles is not None:
        found.append(sorted(game.styles().STYLES)[0])
    if game.search is not None:
        found.append("ismcts:iterations=2")
    return found
