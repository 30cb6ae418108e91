"""Which hand cards can serve as keys."""

from __future__ import annotations

from ka_env.blackpoker.flow.targets import equippable
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import PARTNERS, RULES
from ka_env.blackpoker.rulesets.rows import OWN_SOLDIER_OF_SUIT
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def first_keys(s: State, p: int, verb: int, hand: int) -> int:
    """Cards of `hand` that p may name as the first key so that the request can be completed from `hand`."""
    rules = RULES[s.ruleset]
    cards = hand & rules.first_key[verb]
    if cards and rules.target[verb] == OWN_SOLDIER_OF_SUIT:
        cards &= equippable(s, p)
    if rules.keys[verb] == 2:
        pairing = rules.pairing[verb]
        candidates = cards
        while candidates:
            card = lowest(candidates)
            candidates = without_lowest(candidates)
            if not hand & PARTNERS[pairing, card]:
                cards &= ~BIT[card]
    return cards


@kernel
def second_keys(s: State, verb: int, first: int, hand: int) -> int:
    return hand & PARTNERS[RULES[s.ruleset].pairing[verb], first]
