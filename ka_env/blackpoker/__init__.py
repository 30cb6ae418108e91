"""BlackPoker: rules, notation, records, rules-based players. Only names are loaded here; GAME and Game when asked."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ka_env.blackpoker.declaration import GAME
    from ka_env.blackpoker.game import Game

NAME = "blackpoker"
TITLE = "BlackPoker"
WORD = "ka"  # position texts begin with it
SUFFIX = ".ka"  # of record files
STYLES = ["greedy", "rush", "wall"]  # the rules-based players
RULESETS = ["8.0-lite", "8.0-std", "6.1-lite", "6.1-std"]
FRAMES = ["entry20", "full54", "deck40", "half27", "custom"]
ENVIRONMENTS = {f"ka/blackpoker-{ruleset}-v0": {"ruleset": ruleset} for ruleset in RULESETS}  # PettingZoo's ids

__all__ = ["ENVIRONMENTS", "FRAMES", "GAME", "NAME", "RULESETS", "STYLES", "SUFFIX", "TITLE", "WORD", "Game"]

_LATER = {"GAME": "ka_env.blackpoker.declaration", "Game": "ka_env.blackpoker.game"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
