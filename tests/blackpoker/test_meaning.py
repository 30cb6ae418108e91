"""What the numbers of an observation mean: whole vectors, written by hand from docs/environment.md."""

from pathlib import Path

import numpy as np
import pytest

from ka_env import Game
from ka_env.blackpoker import GAME
from tests.observed import differences, entity_differences, meaning, page_sections, positions, vector

SECTIONS = page_sections("environment.md")
POSITIONS = Path(__file__).parents[2] / "docs" / "positions"


def cards(text, value=1.0):
    """The places of cards in a section of 54: A-K of spades, hearts, diamonds, clubs, then the Jokers."""
    return dict.fromkeys(map(card, text.split()), value)


def card(name):
    return 51 + int(name[1]) if name[0] == "X" else "shdc".index(name[1]) * 13 + "A23456789TJQK".index(name[0])


def in_field(**units):
    """u2="9h 2h": the cards of the unit in slot 2, bottom first, as own_piles and enemy_piles tell them."""
    return {
        card(name): -(int(slot[1:]) * 13 + height + 1) / 512
        for slot, names in units.items()
        for height, name in enumerate(names.split())
    }


def grave(text):
    return {card(name): (i + 1) / 54 for i, name in enumerate(text.split())}


def unit(slot, number=0, suit="", size=0, change=0, blocks=None, **marks):
    """A unit's 15 numbers: bulwark soldier charged came haste attacker picked, blocks, size, change, number, suit."""
    names = "bulwark soldier charged came haste attacker picked".split()
    at = slot * 15
    told = {at + names.index(name): 1 for name in marks}
    told |= {at + 8: size / 13, at + 9: change / 10, at + 10: number / 13}
    if blocks is not None:
        told[at + 7] = (blocks + 1) / 32
    if suit:
        told[at + 11 + "shdc".index(suit)] = 1
    return told


def counts(*numbers):
    return {i: n / 54 for i, n in enumerate(numbers)}


LISTED = "As 2s 3s 4s 5s Ah 8h 9h Th Jh Ad 3d 7d Td Qd Ac 5c 6c Tc Kc"  # entry20


def listed_but(text):
    """1/4 for each card of the list that is not in sight."""
    return cards(" ".join(name for name in LISTED.split() if name not in text.split()), 1 / 4)


# Player 1 attacks; player 0, who blocks twice, has passed.
FIGHT_0 = {
    "ruleset": {0: 1},
    "decider": {1: 1},
    "decision": {0: 1},
    "passed": {0: 1},
    "used": {1: 1},
    "counts": counts(9, 4, 4, 11, 3, 3),
    "own_hand": cards("3d Ac 5c Kc"),
    "own_life": cards("As 3s 4s Ah Jh Ad 7d 6c Tc", 1 / 2),
    "own_piles": grave("2s 5s Th Qd") | in_field(u0="Td", u1="8h"),
    "enemy_hidden": listed_but("Qd Tc Jh"),  # the top of the grave and both soldiers are in sight
    "enemy_piles": {card("Qd"): 3 / 8} | in_field(u1="Tc", u2="Jh"),
    "own_fog": {18: 2 / 64},  # 9h on the own unit in slot 1
    "own_units": unit(0, 10, "d", bulwark=1, charged=1, blocks=1)
    | unit(1, 8, "h", soldier=1, charged=1, blocks=2, size=17, change=9),
    "enemy_units": unit(0, bulwark=1, charged=1)
    | unit(1, 10, "c", soldier=1, attacker=1, size=10)
    | unit(2, 11, "h", soldier=1, attacker=1, size=11),
    "stage_count": {0: 1 / 32},
    "stage_top": {0: -1, 24: 1},  # the enemy's damage
    "stage": {0: ((64 + 23) * 128 + 1) / 16384},  # of the enemy, action 23, no target
}
FIGHT_1 = {
    "ruleset": {0: 1},
    "turn": {0: 1},
    "decider": {0: 1},
    "decision": {0: 1},
    "passed": {1: 1},
    "used": {1: 1},
    "counts": counts(11, 3, 3, 9, 4, 4),
    "own_hand": cards("2s 5s Kc"),
    "own_life": cards("4s Ah 8h 9h Th Ad 3d Td Ac 5c 6c", 1 / 2),
    "own_piles": grave("As 3s Qd") | in_field(u0="7d", u1="Tc", u2="Jh"),
    "enemy_hidden": listed_but("Qd 8h 9h"),
    "enemy_piles": {card("Qd"): 3 / 8} | in_field(u1="8h"),
    "enemy_fog": {18: 34 / 64},  # on the unit in the enemy's slot 1: number 33
    "own_units": unit(0, 7, "d", bulwark=1, charged=1)
    | unit(1, 10, "c", soldier=1, attacker=1, size=10)
    | unit(2, 11, "h", soldier=1, attacker=1, size=11),
    "enemy_units": unit(0, bulwark=1, charged=1, blocks=1)
    | unit(1, 8, "h", soldier=1, charged=1, blocks=2, size=17, change=9),
    "stage_count": {0: 1 / 32},
    "stage_top": {0: 1, 24: 1},
    "stage": {0: (23 * 128 + 1) / 16384},
}
# Player 0's soldier, player 1's counter aimed at it.
ANSWER_0 = {
    "ruleset": {0: 1},
    "turn": {0: 1},
    "decider": {0: 1},
    "decision": {0: 1},
    "passed": {1: 1},
    "used": {0: 1},
    "counts": counts(7, 6, 3, 10, 5, 2),
    "own_hand": cards("3s Jh 3d Qd 5c Kc"),
    "own_life": cards("As 4s Ah 8h Td Ac 6c", 1 / 2),
    "own_piles": grave("2s 5s Th") | in_field(u0="7d", u1="Tc", u2="Ad"),
    "enemy_hidden": listed_but("Kc 8h Tc"),
    "enemy_piles": {card("Kc"): 3 / 8} | in_field(u1="8h"),
    "own_units": unit(0, 7, "d", bulwark=1)
    | unit(1, 10, "c", soldier=1, charged=1, size=10)
    | unit(2, 1, "d", bulwark=1, charged=1, came=1),
    "enemy_units": unit(0, bulwark=1, charged=1) | unit(1, 8, "h", soldier=1, charged=1, size=8),
    "stage_count": {0: 2 / 32},
    "stage_top": {
        **{0: -1, 12: 1, 25: 10 / 13, 29: 1, 30: 1 / 32},  # the enemy's counter, 10, at request 0
        **{31: 1, 31 + 4: 1, 31 + 25: 9 / 13},  # the own soldier, 9
    },
    "stage": {
        0: (3 * 128 + 1) / 16384,
        1: (card("9h") + 1) * 64 / 4096,
        2: ((64 + 11) * 128 + 64 + 2) / 16384,
        3: (card("Tc") + 1) * 64 / 4096,
    },
}

# A lance of player 0 at the own stack; one of its cards is placed. Lists are unknown: any card may lie face down.
LANCE = """ka 1
rules 8.0-std
turn 0
chance 0
passed -
used bulwark
life0 7h Kd 2s
hand0 4d Qs X1
grave0 9d 3h
field0 0:s9h+2h+4h 2:b4c/d 9:sAs*
fog0 -
life1 2c Jh 3c
hand1 4s 5s 6h
grave1 8d Tc
field1 0:bQs 3:bTh 12:s7c/d~-3
fog1 3s>1.12
stage 0:0.lance(5s,3d)>0.0
known0 6h@hand 3c@life.2 Qs@field.0 8d@grave 2s@own.2
known1 -
pending lance_order order=9h
"""
LANCE_0 = {
    "ruleset": {1: 1},
    "turn": {0: 1},
    "decider": {0: 1},
    "decision": {15: 1},
    "used": {0: 1},
    "counts": counts(3, 3, 2, 3, 3, 2),
    "order": {0: (card("9h") + 1) / 54},
    "own_hand": cards("4d Qs X1"),
    "own_life": cards("7h Kd", 1 / 2) | {card("2s"): 1 - 2 / 110},
    "own_piles": grave("9d 3h") | in_field(u0="9h 2h 4h", u2="4c", u9="As"),
    "enemy_hidden": dict.fromkeys(range(54), 1 / 4)
    | cards("6h")
    | cards("3c Qs 8d Tc 7c 3s", 0),  # known, or in sight: not unknown any more
    "enemy_piles": {card("3c"): 1 - 2 / 110, card("8d"): 1 / 4, card("Tc"): 3 / 8} | in_field(u0="Qs", u12="7c"),
    "enemy_fog": {2: (32 + 12 + 1) / 64},
    "own_units": unit(0, 9, "h", soldier=1, charged=1, size=15) | unit(2, 4, "c", bulwark=1),
    "enemy_units": unit(0, 12, "s", bulwark=1, charged=1) | unit(3, bulwark=1, charged=1),
    "own_far_units": {1: ((2 + 4 + 8) * 256 + 128) / 2**20},  # soldier, charged, came
    "enemy_far_units": {4: (2 * 256 - 3 + 128) / 2**20},  # soldier, driven, three smaller
    "stage_count": {0: 1 / 32},
    "stage_top": {0: 1, 17: 1, 25: 5 / 13, 26: 3 / 13, 27: 1, 30: 1 / 32},
    "stage": {0: (16 * 128 + 2) / 16384, 1: ((card("5s") + 1) * 64 + card("3d") + 1) / 4096},
}

# Paying for a hero: one bulwark driven.
HERO = """ka 1
rules 6.1-std
turn 1
chance 1
passed -
used -
life0 7h 8h
hand0 5h
grave0 -
field0 0:b2s
life1 2s 3s
hand1 Kc Kh
grave1 -
field1 1:bAc/d 4:b3c 5:b6d
stage -
pending pay_bulwark hero paid=1 slot=1
"""
HERO_1 = {
    "ruleset": {3: 1},
    "turn": {0: 1},
    "decider": {0: 1},
    "decision": {1: 1},
    "counts": counts(2, 2, 0, 2, 1, 0),
    "request": {4: 1},
    "paid": {0: 1 / 3, 1: 2 / 32},
    "own_hand": cards("Kc Kh"),
    "own_life": cards("2s 3s", 1 / 2),
    "own_piles": in_field(u1="Ac", u4="3c", u5="6d"),
    "enemy_hidden": dict.fromkeys(range(54), 1 / 4),
    "own_units": unit(1, 1, "c", bulwark=1)
    | unit(4, 3, "c", bulwark=1, charged=1)
    | unit(5, 6, "d", bulwark=1, charged=1),
    "enemy_units": unit(0, bulwark=1, charged=1),
}

# Beyond lite and std: a force, packs, an rsf aimed at the viewer.
MAST = """ka 1
rules 8.0-mast+pack
turn 0
chance 1
passed 0
used attack
life0 7h 8h
hand0 4d
grave0 -
field0 1:s5h 2:sX1*
force 14
fog0 4h>all Th>all
pack0 open 9s Kc
life1 2c Jh 3c
hand1 4s 5s
grave1 -
field1 -
fog1 -
pack1 closed 9h 3d Qd
stage 0:1.twist(2d)>0.1 1:0.rsf(Ad,Td,Jd,Qd,Kd)>p1
"""
MAST_1 = {
    "decider": {0: 1},
    "decision": {0: 1},
    "passed": {1: 1},
    "used": {1: 1},
    "counts": counts(3, 2, 0, 2, 1, 0),
    "own_hand": cards("4s 5s"),
    "own_life": cards("2c Jh 3c 9h 3d Qd", 1 / 2),
    "enemy_hidden": dict.fromkeys(range(54), 1 / 4) | cards("5h X1 4h Th Ad Td Jd Qd Kd", 0),
    "enemy_piles": in_field(u1="5h", u2="X1"),
    "enemy_fog": {13: 65 / 64, 19: 65 / 64},  # on all soldiers
    "enemy_units": unit(1, 5, "h", soldier=1, charged=1, size=19)
    | unit(2, soldier=1, charged=1, came=1, haste=1, size=14),
    "stage_count": {0: 2 / 32},
    "stage_top": {0: -1, 25: 1 / 13, 26: 10 / 13} | {31: 1, 31 + 11: 1, 31 + 25: 2 / 13, 31 + 28: 1, 31 + 30: 2 / 32},
    "stage": {
        0: (10 * 128 + 32 + 1 + 2) / 16384,
        1: (card("2d") + 1) * 64 / 4096,
        2: ((64 + 24 + 6) * 128 + 96 + 2) / 16384,
        3: ((card("Ad") + 1) * 64 + card("Td") + 1) / 4096,
    },
    "rules": {13: 1},
    "more_stage_top": {6: 1, 19: 1},
    "force": {1: 14 / 20},
    "packs": {0: 1, 1: 3 / 14, 4: 2 / 14},
}


@pytest.mark.parametrize(
    ("text", "player", "told"),
    [
        ((POSITIONS / "fight.txt").read_text(encoding="utf-8"), 0, FIGHT_0),
        ((POSITIONS / "fight.txt").read_text(encoding="utf-8"), 1, FIGHT_1),
        ((POSITIONS / "answer.txt").read_text(encoding="utf-8"), 0, ANSWER_0),
        (LANCE, 0, LANCE_0),
        (HERO, 1, HERO_1),
        (MAST, 1, MAST_1),
    ],
    ids=["fight, 0", "fight, 1", "answer, 0", "lance, 0", "hero, 1", "mast, 1"],
)
def test_observations_are_as_the_page_says(text, player, told):
    seen = Game.from_text(text).observation(player)
    assert seen.shape == (1015 if "rules" in told else 812,)
    assert differences(SECTIONS, seen, vector(SECTIONS, seen.size, told)) == []


# ---- by entity ------------------------------------------------------------------------------------------------------


def rows(side, text, *numbers):
    """Equal rows of some cards."""
    return {(side, card(name)): numbers for name in text.split()}


def placed(side, zone, text, first=1):
    return {(side, card(name)): (zone, first + i) for i, name in enumerate(text.split())}


FIGHT_THINGS = {
    "cards": rows(0, "3d Ac 5c Kc", 1)
    | rows(0, "As 3s 4s Ah Jh Ad 7d 6c Tc", 2)
    | placed(0, 3, "2s 5s Th Qd")
    | {(0, card("Td")): (4, 0), (0, card("8h")): (4, 1), (0, card("9h")): (5, 2)}
    | rows(1, LISTED, 8)
    | {(1, card("Qd")): (3, 1), (1, card("Tc")): (4, 1), (1, card("Jh")): (4, 2)},
    "units": {
        (0, 0): (1, 1, 0, 0, 0, 0, 2, 0, 0, 1),
        (0, 1): (2, 1, 0, 0, 0, 0, 3, 17, 9, 1),
        (1, 0): (1, 1),
        (1, 1): (2, 0, 0, 0, 1, 0, 0, 10, 0, 1),
        (1, 2): (2, 0, 0, 0, 1, 0, 0, 11, 0, 1),
    },
    "stage": {0: (1, 1, 23)},
    "table": {...: (0, 0, 2, 0, 0, 1, 0, 1, 9, 4, 4, 11, 3, 3, 0, 0, 0, 0, 1)},
}
LANCE_THINGS = {
    "cards": rows(0, "4d Qs X1", 1)
    | rows(0, "7h Kd", 2)
    | rows(0, "2s", 2, 3)
    | placed(0, 3, "9d 3h")
    | {(0, card("9h")): (4, 0, 0), (0, card("2h")): (4, 0, 1), (0, card("4h")): (4, 0, 2)}
    | {(0, card("4c")): (4, 2), (0, card("As")): (4, 9), (0, card("5s")): (6, 0, 0), (0, card("3d")): (6, 0, 1)}
    | {(1, n): (8,) for n in range(54)}
    | rows(1, "6h", 1)
    | rows(1, "3c", 2, 3)
    | {(1, card("8d")): (3, 0), (1, card("Tc")): (3, 1), (1, card("Qs")): (4, 0), (1, card("7c")): (4, 12)}
    | {(1, card("3s")): (5, 32 + 12 + 1)},
    "units": {
        (0, 0): (2, 1, 0, 0, 0, 0, 0, 15, 0, 1),
        (0, 2): (1, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        (0, 9): (2, 1, 1, 1, 0, 0, 0, 1, 0, 1),
        (1, 0): (1, 1, 0, 0, 0, 0, 0, 0, 0, 1),
        (1, 3): (1, 1),
        (1, 12): (2, 0, 0, 0, 0, 0, 0, 4, -3, 1),
    },
    "stage": {0: (1, 0, 16, 2, 0, 2)},
    "table": {...: (1, 1, 1, 0, 15, 0, 1, 0, 3, 3, 2, 3, 3, 2, 0, 0, 0, 0, 1, card("9h") + 1)},
}
MAST_THINGS = {
    "cards": rows(0, "4s 5s", 1)
    | rows(0, "2c Jh 3c 9h 3d Qd", 2)
    | rows(0, "2d", 6, 0, 0)
    | {(1, n): (8,) for n in range(54)}
    | {(1, card("5h")): (4, 1), (1, card("X1")): (4, 2), (1, card("4h")): (5, 65), (1, card("Th")): (5, 65)}
    | {(1, card(name)): (6, 1, i) for i, name in enumerate("Ad Td Jd Qd Kd".split())},
    "units": {(1, 1): (2, 1, 0, 0, 0, 0, 0, 19, 0, 1), (1, 2): (2, 1, 1, 1, 0, 0, 0, 14, 0, 1)},
    "stage": {0: (1, 0, 10, 3, 1, 1), 1: (1, 1, 30, 5, 0, 5)},
    "table": {
        ...: (13, 0, 1, 0, 0, 2, 0, 1, 3, 2, 0, 2, 1, 0, 0, 0, 0, 0, 2, *[0] * 13, 0, 0, 1, 3, 0, 14, 0, 0, 2, 0, 0)
    },
}


@pytest.mark.parametrize(
    ("text", "player", "told"),
    [
        ((POSITIONS / "fight.txt").read_text(encoding="utf-8"), 0, FIGHT_THINGS),
        (LANCE, 0, LANCE_THINGS),
        (MAST, 1, MAST_THINGS),
    ],
    ids=["fight, 0", "lance, 0", "mast, 1"],
)
def test_entities_are_as_the_page_says(text, player, told):
    assert entity_differences(Game.from_text(text).entities(player), told) == []


# ---- all numbers: what policies are held to -------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["8.0-lite", "8.0-mast"])
def test_the_numbers_mean_what_is_declared(ruleset):
    """If they are meant to change: new hashes (`python -m tests.observed`), a new version of the environments."""
    assert meaning(GAME, ruleset) == GAME.meaning_of(ruleset)


def test_the_fixed_positions_tell_most_numbers():
    """A change of a number that no position tells would go unnoticed."""
    told = np.zeros(1015, bool)
    for position in positions(GAME):
        for player in range(2):
            row = position.observation(player)
            told[: row.size] |= row != 0
    empty = {name for name, (at, length) in SECTIONS.items() if not told[at : at + length].any()}
    assert empty == set()
    assert told.sum() >= 850
    kinds = {position.decision for position in positions(GAME)}
    assert kinds >= set(GAME.kinds) - {"first_hand", "rare"}  # before the deal: no text begins there
