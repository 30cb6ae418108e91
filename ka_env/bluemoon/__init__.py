"""Blue Moon, Reiner Knizia's two-player card game: an unofficial fan implementation. Cards are codes and facts only.

Only names are loaded here; GAME and Game when asked.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ka_env.bluemoon.declaration import GAME
    from ka_env.bluemoon.game import Game

NAME = "bluemoon"
TITLE = "Blue Moon"
WORD = "bm"  # position texts begin with it
SUFFIX = ".bm"  # of record files
STYLES = ["greedy", "miser", "bully"]  # the rules-based players
RULESETS = ["base", "base+opt", "base/match", "base+opt/match"]
PEOPLES = "hoax vulca mimix flit khind terrah pillar aqua buka".split()  # the ready-made decks, as in the table
FRAMES = [*(f"{a}-{b}" for a in PEOPLES for b in PEOPLES), "random"]
ENVIRONMENTS = {  # PettingZoo's ids; a match is another ruleset given to them
    "ka/bluemoon-base-v0": {"ruleset": "base"},
    "ka/bluemoon-opt-v0": {"ruleset": "base+opt"},
}

__all__ = ["ENVIRONMENTS", "FRAMES", "GAME", "NAME", "RULESETS", "STYLES", "SUFFIX", "TITLE", "WORD", "Game"]

_LATER = {"GAME": "ka_env.bluemoon.declaration", "Game": "ka_env.bluemoon.game"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
