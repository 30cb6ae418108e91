"""Playing to learn from: many games at once, in which the learner has one seat or both.

Every decision of the learner becomes a row: what it saw, what was legal, what it chose. The rows of one seat of
one game are a trajectory, rewarded at the end with 1, 0 or -1. A trajectory that is still open when enough rows are
there lends its last row to the next batch: its value is all that is needed of it now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ka_env.agents import Agent, ask, make_agent
from ka_env.agents.coding import Coding, coding_for
from ka_env.agents.nets import PolicyNet, choose
from ka_env.engine.batch import BatchEngine
from ka_env.errors import KaError
from ka_env.games import Setup, copy_records
from ka_env.training.arena.seeds import seed_of
from ka_env.training.config import Config
from ka_env.training.improver import Improver
from ka_env.training.league import LEARNER, League
from ka_env.training.mixed import MixedEngine

NOTHING = -1
MOST = 1e4  # no number that is learned from comes near
# what a decision is, beside its observation
ROW = ("masks", "actions", "logps", "estimates", "advice", "improved", "turns", "standing")
TABLE = ("opponents", "seats", "last", "searched")  # what a table is, beside its engine


@dataclass
class Rows:
    """Decisions in one block. Observations are compressed: row i has the features starts[i] to starts[i + 1]."""

    starts: np.ndarray
    features: np.ndarray
    amounts: np.ndarray
    chosen: np.ndarray  # what chose among the features of a column
    heeded: np.ndarray  # what the network was told that its adviser would choose, NOTHING without one
    masks: np.ndarray
    actions: np.ndarray
    logps: np.ndarray
    estimates: np.ndarray  # the value as the network saw it
    advice: np.ndarray  # what the teacher would have chosen, NOTHING without one
    improved: np.ndarray  # [row, action]: the policy that a search made, zeros without one; no columns if none searches
    turns: np.ndarray  # whose turn it was
    standing: np.ndarray  # how the game stood; no columns if nobody wants to know
    outlook: np.ndarray  # how it stood after the turn and at the end, not a number where that is not known
    rewards: np.ndarray
    next: np.ndarray  # the same seat's next row, NOTHING at the end of a game
    open: np.ndarray  # the last row so far of a game that goes on
    rounds: np.ndarray  # the first row of each round

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def searched(self) -> np.ndarray:
        """Whether a search decided."""
        return np.asarray(self.improved.any(axis=1))

    def take(self, which: np.ndarray) -> dict[str, np.ndarray]:
        """Some rows for themselves."""
        lengths = self.starts[which + 1] - self.starts[which]
        offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(self.starts[which], lengths) + offsets
        return {
            "lengths": lengths,
            "features": self.features[places],
            "amounts": self.amounts[places],
            "chosen": self.chosen[which],
            "heeded": self.heeded[which],
            **{name: getattr(self, name)[which] for name in ROW},
        }


class Table:
    """Games under rules whose players see equally many numbers: they are played as one batch."""

    def __init__(self, rules: Sequence[Setup], counts: Sequence[int], first: int, seed: int) -> None:
        self.engine = MixedEngine(rules, counts, seed)
        games = self.engine.num_games
        self.first = first  # number of its first game among all tables
        self.opponents = np.full(games, LEARNER, np.int64)
        self.seats = np.zeros(games, np.int8)  # the learner's, in games against others
        self.searched = np.zeros(games, np.bool_)  # does a search decide for the learner?
        self.last = np.full((games, 2), NOTHING, np.int64)  # the latest row of each seat
        self.observations = np.empty((games, self.engine.observation_size), np.float32)

    @property
    def deciders(self) -> np.ndarray:
        """Who is to decide in each game: a member's number or LEARNER."""
        own = (self.opponents == LEARNER) | (self.engine.to_play == self.seats)
        return np.where(own, LEARNER, self.opponents)


def _tables(rules: list[Setup], games: int, seed: int) -> list[Table]:
    """The games are shared out evenly; each size of observation has a table."""
    counts = np.diff(np.linspace(0, games, len(rules) + 1).astype(int))
    sizes = np.array([one.game.observation_size(one.ruleset) for one in rules])
    found: list[Table] = []
    for size in dict.fromkeys(sizes):
        which = np.flatnonzero((sizes == size) & (counts > 0))
        if which.size:
            first = sum(table.engine.num_games for table in found)
            own = seed_of("training", seed, len(found))
            found.append(Table([rules[i] for i in which], counts[which].tolist(), first, own))
    return found


def config_coding(config: Config) -> Coding:
    """Of the network that is to be trained."""
    widest = config.widest
    return coding_for(config.network, widest.game, widest.ruleset, config.advised)


class Collector:
    """Plays with a policy and collects rows."""

    def __init__(self, config: Config, league: League, seed: int, games: int | None = None) -> None:
        self.config, self.league = config, league
        self.rng = np.random.default_rng(seed_of("rollout", seed))
        self.luck = np.random.default_rng(seed_of("opponents of rollout", seed))  # what opponents are given
        self.search_luck = np.random.default_rng(seed_of("searches of rollout", seed))
        self.improver = Improver(config)
        rules = config.setups()
        self.coding = config_coding(config)
        self.adviser = make_agent(config.widest.game.room("styles").STYLES[0]) if config.advised else None
        self._foreseen = rules[0].game.standing if config.auxiliary_weight else None
        self.tables = _tables(rules, games or config.games, seed)
        self._kept: dict[str, np.ndarray] | None = None  # rows lent by the last batch
        self._results: list[tuple[int, float, int]] = []
        self._teacher = make_agent(config.imitate) if config.imitate else None
        self.teacher: Agent | None = None  # as long as its advice counts
        self.finished = 0  # games
        for table in self.tables:
            self._begin(table, np.arange(table.engine.num_games))

    def _begin(self, table: Table, games: np.ndarray) -> None:
        table.opponents[games] = self.league.draw(len(games), self.rng)
        table.seats[games] = self.rng.integers(2, size=len(games))
        table.last[games] = NOTHING
        table.searched[games] = self.search_luck.random(len(games)) < self.config.search_share
        self._seed_opponents(table, games)

    def _seed_opponents(self, table: Table, games: np.ndarray) -> None:
        seeds = self._seeds(len(games))
        if self.teacher:
            self.teacher.begin(games + table.first, table.seats[games], seeds)
        for number in np.unique(table.opponents[games]):
            if number != LEARNER:
                mine = table.opponents[games] == number
                these = games[mine]
                self.league.members[number].agent.begin(these + table.first, 1 - table.seats[these], seeds[mine])

    @property
    def in_play(self) -> set[int]:
        return {int(n) for table in self.tables for n in np.unique(table.opponents)}

    # ---- playing

    def collect(self, net: PolicyNet, count: int, advised: bool = False) -> Rows:
        """At least `count` rows that can be learned from, or a little more: rounds are finished."""
        self.teacher = self._teacher if advised else None
        self._blocks: list[dict[str, np.ndarray]] = []
        self._links: list[tuple[np.ndarray, np.ndarray]] = []
        self._ends: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._total = 0
        self.finished = 0
        self.improver.seconds = 0.0
        for table in self.tables:  # their own random numbers are not part of a checkpoint
            self._seed_opponents(table, np.arange(table.engine.num_games))
        if self._kept is not None:
            self._append(self._kept)
        while self._total - sum(int((table.last >= 0).sum()) for table in self.tables) < count:
            for table in self.tables:
                self._round(table, net)
        return self._finish()

    def _append(self, block: dict[str, np.ndarray]) -> None:
        self._blocks.append(block)
        self._total += len(block["actions"])

    def _round(self, table: Table, net: PolicyNet) -> None:
        engine = table.engine
        observations = engine.observe(table.observations)
        actions = np.full(engine.num_games, NOTHING, np.int64)
        deciders = table.deciders
        for number in np.unique(deciders):
            games = np.flatnonzero(deciders == number)
            if number == LEARNER:
                actions[games] = self._learner(table, games, observations[games], net)
            else:
                actions[games] = self._ask(table, self.league.members[number].agent, games, observations[games])
        engine.step(actions)
        over = np.flatnonzero(engine.done)
        if over.size:
            self._end(table, over)
            engine.reset_done()
            self._begin(table, over)

    def _learner(self, table: Table, games: np.ndarray, observations: np.ndarray, net: PolicyNet) -> np.ndarray:
        masks = table.engine.action_mask[games]
        heeded = self._ask(table, self.adviser, games, observations) if self.adviser else None
        legal, logits, estimates, kept = net.judged_and_kept(observations, masks, heeded)
        places, logps = choose(legal, logits, self.rng.random(len(games), np.float32))
        actions = legal[np.arange(len(games)), places].astype(np.int64)
        improved = np.zeros((len(games), masks.shape[1] if self.config.search_share else 0), np.float32)
        if self.config.search_share:
            self._search(table, games, net, actions, improved)
            logps = _logps(legal, logits, actions)
        advice = self._ask(table, self.teacher, games, observations) if self.teacher else np.full_like(actions, NOTHING)
        rows = self._total + np.arange(len(games))
        seats = table.engine.to_play[games]
        before = table.last[games, seats]
        linked = before >= 0
        self._links.append((before[linked], rows[linked]))
        table.last[games, seats] = rows
        told = (masks, actions, logps, estimates, advice, improved, table.engine.games["turn"][games])
        seen = {**kept._asdict(), "lengths": np.diff(kept.starts)}
        del seen["starts"]
        self._append(seen | dict(zip(ROW, (*told, self._standing(table, games, seats)))))
        return actions

    def _standing(self, table: Table, games: np.ndarray, players: np.ndarray) -> np.ndarray:
        """How games stand for players, if that is to be foreseen."""
        if self._foreseen is None:
            return np.zeros((len(games), 0), np.float32)
        return self._foreseen.of(copy_records(table.engine.games, games), players)

    def _search(
        self, table: Table, games: np.ndarray, net: PolicyNet, actions: np.ndarray, improved: np.ndarray
    ) -> None:
        """Decide by search where that is due."""
        which = np.flatnonzero(table.searched[games])
        if which.size:
            seeds = self.search_luck.integers(2**64, size=which.size, dtype=np.uint64)
            actions[which], improved[which] = self.improver.improve(table.engine, games[which], net, seeds)

    def _ask(self, table: Table, agent: Agent, games: np.ndarray, observations: np.ndarray) -> np.ndarray:
        return ask(agent, table.engine, games, self._seeds, games + table.first, observations)

    def _seeds(self, count: int) -> np.ndarray:
        return self.luck.integers(2**64, size=count, dtype=np.uint64)

    def _end(self, table: Table, over: np.ndarray) -> None:
        rewards = table.engine.rewards[over]
        last = table.last[over]
        which, seats = np.nonzero(last >= 0)
        standing = self._standing(table, over[which], seats)
        self._ends.append((last[which, seats], rewards[which, seats], standing))
        table.last[over] = NOTHING
        self.finished += len(over)
        opponents, mine = table.opponents[over], rewards[np.arange(len(over)), table.seats[over]]
        for number in np.unique(opponents):
            if number != LEARNER:
                won = mine[opponents == number]
                self._results.append((int(number), float((won + 1).sum() / 2), len(won)))

    def results(self) -> list[tuple[int, float, int]]:
        """Games against members since the last call: number, the learner's score, games."""
        found, self._results = self._results, []
        return found

    # ---- one block out of many

    def _finish(self) -> Rows:
        blocks = self._blocks
        joined = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        count = self._total
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(joined["lengths"], out=starts[1:])
        sizes = [len(block["actions"]) for block in blocks]
        rows = Rows(
            starts=starts,
            **{name: joined[name] for name in ("features", "amounts", "chosen", "heeded", *ROW)},
            outlook=np.zeros((count, 0), np.float32),
            rewards=np.zeros(count, np.float32),
            next=np.full(count, NOTHING, np.int64),
            open=np.zeros(count, np.bool_),
            rounds=np.cumsum([0, *sizes]),
        )
        for before, after in self._links:
            rows.next[before] = after
        final = np.zeros_like(rows.standing)
        for last, rewards, standing in self._ends:
            rows.rewards[last] = rewards
            final[last] = standing
        lent = []
        for table in self.tables:
            held = table.last >= 0
            rows.open[table.last[held]] = True
            lent.append(table.last[held])
            table.last[held] = sum(map(len, lent[:-1])) + np.arange(int(held.sum()))
        rows.outlook = outlooks(rows, final)
        which = np.concatenate(lent)
        self._kept = rows.take(which)
        self._blocks, self._links, self._ends = [], [], []
        return rows

    # ---- keeping it

    def facts(self) -> dict[str, Any]:
        generators = {"rng": self.rng, "luck": self.luck, "search_luck": self.search_luck}
        return {name: generator.bit_generator.state for name, generator in generators.items()}

    def arrays(self) -> dict[str, np.ndarray]:
        found = {} if self._kept is None else {f"kept.{name}": array for name, array in self._kept.items()}
        for i, table in enumerate(self.tables):
            found |= {f"table.{i}.{name}": array for name, array in table.engine.snapshot()}
            for name in TABLE:
                found[f"table.{i}.{name}"] = getattr(table, name)
        return found

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self.rng.bit_generator.state = facts["rng"]
        self.luck.bit_generator.state = facts["luck"]
        self.search_luck.bit_generator.state = facts["search_luck"]
        kept = {name.removeprefix("kept."): array for name, array in arrays.items() if name.startswith("kept.")}
        if kept:
            kept["features"] = kept["features"].view(np.uint16)
            kept["improved"] = self._fit(kept["improved"])
            count = len(kept["actions"])  # a checkpoint may be from before turns and standings were kept
            kept.setdefault("turns", np.zeros(count, np.int8))
            kept.setdefault("standing", np.zeros((count, 0), np.float32))
            kept.setdefault("heeded", np.full(count, NOTHING))
            _check_kept(kept, self.tables[0].engine, self.coding)
            columns = len(self._foreseen.names) if self._foreseen else 0
            _refuse_unless(kept["standing"].shape == (count, columns), "standings of another game")
        self._kept = kept or None
        rows = len(kept["actions"]) if kept else 0
        known = [LEARNER, *self.league.members]
        for i, table in enumerate(self.tables):
            table.engine.restore({name: arrays[f"table.{i}.{name}"] for name, _ in table.engine.snapshot()})
            for name in TABLE:
                getattr(table, name)[...] = arrays[f"table.{i}.{name}"]
            _refuse_unless(np.isin(table.opponents, known).all(), "opponents nobody knows")
            _refuse_unless(within(table.seats, 0, 1) and within(table.last, NOTHING, rows - 1), "seats or rows")

    def _fit(self, improved: np.ndarray) -> np.ndarray:
        """With as many columns as are wanted now: `search_share` may have changed since."""
        width = self.tables[0].engine.num_actions if self.config.search_share else 0
        return improved if improved.shape[1] == width else np.zeros((len(improved), width), np.float32)


def _check_kept(kept: dict[str, np.ndarray], engine: BatchEngine, coding: Coding) -> None:
    """Kernels take these numbers as places in memory: they must be right, whoever wrote them."""
    count = len(kept["actions"])
    _refuse_unless(
        all(kept[name].shape[0] == count for name in (*ROW, "lengths", "chosen", "heeded")),
        "decisions without some part",
    )
    _refuse_unless(kept["masks"].shape == (count, engine.num_actions), "masks of another game")
    _refuse_unless(within(kept["lengths"], 0, len(coding.base) + 1), "observations of another size")
    _refuse_unless(within(kept["heeded"], NOTHING, engine.num_actions - 1), "unknown actions")
    total = int(kept["lengths"].sum())
    _refuse_unless(kept["features"].shape == kept["amounts"].shape == (total,), "observations of another size")
    _refuse_unless(within(kept["features"], 0, coding.features - 1), "observations beyond their end")
    choices = coding.choosers[:, 1]
    fine = kept["chosen"].shape == (count, len(choices)) and ((kept["chosen"] >= 0) & (kept["chosen"] < choices)).all()
    _refuse_unless(fine, "observations of another game")
    last = engine.num_actions - 1
    _refuse_unless(within(kept["actions"], 0, last) and within(kept["advice"], NOTHING, last), "unknown actions")
    _refuse_unless(kept["masks"][np.arange(count), kept["actions"]].all(), "illegal actions")
    _refuse_unless(within(kept["turns"], 0, 1) and within(kept["standing"], -1, 1), "turns or standings")
    _refuse_unless(within(kept["improved"], 0, 1), "policies that are no probabilities")
    for name in ("amounts", "logps", "estimates"):
        _refuse_unless((np.abs(kept[name]) < MOST).all(), f"{name} beyond all measure")


def within(numbers: np.ndarray, low: int, high: int) -> bool:
    return numbers.size == 0 or (int(numbers.min()) >= low and int(numbers.max()) <= high)


def _refuse_unless(fine: Any, what: str) -> None:
    if not fine:
        raise KaError(f"the games under way don't fit together: {what}")


def _logps(legal: np.ndarray, logits: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """The log probabilities of actions."""
    most = logits.max(axis=1, keepdims=True)
    chosen = np.where(legal == actions[:, None], logits, -np.inf).max(axis=1)
    return chosen - most[:, 0] - np.log(np.exp(logits - most).sum(axis=1))


def joined(parts: list[Rows]) -> Rows:
    """The rows of several players as one block; what comes next is not told any more."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *np.concatenate([np.diff(one.starts) for one in parts])])
    names = ("features", "amounts", "chosen", "heeded", *ROW, "outlook", "rewards", "open")
    arrays = {name: np.concatenate([getattr(one, name) for one in parts]) for name in names}
    return Rows(starts=starts, next=np.full(len(starts) - 1, NOTHING), rounds=np.zeros(1, np.int64), **arrays)


def advantages(rows: Rows, gamma: float, lam: float) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantages and what the values should have been, for all rows that aren't open.

    A row's successor is in a later round, so one pass over the rounds from the last to the first is enough.
    """
    gain = np.zeros(len(rows) + 1, np.float32)
    after = np.append(rows.estimates, np.float32(0))  # NOTHING finds the 0 at the end
    for first, last in zip(rows.rounds[-2::-1], rows.rounds[:0:-1]):
        these = slice(int(first), int(last))
        step = rows.rewards[these] + gamma * after[rows.next[these]] - rows.estimates[these]
        gain[these] = np.where(rows.open[these], 0, step + gamma * lam * gain[rows.next[these]])
    return gain[:-1], gain[:-1] + rows.estimates


def outcomes(rows: Rows) -> np.ndarray:
    """The real result of each row's game for its player; not a number where the game still goes on."""
    found = np.full(len(rows) + 1, np.nan, np.float32)
    for first, last in zip(rows.rounds[-2::-1], rows.rounds[:0:-1]):
        these = slice(int(first), int(last))
        ended = (rows.next[these] == NOTHING) & ~rows.open[these]
        found[these] = np.where(ended, rows.rewards[these], found[rows.next[these]])
    return found[:-1]


def outlooks(rows: Rows, final: np.ndarray) -> np.ndarray:
    """How each row's game stands for its player when the turn has changed, and at its end (`final`, of last rows).

    Where the game ends within the turn both are the same; not a number where the game has not come so far.
    """
    after, end = (np.full((len(rows) + 1, final.shape[1]), np.nan, np.float32) for _ in range(2))
    for first, last in zip(rows.rounds[-2::-1], rows.rounds[:0:-1]):
        these = slice(int(first), int(last))
        follow = rows.next[these]
        ended = ((follow == NOTHING) & ~rows.open[these])[:, None]
        turned = ((follow != NOTHING) & (rows.turns[follow] != rows.turns[these]))[:, None]
        end[these] = np.where(ended, final[these], end[follow])
        after[these] = np.where(ended, final[these], np.where(turned, rows.standing[follow], after[follow]))
    return np.concatenate([after[:-1], end[:-1]], axis=1)
