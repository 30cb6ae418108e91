"""Texts that make hands smaller.

`discard_from_opp_hand_blind` (`strip`), `opp_discards_own_choice`, `opp_discards_down_to`, `chosen_each_discards`
(`discard`), `discard_own_hand` (`shed`).
"""

from __future__ import annotations

from ka_env.bluemoon.cards import ABILITY, AMOUNT, CHOSEN_DISCARDS
from ka_env.bluemoon.chance import State, hit
from ka_env.bluemoon.codes import AT_DISCARD, AT_MAY, AT_SHED, AT_STRIP, BEGUN, FIRST_CARD, FIRST_ENEMY, HIDDEN, NO
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.zones import closed, discard_hand_card
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel

# ---- strip ----------------------------------------------------------------------------------------------------------


@kernel
def start_strip(s: State, card: int) -> None:
    held = count(s.hand[1 - s.turn])
    if held:
        s.left = min(AMOUNT[s.deck[s.turn], card], held)
        ask(s, AT_STRIP, s.turn)


@kernel
def may_decline_strip(s: State) -> bool:
    """T decides once, before the first card (B31)."""
    return not s.room & BEGUN


@kernel
def stripped(s: State, action: int) -> None:
    if action == NO:
        return
    o = 1 - s.turn
    card = hit(s, o, closed(s, o)) if action == HIDDEN else action - FIRST_ENEMY
    discard_hand_card(s, o, card)
    s.room |= BEGUN
    s.left -= 1
    if s.left > 0:
        ask(s, AT_STRIP, s.turn)


# ---- own choice -----------------------------------------------------------------------------------------------------


@kernel
def ask_discards(s: State, p: int, number: int) -> None:
    """p discards so many hand cards of own choice, all if there are fewer."""
    s.picked = 0
    s.left = min(number, count(s.hand[p]))
    if s.left > 0:
        ask(s, AT_DISCARD, p)


@kernel
def start_opp_discards(s: State, card: int) -> None:
    if s.hand[1 - s.turn]:
        ask(s, AT_MAY, s.turn)


@kernel
def opp_discards(s: State) -> None:
    ask_discards(s, 1 - s.turn, AMOUNT[s.deck[s.turn], s.card])


@kernel
def start_down_to(s: State, card: int) -> None:
    ask_discards(s, 1 - s.turn, max(0, count(s.hand[1 - s.turn]) - AMOUNT[s.deck[s.turn], card]))


@kernel
def start_each_discards(s: State, card: int) -> None:
    """The opponent of the owner goes first."""
    number = AMOUNT[s.deck[s.turn], card]
    ask_discards(s, 1 - s.turn, number)
    if s.left == 0:
        ask_discards(s, s.turn, number)


@kernel
def discarded(s: State, action: int) -> None:
    p = s.player
    discard_hand_card(s, p, action - FIRST_CARD)
    s.picked |= BIT[action - FIRST_CARD]
    s.left -= 1
    if s.left > 0:
        ask(s, AT_DISCARD, p)
    elif p != s.turn and ABILITY[s.deck[s.turn], s.card] == CHOSEN_DISCARDS:
        ask_discards(s, s.turn, AMOUNT[s.deck[s.turn], s.card])


# ---- shed -----------------------------------------------------------------------------------------------------------


@kernel
def start_shed(s: State, card: int) -> None:
    if s.hand[s.turn]:
        ask(s, AT_SHED, s.turn)


@kernel
def shed(s: State, action: int) -> None:
    if action >= FIRST_CARD:
        discard_hand_card(s, s.turn, action - FIRST_CARD)
        s.picked |= BIT[action - FIRST_CARD]
        ask(s, AT_SHED, s.turn)
