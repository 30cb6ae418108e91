"""Chance: shuffles, hits, finds and the starter, written down as they happen (notation, section 4).

`events` lists what has happened since the last decision: code, player, number of cards, cards. When a record is
replayed, the events are given instead (`script` points at the next one) and no random number is used.
"""

from __future__ import annotations

from typing import Any

from ka_env.bluemoon.codes import EVENT_BYTES, FOUND, HIT, SHUFFLE, STARTER
from ka_env.engine.bits import BIT, count, lowest, nth, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.rng import roll

State = Any  # a record of state.STATE


@kernel
def forget_events(s: State) -> None:
    for i in range(s.event_count):
        s.events[i] = -1
    s.event_count = 0


@kernel
def note(s: State, value: int) -> None:
    if s.event_count < EVENT_BYTES:
        s.events[s.event_count] = value
        s.event_count += 1


@kernel
def note_event(s: State, code: int, player: int, number: int) -> None:
    note(s, code)
    note(s, player)
    note(s, number)


@kernel
def given(s: State, code: int, player: int, number: int) -> bool:
    """Is the next given event this one? Then `script` points at its cards."""
    at = int(s.script)
    fits = (
        at + 3 + number <= s.event_count
        and s.events[at] == code
        and s.events[at + 1] == player
        and s.events[at + 2] == number
    )
    if fits:
        s.script = at + 3
    else:
        s.misfit = 1
    return fits


@kernel
def next_given(s: State, pool: int) -> int:
    """The next given card, which must be one of the pool."""
    card = s.events[s.script]
    s.script += 1
    if card < 0 or not pool & BIT[card]:
        s.misfit = 1
        return lowest(pool)
    return card


@kernel
def pick_card(s: State, code: int, q: int, pool: int) -> int:
    """A card of q at random out of a set that isn't empty: `hit` or `found`."""
    if s.trial:
        return lowest(pool)
    if s.script >= 0:
        return next_given(s, pool) if given(s, code, q, 1) else lowest(pool)
    card = nth(pool, roll(s, count(pool)))
    note_event(s, code, q, 1)
    note(s, card)
    return card


@kernel
def hit(s: State, q: int, pool: int) -> int:
    return pick_card(s, HIT, q, pool)


@kernel
def find(s: State, q: int, pool: int) -> int:
    return pick_card(s, FOUND, q, pool)


@kernel
def pick_starter(s: State) -> int:
    if s.script >= 0:
        at = int(s.script)
        for p in range(2):
            if at + 3 <= s.event_count and s.events[at] == STARTER and s.events[at + 1] == p:
                s.script = at + 3
                return p
        s.misfit = 1
        return 0
    p = roll(s, 2)
    note_event(s, STARTER, p, 0)
    return p


@kernel
def shuffle(s: State, q: int) -> None:
    """Shuffle q's deck: nobody can follow its cards any longer."""
    if s.trial:
        return
    n = int(s.pile_count[q])
    cards = 0
    for i in range(n):
        cards |= BIT[s.pile[q, i]]
    s.seen[q] &= ~cards
    s.placed[q] = 0
    if s.script >= 0:
        lay_as_given(s, q, n, cards)
        return
    pool = cards
    for i in range(n - 1, -1, -1):  # drawn from the set: what lay where before plays no part
        card = nth(pool, roll(s, i + 1))
        pool &= ~BIT[card]
        s.pile[q, i] = card
    note_event(s, SHUFFLE, q, n)
    for i in range(n - 1, -1, -1):
        note(s, s.pile[q, i])


@kernel
def lay_as_given(s: State, q: int, n: int, cards: int) -> None:
    if not given(s, SHUFFLE, q, n):
        return
    for i in range(n - 1, -1, -1):
        card = next_given(s, cards)
        cards &= ~BIT[card]
        s.pile[q, i] = card


@kernel
def cards_of(order: Any, n: int) -> int:
    cards = 0
    for i in range(n):
        cards |= BIT[order[i]]
    return cards


@kernel
def above(cards: int, card: int) -> int:
    """The members of a set that come after a card."""
    return cards & ~(BIT[card + 1] - 1)


@kernel
def after_highest(cards: int, picked: int) -> int:
    """The members of a set that come after all that are picked."""
    while picked:
        cards = above(cards, lowest(picked))
        picked = without_lowest(picked)
    return cards
