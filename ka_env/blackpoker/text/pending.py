"""Does a decision inside a request or an effect fit its position? Asked of texts, never during play."""

from __future__ import annotations

from ka_env.blackpoker.actions.end import HAND_LIMIT
from ka_env.blackpoker.cards import JOKER
from ka_env.blackpoker.codes import (
    AT_ATTACKERS,
    AT_BLOCKERS,
    AT_BULWARK_CARD,
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
    ATTACK,
    BLOCK,
    BULWARK,
    DRAW,
    END,
    FORTIFY,
    LANCE,
    REANIMATE,
    REVERSE,
    SEARCH,
    SLOTS,
    STAGE,
    STRIP,
    TWIST,
)
from ka_env.blackpoker.flow.costs import charged_bulwarks, has_magician, next_letter
from ka_env.blackpoker.flow.keys import first_keys, second_keys
from ka_env.blackpoker.flow.legal import attack_ready, cards_to_order, find_legal
from ka_env.blackpoker.flow.stage import target_of_top, top
from ka_env.blackpoker.flow.targets import (
    enemy_targets,
    has_target,
    is_aimed,
    own_targets,
    request_targets,
    target_holds,
)
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import COST_B, COST_D, COST_L, MAX_COST, RULES
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel


@kernel
def pending_fits(s: State) -> bool:
    if s.kind <= AT_TARGET:
        fits = request_fits(s)
    elif s.kind == AT_BULWARK_CARD or s.kind == AT_SEARCH_CARD:
        fits = immediate_fits(s)
    else:
        fits = effect_fits(s)
    return fits and find_legal(s) > 0


@kernel
def may_be_announced(s: State) -> bool:
    rules = RULES[s.ruleset]
    main = s.player == s.turn and s.stage_count == 0
    return (rules.verbs if main else rules.quick) & BIT[s.verb] != 0


@kernel
def request_fits(s: State) -> bool:
    rules = RULES[s.ruleset]
    if not may_be_announced(s) or (s.stage_count == STAGE and rules.normal & BIT[s.verb]):
        return False
    named = int(s.key[0] >= 0) + int(s.key[1] >= 0)
    letter = next_letter(s)
    if letter == COST_B:
        expected = AT_PAY_BULWARK
    elif letter == COST_D:
        expected = AT_PAY_DISCARD
    elif named < rules.keys[s.verb]:
        expected = AT_KEY
    else:
        expected = AT_TARGET
    return (
        s.kind == expected
        and letter != COST_L
        and (letter == 0 or named == 0)
        and (s.kind != AT_TARGET or is_aimed(rules.target[s.verb]))
        and cost_fits(s, named)
        and keys_fit(s, named)
    )


@kernel
def cost_fits(s: State, named: int) -> bool:
    """Can the rest of the cost be paid, and was a bulwark driven where one was paid?"""
    p = s.player
    rules = RULES[s.ruleset]
    magician = has_magician(s, p)
    bulwarks = 0
    lives = 0
    discards = 0
    driven = 0
    for i in range(MAX_COST):
        letter = rules.cost[magician, s.verb, i]
        if i < s.paid:
            driven += letter == COST_B
            if letter == 0:
                return False
        else:
            bulwarks += letter == COST_B
            lives += letter == COST_L
            discards += letter == COST_D
    if (driven > 0) != (s.paid_slot >= 0):
        return False
    free = charged_bulwarks(s, p)
    if s.paid_slot >= 0:
        if not s.bulwarks[p] & ~s.charged[p] & BIT[s.paid_slot]:
            return False
        free &= ~(BIT[s.paid_slot + 1] - 1)
    cards = count(s.hand[p])
    return count(free) >= bulwarks and s.life_count[p] >= lives and cards >= discards + rules.keys[s.verb] - named


@kernel
def keys_fit(s: State, named: int) -> bool:
    """Do the keys named so far fit, can the rest be named, and is there a target for them?"""
    p = s.player
    rules = RULES[s.ruleset]
    target = rules.target[s.verb]
    if named > rules.keys[s.verb] or not has_target(s, p, target):
        return False
    if named == 0:
        return rules.keys[s.verb] == 0 or first_keys(s, p, s.verb, s.hand[p]) != 0
    hand = s.hand[p] | BIT[s.key[0]]
    if named == 2:
        hand |= BIT[s.key[1]]
        if not second_keys(s, s.verb, s.key[0], hand) & BIT[s.key[1]]:
            return False
    if not first_keys(s, p, s.verb, hand) & BIT[s.key[0]]:
        return False
    found = own_targets(s, p, target, s.key[0]) | enemy_targets(s, p, target) | request_targets(s, target)
    return not is_aimed(target) or found != 0


@kernel
def immediate_fits(s: State) -> bool:
    if s.kind == AT_BULWARK_CARD:
        return s.verb == BULWARK and may_be_announced(s) and s.key[0] < 0
    return s.verb == SEARCH and may_be_announced(s) and s.key[0] >= JOKER and s.key[1] < 0


@kernel
def effect_fits(s: State) -> bool:
    """The request on top of the stage is the one that asks this, of this player."""
    if s.stage_count == 0 or not target_holds(s, top(s)):
        return False
    action = s.stage_action[top(s)]
    player = s.stage_player[top(s)]
    kind = s.kind
    fits = False
    if kind == AT_DISCARD:
        fits = action == END and count(s.hand[s.turn]) > HAND_LIMIT
    elif kind == AT_DRAW_MORE:
        fits = action == DRAW and s.life_count[s.turn] > 0
    elif kind == AT_ATTACKERS:
        picked = s.picked
        s.picked = 0
        fits = action == ATTACK and picked & ~attack_ready(s) == 0
        s.picked = picked
    elif kind == AT_BLOCKERS:
        player = 1 - s.turn
        fits = action == BLOCK and s.attacker >= 0 and s.attackers[s.turn] & BIT[s.attacker] != 0
    elif kind == AT_TWIST:
        fits = action == TWIST
    elif kind == AT_FORTIFY:
        fits = action == FORTIFY
    elif kind == AT_GRAVE_CARD:
        fits = action == REANIMATE
    elif kind == AT_STRIP_CARD:
        fits = action == STRIP
    elif kind == AT_REVERSE_STATE:
        fits = action == REVERSE
    elif kind == AT_LANCE_ORDER and action == LANCE:
        player = target_of_top(s) // SLOTS
        ordered = s.ordered
        s.ordered = 0
        fits = True
        for i in range(ordered):
            s.ordered = i
            fits = fits and cards_to_order(s) & BIT[s.order[i]] != 0
        s.ordered = ordered
    return fits and s.player == player
