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
RULESETS = [
    *("8.0-lite", "8.0-std", "6.1-lite", "6.1-std"),
    *("8.0-pro", "8.0-mast", "6.1-pro", "6.1-mast"),
    *("8.0-std+pack", "8.0-std+rare", "8.0-pro+pack", "8.0-pro+rare", "8.0-pro+strategy"),
    *("8.0-mast+pack", "8.0-mast+rare", "8.0-mast+strategy"),
    "8.0-lite+setup",
]
FRAMES = ["entry20", "full54", "deck40", "half27", "custom"]
ENVIRONMENTS = {  # PettingZoo's ids; a plus sign may not stand in them
    f"ka/blackpoker-{ruleset.replace('+', '-')}-v0": {"ruleset": ruleset} for ruleset in RULESETS
}

__all__ = ["ENVIRONMENTS", "FRAMES", "GAME", "NAME", "RULESETS", "STYLES", "SUFFIX", "TITLE", "WORD", "Game"]

_LATER = {"GAME": "ka_env.blackpoker.declaration", "Game": "ka_env.blackpoker.game"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
