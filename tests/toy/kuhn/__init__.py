"""Kuhn poker, some hands of it: who has won more chips wins. Only names are loaded here; GAME when asked."""

from importlib import import_module
from typing import Any

NAME = "kuhn"
TITLE = "Kuhn poker"
WORD = "kuhn"  # position texts begin with it
SUFFIX = ".kuhn"  # of record files
STYLES = ["honest"]  # the rules-based players
RULESETS = ["kuhn"]
FRAMES = ["short", "long"]
ENVIRONMENTS = {"ka/kuhn-v0": {"ruleset": "kuhn"}}  # PettingZoo's ids


def __getattr__(name: str) -> Any:
    if name == "GAME":
        return import_module("kuhn.game").GAME
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
