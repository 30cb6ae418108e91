"""Agents by name: `random`, `name:option=value,...`. Other packages add theirs by the entry point `ka_env.agents`.

`python:package.module:Class,option=value` names any class that can be imported. `#tag` at the end makes another name
for the same agent: `random` can play `random#2`.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from ka_env.agents.base import Agent
from ka_env.errors import KaError, nearest
from ka_env.games import packages

ENTRY_POINT = "ka_env.agents"
PYTHON = "python"  # in place of a name: the class is named by its module

_BUILT_IN = {
    "random": "ka_env.agents.random_agent:RandomAgent",
    "ismcts": "ka_env.agents.ismcts_agent:IsmctsAgent",
    "policy": "ka_env.agents.policy_agent:PolicyAgent",
}
_RULES = "ka_env.agents.rules_agent:RulesAgent"
_TAG = re.compile(r"#\w+$")
_registered: dict[str, Callable[..., Agent]] = {}


class AgentError(KaError):
    """An unknown agent, or options it does not take."""


def register(name: str, factory: Callable[..., Agent]) -> None:
    """Make `factory(**options)` known under a name."""
    _registered[name] = factory


def style_names() -> list[str]:
    """The rules-based players of all games."""
    return sorted({style for package in packages() for style in package.STYLES})


def agent_names() -> list[str]:
    return sorted({*_BUILT_IN, *style_names(), *_registered, *(e.name for e in entry_points(group=ENTRY_POINT))})


def is_registered(spec: str) -> bool:
    """Is it known by `register`, so in this process only?"""
    return parse_spec(spec)[0] in _registered


def is_third_party(spec: str) -> bool:
    """Does it come from another package: by entry point or by `python:`? An unknown agent does not."""
    name = parse_spec(spec)[0]
    here = name in _registered or name in _BUILT_IN or name in style_names()
    return name == PYTHON or (not here and bool(entry_points(group=ENTRY_POINT, name=name)))


def _imported(path: str) -> Callable[..., Agent]:
    """The class `package.module:Class`."""
    module, colon, attribute = path.partition(":")
    if not (module and colon and attribute):
        raise AgentError(f"agent '{PYTHON}:{path}': expected {PYTHON}:package.module:Class")
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        raise AgentError(f"agent '{PYTHON}:{path}': {error}") from error
    factory = getattr(found, attribute, None)
    if not (isinstance(factory, type) and issubclass(factory, Agent)):
        classes = [name for name, value in vars(found).items() if isinstance(value, type) and issubclass(value, Agent)]
        raise AgentError(f"agent '{PYTHON}:{path}': {attribute!r} is no subclass of Agent{nearest(attribute, classes)}")
    return factory


def _loaded(path: str) -> Callable[..., Agent]:
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


def _factory(name: str) -> Callable[..., Agent]:
    if name in _registered:
        return _registered[name]
    if name in _BUILT_IN:
        return _loaded(_BUILT_IN[name])
    if name in style_names():
        return partial(_loaded(_RULES), name)
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
    """`name:word,option=value#tag` as name, plain words and options; the tag is only part of how it is called."""
    name, _, rest = _TAG.sub("", spec).partition(":")
    words, options = [], {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if equals:
            options[key.strip()] = _value(value.strip())
        else:
            words.append(part.strip())
    return name.strip(), words, options


_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false"}


def _is_kind(value: Any, kind: str) -> bool:
    """May a value be given where an option is annotated so? 1e3 is a whole number, too."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if kind == "bool":
        return isinstance(value, bool)
    return value is None if kind == "None" else number and (kind == "float" or value == int(value))


def _check_kind(spec: str, option: str, value: Any, annotation: Any) -> None:
    """Options annotated as numbers (also `int | None`) take numbers: what is something else is said here, by name."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    kinds = [kind.strip() for kind in text.split("|")]
    if not {*kinds} <= {*_KINDS, "None"} or any(_is_kind(value, kind) for kind in kinds):
        return
    expected = " or ".join(_KINDS[kind] for kind in kinds if kind in _KINDS)
    raise AgentError(f"agent {spec!r}: {option} must be {expected}, not {value!r}")


def make_agent(spec: str | Agent) -> Agent:
    """An agent from its name and options, e.g. `ismcts:iterations=1000`."""
    if isinstance(spec, Agent):
        return spec
    if not isinstance(spec, str):
        raise AgentError(f"agent {spec!r}: expected a name such as 'random', or an object of a subclass of Agent")
    name, words, options = parse_spec(spec)
    factory = _imported(words.pop(0) if words else "") if name == PYTHON else _factory(name)
    signature = inspect.signature(factory)
    try:
        given = signature.bind(*words, **options)
    except TypeError as error:
        taken = list(signature.parameters)
        hint = "".join(nearest(option, taken) for option in options if option not in taken)
        raise AgentError(f"agent {spec!r}: {error}; its options are {', '.join(taken) or 'none'}{hint}") from None
    for option, value in given.arguments.items():
        _check_kind(spec, option, value, signature.parameters[option].annotation)
    try:
        agent = factory(*words, **options)
    except KaError:
        raise
    except (TypeError, ValueError) as error:
        raise AgentError(f"agent {spec!r}: {error}") from error
    agent.name = spec
    return agent
