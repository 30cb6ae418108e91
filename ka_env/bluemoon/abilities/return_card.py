"""`return_own_table_card`: one own card of the table goes to hand (`take_back`)."""

from __future__ import annotations

from ka_env.bluemoon.cards import ACTIVE_ONLY, FROM_COMBAT, FROM_SUPPORT
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_TAKE_BACK, FIRST_CARD, NO
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.limits import can_take
from ka_env.bluemoon.zones import table_to_hand
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def choices(s: State, card: int) -> int:
    t = s.turn
    d = s.deck[t]
    cards = 0
    if FROM_COMBAT[d, card]:
        cards |= s.combat[t]
    if FROM_SUPPORT[d, card]:
        cards |= s.support[t]
    if ACTIVE_ONLY[d, card]:
        cards &= ~s.covered[t]
    return cards & ~BIT[card]


@kernel
def start(s: State, card: int) -> None:
    if choices(s, card) and can_take(s, s.turn):
        ask(s, AT_TAKE_BACK, s.turn)


@kernel
def answered(s: State, action: int) -> None:
    if action != NO:
        table_to_hand(s, s.turn, action - FIRST_CARD)
