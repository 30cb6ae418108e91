"""The great magic of mast: what each action is worth and with which keys; and its questions.

Plans as in pro.py.
"""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.flow.costs import charged_bulwarks
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State, pile_cards
from ka_env.blackpoker.players.appraise import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    Temper,
    bulwark_worth,
    cheapest,
    dearest,
    harm_to,
    is_doomed,
    keep,
    size_of,
    soldier_worth,
    units_worth,
)
from ka_env.blackpoker.players.fight import attack_value, danger, least_unit
from ka_env.blackpoker.players.magic import Pair, pair_price
from ka_env.blackpoker.players.pairs import cheap_pair, pair_with_sum
from ka_env.blackpoker.players.summon import least_bulwarks
from ka_env.blackpoker.players.temper import WON
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel

BULWARKS = 2  # driven for the great magic


@kernel
def driving_cost(s: State, p: int, t: Temper) -> int:
    """What the enemy's answer costs more with two bulwarks driven."""
    before = danger(s, p, t)
    charged = s.charged[p]
    s.charged[p] &= ~least_bulwarks(s, p, charged_bulwarks(s, p), BULWARKS, t)
    after = danger(s, p, t)
    s.charged[p] = charged
    return (after - before) * t.caution // 100


@kernel
def plan_force(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    """Before the attack: what it brings more with bigger soldiers and two bulwarks fewer at home."""
    best, low, high = 0, -1, -1
    now = attack_value(s, p, t)
    charged = s.charged[p]
    driven = least_bulwarks(s, p, charged_bulwarks(s, p), BULWARKS, t)
    for least in (3, 8, 13):
        a, b = pair_with_sum(first, second, HEARTS, least, t)
        if a < 0:
            continue
        if s.verb < 0:
            s.charged[p] &= ~driven
        s.force += NUMBER[a] + NUMBER[b]
        value = attack_value(s, p, t) - now - pair_price(a, b, t)
        s.force -= NUMBER[a] + NUMBER[b]
        s.charged[p] = charged
        if low < 0 or value > best:
            best, low, high = value, a, b
    return best, low, high, -1


@kernel
def rain_gain(s: State, p: int, limit: int, t: Temper) -> int:
    """What dies, and what the attack brings more then."""
    e = 1 - p
    dead = small(s, e, limit)
    gain = units_worth(s, p, e, dead, t) - units_worth(s, p, p, small(s, p, limit), t)
    if not dead:
        return gain
    now = attack_value(s, p, t)
    soldiers, charged = s.soldiers[e], s.charged[e]
    own, own_charged = s.soldiers[p], s.charged[p]
    s.soldiers[e] &= ~dead
    s.charged[e] &= ~dead
    s.soldiers[p] &= ~small(s, p, limit)
    s.charged[p] &= s.soldiers[p] | s.bulwarks[p]
    gain += attack_value(s, p, t) - now
    s.soldiers[e], s.charged[e], s.soldiers[p], s.charged[p] = soldiers, charged, own, own_charged
    return gain


@kernel
def small(s: State, q: int, limit: int) -> int:
    found = 0
    slots = s.soldiers[q]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if size_of(s, q, slot, 1) <= limit:
            found |= BIT[slot]
    return found


@kernel
def plan_rain(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    best, low, high = 0, -1, -1
    cost = driving_cost(s, p, t) if s.verb < 0 else 0
    for least in (3, 6, 9, 12, 15, 18):
        a, b = pair_with_sum(first, second, SPADES, least, t)
        if a < 0:
            continue
        value = rain_gain(s, p, NUMBER[a] + NUMBER[b], t) - pair_price(a, b, t) - cost
        if low < 0 or value > best:
            best, low, high = value, a, b
    return best, low, high, -1


@kernel
def recruit_gain(s: State, p: int, limit: int, t: Temper) -> int:
    """Of four cards of the own life, on average: soldiers for life cards."""
    life = int(s.life_count[p])
    if life <= 4:
        return 0
    worth, come = 0, 0
    for i in range(life):
        number = NUMBER[s.life[p, i]]
        if number <= limit:
            worth += soldier_worth(number, t)
            come += 1
    return 4 * worth // life - harm_to(s, p, p, (4 * come + life - 1) // life, t)


@kernel
def plan_recruit(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    best, low, high = 0, -1, -1
    cost = driving_cost(s, p, t) if s.verb < 0 else 0
    for least in (3, 6, 9, 11, 13):
        a, b = pair_with_sum(first, second, DIAMONDS, least, t)
        if a < 0:
            continue
        value = recruit_gain(s, p, NUMBER[a] + NUMBER[b], t) - pair_price(a, b, t) - cost
        if low < 0 or value > best:
            best, low, high = value, a, b
    return best, low, high, -1


@kernel
def plan_surprise(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    """All bulwarks attack: what that brings, and what soldiers are worth instead of bulwarks."""
    low, high = cheap_pair(first, second, CLUBS, t)
    if low < 0:
        return 0, -1, -1, -1
    value = -attack_value(s, p, t) - pair_price(low, high, t)
    bulwarks, soldiers, charged = s.bulwarks[p], s.soldiers[p], s.charged[p]
    slots = bulwarks
    n = 0
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        s.sizes[p, slot] = NUMBER[s.bottom[p, slot]]
        value += soldier_worth(s.sizes[p, slot], t) - bulwark_worth(n, t)
        n += 1
    s.bulwarks[p] = 0
    s.soldiers[p] |= bulwarks
    s.charged[p] |= s.soldiers[p]
    value += attack_value(s, p, t)
    s.bulwarks[p], s.soldiers[p], s.charged[p] = bulwarks, soldiers, charged
    while bulwarks:
        s.sizes[p, lowest(bulwarks)] = 0
        bulwarks = without_lowest(bulwarks)
    return value, low, high, -1


@kernel
def plan_bj(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    """Two cards of the life for two of the hand and two units: above all for a throw that wins."""
    if is_doomed(s.life_count[p] - 2):
        return 0, -1, -1, -1
    life = pile_cards(s.life[p], s.life_count[p])
    units = units_of(s, p)
    one, cost = least_unit(s, p, p, units, t)
    rest = units & ~BIT[one]
    if rest:
        _, more = least_unit(s, p, p, rest, t)
        cost += more
    best = dearest(life, t)
    gain = keep(best, t) + keep(dearest(life & ~BIT[best], t), t) - harm_to(s, p, p, 2, t)
    spade = winning_spade(s, p, life)
    if spade >= 0 and (s.hand[p] | life) & CLUBS:
        gain = WON
    return gain - cost - t.card[1] - t.card[11] - t.magic, lowest(first), lowest(first), -1


@kernel
def winning_spade(s: State, p: int, cards: int) -> int:
    """A spade that would win by throw, given a club; -1 if there is none."""
    spades = cards & SPADES
    while spades:
        card = lowest(spades)
        spades = without_lowest(spades)
        if is_doomed(s.life_count[1 - p] - NUMBER[card]):
            return card
    return -1


@kernel
def bj_wants(s: State, p: int, life: int, t: Temper) -> int:
    """The two cards to take."""
    spade = winning_spade(s, p, life)
    if spade >= 0 and s.hand[p] & CLUBS:
        return BIT[spade] | BIT[dearest(life & ~BIT[spade], t)] if life & ~BIT[spade] else BIT[spade]
    if spade >= 0 and life & CLUBS:
        return BIT[spade] | BIT[cheapest(life & CLUBS, t)]
    best = dearest(life, t)
    rest = life & ~BIT[best]
    return BIT[best] | BIT[dearest(rest, t)] if rest else BIT[best]
