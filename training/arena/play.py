"""Playing units: many pairs side by side, one call per agent and round.

A bout is `count` pairs, so 2 * count games: games below `count` have the first agent of the unit in seat 0, the
others have the same deals with the seats swapped. An agent that fails loses the game it fails in.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ka_env.agents import Agent, ask, make_agent
from ka_env.agents.registry import is_third_party
from ka_env.engine.loops import SKIP
from ka_env.games import KaGame
from ka_env.training.arena.engines import final_hash, margins, paired
from ka_env.training.arena.faults import CRASH, ILLEGAL, LIMIT, NORMAL, VOID, ArenaError, Fault
from ka_env.training.arena.guests import GuestAgent, Limits
from ka_env.training.arena.plan import Unit
from ka_env.training.arena.seeds import streams
from ka_env.training.arena.telling import tellings

SIDE_BY_SIDE = 512  # pairs in one bout
MOST_DECISIONS = 20_000  # a game that is longer is a draw
NOBODY = -1  # in place of the seat at fault


class GameRow(NamedTuple):
    """One game, as it is stored."""

    rules: int
    first: int  # agents by number
    second: int
    pair: int
    score: float  # of the agent who sat first
    reason: str
    decisions: int
    turns: int
    usage_first: str  # JSON: how often each word was chosen
    usage_second: str
    deal_seed: int
    actions: bytes
    hash: str  # of the final game record
    margin: float | None  # how far the winner was from losing, if the game can say
    error: str | None  # of a forfeit
    starter: int  # the seat that had the first turn
    side_first: str | None  # what the players brought with them, if the game has sides
    side_second: str | None
    facts: str | None  # JSON: what infos tell of a finished game besides the result


class Cast:
    """The agents a worker has at hand."""

    def __init__(self) -> None:
        self._agents: dict[tuple[str, Limits, bool], Agent] = {}

    def agent(self, spec: str, unit: Unit) -> Agent:
        limits = Limits(unit.move_time, unit.memory, unit.walls, unit.hidden)
        key = (spec, limits, unit.isolated)
        if key not in self._agents:
            guest = unit.isolated or is_third_party(spec)
            self._agents[key] = GuestAgent(spec, limits) if guest else make_agent(spec)
        return self._agents[key]

    def dismiss(self, agent: Agent) -> None:
        """Make it anew before it plays again."""
        self._agents = {key: other for key, other in self._agents.items() if other is not agent}

    def close(self) -> None:
        for agent in self._agents.values():
            if isinstance(agent, GuestAgent):
                agent.close()
        self._agents = {}


def play_unit(unit: Unit, cast: Cast) -> list[GameRow]:
    agents = [cast.agent(spec, unit) for spec in unit.agents]
    guests = any(isinstance(agent, GuestAgent) for agent in agents)
    size = 1 if guests else SIDE_BY_SIDE
    rows: list[GameRow] = []
    last = unit.first + unit.count
    for first in range(unit.first, last, size):
        agents = [cast.agent(spec, unit) for spec in unit.agents]
        bout = make_bout(unit, agents, first, min(size, last - first))
        rows += bout.play()
        for agent in bout.failed:
            cast.dismiss(agent)
    return rows


def abandoned(unit: Unit, text: str) -> list[GameRow]:
    """The games of a unit that can't be played: lost by its third-party agent. Of two, who can say which?"""
    guests = [number for number, spec in enumerate(unit.agents) if is_third_party(spec)]
    if not guests:
        raise ArenaError(text)
    rows: list[GameRow] = []
    last = unit.first + unit.count
    for first in range(unit.first, last, SIDE_BY_SIDE):
        bout = make_bout(unit, [], first, min(SIDE_BY_SIDE, last - first))
        for game, first_agent in enumerate(bout.sits_first.tolist()):
            seat, reason = (first_agent ^ guests[0], CRASH) if len(guests) == 1 else (NOBODY, VOID)
            bout.faults[game] = (seat, Fault(reason, text))
        rows += bout.rows()
    return rows


def make_bout(unit: Unit, agents: list[Agent], first: int, count: int) -> Bout:
    if unit.match is None:
        return Bout(unit, agents, first, count)
    from ka_env.training.arena.matches import MatchBout  # which is a Bout: see below

    return MatchBout(unit, agents, first, count)


class Bout:
    """Pairs played side by side."""

    def __init__(self, unit: Unit, agents: list[Agent], first: int, count: int) -> None:
        self.unit, self.agents, self.count = unit, agents, count
        self.engine: Any = paired(unit.rules, unit.match, unit.seed_for("deals"), first, count)
        self.most = MOST_DECISIONS
        self.pairs = np.tile(np.arange(first, first + count), 2)
        self.sits_first = np.repeat([0, 1], count)  # which of the two agents; the one in seat s is sits_first ^ s
        self.starters = self.engine.games["turn"].copy()
        self.live = ~self.engine.done
        self.faults: dict[int, tuple[int, Fault]] = {}  # game -> seat at fault
        self.failed: list[Agent] = []
        self.turns = np.ones(2 * count, np.int64)
        self._view_seeds = self._per_game("views", unit.agents_seed_for)
        self._chosen: list[np.ndarray] = []  # by round: action ids, SKIP where nobody had to choose
        self._choosers: list[np.ndarray] = []

    def play(self) -> list[GameRow]:
        for number in (0, 1):
            self._begin(number, np.flatnonzero(self.live))
        while self.live.any() and len(self._chosen) < self.most:
            self._round()
        return self.rows()

    # ---- seeds

    def _per_game(self, what: str, seed_for: Callable[[str], int]) -> np.ndarray:
        """A seed for each game, by the deal and by who sits first."""
        halves = [seed_for(f"{what}, first {spec}") for spec in self.unit.agents]
        return streams(np.array(halves, np.uint64)[self.sits_first], self.pairs)

    def _begin_seeds(self, what: str) -> np.ndarray:
        """Nothing that agents are given comes from the secret of the deals."""
        return self._per_game(what, self.unit.agents_seed_for)

    def _decision_seeds(self, games: np.ndarray) -> np.ndarray:
        return streams(self._view_seeds[games], np.full(len(games), len(self._chosen)))

    # ---- asking the agents

    def _begin(self, number: int, games: np.ndarray) -> None:
        """Tell an agent that these games begin."""
        agent = self.agents[number]
        seats = (self.sits_first != number).astype(np.int8)
        seeds = np.where(seats == 0, self._begin_seeds("seat 0"), self._begin_seeds("seat 1"))
        if not isinstance(agent, GuestAgent):
            try:
                return agent.begin(games, seats[games], seeds[games])
            except Exception:
                self.failed.append(agent)
        for game in games:
            one = games[games == game]
            try:
                agent.begin(one, seats[one], seeds[one])
            except Exception as error:
                self._forfeit(int(game), int(seats[game]), Fault.of(error))

    def _round(self) -> None:
        engine = self.engine
        actions = np.full(len(self.live), SKIP, np.int64)
        chooser = self.sits_first ^ engine.to_play
        choosers = engine.to_play.copy()
        for number, agent in enumerate(self.agents):
            games = np.flatnonzero(self.live & (chooser == number))
            if games.size:
                actions[games] = self._decide(agent, games)
        turn = engine.games["turn"].copy()
        engine.step(actions)
        self.turns += self._turns_passed(turn)
        self._chosen.append(actions.astype(np.int16))
        self._choosers.append(choosers)
        self.live &= ~engine.done

    def _turns_passed(self, before: np.ndarray) -> np.ndarray:
        return before != self.engine.games["turn"]

    def _decide(self, agent: Agent, games: np.ndarray) -> np.ndarray:
        """An action for each game; SKIP where the agent has failed and lost."""
        if len(games) > 1 and type(agent).act is not Agent.act and not isinstance(agent, GuestAgent):
            try:
                return self._legal_only(games, self._ask(agent, games))
            except Exception:
                self.failed.append(agent)  # in which game? ask again, one by one
        return np.concatenate([self._decide_one(agent, games[i : i + 1]) for i in range(len(games))])

    def _decide_one(self, agent: Agent, game: np.ndarray) -> np.ndarray:
        try:
            return self._legal_only(game, self._ask(agent, game))
        except Exception as error:
            self._forfeit(game[0], int(self.engine.to_play[game[0]]), Fault.of(error))
            return np.array([SKIP])

    def _ask(self, agent: Agent, games: np.ndarray) -> np.ndarray:
        return as_actions(ask(agent, self.engine, games, self._decision_seeds(games)), games)

    def _legal_only(self, games: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The same actions; who chose an illegal one has lost."""
        size = self.engine.num_actions
        known = (actions >= 0) & (actions < size)
        legal = known & self.engine.action_mask[games, np.where(known, actions, 0)]
        if legal.all():
            return actions
        for game, action in zip(games[~legal], actions[~legal]):
            self._forfeit(game, int(self.engine.to_play[game]), Fault(ILLEGAL, self._complaint(game, int(action))))
        return np.where(legal, actions, SKIP)

    def _complaint(self, game: int, action: int) -> str:
        return str(self.engine.illegal(int(game), action))

    def _forfeit(self, game: int, seat: int, fault: Fault) -> None:
        self.faults[int(game)] = (seat, fault)
        self.live[game] = False

    # ---- writing it down

    def rows(self) -> list[GameRow]:
        games = len(self.live)
        chosen = np.array(self._chosen, np.int16).reshape(-1, games)
        choosers = np.array(self._choosers, np.int8).reshape(-1, games)
        lengths = (chosen != SKIP).sum(axis=0).tolist()
        columns = np.ascontiguousarray(chosen.T).astype("u1" if self.engine.num_actions <= 256 else "<u2")
        usage = _usage(chosen, choosers, self.engine.about)
        leads, told = margins(self.engine), tellings(self.engine)
        deal_seed, lane = self.unit.seed_for("deals"), self.unit.lane
        rows = []
        for g, (pair, swapped) in enumerate(zip(self.pairs.tolist(), self.sits_first.tolist())):
            score, reason, error = self._ending(g)
            row = GameRow(
                rules=lane.rules,
                first=lane.two if swapped else lane.one,
                second=lane.one if swapped else lane.two,
                pair=pair,
                score=score,
                reason=reason,
                decisions=lengths[g],
                turns=int(self.turns[g]),
                usage_first=usage[g][0],
                usage_second=usage[g][1],
                deal_seed=deal_seed,
                actions=columns[g, : lengths[g]].tobytes(),
                hash=final_hash(self.engine, g),
                margin=leads[g] if reason == NORMAL else None,
                error=error,
                starter=int(self.starters[g]),
                side_first=told[g].side_first,
                side_second=told[g].side_second,
                facts=told[g].facts if reason == NORMAL else None,
            )
            rows.append(row)
        return rows

    def _ending(self, game: int) -> tuple[float, str, str | None]:
        """Score of the first seat, reason, error."""
        if game in self.faults:
            seat, fault = self.faults[game]
            return 0.5 if seat == NOBODY else float(seat), fault.reason, fault.text
        if not self.engine.done[game]:
            return 0.5, LIMIT, None
        return (float(self.engine.rewards[game, 0]) + 1) / 2, NORMAL, None


def as_actions(answer: Any, games: np.ndarray) -> np.ndarray:
    """What an agent answered, if it is an action id for each game."""
    actions = np.asarray(answer)
    if actions.shape != games.shape or actions.dtype.kind not in "iu":
        raise Fault(ILLEGAL, f"expected {len(games)} action ids, got {actions!r}")
    return actions.astype(np.int64)


def _usage(chosen: np.ndarray, choosers: np.ndarray, about: KaGame) -> list[tuple[str, str]]:
    """For each game and seat how often each word was chosen, as JSON."""
    size = about.num_actions
    games = chosen.shape[1]
    rounds, where = np.nonzero(chosen != SKIP)
    keys = (where * 2 + choosers[rounds, where]) * size + chosen[rounds, where]
    counts = np.bincount(keys, minlength=games * 2 * size).reshape(games, 2, size)
    table = counts[:, :, list(about.words)].tolist()
    names = [json.dumps(name) for name in about.words.values()]

    def text(row: list[int]) -> str:
        return "{" + ", ".join(f"{name}: {n}" for name, n in zip(names, row) if n) + "}"

    return [(text(first), text(second)) for first, second in table]
