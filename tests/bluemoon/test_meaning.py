"""What the numbers of an observation mean: whole vectors written by hand from docs/bluemoon_environment.md."""

from pathlib import Path

import numpy as np
import pytest

from ka_env.bluemoon import GAME, Game
from tests.observed import differences, entity_differences, meaning, page_sections, positions, vector

SECTIONS = page_sections("bluemoon_environment.md")
POSITIONS = Path(__file__).parents[2] / "docs" / "positions"
FIGHT = (POSITIONS / "bluemoon_fight.txt").read_text(encoding="utf-8")
# decks in the order of their slots
KHIND = [*(f"K{n}" for n in range(1, 19)), *"K20 K21 K22 K25 K27 K28 K29 K30 A30 H15 M29 X101".split()]
BUKA = [f"U{n}" for n in range(1, 31)]
SLOT = {code: slot for deck in (KHIND, BUKA) for slot, code in enumerate(deck)}


def cards(text, value=1.0):
    return {SLOT[code]: value for code in text.split()}


def in_order(text, parts, first=1):
    """Cards one after another: first, first + 1 … of so many parts."""
    return {SLOT[code]: (first + i) / parts for i, code in enumerate(text.split())}


def numbers(*values):
    return dict(enumerate(values))


KHIND_GONE = "K3 K4 K9 K11 K16 K17 K28 X101"
BUKA_GONE = "U2 U5 U7 U8 U10 U12 U13 U14 U15 U23 U26 U28 U30"
COVERED_KHIND, COVERED_BUKA = in_order("K8 K13 K20 K22 K18", 40), in_order("U22 U9 U21", 40)

FIGHT_0 = {
    "ruleset": {0: 1},
    "own_people": {4: 1},
    "enemy_people": {8: 1},
    "turn": {0: 1},
    "decider": {0: 1},
    "phase": {2: 1},
    "decision": {2: 1},
    "fight": {3: 1},
    "dragons": {1: 2 / 3},
    "totals": {0: 4 / 20, 1: 4 / 20},  # K6 and K5; U18, and two for the face-down card
    "counts": numbers(4 / 40, 7 / 40, 7 / 40, 0, 2 / 40, 6 / 40, 6 / 40, 1 / 40),
    "own_deck": cards("K25 K15 K21 K1", 1 / 2),
    "own_hand": cards("K2 K7 K10 K12 K14 K27 H15"),
    "own_combat": in_order("K6 K5", 40, first=6),
    "own_covered": COVERED_KHIND,
    "own_support": cards("M29", 1 / 40),
    "own_piles": cards(KHIND_GONE, 1 / 4) | in_order("K30 A30 K29", 20, first=9),
    "enemy_combat": cards("U18", 4 / 40),
    "enemy_covered": COVERED_BUKA,
    "enemy_ships": cards("U29", 1 / 10),
    "enemy_cargo": in_order("U3 U20", 20),
    "enemy_piles": cards(BUKA_GONE, 1 / 4) | cards("U27", 9 / 20),
    "enemy_unseen": cards("U6 U11 U1 U4 U17 U19 U24 U25 U16"),
    "enemy_face_down": {0: 1 / 40},
}
FIGHT_1 = {
    "ruleset": {0: 1},
    "own_people": {8: 1},
    "enemy_people": {4: 1},
    "decider": {1: 1},
    "phase": {2: 1},
    "decision": {2: 1},
    "fight": {3: 1},
    "dragons": {0: 2 / 3},
    "totals": {0: 4 / 20, 1: 4 / 20},
    "counts": numbers(2 / 40, 6 / 40, 6 / 40, 1 / 40, 4 / 40, 7 / 40, 7 / 40, 0),
    "own_deck": cards("U6 U11", 1 / 2),
    "own_hand": cards("U1 U4 U17 U19 U24 U25"),
    "own_combat": cards("U18", 4 / 40),
    "own_covered": COVERED_BUKA,
    "own_down": cards("U16", 1 / 40),
    "own_ships": cards("U29", 1 / 10),
    "own_cargo": in_order("U3 U20", 20),
    "own_piles": cards(BUKA_GONE, 1 / 4) | cards("U27", 9 / 20),
    "enemy_hand": cards("K14"),  # known1
    "enemy_combat": in_order("K6 K5", 40, first=6),
    "enemy_covered": COVERED_KHIND,
    "enemy_support": cards("M29", 1 / 40),
    "enemy_piles": cards(KHIND_GONE, 1 / 4) | in_order("K30 A30 K29", 20, first=9),
    "enemy_unseen": cards("K25 K15 K21 K1 K2 K7 K10 K12 K27 H15"),
}

# Player 0 has played the ship U29, which may take three cards from hand, and has put U2 on it.
LOADING = """bm 1
rules base
decks Buka Khind
turn 0
phase leadership
fight -
dragons 0 0
deck0 U3 U5 U6 U7 U8 U9 U10 U11 U12 U13 U14 U15 U16 U17 U18 U19 U20 U21 U22 U23 U25 U26 U28 U30
hand0 U1 U2 U4 U24 U27 U29
combat0 -
support0 -
discard0 -
deck1 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18 K20 K21 K22 K25 K27 K28 K29 K30 A30 H15 M29 X101
hand1 K1 K2
combat1 -
support1 -
discard1 -
"""
LOADING_0 = {
    "ruleset": {0: 1},
    "own_people": {8: 1},
    "enemy_people": {4: 1},
    "turn": {0: 1},
    "decider": {0: 1},
    "phase": {1: 1},
    "decision": {18: 1},
    "fight": {0: 1},
    "record": {0: 1 / 8},
    "turn_marks": {0: 1},
    "counts": numbers(24 / 40, 4 / 40, 4 / 40, 0, 28 / 40, 2 / 40, 2 / 40, 0),
    "own_deck": cards(
        "U3 U5 U6 U7 U8 U9 U10 U11 U12 U13 U14 U15 U16 U17 U18 U19 U20 U21 U22 U23 U25 U26 U28 U30", 1 / 2
    ),
    "own_hand": cards("U1 U4 U24 U27"),
    "own_ships": cards("U29", 1 / 10),
    "own_cargo": cards("U2", 1 / 20),
    "enemy_unseen": dict.fromkeys(range(30), 1),
    "asking": cards("U29"),
    "picked": cards("U2"),  # more may be picked, none must: left is 0
}


def position(text, moves):
    game = Game.from_text(text)
    if moves:
        game.play(moves)
    return game


@pytest.mark.parametrize(
    ("text", "moves", "player", "told"),
    [(FIGHT, "", 0, FIGHT_0), (FIGHT, "", 1, FIGHT_1), (LOADING, "U29 U2", 0, LOADING_0)],
    ids=["fight, 0", "fight, 1", "loading, 0"],
)
def test_observations_are_as_the_page_says(text, moves, player, told):
    seen = position(text, moves).observation(player)
    assert seen.shape == (1133,)
    assert differences(SECTIONS, seen, vector(SECTIONS, 1133, told)) == []


# ---- by entity: the state of the cards and the table; then the facts of a few cards ----------------------------------


def rows(side, text, *row):
    return {(side, SLOT[code]): row for code in text.split()}


def played(side, place, text, *flags):
    return {(side, SLOT[code]): (place, 1 + i, 0, *flags) for i, code in enumerate(text.split())}


FIGHT_THINGS = {
    "cards": rows(0, "K25 K15 K21 K1", 2)
    | rows(0, "K2 K7 K10 K12 K14 K27 H15", 3)
    | played(0, 4, "K8 K13 K20 K22 K18", 0, 1)  # covered
    | {(0, SLOT["K6"]): (4, 6, 0, 0, 0, 0, 1), (0, SLOT["K5"]): (4, 7, 0, 0, 0, 0, 1)}  # active
    | played(0, 5, "M29", 0, 0, 0, 1)
    | played(0, 8, "K30 A30 K29")
    | rows(0, KHIND_GONE, 9)
    | played(1, 4, "U22 U9 U21", 0, 1)
    | {(1, SLOT["U18"]): (4, 4, 0, 0, 0, 0, 1), (1, SLOT["U29"]): (6, 1, 0, 0, 0, 0, 1)}
    | {(1, SLOT["U3"]): (7, 1, 1), (1, SLOT["U20"]): (7, 2, 1), (1, SLOT["U27"]): (8, 1)}
    | rows(1, BUKA_GONE, 9)
    | rows(1, "U6 U11 U1 U4 U17 U19 U24 U25 U16", 1),
    "face_down": {1: (1,)},
    "table": {...: (0, 4, 8, 1, 1, 0, 3, 3, 3, 0, 2, 0, 0, 0, 4, 4, 4, 7, 7, 0, 2, 6, 6, 1)},
}
LOADING_THINGS = {
    "cards": {(0, slot): (2,) for slot in range(30)}
    | rows(0, "U1 U4 U24 U27", 3)
    | {(0, SLOT["U29"]): (6, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)}  # active, its text asks
    | {(0, SLOT["U2"]): (7, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)}  # picked
    | {(1, slot): (1,) for slot in range(30)},
    "table": {...: (0, 8, 4, 1, 1, 0, 2, 19, *[0] * 8, 24, 4, 4, 0, 28, 2, 2, 0, 0, 1, *[0] * 10, 1)},
}


@pytest.mark.parametrize(
    ("text", "moves", "told"),
    [(FIGHT, "", FIGHT_THINGS), (LOADING, "U29 U2", LOADING_THINGS)],
    ids=["fight", "loading"],
)
def test_entities_are_as_the_page_says(text, moves, told):
    seen = position(text, moves).entities(0)
    state = {**seen, "cards": seen["cards"][:, :, :14]}
    assert entity_differences(state, told) == []


def test_facts_are_those_of_the_cards():
    """Types and peoples in the order of the page's lists; icons are the sum of theirs."""
    own, enemy = Game.from_text(FIGHT).entities(0)["cards"][:, :, 14:]
    first = "type people fire earth icons".split()
    assert dict(zip(first, own[SLOT["K13"]])) == {"type": 0, "people": 7, "fire": 1, "earth": 3, "icons": 1 << 9}
    assert dict(zip(first, own[SLOT["M29"]])) == {"type": 2, "people": 8, "fire": 0, "earth": 0, "icons": 0}
    assert dict(zip(first, enemy[SLOT["U24"]])) == {"type": 1, "people": 9, "fire": 2, "earth": 2, "icons": 1 << 4}
    assert dict(zip(first, enemy[SLOT["U23"]])) == {"type": 0, "people": 9, "fire": 2, "earth": 2, "icons": 0b111}
    assert enemy[SLOT["U29"], 0] == 4 and enemy[SLOT["U29"], 6] == 3  # a ship for three
    assert not own[30:].any() and not enemy[30:].any()  # slots without a card


# ---- all numbers: what policies are held to -------------------------------------------------------------------------


def test_the_numbers_mean_what_is_declared():
    """If they are meant to change: a new hash (`python -m tests.observed`), a new version of the environments."""
    assert meaning(GAME, "base") == GAME.meaning_of("base")


def test_the_fixed_positions_tell_most_numbers():
    """A change of a number that no position tells would go unnoticed."""
    told = np.zeros(1133, bool)
    for position in positions(GAME):
        for player in range(2):
            told |= position.observation(player) != 0
    empty = {name for name, (at, length) in SECTIONS.items() if not told[at : at + length].any()}
    assert empty == set()
    assert told.sum() >= 780
