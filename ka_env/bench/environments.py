"""More rows for the bench: environments, searches, single decisions, and peers if installed (extra `peers`)."""

from __future__ import annotations

import contextlib
import os
import random
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from ka_env import BatchEngine
from ka_env.bench.timing import Case, Load, Measurement, Plan, Say, Workshop, rounds_for
from ka_env.envs.aec import env, raw_env
from ka_env.games import Cost, Setup

VEC_GAMES = 1024

Run = Callable[[int], int]


def random_legal(rng: random.Random, mask: np.ndarray) -> int:
    return rng.choice(np.flatnonzero(mask).tolist())


def drive_raw(aec: Any) -> Run:
    """observe and step on the bare environment."""
    rng = random.Random(0)
    aec.reset(seed=0)

    def run(rounds: int) -> int:
        for _ in range(rounds):
            agent = aec.agent_selection
            if aec.terminations[agent]:
                aec.reset()
                agent = aec.agent_selection
            aec.step(random_legal(rng, aec.observe(agent)["action_mask"]))
        return rounds

    return run


def drive_wrapped(aec: Any) -> Run:
    """last and step, as PettingZoo's users write it."""
    rng = random.Random(0)
    aec.reset(seed=0)

    def run(rounds: int) -> int:
        for _ in range(rounds):
            observation, _, terminated, truncated, _ = aec.last()
            if terminated or truncated:
                aec.reset()
                observation = aec.last()[0]
            aec.step(random_legal(rng, observation["action_mask"]))
        return rounds

    return run


def _outputs(aec: Any) -> tuple[int, int]:
    engine = aec.unwrapped.engine
    return engine.num_actions, engine.observation_size * 4


def start_raw(case: Case, shop: Workshop) -> Load:
    aec = raw_env(ruleset=case.ruleset, frame=case.frame)
    run = drive_raw(aec)
    shop.warm_up(run)
    return Load(run, _outputs(aec))


def start_wrapped(case: Case, shop: Workshop) -> Load:
    aec = env(ruleset=case.ruleset, frame=case.frame)
    run = drive_wrapped(aec)
    shop.warm_up(run)
    return Load(run, _outputs(aec))


def start_sb3(case: Case, shop: Workshop) -> Load:
    from ka_env.agents import make_agent
    from ka_env.envs.sb3 import DuelVecEnv

    vec = DuelVecEnv(case.batch, case.ruleset, case.frame, opponent="random", seed=0)
    learner = make_agent("random")
    games = np.arange(case.batch)
    learner.begin(games, games, games)
    vec.reset()

    def run(rounds: int) -> int:
        for _ in range(rounds):
            vec.step(learner.act(games, None, vec.action_masks()))
        return rounds * case.batch

    shop.warm_up(run)
    return Load(run, (vec.duels.engine.num_actions, vec.duels.engine.observation_size * 4))


ENVIRONMENTS = [
    Measurement(
        "AEC raw_env",
        "PettingZoo interface without wrappers: observe, a random choice from the mask, step, reset when over",
        start_raw,
        batched=False,
    ),
    Measurement(
        "AEC env (wrapped)",
        "the same through PettingZoo's usual wrappers: last, a random choice, step",
        start_wrapped,
        batched=False,
    ),
    Measurement(
        "SB3 VecEnv",
        "learner steps of DuelVecEnv against a random opponent: the opponent's moves, new deals, observations, masks "
        "and infos; the learner plays at random",
        start_sb3,
        fixed_batch=VEC_GAMES,
        available=lambda: find_spec("stable_baselines3") is not None,
    ),
]


# ---- search and networks

SEARCH_GAMES = 16
SEARCH_ITERATIONS = 250
NET_ROWS = 1024


def nets_for(ruleset: str, frame: str) -> list[str]:
    """Shipped policies that were trained on just this."""
    from ka_env.agents.nets import PolicyNet, trained_names

    return [name for name in trained_names() if f"{ruleset}/{frame}" in PolicyNet.load(name).card["rules"]]


def time_searches(plan: Plan, say: Say) -> list[dict[str, Any]]:
    """Iterations of `ismcts` a second on one core, in games that it plays against itself: plain, and with a network."""
    from ka_env import BatchEngine
    from ka_env.agents import make_agent

    rows = []
    for ruleset, frame in plan.settings:
        for net in (None, *nets_for(ruleset, frame)):
            say(f"{ruleset} {frame}: search{f' with {net}' if net else ''}")
            agent = make_agent(f"ismcts:iterations={SEARCH_ITERATIONS},net={net or 'none'}")
            engine = BatchEngine(ruleset, frame, num_games=SEARCH_GAMES, seed=0)
            games = np.arange(SEARCH_GAMES)
            agent.begin(games, games, games)

            def play_round(agent: Any = agent, engine: Any = engine, games: np.ndarray = games) -> None:
                engine.reset_done()
                engine.step(agent.act(games, None, engine.action_mask, engine.views(games, games.astype(np.uint64))))

            play_round()  # compiles
            began, before = time.perf_counter(), agent.spent  # type: ignore[attr-defined]
            while (seconds := time.perf_counter() - began) < plan.repeats * plan.seconds:
                play_round()
            rate = (agent.spent - before) / seconds  # type: ignore[attr-defined]
            rows.append({"ruleset": ruleset, "frame": frame, "net": net, "iterations_per_second": rate})
    return rows


def time_networks(plan: Plan, say: Say) -> list[dict[str, Any]]:
    """Positions a second that a network judges on one core: shipped ones, and an untrained MLP of the usual size."""
    from ka_env import BatchEngine
    from ka_env.agents.nets import PolicyNet, untrained_mlp

    rows = []
    for ruleset, frame in plan.settings:
        engine = BatchEngine(ruleset, frame, num_games=NET_ROWS, seed=0)
        rng = np.arange(1, NET_ROWS + 1, dtype=np.uint64)
        for _ in range(40):
            engine.step(engine.random_actions(rng))
            engine.reset_done()
        seen, masks = engine.observe(), engine.action_mask
        for name in ("untrained", *nets_for(ruleset, frame)):
            say(f"{ruleset} {frame}: network {name}")
            net = untrained_mlp(ruleset) if name == "untrained" else PolicyNet.load(name)
            advice = masks.argmax(axis=1) if net.advised else None  # any will do; who gives it is not timed
            net.legal_logits(seen, masks, advice)  # compiles
            times = []
            for _ in range(plan.repeats):
                began = time.perf_counter()
                net.legal_logits(seen, masks, advice)
                times.append(time.perf_counter() - began)
            rate = NET_ROWS / statistics.median(times)
            facts = {"net": name, "network": net.card["network"], "evaluations_per_second": rate}
            rows.append({"ruleset": ruleset, "frame": frame, **facts})
    return rows


# ---- costs of single decisions

COST_GAMES = 32  # whose decisions are timed one by one
TRIES = 3  # the fastest counts: a busy machine is not a hard position


def time_costs(plan: Plan, say: Say) -> list[dict[str, Any]]:
    """Mean and worst time of the parts that a game wants to be timed, over the decisions of random games."""
    return [
        cost_row(ruleset, frame, cost, say)
        for ruleset, frame in plan.settings
        for cost in Setup.of(ruleset, frame).game.costs
    ]


def cost_row(ruleset: str, frame: str, cost: Cost, say: Say) -> dict[str, Any]:
    say(f"{ruleset} {frame}: {cost.name}, decision by decision")
    engine = BatchEngine(ruleset, frame, num_games=COST_GAMES, seed=0)
    rng = np.random.default_rng(0).integers(1, 2**64, size=COST_GAMES, dtype=np.uint64)
    cost.run(engine.games[:1].copy())  # compiles
    busy: list[float] = []
    idle: list[float] = []
    while not engine.done.all():
        for game in np.flatnonzero(~engine.done):
            at_work = engine.about.kinds[engine.games[game]["kind"]] in cost.kinds
            (busy if at_work else idle).append(fastest(cost.run, engine.games[game : game + 1].copy()))
        engine.step(engine.random_actions(rng))
    return {
        "name": cost.name,
        "ruleset": ruleset,
        "frame": frame,
        "kinds": list(cost.kinds),
        "decisions": len(busy),
        "mean_seconds": float(np.mean(busy)),
        "worst_seconds": max(busy),
        "elsewhere_seconds": float(np.mean(idle)),
    }


def fastest(run: Callable[[np.ndarray], Any], records: np.ndarray) -> float:
    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        run(records)
        times.append(time.perf_counter() - began)
    return min(times)


# ---- peers


def connect_four() -> Run:
    from pettingzoo.classic import connect_four_v3

    return drive_raw(connect_four_v3.raw_env())


def wrapped_connect_four() -> Run:
    from pettingzoo.classic import connect_four_v3

    return drive_wrapped(connect_four_v3.env())


def uno() -> Run:
    import rlcard

    game = rlcard.make("uno", config={"seed": 0})
    rng = random.Random(0)
    state, _ = game.reset()

    def run(rounds: int) -> int:
        nonlocal state
        for _ in range(rounds):
            if game.is_over():
                state, _ = game.reset()
            state, _ = game.step(rng.choice(list(state["legal_actions"])))
        return rounds

    return run


def gin_rummy() -> Run:
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    rng = random.Random(0)
    state = game.new_initial_state()

    def play_chance() -> None:
        nonlocal state
        while state.is_terminal() or state.is_chance_node():
            if state.is_terminal():
                state = game.new_initial_state()
            else:
                state.apply_action(rng.choice(state.legal_actions()))

    def run(rounds: int) -> int:
        for _ in range(rounds):
            play_chance()
            np.array(state.observation_tensor(state.current_player()), np.float32)
            state.apply_action(rng.choice(state.legal_actions()))
        return rounds

    return run


PEERS = {  # module it needs, how to run it, whether it has PettingZoo's wrappers around it
    "PettingZoo connect_four (raw)": ("pygame", connect_four, False),
    "RLCard uno": ("rlcard", uno, False),
    "OpenSpiel gin_rummy": ("pyspiel", gin_rummy, False),
    "PettingZoo connect_four (wrapped)": ("pygame", wrapped_connect_four, True),
}


def compare_peers(plan: Plan, say: Say) -> list[dict[str, Any]]:
    """Observe-and-step rates of whatever peers are installed, beside ours: raw beside raw, wrapped beside wrapped."""
    ruleset, frame = plan.settings[0]
    present = {name: peer for name, peer in PEERS.items() if find_spec(peer[0]) is not None}
    if not present:
        return []
    ours = {False: f"ka_env raw_env ({ruleset} {frame})", True: f"ka_env env, wrapped ({ruleset} {frame})"}
    runs: dict[str, Run] = {
        ours[False]: drive_raw(raw_env(ruleset=ruleset, frame=frame)),
        ours[True]: drive_wrapped(env(ruleset=ruleset, frame=frame)),
    }
    beside = {name: name for name in runs}
    for name, (_, start, wrapped) in present.items():
        say(f"peers: warming up {name}")
        beside[name] = ours[wrapped]
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            runs[name] = start()
    rounds = {name: rounds_for(run, plan.seconds) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for repeat in range(plan.repeats):
        say(f"peers: repeat {repeat + 1} of {plan.repeats}")
        for name, run in runs.items():
            began = time.perf_counter()
            decisions = run(rounds[name])
            times[name].append((time.perf_counter() - began) / decisions)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    return [
        {
            "name": name,
            "steps_per_second": 1 / medians[name],
            "beside": beside[name],
            "ours_over_it": medians[name] / medians[beside[name]],
        }
        for name in runs
    ]
