"""What things are worth to a player, in points of its temper (see temper.py), and the plain facts it counts.

All of it is what player p can know. Below, q is the owner of what is appraised, p looks at it, t is p's temper.
"""

from __future__ import annotations

from typing import Any

from ka_env.blackpoker.actions.damage import current_size, springs
from ka_env.blackpoker.actions.trap import matches
from ka_env.blackpoker.cards import CARDS, COURT, NUMBER, SUIT, SUITED
from ka_env.blackpoker.codes import COUNTER, DOWN, FIRST_STAGE_TARGET, SETUP, SLOTS, TRAP, UP
from ka_env.blackpoker.flow.costs import has_magician
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.temper import FEW, MOST_BULWARKS, MOST_LIFE
from ka_env.blackpoker.rulesets import RULES
from ka_env.engine.bits import BIT, count, highest, lowest, without_lowest
from ka_env.engine.jit import kernel

Temper = Any  # a record of temper.TEMPER

BIGGEST = 20  # more size than this adds nothing
ANNOUNCED = 1_000_000  # once a request is announced it goes on: what has been paid counts no more
SPADES, HEARTS, DIAMONDS, CLUBS = SUITED
LOW = sum(1 << c for c in range(52) if NUMBER[c] <= 10)  # the keys of quick magic


# ---- life -----------------------------------------------------------------------------------------------------------


@kernel
def harm(t: Temper, life: int, damage: int) -> int:
    """What `damage` to a life of that many cards costs its owner."""
    life = min(max(life, 0), MOST_LIFE)
    return t.life[life] - t.life[max(life - max(damage, 0), 0)]


@kernel
def harm_to(s: State, p: int, q: int, damage: int, t: Temper) -> int:
    """The same as p weighs it."""
    return harm(t, s.life_count[q], damage) * (t.own_life if p == q else t.enemy_life) // 100


@kernel
def is_doomed(life: int) -> bool:
    """Whoever has one card left when the own turn comes draws it and loses."""
    return life <= 1


# ---- cards in hand --------------------------------------------------------------------------------------------------


@kernel
def keep(card: int, t: Temper) -> int:
    """What a card in hand is worth."""
    return t.card[NUMBER[card]] + t.suit[SUIT[card]]


@kernel
def cheapest(cards: int, t: Temper) -> int:
    """The card of a set that is missed least; -1 if there is none."""
    best = -1
    least = 0
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        worth = keep(card, t)
        if best < 0 or worth < least:
            best = card
            least = worth
    return best


@kernel
def dearest(cards: int, t: Temper) -> int:
    best = -1
    most = 0
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        worth = keep(card, t)
        if best < 0 or worth > most:
            best = card
            most = worth
    return best


@kernel
def highest_number(cards: int) -> int:
    """The card with the highest number; -1 if there is none."""
    best = -1
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if best < 0 or NUMBER[card] > NUMBER[best]:
            best = card
    return best


@kernel
def lowest_number_from(cards: int, number: int) -> int:
    """The card with the lowest number that is at least `number`; -1 if there is none."""
    best = -1
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if NUMBER[card] >= number and (best < 0 or NUMBER[card] < NUMBER[best]):
            best = card
    return best


@kernel
def discards_for(s: State, p: int, verb: int) -> int:
    """How many cards the verb costs beside its keys."""
    return RULES[s.ruleset].discards[has_magician(s, p), verb]


@kernel
def trick_price(s: State, p: int, verb: int, key: int, t: Temper) -> int:
    """What a piece of quick magic costs: its key, and the discard that goes with it."""
    price = keep(key, t)
    if s.verb >= 0:
        return price - ANNOUNCED
    if discards_for(s, p, verb):
        other = cheapest(s.hand[p] & ~BIT[key], t)
        if other >= 0:
            price += keep(other, t)
    return price


@kernel
def throw_reach(s: State, p: int) -> int:
    """Damage of the best throw in hand."""
    if not s.hand[p] & CLUBS or not s.hand[p] & SPADES:
        return 0
    return NUMBER[highest(s.hand[p] & SPADES)]


@kernel
def up_reach(s: State, p: int) -> int:
    """Size of the best up in hand."""
    hearts = s.hand[p] & HEARTS & LOW
    if not hearts or count(s.hand[p]) < 1 + discards_for(s, p, UP):
        return 0
    return NUMBER[highest(hearts)]


# ---- the stage ------------------------------------------------------------------------------------------------------


@kernel
def cancelled(s: State) -> int:
    """Requests on the stage that a counter above them will cancel."""
    gone = 0
    for i in range(s.stage_count - 1, -1, -1):
        target = s.stage_target[i] - FIRST_STAGE_TARGET
        if gone & BIT[i] or target < 0 or target >= SLOTS:
            continue
        if s.stage_action[i] == TRAP:
            if matches(s.stage_key[i, 0], s.stage_key[target, 0]) or matches(s.stage_key[i, 0], s.stage_key[target, 1]):
                gone |= BIT[target]
            continue
        if s.stage_action[i] != COUNTER:
            continue
        if s.stage_key[target, 1] >= 0 or NUMBER[s.stage_key[target, 0]] <= NUMBER[s.stage_key[i, 0]]:
            gone |= BIT[target]
    return gone


@kernel
def pending_change(s: State, unit: int, void: int) -> int:
    """Ups minus downs that lie on the stage for a unit; those in `void` don't count."""
    change = 0
    for i in range(s.stage_count):
        if s.stage_target[i] == unit and not void & BIT[i]:
            if s.stage_action[i] == UP or s.stage_action[i] == SETUP:
                change += NUMBER[s.stage_key[i, 0]]
            elif s.stage_action[i] == DOWN:
                change -= NUMBER[s.stage_key[i, 0]]
    return change


# ---- units ----------------------------------------------------------------------------------------------------------


@kernel
def size_of(s: State, q: int, slot: int, now: int) -> int:
    """A soldier's size: with this turn's changes, done and pending, or (now = 0) as it is next turn."""
    size = int(s.sizes[q, slot])
    if now:
        size = current_size(s, q, slot)
        if s.stage_count > 0:
            size += pending_change(s, q * SLOTS + slot, cancelled(s))
    return size


@kernel
def biggest(s: State, q: int, slots: int, now: int) -> int:
    """The biggest soldier of a set that isn't empty."""
    best = lowest(slots)
    most = size_of(s, q, best, now)
    slots = without_lowest(slots)
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        size = size_of(s, q, slot, now)
        if size > most:
            best = slot
            most = size
    return best


@kernel
def soldier_worth(size: int, t: Temper) -> int:
    return t.body + t.might * min(max(size, 0), BIGGEST)


@kernel
def bulwark_worth(others: int, t: Temper) -> int:
    """One bulwark beside that many others."""
    return t.bulwark[min(max(others, 0), MOST_BULWARKS - 1)]


@kernel
def knows(s: State, p: int, q: int, card: int) -> bool:
    """Does p know where this card of q lies?"""
    return p == q or s.seen[q] & BIT[card] != 0


@kernel
def courts_in_life(s: State, q: int) -> int:
    """Court cards among all life cards; not up to `life_count`, which a what-if may have changed."""
    courts = 0
    for i in range(CARDS):
        if s.life[q, i] < 0:
            break
        if BIT[s.life[q, i]] & COURT:
            courts += 1
    return courts


@kernel
def succession_cost(s: State, p: int, q: int, t: Temper) -> int:
    """A court card of q dies: what the cards milled for the next one cost, less the card found."""
    life = max(0, int(s.life_count[q]))
    if p != q:
        return t.enemy_succession[life]
    return t.own_succession[life] if life > FEW else t.last_succession[life, courts_in_life(s, q)]


@kernel
def unit_worth(s: State, p: int, q: int, slot: int, t: Temper) -> int:
    """What the loss of a unit costs its owner."""
    if s.soldiers[q] & BIT[slot]:
        worth = soldier_worth(s.sizes[q, slot], t)
    else:
        worth = bulwark_worth(count(s.bulwarks[q]) - 1, t)
    card = s.bottom[q, slot]
    while card >= 0:
        if knows(s, p, q, card) and BIT[card] & COURT:
            worth += succession_cost(s, p, q, t)
        card = s.above[q, card]
    return worth


@kernel
def units_worth(s: State, p: int, q: int, slots: int, t: Temper) -> int:
    worth = 0
    while slots:
        worth += unit_worth(s, p, q, lowest(slots), t)
        slots = without_lowest(slots)
    return worth


@kernel
def is_trap(s: State, p: int, q: int, slot: int, attacker: int) -> bool:
    """As far as p knows, does q's bulwark kill the enemy attacker it blocks?"""
    card = s.bottom[q, slot]
    return knows(s, p, q, card) and springs(s, 1 - q, attacker, card)


@kernel
def charged_units(s: State, q: int) -> int:
    return units_of(s, q) & s.charged[q]
