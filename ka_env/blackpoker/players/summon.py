"""Bulwarks, summoning and equipping: what a card is worth on the field instead of in hand."""

from __future__ import annotations

from ka_env.blackpoker.cards import COURT, HASTY, JOKER, NUMBER, SUIT
from ka_env.blackpoker.codes import FIRST_OWN
from ka_env.blackpoker.flow.costs import charged_bulwarks
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.appraise import (
    LOW,
    Temper,
    bulwark_worth,
    cheapest,
    harm_to,
    keep,
    soldier_worth,
    unit_worth,
)
from ka_env.blackpoker.players.fight import attack_value, danger, least_unit
from ka_env.blackpoker.players.tricks import Plan
from ka_env.blackpoker.rulesets import COST_B, MAX_COST, RULES
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

# ---- bulwarks -------------------------------------------------------------------------------------------------------


@kernel
def trap_worth(s: State, p: int, card: int, t: Temper) -> int:
    """A bulwark with the number of an enemy soldier kills it; a Joker kills any."""
    prize = 0
    slots = s.soldiers[1 - p]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if card >= JOKER or NUMBER[s.bottom[1 - p, slot]] == NUMBER[card]:
            prize = max(prize, unit_worth(s, p, 1 - p, slot, t))
    return prize * t.trap // 100


@kernel
def laying_cost(s: State, p: int, card: int, t: Temper) -> int:
    """What is missed when a hand card becomes a bulwark."""
    cost = keep(card, t) - trap_worth(s, p, card, t)
    return cost + t.court if BIT[card] & COURT else cost


@kernel
def bulwark_card(s: State, p: int, cards: int, t: Temper) -> int:
    """The hand card to lay: one that is missed little, or a trap for an enemy soldier."""
    best = lowest(cards)
    least = laying_cost(s, p, best, t)
    cards = without_lowest(cards)
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        cost = laying_cost(s, p, card, t)
        if cost < least:
            best, least = card, cost
    return best


@kernel
def danger_behind(s: State, p: int, card: int, t: Temper) -> int:
    """The danger with the card laid as a bulwark."""
    slot = lowest(~units_of(s, p))
    s.life_count[p] -= 1
    s.bulwarks[p] |= BIT[slot]
    s.charged[p] |= BIT[slot]
    s.bottom[p, slot] = card
    after = danger(s, p, t)
    s.life_count[p] += 1
    s.bulwarks[p] &= ~BIT[slot]
    s.charged[p] &= ~BIT[slot]
    s.bottom[p, slot] = -1
    return after


@kernel
def bulwark_value(s: State, p: int, t: Temper) -> int:
    """One more bulwark, for its card and a life card."""
    if not s.hand[p]:
        return 0
    card = bulwark_card(s, p, s.hand[p], t)
    price = laying_cost(s, p, card, t) + harm_to(s, p, p, 1, t)
    safety = danger(s, p, t) - danger_behind(s, p, card, t)
    return bulwark_worth(count(s.bulwarks[p]), t) + t.lay_bulwark - price + safety * t.caution // 100


# ---- summoning ------------------------------------------------------------------------------------------------------


@kernel
def least_bulwarks(s: State, p: int, slots: int, number: int, t: Temper) -> int:
    """Which charged bulwarks to drive: those that would be missed least as blockers."""
    chosen = 0
    while count(chosen) < number and slots & ~chosen:
        least, _ = least_unit(s, p, p, slots & ~chosen, t)
        chosen |= BIT[least]
    return chosen


@kernel
def bulwarks_for(s: State, verb: int) -> int:
    """How many bulwarks a summoning drives."""
    n = 0
    for k in range(MAX_COST):
        if RULES[s.ruleset].cost[0, verb, k] == COST_B:
            n += 1
    return n


@kernel
def danger_after(s: State, p: int, card: int, bulwarks: int, t: Temper) -> int:
    """The danger with so many bulwarks driven and the card on the field as a soldier."""
    driven = least_bulwarks(s, p, charged_bulwarks(s, p), bulwarks, t)
    slot = lowest(~units_of(s, p))
    s.life_count[p] -= 1
    s.charged[p] = (s.charged[p] & ~driven) | BIT[slot]
    s.soldiers[p] |= BIT[slot]
    s.bottom[p, slot] = card
    s.sizes[p, slot] = NUMBER[card]
    after = danger(s, p, t)
    s.life_count[p] += 1
    s.charged[p] = (s.charged[p] | driven) & ~BIT[slot]
    s.soldiers[p] &= ~BIT[slot]
    s.bottom[p, slot] = -1
    s.sizes[p, slot] = 0
    return after


@kernel
def summon_value(s: State, p: int, verb: int, card: int, t: Temper) -> int:
    """The card as a soldier, ace, hero or magician instead of in hand."""
    value = soldier_worth(NUMBER[card], t) + t.summon - keep(card, t)
    value -= harm_to(s, p, p, 1, t)
    safety = danger(s, p, t) - danger_after(s, p, card, bulwarks_for(s, verb), t)
    return value + safety * t.caution // 100


@kernel
def best_summon(s: State, p: int, verb: int, cards: int, t: Temper) -> tuple[int, int]:
    """The best card for a soldier, hero or ace: points, card."""
    best, best_card = 0, -1
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        value = summon_value(s, p, verb, card, t)
        if best_card < 0 or value > best:
            best, best_card = value, card
    return best, best_card


@kernel
def magician_value(s: State, p: int, t: Temper) -> int:
    """A magician for a Joker, a bulwark's charge and a discard; the more quick magic in hand the better."""
    other = cheapest(s.hand[p] & LOW, t)
    if other < 0:
        return 0
    quick = count(s.hand[p] & LOW) - 1
    return t.body + t.magician * quick - keep(JOKER, t) - keep(other, t) + t.summon


# ---- equipping ------------------------------------------------------------------------------------------------------


@kernel
def attack_with(s: State, p: int, slot: int, card: int, t: Temper) -> int:
    """What p's best attack would bring with the card added to a soldier."""
    number = NUMBER[card]
    hasty = BIT[slot] & s.haste[p]
    s.change[p, slot] += number
    if BIT[card] & HASTY:
        s.haste[p] |= BIT[slot]
    score = attack_value(s, p, t)
    s.change[p, slot] -= number
    s.haste[p] = (s.haste[p] & ~BIT[slot]) | hasty
    return score


@kernel
def equip_value(s: State, p: int, slot: int, card: int, now: int, t: Temper) -> int:
    """A card added to a soldier; `now` is what the attack brings without it."""
    before = soldier_worth(s.sizes[p, slot], t)
    value = soldier_worth(s.sizes[p, slot] + NUMBER[card], t) - before - keep(card, t) + t.summon
    value -= harm_to(s, p, p, 1, t)
    return value + max(attack_with(s, p, slot, card, t) - now, 0)


@kernel
def plan_equip(s: State, p: int, keys: int, t: Temper) -> Plan:
    """For each own soldier its suit's highest card, and its ace."""
    best, best_key, target = 0, -1, -1
    now = attack_value(s, p, t)
    slots = s.soldiers[p]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        suit = SUIT[s.bottom[p, slot]]
        for cards in (keys, keys & HASTY):
            card = highest_of_suit(cards, suit)
            if card < 0:
                continue
            value = equip_value(s, p, slot, card, now, t)
            if best_key < 0 or value > best:
                best, best_key, target = value, card, FIRST_OWN + slot
    return best, best_key, target


@kernel
def highest_of_suit(cards: int, suit: int) -> int:
    best = -1
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if card < JOKER and SUIT[card] == suit:
            best = card
    return best
