"""`hand_to_deck_bottom`: any number of hand cards go under the own deck, in any order (`bottom`)."""

from __future__ import annotations

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_BOTTOM, FIRST_CARD
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.zones import put_under
from ka_env.engine.jit import kernel


@kernel
def start(s: State, card: int) -> None:
    if s.hand[s.turn]:
        ask(s, AT_BOTTOM, s.turn)


@kernel
def answered(s: State, action: int) -> None:
    if action >= FIRST_CARD:
        put_under(s, s.turn, action - FIRST_CARD)
        ask(s, AT_BOTTOM, s.turn)
