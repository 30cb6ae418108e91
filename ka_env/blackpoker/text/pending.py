"""Does a decision inside a request or an effect fit its position? Asked of texts, never during play."""

from __future__ import annotations

from ka_env.blackpoker import actions
from ka_env.blackpoker.codes import SLOTS, STAGE
from ka_env.blackpoker.decisions import (
    ASKED,
    ASKED_BY,
    AT_KEY,
    AT_PAY_BULWARK,
    AT_PAY_DISCARD,
    AT_PAY_SACRIFICE,
    AT_TARGET,
    MAKING,
    OPPONENT,
    TARGET_OWNER,
)
from ka_env.blackpoker.flow.costs import charged_bulwarks, has_magician, next_letter
from ka_env.blackpoker.flow.keys import first_keys, has_keys, keys_named, next_keys
from ka_env.blackpoker.flow.legal import find_legal, open_verbs
from ka_env.blackpoker.flow.stage import target_of_top, top
from ka_env.blackpoker.flow.targets import (
    enemy_targets,
    has_target,
    is_aimed,
    own_targets,
    request_targets,
    target_holds,
    units_of,
)
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import COST_B, COST_D, COST_L, COST_S, MAX_COST, RULES
from ka_env.blackpoker.rulesets.rows import A_PLAYER
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel


@kernel
def pending_fits(s: State) -> bool:
    if MAKING & BIT[s.kind]:
        fits = request_fits(s)
    elif s.verb >= 0:
        fits = immediate_fits(s)
    else:
        fits = effect_fits(s)
    return fits and find_legal(s) > 0


@kernel
def may_be_announced(s: State) -> bool:
    return open_verbs(s, s.player) & BIT[s.verb] != 0


@kernel
def request_fits(s: State) -> bool:
    rules = RULES[s.ruleset]
    if not may_be_announced(s) or (s.stage_count == STAGE and rules.normal & BIT[s.verb]):
        return False
    named = keys_named(s)
    letter = next_letter(s)
    if letter == COST_B:
        expected = AT_PAY_BULWARK
    elif letter == COST_S:
        expected = AT_PAY_SACRIFICE
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
    units = 0
    driven = 0
    given_up = 0
    for i in range(MAX_COST):
        letter = rules.cost[magician, s.verb, i]
        if i < s.paid:
            driven += letter == COST_B
            given_up += letter == COST_S
            if letter == 0:
                return False
        else:
            bulwarks += letter == COST_B
            units += letter == COST_S
            lives += letter == COST_L
            discards += letter == COST_D
    if (driven + given_up > 0) != (s.paid_slot >= 0) or (s.successions[p] > 0 and given_up == 0):
        return False
    free = charged_bulwarks(s, p)
    others = units_of(s, p)
    if s.paid_slot >= 0:
        if driven and not s.bulwarks[p] & ~s.charged[p] & BIT[s.paid_slot]:
            return False
        if given_up and others & BIT[s.paid_slot]:
            return False
        free &= ~(BIT[s.paid_slot + 1] - 1)
        others &= ~(BIT[s.paid_slot + 1] - 1)
    cards = count(s.hand[p])
    if count(free) < bulwarks or count(others) < units or s.life_count[p] < lives:
        return False
    return rules.rare_keyed & BIT[s.verb] != 0 or cards >= discards + rules.keys[s.verb] - named


@kernel
def keys_fit(s: State, named: int) -> bool:
    """Do the keys named so far fit, can the rest be named, and is there a target for them?"""
    p = s.player
    rules = RULES[s.ruleset]
    target = rules.target[s.verb]
    if named > rules.keys[s.verb] or not has_target(s, p, target):
        return False
    if rules.rare_keyed & BIT[s.verb]:
        return (named == 0) == (s.kind != AT_TARGET) and (s.rare[p] >= 0) == (named == 0)
    if named == 0:
        return rules.keys[s.verb] == 0 or has_keys(s, p, s.verb, s.hand[p])
    hand = s.hand[p]
    for k in range(named):
        hand |= BIT[s.key[k]]
    for k in range(1, named):
        if not next_keys(s, s.verb, s.key[k - 1], hand) & BIT[s.key[k]]:
            return False
    if not first_keys(s, p, s.verb, hand) & BIT[s.key[0]]:
        return False
    found = own_targets(s, p, target, s.key[0]) | enemy_targets(s, p, target) | request_targets(s, target)
    return not is_aimed(target) or target == A_PLAYER or found != 0


@kernel
def immediate_fits(s: State) -> bool:
    """The immediate request being made is the one that asks this."""
    rules = RULES[s.ruleset]
    if not ASKED_BY[s.kind] & BIT[s.verb] & ~rules.normal or not may_be_announced(s):
        return False
    named = keys_named(s)
    if named != rules.keys[s.verb] or (named > 0 and not rules.first_key[s.verb] & BIT[s.key[0]]):
        return False
    return actions.fits(s, s.kind)


@kernel
def effect_fits(s: State) -> bool:
    """The request on top of the stage is the one that asks this, of this player."""
    if s.stage_count == 0 or not target_holds(s, top(s)):
        return False
    if not ASKED_BY[s.kind] & BIT[s.stage_action[top(s)]]:
        return False
    player = int(s.stage_player[top(s)])
    if ASKED[s.kind] == OPPONENT:
        player = 1 - player
    elif ASKED[s.kind] == TARGET_OWNER:
        player = target_of_top(s) // SLOTS
    return s.player == player and actions.fits(s, s.kind)
