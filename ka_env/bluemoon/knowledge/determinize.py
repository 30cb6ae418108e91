"""Re-drawing what a player can't know, consistently with everything that player can follow (B3)."""

from __future__ import annotations

from ka_env.bluemoon.cards import BLUFFS, FIGHT_CARDS
from ka_env.bluemoon.chance import State, cards_of, forget_events
from ka_env.bluemoon.codes import AT_PUT_BACK, AT_SHIP, AT_SUPPORT, RETREAT
from ka_env.bluemoon.flow.legal import find_legal
from ka_env.bluemoon.knowledge.observe import unseen_cards
from ka_env.bluemoon.zones import closed
from ka_env.engine.bits import BIT, count, lowest, nth, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.rng import roll

TRIES = 256


@kernel
def determinize(s: State, p: int) -> None:
    """Re-draw all that p can't know. The record's random numbers decide, and go on from there.

    Two games that look the same to p become the same record.
    """
    forget_events(s)
    redraw_own_deck(s, p)
    q = 1 - p
    hand = s.hand[q]
    seen = s.seen[q]
    redraw_opponent(s, q, 0)
    s.stale = 1
    if s.player != q:
        return
    # The opponent is deciding: what p sees of that decision needs cards with at least two options.
    for _ in range(TRIES):
        if decision_stands(s):
            return
        redraw_opponent(s, q, 0)
        s.stale = 1
    redraw_opponent(s, q, hand & ~seen)  # hardly any hand has them: keep the one there is
    s.stale = 1


@kernel
def decision_stands(s: State) -> bool:
    return find_legal(s) >= 2 and not (s.kind > AT_SUPPORT and s.legal[0] & BIT[RETREAT])


@kernel
def draw_from(s: State, pool: int) -> int:
    return nth(pool, roll(s, count(pool)))


@kernel
def redraw_own_deck(s: State, p: int) -> None:
    """Deal the cards of the own deck whose place is not known over those places."""
    places = 0
    pool = 0
    for i in range(s.pile_count[p]):
        if not s.placed[p] & BIT[s.pile[p, i]]:
            places |= BIT[i]
            pool |= BIT[s.pile[p, i]]
    while places:
        card = draw_from(s, pool)
        pool &= ~BIT[card]
        s.pile[p, lowest(places)] = card
        places = without_lowest(places)


@kernel
def redraw_opponent(s: State, q: int, kept: int) -> None:
    """Every card of q that the other player can't follow is drawn anew; a face-down one has a bluff icon.

    `kept`: hand cards that stay where they are.
    """
    pool = unseen_cards(s, q) & ~kept
    hidden = count(closed(s, q) & ~s.seen[q] & ~kept)
    asked = hidden_in_question(s, q) and not kept & BIT[s.card]
    in_hand = asked and s.hand[q] & BIT[s.card] != 0
    s.hand[q] &= s.open[q] | s.seen[q] | kept
    pool &= ~redraw_face_down(s, q, pool)
    new_card = -1
    if asked and pool & FIGHT_CARDS[s.deck[q]]:
        new_card = draw_from(s, pool & FIGHT_CARDS[s.deck[q]])
        if in_hand:
            s.hand[q] |= BIT[new_card]
            pool &= ~BIT[new_card]
            hidden -= 1
    for _ in range(hidden):
        card = draw_from(s, pool & ~(BIT[new_card] if new_card >= 0 else 0))
        pool &= ~BIT[card]
        s.hand[q] |= BIT[card]
    redraw_deck(s, q, pool)
    if new_card >= 0:
        s.card = new_card


@kernel
def hidden_in_question(s: State, q: int) -> bool:
    """Is q about to load a card that the other player has not seen?"""
    return s.kind == AT_SHIP and s.player == q and unseen_cards(s, q) & BIT[s.card] != 0


@kernel
def redraw_face_down(s: State, q: int, pool: int) -> int:
    """Face-down cards that can't be followed are drawn from those with a bluff icon; returns what was drawn."""
    hidden = s.down[q] & ~s.seen[q]
    drawn = 0
    for i in range(s.row_count[q]):
        if hidden & BIT[s.row[q, i]]:
            hidden &= ~BIT[s.row[q, i]]
            card = draw_from(s, pool & ~drawn & BLUFFS[s.deck[q]])
            drawn |= BIT[card]
            s.row[q, i] = card
    s.support[q] = cards_of(s.row[q], s.row_count[q])
    s.down[q] = (s.down[q] & s.seen[q]) | drawn
    return drawn


@kernel
def redraw_deck(s: State, q: int, pool: int) -> None:
    """The rest lies in the deck; what its owner knows of it goes with the places, not with the cards."""
    known = 0
    for i in range(s.pile_count[q]):
        if s.placed[q] & BIT[s.pile[q, i]]:
            known |= BIT[i]
    picked = 0
    for i in range(s.pile_count[q]):
        old = BIT[s.pile[q, i]]
        if not s.seen[q] & old:
            card = draw_from(s, pool)
            pool &= ~BIT[card]
            s.pile[q, i] = card
        if s.kind == AT_PUT_BACK and s.player == q and s.picked & old:
            picked |= BIT[s.pile[q, i]]
    s.placed[q] = 0
    for i in range(s.pile_count[q]):
        if known & BIT[i]:
            s.placed[q] |= BIT[s.pile[q, i]]
    if s.kind == AT_PUT_BACK and s.player == q:
        s.picked = picked
