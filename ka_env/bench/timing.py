"""Measuring speed: random legal play through the public interface, beside a copy of the same output bytes.

`MEASUREMENTS` lists what is measured; a new row of the table is a new `Measurement`. All cases of one ruleset are
warmed up first and then timed in turn, several times over, so that a busy moment of the machine falls on all of them;
the median counts.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np

from ka_env import BatchEngine, __version__
from ka_env.engine.jit import INTERPRETED
from ka_env.games import DEFAULT_RULESET, Setup, game_of

Say = Callable[[str], None]


@dataclass(frozen=True)
class Case:
    """One thing to time."""

    ruleset: str
    frame: str
    batch: int
    threads: int


def usual_settings() -> tuple[tuple[str, str], ...]:
    """Rulesets and frames of the default game that are worth measuring."""
    return tuple((setup.ruleset, setup.frame) for setup in game_of(DEFAULT_RULESET).measured_setups())


@dataclass(frozen=True)
class Plan:
    """What is measured and for how long."""

    settings: tuple[tuple[str, str], ...] = field(default_factory=lambda: usual_settings())
    batches: tuple[int, ...] = (1, 256, 4096, 65536)
    threads: tuple[int, ...] = (1, 2)
    repeats: int = 7
    seconds: float = 0.3  # of one repeat of one case
    warm_rounds: int = 450  # several games: the games of a batch must no longer be in step
    warm_seconds: float = 20  # but no longer than this
    start_up: bool = True
    peers: bool = True
    learning: bool = True


QUICK = Plan(batches=(1, 256, 4096), repeats=3, seconds=0.05, warm_rounds=300, warm_seconds=1, learning=False)


class Workshop:
    """Engines and buffers of one ruleset, shared by the measurements so that large batches fit in memory."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._engines: dict[Case, tuple[BatchEngine, np.ndarray, np.ndarray]] = {}
        self._buffers: dict[tuple[int, int], np.ndarray] = {}

    def engine(self, case: Case) -> tuple[BatchEngine, np.ndarray, np.ndarray]:
        """The engine, warmed up, with its generator states and its array of actions."""
        if case not in self._engines:
            engine = BatchEngine(case.ruleset, case.frame, num_games=case.batch, seed=0, threads=case.threads)
            rng = np.random.default_rng(0).integers(1, 2**64, size=case.batch, dtype=np.uint64)
            actions = np.zeros(case.batch, np.int64)
            self._engines[case] = engine, rng, actions
            self.warm_up(lambda rounds: play(engine, rng, actions, rounds))
        return self._engines[case]

    def warm_up(self, run: Callable[[int], Any]) -> None:
        began = time.perf_counter()
        for _ in range(self.plan.warm_rounds):
            run(1)
            if time.perf_counter() - began > self.plan.warm_seconds:
                break

    def buffer(self, size: int, copy: int) -> np.ndarray:
        if (size, copy) not in self._buffers:
            self._buffers[size, copy] = np.ones(size, np.uint8)  # ones: the pages exist before the clock runs
        return self._buffers[size, copy]

    def memcpy(self, *sizes: int) -> Callable[[int], None]:
        """Copies arrays of these sizes so many times."""
        pairs = [(self.buffer(size, 0), self.buffer(size, 1)) for size in sizes]

        def copy(rounds: int) -> None:
            for _ in range(rounds):
                for source, target in pairs:
                    np.copyto(target, source)

        return copy


@dataclass
class Load:
    """A case that is ready to be timed: `run(rounds)` returns decisions; `outputs` are bytes per decision."""

    run: Callable[[int], int]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Measurement:
    name: str
    includes: str  # what the clock sees
    start: Callable[[Case, Workshop], Load]
    batched: bool = True  # False: one game, one thread
    fixed_batch: int = 0  # so many games, one thread
    available: Callable[[], bool] = lambda: True

    def cases(self, ruleset: str, frame: str, plan: Plan) -> list[Case]:
        if self.fixed_batch or not self.batched:
            return [Case(ruleset, frame, self.fixed_batch or 1, 1)]
        return [Case(ruleset, frame, batch, threads) for batch in plan.batches for threads in plan.threads]


# ---- what is measured


def play(engine: BatchEngine, rng: np.ndarray, actions: np.ndarray, rounds: int) -> int:
    """Random legal play: every game makes one decision a round."""
    for _ in range(rounds):
        engine.random_actions(rng, actions)
        engine.step(actions)
        engine.reset_done()
    return rounds * engine.num_games


def start_engine(case: Case, shop: Workshop) -> Load:
    engine, rng, actions = shop.engine(case)
    return Load(lambda rounds: play(engine, rng, actions, rounds), (engine.action_mask[0].nbytes,))


def start_observed_engine(case: Case, shop: Workshop) -> Load:
    engine, rng, actions = shop.engine(case)
    out = engine.observe()

    def run(rounds: int) -> int:
        for _ in range(rounds):
            engine.random_actions(rng, actions)
            engine.step(actions, out)
            engine.reset_done(out)
        return rounds * engine.num_games

    run(1)
    return Load(run, (engine.action_mask[0].nbytes, out[0].nbytes))


def start_tokens(case: Case, shop: Workshop) -> Load:
    rng = random.Random(0)
    setup = Setup.of(case.ruleset, case.frame)
    game = setup.game.Game.deal(setup, 0)

    def run(rounds: int) -> int:
        nonlocal game
        for _ in range(rounds):
            game.play(rng.choice(game.legal()))
            if game.over:
                game = setup.game.Game.deal(setup, rng.getrandbits(63))
        return rounds

    shop.warm_up(run)
    return Load(run, (game.action_mask().nbytes,))


MEASUREMENTS = [
    Measurement(
        "engine + mask",
        "random_actions (compiled, one generator per game), step (which checks legality and fills mask, to_play, done, "
        "rewards), reset_done",
        start_engine,
    ),
    Measurement(
        "engine + mask + observation",
        "the same, with what every decider sees (step and reset_done with out=)",
        start_observed_engine,
    ),
    Measurement(
        "Game.play",
        "one game in Python: legal() as tokens, random.choice, play(token), Game.new when it is over",
        start_tokens,
        batched=False,
    ),
]


# ---- timing


@dataclass
class Timed:
    """A load with its rounds per repeat and what the clock has shown so far, in seconds per decision."""

    measurement: Measurement
    case: Case
    load: Load
    memcpy: Callable[[int], None]
    rounds: int = 1
    memcpy_rounds: int = 1
    step_times: list[float] = field(default_factory=list)
    memcpy_times: list[float] = field(default_factory=list)

    def repeat(self) -> None:
        began = time.perf_counter()
        decisions = self.load.run(self.rounds)
        between = time.perf_counter()
        self.memcpy(self.memcpy_rounds)
        ended = time.perf_counter()
        self.step_times.append((between - began) / decisions)
        self.memcpy_times.append((ended - between) / (self.memcpy_rounds * self.case.batch))

    def row(self, decisions_per_game: float) -> dict[str, Any]:
        seconds, copy_seconds = statistics.median(self.step_times), statistics.median(self.memcpy_times)
        return {
            "measurement": self.measurement.name,
            **asdict(self.case),
            "decisions_per_second": 1 / seconds,
            "slowest": 1 / max(self.step_times),
            "fastest": 1 / min(self.step_times),
            "games_per_second": 1 / seconds / decisions_per_game,
            "bytes_per_decision": sum(self.load.outputs),
            "memcpy_decisions_per_second": 1 / copy_seconds,
            "memcpy_ratio": copy_seconds / seconds,
            "over_one_thread": None,
        }


def rounds_for(run: Callable[[int], Any], seconds: float) -> int:
    """How many rounds take about so long."""
    rounds = 1
    while True:
        began = time.perf_counter()
        run(rounds)
        took = time.perf_counter() - began
        if took >= seconds / 4:
            return max(1, round(rounds * seconds / took))
        rounds *= 4


def time_setting(ruleset: str, frame: str, plan: Plan, measurements: list[Measurement], say: Say) -> list[Timed]:
    shop = Workshop(plan)
    timed = []
    for measurement in measurements:
        for case in measurement.cases(ruleset, frame, plan):
            say(f"{ruleset} {frame}: warming up {measurement.name}, batch {case.batch}, threads {case.threads}")
            load = measurement.start(case, shop)
            memcpy = shop.memcpy(*(size * case.batch for size in load.outputs))
            one = Timed(measurement, case, load, memcpy)
            one.rounds = rounds_for(load.run, plan.seconds)
            one.memcpy_rounds = rounds_for(memcpy, plan.seconds / 4)
            timed.append(one)
    for repeat in range(plan.repeats):
        say(f"{ruleset} {frame}: repeat {repeat + 1} of {plan.repeats}, {len(timed)} cases")
        for one in timed:
            one.repeat()
    return timed


def compare_threads(rows: list[dict[str, Any]]) -> None:
    """Fill in what more threads gain over one."""

    def key(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["measurement"], row["ruleset"], row["frame"], row["batch"]

    single = {key(row): row["decisions_per_second"] for row in rows if row["threads"] == 1}
    for row in rows:
        if row["threads"] > 1 and key(row) in single:
            row["over_one_thread"] = row["decisions_per_second"] / single[key(row)]


def mean_decisions(ruleset: str, frame: str, games: int = 1024) -> float:
    """Decisions of a random game; every game is played to its end once."""
    engine = BatchEngine(ruleset, frame, num_games=games, seed=0)
    rng = np.random.default_rng(1).integers(1, 2**64, size=games, dtype=np.uint64)
    decisions = 0
    while not engine.done.all():
        decisions += games - int(np.count_nonzero(engine.done))
        engine.step(engine.random_actions(rng))
    return decisions / games


START_UP = """
import time
began = time.perf_counter()
import sys
import numpy as np
from ka_env import BatchEngine
engine = BatchEngine(sys.argv[1], sys.argv[2], num_games=1, seed=0)
engine.step(engine.random_actions(np.ones(1, np.uint64)))
"""
EVERYTHING = """
from ka_env.engine.perft import perft
for threads in (1, 2):
    engine = BatchEngine(sys.argv[1], sys.argv[2], num_games=4, threads=threads)
    engine.step(engine.random_actions(np.ones(4, np.uint64)))
    engine.observe()
engine.observe_entities()
game = engine.game(0).determinize(0, 1)
perft(game, 2)
while not game.over and "pending" not in game.to_text():
    game.step(game.legal_ids()[-1])
type(game).from_text(game.to_text())
"""
STOP_CLOCK = "print(time.perf_counter() - began)"


def first_step_seconds(ruleset: str, frame: str, cache_dir: str, everything: bool = False) -> float:
    """From `import` to the end of the first step, or until every kernel is there, in a fresh interpreter."""
    package_home = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [package_home, os.environ.get("PYTHONPATH", "")]))
    env = os.environ | {"KA_CACHE_DIR": cache_dir, "KA_QUIET": "1", "PYTHONPATH": path}
    script = START_UP + (EVERYTHING if everything else "") + STOP_CLOCK
    command = [sys.executable, "-c", script, ruleset, frame]
    return float(subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout)


def start_up_seconds(ruleset: str, frame: str, say: Say, warm_starts: int = 3) -> dict[str, Any]:
    """Seconds of the first start ever, which compiles what a batch of games needs; of compiling every kernel of the
    engine; and of a warm start, when the machine code comes from disk."""
    with tempfile.TemporaryDirectory(prefix="ka_bench") as cache_dir:
        say("compiling everything anew (this takes a while)")
        cold = first_step_seconds(ruleset, frame, cache_dir, everything=True)
    with tempfile.TemporaryDirectory(prefix="ka_bench") as cache_dir:
        say("compiling what a batch of games needs")
        first = first_step_seconds(ruleset, frame, cache_dir)
        say("starting with compiled rules")
        warm = [first_step_seconds(ruleset, frame, cache_dir) for _ in range(warm_starts)]
    found = {"first_seconds": first, "cold_seconds": cold, "warm_seconds": statistics.median(warm)}
    return {"ruleset": ruleset, "frame": frame, **found}


# ---- all of it


def cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    return {
        "ka_env": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "compiled": not INTERPRETED,
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,  # programs at work in the last minute
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


def run(plan: Plan, say: Say = lambda text: None, measurements: list[Measurement] | None = None) -> dict[str, Any]:
    """Everything the plan asks for, as plain data."""
    from ka_env.bench.environments import ENVIRONMENTS, compare_peers, time_costs, time_networks, time_searches
    from ka_env.bench.learning import time_learning

    able = [m for m in (MEASUREMENTS + ENVIRONMENTS if measurements is None else measurements) if m.available()]
    on = machine()  # its load before we add to it
    records: list[dict[str, Any]] = []
    for ruleset, frame in plan.settings:  # before anything slow: unknown names are refused here
        size = BatchEngine(ruleset, frame, num_games=1).games.dtype.itemsize
        length = mean_decisions(ruleset, frame)
        records.append({"ruleset": ruleset, "frame": frame, "bytes": size, "decisions_per_game": length})
    rows = []
    for record in records:
        timed = time_setting(record["ruleset"], record["frame"], plan, able, say)
        rows += [one.row(record["decisions_per_game"]) for one in timed]
    compare_threads(rows)
    return {
        "machine": on,
        "plan": asdict(plan),
        "included": {m.name: m.includes for m in able},
        "rates": rows,
        "games": records,
        "searches": time_searches(plan, say),
        "costs": time_costs(plan, say),
        "networks": time_networks(plan, say),
        "learning": time_learning(plan, say),
        "peers": compare_peers(plan, say) if plan.peers else [],
        "start_up": start_up_seconds(*plan.settings[0], say) if plan.start_up else None,
    }


def to_json(results: dict[str, Any]) -> str:
    return json.dumps(results, indent=2)
