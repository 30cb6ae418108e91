"""One game = one record. N games = one array of these records. Copy = assignment, equality and hash = bytes.

A card is its owner's deck slot minus one; sets of cards are the bits of an int64. Fields that each player has come
indexed by player. Unused places hold -1, so that equal positions have equal bytes. Wide fields first.
"""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon.cards import MAX_CAPACITY, PILE_OF_LEADERS, SHIPS
from ka_env.bluemoon.codes import AT_BEGIN, CARDS, EVENT_BYTES
from ka_env.engine.loops import RUNNING, head

STATE = np.dtype(
    (
        np.record,
        [
            *head(),  # words of `legal`: words and own cards, bluffs, loads, enemy and face-down cards
            # where cards are
            ("hand", np.int64, 2),
            ("open", np.int64, 2),  # hand cards laid open
            ("combat", np.int64, 2),  # combat area; its order is in `line`
            ("covered", np.int64, 2),
            ("support", np.int64, 2),  # support area; its order is in `row`
            ("down", np.int64, 2),  # face-down support cards
            ("discard", np.int64, 2),
            ("feats", np.int64, 2),  # achievements in play
            ("ships", np.int64, 2),  # influence area; the order and what they carry is in `fleet`, `cargo`
            ("landed", np.int64, 2),  # landed ships
            # marks and knowledge
            ("used", np.int64, 2),  # texts used this turn
            ("settled", np.int64, 2),  # demands on the owner's cards that the opponent has settled this turn
            ("seen", np.int64, 2),  # hidden cards whose place the opponent knows (B3)
            ("placed", np.int64, 2),  # cards of the own deck whose place the owner knows
            # the layers (section 4), computed anew after every change
            ("works", np.int64, 2),  # active cards whose text works
            ("mute", np.int64, 2),  # cards whose text is ignored
            ("blank", np.int64, 2),
            ("plain", np.int64, 2),  # cards whose icons are ignored, all but stop
            ("zero", np.int64, (2, 2)),  # [player, element]: cards whose printed value counts 0
            # the question under way
            ("picked", np.int64),  # cards picked so far
            ("drawn", np.int64),  # cards drawn by the text that asks
            ("due", np.int64),  # texts of this step that are still to come
            ("total", np.int16, 2),
            ("groups", np.int16),  # open pairs and gangs
            ("event_count", np.int16),  # bytes used in `events`
            ("script", np.int16),  # where the next given chance event stands in `events`; -1: events are drawn
            # the flow
            ("phase", np.int8),
            ("point", np.int8),  # where the flow goes on after the question
            ("fight", np.int8),
            ("retreater", np.int8),
            ("winner", np.int8),  # of the game that has just ended
            ("card", np.int8),  # the card being played, or whose text or demand asks
            ("room", np.int8),  # how it found room, as flags
            ("left", np.int8),  # cards still to be picked
            ("out", np.int8),  # who has the first-out mark
            ("hyla", np.int8),
            ("hyla_owner", np.int8),
            ("stale", np.int8),  # the layers have to be computed anew
            ("shown", np.int8),  # the decision has two or more options
            ("trial", np.int8),  # a copy inside the search for a way to finish the turn
            ("misfit", np.int8),  # a given chance event was not possible
            ("deck", np.int8, 2),
            ("dragons", np.int8, 2),
            ("crystals", np.int8, 2),
            ("did", np.int8, 11),  # counters of the turn record
            ("mark", np.int8, 5),  # marks of the turn record
            ("doubled", np.int8, 2),  # the caterpillar chosen last
            ("leader", np.int8, 2),  # the active leadership card
            # orders
            ("pile_count", np.int8, 2),
            ("pile", np.int8, (2, CARDS)),  # the deck, top card last
            ("line_count", np.int8, 2),
            ("line", np.int8, (2, CARDS)),
            ("row_count", np.int8, 2),
            ("row", np.int8, (2, CARDS)),
            ("fleet_count", np.int8, 2),
            ("fleet", np.int8, (2, SHIPS)),
            ("cargo_count", np.int8, (2, SHIPS)),
            ("cargo", np.int8, (2, SHIPS, MAX_CAPACITY)),
            ("lead_count", np.int8, 2),
            ("lead", np.int8, (2, PILE_OF_LEADERS)),  # top last
            ("events", np.int8, EVENT_BYTES),  # chance since the last decision: code, player, number, cards
            ("padding", np.int8, 6),
        ],
    )
)
assert STATE.itemsize % 8 == 0, STATE.itemsize

NOT_POSITION = ("rng", "events", "event_count", "script")  # no part of a position text


def blank(count: int) -> np.ndarray:
    """Records with no card anywhere, at the start of a turn of player 0."""
    games = np.zeros(count, STATE)
    for name in "pile line row fleet cargo lead events script retreater winner card out hyla hyla_owner".split():
        games[name] = -1
    games["doubled"] = games["leader"] = -1
    games["stale"] = 1
    games["kind"] = AT_BEGIN
    games["result"] = RUNNING
    return games
