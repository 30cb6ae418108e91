"""Runs that follow each other: one with the setting `after` goes on from what another preset makes, and one with
`exploiter` plays against who has learned to beat the policy that it begins with.

These are trained first, in the folders `before` and `exploiter` of the run's directory. Until then the run itself is
only a plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ka_env.training.checkpoint import CheckpointError
from ka_env.training.config import BEFORE, EXPLOITER, Config, from_table, load_config, presets
from ka_env.training.run import Run, refuse_taken

PLAN, POLICY = "plan.json", "policy.npz"
SHARED = ("rules", "network", "width", "advised", "trainer", "tensorboard", "threads", "workers")
WATCHED = ("evaluate_every", "evaluate_pairs", "final_pairs", "checkpoint_every")
EXPLOITER_SHARES = (*SHARED, "seed", "hidden", "games", "rollout", "minibatch", "gae_lambda", *WATCHED)
# How a best response learns. A policy that has made up its mind tries nothing new: it is made to doubt, which fades.
# Large updates, one pass.
DOUBTING = {
    "self_share": 0.2,
    "epochs": 1,
    "rollout": 32768,
    "learning_rate": 7e-4,
    "learning_rate_end": 1e-5,
    "entropy": 0.06,
    "entropy_end": 0.003,
}


def begun(config: Config, directory: str | Path, command: str = "", quiet: bool = False) -> Iterator[Run]:
    """The runs to train, one after the other: each is made when the one before it is done."""
    directory = Path(directory)
    if config.after or config.exploiter:
        refuse_taken(directory)
        refuse_taken(directory, PLAN)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / PLAN).write_text(json.dumps({"config": config.table, "command": command}, indent=1) + "\n")
    for place, first in _needed(config, directory):
        yield from begun(first, place, command, quiet)
    yield Run(_going_on(config, directory), directory, command, quiet)


def resumed(directory: str | Path, overrides: dict[str, Any] | None = None, quiet: bool = False) -> Iterator[Run]:
    """The same for runs that were interrupted; `overrides` are for the last of them."""
    directory = Path(directory)
    if (directory / "config.json").exists() or not (directory / PLAN).exists():
        yield Run.resume(directory, overrides, quiet)
        return
    try:
        plan = json.loads((directory / PLAN).read_text(encoding="utf-8"))
        config, command = from_table({**plan["config"], **(overrides or {})}), str(plan["command"])
    except (json.JSONDecodeError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{directory / PLAN} is damaged: {error}") from None
    for place, first in _needed(config, directory):
        if any((place / file).exists() for file in ("config.json", PLAN)):
            yield from resumed(place, quiet=quiet)
        else:
            yield from begun(first, place, command, quiet)
    yield Run(_going_on(config, directory), directory, command, quiet)


def _needed(config: Config, directory: Path) -> Iterator[tuple[Path, Config]]:
    """What has to be trained first, and where."""
    if config.after:
        yield directory / BEFORE, _first(config)
    if config.exploiter:
        yield directory / EXPLOITER, _exploiter(config, _start(config, directory))


def _first(config: Config) -> Config:
    """What is trained before: the preset, with all that has to be the same. If it names smaller layers, the network
    becomes wider afterwards."""
    shared = {name: getattr(config, name) for name in SHARED}
    named = presets()[config.after].get("hidden", config.hidden)
    alike = config.network == "mlp" and len(named) == len(config.hidden)
    hidden = tuple(map(min, named, config.hidden)) if alike else config.hidden
    return load_config(config.after, overrides={**shared, "hidden": hidden})


def _exploiter(config: Config, victim: str) -> Config:
    """A best response to the policy that the run begins with; it begins there, too."""
    shared = {name: getattr(config, name) for name in EXPLOITER_SHARES}
    agents = (f"policy:{victim}",)
    table = {"steps": config.exploiter, "start": victim, "agents": agents, "baselines": agents, "past_share": 0.0}
    return from_table({**DOUBTING, **shared, **table})


def _start(config: Config, directory: Path) -> str:
    return str(directory / BEFORE / POLICY) if config.after else config.start


def _going_on(config: Config, directory: Path) -> Config:
    """The run itself, when all that it needs is there."""
    agents = (*config.agents, *(_exploiters(directory) if config.exploiter else []))
    return replace(config, after="", exploiter=0, start=_start(config, directory), agents=agents)


def _exploiters(directory: Path) -> list[str]:
    """That of the run and those of the parts before, the oldest first."""
    earlier = _exploiters(directory / BEFORE) if (directory / BEFORE).is_dir() else []
    own = directory / EXPLOITER / POLICY
    return [*earlier, f"policy:{own}"] if own.exists() else earlier
