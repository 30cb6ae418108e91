"""Searching: `search_to_hand` (`deck_card`, `discard_card`) and `search_deck_ship_or_load` (`deck_card`, `ship`)."""

from __future__ import annotations

from ka_env.bluemoon.cards import ABILITY, FIGHT_CARDS, FROM_DECK, OF_TYPE, SEARCH_SHIP, SHIP, TYPE
from ka_env.bluemoon.chance import State, shuffle
from ka_env.bluemoon.codes import AT_DECK_CARD, AT_DISCARD_CARD, AT_SHIP, FIRST_CARD, NO, OUT
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.limits import can_draw, can_take, deck_allowed, forbidden
from ka_env.bluemoon.zones import (
    discard_to_hand,
    pile_cards,
    put_on_ship,
    searched_to_hand,
    ships_with_room,
    take_out,
)
from ka_env.engine.bits import count, lowest
from ka_env.engine.jit import kernel


@kernel
def deck_choices(s: State, card: int) -> int:
    """Cards of T's deck that the text may take out."""
    t = s.turn
    d = s.deck[t]
    if ABILITY[d, card] != SEARCH_SHIP:
        return pile_cards(s, t) if can_draw(s, t) else 0
    if not deck_allowed(s, t):
        return 0
    cards = OF_TYPE[d, SHIP] & ~forbidden(s, t)
    if ships_with_room(s, t):
        cards |= FIGHT_CARDS[d]
    return cards & pile_cards(s, t)


@kernel
def start(s: State, card: int) -> None:
    """Without a card that could be taken nothing happens, there is no shuffle (B39)."""
    t = s.turn
    if ABILITY[s.deck[t], card] == SEARCH_SHIP or FROM_DECK[s.deck[t], card]:
        if deck_choices(s, card):
            ask(s, AT_DECK_CARD, t)
    elif s.discard[t] and can_take(s, t):
        ask(s, AT_DISCARD_CARD, t)


@kernel
def deck_answered(s: State, action: int) -> None:
    """The card is taken out, the deck is shuffled, then the card goes where it goes (B37)."""
    t = s.turn
    card = action - FIRST_CARD
    if action == NO:
        shuffle(s, t)
    elif ABILITY[s.deck[t], s.card] != SEARCH_SHIP:
        take_out(s, t, card)
        shuffle(s, t)
        searched_to_hand(s, t, card)
    elif TYPE[s.deck[t], card] == SHIP:
        take_out(s, t, card)
        shuffle(s, t)
        s.card = card
        s.point = OUT
    else:
        s.card = card
        ships = ships_with_room(s, t)
        if count(ships) > 1:
            ask(s, AT_SHIP, t)
        else:
            ship_named(s, lowest(ships))


@kernel
def ship_named(s: State, ship: int) -> None:
    """A fight card goes from the deck on the ship."""
    take_out(s, s.turn, s.card)
    shuffle(s, s.turn)
    put_on_ship(s, s.turn, s.card, ship)


@kernel
def discard_answered(s: State, action: int) -> None:
    if action != NO:
        discard_to_hand(s, s.turn, action - FIRST_CARD)
