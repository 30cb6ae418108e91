"""Agents by name: `random`, `name:option=value,...`. Other packages add theirs by the entry point `ka_env.agents`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from agents.base import Agent
from ka_env.errors import KaError, nearest

ENTRY_POINT = "ka_env.agents"

_BUILT_IN = {"random": "agents.random_agent:RandomAgent"}
_registered: dict[str, Callable[..., Agent]] = {}


class AgentError(KaError):
    """An unknown agent, or options it does not take."""


def register(name: str, factory: Callable[..., Agent]) -> None:
    """Make `factory(**options)` known under a name."""
    _registered[name] = factory


def agent_names() -> list[str]:
    return sorted({*_BUILT_IN, *_registered, *(e.name for e in entry_points(group=ENTRY_POINT))})


def _factory(name: str) -> Callable[..., Agent]:
    if name in _registered:
        return _registered[name]
    if name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[name].partition(":")
        return getattr(import_module(module), attribute)
    for found in entry_points(group=ENTRY_POINT, name=name):
        return found.load()
    names = agent_names()
    raise AgentError(f"unknown agent {name!r}: expected one of {', '.join(names)}{nearest(name, names)}")


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def parse_spec(spec: str) -> tuple[str, list[str], dict[str, Any]]:
    """`name:word,option=value` as name, plain words and options."""
    name, _, rest = spec.partition(":")
    words, options = [], {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if equals:
            options[key.strip()] = _value(value.strip())
        else:
            words.append(part.strip())
    return name.strip(), words, options


def make_agent(spec: str | Agent) -> Agent:
    """An agent from its name and options, e.g. `ismcts:iterations=1000`."""
    if isinstance(spec, Agent):
        return spec
    name, words, options = parse_spec(spec)
    factory = _factory(name)
    try:
        inspect.signature(factory).bind(*words, **options)
    except TypeError as error:
        taken = list(inspect.signature(factory).parameters)
        hint = "".join(nearest(option, taken) for option in options if option not in taken)
        raise AgentError(f"agent {spec!r}: {error}; its options are {', '.join(taken) or 'none'}{hint}") from None
    agent = factory(*words, **options)
    agent.name = spec
    return agent
