"""`dragon_for_discard`: a minimal set of hand cards for a dragon (`sacrifice`)."""

from __future__ import annotations

from ka_env.bluemoon.cards import AMOUNT, NEED
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_SACRIFICE, FIRST_CARD, NO
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.dragons import attract
from ka_env.bluemoon.flow.needs import meets, next_picks
from ka_env.bluemoon.zones import discard_hand_card
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def picks(s: State, card: int) -> int:
    d = s.deck[s.turn]
    return next_picks(s, s.turn, NEED[d, card], AMOUNT[d, card], s.picked, s.hand[s.turn])


@kernel
def start(s: State, card: int) -> None:
    if picks(s, card):
        ask(s, AT_SACRIFICE, s.turn)


@kernel
def answered(s: State, action: int) -> None:
    if action == NO:
        return
    d = s.deck[s.turn]
    discard_hand_card(s, s.turn, action - FIRST_CARD)
    s.picked |= BIT[action - FIRST_CARD]
    if meets(s, s.turn, NEED[d, s.card], AMOUNT[d, s.card], s.picked):
        attract(s, s.turn)
    else:
        ask(s, AT_SACRIFICE, s.turn)
