"""Block (ブロック): attacker by attacker the opponent names blockers. Then damage triggers, also with none left."""

from __future__ import annotations

from ka_env.blackpoker.codes import DAMAGE
from ka_env.blackpoker.decisions import AT_BLOCKERS
from ka_env.blackpoker.flow.targets import units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    """Go on to the next attacker, if there is one."""
    s.player = 1 - s.turn
    later = s.attackers[s.turn] & ~(BIT[s.attacker + 1] - 1)
    if later:
        s.attacker = lowest(later)
        s.kind = AT_BLOCKERS
        return False
    s.attacker = -1
    s.push_due = DAMAGE
    return True


@kernel
def options(s: State) -> int:
    """Own units that may (also) block the attacker in question: one bulwark, or soldiers in ascending order (R22)."""
    p = s.player
    ready = units_of(s, p) & s.charged[p]
    slots = units_of(s, p)
    last = -1
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if s.blocks[p, slot] >= 0:
            ready &= ~BIT[slot]
        if s.blocks[p, slot] == s.attacker:
            last = slot
    if last >= 0:
        ready &= s.soldiers[p] & ~(BIT[last + 1] - 1)
        if s.bulwarks[p] & BIT[last]:
            ready = 0
    return ready


@kernel
def fits(s: State) -> bool:
    return s.attacker >= 0 and s.attackers[s.turn] & BIT[s.attacker] != 0


@kernel
def answer(s: State, slot: int) -> bool:
    """`slot` is the next blocker, -1 for done. A bulwark blocks alone."""
    if slot < 0:
        return resolve(s)
    s.blocks[s.player, slot] = s.attacker
    if s.bulwarks[s.player] & BIT[slot]:
        return resolve(s)
    return False
