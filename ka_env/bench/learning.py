"""How fast `ka train` learns: networks like the shipped ones, with the usual settings and with those of the preset of
that name, on one core and on several."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ka_env.bench.environments import nets_for
from ka_env.bench.timing import Plan, Say

if TYPE_CHECKING:
    from ka_env.training.config import Config
    from ka_env.training.ppo import FastTrainer

SHARES = {"playing": "seconds_playing", "forward": "seconds_forward", "backward": "seconds_backward"}
USUAL = "standard"  # preset
SQUARE = 512  # rows of the matrices that show what a core can do


def time_learning(plan: Plan, say: Say) -> list[dict[str, Any]]:
    """Decisions learned from in a second, for each shipped network: with the usual settings, those of its preset."""
    if not plan.learning or find_spec("torch") is None:
        return []
    from ka_env.training.config import presets

    known = presets()
    return [
        row
        for ruleset, frame in plan.settings
        for name in nets_for(ruleset, frame)
        for preset in dict.fromkeys((USUAL, name if name in known else USUAL))
        for row in _by_threads(plan, f"{ruleset}/{frame}", name, preset, say)
    ]


def _by_threads(plan: Plan, rules: str, name: str, preset: str, say: Say) -> Iterator[dict[str, Any]]:
    """A row for each number of threads."""
    from ka_env.agents.nets import PolicyNet
    from ka_env.games import Setup
    from ka_env.training.config import load_config

    network, setup = PolicyNet.load(name).card["network"], Setup.parse(rules)
    given = {"network": network["kind"], **{k: v for k, v in network.items() if k != "kind"}, "imitate": ""}
    alone: float | None = None
    for threads in plan.threads:
        say(f"{setup.ruleset} {setup.frame}: learning with {name}, settings {preset}, threads {threads}")
        config = load_config(preset, overrides={**given, "rules": [rules], "threads": threads})
        row = learning_row(config, plan.repeats)
        alone = row["decisions_per_second"] if threads == 1 else alone
        gain = row["decisions_per_second"] / alone if alone and threads > 1 else None
        facts = {"net": name, "network": network, "preset": preset, "minibatch": config.minibatch}
        yield {
            **{"ruleset": setup.ruleset, "frame": setup.frame, **facts},
            **{"threads": threads, "over_one_thread": gain, **row},
        }


def learning_row(config: Config, repeats: int) -> dict[str, Any]:
    from ka_env.training.ppo import FastTrainer

    trainer = FastTrainer(config)
    try:
        trainer.update(0.0)  # compiles
        told = []
        for _ in range(repeats):
            before = trainer.steps
            told.append(trainer.update(0.0) | {"learned": trainer.steps - before})
        rate = statistics.median(one["learned"] / one["seconds"] for one in told)
        work = 2 * multiplications(trainer) * rate / (config.threads * peak())
    finally:
        trainer.close()
    total = sum(one["seconds"] for one in told)
    shares = {name: sum(one[key] for one in told) / total for name, key in SHARES.items()}
    return {"decisions_per_second": rate, "shares": shares, "arithmetic": work}


def multiplications(trainer: FastTrainer) -> float:
    """Of the layers, for a decision: once when it is played; in each epoch once forwards, and backwards to the weights
    and, in all layers but the first, to what comes in."""
    (rows,) = trainer.players.collect(trainer.player, 256)
    sizes = [int(size) for size in trainer.player.net.sizes]
    first = rows.starts[-1] / len(rows) * sizes[0]
    later = sum(a * b for a, b in pairwise(sizes)) + rows.masks.sum() / len(rows) * sizes[-1]
    return first + later + trainer.config.epochs * (2 * first + 3 * later)


def peak() -> float:
    """Additions and multiplications a second of one core, at their best."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    a, b = torch.rand(SQUARE, SQUARE), torch.rand(SQUARE, SQUARE)
    times = []
    for _ in range(20):
        began = time.perf_counter()
        a @ b
        times.append(time.perf_counter() - began)
    torch.set_num_threads(threads)
    return 2 * SQUARE**3 / min(times)
