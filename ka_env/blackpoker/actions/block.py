"""Block (ブロック): attacker by attacker the opponent names blockers. Then damage triggers, also with none left."""

from __future__ import annotations

from ka_env.blackpoker.codes import AT_BLOCKERS, DAMAGE
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.bits import BIT, lowest
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
def answer(s: State, slot: int) -> bool:
    """`slot` is the next blocker, -1 for done. A bulwark blocks alone."""
    if slot < 0:
        return resolve(s)
    s.blocks[s.player, slot] = s.attacker
    if s.bulwarks[s.player] & BIT[slot]:
        return resolve(s)
    return False
