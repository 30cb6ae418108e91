"""What a player sees, as one flat vector with named sections (notation, section 7).

Everything is told from the viewer's side: "own" and "enemy". It holds what the viewer may know and nothing else: of the
enemy's hidden cards only those the viewer can follow (B3), of the decks the places the viewer knows. What has been
picked in the decision under way is told to the one who decides.
"""

from __future__ import annotations

from typing import Any

from ka_env.bluemoon.cards import DECKS, GROUPS
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_MEET, AT_SHIP, CARDS, COUNTERS, FACE_DOWN, FIGHTS, KINDS, MARKS, PHASES
from ka_env.bluemoon.rulesets import LISTS, RULESETS
from ka_env.bluemoon.zones import closed, pile_cards
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING, WON_0
from ka_env.engine.sections import lay_out

Row = Any


_ZONES = (
    ("deck", "1/2 for each card in the deck; at known place k from the top: 1 - k / 80"),
    ("hand", "1 for each card in hand"),
    ("open", "1 for each card that lies open in hand"),
    ("combat", "active in the combat area: (place in the order played + 1) / 40"),
    ("covered", "covered in the combat area: the same"),
    ("support", "face up in the support area: (place in the order played + 1) / 40"),
    ("down", "face down in the support area: the same"),
    ("ships", "ships: (place in the order played + 1) / 10, and 1/2 more when landed"),
    ("cargo", "cards on ships: (place of the ship * 4 + place on it + 1) / 20"),
    ("piles", "discard pile 1/4; leadership pile (9 + place from the bottom) / 20; achievements -1/2; Hyla place -1"),
    ("marks", "1 text used this turn, 1/2 doubled caterpillar, 3/4 active leadership card, -1 demand settled"),
)

SECTIONS = lay_out(
    ("ruleset", len(RULESETS), f"one of {', '.join(RULESETS)}"),
    ("own_people", len(DECKS), f"own deck, one of {', '.join(DECKS)}"),
    ("enemy_people", len(DECKS), "the enemy's deck"),
    ("turn", 1, "the viewer is the turn player"),
    ("decider", 2, "who decides: own, enemy (neither after the game)"),
    ("result", 2, "won, lost"),
    ("phase", len(PHASES), f"one of {', '.join(PHASES)}"),
    ("decision", len(KINDS), "decision kind, in the order of the notation"),
    ("fight", len(FIGHTS), "none, open, fire, earth"),
    ("dragons", 2, "own, enemy: dragons / 3"),
    ("crystals", 2, "own, enemy: crystals / 5"),
    ("first_out", 2, "the first-out mark: own, enemy"),
    ("totals", 2, "own, enemy total / 20"),
    ("record", len(COUNTERS), f"the turn record {' '.join(COUNTERS)}: each / 8"),
    ("turn_marks", len(MARKS), f"the marks {' '.join(MARKS)}"),
    ("groups", len(GROUPS), "open pairs and gangs"),
    ("counts", 8, "own deck, hand, closed hand, face-down cards / 40, then the enemy's"),
    *((f"own_{name}", CARDS, meaning) for name, meaning in _ZONES),
    *((f"enemy_{name}", CARDS, meaning) for name, meaning in _ZONES),
    ("enemy_unseen", CARDS, "1 for each enemy card that may lie in deck, closed hand or face down"),
    ("enemy_face_down", FACE_DOWN, "the enemy's face-down card n: (place in the support area + 1) / 40"),
    ("asking", CARDS, "the card whose text asks: 1 the turn player's, -1 the demand of the other's"),
    ("picked", CARDS, "for the one who decides: 1 picked so far, -1 just drawn"),
    ("left", 1, "for the one who decides: cards that must still be picked / 8"),
)
SIZE = SECTIONS[-1].offset + SECTIONS[-1].length
OFFSET = {section.name: section.offset for section in SECTIONS}

_RULESET, _OWN_PEOPLE, _ENEMY_PEOPLE = (OFFSET[n] for n in "ruleset own_people enemy_people".split())
_TURN, _DECIDER, _RESULT, _PHASE, _DECISION = (OFFSET[n] for n in "turn decider result phase decision".split())
_FIGHT, _DRAGONS, _CRYSTALS, _FIRST_OUT = (OFFSET[n] for n in "fight dragons crystals first_out".split())
_TOTALS, _RECORD, _MARKS, _GROUPS, _COUNTS = (OFFSET[n] for n in "totals record turn_marks groups counts".split())
_OWN, _ENEMY = OFFSET["own_deck"], OFFSET["enemy_deck"]
_DECK, _HAND, _OPEN, _COMBAT, _COVERED, _SUPPORT, _DOWN, _SHIPS, _CARGO, _PILES, _USED = range(0, 11 * CARDS, CARDS)
_UNSEEN, _FACE_DOWN = OFFSET["enemy_unseen"], OFFSET["enemy_face_down"]
_ASKING, _PICKED, _LEFT = (OFFSET[n] for n in "asking picked left".split())


@kernel
def unseen_cards(s: State, q: int) -> int:
    """q's hidden cards that the opponent can't follow."""
    return (pile_cards(s, q) | closed(s, q) | s.down[q]) & ~s.seen[q]


@kernel
def observe(s: State, p: int, row: Row) -> None:
    """Fill `row` (SIZE float32) with what p sees."""
    row[:] = 0.0
    tell_flow(s, p, row)
    tell_record(s, row)
    tell_question(s, p, row)
    tell_side(s, p, row, _OWN, LISTS[s.deck[p], s.ruleset], s.placed[p] | ~pile_cards(s, p))
    unseen = unseen_cards(s, 1 - p)
    tell_side(s, 1 - p, row, _ENEMY, ~unseen, ~unseen)
    mark_cards(row, _UNSEEN, unseen, 1.0)
    tell_face_down(s, 1 - p, row)


@kernel
def mark_cards(row: Row, first: int, cards: int, value: float) -> None:
    while cards:
        row[first + lowest(cards)] = value
        cards = without_lowest(cards)


@kernel
def tell_flow(s: State, p: int, row: Row) -> None:
    row[_RULESET + int(s.ruleset)] = 1.0
    row[_OWN_PEOPLE + int(s.deck[p])] = 1.0
    row[_ENEMY_PEOPLE + int(s.deck[1 - p])] = 1.0
    if s.result == RUNNING:
        row[_TURN] = s.turn == p
        row[_DECIDER + (s.player != p)] = 1.0
        row[_PHASE + int(s.phase)] = 1.0
        row[_DECISION + int(s.kind)] = 1.0
    else:
        row[_RESULT + (s.result != WON_0 + p)] = 1.0
    row[_FIGHT + int(s.fight)] = 1.0
    for side in range(2):
        q = p if side == 0 else 1 - p
        row[_DRAGONS + side] = s.dragons[q] / 3
        row[_CRYSTALS + side] = s.crystals[q] / 5
        row[_FIRST_OUT + side] = s.out == q
        row[_TOTALS + side] = s.total[q] / 20
        row[_COUNTS + side * 4] = s.pile_count[q] / 40
        row[_COUNTS + side * 4 + 1] = count(s.hand[q]) / 40
        row[_COUNTS + side * 4 + 2] = count(closed(s, q)) / 40
        row[_COUNTS + side * 4 + 3] = count(s.down[q]) / 40


@kernel
def tell_record(s: State, row: Row) -> None:
    for i in range(s.did.size):
        row[_RECORD + i] = s.did[i] / 8
    for i in range(s.mark.size):
        row[_MARKS + i] = s.mark[i]
    mark_cards(row, _GROUPS, int(s.groups), 1.0)


@kernel
def tell_question(s: State, p: int, row: Row) -> None:
    """The card that asks is public, but for a card being loaded; what was picked is the decider's own."""
    if s.card >= 0 and (s.kind != AT_SHIP or s.player == p):
        row[_ASKING + int(s.card)] = -1.0 if s.kind == AT_MEET else 1.0
    if s.player == p:
        mark_cards(row, _PICKED, s.picked, 1.0)
        mark_cards(row, _PICKED, s.drawn, -1.0)
        row[_LEFT] = s.left / 8


@kernel
def tell_side(s: State, q: int, row: Row, first: int, visible: int, placed: int) -> None:
    """q's cards: those the viewer sees or knows, in decks with their place if that is known."""
    n = int(s.pile_count[q])
    for i in range(n):
        card = int(s.pile[q, i])
        if visible & BIT[card]:
            row[first + _DECK + card] = 1.0 - (n - 1 - i) / 80 if placed & BIT[card] else 0.5
    mark_cards(row, first + _HAND, s.hand[q] & visible, 1.0)
    mark_cards(row, first + _OPEN, s.open[q], 1.0)
    for i in range(s.line_count[q]):
        card = int(s.line[q, i])
        row[first + (_COVERED if s.covered[q] & BIT[card] else _COMBAT) + card] = (i + 1) / 40
    for i in range(s.row_count[q]):
        card = int(s.row[q, i])
        if visible & BIT[card]:
            row[first + (_DOWN if s.down[q] & BIT[card] else _SUPPORT) + card] = (i + 1) / 40
    for i in range(s.fleet_count[q]):
        card = int(s.fleet[q, i])
        row[first + _SHIPS + card] = (i + 1) / 10 + (0.5 if s.landed[q] & BIT[card] else 0.0)
        for k in range(s.cargo_count[q, i]):
            row[first + _CARGO + int(s.cargo[q, i, k])] = (i * 4 + k + 1) / 20
    tell_piles(s, q, row, first)


@kernel
def tell_piles(s: State, q: int, row: Row, first: int) -> None:
    mark_cards(row, first + _PILES, s.discard[q], 0.25)
    for i in range(s.lead_count[q]):
        row[first + _PILES + int(s.lead[q, i])] = (9 + i) / 20
    mark_cards(row, first + _PILES, s.feats[q], -0.5)
    if s.hyla >= 0 and s.hyla_owner == q:
        row[first + _PILES + int(s.hyla)] = -1.0
    mark_cards(row, first + _USED, s.used[q], 1.0)
    mark_cards(row, first + _USED, s.settled[q], -1.0)
    if s.doubled[q] >= 0:
        row[first + _USED + int(s.doubled[q])] = 0.5
    if s.leader[q] >= 0:
        row[first + _USED + int(s.leader[q])] = 0.75


@kernel
def tell_face_down(s: State, q: int, row: Row) -> None:
    number = 0
    for i in range(s.row_count[q]):
        if s.down[q] & BIT[s.row[q, i]]:
            row[_FACE_DOWN + number] = (i + 1) / 40
            number += 1
