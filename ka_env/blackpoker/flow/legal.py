"""What the decider may choose: the one legality behind masks, token lists and errors."""

from __future__ import annotations

import numpy as np

from ka_env.blackpoker import actions, decisions
from ka_env.blackpoker.actions import raredraw, redirect
from ka_env.blackpoker.codes import (
    DONE,
    FOE,
    LEGAL_CARDS,
    LEGAL_ENEMY,
    LEGAL_OWN,
    LEGAL_REQUESTS,
    LEGAL_WORDS,
    ME,
    OPEN,
    PASS,
    PASSED_BOTH,
    RAREDRAW,
    RARESUMMON,
    STAGE,
    STARTS,
    TRAP,
)
from ka_env.blackpoker.deal import cards_to_choose
from ka_env.blackpoker.flow.costs import affordable, has_magician, payable_bulwarks, payable_discards, payable_units
from ka_env.blackpoker.flow.keys import has_keys, keys_to_name
from ka_env.blackpoker.flow.targets import aimable, enemy_targets, own_targets, request_targets
from ka_env.blackpoker.flow.zones import State, pile_cards
from ka_env.blackpoker.rulesets import MAX_CARDS, RULES
from ka_env.blackpoker.rulesets.rows import A_PLAYER, TRAPPED_REQUEST
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

FRAME_VERBS = 1 << OPEN | 1 << RAREDRAW | 1 << RARESUMMON | 1 << TRAP
_FIRST_ID = np.array(STARTS)


@kernel
def first_id(w: int) -> int:
    """The first action id of word w of `legal`."""
    return _FIRST_ID[w]


@kernel
def may_pass(s: State) -> bool:
    """Always while something lies on the stage; else as the edition says, and not under R8."""
    if s.stage_count > 0:
        return True
    return RULES[s.ruleset].pass_on_empty_stage != 0 and s.passed != PASSED_BOTH


@kernel
def open_verbs(s: State, p: int) -> int:
    """Verbs that p may announce now as far as timing goes."""
    rules = RULES[s.ruleset]
    if p != s.turn:
        return rules.quick_of_other
    return rules.main if s.stage_count == 0 else rules.quick


@kernel
def requestable(s: State) -> int:
    """Verbs whose request the chance holder can complete."""
    p = s.player
    rules = RULES[s.ruleset]
    verbs = open_verbs(s, p) & ~s.used
    if s.stage_count == STAGE:
        verbs &= ~rules.normal
    magician = has_magician(s, p)
    verbs = affordable(s, p, magician, verbs)
    if rules.pack and verbs & FRAME_VERBS:
        verbs = open_frame_verbs(s, p, verbs)
    hand = s.hand[p]
    verbs &= ~rules.beyond_cards[magician, min(count(hand), MAX_CARDS)]
    keyed = verbs & rules.keyed
    while keyed:
        verb = lowest(keyed)
        keyed = without_lowest(keyed)
        if not hand & rules.first_key[verb]:
            verbs &= ~BIT[verb]
    verbs = aimable(s, p, verbs)
    combined = verbs & rules.combined
    while combined:
        verb = lowest(combined)
        combined = without_lowest(combined)
        if not has_keys(s, p, verb, hand):
            verbs &= ~BIT[verb]
    return verbs


@kernel
def open_frame_verbs(s: State, p: int, verbs: int) -> int:
    """Without those that pack, rare card or life forbid."""
    if not s.pack_closed[p]:
        verbs &= ~BIT[OPEN]
    if s.rare[p] < 0:
        verbs &= ~(BIT[RAREDRAW] | BIT[RARESUMMON] | BIT[TRAP])
    if s.life_count[p] > raredraw.MOST_LIFE:
        verbs &= ~BIT[RAREDRAW]
    if verbs & BIT[TRAP] and not request_targets(s, TRAPPED_REQUEST):
        verbs &= ~BIT[TRAP]
    return verbs


@kernel
def find_legal(s: State) -> int:
    """Fill the legal sets of the decision; returns how many options there are."""
    p = s.player
    kind = s.kind
    words = decisions.WORDS_OF[kind]
    cards = 0
    own = 0
    enemy = 0
    requests = 0
    offers = decisions.OFFERS[kind]
    if offers == decisions.REQUESTABLE_VERBS:
        words = requestable(s)
        if may_pass(s):
            words |= BIT[PASS]
    elif offers == decisions.BULWARKS_TO_DRIVE:
        own = payable_bulwarks(s)
    elif offers == decisions.CARDS_TO_DISCARD:
        cards = payable_discards(s)
    elif offers == decisions.KEYS_TO_NAME:
        cards = keys_to_name(s)
    elif offers == decisions.TARGETS_TO_NAME:
        target = RULES[s.ruleset].target[s.verb]
        own = own_targets(s, p, target, s.key[0])
        enemy = enemy_targets(s, p, target)
        requests = request_targets(s, target)
        if target == A_PLAYER:
            words = BIT[ME] | BIT[FOE]
    elif offers == decisions.OWN_HAND:
        cards = s.hand[p]
    elif offers == decisions.OWN_GRAVE:
        cards = pile_cards(s.grave[p], s.grave_count[p])
    elif offers == decisions.ENEMY_HAND:
        cards = s.hand[1 - p]
    elif offers == decisions.UNITS_OF_ACTION:
        own = actions.options(s, kind)
    elif offers == decisions.CARDS_OF_ACTION:
        cards = actions.options(s, kind)
        if actions.may_stop(s, kind):
            words = BIT[DONE]
    elif offers == decisions.UNITS_TO_GIVE_UP:
        own = payable_units(s)
    elif offers == decisions.NEW_TARGETS:
        words = redirect.new_players(s)
        own = redirect.new_units(s, p)
        enemy = redirect.new_units(s, 1 - p)
        requests = redirect.new_requests(s)
    elif offers == decisions.CARDS_OF_DECK:
        cards = cards_to_choose(s)
    s.legal[LEGAL_WORDS] = words
    s.legal[LEGAL_CARDS] = cards
    s.legal[LEGAL_OWN] = own
    s.legal[LEGAL_ENEMY] = enemy
    s.legal[LEGAL_REQUESTS] = requests
    return count(words) + count(cards) + count(own) + count(enemy) + count(requests)
