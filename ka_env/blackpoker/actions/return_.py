"""Return (帰還): a charged target goes to its owner's hand, all its cards; then the keys return to hand."""

from __future__ import annotations

from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.flow.stage import caster, keep_key, key_of_top, target_of_top
from ka_env.blackpoker.flow.zones import State, key_to_hand, unit_to_hand
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    unit = target_of_top(s)
    q, slot = unit // SLOTS, unit % SLOTS
    if s.charged[q] & BIT[slot]:
        unit_to_hand(s, q, slot)
    for k in range(2):
        key_to_hand(s, caster(s), key_of_top(s, k))
        keep_key(s, k)
    return True
