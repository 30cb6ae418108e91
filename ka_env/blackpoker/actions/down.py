"""Down (ダウン): the target's size shrinks by the key's number until the turn ends; at 0 or less it dies."""

from __future__ import annotations

from ka_env.blackpoker.actions.damage import current_size
from ka_env.blackpoker.actions.up import leave_key_in_fog
from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.flow.stage import key_of_top, target_of_top
from ka_env.blackpoker.flow.zones import State, kill
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    unit = target_of_top(s)
    q, slot = unit // SLOTS, unit % SLOTS
    s.change[q, slot] -= NUMBER[key_of_top(s, 0)]
    if current_size(s, q, slot) <= 0:
        kill(s, q, slot)
    else:
        leave_key_in_fog(s)
    return True
