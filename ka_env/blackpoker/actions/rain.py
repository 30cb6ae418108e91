"""Rain (剣の雨): every soldier whose size is not above the sum of the keys goes to the grave (R46)."""

from __future__ import annotations

from ka_env.blackpoker.actions.damage import current_size
from ka_env.blackpoker.flow.stage import sum_of_keys
from ka_env.blackpoker.flow.zones import State, kill
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    """All sizes are read before anybody dies; the turn player's dead move first."""
    limit = sum_of_keys(s)
    own = small_soldiers(s, s.turn, limit)
    others = small_soldiers(s, 1 - s.turn, limit)
    bury_units(s, s.turn, own)
    bury_units(s, 1 - s.turn, others)
    return True


@kernel
def small_soldiers(s: State, q: int, limit: int) -> int:
    found = 0
    slots = s.soldiers[q]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if current_size(s, q, slot) <= limit:
            found |= BIT[slot]
    return found


@kernel
def bury_units(s: State, q: int, slots: int) -> None:
    while slots:
        kill(s, q, lowest(slots))
        slots = without_lowest(slots)
