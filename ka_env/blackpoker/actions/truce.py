"""Truce (停戦): damage is taken off the stage; nobody attacks or blocks any longer (R34)."""

from __future__ import annotations

from ka_env.blackpoker.actions.damage import end_combat
from ka_env.blackpoker.codes import FIRST_STAGE_TARGET
from ka_env.blackpoker.flow.stage import cancel, target_of_top
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    cancel(s, target_of_top(s) - FIRST_STAGE_TARGET)
    end_combat(s)
    return True
