"""What requests cost, and who can pay."""

from __future__ import annotations

from ka_env.blackpoker.cards import JOKER
from ka_env.blackpoker.flow.keys import has_keys
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import COST_B, COST_S, MAX_COST, RULES
from ka_env.engine.bits import BIT, count, highest, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def has_magician(s: State, p: int) -> int:
    slots = s.soldiers[p]
    while slots:
        if s.bottom[p, lowest(slots)] >= JOKER:
            return 1
        slots = without_lowest(slots)
    return 0


@kernel
def charged_bulwarks(s: State, p: int) -> int:
    return s.bulwarks[p] & s.charged[p]


@kernel
def next_letter(s: State) -> int:
    """The cost letter to pay next for the request being made; 0 when all is paid."""
    if s.paid == MAX_COST:
        return 0
    return RULES[s.ruleset].cost[has_magician(s, s.player), s.verb, s.paid]


@kernel
def payable_bulwarks(s: State) -> int:
    """B: charged bulwarks above the one driven before, leaving enough higher ones for the Bs that follow."""
    p = s.player
    slots = charged_bulwarks(s, p)
    if s.paid_slot >= 0:
        slots &= ~(BIT[s.paid_slot + 1] - 1)
    cost = RULES[s.ruleset].cost
    magician = has_magician(s, p)
    for later in range(s.paid + 1, MAX_COST):
        if cost[magician, s.verb, later] == COST_B:
            slots &= ~BIT[highest(slots)]
    return slots


@kernel
def payable_units(s: State) -> int:
    """S: own units above the one given up before, leaving enough higher ones for the S that follows."""
    p = s.player
    slots = units_of(s, p)
    if s.paid_slot >= 0:
        slots &= ~(BIT[s.paid_slot + 1] - 1)
    cost = RULES[s.ruleset].cost
    for later in range(s.paid + 1, MAX_COST):
        if cost[0, s.verb, later] == COST_S:  # a magician never saves an S (R31)
            slots &= ~BIT[highest(slots)]
    return slots


@kernel
def payable_discards(s: State) -> int:
    """D: hand cards that leave a legal key in hand (R6)."""
    hand = s.hand[s.player]
    payable = hand
    cards = hand
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if not has_keys(s, s.player, s.verb, hand & ~BIT[card]):
            payable &= ~BIT[card]
    return payable


@kernel
def affordable(s: State, p: int, magician: int, verbs: int) -> int:
    """Those of the verbs whose B, L and S p can pay. (D needs a card beside the keys: see `requestable`.)"""
    rules = RULES[s.ruleset]
    verbs &= ~rules.beyond_bulwarks[magician, min(count(charged_bulwarks(s, p)), MAX_COST)]
    if s.life_count[p] == 0:
        verbs &= ~rules.needs_life[magician]
    if verbs & rules.sacrifices:
        verbs &= ~rules.beyond_units[min(count(units_of(s, p)), MAX_COST)]
    return verbs
