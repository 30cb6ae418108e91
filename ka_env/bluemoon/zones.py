"""The only code that moves cards, and so the only code that decides who knows what (B3).

Below, q is the owner of the cards. `seen[q]` holds those of q's hidden cards (closed hand, face down, deck) whose place
q's opponent knows; `placed[q]` the cards of q's deck whose place q knows.
"""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    CAPACITY,
    LEADERSHIP_CARD,
    SUPPORT,
    TYPE,
)
from ka_env.bluemoon.chance import State, cards_of, shuffle
from ka_env.bluemoon.codes import D_TOOK
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

# ---- looking --------------------------------------------------------------------------------------------------------


@kernel
def pile_cards(s: State, q: int) -> int:
    return cards_of(s.pile[q], s.pile_count[q])


@kernel
def closed(s: State, q: int) -> int:
    """The closed part of the hand."""
    return s.hand[q] & ~s.open[q]


@kernel
def ship_index(s: State, q: int, ship: int) -> int:
    i = 0
    while s.fleet[q, i] != ship:
        i += 1
    return i


@kernel
def landed_cards(s: State, q: int) -> int:
    """The cards of the ships that have landed."""
    cards = 0
    if s.landed[q]:
        for i in range(s.fleet_count[q]):
            if s.landed[q] & BIT[s.fleet[q, i]]:
                cards |= cards_of(s.cargo[q, i], s.cargo_count[q, i])
    return cards


@kernel
def ships_with_room(s: State, q: int) -> int:
    """Ships, landed or not, that carry fewer cards than their capacity."""
    ships = 0
    for i in range(s.fleet_count[q]):
        ship = s.fleet[q, i]
        if s.cargo_count[q, i] < CAPACITY[s.deck[q], ship]:
            ships |= BIT[ship]
    return ships


# ---- first out ------------------------------------------------------------------------------------------------------


@kernel
def check_out(s: State, q: int) -> None:
    """As soon as hand and deck are both empty, the player gets the first-out mark, if it is still to be had."""
    if s.hand[q] == 0 and s.pile_count[q] == 0 and s.out < 0:
        s.out = q


# ---- deck -----------------------------------------------------------------------------------------------------------


@kernel
def take_top(s: State, q: int) -> int:
    """The top card of a deck that isn't empty leaves it. Whoever could follow it still can."""
    n = s.pile_count[q] - 1
    card = s.pile[q, n]
    s.pile[q, n] = -1
    s.pile_count[q] = n
    s.placed[q] &= ~BIT[card]
    return card


@kernel
def draw_card(s: State, q: int) -> int:
    """The top card of the deck goes to hand."""
    card = take_top(s, q)
    s.hand[q] |= BIT[card]
    if q == s.turn:
        s.did[D_TOOK] += 1
    return card


@kernel
def take_out(s: State, q: int, card: int) -> None:
    """A searched card leaves the deck, wherever it lies; the caller says where it goes."""
    n = s.pile_count[q] - 1
    i = 0
    while s.pile[q, i] != card:
        i += 1
    for j in range(i, n):
        s.pile[q, j] = s.pile[q, j + 1]
    s.pile[q, n] = -1
    s.pile_count[q] = n
    s.placed[q] &= ~BIT[card]
    s.seen[q] &= ~BIT[card]
    s.did[D_TOOK] += 1
    check_out(s, q)


@kernel
def put_under(s: State, q: int, card: int) -> None:
    """A hand card goes face down under the deck: its owner knows it there; the opponent if it was open or followed."""
    leave_face_down(s, q, card)
    for j in range(s.pile_count[q], 0, -1):
        s.pile[q, j] = s.pile[q, j - 1]
    s.pile[q, 0] = card
    s.pile_count[q] += 1
    s.placed[q] |= BIT[card]


@kernel
def recycle(s: State, q: int) -> None:
    """The discard pile goes into the deck, which is shuffled."""
    cards = s.discard[q]
    s.discard[q] = 0
    while cards:
        s.pile[q, s.pile_count[q]] = lowest(cards)
        s.pile_count[q] += 1
        cards = without_lowest(cards)
    shuffle(s, q)


@kernel
def mill(s: State, q: int) -> None:
    """The top card of the deck is discarded."""
    put_on_discards(s, q, take_top(s, q))
    check_out(s, q)


# ---- discard and leadership piles -----------------------------------------------------------------------------------


@kernel
def put_on_discards(s: State, q: int, card: int) -> None:
    """Face up on the discard pile; a leadership card goes to the leadership pile and never comes back."""
    s.seen[q] &= ~BIT[card]
    if TYPE[s.deck[q], card] == LEADERSHIP_CARD:
        put_on_lead(s, q, card)
    else:
        s.discard[q] |= BIT[card]


@kernel
def put_on_lead(s: State, q: int, card: int) -> None:
    s.lead[q, s.lead_count[q]] = card
    s.lead_count[q] += 1


@kernel
def discard_to_hand(s: State, q: int, card: int) -> None:
    """Discard piles are open (B2): the card is known in the hand."""
    s.discard[q] &= ~BIT[card]
    s.hand[q] |= BIT[card]
    s.seen[q] |= BIT[card]


# ---- hand -----------------------------------------------------------------------------------------------------------


@kernel
def leave_hand(s: State, q: int, card: int) -> None:
    """Face up: what else is known of the hand stays known."""
    s.hand[q] &= ~BIT[card]
    s.open[q] &= ~BIT[card]
    s.seen[q] &= ~BIT[card]
    check_out(s, q)


@kernel
def leave_face_down(s: State, q: int, card: int) -> None:
    """An open card stays known. A closed one mixes up the closed part of the hand, unless it was all of it (B3)."""
    bit = BIT[card]
    if s.open[q] & bit:
        s.seen[q] |= bit
    elif closed(s, q) != bit:
        s.seen[q] &= ~closed(s, q)
    s.hand[q] &= ~bit
    s.open[q] &= ~bit


@kernel
def discard_hand_card(s: State, q: int, card: int) -> None:
    leave_hand(s, q, card)
    put_on_discards(s, q, card)


@kernel
def show_to_opponent(s: State, q: int, card: int) -> None:
    s.seen[q] |= BIT[card]


@kernel
def searched_to_hand(s: State, q: int, card: int) -> None:
    """A card taken out of the deck goes to hand and is shown."""
    s.hand[q] |= BIT[card]
    s.seen[q] |= BIT[card]


@kernel
def open_hand(s: State, q: int) -> None:
    s.open[q] = s.hand[q]
    s.seen[q] &= ~s.hand[q]


# ---- the table ------------------------------------------------------------------------------------------------------


@kernel
def leave_place(s: State, q: int, card: int) -> None:
    """A card that is played or loaded face up leaves the hand or the landed cards."""
    if s.hand[q] & BIT[card]:
        leave_hand(s, q, card)
    else:
        leave_cargo(s, q, card)


@kernel
def put_in_combat(s: State, q: int, card: int) -> None:
    s.line[q, s.line_count[q]] = card
    s.line_count[q] += 1
    s.combat[q] |= BIT[card]
    s.stale = 1


@kernel
def put_in_support(s: State, q: int, card: int) -> None:
    s.row[q, s.row_count[q]] = card
    s.row_count[q] += 1
    s.support[q] |= BIT[card]
    s.stale = 1


@kernel
def put_face_down(s: State, q: int, card: int) -> None:
    """A bluff: a landed card stays known, a hand card as B3 says."""
    if s.hand[q] & BIT[card]:
        leave_face_down(s, q, card)
        check_out(s, q)
    else:
        leave_cargo(s, q, card)
        s.seen[q] |= BIT[card]
    put_in_support(s, q, card)
    s.down[q] |= BIT[card]


@kernel
def cover_others(s: State, q: int, card: int) -> None:
    """Every other card of the combat area is covered and loses its marks."""
    others = s.combat[q] & ~BIT[card]
    s.covered[q] |= others
    lose_marks(s, q, others)
    s.stale = 1


@kernel
def lose_marks(s: State, q: int, cards: int) -> None:
    s.used[q] &= ~cards
    s.settled[q] &= ~cards
    if s.doubled[q] >= 0 and cards & BIT[s.doubled[q]]:
        s.doubled[q] = -1


@kernel
def leave_table(s: State, q: int, card: int) -> None:
    bit = BIT[card]
    if s.combat[q] & bit:
        s.line_count[q] = close_gap(s.line[q], s.line_count[q], card)
    else:
        s.row_count[q] = close_gap(s.row[q], s.row_count[q], card)
    s.combat[q] &= ~bit
    s.support[q] &= ~bit
    s.covered[q] &= ~bit
    s.down[q] &= ~bit
    lose_marks(s, q, bit)
    s.stale = 1


@kernel
def close_gap(order: State, n: int, card: int) -> int:
    """Take a card out of an ordered area; returns how many are left."""
    i = 0
    while order[i] != card:
        i += 1
    for j in range(i, n - 1):
        order[j] = order[j + 1]
    order[n - 1] = -1
    return n - 1


@kernel
def discard_table_card(s: State, q: int, card: int) -> None:
    """A face-down card is shown."""
    leave_table(s, q, card)
    put_on_discards(s, q, card)


@kernel
def discard_table_cards(s: State, q: int, cards: int) -> None:
    while cards:
        discard_table_card(s, q, lowest(cards))
        cards = without_lowest(cards)


@kernel
def table_to_hand(s: State, q: int, card: int) -> None:
    """A card that lay face up is known in the hand; a face-down one as before."""
    if not s.down[q] & BIT[card]:
        s.seen[q] |= BIT[card]
    leave_table(s, q, card)
    s.hand[q] |= BIT[card]


@kernel
def clear_table(s: State, q: int) -> None:
    """Combat and support area are discarded."""
    s.discard[q] |= s.combat[q] | s.support[q]
    s.seen[q] &= ~s.down[q]
    lose_marks(s, q, s.combat[q] | s.support[q])
    s.combat[q] = 0
    s.support[q] = 0
    s.covered[q] = 0
    s.down[q] = 0
    for i in range(s.line_count[q]):
        s.line[q, i] = -1
    for i in range(s.row_count[q]):
        s.row[q, i] = -1
    s.line_count[q] = 0
    s.row_count[q] = 0
    s.stale = 1


# ---- leadership, Hyla, achievements ---------------------------------------------------------------------------------


@kernel
def put_as_leader(s: State, q: int, card: int) -> None:
    put_on_lead(s, q, card)
    s.leader[q] = card
    s.stale = 1


@kernel
def expire_leader(s: State, q: int) -> None:
    """The card stays in the pile, inactive."""
    if s.leader[q] >= 0:
        s.leader[q] = -1
        s.stale = 1


@kernel
def put_hyla(s: State, q: int, card: int) -> None:
    """There is one place for both players: the old card is discarded first."""
    if s.hyla >= 0:
        put_on_discards(s, s.hyla_owner, s.hyla)
    s.hyla = card
    s.hyla_owner = q
    s.stale = 1


@kernel
def put_feat(s: State, q: int, card: int) -> None:
    s.feats[q] |= BIT[card]


@kernel
def discard_feat(s: State, q: int, card: int) -> None:
    s.feats[q] &= ~BIT[card]
    put_on_discards(s, q, card)


# ---- ships ----------------------------------------------------------------------------------------------------------


@kernel
def put_ship(s: State, q: int, card: int) -> None:
    s.fleet[q, s.fleet_count[q]] = card
    s.fleet_count[q] += 1
    s.ships[q] |= BIT[card]
    s.stale = 1


@kernel
def land(s: State, q: int, ship: int) -> None:
    s.landed[q] |= BIT[ship]
    s.stale = 1


@kernel
def put_on_ship(s: State, q: int, card: int, ship: int) -> None:
    i = ship_index(s, q, ship)
    s.cargo[q, i, s.cargo_count[q, i]] = card
    s.cargo_count[q, i] += 1


@kernel
def leave_cargo(s: State, q: int, card: int) -> None:
    for i in range(s.fleet_count[q]):
        if cards_of(s.cargo[q, i], s.cargo_count[q, i]) & BIT[card]:
            s.cargo_count[q, i] = close_gap(s.cargo[q, i], s.cargo_count[q, i], card)


@kernel
def discard_landed(s: State, q: int) -> None:
    """Landed ships and landed cards that are left are discarded."""
    while s.landed[q]:
        discard_ship(s, q, lowest(s.landed[q]))


@kernel
def discard_ship(s: State, q: int, ship: int) -> None:
    """A ship takes the cards on it along; those behind it in the order move up."""
    i = ship_index(s, q, ship)
    for k in range(s.cargo_count[q, i]):
        s.discard[q] |= BIT[s.cargo[q, i, k]]
    s.discard[q] |= BIT[ship]
    s.ships[q] &= ~BIT[ship]
    s.landed[q] &= ~BIT[ship]
    n = s.fleet_count[q] - 1
    for j in range(i, n):
        s.fleet[q, j] = s.fleet[q, j + 1]
        s.cargo_count[q, j] = s.cargo_count[q, j + 1]
        s.cargo[q, j] = s.cargo[q, j + 1]
    s.fleet[q, n] = -1
    s.cargo_count[q, n] = 0
    s.cargo[q, n] = -1
    s.fleet_count[q] = n
    s.stale = 1


@kernel
def face_down_number(s: State, q: int, number: int) -> int:
    """The face-down card with that number, counted from 0 in the order of the support area."""
    for i in range(s.row_count[q]):
        if s.down[q] & BIT[s.row[q, i]]:
            if number == 0:
                return s.row[q, i]
            number -= 1
    return -1


@kernel
def table_cards(s: State, q: int) -> int:
    return s.combat[q] | s.support[q]


@kernel
def as_supports(s: State, q: int, supports: int) -> int:
    """Cards that are support cards now: those of the type, and every face-down card."""
    return supports | s.down[q]


@kernel
def is_support(s: State, q: int, card: int) -> bool:
    return s.down[q] & BIT[card] != 0 or TYPE[s.deck[q], card] == SUPPORT


@kernel
def hand_count(s: State, q: int) -> int:
    return count(s.hand[q])
