"""What a player sees, as numbers: the flat vector (named sections) and the same by entity (cards, units, requests).

Everything is told from the viewer's side: "own" and "enemy". It holds what the viewer may know and nothing else: of the
enemy's face-down cards only those the viewer can follow (R1), of the own life the cards but not their order, unless
a lance put them there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.blackpoker.actions.damage import current_size
from ka_env.blackpoker.cards import ALL, CARDS, HEART, NUMBER, SUIT
from ka_env.blackpoker.codes import (
    ACTION_NAME,
    ATTACK,
    BULWARK,
    DRAW,
    FIRST_CARD,
    FIRST_PLAYER_TARGET,
    FIRST_STAGE_TARGET,
    FIRST_VERB,
    GONE,
    LINK_ALL,
    MAX_KEYS,
    PASSED_0,
    PASSED_BOTH,
    PASSED_NONE,
    SLOTS,
    STAGE,
    TRIGGERED,
    VERBS,
)
from ka_env.blackpoker.deal import PUBLIC_LISTS
from ka_env.blackpoker.decisions import AT_SEARCH_CARD, KINDS, SETTING_UP
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State, pack_is_hidden
from ka_env.blackpoker.rulesets import RULESETS
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import DRAWN, RUNNING, WON_0
from ka_env.engine.sections import Section, lay_out

Row = Any

ENTRY20_LIST, FULL54_LIST = PUBLIC_LISTS
NEAR = 8  # slots told in full; hardly any game needs more, the rest follows in short form
TOP = 2  # requests at the top of the stage told in full
# The sections of lite and std stay as they are, so that policies stay valid: they know 4 rulesets, 21 verbs, 17 kinds.
# What the other rulesets add follows after them.
FIRST_RULESETS = RULESETS[:4]
FIRST_VERBS = VERBS[:21]
MORE_VERBS = [ACTION_NAME.get(code, "-") for code in range(FIRST_VERB + 21, FIRST_CARD)]  # by id; "-": not a verb
NUM_MORE_VERBS = len(MORE_VERBS)
FIRST_KINDS = KINDS[:17]
NUM_RULESETS, NUM_KINDS, NUM_VERBS = len(FIRST_RULESETS), len(FIRST_KINDS), len(FIRST_VERBS)
TRIGGERS = len(TRIGGERED)
ACTIONS = NUM_VERBS + TRIGGERS
FOG_CARDS = 20  # ♠A-10, then ♥A-10

UNIT_FEATURES = [
    "bulwark",
    "soldier",
    "charged",
    "came this turn",
    "haste",
    "attacker",
    "picked as attacker, or the attacker whose blockers are being named",
    "blocks the enemy's slot n: (n + 1) / 32",
    "current size / 13",
    "change of size / 10",
    "number of its bottom card / 13, if visible",
    "♠",
    "♥",
    "♦",
    "♣ (suit of the bottom card, if visible)",
]
REQUEST_FEATURES = [
    "1 own, -1 enemy",
    *(f"is {name}" for name in FIRST_VERBS + TRIGGERED),
    "number of the first key / 13",
    "number of the second key / 13",
    "aimed at an own unit",
    "aimed at an enemy unit",
    "aimed at a request",
    "(slot or index aimed at + 1) / 32",
]
UNIT, REQUEST = len(UNIT_FEATURES), len(REQUEST_FEATURES)
KEY = 6


_FIRST = (
    ("ruleset", NUM_RULESETS, f"one of {', '.join(FIRST_RULESETS)}"),
    ("turn", 1, "the viewer is the turn player"),
    ("decider", 2, "who decides: own, enemy (neither after the game)"),
    ("result", 3, "won, lost, drawn"),
    ("decision", NUM_KINDS, "decision kind, in the order of the notation"),
    ("passed", 3, "who has passed: own, enemy, both on an empty stage"),
    ("used", 2, "once-a-turn actions already announced this turn: bulwark, attack"),
    ("counts", 6, "own life, hand, grave, enemy life, hand, grave: cards / 54"),
    ("request", NUM_VERBS, "the action being requested and not yet on the stage"),
    ("paid", 2, "cost letters paid for it / 3; (slot of the bulwark driven last + 1) / 32"),
    ("keys", 2 * KEY, "keys named for it: (card + 1) / 54, number / 13, ♠ ♥ ♦ ♣"),
    ("attacker", 1, "(slot of the attacker whose blockers are being named + 1) / 32"),
    ("order", 13, "lance: cards placed so far, deepest first: (card + 1) / 54"),
    ("own_hand", CARDS, "1 for each card in hand"),
    (
        "own_life",
        CARDS,
        "1/2 for each card left in life; at known place k from the top: 1 - k / 110; 1/4 may be there, where the own "
        "list is not known (a match)",
    ),
    ("own_piles", CARDS, "grave: (place from the bottom + 1) / 54; field: -(slot * 13 + height in the unit + 1) / 512"),
    (
        "enemy_hidden",
        CARDS,
        "1 known to be in hand; 1/4 may lie face down, unknown, somewhere on the enemy's side; 1/2 is known to do so "
        "(a match)",
    ),
    (
        "enemy_piles",
        CARDS,
        "what is known: 1/4 in the grave, 3/8 on its top; in life at place k: 1 - k / 110; field: like own_piles",
    ),
    (
        "own_fog",
        FOG_CARDS,
        "♠A-10, ♥A-10 in the fog: -1 without effect, else (unit + 1) / 64, own slots first; 65/64 on all soldiers; "
        "2 more for a spade that adds",
    ),
    ("enemy_fog", FOG_CARDS, "the same for the enemy's fog"),
    ("own_units", NEAR * UNIT, f"slots 0-{NEAR - 1}, {UNIT} numbers each (see unit features)"),
    ("enemy_units", NEAR * UNIT, "the same for the enemy"),
    (
        "own_far_units",
        SLOTS - NEAR,
        f"slots {NEAR}-31 in short: (marks * 256 + change of size + 128) / 2^20; marks: 1 bulwark, 2 soldier, "
        "4 charged, 8 came this turn, 16 attacker, 32 picked, 64 * (slot it blocks + 1)",
    ),
    ("enemy_far_units", SLOTS - NEAR, "the same for the enemy"),
    ("stage_count", 1, "requests on the stage / 32"),
    ("stage_top", TOP * REQUEST, f"the top {TOP} requests, top first, {REQUEST} numbers each (see request features)"),
    (
        "stage",
        STAGE * 2,
        "all requests from the bottom, two numbers each: ((64 if the enemy's + action) * 128 + target + 2) / 16384 "
        "with the action's number as by entity and target -2 gone, -1 none, 0-63 a unit, own slots first, 64 + n a "
        "request, 96 the viewer, 97 the enemy; ((first key + 1) * 64 + second key + 1) / 4096 with -1 for none",
    ),
)
_MORE = (
    ("rules", len(RULESETS), f"one of {', '.join(RULESETS)}"),
    ("question", len(KINDS) - NUM_KINDS, f"decision kind: {', '.join(KINDS[NUM_KINDS:])}"),
    ("more_request", len(MORE_VERBS), f"the action being requested: {', '.join(MORE_VERBS)}"),
    (
        "more_stage_top",
        TOP * (len(MORE_VERBS) + 2),
        f"the top {TOP} requests: is {', '.join(MORE_VERBS)}; aimed at the viewer, at the enemy",
    ),
    ("force", 2, "own, enemy: force / 20"),
    ("successions", 2, "own, enemy: successions that wait / 4"),
    ("packs", 6, "own, enemy: 1 if the pack is closed, its cards / 14, 1 if there is a rare card"),
    ("own_pack", CARDS, "1 for each card of the opened pack (cards of a closed one are told as own_life)"),
    ("own_choice", CARDS, "1 for the rare card; 1/2 for cards chosen in the set-up, or taken so far by bj"),
)
SECTIONS = lay_out(*_FIRST)  # of lite and std
SIZE = SECTIONS[-1].offset + SECTIONS[-1].length
MORE_SECTIONS = lay_out(*_FIRST, *_MORE)
OFFSET = {section.name: section.offset for section in MORE_SECTIONS}


def sections_of(ruleset: str) -> list[Section]:
    return SECTIONS if ruleset in FIRST_RULESETS else MORE_SECTIONS


# offsets as plain names, as the kernels need them
_RULESET, _TURN, _DECIDER, _RESULT, _DECISION = (OFFSET[n] for n in "ruleset turn decider result decision".split())
_PASSED, _USED, _COUNTS, _REQUEST, _PAID = (OFFSET[n] for n in "passed used counts request paid".split())
_KEYS, _ATTACKER, _ORDER = (OFFSET[n] for n in "keys attacker order".split())
_OWN_HAND, _OWN_LIFE, _OWN_PILES = (OFFSET[n] for n in "own_hand own_life own_piles".split())
_ENEMY_HIDDEN, _ENEMY_PILES = OFFSET["enemy_hidden"], OFFSET["enemy_piles"]
_OWN_FOG, _ENEMY_FOG = OFFSET["own_fog"], OFFSET["enemy_fog"]
_OWN_UNITS, _ENEMY_UNITS = OFFSET["own_units"], OFFSET["enemy_units"]
_OWN_FAR, _ENEMY_FAR = OFFSET["own_far_units"], OFFSET["enemy_far_units"]
_STAGE_COUNT, _STAGE_TOP, _STAGE = OFFSET["stage_count"], OFFSET["stage_top"], OFFSET["stage"]
_RULES, _QUESTION, _MORE_REQUEST = (OFFSET[n] for n in "rules question more_request".split())
_MORE_TOP, _FORCE, _SUCCESSIONS = (OFFSET[n] for n in "more_stage_top force successions".split())
_PACKS, _OWN_PACK, _OWN_CHOICE = (OFFSET[n] for n in "packs own_pack own_choice".split())

# Numbers that are told again and again. Looking them up, and telling all cards of a set at once, costs less than
# deciding what to tell: most of an observation's time would be wrong guesses of the processor at which way it goes on.
_OVER_54 = (np.arange(CARDS + 1) / 54).astype(np.float32)
_PLACED = (1 - np.arange(CARDS) / 110).astype(np.float32)  # [k]: a card at known place k from the top of a life
_LOOKS = np.zeros((CARDS + 1, 5), np.float32)  # [card]: number / 13, ♠ ♥ ♦ ♣; [-1]: no card, or one that is not seen
_LOOKS[:CARDS, 0] = NUMBER / 13
_LOOKS[:CARDS, 1:] = SUIT[:, None] == np.arange(4)
_AIMS = np.zeros((FIRST_PLAYER_TARGET + 2 - GONE, 4), np.float32)  # [relative target - GONE]: the last request features
for _target in range(FIRST_PLAYER_TARGET):  # players are told in more_stage_top
    _AIMS[_target - GONE, min(_target // SLOTS, 2)] = 1
    _AIMS[_target - GONE, 3] = (_target % SLOTS + 1) / 32


@kernel
def observe(s: State, p: int, row: Row) -> None:
    """Fill `row` (float32, as many as the ruleset's sections have) with what p sees.

    Below, `int()` widens what NumPy would add up in 8 bits when the code runs interpreted.
    """
    row[:] = 0.0
    tell_flow(s, p, row)
    tell_request(s, row)
    tell_own_cards(s, p, row)
    tell_enemy_cards(s, p, row)
    tell_fog(s, p, row)
    tell_units(s, p, p, row, _OWN_UNITS, _OWN_FAR, _OWN_PILES)
    tell_units(s, 1 - p, p, row, _ENEMY_UNITS, _ENEMY_FAR, _ENEMY_PILES)
    tell_stage(s, p, row)
    if row.size > SIZE:
        tell_more(s, p, row)


@kernel
def tell_flow(s: State, p: int, row: Row) -> None:
    if s.ruleset < NUM_RULESETS:
        row[_RULESET + s.ruleset] = 1.0
    row[_TURN] = s.turn == p
    if s.result == RUNNING:
        row[_DECIDER + (s.player != p)] = 1.0
        if s.kind < NUM_KINDS:
            row[_DECISION + s.kind] = 1.0
    elif s.result == DRAWN:
        row[_RESULT + 2] = 1.0
    else:
        row[_RESULT + (s.result != WON_0 + p)] = 1.0
    row[_PASSED + (2 if s.passed == PASSED_BOTH else int(s.passed != PASSED_0 + p))] = s.passed != PASSED_NONE
    row[_USED] = s.used & BIT[BULWARK] != 0
    row[_USED + 1] = s.used & BIT[ATTACK] != 0


@kernel
def tell_request(s: State, row: Row) -> None:
    """What has been chosen so far in the decision under way; what bj takes is not told here (R70)."""
    if s.verb >= 0:
        if s.verb < FIRST_VERB + NUM_VERBS:
            row[_REQUEST + s.verb - FIRST_VERB] = 1.0
        row[_PAID] = s.paid / 3
        row[_PAID + 1] = (s.paid_slot + 1) / 32
        for k in range(2):
            row[_KEYS + k * KEY] = _OVER_54[s.key[k] + 1]
            tell_look(row, _KEYS + k * KEY + 1, s.key[k])
    row[_ATTACKER] = (s.attacker + 1) / 32
    if s.kind != AT_SEARCH_CARD:
        for i in range(s.ordered):
            row[_ORDER + i] = _OVER_54[s.order[i] + 1]


@kernel
def tell_look(row: Row, at: int, card: int) -> None:
    for k in range(_LOOKS.shape[1]):
        row[at + k] = _LOOKS[card, k]


@kernel
def mark_cards(row: Row, first: int, cards: int, value: float) -> None:
    while cards:
        row[first + lowest(cards)] = value
        cards = without_lowest(cards)


@kernel
def spread_cards(row: Row, first: int, cards: int, value: float) -> None:
    """The same, and 0 for all other cards."""
    part = row[first : first + CARDS]
    for card in range(CARDS):
        part[card] = value if cards & BIT[card] else 0.0


@kernel
def set_of(pile: Row, q: int) -> int:
    """The cards of q's life or grave; its empty places hold -1."""
    cards = 0
    for i in range(CARDS):
        cards |= 1 << (int(pile[q, i]) & 63)
    return cards & ALL


@kernel
def unlisted(s: State, p: int) -> int:
    """Without the own list: all cards that may lie in the own life where p doesn't know the place."""
    return ALL & (~s.deck[p] | set_of(s.life, p) & ~s.placed[p])


@kernel
def tell_own_cards(s: State, p: int, row: Row) -> None:
    spread_cards(row, _OWN_HAND, s.hand[p], 1.0)
    spread_cards(row, _OWN_LIFE, set_of(s.life, p), 0.5)
    if s.placed[p]:
        tell_places(s, p, s.placed[p], row, _OWN_LIFE)
    if s.list_unknown[p]:
        mark_cards(row, _OWN_LIFE, unlisted(s, p), 0.25)
    for i in range(s.grave_count[p]):
        row[_OWN_PILES + int(s.grave[p, i])] = _OVER_54[i + 1]
    tell_counts(s, p, row, _COUNTS)


@kernel
def tell_places(s: State, q: int, known: int, row: Row, first: int) -> None:
    """The cards of q's life whose place the viewer knows."""
    lives = int(s.life_count[q])
    for i in range(lives):
        card = int(s.life[q, i])
        if known & BIT[card]:
            row[first + card] = _PLACED[lives - 1 - i]


@kernel
def tell_counts(s: State, q: int, row: Row, at: int) -> None:
    row[at] = _OVER_54[s.life_count[q]]
    row[at + 1] = _OVER_54[count(s.hand[q])]
    row[at + 2] = _OVER_54[s.grave_count[q]]


@kernel
def tell_enemy_cards(s: State, p: int, row: Row) -> None:
    q = 1 - p
    seen = s.seen[q]
    public = s.deck[q] == ENTRY20_LIST or s.deck[q] == FULL54_LIST
    spread_cards(row, _ENEMY_HIDDEN, (s.deck[q] if public else ALL) & ~seen & ~s.never[q], 0.25)
    mark_cards(row, _ENEMY_HIDDEN, s.surely[q] & ~seen, 0.5)
    mark_cards(row, _ENEMY_HIDDEN, s.hand[q] & seen, 1.0)
    spread_cards(row, _ENEMY_PILES, set_of(s.grave, q) & seen, 0.25)
    if s.grave_count[q]:
        top = int(s.grave[q, s.grave_count[q] - 1])
        row[_ENEMY_PILES + top] *= 1.5
    if set_of(s.life, q) & seen:
        tell_places(s, q, seen, row, _ENEMY_PILES)
    tell_counts(s, q, row, _COUNTS + 3)


@kernel
def relative(unit: int, p: int) -> int:
    """A unit's number from p's side: own slots 0-31, enemy slots 32-63."""
    return unit % SLOTS + (unit // SLOTS != p) * SLOTS


@kernel
def fog_value(s: State, q: int, card: int, link: int, p: int) -> float:
    """2 more for a spade that adds; 65/64: on all soldiers of its owner."""
    if link < 0:
        return -1.0
    if link == LINK_ALL:
        return 65 / 64
    value = (relative(link, p) + 1) / 64
    return value + 2.0 if s.fog_plus[q] & BIT[card] else value


@kernel
def tell_fog(s: State, p: int, row: Row) -> None:
    for side in range(2):
        q = p if side == 0 else 1 - p
        first = _OWN_FOG if side == 0 else _ENEMY_FOG
        cards = s.fog[q]
        while cards:
            card = lowest(cards)
            cards = without_lowest(cards)
            link = s.fog_link[q, card]
            place = first + int(NUMBER[card]) - 1 + (SUIT[card] == HEART) * 10
            row[place] = fog_value(s, q, card, link, p)


@kernel
def tell_units(s: State, q: int, p: int, row: Row, near: int, far: int, piles: int) -> None:
    """q's units as p sees them."""
    slots = units_of(s, q)
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        card = int(s.bottom[q, slot])
        visible = q == p or s.seen[q] & BIT[card] != 0
        row[piles + card] = -int(visible) * (slot * 13 + 1) / 512
        if visible and s.above[q, card] >= 0:
            tell_cards_above(s, q, slot, row, piles)
        if slot < NEAR:
            tell_near_unit(s, q, slot, visible, row, near + slot * UNIT)
        else:
            row[far + slot - NEAR] = (marks_of(s, q, slot) * 256 + int(s.change[q, slot]) + 128) / 2**20


@kernel
def tell_cards_above(s: State, q: int, slot: int, row: Row, piles: int) -> None:
    """Of a unit, all but its bottom card."""
    card = int(s.above[q, s.bottom[q, slot]])
    height = 1
    while card >= 0:
        row[piles + card] = -(slot * 13 + height + 1) / 512
        card = int(s.above[q, card])
        height += 1


@kernel
def tell_near_unit(s: State, q: int, slot: int, visible: bool, row: Row, at: int) -> None:
    bit = BIT[slot]
    soldier = s.soldiers[q] & bit != 0
    row[at] = s.bulwarks[q] & bit != 0
    row[at + 1] = soldier
    row[at + 2] = s.charged[q] & bit != 0
    row[at + 3] = s.came[q] & bit != 0
    row[at + 4] = s.haste[q] & bit != 0
    row[at + 5] = s.attackers[q] & bit != 0
    row[at + 6] = q == s.turn and (s.picked & bit != 0 or s.attacker == slot)
    row[at + 7] = (s.blocks[q, slot] + 1) / 32
    row[at + 8] = soldier * current_size(s, q, slot) / 13
    row[at + 9] = soldier * int(s.change[q, slot]) / 10
    tell_look(row, at + 10, s.bottom[q, slot] if visible else -1)


@kernel
def marks_of(s: State, q: int, slot: int) -> int:
    """The unit's marks as a binary number below 4096."""
    bit = BIT[slot]
    return (
        (s.bulwarks[q] & bit != 0)
        + (s.soldiers[q] & bit != 0) * 2
        + (s.charged[q] & bit != 0) * 4
        + (s.came[q] & bit != 0) * 8
        + (s.attackers[q] & bit != 0) * 16
        + (q == s.turn and s.picked & bit != 0) * 32
        + (int(s.blocks[q, slot]) + 1) * 64
    )


@kernel
def action_number(action: int) -> int:
    """0-20 the verbs of lite and std, 21-23 draw, block, damage, 24-42 the other verbs."""
    if action >= DRAW:
        return action - DRAW + NUM_VERBS
    number = action - FIRST_VERB
    return number if number < NUM_VERBS else number + TRIGGERS


@kernel
def relative_target(target: int, p: int) -> int:
    """NO_TARGET and GONE as they are, units from p's side, requests from 64, 96 the viewer, 97 the enemy."""
    if target >= FIRST_PLAYER_TARGET:
        return FIRST_PLAYER_TARGET + (target - FIRST_PLAYER_TARGET != p)
    return relative(target, p) if 0 <= target < FIRST_STAGE_TARGET else target


@kernel
def tell_stage(s: State, p: int, row: Row) -> None:
    n = int(s.stage_count)
    row[_STAGE_COUNT] = n / 32
    for i in range(n):
        enemy = s.stage_player[i] != p
        action = action_number(int(s.stage_action[i]))
        target = relative_target(int(s.stage_target[i]), p)
        row[_STAGE + i * 2] = ((enemy * 64 + action) * 128 + target - GONE) / 16384
        row[_STAGE + i * 2 + 1] = ((int(s.stage_key[i, 0]) + 1) * 64 + int(s.stage_key[i, 1]) + 1) / 4096
        if n - 1 - i < TOP:
            tell_top_request(s, i, enemy, action, target, row, _STAGE_TOP + (n - 1 - i) * REQUEST)


@kernel
def tell_top_request(s: State, i: int, enemy: bool, action: int, target: int, row: Row, at: int) -> None:
    row[at] = -1.0 if enemy else 1.0
    if action < ACTIONS:
        row[at + 1 + action] = 1.0
    at += 1 + ACTIONS
    for k in range(2):
        row[at + k] = _LOOKS[s.stage_key[i, k], 0]
    for k in range(4):
        row[at + 2 + k] = _AIMS[target - GONE, k]


# ---- what pro, mast, frames and variants add ------------------------------------------------------------------------


@kernel
def tell_more(s: State, p: int, row: Row) -> None:
    row[_RULES + int(s.ruleset)] = 1.0
    if s.result == RUNNING and s.kind >= NUM_KINDS:
        row[_QUESTION + int(s.kind) - NUM_KINDS] = 1.0
    if s.verb >= FIRST_VERB + NUM_VERBS:
        row[_MORE_REQUEST + int(s.verb) - FIRST_VERB - NUM_VERBS] = 1.0
    row[_FORCE + (s.turn != p)] = s.force / 20
    for side in range(2):
        q = p if side == 0 else 1 - p
        row[_SUCCESSIONS + side] = s.successions[q] / 4
        row[_PACKS + side * 3] = s.pack_closed[q] != 0
        row[_PACKS + side * 3 + 1] = count(s.pack[q]) / 14
        row[_PACKS + side * 3 + 2] = s.rare[q] >= 0
    tell_more_of_stage(s, p, row)
    tell_own_frame(s, p, row)


@kernel
def tell_more_of_stage(s: State, p: int, row: Row) -> None:
    for k in range(min(TOP, int(s.stage_count))):
        i = int(s.stage_count) - 1 - k
        at = _MORE_TOP + k * (NUM_MORE_VERBS + 2)
        number = int(s.stage_action[i]) - FIRST_VERB - NUM_VERBS
        if 0 <= number < NUM_MORE_VERBS:
            row[at + number] = 1.0
        target = relative_target(int(s.stage_target[i]), p)
        if target >= FIRST_PLAYER_TARGET:
            row[at + NUM_MORE_VERBS + target - FIRST_PLAYER_TARGET] = 1.0


@kernel
def tell_own_frame(s: State, p: int, row: Row) -> None:
    """The owner can't tell the cards of a closed pack from those of the life; an opened pack is the owner's to see."""
    hidden = pack_is_hidden(s, p)
    mark_cards(row, _OWN_LIFE if hidden else _OWN_PACK, s.pack[p], 0.5 if hidden else 1.0)
    if SETTING_UP & BIT[s.kind]:
        mark_cards(row, _OWN_LIFE, s.deck[p], 0.5)
        mark_cards(row, _OWN_CHOICE, s.first_hand[p], 0.5)
        if s.rare_chosen[p] >= 0:
            row[_OWN_CHOICE + int(s.rare_chosen[p])] = 1.0
    if s.rare[p] >= 0:
        row[_OWN_CHOICE + int(s.rare[p])] = 1.0
    if s.kind == AT_SEARCH_CARD and s.ordered and s.player == p:
        row[_OWN_CHOICE + int(s.order[0])] = 0.5


# ---- by entity ------------------------------------------------------------------------------------------------------

NOWHERE, IN_HAND, IN_LIFE, IN_GRAVE, ON_FIELD, IN_FOG, ON_STAGE, NAMED_KEY, UNSEEN, IN_PACK, RARE, CHOSEN = range(12)
NOT_AIMED, TARGET_GONE, OWN_UNIT, ENEMY_UNIT, A_REQUEST, THE_VIEWER, THE_ENEMY = range(7)

# name: shape and, for the last axis, what each number is. Side 0 is the viewer's own.
ENTITIES: dict[str, tuple[tuple[int, ...], list[str]]] = {
    "cards": (
        (2, CARDS, 3),
        [
            "zone: 0 nowhere, 1 hand, 2 life, 3 grave, 4 field, 5 fog, 6 stage, 7 named as a key, "
            "8 may lie face down, unknown, on the enemy's side, 9 own opened pack, 10 own rare card, "
            "11 chosen by the viewer in the set-up",
            "place: life: place from the top + 1 if known, else 0; grave: own from the bottom + 1, enemy 1 on top; "
            "field: slot; fog: unit + 1 (own slots first), 65 all soldiers, 0 without effect; "
            "stage: index; key: which one",
            "height in the unit, which key of the request, or 1 for a spade in the fog that adds",
        ],
    ),
    "units": (
        (2, SLOTS, 10),
        "0 none, 1 bulwark, 2 soldier|charged|came this turn|haste|attacker|picked, or its blockers are being named|"
        "slot of the attacker it blocks + 1|current size|change of size|visible".split("|"),
    ),
    "stage": (
        (STAGE, 6),
        "1 if there is a request|1 if the enemy's|action: 0-20 verbs, 21-23 draw, block, damage, 24-42 more verbs|"
        "target: 0 none, 1 gone, 2 own unit, 3 enemy unit, 4 request, 5 the viewer, 6 the enemy|"
        "slot or index aimed at|keys".split("|"),
    ),
    "table": (
        (32,),
        "ruleset|1 if own turn|decider: 0 nobody, 1 own, 2 enemy|result: 0 none, 1 won, 2 lost, 3 drawn|decision kind|"
        "passed: 0 nobody, 1 own, 2 enemy, 3 both|bulwark used|attack used|own life|own hand|own grave|enemy life|"
        "enemy hand|enemy grave|verb being requested + 1|letters paid|slot driven last + 1|"
        "attacker being blocked + 1|requests on the stage".split("|")
        + [f"lance: card {i} placed + 1" for i in range(13)],
    ),
}
_TABLE = len(ENTITIES["table"][1])
_MORE_TABLE = [
    *(
        f"{side} {what}"
        for side in ("own", "enemy")
        for what in ("force", "successions", "pack closed", "pack", "rare")
    ),
    "card taken so far by the own bj + 1",
]
MORE_ENTITIES = ENTITIES | {"table": ((_TABLE + len(_MORE_TABLE),), ENTITIES["table"][1] + _MORE_TABLE)}
assert all(shape[-1] == len(meaning) for shape, meaning in [*ENTITIES.values(), *MORE_ENTITIES.values()])


def entities_of(ruleset: str) -> dict[str, tuple[tuple[int, ...], list[str]]]:
    """Lite and std have a shorter table."""
    return ENTITIES if ruleset in FIRST_RULESETS else MORE_ENTITIES


@kernel
def observe_entities(s: State, p: int, cards: Row, units: Row, stage: Row, table: Row) -> None:
    """The same knowledge as `observe`, as int16 rows per card, unit and request, and a row for the table."""
    cards[:] = 0
    units[:] = 0
    stage[:] = 0
    list_table(s, p, table)
    list_cards(s, p, cards)
    list_units(s, p, cards, units)
    list_stage(s, p, cards, stage)
    if table.size > _TABLE:
        list_more(s, p, cards, table)


@kernel
def list_more(s: State, p: int, cards: Row, table: Row) -> None:
    for side in range(2):
        q = p if side == 0 else 1 - p
        at = _TABLE + side * 5
        table[at] = s.force if s.turn == q else 0
        table[at + 1] = s.successions[q]
        table[at + 2] = s.pack_closed[q]
        table[at + 3] = count(s.pack[q])
        table[at + 4] = s.rare[q] >= 0
    if s.kind == AT_SEARCH_CARD and s.player == p and s.ordered:
        table[_TABLE + 10] = s.order[0] + 1
    put_cards(cards, s.pack[p], IN_LIFE if pack_is_hidden(s, p) else IN_PACK)
    if SETTING_UP & BIT[s.kind]:
        put_cards(cards, s.deck[p], IN_LIFE)
        put_cards(cards, s.first_hand[p], CHOSEN)
        if s.rare_chosen[p] >= 0:
            put_card(cards, 0, s.rare_chosen[p], RARE, 0, 0)
    if s.rare[p] >= 0:
        put_card(cards, 0, s.rare[p], RARE, 0, 0)


@kernel
def put_cards(cards: Row, some: int, zone: int) -> None:
    """Own cards without a place."""
    while some:
        put_card(cards, 0, lowest(some), zone, 0, 0)
        some = without_lowest(some)


@kernel
def observe_groups(s: State, p: int, i: int, groups: Any) -> None:
    cards, units, stage, table = groups
    observe_entities(s, p, cards[i], units[i], stage[i], table[i])


@kernel
def list_table(s: State, p: int, table: Row) -> None:
    table[:] = 0
    table[0] = s.ruleset
    table[1] = s.turn == p
    if s.result == RUNNING:
        table[2] = 1 + (s.player != p)
        table[4] = s.kind
    elif s.result == DRAWN:
        table[3] = 3
    else:
        table[3] = 1 + (s.result != WON_0 + p)
    if s.passed == PASSED_BOTH:
        table[5] = 3
    elif s.passed != PASSED_NONE:
        table[5] = 1 + (s.passed != PASSED_0 + p)
    table[6] = s.used & BIT[BULWARK] != 0
    table[7] = s.used & BIT[ATTACK] != 0
    for side in range(2):
        q = p if side == 0 else 1 - p
        table[8 + side * 3] = s.life_count[q]
        table[9 + side * 3] = count(s.hand[q])
        table[10 + side * 3] = s.grave_count[q]
    if s.verb >= 0:
        table[14] = s.verb - FIRST_VERB + 1
    table[15] = s.paid
    table[16] = s.paid_slot + 1
    table[17] = s.attacker + 1
    table[18] = s.stage_count
    if s.kind != AT_SEARCH_CARD:
        for i in range(s.ordered):
            table[19 + i] = s.order[i] + 1


@kernel
def put_card(cards: Row, side: int, card: int, zone: int, place: int, extra: int) -> None:
    cards[side, card, 0] = zone
    cards[side, card, 1] = place
    cards[side, card, 2] = extra


@kernel
def list_cards(s: State, p: int, cards: Row) -> None:
    """Hands, lives, graves, fog, and keys being named; of the enemy's, those the viewer can follow."""
    for side in range(2):
        q = p if side == 0 else 1 - p
        if side == 0:
            visible = ALL
        else:
            visible = s.seen[q]
            public = s.deck[q] == ENTRY20_LIST or s.deck[q] == FULL54_LIST
            unseen = (s.deck[q] if public else ALL) & ~visible & ~s.never[q]
            while unseen:
                put_card(cards, 1, lowest(unseen), UNSEEN, int(s.surely[q] & BIT[lowest(unseen)] != 0), 0)
                unseen = without_lowest(unseen)
        hand = s.hand[q] & visible
        while hand:
            put_card(cards, side, lowest(hand), IN_HAND, 0, 0)
            hand = without_lowest(hand)
        lives = s.life_count[q]
        for i in range(lives):
            card = s.life[q, i]
            followed = (s.placed[q] if side == 0 else visible) & BIT[card]
            if side == 0 or followed:
                put_card(cards, side, card, IN_LIFE, lives - i if followed else 0, 0)
        if side == 0 and s.list_unknown[p]:
            put_cards(cards, unlisted(s, p), UNSEEN)
        graves = s.grave_count[q]
        for i in range(graves):
            card = s.grave[q, i]
            if visible & BIT[card]:
                put_card(cards, side, card, IN_GRAVE, i + 1 if side == 0 else int(i == graves - 1), 0)
        fog = s.fog[q]
        while fog:
            card = lowest(fog)
            fog = without_lowest(fog)
            link = s.fog_link[q, card]
            place = 65 if link == LINK_ALL else relative(link, p) + 1 if link >= 0 else 0
            put_card(cards, side, card, IN_FOG, place, int(s.fog_plus[q] & BIT[card] != 0))
    for k in range(MAX_KEYS):
        if s.key[k] >= 0:
            put_card(cards, int(s.player != p), s.key[k], NAMED_KEY, k, 0)


@kernel
def list_units(s: State, p: int, cards: Row, units: Row) -> None:
    for side in range(2):
        q = p if side == 0 else 1 - p
        slots = units_of(s, q)
        while slots:
            slot = lowest(slots)
            slots = without_lowest(slots)
            visible = side == 0 or s.seen[q] & BIT[s.bottom[q, slot]] != 0
            list_unit(s, q, slot, visible, units[side, slot])
            card = s.bottom[q, slot] if visible else -1
            height = 0
            while card >= 0:
                put_card(cards, side, card, ON_FIELD, slot, height)
                card = s.above[q, card]
                height += 1


@kernel
def list_unit(s: State, q: int, slot: int, visible: bool, unit: Row) -> None:
    bit = BIT[slot]
    soldier = s.soldiers[q] & bit != 0
    unit[0] = 2 if soldier else 1
    unit[1] = s.charged[q] & bit != 0
    unit[2] = s.came[q] & bit != 0
    unit[3] = s.haste[q] & bit != 0
    unit[4] = s.attackers[q] & bit != 0
    unit[5] = q == s.turn and (s.picked & bit != 0 or s.attacker == slot)
    unit[6] = s.blocks[q, slot] + 1
    if soldier:
        unit[7] = current_size(s, q, slot)
        unit[8] = s.change[q, slot]
    unit[9] = visible


@kernel
def list_stage(s: State, p: int, cards: Row, stage: Row) -> None:
    for i in range(s.stage_count):
        side = int(s.stage_player[i] != p)
        target = relative_target(s.stage_target[i], p)
        stage[i, 0] = 1
        stage[i, 1] = side
        stage[i, 2] = action_number(s.stage_action[i])
        if target == GONE:
            stage[i, 3] = TARGET_GONE
        elif target >= FIRST_PLAYER_TARGET:
            stage[i, 3] = THE_VIEWER + target - FIRST_PLAYER_TARGET
        elif target >= FIRST_STAGE_TARGET:
            stage[i, 3] = A_REQUEST
            stage[i, 4] = target - FIRST_STAGE_TARGET
        elif target >= 0:
            stage[i, 3] = OWN_UNIT if target < SLOTS else ENEMY_UNIT
            stage[i, 4] = target % SLOTS
        for k in range(MAX_KEYS):
            if s.stage_key[i, k] >= 0:
                stage[i, 5] = k + 1
                put_card(cards, side, s.stage_key[i, k], ON_STAGE, i, k)
