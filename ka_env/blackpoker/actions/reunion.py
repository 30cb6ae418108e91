"""Reunion (再会): a card of the own grave is shown and goes to hand (R33)."""

from __future__ import annotations

from ka_env.blackpoker.decisions import AT_GRAVE_CARD
from ka_env.blackpoker.flow.stage import caster
from ka_env.blackpoker.flow.zones import State, show_to_hand, unearth
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    if s.grave_count[caster(s)] == 0:
        return True
    s.kind = AT_GRAVE_CARD
    return False


@kernel
def answer(s: State, card: int) -> bool:
    unearth(s, caster(s), card)
    show_to_hand(s, caster(s), BIT[card])
    return True
