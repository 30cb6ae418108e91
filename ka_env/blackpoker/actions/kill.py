"""Kill (キル): the target soldier goes to its owner's grave."""

from __future__ import annotations

from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.flow import zones
from ka_env.blackpoker.flow.stage import target_of_top
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    unit = target_of_top(s)
    zones.kill(s, unit // SLOTS, unit % SLOTS)
    return True
