"""Magic of pro and mast, packs and rare cards: what each is worth, with which keys, at what.

A plan is (points, first key, second key, target as an action id), as in magic.py; the price of the cards is taken off.
"""

from __future__ import annotations

from ka_env.blackpoker.actions.trap import matches
from ka_env.blackpoker.cards import HASTY, NUMBER
from ka_env.blackpoker.codes import (
    ATTACK,
    BJ,
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
    FOE,
    FORCE,
    KILL,
    LANCE,
    LEGAL_CARDS,
    LEGAL_ENEMY,
    LEGAL_OWN,
    LEGAL_REQUESTS,
    LEGAL_WORDS,
    ME,
    OPEN,
    QUICK,
    RAIN,
    RAREDRAW,
    RARESUMMON,
    RECRUIT,
    REDIRECT,
    REUNION,
    REVERSE,
    RSF,
    SLOTS,
    SURPRISE,
    TRAP,
    TRUCE,
    TWIST,
    UP,
)
from ka_env.blackpoker.flow.costs import charged_bulwarks
from ka_env.blackpoker.flow.targets import request_targets, units_of
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
    harm_to,
    is_doomed,
    keep,
    size_of,
    soldier_worth,
    throw_reach,
    unit_worth,
    units_worth,
)
from ka_env.blackpoker.players.fight import attack_value, danger, least_unit, outcome, storm
from ka_env.blackpoker.players.magic import Pair, pair_price
from ka_env.blackpoker.players.summon import least_bulwarks
from ka_env.blackpoker.players.temper import WON
from ka_env.blackpoker.players.tricks import attack_without, has_cast, hold_back, is_on_stage, stake, trick_price
from ka_env.blackpoker.rulesets.rows import TRAPPED_REQUEST
from ka_env.engine.bits import BIT, count, highest, lowest, without_lowest
from ka_env.engine.jit import kernel

MAIN_VERBS = (KILL, REUNION, FORCE, RAIN, RECRUIT, SURPRISE, BJ)
QUICK_VERBS = (KILL, TRUCE, REDIRECT, REVERSE, REUNION)
MAIN_WORDS = sum(1 << verb for verb in (*MAIN_VERBS, RSF, OPEN, RAREDRAW, RARESUMMON))
QUICK_WORDS = sum(1 << verb for verb in (*QUICK_VERBS, QUICK, RSF, TRAP))
BULWARKS = 2  # driven for the great magic of mast


# ---- pairs of one suit ----------------------------------------------------------------------------------------------


@kernel
def cheap_pair(first: int, second: int, suit: int, t: Temper) -> tuple[int, int]:
    """The two low cards of a suit that are missed least, the lower first; -1 if there are none."""
    return pair_with_sum(first, second, suit, 0, t)


@kernel
def pair_with_sum(first: int, second: int, suit: int, least: int, t: Temper) -> tuple[int, int]:
    """The same among pairs whose numbers add up to `least` or more."""
    best, low, high = 0, -1, -1
    firsts = first & suit & LOW
    while firsts:
        a = lowest(firsts)
        firsts = without_lowest(firsts)
        seconds = second & suit & LOW & ~(BIT[a + 1] - 1)
        while seconds:
            b = lowest(seconds)
            seconds = without_lowest(seconds)
            cost = keep(a, t) + keep(b, t)
            if NUMBER[a] + NUMBER[b] >= least and (low < 0 or cost < best):
                best, low, high = cost, a, b
    return low, high


@kernel
def driving_cost(s: State, p: int, t: Temper) -> int:
    """What the enemy's answer costs more with two bulwarks driven."""
    before = danger(s, p, t)
    charged = s.charged[p]
    s.charged[p] &= ~least_bulwarks(s, p, charged_bulwarks(s, p), BULWARKS, t)
    after = danger(s, p, t)
    s.charged[p] = charged
    return (after - before) * t.caution // 100


# ---- pro ------------------------------------------------------------------------------------------------------------


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
    return FIRST_OWN + (dearest_unit(s, p, p, own, t) if helps else least_unit(s, p, p, own, t))


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
def twins(first: int, second: int, t: Temper) -> tuple[int, int]:
    """The two cards of one number that are missed least, the lower first."""
    best, low, high = 0, -1, -1
    while first:
        a = lowest(first)
        first = without_lowest(first)
        others = second & ~(BIT[a + 1] - 1)
        while others:
            b = lowest(others)
            others = without_lowest(others)
            cost = keep(a, t) + keep(b, t)
            if NUMBER[a] == NUMBER[b] and (low < 0 or cost < best):
                best, low, high = cost, a, b
    return low, high


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


# ---- mast -----------------------------------------------------------------------------------------------------------


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
    one = least_unit(s, p, p, units, t)
    cost = unit_worth(s, p, p, one, t)
    rest = units & ~BIT[one]
    if rest:
        cost += unit_worth(s, p, p, least_unit(s, p, p, rest, t), t)
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


# ---- packs and rare cards -------------------------------------------------------------------------------------------


@kernel
def best_three(cards: int, t: Temper) -> int:
    """The three dearest cards of a deck, of different numbers: the first hand."""
    chosen = 0
    numbers = 0
    while count(chosen) < 3:
        card = dearest(cards, t)
        cards &= ~BIT[card]
        if not numbers & BIT[NUMBER[card]]:
            numbers |= BIT[NUMBER[card]]
            chosen |= BIT[card]
    return chosen


@kernel
def trap_plan(s: State, p: int, rare: int, t: Temper) -> tuple[int, int]:
    """The request that the rare card cancels and that is worth most: points, action id."""
    best, target = 0, -1
    open_ = request_targets(s, TRAPPED_REQUEST)
    void = cancelled(s)
    for i in range(s.stage_count):
        if s.stage_player[i] == p or not open_ & BIT[i] or void & BIT[i]:
            continue
        if matches(rare, s.stage_key[i, 0]) or matches(rare, s.stage_key[i, 1]):
            value = stake(s, p, i, t) - keep(rare, t) // 2
            if value > best:
                best, target = value, FIRST_REQUEST + i
    return best, target


@kernel
def raresummon_value(s: State, p: int, t: Temper) -> int:
    """The rare card instead of the least unit."""
    rare = s.rare[p]
    if rare < 0 or not units_of(s, p):
        return 0
    least = least_unit(s, p, p, units_of(s, p), t)
    return soldier_worth(NUMBER[rare], t) - unit_worth(s, p, p, least, t) - keep(rare, t) // 2 - t.magic


# ---- everything -----------------------------------------------------------------------------------------------------


@kernel
def plan_grand(s: State, p: int, verb: int, first: int, second: int, t: Temper) -> Pair:
    """The best way to use a verb of pro or mast that has two keys."""
    if verb == KILL:
        return plan_kill(s, p, first, second, t)
    if verb == TRUCE:
        return plan_truce(s, p, first, second, t)
    if verb == REDIRECT:
        return plan_redirect(s, p, first, second, t)
    if verb == REVERSE:
        return plan_release(s, p, first, second, t)
    if verb == REUNION:
        return plan_reunion(s, p, first, second, t)
    if verb == FORCE:
        return plan_force(s, p, first, second, t)
    if verb == RAIN:
        return plan_rain(s, p, first, second, t)
    if verb == RECRUIT:
        return plan_recruit(s, p, first, second, t)
    if verb == SURPRISE:
        return plan_surprise(s, p, first, second, t)
    if verb == BJ:
        return plan_bj(s, p, first, second, t)
    return 0, -1, -1, -1


@kernel
def free_choice(s: State, p: int) -> int:
    """What costs nothing and always pays: the pack, the rare card to hand, 40 damage; -1 if there is nothing."""
    words = s.legal[LEGAL_WORDS]
    if words & BIT[RSF]:
        return RSF
    if words & BIT[OPEN]:
        return OPEN
    if words & BIT[RAREDRAW]:
        return RAREDRAW
    return -1


@kernel
def grand_choice(s: State, p: int, t: Temper) -> tuple[int, int]:
    """In the own turn: points, verb; -1 if none pays."""
    best, choice = 0, -1
    words = s.legal[LEGAL_WORDS]
    for verb in MAIN_VERBS:
        if words & BIT[verb]:
            value, key, _, _ = plan_grand(s, p, verb, s.hand[p], s.hand[p], t)
            if key >= 0 and value > best:
                best, choice = value, verb
    if words & BIT[RARESUMMON]:
        value = raresummon_value(s, p, t)
        if value > best:
            best, choice = value, RARESUMMON
    return best, choice


@kernel
def grand_response(s: State, p: int, t: Temper) -> tuple[int, int]:
    """At other times."""
    best, choice = 0, -1
    words = s.legal[LEGAL_WORDS]
    if words & BIT[RSF]:
        return WON, RSF
    for verb in QUICK_VERBS:
        if words & BIT[verb]:
            value, key, _, _ = plan_grand(s, p, verb, s.hand[p], s.hand[p], t)
            if key >= 0 and value > best:
                best, choice = value, verb
    if words & BIT[QUICK]:
        value = quick_value(s, p, t)
        if value > best:
            best, choice = value, QUICK
    if words & BIT[TRAP]:
        value, target = trap_plan(s, p, s.rare[p], t)
        if target >= 0 and value > best:
            best, choice = value, TRAP
    return best, choice


@kernel
def grand_target(s: State, p: int, t: Temper) -> int:
    verb = int(s.verb)
    if verb == RSF:
        return FOE if s.legal[LEGAL_WORDS] & BIT[FOE] else ME
    if verb == TRAP:
        _, target = trap_plan(s, p, s.key[0], t)
        return target
    second = BIT[s.key[1]] if s.key[1] >= 0 else 0
    _, _, _, target = plan_grand(s, p, verb, BIT[s.key[0]], second, t)
    return target


@kernel
def choose_card(s: State, p: int, wanted: int, t: Temper) -> int:
    """The lowest of the wanted cards that may be named now, else the dearest that may."""
    cards = s.legal[LEGAL_CARDS]
    return lowest(cards & wanted) if cards & wanted else dearest(cards, t)
