"""Normal magic and search: the best way to use each.

A plan is (points, first key, second key, target as an action id), the keys taken from the two sets given. Without a
way the keys are -1. The price of the cards is already taken off.
"""

from __future__ import annotations

from ka_env.blackpoker.cards import JOKER, NUMBER
from ka_env.blackpoker.codes import (
    DESTROY,
    FIRST_ENEMY,
    FIRST_OWN,
    FORTIFY,
    LANCE,
    REANIMATE,
    REVERSE,
    STRIP,
    THROW,
)
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.appraise import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    Temper,
    biggest,
    bulwark_worth,
    cheapest,
    dearest,
    harm_to,
    highest_number,
    is_doomed,
    keep,
    soldier_worth,
    throw_reach,
    unit_worth,
)
from ka_env.blackpoker.players.fight import attack_value, least_unit
from ka_env.blackpoker.players.temper import WON
from ka_env.blackpoker.players.tricks import attack_without, lance_worth
from ka_env.blackpoker.rulesets import PARTNERS, RULES
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

Pair = tuple[int, int, int, int]


# ---- normal magic ---------------------------------------------------------------------------------------------------


@kernel
def pair_price(first: int, second: int, t: Temper) -> int:
    return keep(first, t) + keep(second, t) + t.magic


@kernel
def plan_throw(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    spade = highest_number(first & SPADES)
    club = cheapest(second & CLUBS, t)
    if spade < 0 or club < 0:
        return 0, -1, -1, -1
    value = harm_to(s, p, 1 - p, NUMBER[spade], t) - pair_price(spade, club, t)
    return value, spade, club, -1


@kernel
def plan_destroy(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    heart = cheapest(first & HEARTS, t)
    diamond = cheapest(second & DIAMONDS, t)
    slots = s.bulwarks[1 - p]
    if heart < 0 or diamond < 0 or not slots:
        return 0, -1, -1, -1
    ready = slots & s.charged[1 - p]
    slot = lowest(ready) if ready else lowest(slots)
    value = unit_worth(s, p, 1 - p, slot, t) - pair_price(heart, diamond, t)
    if ready:
        value += max(attack_without(s, p, slot, t) - attack_value(s, p, t), 0)
    return value, heart, diamond, FIRST_ENEMY + slot


@kernel
def plan_lance(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    best, best_spade, best_diamond, target = 0, -1, -1, -1
    spade = highest_number(first & SPADES)
    if spade < 0:
        return best, best_spade, best_diamond, target
    diamonds = second & DIAMONDS
    while diamonds:
        diamond = lowest(diamonds)
        diamonds = without_lowest(diamonds)
        price = pair_price(spade, diamond, t)
        slots = s.soldiers[1 - p]
        while slots:
            slot = lowest(slots)
            slots = without_lowest(slots)
            value = lance_worth(s, p, 1 - p, slot, spade, diamond, t)
            if value > 0 and value - price > best:
                best, best_spade, best_diamond, target = value - price, spade, diamond, FIRST_ENEMY + slot
    return best, best_spade, best_diamond, target


@kernel
def plan_fortify(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    heart = cheapest(first & HEARTS, t)
    club = cheapest(second & CLUBS, t)
    if heart < 0 or club < 0:
        return 0, -1, -1, -1
    n = count(s.bulwarks[p])
    value = bulwark_worth(n, t) + bulwark_worth(n + 1, t) - harm_to(s, p, p, 2, t)
    return value - pair_price(heart, club, t), heart, club, -1


@kernel
def grave_hero(s: State, p: int) -> int:
    """The highest number in the own grave; -1 if it is empty."""
    best = -1
    for i in range(s.grave_count[p]):
        card = int(s.grave[p, i])
        if best < 0 or NUMBER[card] > NUMBER[best]:
            best = card
    return best


@kernel
def plan_reanimate(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    spade = cheapest(first & SPADES, t)
    heart = cheapest(second & HEARTS, t)
    hero = grave_hero(s, p)
    if spade < 0 or heart < 0 or hero < 0:
        return 0, -1, -1, -1
    spent = units_of(s, p) & ~s.charged[p]
    victim, loss = least_unit(s, p, p, spent if spent else units_of(s, p), t)
    value = soldier_worth(NUMBER[hero], t) - loss - pair_price(spade, heart, t)
    return value, spade, heart, FIRST_OWN + victim


@kernel
def plan_strip(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    diamond = cheapest(first & DIAMONDS, t)
    club = cheapest(second & CLUBS, t)
    if diamond < 0 or club < 0 or not s.hand[1 - p]:
        return 0, -1, -1, -1
    return t.card[12] - pair_price(diamond, club, t), diamond, club, -1


@kernel
def reverse_target(s: State, p: int, t: Temper) -> tuple[int, int]:
    """Turn the enemy's biggest soldier into bulwarks, or an own bulwark into a hero: points, action id."""
    best, target = 0, -1
    e = 1 - p
    if s.soldiers[e]:
        slot = biggest(s, e, s.soldiers[e], 0)
        best = soldier_worth(s.sizes[e, slot], t) - bulwark_worth(count(s.bulwarks[e]), t)
        target = FIRST_ENEMY + slot
    slots = s.bulwarks[p]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        value = soldier_worth(NUMBER[s.bottom[p, slot]], t) - bulwark_worth(count(s.bulwarks[p]) - 1, t)
        if target < 0 or value > best:
            best, target = value, FIRST_OWN + slot
    return best, target


@kernel
def plan_reverse(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    value, target = reverse_target(s, p, t)
    best, low, high = 0, -1, -1
    pairing = RULES[s.ruleset].pairing[REVERSE]
    while first and target >= 0:
        card = lowest(first)
        first = without_lowest(first)
        partner = cheapest(second & PARTNERS[pairing, card], t)
        if partner < 0:
            continue
        gain = value - pair_price(card, partner, t)
        if low < 0 or gain > best:
            best, low, high = gain, card, partner
    return best, low, high, target


@kernel
def plan_pair(s: State, p: int, verb: int, first: int, second: int, t: Temper) -> Pair:
    """The best way to use two-key magic, the keys taken from these sets."""
    if verb == THROW:
        return plan_throw(s, p, first, second, t)
    if verb == DESTROY:
        return plan_destroy(s, p, first, second, t)
    if verb == LANCE:
        return plan_lance(s, p, first, second, t)
    if verb == FORTIFY:
        return plan_fortify(s, p, first, second, t)
    if verb == REANIMATE:
        return plan_reanimate(s, p, first, second, t)
    if verb == STRIP:
        return plan_strip(s, p, first, second, t)
    if verb == REVERSE:
        return plan_reverse(s, p, first, second, t)
    return 0, -1, -1, -1


# ---- search ---------------------------------------------------------------------------------------------------------


@kernel
def search_pick(s: State, p: int, cards: int, t: Temper) -> int:
    """What to take out of the life: a spade that kills by throw, else what is worth most."""
    if s.hand[p] & CLUBS and cards & SPADES:
        spade = highest_number(cards & SPADES)
        if NUMBER[spade] > throw_reach(s, p) and is_doomed(s.life_count[1 - p] - NUMBER[spade]):
            return spade
    return dearest(cards, t)


@kernel
def life_cards(s: State, p: int) -> int:
    cards = 0
    for i in range(s.life_count[p]):
        cards |= BIT[s.life[p, i]]
    return cards


@kernel
def search_value(s: State, p: int, t: Temper) -> int:
    cards = life_cards(s, p)
    if not cards:
        return 0
    card = search_pick(s, p, cards, t)
    price = harm_to(s, p, p, 1, t)
    if s.hand[p] & CLUBS and BIT[card] & SPADES and is_doomed(s.life_count[1 - p] - NUMBER[card]):
        return WON - price
    return keep(card, t) - keep(JOKER, t) - price - t.magic
