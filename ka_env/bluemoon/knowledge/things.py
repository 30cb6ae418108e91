"""Cards as the things that networks share weights over: what a card is depends on its owner's deck."""

from __future__ import annotations

from functools import cache

import numpy as np

from ka_env.bluemoon.cards import COLUMNS, DECKS, FACTS, ICONS, TYPES
from ka_env.bluemoon.codes import (
    CARDS,
    FACE_DOWN,
    FIRST_BLUFF,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_FACE_DOWN,
    FIRST_LOAD,
    NUM_ACTIONS,
)
from ka_env.bluemoon.knowledge.observe import SECTIONS, SIZE
from ka_env.engine.things import NOTHING, Things, columns_of, one_hot

# things: own cards, enemy cards, the enemy's face-down cards by number
_ENEMY, _DOWN = CARDS, 2 * CARDS
_THINGS = 2 * CARDS + FACE_DOWN
_BITS = {"icons": len(ICONS), "types": len(TYPES)}
_AS_NUMBERS = "fire earth amount capacity".split()
_CHOOSERS = ("own_people", "enemy_people")


def _facts() -> np.ndarray:
    """A row for each card of each deck, then one for each face-down card. Each value of a fact is a fact; and so is
    which card it is, for what its facts don't tell."""
    cards = len(DECKS) * CARDS
    there = FACTS["type"].ravel() >= 0
    parts = [one_hot(np.where(there, np.arange(cards), NOTHING), cards)]
    for name in COLUMNS:
        column = FACTS[name].ravel().astype(np.int64)
        if name in _BITS:
            parts.append((column[:, None] >> np.arange(_BITS[name]) & 1).astype(np.float32))
        else:
            parts.append(one_hot(np.unique(column, return_inverse=True)[1]))
        if name in _AS_NUMBERS:
            parts.append(np.minimum(column, 10)[:, None].astype(np.float32) / 10)
    told = np.concatenate(parts, axis=1) * there[:, None]
    out = np.zeros((cards + FACE_DOWN, told.shape[1] + FACE_DOWN), np.float32)
    out[:cards, : told.shape[1]] = told
    out[cards:, told.shape[1] :] = np.eye(FACE_DOWN, dtype=np.float32)
    return out


@cache
def things_of(ruleset: str) -> Things:
    """The same under all rulesets."""
    thing, zone = np.full(SIZE, NOTHING), np.full(SIZE, NOTHING)
    zones = 0
    for section in SECTIONS:
        columns = columns_of(SECTIONS, section.name)
        if section.name == "enemy_face_down":
            things = _DOWN + np.arange(FACE_DOWN)
        elif section.length == CARDS:  # the card that asks is the enemy's in a few decisions, which their kind tells
            things = np.arange(CARDS) + (_ENEMY if section.name.startswith("enemy") else 0)
        else:
            continue
        thing[columns], zone[columns] = things, zones
        zones += 1
    row = np.concatenate([np.arange(CARDS), np.arange(CARDS), len(DECKS) * CARDS + np.arange(FACE_DOWN)])
    chooser = np.repeat([0, 1, NOTHING], [CARDS, CARDS, FACE_DOWN])
    step = np.where(chooser >= 0, CARDS, 0)
    choosers = np.array([[columns_of(SECTIONS, name)[0], len(DECKS)] for name in _CHOOSERS])
    named, verb = np.full(NUM_ACTIONS, NOTHING), np.zeros(NUM_ACTIONS, np.int64)
    for number, first in enumerate((FIRST_CARD, FIRST_BLUFF, FIRST_LOAD, FIRST_ENEMY)):
        these = slice(first, first + CARDS)
        named[these] = np.arange(CARDS) + (_ENEMY if first == FIRST_ENEMY else 0)
        verb[these] = number
    named[FIRST_FACE_DOWN:], verb[FIRST_FACE_DOWN:] = _DOWN + np.arange(FACE_DOWN), 4
    return Things(thing, zone, _facts(), row, step, chooser, choosers, named, verb)
