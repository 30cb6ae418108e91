"""Runs that follow each other: one with the setting `after` goes on from what another preset makes.

That one is trained first, in the folder `before` of the run's directory. Until then the run itself is only a plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ka_env.training.checkpoint import CheckpointError
from ka_env.training.config import BEFORE, Config, from_table, load_config, presets
from ka_env.training.run import Run, refuse_taken

PLAN = "plan.json"
SHARED = ("rules", "network", "width", "advised", "trainer", "tensorboard", "threads", "workers")


def begun(config: Config, directory: str | Path, command: str = "", quiet: bool = False) -> Iterator[Run]:
    """The runs to train, one after the other: each is made when the one before it is done."""
    directory = Path(directory)
    if config.after:
        refuse_taken(directory)
        refuse_taken(directory, PLAN)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / PLAN).write_text(json.dumps({"config": config.table, "command": command}, indent=1) + "\n")
        yield from begun(_first(config), directory / BEFORE, command, quiet)
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
    if any((directory / BEFORE / file).exists() for file in ("config.json", PLAN)):
        yield from resumed(directory / BEFORE, quiet=quiet)
    else:
        yield from begun(_first(config), directory / BEFORE, command, quiet)
    yield Run(_going_on(config, directory), directory, command, quiet)


def _first(config: Config) -> Config:
    """What is trained before: the preset, with all that has to be the same. If it names smaller layers, the network
    becomes wider afterwards."""
    shared = {name: getattr(config, name) for name in SHARED}
    named = presets()[config.after].get("hidden", config.hidden)
    alike = config.network == "mlp" and len(named) == len(config.hidden)
    hidden = tuple(map(min, named, config.hidden)) if alike else config.hidden
    return load_config(config.after, overrides={**shared, "hidden": hidden})


def _going_on(config: Config, directory: Path) -> Config:
    return replace(config, after="", start=str(directory / BEFORE / "policy.npz")) if config.after else config
