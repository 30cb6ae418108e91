"""Damage (ダメージ判定): attackers and blockers meet.

Each attacker's fate depends on itself and its own blockers alone, so taking them in turn is the same as reading
everything from the position before any of it.
"""

from __future__ import annotations

from ka_env.blackpoker.cards import JOKER, NUMBER
from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.flow import zones
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State, kill
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    attackers = s.attackers[s.turn]
    while attackers:
        attacker = lowest(attackers)
        attackers = without_lowest(attackers)
        strike(s, s.turn, attacker)
    end_combat(s)
    return True


@kernel
def end_combat(s: State) -> None:
    """All attacker and blocker marks end."""
    s.attackers[s.turn] = 0
    for slot in range(SLOTS):
        s.blocks[1 - s.turn, slot] = -1


@kernel
def strike(s: State, t: int, attacker: int) -> None:
    """One attacker of the turn player t: dead blockers (ascending), the dead attacker, then the damage."""
    blockers = blockers_of(s, 1 - t, attacker)
    strength = current_size(s, t, attacker)
    if blockers == 0:
        zones.damage(s, 1 - t, strength)
    elif blockers & s.bulwarks[1 - t]:
        bulwark = lowest(blockers)
        dies = springs(s, t, attacker, s.bottom[1 - t, bulwark])
        kill(s, 1 - t, bulwark)
        if dies:
            kill(s, t, attacker)
    else:
        against = 0
        slots = blockers
        while slots:
            against += current_size(s, 1 - t, lowest(slots))
            slots = without_lowest(slots)
        if against <= strength:
            while blockers:
                kill(s, 1 - t, lowest(blockers))
                blockers = without_lowest(blockers)
        if strength <= against:
            kill(s, t, attacker)


@kernel
def blockers_of(s: State, q: int, attacker: int) -> int:
    found = 0
    slots = units_of(s, q)
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if s.blocks[q, slot] == attacker:
            found |= BIT[slot]
    return found


@kernel
def current_size(s: State, q: int, slot: int) -> int:
    """With all changes of this turn; a force acts on the turn player's soldiers."""
    size = int(s.sizes[q, slot]) + int(s.change[q, slot])
    return size + int(s.force) if q == s.turn else size


@kernel
def springs(s: State, t: int, attacker: int, bulwark: int) -> bool:
    """Does this bulwark kill the attacker? A Joker does, and a card with the number of any of the attacker's cards."""
    if bulwark >= JOKER:
        return True
    card = s.bottom[t, attacker]
    while card >= 0:
        if NUMBER[card] == NUMBER[bulwark]:
            return True
        card = s.above[t, card]
    return False
