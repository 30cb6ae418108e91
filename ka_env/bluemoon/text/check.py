"""Which bytes are a game: asked of records that come from files, before any kernel touches them."""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon.codes import CARDS, EVENT_BYTES
from ka_env.bluemoon.state import NOT_POSITION, STATE
from ka_env.games import load_game
from ka_env.valid import refuse_unless_written_back, refuse_where

CARD_SETS = "hand open combat covered support down discard feats ships landed used settled seen placed".split()
COUNTS = {"pile_count": "pile", "line_count": "line", "row_count": "row", "fleet_count": "fleet", "lead_count": "lead"}
ORDERS = "pile line row fleet cargo".split()


def check(records: np.ndarray) -> None:
    """Raises NotationError unless every record is a position its own text describes."""
    for name in CARD_SETS:
        refuse_where(records[name] >> CARDS != 0, f"{name} has places beyond {CARDS}")
    for name in ORDERS:
        refuse_where((records[name] < -1) | (records[name] >= CARDS), f"{name} is out of range")
    for name, order in COUNTS.items():
        room = STATE[order].shape[-1]
        refuse_where((records[name] < 0) | (records[name] > room), f"{name} is out of range")
    room = STATE["cargo"].shape[-1]
    refuse_where((records["cargo_count"] < 0) | (records["cargo_count"] > room), "cargo_count is out of range")
    refuse_where((records["event_count"] < 0) | (records["event_count"] > EVENT_BYTES), "event_count is out of range")
    refuse_where((records["script"] < -1) | (records["script"] >= EVENT_BYTES), "script is out of range")
    refuse_unless_written_back(load_game("bluemoon"), records, NOT_POSITION)
