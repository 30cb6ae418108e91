"""Search (サーチ): take a card of the own life, show it, put it in hand; shuffle the rest (R15)."""

from __future__ import annotations

from ka_env.blackpoker.decisions import AT_SEARCH_CARD
from ka_env.blackpoker.flow.zones import State, pile_cards, search_life
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    if s.life_count[s.player] == 0:
        return True
    s.kind = AT_SEARCH_CARD
    return False


@kernel
def options(s: State) -> int:
    return pile_cards(s.life[s.player], s.life_count[s.player])


@kernel
def answer(s: State, card: int) -> bool:
    search_life(s, s.player, BIT[card])
    return True
