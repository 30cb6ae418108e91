"""Magic of pro: what each action is worth, with which keys, at what; and its questions.

A plan is (points, first key, second key, target as an action id), as in magic.py; the price of the cards is taken off.
"""

from __future__ import annotations

from ka_env.blackpoker.cards import HASTY, NUMBER
from ka_env.blackpoker.codes import (
    ATTACK,
    BLOCK,
    COUNTER,
    DAMAGE,
    DESTROY,
    DOWN,
    END,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_PLAYER_TARGET,
    FIRST_REQUEST,
    FIRST_STAGE_TARGET,
    KILL,
    LANCE,
    LEGAL_ENEMY,
    LEGAL_OWN,
    LEGAL_REQUESTS,
    LEGAL_WORDS,
    QUICK,
    REDIRECT,
    REUNION,
    REVERSE,
    RSF,
    SLOTS,
    TRUCE,
    TWIST,
    UP,
)
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State, pile_cards
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
    dearest,
    is_doomed,
    keep,
    soldier_worth,
    throw_reach,
    unit_worth,
)
from ka_env.blackpoker.players.fight import attack_value, least_unit, outcome, storm
from ka_env.blackpoker.players.magic import Pair, pair_price
from ka_env.blackpoker.players.pairs import cheap_pair, twins
from ka_env.blackpoker.players.temper import WON
from ka_env.blackpoker.players.tricks import attack_without, has_cast, hold_back, is_on_stage, stake, trick_price
from ka_env.engine.bits import BIT, count, highest, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def kill_gain(s: State, p: int, slot: int, void: int, t: Temper) -> int:
    """What p gains by the death of an enemy soldier now."""
    e = 1 - p
    if is_on_stage(s, DAMAGE):
        if not s.attackers[e] & BIT[slot] and s.blocks[e, slot] < 0:
            return unit_worth(s, p, e, slot, t)
        return outcome(s, p, e * SLOTS + slot, void, t) - outcome(s, p, -1, void, t)
    gain = unit_worth(s, p, e, slot, t)
    if p == s.turn and s.stage_count == 0:
        return gain + max(attack_without(s, p, slot, t) - attack_value(s, p, t), 0)
    if p != s.turn and is_on_stage(s, ATTACK):
        attackers, free, life = hold_back(s, p), charged_units(s, p), int(s.life_count[p])
        spared = storm(s, p, p, attackers, free, life, 1, t)
        return gain + spared - storm(s, p, p, attackers & ~BIT[slot], free, life, 1, t)
    return 0


@kernel
def plan_kill(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    low, high = cheap_pair(first, second, SPADES, t)
    best, target = 0, -1
    if low < 0 or has_cast(s, p, KILL):
        return 0, -1, -1, -1
    void = cancelled(s)
    slots = s.soldiers[1 - p]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        gain = kill_gain(s, p, slot, void, t)
        if target < 0 or gain > best:
            best, target = gain, FIRST_ENEMY + slot
    if target < 0:
        return 0, -1, -1, -1
    return best - pair_price(low, high, t), low, high, target


@kernel
def plan_truce(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    """The fight on the table is not fought."""
    low, high = cheap_pair(first, second, DIAMONDS, t)
    if low < 0 or has_cast(s, p, TRUCE) or not is_on_stage(s, DAMAGE):
        return 0, -1, -1, -1
    return -outcome(s, p, -1, cancelled(s), t) - pair_price(low, high, t), low, high, -1


@kernel
def is_harmful(action: int) -> bool:
    """Does a request of this kind hurt the unit it is aimed at?"""
    return action == KILL or action == DOWN or action == DESTROY or action == LANCE or action == TWIST


@kernel
def redirect_gain(s: State, p: int, i: int, t: Temper) -> int:
    """What p gains by moving request i of the enemy elsewhere."""
    action = s.stage_action[i]
    if action == RSF:
        return WON if s.stage_target[i] == FIRST_PLAYER_TARGET + p else 0
    target = int(s.stage_target[i])
    if action == COUNTER:
        return stake(s, p, i, t)
    if not is_harmful(action) or target < 0 or target >= FIRST_STAGE_TARGET or target // SLOTS != p:
        return 0
    victims = s.bulwarks[1 - p] if action == DESTROY else s.soldiers[1 - p]
    return stake(s, p, i, t) * 2 if victims else 0


@kernel
def plan_redirect(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    low, high = cheap_pair(first, second, CLUBS, t)
    best, target = 0, -1
    if low < 0 or has_cast(s, p, REDIRECT):
        return 0, -1, -1, -1
    void = cancelled(s)
    for i in range(s.stage_count):
        if s.stage_player[i] != p and not void & BIT[i]:
            gain = redirect_gain(s, p, i, t)
            if gain > best:
                best, target = gain, FIRST_REQUEST + i
    if target < 0:
        return 0, -1, -1, -1
    return best - pair_price(low, high, t), low, high, target


@kernel
def new_target(s: State, p: int, t: Temper) -> int:
    """Onto the enemy what hurts, onto oneself what helps, onto an enemy's request what cancels."""
    words, own, enemy = s.legal[LEGAL_WORDS], s.legal[LEGAL_OWN], s.legal[LEGAL_ENEMY]
    if words:
        return lowest(words)
    requests = s.legal[LEGAL_REQUESTS]
    if requests:
        for i in range(s.stage_count):
            if requests & BIT[i] and s.stage_player[i] != p:
                return FIRST_REQUEST + i
        return FIRST_REQUEST + highest(requests)
    moved = int(s.stage_target[s.stage_count - 1]) - FIRST_STAGE_TARGET
    helps = s.stage_action[moved] == UP
    if enemy and (not helps or not own):
        return FIRST_ENEMY + dearest_unit(s, p, 1 - p, enemy, t)
    if helps:
        return FIRST_OWN + dearest_unit(s, p, p, own, t)
    least, _ = least_unit(s, p, p, own, t)
    return FIRST_OWN + least


@kernel
def dearest_unit(s: State, p: int, q: int, slots: int, t: Temper) -> int:
    best, most = -1, 0
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        worth = unit_worth(s, p, q, slot, t)
        if best < 0 or worth > most:
            best, most = slot, worth
    return best


@kernel
def plan_release(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    """8.0's reverse in a fight: an enemy attacker is turned over and no longer attacks."""
    if not is_on_stage(s, DAMAGE) or p == s.turn or has_cast(s, p, REVERSE):
        return 0, -1, -1, -1
    low, high = twins(first, second, t)
    best, target = 0, -1
    if low < 0:
        return 0, -1, -1, -1
    void = cancelled(s)
    before = outcome(s, p, -1, void, t)
    slots = s.attackers[1 - p]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        unit = (1 - p) * SLOTS + slot
        gain = outcome(s, p, unit, void, t) - before - bulwark_worth(count(s.bulwarks[1 - p]), t)
        if gain > best:
            best, target = gain, FIRST_ENEMY + slot
    if target < 0:
        return 0, -1, -1, -1
    return best - pair_price(low, high, t), low, high, target


@kernel
def quick_value(s: State, p: int, t: Temper) -> int:
    """An A on the enemy's turn: one more blocker, or an ace for the own turn. Before blocks, or when the turn ends."""
    aces = s.hand[p] & HASTY & LOW
    if not aces or has_cast(s, p, QUICK) or not (is_on_stage(s, BLOCK) or is_on_stage(s, END)):
        return 0
    key = cheapest(aces, t)
    value = max(bulwark_worth(count(s.bulwarks[p]), t), soldier_worth(1, t)) + t.summon
    if is_on_stage(s, BLOCK):
        free, life, attackers = charged_units(s, p), int(s.life_count[p]), s.attackers[1 - p]
        slot = lowest(~units_of(s, p))
        now = storm(s, p, p, attackers, free, life, 1, t)
        s.bulwarks[p] |= BIT[slot]
        s.bottom[p, slot] = key
        value += now - storm(s, p, p, attackers, free | BIT[slot], life, 1, t)
        s.bulwarks[p] &= ~BIT[slot]
        s.bottom[p, slot] = -1
    return value - trick_price(s, p, QUICK, key, t)


@kernel
def plan_reunion(s: State, p: int, first: int, second: int, t: Temper) -> Pair:
    """The dearest card of the grave; a spade that wins by throw above all."""
    low, high = cheap_pair(first, second, HEARTS, t)
    if low < 0 or s.grave_count[p] == 0 or has_cast(s, p, REUNION):
        return 0, -1, -1, -1
    card = reunion_pick(s, p, pile_cards(s.grave[p], s.grave_count[p]), t)
    value = keep(card, t)
    if p == s.turn and s.stage_count == 0 and wins_by_throw(s, p, card):
        value = WON
    return value - pair_price(low, high, t), low, high, -1


@kernel
def wins_by_throw(s: State, p: int, card: int) -> bool:
    """Would this spade in hand win?"""
    if not BIT[card] & SPADES or not s.hand[p] & CLUBS or NUMBER[card] <= throw_reach(s, p):
        return False
    return is_doomed(s.life_count[1 - p] - NUMBER[card])


@kernel
def reunion_pick(s: State, p: int, cards: int, t: Temper) -> int:
    spades = cards & SPADES
    while spades:
        card = lowest(spades)
        spades = without_lowest(spades)
        if wins_by_throw(s, p, card):
            return card
    return dearest(cards, t)
