"""What the decider may choose: the one legality behind masks, token lists and errors."""

from __future__ import annotations

from ka_env.blackpoker.codes import (
    AT_ATTACKERS,
    AT_BLOCKERS,
    AT_BULWARK_CARD,
    AT_CHANCE,
    AT_DISCARD,
    AT_DRAW_MORE,
    AT_FORTIFY,
    AT_GRAVE_CARD,
    AT_KEY,
    AT_LANCE_ORDER,
    AT_PAY_BULWARK,
    AT_PAY_DISCARD,
    AT_REVERSE_STATE,
    AT_SEARCH_CARD,
    AT_STRIP_CARD,
    AT_TARGET,
    AT_TWIST,
    CHARGE,
    DONE,
    DRIVE,
    LEGAL_CARDS,
    LEGAL_ENEMY,
    LEGAL_OWN,
    LEGAL_REQUESTS,
    LEGAL_WORDS,
    NO,
    ONE,
    PASS,
    PASSED_BOTH,
    SLOTS,
    STAGE,
    TWO,
    YES,
)
from ka_env.blackpoker.flow.costs import affordable, has_magician, payable_bulwarks, payable_discards
from ka_env.blackpoker.flow.keys import first_keys, second_keys
from ka_env.blackpoker.flow.stage import target_of_top
from ka_env.blackpoker.flow.targets import enemy_targets, has_target, own_targets, request_targets, units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import RULES
from ka_env.engine.bits import BIT, count, highest, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def may_pass(s: State) -> bool:
    """Always while something lies on the stage; else as the edition says, and not under R8."""
    if s.stage_count > 0:
        return True
    return RULES[s.ruleset].pass_on_empty_stage != 0 and s.passed != PASSED_BOTH


@kernel
def requestable(s: State) -> int:
    """Verbs whose request the chance holder can complete."""
    p = s.player
    rules = RULES[s.ruleset]
    main = p == s.turn and s.stage_count == 0
    verbs = (rules.verbs if main else rules.quick) & ~s.used
    if s.stage_count == STAGE:
        verbs &= ~rules.normal
    magician = has_magician(s, p)
    verbs = affordable(s, p, magician, verbs)
    hand = s.hand[p]
    cards = count(hand)
    keyed = verbs & rules.keyed
    while keyed:
        verb = lowest(keyed)
        keyed = without_lowest(keyed)
        if (
            not hand & rules.first_key[verb]
            or cards < rules.keys[verb] + rules.discards[magician, verb]
            or not has_target(s, p, rules.target[verb])
            or not first_keys(s, p, verb, hand)
        ):
            verbs &= ~BIT[verb]
    return verbs


@kernel
def attack_ready(s: State) -> int:
    """Own soldiers that may attack, above those already picked."""
    p = s.player
    slots = s.soldiers[p] & s.charged[p] & (~s.came[p] | s.haste[p])
    if s.picked:
        slots &= ~(BIT[highest(s.picked) + 1] - 1)
    return slots


@kernel
def block_ready(s: State) -> int:
    """Own units that may (also) block the attacker in question: one bulwark, or soldiers in ascending order (R22)."""
    p = s.player
    ready = units_of(s, p) & s.charged[p]
    slots = units_of(s, p)
    last = -1
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if s.blocks[p, slot] >= 0:
            ready &= ~BIT[slot]
        if s.blocks[p, slot] == s.attacker:
            last = slot
    if last >= 0:
        ready &= s.soldiers[p] & ~(BIT[last + 1] - 1)
        if s.bulwarks[p] & BIT[last]:
            ready = 0
    return ready


@kernel
def cards_to_order(s: State) -> int:
    """Lance: cards of the target not yet placed."""
    aimed_at = target_of_top(s)
    q = aimed_at // SLOTS
    cards = 0
    card = s.bottom[q, aimed_at % SLOTS]
    while card >= 0:
        cards |= BIT[card]
        card = s.above[q, card]
    for i in range(s.ordered):
        cards &= ~BIT[s.order[i]]
    return cards


@kernel
def pile_cards(pile: State, n: int) -> int:
    cards = 0
    for i in range(n):
        cards |= BIT[pile[i]]
    return cards


@kernel
def find_legal(s: State) -> int:
    """Fill the legal sets of the decision; returns how many options there are."""
    words = 0
    cards = 0
    own = 0
    enemy = 0
    requests = 0
    p = s.player
    kind = s.kind
    if kind == AT_CHANCE:
        words = requestable(s)
        if may_pass(s):
            words |= BIT[PASS]
    elif kind == AT_PAY_BULWARK:
        own = payable_bulwarks(s)
    elif kind == AT_PAY_DISCARD:
        cards = payable_discards(s)
    elif kind == AT_KEY:
        if s.key[0] < 0:
            cards = first_keys(s, p, s.verb, s.hand[p])
        else:
            cards = second_keys(s, s.verb, s.key[0], s.hand[p])
    elif kind == AT_TARGET:
        target = RULES[s.ruleset].target[s.verb]
        own = own_targets(s, p, target, s.key[0])
        enemy = enemy_targets(s, p, target)
        requests = request_targets(s, target)
    elif kind == AT_BULWARK_CARD or kind == AT_DISCARD:
        cards = s.hand[p]
    elif kind == AT_DRAW_MORE:
        words = BIT[YES] | BIT[NO]
    elif kind == AT_ATTACKERS:
        words = BIT[DONE]
        own = attack_ready(s)
    elif kind == AT_BLOCKERS:
        words = BIT[DONE]
        own = block_ready(s)
    elif kind == AT_TWIST or kind == AT_REVERSE_STATE:
        words = BIT[DRIVE] | BIT[CHARGE]
    elif kind == AT_SEARCH_CARD:
        cards = pile_cards(s.life[p], s.life_count[p])
    elif kind == AT_FORTIFY:
        words = BIT[ONE] | BIT[TWO]
    elif kind == AT_GRAVE_CARD:
        cards = pile_cards(s.grave[p], s.grave_count[p])
    elif kind == AT_STRIP_CARD:
        cards = s.hand[1 - p]
    elif kind == AT_LANCE_ORDER:
        cards = cards_to_order(s)
    s.legal[LEGAL_WORDS] = words
    s.legal[LEGAL_CARDS] = cards
    s.legal[LEGAL_OWN] = own
    s.legal[LEGAL_ENEMY] = enemy
    s.legal[LEGAL_REQUESTS] = requests
    return count(words) + count(cards) + count(own) + count(enemy) + count(requests)
