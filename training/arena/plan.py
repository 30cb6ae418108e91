"""What is to be played: rules, agents, who meets whom, how many pairs; and the units in which it is handed out."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ka_env.agents.registry import AgentError
from ka_env.errors import KaError
from ka_env.games import DEFAULT_RULESET, Setup
from ka_env.match import new_match
from ka_env.training.arena.faults import ArenaError
from ka_env.training.arena.seeds import LEAST_BYTES, MOST_BYTES, is_secret, new_secret, public_secret, seed_of

if TYPE_CHECKING:
    from ka_env.training.sprt import Sprt

Kind = Literal["round-robin", "gauntlet", "duel"]
KINDS: tuple[Kind, ...] = ("round-robin", "gauntlet", "duel")
MOVE_TIME = 60.0  # seconds a third-party agent has for one decision
MEMORY = 4096  # megabytes one of its processes may take
SECRETS = {"secret": "deals", "agent_seeds": "agents"}  # of a plan, and what each is for


@dataclass(frozen=True)
class SprtSettings:
    """When a duel is decided."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def test(self) -> Sprt:
        from ka_env.training.sprt import Sprt  # SciPy: not for workers

        try:
            return Sprt(self.elo0, self.elo1, self.alpha, self.beta)
        except ValueError as error:
            raise ArenaError(str(error)) from None


class Lane(NamedTuple):
    """Two agents (by number, the lower one first) under one of the rules (by number)."""

    rules: int
    one: int
    two: int


@dataclass(frozen=True)
class Unit:
    """Some pairs of one lane: what a worker gets to play."""

    lane: Lane
    rules: Setup
    agents: tuple[str, str]
    first: int
    count: int
    secret: str = field(repr=False)
    agent_seeds: str = field(repr=False)
    move_time: float = MOVE_TIME
    memory: int = MEMORY
    walls: bool = True
    match: str | None = None  # every game is a match of this name
    hidden: tuple[str, ...] = ()  # files that third-party agents must not see
    isolated: bool = False  # also built-in agents in processes of their own

    def seed_for(self, what: str) -> int:
        """For all pairs of this lane, and not for agents: independent of their order and of other lanes."""
        return self._seed(what, self.secret)

    def agents_seed_for(self, what: str) -> int:
        """The same for agents: independent of the deals as well."""
        return self._seed(what, self.agent_seeds)

    def _seed(self, what: str, secret: str) -> int:
        match = () if self.match is None else (self.match,)
        return seed_of(self.rules.game.name, *self.rules[:2], *match, *sorted(self.agents), what, secret=secret)

    def __str__(self) -> str:
        last = self.first + self.count - 1
        match = "" if self.match is None else f" {self.match}"
        return f"{self.agents[0]} – {self.agents[1]} on {self.rules.label}{match}, pairs {self.first} to {last}"


@dataclass(frozen=True)
class Plan:
    """A tournament. In a gauntlet the first agent meets all others; a duel may stop early by SPRT.

    Its secrets are drawn unless they are given. With a `seed` they are made from it, for everybody to make again.
    """

    agents: tuple[str, ...]
    rules: tuple[Setup, ...] = ()  # of one game; none: its usual one
    pairs: int = 100
    kind: Kind = "round-robin"
    seed: int | None = None
    move_time: float = MOVE_TIME
    memory: int = MEMORY
    walls: bool = True  # around third-party agents, as far as the platform has them: see cell.py
    sprt: SprtSettings | None = None
    secret: str = field(default="", repr=False)  # hex, as agent_seeds: see seeds.py
    agent_seeds: str = field(default="", repr=False)
    match: str | None = None  # a series of games in place of every game: see ka_env/match.py
    drawn: frozenset[str] = field(default=frozenset(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", tuple(self.agents))
        rules = self.rules or (Setup.of(DEFAULT_RULESET),)
        object.__setattr__(self, "rules", tuple(Setup.of(*setup) for setup in rules))
        self._check_agents()
        if self.kind not in KINDS:
            raise ArenaError(f"unknown kind of tournament {self.kind!r}: expected one of {', '.join(KINDS)}")
        if self.pairs < 1:
            raise ArenaError(f"pairs must be at least 1, not {self.pairs}")
        if not self.move_time > 0:
            raise ArenaError(f"the time for a move must be positive, not {self.move_time}")
        if self.memory < 1:
            raise ArenaError(f"memory must be at least 1 MB, not {self.memory}")
        if len(set(self.rules)) < len(self.rules):
            raise ArenaError(f"rules must be given once each, not {', '.join(setup.label for setup in self.rules)}")
        if len({setup.game.name for setup in self.rules}) > 1:
            raise ArenaError(f"a tournament has one game, not {', '.join(setup.label for setup in self.rules)}")
        if self.match is not None:
            for setup in self.rules:
                new_match(self.match, setup)  # raises KaError if there is none of this name
        if self.sprt:
            self.sprt.test()
        self._fill_secrets()

    def _fill_secrets(self) -> None:
        given = [name for name in SECRETS if getattr(self, name)]
        if self.seed is not None and given:
            raise ArenaError(f"a seed makes the secrets: give seed or {' and '.join(given)}, not both")
        for name in given:
            if not is_secret(getattr(self, name)):
                raise ArenaError(f"{name}: expected {2 * LEAST_BYTES} to {2 * MOST_BYTES} hex digits")
        for name, what in SECRETS.items():
            if name not in given:
                object.__setattr__(self, name, new_secret() if self.seed is None else public_secret(self.seed, what))
        if self.seed is None:
            object.__setattr__(self, "drawn", frozenset(SECRETS) - set(given))

    def with_secrets(self, there: Mapping[str, str]) -> Plan:
        """The same plan with the secrets a store has in place of those drawn here."""
        if not self.drawn:
            return self
        secret, agent_seeds = (there[name] if name in self.drawn else getattr(self, name) for name in SECRETS)
        return replace(self, secret=secret, agent_seeds=agent_seeds)

    def _check_agents(self) -> None:
        for spec in self.agents:
            if not spec.isprintable():
                raise AgentError(f"agent {spec[:60]!a}: its name has characters that can't be printed")
        twice = {spec for spec in self.agents if self.agents.count(spec) > 1}
        if twice:
            one = sorted(twice)[0]
            raise AgentError(f"agent {one!r} is given twice: call its twin '{one}#2' to tell them apart")
        if len(self.agents) < 2 or (self.kind == "duel" and len(self.agents) != 2):
            wanted = "two agents" if self.kind == "duel" else "at least two agents"
            raise AgentError(f"a {self.kind} needs {wanted}, not {len(self.agents)}")

    def lanes(self) -> list[Lane]:
        last = 1 if self.kind == "gauntlet" else len(self.agents)
        pairings = [(i, j) for i in range(last) for j in range(i + 1, len(self.agents))]
        return [Lane(rules, i, j) for i, j in pairings for rules in range(len(self.rules))]

    def unit(self, lane: Lane, first: int, count: int) -> Unit:
        pairing = (self.agents[lane.one], self.agents[lane.two])
        rules = self.rules[lane.rules]
        secrets = (self.secret, self.agent_seeds)
        return Unit(lane, rules, pairing, first, count, *secrets, self.move_time, self.memory, self.walls, self.match)

    def label(self, rules: int) -> str:
        """Rules by their number, for people."""
        return self.rules[rules].label + ("" if self.match is None else f" {self.match}")

    # ---- as settings of a store

    def to_settings(self) -> dict[str, Any]:
        settings = asdict(self)
        del settings["drawn"]
        settings["rules"] = [rules.label for rules in self.rules]
        settings["agents"] = list(self.agents)
        return settings

    def command(self) -> str:
        """The `ka arena` that plays it, without the secrets; limits that are the usual ones are left out."""
        words = ["ka", "arena", self.kind, *self.agents, "--pairs", str(self.pairs)]
        for setup in self.rules:
            words += ["--on", setup.label]
        usual = {"seed": None, "move_time": MOVE_TIME, "memory": MEMORY}
        for name, value in usual.items():
            if getattr(self, name) != value:
                words += [f"--{name.replace('_', '-')}", str(getattr(self, name))]
        words += [] if self.walls else ["--no-walls"]
        if self.kind == "duel":
            words += ["--no-sprt"] if self.sprt is None else [f"--{k}={v:g}" for k, v in asdict(self.sprt).items()]
        return shlex.join(words)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Plan:
        """Raises ArenaError for settings that no plan has."""
        known = {
            name: settings[name] for name, about in cls.__dataclass_fields__.items() if about.init and name in settings
        }
        try:
            if known.get("seed") is not None:
                known = {name: value for name, value in known.items() if name not in SECRETS}
            known["rules"] = tuple(Setup.parse(label) for label in known["rules"])
            known["sprt"] = SprtSettings(**known["sprt"]) if known["sprt"] else None
            return cls(**known)
        except KaError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ArenaError(f"the settings tell no tournament: {type(error).__name__}: {error}") from None


class Schedule:
    """Hands out units until everything is played: the lane that is furthest behind comes next.

    Units are sized by the time they take, so that little is lost by an interruption and workers finish together.
    """

    SECONDS = 2.0  # wanted for one unit
    START, MOST = 4, 4096  # pairs in the first unit of a lane, and in any

    def __init__(self, plan: Plan, done: Mapping[Lane, Sequence[int]]) -> None:
        self._plan = plan
        self._missing = {lane: missing_ranges(plan.pairs, done.get(lane, ())) for lane in plan.lanes()}
        self._left = {lane: sum(hi - lo for lo, hi in gaps) for lane, gaps in self._missing.items()}
        self._size = dict.fromkeys(self._missing, self.START)
        self._pace: dict[Lane, float] = {}  # seconds per pair
        self.open_pairs = sum(self._left.values())  # not yet played, whether handed out or not

    def next(self) -> Unit | None:
        lane = max(self._left, key=self._left.__getitem__)
        if not self._left[lane]:
            return None
        low, high = self._missing[lane].pop(0)
        count = min(high - low, self._size[lane])
        if low + count < high:
            self._missing[lane].insert(0, (low + count, high))
        self._left[lane] -= count
        return self._plan.unit(lane, low, count)

    def finished(self, unit: Unit, seconds: float) -> None:
        self.open_pairs -= unit.count
        pace = max(seconds, 1e-6) / unit.count
        self._pace[unit.lane] = pace
        self._size[unit.lane] = int(min(max(1, self.SECONDS / pace), 8 * unit.count, self.MOST))

    def seconds_left(self, workers: int) -> float | None:
        """An estimate by the pace of each lane; None before anything is known."""
        if not self._pace:
            return None
        usual = sum(self._pace.values()) / len(self._pace)
        handed_out = self.open_pairs - sum(self._left.values())
        work = sum(left * self._pace.get(lane, usual) for lane, left in self._left.items())
        return (work + handed_out * usual / 2) / max(1, workers)


def missing_ranges(total: int, done: Sequence[int]) -> list[tuple[int, int]]:
    """The numbers below `total` that are not in `done`, as ranges."""
    return list(_gaps(total, sorted(done)))


def _gaps(total: int, done: Sequence[int]) -> Iterator[tuple[int, int]]:
    low = 0
    for number in done:
        if low < min(number, total):
            yield low, min(number, total)
        low = number + 1
    if low < total:
        yield low, total
