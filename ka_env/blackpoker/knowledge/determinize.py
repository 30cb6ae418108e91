"""Re-drawing what a player can't know, consistently with everything that player can follow (R1)."""

from __future__ import annotations

from ka_env.blackpoker.cards import ALL
from ka_env.blackpoker.deal import PUBLIC_LISTS
from ka_env.blackpoker.decisions import AT_CHANCE
from ka_env.blackpoker.flow.legal import find_legal
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.text.pending import pending_fits
from ka_env.engine.bits import BIT, count, lowest, nth, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.rng import roll

TRIES = 4096
ENTRY20_LIST, FULL54_LIST = PUBLIC_LISTS


@kernel
def determinize(s: State, p: int) -> None:
    """Re-draw all that p can't know. The record's random numbers decide, and go on from there.

    Two games that look the same to p become the same record.
    """
    forget_shuffle(s)
    hand = s.hand[1 - p]
    redraw_own_life(s, p)
    redraw_opponent(s, 1 - p, False)
    if s.player != 1 - p:
        return
    # The opponent is deciding: what p sees of that decision needs a hand with at least two options.
    for _ in range(TRIES):
        if decision_stands(s):
            return
        redraw_opponent(s, 1 - p, False)
    s.hand[1 - p] = hand  # hardly any hand has them: keep the one there is
    redraw_opponent(s, 1 - p, True)
    find_legal(s)


@kernel
def decision_stands(s: State) -> bool:
    return (s.kind == AT_CHANCE or pending_fits(s)) and find_legal(s) >= 2


@kernel
def redraw_own_life(s: State, p: int) -> None:
    """Deal the cards of the own life whose place is not known over those places.

    They are drawn from the set, not shuffled where they lie: the outcome then depends on the random numbers and on
    what p knows, and on nothing else.
    """
    places = unplaced(s, p)
    pool = 0
    left = places
    while left:
        pool |= BIT[s.life[p, lowest(left)]]
        left = without_lowest(left)
    while places:
        card = draw_from(s, pool)
        pool &= ~BIT[card]
        s.life[p, lowest(places)] = card
        places = without_lowest(places)


@kernel
def forget_shuffle(s: State) -> None:
    """The latest shuffle tells how a life lies."""
    s.shuffled_by = -1
    s.shuffled_count = 0
    s.shuffled[:] = -1


@kernel
def unplaced(s: State, q: int) -> int:
    """Places in q's life whose card q does not know."""
    places = 0
    for i in range(s.life_count[q]):
        if not s.placed[q] & BIT[s.life[q, i]]:
            places |= BIT[i]
    return places


@kernel
def draw_from(s: State, pool: int) -> int:
    return nth(pool, roll(s, count(pool)))


@kernel
def redraw_opponent(s: State, q: int, keep_hand: bool) -> None:
    """Every card of q that the other player can't follow is drawn anew from those it could be."""
    seen = s.seen[q]
    public = s.deck[q] == ENTRY20_LIST or s.deck[q] == FULL54_LIST
    pool = (s.deck[q] if public else ALL) & ~seen
    candidates = pool
    hidden = count(s.hand[q] & ~seen)
    if keep_hand:
        pool &= ~s.hand[q]
        hidden = 0
    else:
        s.hand[q] &= seen
    for _ in range(hidden):
        card = draw_from(s, pool)
        pool &= ~BIT[card]
        s.hand[q] |= BIT[card]
    for i in range(s.grave_count[q]):
        if not seen & BIT[s.grave[q, i]]:
            card = draw_from(s, pool)
            pool &= ~BIT[card]
            s.grave[q, i] = card
    slots = s.bulwarks[q]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if not seen & BIT[s.bottom[q, slot]]:
            card = draw_from(s, pool)
            pool &= ~BIT[card]
            s.bottom[q, slot] = card
    unknown_to_owner = unplaced(s, q)
    s.placed[q] = 0
    for i in range(s.life_count[q]):
        if not seen & BIT[s.life[q, i]]:
            card = draw_from(s, pool)
            pool &= ~BIT[card]
            s.life[q, i] = card
        if not unknown_to_owner & BIT[i]:
            s.placed[q] |= BIT[s.life[q, i]]
    s.deck[q] = (s.deck[q] & seen) | (candidates & ~pool)
