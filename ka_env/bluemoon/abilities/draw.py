"""Texts that draw.

`draw`, `draw_up_to_hand_size`, `draw_then_discard_one_of_them` (`drop`), `draw_then_return_two` (`put_back`),
`draw_random_from_own_discard`. All are offered with `may`.
"""

from __future__ import annotations

from ka_env.bluemoon.cards import AMOUNT
from ka_env.bluemoon.chance import State, find, shuffle
from ka_env.bluemoon.codes import AT_DROP, AT_MAY, AT_PUT_BACK, FIRST_CARD
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.limits import can_draw, can_take
from ka_env.bluemoon.zones import discard_hand_card, discard_to_hand, draw_card, put_under, show_to_opponent
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel

RETURNED = 2


@kernel
def draw_up_to(s: State, q: int, size: int) -> None:
    while count(s.hand[q]) < size and can_draw(s, q):
        draw_card(s, q)


@kernel
def start_draw(s: State, card: int) -> None:
    if can_draw(s, s.turn):
        ask(s, AT_MAY, s.turn)


@kernel
def draw(s: State) -> None:
    for _ in range(AMOUNT[s.deck[s.turn], s.card]):
        if can_draw(s, s.turn):
            draw_card(s, s.turn)


@kernel
def start_up_to(s: State, card: int) -> None:
    if count(s.hand[s.turn]) < AMOUNT[s.deck[s.turn], card]:
        start_draw(s, card)


@kernel
def up_to(s: State) -> None:
    draw_up_to(s, s.turn, AMOUNT[s.deck[s.turn], s.card])


@kernel
def draw_and_drop(s: State) -> None:
    """Each card is shown; one of them is discarded."""
    for _ in range(AMOUNT[s.deck[s.turn], s.card]):
        if can_draw(s, s.turn):
            card = draw_card(s, s.turn)
            show_drawn(s, card)
    ask(s, AT_DROP, s.turn)


@kernel
def show_drawn(s: State, card: int) -> None:
    show_to_opponent(s, s.turn, card)
    s.drawn |= BIT[card]


@kernel
def dropped(s: State, action: int) -> None:
    discard_hand_card(s, s.turn, action - FIRST_CARD)


@kernel
def start_return(s: State, card: int) -> None:
    if can_draw(s, s.turn) or s.hand[s.turn]:
        ask(s, AT_MAY, s.turn)


@kernel
def draw_and_return(s: State) -> None:
    draw(s)
    s.left = min(RETURNED, count(s.hand[s.turn]))
    ask(s, AT_PUT_BACK, s.turn)


@kernel
def put_back(s: State, action: int) -> None:
    card = action - FIRST_CARD
    put_under(s, s.turn, card)
    s.picked |= BIT[card]
    s.left -= 1
    if s.left > 0:
        ask(s, AT_PUT_BACK, s.turn)
    else:
        shuffle(s, s.turn)


@kernel
def start_random(s: State, card: int) -> None:
    if s.discard[s.turn] and can_take(s, s.turn):
        ask(s, AT_MAY, s.turn)


@kernel
def draw_random(s: State) -> None:
    t = s.turn
    for _ in range(AMOUNT[s.deck[t], s.card]):
        if s.discard[t] and can_take(s, t):
            discard_to_hand(s, t, find(s, t, s.discard[t]))
