"""Which hand cards can serve as keys."""

from __future__ import annotations

from ka_env.blackpoker.codes import MAX_KEYS
from ka_env.blackpoker.flow.targets import equippable
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import PARTNERS, RULES
from ka_env.blackpoker.rulesets.rows import OWN_SOLDIER_OF_SUIT
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def keys_named(s: State) -> int:
    """How many keys of the request being made are named."""
    named = 0
    while named < MAX_KEYS and s.key[named] >= 0:
        named += 1
    return named


@kernel
def can_go_on(pairing: int, card: int, hand: int, more: int) -> bool:
    """Can `more` keys after this one be named from `hand`? (Of more than two keys each has only one successor.)"""
    for _ in range(more):
        cards = hand & PARTNERS[pairing, card]
        if not cards:
            return False
        card = lowest(cards)
    return True


@kernel
def possible_keys(s: State, p: int, verb: int, hand: int) -> int:
    """Cards of `hand` that fit as the first key, whatever other keys it takes."""
    rules = RULES[s.ruleset]
    cards = hand & rules.first_key[verb]
    if cards and rules.target[verb] == OWN_SOLDIER_OF_SUIT:
        cards &= equippable(s, p)
    return cards


@kernel
def has_keys(s: State, p: int, verb: int, hand: int) -> bool:
    """Can the request be completed from `hand`?"""
    rules = RULES[s.ruleset]
    cards = possible_keys(s, p, verb, hand)
    while cards:
        if can_go_on(rules.pairing[verb], lowest(cards), hand, rules.keys[verb] - 1):
            return True
        cards = without_lowest(cards)
    return False


@kernel
def first_keys(s: State, p: int, verb: int, hand: int) -> int:
    """Cards of `hand` that p may name as the first key so that the request can be completed from `hand`."""
    rules = RULES[s.ruleset]
    cards = possible_keys(s, p, verb, hand)
    if rules.keys[verb] > 1:
        candidates = cards
        while candidates:
            card = lowest(candidates)
            candidates = without_lowest(candidates)
            if not can_go_on(rules.pairing[verb], card, hand, rules.keys[verb] - 1):
                cards &= ~BIT[card]
    return cards


@kernel
def next_keys(s: State, verb: int, last: int, hand: int) -> int:
    """Cards of `hand` that may follow the key named last."""
    return hand & PARTNERS[RULES[s.ruleset].pairing[verb], last]


@kernel
def keys_to_name(s: State) -> int:
    """Hand cards that may be the next key of the request being made."""
    named = keys_named(s)
    hand = s.hand[s.player]
    if named == 0:
        return first_keys(s, s.player, s.verb, hand)
    return next_keys(s, s.verb, s.key[named - 1], hand)
