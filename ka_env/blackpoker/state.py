"""One game = one record. N games = one array of these records. Copy = assignment, equality and hash = bytes.

Sets (of cards, of slots) are the bits of an int64. Fields that each player has come indexed by player.
Unused places hold -1, so that equal positions have equal bytes. Wide fields first: everything stays aligned.
"""

from __future__ import annotations

import numpy as np

from ka_env.blackpoker.cards import CARDS
from ka_env.blackpoker.codes import MAX_KEYS, SLOTS, STAGE
from ka_env.engine.loops import head

STATE = np.dtype(
    (
        np.record,
        [
            *head(),  # see engine/loops.py; at a chance decision `player` is the chance holder
            # the flow
            ("passed", np.int8),
            ("charge_due", np.int8),  # triggered, not yet resolved
            ("push_due", np.int8),  # triggered normal request: its action code, else -1
            # sets of verbs and cards
            ("used", np.int64),  # once-a-turn verbs already announced
            ("deck", np.int64, 2),
            ("hand", np.int64, 2),
            ("fog", np.int64, 2),
            ("seen", np.int64, 2),  # cards whose place the opponent knows (R1), face-up cards included
            ("placed", np.int64, 2),  # cards of the own life whose place the owner knows
            # units: sets of slots, then what each slot holds
            ("bulwarks", np.int64, 2),
            ("soldiers", np.int64, 2),
            ("charged", np.int64, 2),
            ("came", np.int64, 2),  # came this turn
            ("haste", np.int64, 2),
            ("attackers", np.int64, 2),
            ("picked", np.int64),  # attackers picked so far, not yet declared
            ("sizes", np.int16, (2, SLOTS)),  # sum of the numbers of the unit's cards
            ("change", np.int16, (2, SLOTS)),  # ups minus downs of this turn
            ("force", np.int16),  # added to the size of every soldier of the turn player
            ("bottom", np.int8, (2, SLOTS)),  # the unit's bottom card
            ("blocks", np.int8, (2, SLOTS)),  # enemy slot of the attacker this unit blocks
            ("successions", np.int8, 2),  # triggered, not yet resolved
            # the request being made, or immediate and being resolved
            ("verb", np.int8),
            ("paid", np.int8),  # cost letters paid so far
            ("paid_slot", np.int8),  # unit driven or given up last for it
            ("key", np.int8, MAX_KEYS),  # keys named so far
            ("attacker", np.int8),  # whose blockers are being named
            ("ordered", np.int8),  # how many cards are named: by lance deepest first, by recruit highest first, by bj
            ("order", np.int8, 13),  # those cards
            # the stage: index 0 is its bottom
            ("stage_count", np.int8),
            ("stage_action", np.int8, STAGE),
            ("stage_player", np.int8, STAGE),
            ("stage_key", np.int8, (STAGE, MAX_KEYS)),
            ("stage_target", np.int8, STAGE),  # NO_TARGET, GONE, a unit, or 64 + index of a request
            # piles: the top card is the last one
            ("life_count", np.int8, 2),
            ("grave_count", np.int8, 2),
            ("life", np.int8, (2, CARDS)),
            ("grave", np.int8, (2, CARDS)),
            # links of single cards
            ("above", np.int8, (2, CARDS)),  # the next card up in the same unit
            ("fog_link", np.int8, (2, CARDS)),  # unit a fog card acts on: player * 32 + slot
            # the latest shuffle of a life in play
            ("shuffled_by", np.int8),  # -1: none yet
            ("shuffled_count", np.int8),
            ("shuffled", np.int8, CARDS),  # the life right after it, top last
            # frames: pack, rare card, what is chosen before the deal
            ("pack_closed", np.int8, 2),
            ("rare", np.int8, 2),  # the card in the rare zone
            ("rare_chosen", np.int8, 2),
            ("list_unknown", np.int8, 2),  # a match: the owner doesn't know the own list
            ("pack", np.int64, 2),
            ("first_hand", np.int64, 2),
            # a variant: linked spades in the fog that add to a size
            ("fog_plus", np.int64, 2),
            # a match with two decks each: what is known of this one beforehand (zero in single games)
            ("surely", np.int64, 2),  # cards that the opponent knows to be in the deck
            ("never", np.int64, 2),  # cards that the opponent knows not to be in it
        ],
    )
)
assert STATE.itemsize % 8 == 0
assert all(dict(STATE.fields or {})[name][1] % STATE[name].base.itemsize == 0 for name in STATE.names or ())

NOT_POSITION = (
    *("rng", "shuffled_by", "shuffled_count", "shuffled"),
    *("first_hand", "rare_chosen", "surely", "never", "list_unknown"),
)  # no part of a position text


def blank(count: int) -> np.ndarray:
    """Records with no card anywhere and nothing announced."""
    games = np.zeros(count, STATE)
    for name in "life grave above fog_link bottom blocks order shuffled shuffled_by push_due rare rare_chosen".split():
        games[name] = -1
    for name in "verb paid_slot key attacker stage_action stage_player stage_key stage_target".split():
        games[name] = -1
    return games
