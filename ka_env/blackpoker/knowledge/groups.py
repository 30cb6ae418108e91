"""The flat observation as groups of like things, for networks that look at cards, units and requests one by one.

A group is a table of places in the observation: one row per card, unit or request, one column per feature. What is
in no group describes the table as a whole.
"""

from __future__ import annotations

import numpy as np

from ka_env.blackpoker.cards import CARDS
from ka_env.blackpoker.knowledge.observe import REQUEST, SECTIONS, SIZE, UNIT

_PLACES = {section.name: np.arange(section.offset, section.offset + section.length) for section in SECTIONS}
_BY_CARD = [places for places in _PLACES.values() if len(places) == CARDS]

GROUPS: dict[str, np.ndarray] = {
    "cards": np.stack(_BY_CARD, axis=1),
    "own_units": _PLACES["own_units"].reshape(-1, UNIT),
    "enemy_units": _PLACES["enemy_units"].reshape(-1, UNIT),
    "requests": _PLACES["stage_top"].reshape(-1, REQUEST),
}
_USED = np.concatenate([places.ravel() for places in GROUPS.values()])
GROUPS["table"] = np.setdiff1d(np.arange(SIZE), _USED)[None]
