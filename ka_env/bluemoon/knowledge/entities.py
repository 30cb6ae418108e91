"""The same knowledge as `observe`, by entity: a row of small integers per card, with its facts, and one for the table.

The facts come with the cards, so that one network can play all decks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon.cards import (
    ABILITIES,
    COLUMNS,
    CONDITIONS,
    DECKS,
    FACTS,
    GROUPS,
    ICONS,
    NEEDS,
    PEOPLES,
    TARGETS,
    TIMINGS,
    TYPES,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_MEET, AT_SHIP, CARDS, COUNTERS, MARKS
from ka_env.bluemoon.knowledge.observe import unseen_cards
from ka_env.bluemoon.layers.ignored import active
from ka_env.bluemoon.rulesets import LISTS
from ka_env.bluemoon.zones import closed
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING, WON_0

Rows = Any

PLACES = "nowhere unseen deck hand combat support ship cargo leadership discard achievement hyla".split()
(NOWHERE, UNSEEN, DECK, HAND, COMBAT, SUPPORT, SHIP, CARGO, LEAD, DISCARD, FEAT, HYLA) = range(12)

STATE_COLUMNS = [
    "place: " + ", ".join(f"{i} {name}" for i, name in enumerate(PLACES)),
    "place in its order from 1: deck from the top if known, areas and piles as played; 0 without one",
    "ship it is on, from 1",
    "open",
    "covered",
    "face down",
    "active",
    "used this turn",
    "chosen caterpillar",
    "landed",
    "demand settled",
    "its text asks",
    "picked (told to the decider)",
    "just drawn (told to the decider)",
]
_STATES = len(STATE_COLUMNS)
_WORDS = {  # facts that are places in a list, and facts that are its bits
    "type": TYPES,
    "people": PEOPLES,
    "group": GROUPS,
    "timing": TIMINGS,
    "ability": ABILITIES,
    "target": TARGETS,
    "need": NEEDS,
    "condition": CONDITIONS,
}
_BITS = {"icons": ICONS, "types": TYPES, "element": ["fire", "earth"]}


def _fact_column(name: str) -> str:
    if name in _BITS:
        return f"fact: {name}, the sum of " + ", ".join(f"{1 << i} {word}" for i, word in enumerate(_BITS[name]))
    words = ", ".join(f"{i} {word}" for i, word in enumerate(_WORDS.get(name, [])) if word != "-")
    return f"fact: {name}: {words}" if words else f"fact: {name}"


FACT_COLUMNS = [_fact_column(name) for name in COLUMNS]
TABLE_COLUMNS = [
    *"ruleset|own deck|enemy deck|1 if own turn|decider: 0 nobody, 1 own, 2 enemy|result: 0 none, 1 won, 2 lost".split(
        "|"
    ),
    *"phase + 1|decision kind + 1|fight: 0 none, 1 open, 2 fire, 3 earth|own dragons|enemy dragons".split("|"),
    *"own crystals|enemy crystals|first out: 0 nobody, 1 own, 2 enemy|own total|enemy total".split("|"),
    *"own deck count|own hand|own closed hand|own face down".split("|"),
    *"enemy deck count|enemy hand|enemy closed hand|enemy face down".split("|"),
    "cards that must still be picked (told to the decider)",
    *(f"record: {name}" for name in COUNTERS),
    *(f"mark: {name}" for name in MARKS),
    *(f"open group: {name}" for name in GROUPS),
]
_FIXED = len(TABLE_COLUMNS) - len(COUNTERS) - len(MARKS) - len(GROUPS)
GROUP_COUNT = len(GROUPS)
FACE_DOWN_PLACES = 20

# name: shape and, for the last axis, what each number is. Side 0 is the viewer's own.
ENTITIES: dict[str, tuple[tuple[int, ...], list[str]]] = {
    "cards": ((2, CARDS, _STATES + len(FACT_COLUMNS)), STATE_COLUMNS + FACT_COLUMNS),
    "face_down": (
        (2, FACE_DOWN_PLACES),
        [f"face-down card {i}: its place in the support area from 1" for i in range(20)],
    ),
    "table": ((len(TABLE_COLUMNS),), TABLE_COLUMNS),
}
assert all(shape[-1] == len(meaning) for shape, meaning in ENTITIES.values())

CARD_FACTS = np.ascontiguousarray(np.stack([FACTS[name] for name in COLUMNS], axis=2))  # [deck, card, column]
assert CARD_FACTS.shape[0] == len(DECKS)


@kernel
def entities(s: State, p: int, i: int, groups: Any) -> None:
    """Fill row i of the int16 arrays (cards, face_down, table) with what p sees."""
    all_cards, all_face_down, all_table = groups
    cards, face_down, table = all_cards[i], all_face_down[i], all_table[i]
    cards[:] = 0
    face_down[:] = 0
    list_table(s, p, table)
    for side in range(2):
        q = p if side == 0 else 1 - p
        unseen = 0 if side == 0 else unseen_cards(s, q)
        placed = s.placed[q] if side == 0 else s.seen[q]
        list_facts(s, q, cards[side])
        list_hidden(s, q, ~unseen, placed, cards[side])
        list_table_cards(s, q, ~unseen, cards[side], face_down[side])
        list_piles(s, q, cards[side])
        list_ships(s, q, cards[side])
        set_flag(cards[side], unseen, 0, UNSEEN)
        list_flags(s, q, ~unseen, cards[side])
    list_question(s, p, cards)


@kernel
def set_flag(rows: Rows, cards: int, column: int, value: int) -> None:
    while cards:
        rows[lowest(cards), column] = value
        cards = without_lowest(cards)


@kernel
def put(rows: Rows, card: int, place: int, order: int) -> None:
    rows[card, 0] = place
    rows[card, 1] = order


@kernel
def list_facts(s: State, q: int, rows: Rows) -> None:
    d = s.deck[q]
    cards = LISTS[d, s.ruleset]
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        for i in range(CARD_FACTS.shape[2]):
            rows[card, _STATES + i] = CARD_FACTS[d, card, i]


@kernel
def list_hidden(s: State, q: int, visible: int, placed: int, rows: Rows) -> None:
    n = s.pile_count[q]
    for i in range(n):
        card = s.pile[q, i]
        if visible & BIT[card]:
            put(rows, card, DECK, n - i if placed & BIT[card] else 0)
    set_flag(rows, s.hand[q] & visible, 0, HAND)


@kernel
def list_table_cards(s: State, q: int, visible: int, rows: Rows, face_down: Rows) -> None:
    for i in range(s.line_count[q]):
        put(rows, s.line[q, i], COMBAT, i + 1)
    number = 0
    for i in range(s.row_count[q]):
        card = s.row[q, i]
        if visible & BIT[card]:
            put(rows, card, SUPPORT, i + 1)
        if s.down[q] & BIT[card]:
            face_down[number] = i + 1
            number += 1


@kernel
def list_piles(s: State, q: int, rows: Rows) -> None:
    set_flag(rows, s.discard[q], 0, DISCARD)
    set_flag(rows, s.feats[q], 0, FEAT)
    for i in range(s.lead_count[q]):
        put(rows, s.lead[q, i], LEAD, i + 1)
    if s.hyla >= 0 and s.hyla_owner == q:
        rows[s.hyla, 0] = HYLA


@kernel
def list_ships(s: State, q: int, rows: Rows) -> None:
    for i in range(s.fleet_count[q]):
        put(rows, s.fleet[q, i], SHIP, i + 1)
        for k in range(s.cargo_count[q, i]):
            card = s.cargo[q, i, k]
            put(rows, card, CARGO, k + 1)
            rows[card, 2] = i + 1


@kernel
def list_flags(s: State, q: int, visible: int, rows: Rows) -> None:
    set_flag(rows, s.open[q], 3, 1)
    set_flag(rows, s.covered[q], 4, 1)
    set_flag(rows, s.down[q] & visible, 5, 1)
    set_flag(rows, active(s, q) & visible, 6, 1)
    set_flag(rows, s.used[q], 7, 1)
    if s.doubled[q] >= 0:
        rows[s.doubled[q], 8] = 1
    set_flag(rows, s.landed[q], 9, 1)
    set_flag(rows, s.settled[q], 10, 1)


@kernel
def list_question(s: State, p: int, cards: Rows) -> None:
    if s.card >= 0 and (s.kind != AT_SHIP or s.player == p):
        owner = 1 - s.player if s.kind == AT_MEET else s.turn
        cards[int(owner != p), s.card, 11] = 1
    if s.player == p:
        set_flag(cards[0], s.picked, 12, 1)
        set_flag(cards[0], s.drawn, 13, 1)


@kernel
def list_table(s: State, p: int, table: Rows) -> None:
    table[:] = 0
    table[0] = s.ruleset
    table[1] = s.deck[p]
    table[2] = s.deck[1 - p]
    if s.result == RUNNING:
        table[3] = s.turn == p
        table[4] = 1 + (s.player != p)
        table[6] = s.phase + 1
        table[7] = s.kind + 1
    else:
        table[5] = 1 + (s.result != WON_0 + p)
    table[8] = s.fight
    table[13] = 0 if s.out < 0 else 1 + (s.out != p)
    for side in range(2):
        q = p if side == 0 else 1 - p
        table[9 + side] = s.dragons[q]
        table[11 + side] = s.crystals[q]
        table[14 + side] = s.total[q]
        table[16 + side * 4] = s.pile_count[q]
        table[17 + side * 4] = count(s.hand[q])
        table[18 + side * 4] = count(closed(s, q))
        table[19 + side * 4] = count(s.down[q])
    if s.player == p:
        table[24] = s.left
    at = _FIXED
    for i in range(s.did.size):
        table[at + i] = s.did[i]
    at += s.did.size
    for i in range(s.mark.size):
        table[at + i] = s.mark[i]
    at += s.mark.size
    for i in range(GROUP_COUNT):
        table[at + i] = s.groups & BIT[i] != 0
