"""Ids of every game: those it names (ENVIRONMENTS) for PettingZoo, `ka/<Title>-v0` for Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import pettingzoo

from ka_env.games import packages


def gymnasium_id(title: str) -> str:
    return f"ka/{title.replace(' ', '')}-v0"


def register(package: Any) -> None:
    """The ids of one game; those that are there already stay."""
    for name, options in package.ENVIRONMENTS.items():
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point="ka_env.envs.aec:env", kwargs=options)
    name = gymnasium_id(package.TITLE)
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="ka_env.envs.single:DuelEnv",
            vector_entry_point="ka_env.envs.vector:DuelVectorEnv",
            kwargs={"ruleset": package.RULESETS[0]},
        )


def register_all() -> None:
    for package in packages():
        register(package)
