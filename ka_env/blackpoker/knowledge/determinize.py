"""Re-drawing what a player can't know, consistently with everything that player can follow (R1)."""

from __future__ import annotations

from ka_env.blackpoker.cards import ALL
from ka_env.blackpoker.deal import CHOSEN, PUBLIC_LISTS, random_list
from ka_env.blackpoker.decisions import AT_CHANCE, AT_RARE, AT_SEARCH_CARD, SETTING_UP
from ka_env.blackpoker.flow.legal import find_legal
from ka_env.blackpoker.flow.zones import State, pack_is_hidden
from ka_env.blackpoker.rulesets import RULES
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
    if SETTING_UP & BIT[s.kind]:
        redraw_choices(s, 1 - p)
        find_legal(s)
        return
    forget_choices(s, 1 - p)
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
    if pack_is_hidden(s, p):
        pool |= s.pack[p]
    if s.list_unknown[p]:  # any card may lie there that lies nowhere else
        elsewhere = s.deck[p] & ~pool
        pool = ALL & ~elsewhere
        s.deck[p] = elsewhere
    while places:
        card = draw_from(s, pool)
        pool &= ~BIT[card]
        s.life[p, lowest(places)] = card
        s.deck[p] |= BIT[card]
        places = without_lowest(places)
    if pack_is_hidden(s, p):
        s.pack[p] = pool


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
    if s.surely[q] | s.never[q]:
        pool = draw_list(s, q, pool & ~s.never[q])
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
    pool = redraw_frame(s, q, pool)
    s.deck[q] = (s.deck[q] & seen) | (candidates & ~pool)


@kernel
def draw_list(s: State, q: int, pool: int) -> int:
    """The unseen cards of q's deck drawn from a pool; those that are surely in it are among them."""
    cards = s.surely[q] & pool
    for _ in range(count(s.deck[q] & ~s.seen[q]) - count(cards)):
        cards |= BIT[draw_from(s, pool & ~cards)]
    return cards


@kernel
def redraw_frame(s: State, q: int, pool: int) -> int:
    """Pack and rare card; returns what is left of the pool."""
    if s.pack[q]:
        packed = count(s.pack[q])
        s.pack[q] = 0
        for _ in range(packed):
            card = draw_from(s, pool)
            pool &= ~BIT[card]
            s.pack[q] |= BIT[card]
    if s.rare[q] >= 0:
        s.rare[q] = draw_from(s, pool)
        pool &= ~BIT[s.rare[q]]
    return pool


# ---- choices of the opponent that nobody else sees -------------------------------------------------------------------


@kernel
def forget_choices(s: State, q: int) -> None:
    """What was chosen in the set-up, and what a bj under way has taken so far (R70)."""
    s.first_hand[q] = 0
    s.rare_chosen[q] = -1
    if s.kind == AT_SEARCH_CARD and s.player == q and s.ordered:
        s.order[0] = -1
        s.ordered = 0


@kernel
def redraw_choices(s: State, q: int) -> None:
    """While the game is set up: q's list unless both know it, and what q has chosen. Who is choosing starts anew."""
    if s.deck[q] != ENTRY20_LIST and s.deck[q] != FULL54_LIST:
        s.deck[q] = random_list(s, count(s.deck[q]))
    done = q == 0 and s.player == 1
    s.first_hand[q] = 0
    s.rare_chosen[q] = -1
    if RULES[s.ruleset].strategy and (done or (s.player == q and s.kind == AT_RARE)):
        for _ in range(CHOSEN):
            s.first_hand[q] |= BIT[draw_from(s, s.deck[q] & ~s.first_hand[q])]
    if done:
        s.rare_chosen[q] = draw_from(s, s.deck[q] & ~s.first_hand[q])
