"""Fighting: who blocks whom, what an attack brings, what the enemy's answer would cost.

A fight is judged as a player judges it at the table: the defender looks at the biggest attacker first and gives it
the block that pays best. Both sides are expected to block so.
"""

from __future__ import annotations

from ka_env.blackpoker.actions.damage import blockers_of, current_size
from ka_env.blackpoker.codes import ATTACK, SLOTS
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.appraise import (
    Temper,
    biggest,
    charged_units,
    harm,
    harm_to,
    is_doomed,
    is_trap,
    pending_change,
    size_of,
    throw_reach,
    unit_worth,
    units_worth,
    up_reach,
)
from ka_env.blackpoker.players.temper import WON
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

# ---- blocking -------------------------------------------------------------------------------------------------------


@kernel
def total_size(s: State, q: int, slots: int, now: int) -> int:
    total = 0
    while slots:
        total += size_of(s, q, lowest(slots), now)
        slots = without_lowest(slots)
    return total


@kernel
def smallest_above(s: State, q: int, slots: int, size: int, now: int) -> int:
    """The smallest soldier bigger than `size`; -1 if there is none."""
    best = -1
    least = 0
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        here = size_of(s, q, slot, now)
        if here > size and (best < 0 or here < least):
            best = slot
            least = here
    return best


@kernel
def killers(s: State, q: int, slots: int, size: int, now: int) -> int:
    """A small set of q's soldiers that together are bigger than `size`; empty if there is none."""
    if total_size(s, q, slots, now) <= size:
        return 0
    gang = 0
    while True:
        last = smallest_above(s, q, slots, size, now)
        if last >= 0:
            return gang | BIT[last]
        most = biggest(s, q, slots, now)
        gang |= BIT[most]
        slots &= ~BIT[most]
        size -= size_of(s, q, most, now)


@kernel
def equal_to(s: State, q: int, slots: int, size: int, now: int) -> int:
    """A soldier of exactly that size; -1 if there is none."""
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if size_of(s, q, slot, now) == size:
            return slot
    return -1


@kernel
def least_unit(s: State, p: int, q: int, slots: int, t: Temper) -> tuple[int, int]:
    """The unit of a set that isn't empty whose loss costs least, and how much."""
    best = lowest(slots)
    least = unit_worth(s, p, q, best, t)
    slots = without_lowest(slots)
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        worth = unit_worth(s, p, q, slot, t)
        if worth < least:
            best = slot
            least = worth
    return best, least


@kernel
def trap_for(s: State, p: int, q: int, slots: int, attacker: int) -> int:
    """A bulwark that p knows to kill the attacker; -1 if there is none."""
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if is_trap(s, p, q, slot, attacker):
            return slot
    return -1


@kernel
def block_for(s: State, p: int, d: int, attacker: int, free: int, life: int, now: int, t: Temper) -> tuple[int, int]:
    """The block by defender d that pays best against one attacker, and whether the attacker dies of it.

    `free` are the units that can still block, `life` is what the attackers not blocked have left of d's life.
    """
    size = size_of(s, 1 - d, attacker, now)
    prize = unit_worth(s, p, 1 - d, attacker, t)
    best = -harm(t, life, size) * (t.own_life if p == d else t.enemy_life) // 100
    blockers = 0
    kills = 0
    bulwarks = free & s.bulwarks[d]
    if bulwarks:
        trap = trap_for(s, p, d, bulwarks, attacker)
        if trap >= 0:
            wall, value = trap, prize - unit_worth(s, p, d, trap, t)
        else:
            wall, loss = least_unit(s, p, d, bulwarks, t)
            value = -loss
        if value > best:
            best, blockers, kills = value, BIT[wall], trap >= 0
    soldiers = free & s.soldiers[d]
    if soldiers:
        gang = killers(s, d, soldiers, size, now)
        if gang and prize - t.gang * count(gang) > best:
            best, blockers, kills = prize - t.gang * count(gang), gang, 1
        twin = equal_to(s, d, soldiers, size, now)
        value = prize - unit_worth(s, p, d, twin, t) if twin >= 0 else best
        if value > best:
            best, blockers, kills = value, BIT[twin], 1
        least, loss = least_unit(s, p, d, soldiers, t)
        if -loss > best and size_of(s, d, least, now) < size:
            blockers, kills = BIT[least], 0
    return blockers, kills


@kernel
def defend(
    s: State, p: int, d: int, attackers: int, free: int, life: int, now: int, asked: int, t: Temper
) -> tuple[int, int, int, int]:
    """d blocks as best it can: the damage that comes through, dead attackers, dead blockers, the block of `asked`."""
    through = 0
    dead_attackers = 0
    dead_blockers = 0
    answer = 0
    while attackers:
        attacker = biggest(s, 1 - d, attackers, now)
        attackers &= ~BIT[attacker]
        size = size_of(s, 1 - d, attacker, now)
        blockers, kills = block_for(s, p, d, attacker, free, life - through, now, t)
        free &= ~blockers
        if not blockers:
            through += max(size, 0)
        if kills:
            dead_attackers |= BIT[attacker]
        if blockers & s.bulwarks[d] or (blockers and total_size(s, d, blockers, now) <= size):
            dead_blockers |= blockers
        if attacker == asked:
            answer = blockers
    return through, dead_attackers, dead_blockers, answer


# ---- being attacked -------------------------------------------------------------------------------------------------


@kernel
def storm_cost(s: State, p: int, d: int, attackers: int, free: int, life: int, now: int, t: Temper) -> tuple[int, int]:
    """What an attack by exactly these costs defender d, and which of them die."""
    through, dead, dead_blockers, _ = defend(s, p, d, attackers, free, life, now, -1, t)
    cost = harm(t, life, through) * (t.own_life if p == d else t.enemy_life) // 100
    return cost + units_worth(s, p, d, dead_blockers, t) - units_worth(s, p, 1 - d, dead, t), dead


@kernel
def storm(s: State, p: int, d: int, attackers: int, free: int, life: int, now: int, t: Temper) -> int:
    """What d must expect to lose to an attack: the attacker leaves at home whoever would only die."""
    if not attackers:
        return 0
    cost, dead = storm_cost(s, p, d, attackers, free, life, now, t)
    if dead and dead != attackers:
        without, _ = storm_cost(s, p, d, attackers & ~dead, free, life, now, t)
        cost = max(cost, without)
    return max(cost, 0)


@kernel
def danger(s: State, p: int, t: Temper) -> int:
    """What the enemy's next turn costs p if p's turn ended now."""
    life = int(s.life_count[p]) - (t.ambush if s.hand[1 - p] else 0)
    return storm(s, p, p, s.soldiers[1 - p], charged_units(s, p), max(life, 2), 0, t)


# ---- attacking ------------------------------------------------------------------------------------------------------


@kernel
def ready_attackers(s: State, p: int) -> int:
    return s.soldiers[p] & s.charged[p] & (~s.came[p] | s.haste[p])


@kernel
def attack_score(s: State, p: int, attackers: int, quiet: int, t: Temper) -> int:
    """What an attack by these brings p; `quiet` is the danger if p stays at home."""
    e = 1 - p
    life = int(s.life_count[e])
    through, dead, dead_blockers, _ = defend(s, p, e, attackers, charged_units(s, e), life, 1, -1, t)
    if is_doomed(life - through):
        return WON + through
    score = harm_to(s, p, e, through, t) + units_worth(s, p, e, dead_blockers, t) - units_worth(s, p, p, dead, t)
    if through > 0 and is_doomed(life - through - throw_reach(s, p) - up_reach(s, p)):
        score += t.reach
    home = charged_units(s, p) & ~attackers
    mine = int(s.life_count[p]) - (t.ambush if s.hand[e] else 0)
    answer = storm(s, p, p, s.soldiers[e] & ~dead_blockers, home, max(mine, 2), 0, t)
    return score - (answer - quiet) * t.caution // 100


@kernel
def best_attack(s: State, p: int, t: Temper) -> tuple[int, int]:
    """The attackers that promise most, and how much: the biggest ones first, then each one in or out once more."""
    ready = ready_attackers(s, p)
    best, most = 0, 0
    if not ready:
        return best, most
    quiet = danger(s, p, t)
    rest = ready
    while rest:
        rest &= ~BIT[biggest(s, p, rest, 1)]
        score = attack_score(s, p, ready & ~rest, quiet, t)
        if score > most:
            best, most = ready & ~rest, score
    slots = ready if without_lowest(ready) else 0
    while slots:
        trial = best ^ BIT[lowest(slots)]
        slots = without_lowest(slots)
        if trial:
            score = attack_score(s, p, trial, quiet, t)
            if score > most:
                best, most = trial, score
    return best, most


@kernel
def attack_value(s: State, p: int, t: Temper) -> int:
    """What the best attack of this turn would bring."""
    if s.used & BIT[ATTACK] or not ready_attackers(s, p):
        return 0
    _, score = best_attack(s, p, t)
    return score


# ---- when the blocks are known --------------------------------------------------------------------------------------


@kernel
def is_fallen(s: State, q: int, slot: int, void: int) -> bool:
    """Is a down on the stage going to kill this soldier?"""
    change = pending_change(s, q * SLOTS + slot, void)
    return change < 0 and s.soldiers[q] & BIT[slot] != 0 and current_size(s, q, slot) + change <= 0


@kernel
def size_in_fight(s: State, q: int, slot: int, void: int) -> int:
    return current_size(s, q, slot) + pending_change(s, q * SLOTS + slot, void)


@kernel
def standing(s: State, q: int, slots: int, gone: int, void: int) -> int:
    """Those of the units that will still be there; `gone` is a unit taken as dead."""
    left = 0
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if q * SLOTS + slot != gone and not is_fallen(s, q, slot, void):
            left |= BIT[slot]
    return left


@kernel
def outcome(s: State, p: int, gone: int, void: int, t: Temper) -> int:
    """What the fight on the table brings p as blocks, sizes and stage now are, without requests in `void`."""
    a = int(s.turn)
    d = 1 - a
    score = 0
    through = 0
    lost = s.attackers[a] & ~standing(s, a, s.attackers[a], gone, void)
    fallen = 0
    attackers = s.attackers[a] & ~lost
    while attackers:
        attacker = lowest(attackers)
        attackers = without_lowest(attackers)
        size = size_in_fight(s, a, attacker, void)
        named = blockers_of(s, d, attacker)
        blockers = standing(s, d, named, gone, void)
        fallen |= named & ~blockers
        if blockers == 0:
            through += max(size, 0)
        elif blockers & s.bulwarks[d]:
            fallen |= blockers
            if is_trap(s, p, d, lowest(blockers), attacker):
                lost |= BIT[attacker]
        else:
            against = 0
            slots = blockers
            while slots:
                against += size_in_fight(s, d, lowest(slots), void)
                slots = without_lowest(slots)
            if against <= size:
                fallen |= blockers
            if size <= against:
                lost |= BIT[attacker]
    score = harm_to(s, p, d, through, t) + units_worth(s, p, d, fallen, t) - units_worth(s, p, a, lost, t)
    return score if p == a else -score


@kernel
def outcome_with(s: State, p: int, q: int, slot: int, change: int, void: int, t: Temper) -> int:
    """The same if the soldier in q's slot were bigger or smaller."""
    s.change[q, slot] += change
    gone = q * SLOTS + slot if change < 0 and size_in_fight(s, q, slot, void) <= 0 else -1
    score = outcome(s, p, gone, void, t)
    s.change[q, slot] -= change
    return score
