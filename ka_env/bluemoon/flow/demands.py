"""Demands (section 12): what the opponent's cards want a player to have played or to discard."""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    AMOUNT,
    BOOSTER,
    CATERPILLARS,
    DOUBLE_CATERPILLAR,
    ELSE_DRAGON,
    MUST_DISCARD,
    MUST_PLAY,
    NEED,
    TYPE_ARG,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_MEET, D_BOOSTERS, D_SUPPORTS, FIRST_CARD, NO
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.dragons import attract
from ka_env.bluemoon.flow.limits import texts
from ka_env.bluemoon.flow.needs import meets, next_picks
from ka_env.bluemoon.layers.ignored import active
from ka_env.bluemoon.zones import discard_hand_card
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def plays_demanded(s: State, t: int) -> bool:
    """Is every working `opp_must_play` of the opponent met?"""
    cards = texts(s, 1 - t, MUST_PLAY)
    while cards:
        boosters = TYPE_ARG[s.deck[1 - t], lowest(cards)] & BIT[BOOSTER]
        if (s.did[D_BOOSTERS] if boosters else s.did[D_SUPPORTS]) == 0:
            return False
        cards = without_lowest(cards)
    return True


@kernel
def first_in_table_order(s: State, q: int, cards: int) -> int:
    """The first of q's cards in combat area, then support area; -1 if none of them lies there."""
    for i in range(s.line_count[q]):
        if cards & BIT[s.line[q, i]]:
            return s.line[q, i]
    for i in range(s.row_count[q]):
        if cards & BIT[s.row[q, i]]:
            return s.row[q, i]
    return -1


@kernel
def doubled_caterpillar(s: State, q: int) -> int:
    """The one chosen last; if none was or it is no longer active, the first that works in table order."""
    if s.doubled[q] >= 0 and active(s, q) & BIT[s.doubled[q]]:
        return s.doubled[q]
    return first_in_table_order(s, q, s.works[q] & CATERPILLARS[s.deck[q]])


@kernel
def amount_demanded(s: State, q: int, card: int) -> int:
    """The number in the demand on q's card, doubled if it is the doubled caterpillar."""
    amount = int(AMOUNT[s.deck[q], card])
    if CATERPILLARS[s.deck[q]] & BIT[card] and texts(s, q, DOUBLE_CATERPILLAR) and doubled_caterpillar(s, q) == card:
        amount *= 2
    return amount


@kernel
def picks(s: State, p: int) -> int:
    """Hand cards that p may pick next for the demand being settled."""
    q = 1 - p
    return next_picks(s, p, NEED[s.deck[q], s.card], amount_demanded(s, q, s.card), s.picked, s.hand[p])


@kernel
def may_refuse(s: State, p: int) -> bool:
    return s.picked == 0 and ELSE_DRAGON[s.deck[1 - p], s.card] != 0


@kernel
def open_demands(s: State, p: int, dragons_only: bool) -> int:
    """Discard demands on p that are not settled yet."""
    q = 1 - p
    found = texts(s, q, MUST_DISCARD) & ~s.settled[q]
    if dragons_only:
        cards = found
        while cards:
            if not ELSE_DRAGON[s.deck[q], lowest(cards)]:
                found &= ~BIT[lowest(cards)]
            cards = without_lowest(cards)
    return found


@kernel
def settle_next(s: State, p: int, dragons_only: bool) -> bool:
    """Settle p's next demand, in the order in which the opponent's cards lie. False when none is left."""
    q = 1 - p
    card = first_in_table_order(s, q, open_demands(s, p, dragons_only))
    if card < 0:
        return False
    s.settled[q] |= BIT[card]
    s.card = card
    s.picked = 0
    if ELSE_DRAGON[s.deck[q], card] and not picks(s, p):
        attract(s, q)
    else:
        ask(s, AT_MEET, p)
    return True


@kernel
def answered(s: State, action: int) -> None:
    p = s.player
    q = 1 - p
    if action == NO:
        attract(s, q)
        return
    card = action - FIRST_CARD
    discard_hand_card(s, p, card)
    s.picked |= BIT[card]
    if not meets(s, p, NEED[s.deck[q], s.card], amount_demanded(s, q, s.card), s.picked):
        ask(s, AT_MEET, p)
