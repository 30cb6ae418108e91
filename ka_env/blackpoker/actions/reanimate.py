"""Reanimate (リアニメイト): choose a grave card; the target dies; the card comes as the soldier of its rank (R19)."""

from __future__ import annotations

from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.decisions import AT_GRAVE_CARD
from ka_env.blackpoker.flow.stage import caster, target_of_top
from ka_env.blackpoker.flow.zones import State, come_as_soldier, kill, unearth
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    p = caster(s)
    if s.grave_count[p] == 0:
        kill(s, p, target_of_top(s) % SLOTS)
        return True
    s.kind = AT_GRAVE_CARD
    return False


@kernel
def answer(s: State, card: int) -> bool:
    p = caster(s)
    kill(s, p, target_of_top(s) % SLOTS)
    unearth(s, p, card)
    come_as_soldier(s, p, card)
    return True
