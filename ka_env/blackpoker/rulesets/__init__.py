"""Rulesets: an edition in a format, and its tables as the kernels read them.

`RULES[ruleset]` holds one ruleset as a record; kernels read its columns and flags and never ask for a name.
A new format or edition is a new row here, not a change in the flow.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ka_env.blackpoker import RULESETS
from ka_env.blackpoker.cards import CARDS
from ka_env.blackpoker.codes import ACTION_CODE, ACTION_CODES, MAX_KEYS
from ka_env.blackpoker.rulesets import edition_6_1, edition_8_0
from ka_env.blackpoker.rulesets.rows import FORMATS, KEYS, OWN_SOLDIER_OF_SUIT, TARGETS, Action, Edition
from ka_env.errors import RulesetError, nearest

EDITIONS = {e.name: e for e in (edition_8_0.EDITION, edition_6_1.EDITION)}


COST_B, COST_L, COST_D, COST_S = 1, 2, 3, 4
LETTERS = {"B": COST_B, "L": COST_L, "D": COST_D, "S": COST_S}
MAX_COST = 3  # letters
MAX_CARDS = MAX_KEYS + MAX_COST  # of a hand, for one request
PACK_FRAMES = ("pack", "rare", "strategy")
RARE_FRAMES = ("rare", "strategy")

RULES_DTYPE = np.dtype(
    (
        np.record,
        [
            ("verbs", np.int64),  # verbs of the format
            ("main", np.int64),  # those open to the turn player on an empty stage
            ("quick", np.int64),  # those open to the turn player at other times
            ("quick_of_other", np.int64),  # those open to the other player
            ("normal", np.int64),  # those that go on the stage
            ("keyed", np.int64),  # those that show key cards of the hand
            ("rare_keyed", np.int64),  # those whose key is the rare card
            ("once", np.int64),  # those that may be announced once a turn
            ("counterable", np.int64),  # those that a counter may be aimed at
            # costs; the first index says whether a magician helps
            ("cost", np.int8, (2, ACTION_CODES, MAX_COST)),  # letters left to right, 0 = none
            ("beyond_bulwarks", np.int64, (2, MAX_COST + 1)),  # [.., k]: verbs that need more than k charged bulwarks
            ("needs_life", np.int64, 2),  # verbs with an L
            ("sacrifices", np.int64),  # verbs with an S
            ("beyond_units", np.int64, MAX_COST + 1),  # [k]: verbs that need more than k units
            ("discards", np.int8, (2, ACTION_CODES)),  # number of D
            ("beyond_cards", np.int64, (2, MAX_CARDS + 1)),  # [.., k]: keyed verbs that need more than k hand cards
            ("keys", np.int8, ACTION_CODES),  # how many keys
            ("first_key", np.int64, ACTION_CODES),  # cards that may be the first key
            ("pairing", np.int8, ACTION_CODES),  # row of PARTNERS for the second key
            ("combined", np.int64),  # keyed verbs of several keys, or whose key must match a unit
            ("target", np.int8, ACTION_CODES),  # index into TARGETS
            ("aiming", np.int64, len(TARGETS)),  # verbs by their target
            # flow
            ("pass_on_empty_stage", np.int8),
            ("fog", np.int8),
            ("fewer_by_bj", np.int8),
            ("both_at_zero_draws", np.int8),
            ("pack", np.int8),  # is there a pack?
            ("rare", np.int8),  # is there a rare card?
            ("strategy", np.int8),  # is a part of the first hand chosen?
        ],
    )
)

_PAIRS = [name for name, keys in KEYS.items() if keys.then is not None]
PARTNERS = np.array([KEYS[name].then for name in _PAIRS], dtype=np.int64)  # [pairing, key]: what the next key may be
assert PARTNERS.shape == (len(_PAIRS), CARDS)


class Parts(NamedTuple):
    """What the name of a ruleset says."""

    edition: Edition
    format: str
    frame: str  # pack, rare, strategy, setup, or nothing


def split(ruleset: str) -> Parts:
    edition, _, rest = ruleset.partition("-")
    fmt, _, frame = rest.partition("+")
    return Parts(EDITIONS[edition], fmt, frame)


def ruleset_index(name: str) -> int:
    if name in RULESETS:
        return RULESETS.index(name)
    raise RulesetError(f"unknown ruleset {name!r}: expected one of {', '.join(RULESETS)}{nearest(name, RULESETS)}")


@cache
def actions_of(ruleset: str) -> tuple[Action, ...]:
    """The rows of a ruleset: the actions of its format, of the formats inside it, and of its frame."""
    edition, fmt, frame = split(RULESETS[ruleset_index(ruleset)])
    formats = FORMATS[: FORMATS.index(fmt) + 1]
    return tuple(a for a in edition.actions if a.formats in formats and (not a.frames or frame in a.frames.split()))


def _cost_with(action: Action, edition: Edition, magician: int) -> str:
    """R4: what a magician's controller need not pay of quick magic."""
    if magician and action.type == "quick magic":
        return "".join(letter for letter in action.cost if letter not in edition.magician_waives)
    return action.cost


def _compile(ruleset: str) -> np.ndarray:
    edition, _, frame = split(ruleset)
    row = np.zeros((), RULES_DTYPE)
    for action in actions_of(ruleset):
        if action.verb not in ACTION_CODE:
            continue  # resolves at once when triggered: never announced, never on the stage
        code = ACTION_CODE[action.verb]
        keys = KEYS[action.keys]
        row["keys"][code] = keys.number
        row["first_key"][code] = keys.first
        row["pairing"][code] = _PAIRS.index(action.keys) if keys.then is not None else -1
        row["target"][code] = TARGETS.index(action.target)
        if action.timing == "triggered":
            continue
        bit = 1 << code
        row["verbs"] |= bit
        quick = action.timing == "quick"
        row["main"] |= bit * (action.who != "other")
        row["quick"] |= bit * (quick and action.who != "other")
        row["quick_of_other"] |= bit * (quick and action.who != "turn")
        row["counterable"] |= bit * action.counterable
        row["normal"] |= bit * (action.speed == "normal")
        rare = action.keys == "rare card"
        keyed = keys.number > 0 and not rare
        row["keyed"] |= bit * keyed
        row["combined"] |= bit * (keyed and (keys.number > 1 or row["target"][code] == OWN_SOLDIER_OF_SUIT))
        row["aiming"][row["target"][code]] |= bit
        row["rare_keyed"] |= bit * rare
        row["once"] |= bit * action.once
        row["sacrifices"] |= bit * ("S" in action.cost)
        for k in range(action.cost.count("S")):
            row["beyond_units"][k] |= bit
        for magician in range(2):
            cost = _cost_with(action, edition, magician)
            row["cost"][magician, code, : len(cost)] = [LETTERS[letter] for letter in cost]
            row["discards"][magician, code] = cost.count("D")
            for k in range(keyed * (keys.number + cost.count("D"))):
                row["beyond_cards"][magician, k] |= bit
            row["needs_life"][magician] |= bit * ("L" in cost)
            for k in range(cost.count("B")):
                row["beyond_bulwarks"][magician, k] |= bit
    row["pass_on_empty_stage"] = edition.pass_on_empty_stage
    row["fog"] = edition.fog
    row["fewer_by_bj"] = edition.fewer_by_bj
    row["both_at_zero_draws"] = edition.both_at_zero_draws
    row["pack"] = frame in PACK_FRAMES
    row["rare"] = frame in RARE_FRAMES
    row["strategy"] = frame == "strategy"
    return row


RULES = np.array([_compile(name) for name in RULESETS], dtype=RULES_DTYPE)
