"""Decisions: one row for each kind of question, in the order of the notation.

What may be chosen, whether a question fits a position, what the opponent doesn't see and how it is put in words follow
from the rows. What a row can't say stands in the file of the action that asks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ka_env.blackpoker.codes import ACTION_CODE, WORDS

# who is asked
CHANCE_HOLDER, REQUESTER, CASTER, OPPONENT, TARGET_OWNER, EACH_PLAYER = range(6)

# what is offered beside plain words
(
    NOTHING,
    REQUESTABLE_VERBS,
    BULWARKS_TO_DRIVE,
    CARDS_TO_DISCARD,
    KEYS_TO_NAME,
    TARGETS_TO_NAME,
    OWN_HAND,
    OWN_GRAVE,
    ENEMY_HAND,
    UNITS_OF_ACTION,  # own units; which ones is the action's own affair: see `options` in actions/
    CARDS_OF_ACTION,  # cards, likewise
    UNITS_TO_GIVE_UP,
    NEW_TARGETS,
    CARDS_OF_DECK,  # while the game is set up
) = range(14)


@dataclass(frozen=True)
class Kind:
    """One row: a kind of question."""

    name: str
    asked: int  # who is asked
    offers: int  # cards, units, requests or verbs
    words: str = ""  # plain tokens and verbs
    by: str = ""  # the actions whose effect asks it; none: it is part of making a request
    hidden: bool = False  # the opponent doesn't see what is chosen
    repeated: bool = False  # asked again and again until all is said


ROWS = (
    Kind("chance", CHANCE_HOLDER, REQUESTABLE_VERBS),  # and to pass, where that is allowed
    Kind("pay_bulwark", REQUESTER, BULWARKS_TO_DRIVE),
    Kind("pay_discard", REQUESTER, CARDS_TO_DISCARD),
    Kind("key", REQUESTER, KEYS_TO_NAME),
    Kind("target", REQUESTER, TARGETS_TO_NAME),
    Kind("bulwark_card", CASTER, OWN_HAND, by="bulwark", hidden=True),
    Kind("discard", CASTER, OWN_HAND, by="end", repeated=True),
    Kind("draw_more", CASTER, NOTHING, "yes no", by="draw"),
    Kind("attackers", CASTER, UNITS_OF_ACTION, "done", by="attack", repeated=True),
    Kind("blockers", OPPONENT, UNITS_OF_ACTION, "done", by="block", repeated=True),
    Kind("twist", CASTER, NOTHING, "drive charge", by="twist"),
    Kind("search_card", CASTER, CARDS_OF_ACTION, by="search bj"),  # 8.0's bj: also `done`
    Kind("fortify", CASTER, NOTHING, "one two", by="fortify"),
    Kind("grave_card", CASTER, OWN_GRAVE, by="reanimate reunion"),
    Kind("strip_card", CASTER, ENEMY_HAND, by="strip"),
    Kind("lance_order", TARGET_OWNER, CARDS_OF_ACTION, by="lance", repeated=True),
    Kind("reverse_state", CASTER, NOTHING, "drive charge", by="reverse"),
    Kind("pay_sacrifice", REQUESTER, UNITS_TO_GIVE_UP),
    Kind("quick_form", CASTER, NOTHING, "bulwark ace", by="quick"),
    Kind("new_target", CASTER, NEW_TARGETS, by="redirect"),
    Kind("recruit_order", CASTER, CARDS_OF_ACTION, by="recruit", repeated=True),
    Kind("pack_card", CASTER, CARDS_OF_ACTION, by="open"),
    Kind("first_hand", EACH_PLAYER, CARDS_OF_DECK, hidden=True, repeated=True),
    Kind("rare", EACH_PLAYER, CARDS_OF_DECK, hidden=True),
)
KINDS = [row.name for row in ROWS]
ROW = {row.name: row for row in ROWS}

AT_CHANCE = KINDS.index("chance")
AT_PAY_BULWARK = KINDS.index("pay_bulwark")
AT_PAY_DISCARD = KINDS.index("pay_discard")
AT_KEY = KINDS.index("key")
AT_TARGET = KINDS.index("target")
AT_BULWARK_CARD = KINDS.index("bulwark_card")
AT_DISCARD = KINDS.index("discard")
AT_DRAW_MORE = KINDS.index("draw_more")
AT_ATTACKERS = KINDS.index("attackers")
AT_BLOCKERS = KINDS.index("blockers")
AT_TWIST = KINDS.index("twist")
AT_SEARCH_CARD = KINDS.index("search_card")
AT_FORTIFY = KINDS.index("fortify")
AT_GRAVE_CARD = KINDS.index("grave_card")
AT_STRIP_CARD = KINDS.index("strip_card")
AT_LANCE_ORDER = KINDS.index("lance_order")
AT_REVERSE_STATE = KINDS.index("reverse_state")
AT_PAY_SACRIFICE = KINDS.index("pay_sacrifice")
AT_QUICK_FORM = KINDS.index("quick_form")
AT_NEW_TARGET = KINDS.index("new_target")
AT_RECRUIT_ORDER = KINDS.index("recruit_order")
AT_PACK_CARD = KINDS.index("pack_card")
AT_FIRST_HAND = KINDS.index("first_hand")
AT_RARE = KINDS.index("rare")
AT_END = len(KINDS)  # the game is over: nobody is asked anything


def _kinds(rows: list[str]) -> int:
    return sum(1 << KINDS.index(name) for name in rows)


# ---- the rows as the kernels read them; the last place is AT_END's ---------------------------------------------------

_WORD = ACTION_CODE | {word: i for i, word in enumerate(WORDS)}
ASKED = np.array([row.asked for row in ROWS] + [-1], np.int64)
OFFERS = np.array([row.offers for row in ROWS] + [NOTHING], np.int64)
WORDS_OF = np.array([sum(1 << _WORD[word] for word in row.words.split()) for row in ROWS] + [0], np.int64)
ASKED_BY = np.array([sum(1 << ACTION_CODE[verb] for verb in row.by.split()) for row in ROWS] + [0], np.int64)
MAKING = _kinds([row.name for row in ROWS if row.asked == REQUESTER])  # set of kinds: a request is being made
SETTING_UP = _kinds([row.name for row in ROWS if row.asked == EACH_PLAYER])  # set of kinds: the deal is still to come
HIDDEN = _kinds([row.name for row in ROWS if row.hidden])  # set of kinds whose answer the opponent doesn't see
