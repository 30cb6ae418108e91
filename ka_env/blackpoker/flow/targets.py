"""What a request may be aimed at, and whether a target still holds when the request resolves."""

from __future__ import annotations

from ka_env.blackpoker.cards import NO_SUIT, SUIT, SUITED
from ka_env.blackpoker.codes import (
    DAMAGE,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_PLAYER_TARGET,
    FIRST_REQUEST,
    FIRST_STAGE_TARGET,
    GONE,
    ME,
    NO_TARGET,
    SLOTS,
)
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import RULES
from ka_env.blackpoker.rulesets.rows import (
    A_PLAYER,
    AIMED_REQUEST,
    ANY_BULWARK,
    ANY_SOLDIER,
    ANY_UNIT,
    KEYED_REQUEST,
    NOTHING,
    OPPONENT,
    OWN_SOLDIER_OF_SUIT,
    OWN_UNIT,
    THE_DAMAGE,
    TRAPPED_REQUEST,
)
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel

SUIT_CARDS = (*SUITED, 0)  # a Joker has no suit, so nothing shares it


@kernel
def is_aimed(target: int) -> bool:
    """Is the target asked for? (The opponent never is.)"""
    return target > OPPONENT


@kernel
def units_of(s: State, q: int) -> int:
    return s.bulwarks[q] | s.soldiers[q]


@kernel
def soldiers_of_suit(s: State, p: int, suit: int) -> int:
    found = 0
    slots = s.soldiers[p]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if SUIT[s.bottom[p, slot]] == suit and suit != NO_SUIT:
            found |= BIT[slot]
    return found


@kernel
def equippable(s: State, p: int) -> int:
    """Cards whose suit one of p's soldiers has."""
    cards = 0
    slots = s.soldiers[p]
    while slots:
        cards |= SUIT_CARDS[SUIT[s.bottom[p, lowest(slots)]]]
        slots = without_lowest(slots)
    return cards


@kernel
def own_targets(s: State, p: int, target: int, key: int) -> int:
    """Slots of p's own units; `key` is the first key."""
    if target == ANY_SOLDIER:
        return s.soldiers[p]
    if target == ANY_UNIT or target == OWN_UNIT:
        return units_of(s, p)
    if target == ANY_BULWARK:
        return s.bulwarks[p]
    if target == OWN_SOLDIER_OF_SUIT:
        return soldiers_of_suit(s, p, SUIT[key])
    return 0


@kernel
def enemy_targets(s: State, p: int, target: int) -> int:
    if target == ANY_SOLDIER:
        return s.soldiers[1 - p]
    if target == ANY_UNIT:
        return units_of(s, 1 - p)
    if target == ANY_BULWARK:
        return s.bulwarks[1 - p]
    return 0


@kernel
def request_targets(s: State, target: int) -> int:
    """Requests on the stage; one that lies there itself must still be left out."""
    found = 0
    if target < KEYED_REQUEST:
        return found
    rules = RULES[s.ruleset]
    for i in range(s.stage_count):
        action = s.stage_action[i]
        if target == AIMED_REQUEST:
            fits = rules.target[action] != NOTHING
        elif target == THE_DAMAGE:
            fits = action == DAMAGE
        else:
            fits = s.stage_key[i, 0] >= 0 and s.stage_key[i, 2] < 0
            fits = fits and (target == TRAPPED_REQUEST or rules.counterable & BIT[action] != 0)
        if fits and target != A_PLAYER:
            found |= BIT[i]
    return found


@kernel
def has_target(s: State, p: int, target: int) -> bool:
    """Is there anything to aim at? Which soldier fits an equip depends on its key: see `equippable`."""
    if not is_aimed(target):
        return True
    if target == OWN_SOLDIER_OF_SUIT:
        return s.soldiers[p] != 0
    if target == A_PLAYER:
        return True
    if target >= KEYED_REQUEST:
        return request_targets(s, target) != 0
    return (own_targets(s, p, target, -1) | enemy_targets(s, p, target)) != 0


@kernel
def aimable(s: State, p: int, verbs: int) -> int:
    """Those of the verbs that have something to aim at."""
    aiming = RULES[s.ruleset].aiming
    for target in range(ANY_SOLDIER, A_PLAYER):
        if verbs & aiming[target] and not has_target(s, p, target):
            verbs &= ~aiming[target]
    return verbs


@kernel
def target_code(p: int, action: int) -> int:
    """What a token names, from p's side."""
    if action < FIRST_CARD:
        return FIRST_PLAYER_TARGET + (int(p) if action == ME else 1 - int(p))
    if action >= FIRST_REQUEST:
        return FIRST_STAGE_TARGET + action - FIRST_REQUEST
    if action >= FIRST_ENEMY:
        return (1 - int(p)) * SLOTS + action - FIRST_ENEMY
    return int(p) * SLOTS + action - FIRST_OWN


@kernel
def target_holds(s: State, i: int) -> bool:
    """Request i: is its target still there, and does it still meet the condition?"""
    aimed_at = s.stage_target[i]
    if aimed_at == NO_TARGET:
        return True
    if aimed_at == GONE:
        return False
    p = s.stage_player[i]
    target = RULES[s.ruleset].target[s.stage_action[i]]
    if aimed_at >= FIRST_PLAYER_TARGET:
        return True
    if aimed_at >= FIRST_STAGE_TARGET:
        return request_targets(s, target) & BIT[aimed_at - FIRST_STAGE_TARGET] != 0
    slot = aimed_at % SLOTS
    if aimed_at // SLOTS == p:
        return own_targets(s, p, target, s.stage_key[i, 0]) & BIT[slot] != 0
    return enemy_targets(s, p, target) & BIT[slot] != 0
