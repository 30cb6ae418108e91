"""The games. Env, vector env, agents, arena and training know a game only through the names below."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

import numpy as np

from ka_env.errors import RulesetError, nearest

GAMES = {"blackpoker": "ka_env.blackpoker"}


class KaGame(Protocol):
    """What a game package offers."""

    RULESETS: list[str]
    NUM_ACTIONS: int
    OBSERVATION_SIZE: int
    ENTITIES: dict[str, tuple[tuple[int, ...], list[str]]]  # the observation by entity: shapes and meanings
    Game: Any  # one readable game
    kernels: Any  # views, deal_games, step_games, first_illegal, settle_games, random_actions, determinize_games ...

    @staticmethod
    def blank(count: int) -> np.ndarray: ...
    @staticmethod
    def ruleset_index(name: str) -> int: ...
    @staticmethod
    def default_frame(ruleset: str) -> str: ...
    @staticmethod
    def frame_lists(frame: str, deck0: Any = None, deck1: Any = None) -> tuple[np.ndarray, int, bool]: ...
    @staticmethod
    def token(action_id: int) -> str: ...
    @staticmethod
    def action_id(token: str) -> int: ...


def load_game(name: str) -> KaGame:
    if name not in GAMES:
        raise RulesetError(f"unknown game {name!r}: expected one of {', '.join(GAMES)}{nearest(name, GAMES)}")
    return import_module(GAMES[name])  # type: ignore[return-value]


def copy_records(records: np.ndarray, which: Any = slice(None)) -> np.ndarray:
    """A copy of some records. NumPy copies structured arrays field by field; as plain bytes it goes much faster."""
    plain = records.view(np.dtype(f"V{records.dtype.itemsize}"))[which]
    return (plain.copy() if plain.base is not None else plain).view(records.dtype)
