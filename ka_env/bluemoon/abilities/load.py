"""`load_from_hand` and its like: fight cards from hand go on the ship that has just been played (`cargo`)."""

from __future__ import annotations

from ka_env.bluemoon.cards import AMOUNT, FIGHT_CARDS
from ka_env.bluemoon.chance import State, after_highest
from ka_env.bluemoon.codes import AT_CARGO, FIRST_CARD
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.zones import leave_hand, put_on_ship, ships_with_room
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel


@kernel
def choices(s: State, ship: int) -> int:
    """Hand cards that may go on the ship, in ascending order."""
    t = s.turn
    if count(s.picked) >= AMOUNT[s.deck[t], ship] or not ships_with_room(s, t) & BIT[ship]:
        return 0
    return after_highest(s.hand[t] & FIGHT_CARDS[s.deck[t]], s.picked)


@kernel
def start(s: State, card: int) -> None:
    if choices(s, card):
        ask(s, AT_CARGO, s.turn)


@kernel
def answered(s: State, action: int) -> None:
    if action < FIRST_CARD:
        return
    card = action - FIRST_CARD
    leave_hand(s, s.turn, card)
    put_on_ship(s, s.turn, card, s.card)
    s.picked |= BIT[card]
    if choices(s, s.card):
        ask(s, AT_CARGO, s.turn)
