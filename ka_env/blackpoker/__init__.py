"""BlackPoker: rules, notation, records, rules-based players."""

from importlib import import_module
from typing import Any

import numpy as np

from ka_env.blackpoker import kernels
from ka_env.blackpoker.codes import NUM_ACTIONS, WON_0
from ka_env.blackpoker.deal import FRAMES, frame_lists
from ka_env.blackpoker.decisions import action_id, token
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.observe import ENTITIES
from ka_env.blackpoker.observe import SIZE as OBSERVATION_SIZE
from ka_env.blackpoker.rulesets import RULESETS, ruleset_index
from ka_env.blackpoker.state import blank

__all__ = [
    "ENTITIES",
    "FRAMES",
    "NUM_ACTIONS",
    "OBSERVATION_SIZE",
    "RULESETS",
    "Game",
    "action_id",
    "blank",
    "default_frame",
    "frame_lists",
    "kernels",
    "margins",
    "ruleset_index",
    "token",
]


def default_frame(ruleset: str) -> str:
    """entry20 is 8.0 lite's one official frame; everything else is played with full decks."""
    return "entry20" if ruleset == "8.0-lite" else "full54"


def margins(records: np.ndarray) -> np.ndarray:
    """How far the winner of each finished game was from losing: the life cards left; 0 for a draw."""
    winner = records["result"].astype(int) - WON_0
    lives = records["life_count"][np.arange(len(records)), np.clip(winner, 0, 1)]
    return np.where((winner == 0) | (winner == 1), lives, 0)


def __getattr__(name: str) -> Any:
    """`strategies`, the rules-based players, are only loaded when somebody asks for them."""
    if name == "strategies":
        return import_module("ka_env.blackpoker.strategies")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
