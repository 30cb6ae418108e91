"""Bulwark (防壁設置): a hand card comes face down. With an empty hand nothing comes."""

from __future__ import annotations

from ka_env.blackpoker.decisions import AT_BULWARK_CARD
from ka_env.blackpoker.flow.zones import State, set_bulwark
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    if s.hand[s.player] == 0:
        return True
    s.kind = AT_BULWARK_CARD
    return False


@kernel
def answer(s: State, card: int) -> bool:
    set_bulwark(s, s.player, card)
    return True
