"""Open (パック開封): a card of the own closed pack, or the own rare card, is shown and goes to hand (R53, R73)."""

from __future__ import annotations

from ka_env.blackpoker.decisions import AT_PACK_CARD
from ka_env.blackpoker.flow.zones import State, show_to_hand
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    if options(s) == 0:
        s.pack_closed[s.player] = 0
        return True
    s.kind = AT_PACK_CARD
    return False


@kernel
def options(s: State) -> int:
    p = s.player
    return s.pack[p] | BIT[s.rare[p]] if s.rare[p] >= 0 else s.pack[p]


@kernel
def fits(s: State) -> bool:
    return s.pack_closed[s.player] != 0


@kernel
def answer(s: State, card: int) -> bool:
    p = s.player
    if s.rare[p] == card:
        s.rare[p] = -1
    else:
        s.pack[p] &= ~BIT[card]
    s.pack_closed[p] = 0
    show_to_hand(s, p, BIT[card])
    return True
