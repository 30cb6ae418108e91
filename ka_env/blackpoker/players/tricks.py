"""Quick magic: up, down, twist and counter, at the moments when they pay.

A plan is (points, key card, target as an action id): the best way to use the verb with one of `keys`. Without a good
way the key is -1. The price of the cards is already taken off.
"""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.codes import (
    ACE,
    ATTACK,
    BJ,
    BLOCK,
    COUNTER,
    DAMAGE,
    DESTROY,
    DOWN,
    EQUIP,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_REQUEST,
    FIRST_STAGE_TARGET,
    FORTIFY,
    HERO,
    KILL,
    LANCE,
    LEGAL_WORDS,
    MAGICIAN,
    PASS,
    QUICK,
    RARESUMMON,
    REANIMATE,
    REUNION,
    REVERSE,
    SETUP,
    SLOTS,
    SOLDIER,
    STRIP,
    THROW,
    TRUCE,
    TWIST,
    UP,
)
from ka_env.blackpoker.flow.targets import request_targets, units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.appraise import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    LOW,
    SPADES,
    Temper,
    bulwark_worth,
    cancelled,
    charged_units,
    cheapest,
    harm_to,
    lowest_number_from,
    size_of,
    soldier_worth,
    trick_price,
    unit_worth,
)
from ka_env.blackpoker.players.fight import attack_value, outcome, outcome_with, storm, storm_cost
from ka_env.blackpoker.rulesets.rows import KEYED_REQUEST
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

Plan = tuple[int, int, int]


@kernel
def requests_of(s: State, action: int) -> int:
    """Where on the stage this action lies."""
    found = 0
    for i in range(s.stage_count):
        if s.stage_action[i] == action:
            found |= BIT[i]
    return found


@kernel
def is_on_stage(s: State, action: int) -> bool:
    return requests_of(s, action) != 0


@kernel
def has_cast(s: State, p: int, verb: int) -> bool:
    """Does a request of p with this verb lie on the stage?"""
    found = requests_of(s, verb)
    return found != 0 and s.stage_player[lowest(found)] == p


@kernel
def unit_action(p: int, q: int, slot: int) -> int:
    return (FIRST_OWN if p == q else FIRST_ENEMY) + slot


# ---- up and down ----------------------------------------------------------------------------------------------------


@kernel
def fighters(s: State, q: int) -> int:
    """Soldiers of q that attack or block."""
    if q == s.turn:
        return s.attackers[q]
    found = 0
    slots = s.soldiers[q]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if s.blocks[q, slot] >= 0:
            found |= BIT[slot]
    return found


@kernel
def resize_in_fight(s: State, p: int, verb: int, keys: int, t: Temper) -> Plan:
    """Up an own fighter, or down one of the enemy's: what does it change?"""
    q = 1 - p if verb == DOWN else p
    best, best_key, target = 0, -1, -1
    if not fighters(s, q):
        return best, best_key, target
    void = cancelled(s)
    before = outcome(s, p, -1, void, t)
    while keys:
        key = lowest(keys)
        keys = without_lowest(keys)
        price = trick_price(s, p, verb, key, t) + t.trick
        change = -NUMBER[key] if verb == DOWN else NUMBER[key]
        slots = fighters(s, q)
        while slots:
            slot = lowest(slots)
            slots = without_lowest(slots)
            value = outcome_with(s, p, q, slot, change, void, t) - before - price
            if value > best:
                best, best_key, target = value, key, unit_action(p, q, slot)
    return best, best_key, target


@kernel
def attack_without(s: State, p: int, slot: int, t: Temper) -> int:
    """What p's best attack would bring if the enemy's unit weren't there."""
    bit = BIT[slot]
    soldiers, bulwarks, charged = s.soldiers[1 - p], s.bulwarks[1 - p], s.charged[1 - p]
    s.soldiers[1 - p] &= ~bit
    s.bulwarks[1 - p] &= ~bit
    s.charged[1 - p] &= ~bit
    score = attack_value(s, p, t)
    s.soldiers[1 - p], s.bulwarks[1 - p], s.charged[1 - p] = soldiers, bulwarks, charged
    return score


@kernel
def kill_by_down(s: State, p: int, keys: int, t: Temper) -> Plan:
    """In the own turn: the smallest spade that kills an enemy soldier worth it."""
    best, best_key, target = 0, -1, -1
    attack = attack_value(s, p, t)
    slots = s.soldiers[1 - p]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        key = lowest_number_from(keys, size_of(s, 1 - p, slot, 1))
        if key < 0:
            continue
        value = unit_worth(s, p, 1 - p, slot, t) - trick_price(s, p, DOWN, key, t) - t.trick
        value += max(attack_without(s, p, slot, t) - attack, 0)
        if value > best:
            best, best_key, target = value, key, FIRST_ENEMY + slot
    return best, best_key, target


@kernel
def plan_up(s: State, p: int, keys: int, t: Temper) -> Plan:
    keys &= HEARTS & LOW
    if keys and is_on_stage(s, DAMAGE):
        return resize_in_fight(s, p, UP, keys, t)
    return 0, -1, -1


@kernel
def plan_down(s: State, p: int, keys: int, t: Temper) -> Plan:
    keys &= SPADES & LOW
    if keys and is_on_stage(s, DAMAGE):
        return resize_in_fight(s, p, DOWN, keys, t)
    if keys and s.stage_count == 0 and p == s.turn:
        return kill_by_down(s, p, keys, t)
    return 0, -1, -1


@kernel
def plan_setup(s: State, p: int, keys: int, t: Temper) -> Plan:
    """An up by a spade."""
    keys &= SPADES & LOW
    if keys and is_on_stage(s, DAMAGE):
        return resize_in_fight(s, p, SETUP, keys, t)
    return 0, -1, -1


# ---- twist ----------------------------------------------------------------------------------------------------------


@kernel
def hold_back(s: State, p: int) -> int:
    """Enemy soldiers that a twist can keep out of the attack just announced."""
    e = 1 - p
    return s.soldiers[e] & s.charged[e] & (~s.came[e] | s.haste[e])


@kernel
def twist_before_attack(s: State, p: int, t: Temper) -> tuple[int, int]:
    """The enemy has announced an attack: drive the soldier that would hurt most."""
    free = charged_units(s, p)
    life = int(s.life_count[p])
    attackers = hold_back(s, p)
    now = storm(s, p, p, attackers, free, life, 1, t)
    best, target = 0, -1
    slots = attackers
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        value = now - storm(s, p, p, attackers & ~BIT[slot], free, life, 1, t)
        if value > best:
            best, target = value, FIRST_ENEMY + slot
    return best, target


@kernel
def twist_before_block(s: State, p: int, t: Temper) -> tuple[int, int]:
    """Attackers are named: drive an enemy who could block, or charge an own unit that shall."""
    d = 1 - int(s.turn)
    attackers = s.attackers[s.turn]
    free = charged_units(s, d)
    life = int(s.life_count[d])
    now, _ = storm_cost(s, p, d, attackers, free, life, 1, t)
    best, target = 0, -1
    slots = free if p != d else units_of(s, d) & ~free
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        cost, _ = storm_cost(s, p, d, attackers, free ^ BIT[slot], life, 1, t)
        value = now - cost if p == d else cost - now
        if value > best:
            best, target = value, unit_action(p, d, slot)
    return best, target


@kernel
def plan_twist(s: State, p: int, keys: int, t: Temper) -> Plan:
    """Before attackers or blockers are named, and one twist at a time."""
    keys &= DIAMONDS & LOW
    if not keys or s.stage_count == 0 or has_cast(s, p, TWIST):
        return 0, -1, -1
    if is_on_stage(s, BLOCK):
        value, target = twist_before_block(s, p, t)
    elif is_on_stage(s, ATTACK) and p != s.turn:
        value, target = twist_before_attack(s, p, t)
    else:
        return 0, -1, -1
    key = cheapest(keys, t)
    value -= trick_price(s, p, TWIST, key, t) + t.trick
    if target < 0 or value <= 0:
        return 0, -1, -1
    return value, key, target


# ---- counter --------------------------------------------------------------------------------------------------------


@kernel
def lance_worth(s: State, p: int, q: int, slot: int, spade: int, diamond: int, t: Temper) -> int:
    """A soldier of q goes back on its life, then the damage."""
    size = size_of(s, q, slot, 1)
    if size == 0 or size % NUMBER[diamond] != 0:
        return 0
    return soldier_worth(s.sizes[q, slot], t) + harm_to(s, p, q, NUMBER[spade] - 1, t)


@kernel
def aimed_worth(s: State, p: int, i: int, t: Temper) -> int:
    """What a request aimed at a unit is worth to its caster."""
    target = int(s.stage_target[i])
    if target < 0 or target >= FIRST_STAGE_TARGET:
        return 0
    q, slot = target // SLOTS, target % SLOTS
    action = s.stage_action[i]
    if action == EQUIP:
        return t.might * NUMBER[s.stage_key[i, 0]]
    if action == DESTROY:
        return unit_worth(s, p, q, slot, t)
    if action == LANCE:
        return lance_worth(s, p, q, slot, s.stage_key[i, 0], s.stage_key[i, 1], t)
    if action == REANIMATE:
        return soldier_worth(12, t) - unit_worth(s, p, q, slot, t) // 2
    if action == REVERSE:
        return unit_worth(s, p, q, slot, t) // 2
    if action == KILL:
        return unit_worth(s, p, q, slot, t)
    if action == DOWN and size_of(s, q, slot, 1) <= 0:
        return unit_worth(s, p, q, slot, t)
    return 0


@kernel
def request_worth(s: State, p: int, i: int, t: Temper) -> int:
    """What a request on the stage is worth to its caster, as p sees it."""
    action = s.stage_action[i]
    victim = 1 - int(s.stage_player[i])
    if action == SOLDIER or action == HERO or action == ACE:
        return soldier_worth(NUMBER[s.stage_key[i, 0]], t)
    if action == MAGICIAN:
        return t.card[0]
    if action == THROW:
        return harm_to(s, p, victim, NUMBER[s.stage_key[i, 0]], t)
    if action == FORTIFY:
        return bulwark_worth(1, t)
    if action == STRIP:
        return t.card[10]
    if action == QUICK:
        return bulwark_worth(count(s.bulwarks[1 - victim]), t)
    if action == RARESUMMON:
        return soldier_worth(NUMBER[s.stage_key[i, 0]], t)
    if action == REUNION or action == BJ:
        return t.card[13]
    if action == TRUCE:
        return abs(outcome(s, p, -1, cancelled(s) & ~BIT[i], t))
    if (action == UP or action == DOWN or action == SETUP) and is_on_stage(s, DAMAGE):
        void = cancelled(s) & ~BIT[i]
        return abs(outcome(s, p, -1, void, t) - outcome(s, p, -1, void | BIT[i], t))
    return aimed_worth(s, p, i, t)


@kernel
def stake(s: State, p: int, i: int, t: Temper) -> int:
    """What p gains by cancelling request i; a counter is worth what it would cancel."""
    if s.stage_action[i] != COUNTER:
        return request_worth(s, p, i, t)
    target = int(s.stage_target[i]) - FIRST_STAGE_TARGET
    if target < 0 or s.stage_action[target] == COUNTER or not cancelled(s) & BIT[target]:
        return 0
    return request_worth(s, p, target, t)


@kernel
def club_against(s: State, i: int, keys: int) -> int:
    """The lowest club that cancels request i; -1 if there is none."""
    number = 1 if s.stage_key[i, 1] >= 0 else NUMBER[s.stage_key[i, 0]]
    return lowest_number_from(keys, number)


@kernel
def plan_counter(s: State, p: int, keys: int, t: Temper) -> Plan:
    best, best_key, target = 0, -1, -1
    keys &= CLUBS & LOW
    if not keys:
        return best, best_key, target
    void = cancelled(s)
    open_ = request_targets(s, KEYED_REQUEST)
    for i in range(s.stage_count):
        if s.stage_player[i] == p or not open_ & BIT[i] or void & BIT[i]:
            continue
        key = club_against(s, i, keys)
        if key < 0:
            continue
        value = stake(s, p, i, t) - trick_price(s, p, COUNTER, key, t) - t.counter
        if value > best:
            best, best_key, target = value, key, FIRST_REQUEST + i
    return best, best_key, target


# ---- answering ------------------------------------------------------------------------------------------------------


@kernel
def plan_trick(s: State, p: int, verb: int, keys: int, t: Temper) -> Plan:
    if verb == UP:
        return plan_up(s, p, keys, t)
    if verb == DOWN:
        return plan_down(s, p, keys, t)
    if verb == TWIST:
        return plan_twist(s, p, keys, t)
    if verb == SETUP:
        return plan_setup(s, p, keys, t)
    return plan_counter(s, p, keys, t)


@kernel
def best_trick(s: State, p: int, t: Temper) -> tuple[int, int]:
    """Something lies on the stage, or it is the enemy's turn: the trick that pays best, else pass."""
    best, choice = 0, PASS
    for verb in (UP, DOWN, TWIST, COUNTER, SETUP):
        if s.legal[LEGAL_WORDS] & BIT[verb]:
            value, key, _ = plan_trick(s, p, verb, s.hand[p], t)
            if key >= 0 and value > best:
                best, choice = value, verb
    return best, choice
