"""Strip (ハンデス): look at the opponent's hand and choose the card that is discarded."""

from __future__ import annotations

from ka_env.blackpoker.decisions import AT_STRIP_CARD
from ka_env.blackpoker.flow.stage import caster
from ka_env.blackpoker.flow.zones import State, discard, show_hand
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    victim = 1 - caster(s)
    if s.hand[victim] == 0:
        return True
    show_hand(s, victim)
    s.kind = AT_STRIP_CARD
    return False


@kernel
def answer(s: State, card: int) -> bool:
    discard(s, 1 - caster(s), card)
    return True
