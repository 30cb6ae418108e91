"""The only code that moves cards, and so the only code that decides who has seen what (R1).

Below, q is the owner of the cards. `seen[q]` holds those of q's cards whose place q's opponent knows.
"""

from __future__ import annotations

from typing import Any

from ka_env.blackpoker.cards import COURT, HASTY, NUMBER
from ka_env.blackpoker.codes import GONE, SLOTS
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.rng import roll

State = Any  # a record of state.STATE


# ---- life and grave -------------------------------------------------------------------------------------------------


@kernel
def take_life(s: State, q: int) -> int:
    """Take the top card of a life that isn't empty."""
    n = s.life_count[q] - 1
    card = s.life[q, n]
    s.life[q, n] = -1
    s.life_count[q] = n
    s.placed[q] &= ~BIT[card]
    return card


@kernel
def put_in_grave(s: State, q: int, card: int) -> None:
    """Without showing it: the caller says what is shown."""
    n = s.grave_count[q]
    s.grave[q, n] = card
    s.grave_count[q] = n + 1


@kernel
def bury(s: State, q: int, card: int) -> None:
    """Put a card on the grave, where it is seen."""
    put_in_grave(s, q, card)
    s.seen[q] |= BIT[card]


@kernel
def show_grave_top(s: State, q: int) -> None:
    n = s.grave_count[q]
    if n > 0:
        s.seen[q] |= BIT[s.grave[q, n - 1]]


@kernel
def damage(s: State, q: int, n: int) -> None:
    """The top n cards of the life go to the grave as one packet: only the last is shown."""
    n = min(n, s.life_count[q])
    for _ in range(n):
        put_in_grave(s, q, take_life(s, q))
    if n > 0:
        show_grave_top(s, q)


@kernel
def draw(s: State, q: int) -> None:
    if s.life_count[q] > 0:
        s.hand[q] |= BIT[take_life(s, q)]


@kernel
def mill_to_court(s: State, q: int) -> None:
    """Succession: life cards go to the grave as one packet until a court card turns up; that one goes to hand."""
    milled = False
    while s.life_count[q] > 0:
        card = take_life(s, q)
        if BIT[card] & COURT:
            s.hand[q] |= BIT[card]
            break
        put_in_grave(s, q, card)
        milled = True
    if milled:
        show_grave_top(s, q)


@kernel
def unearth(s: State, q: int, card: int) -> None:
    """Take a card out of the grave; what is then on top is seen."""
    n = s.grave_count[q] - 1
    i = 0
    while s.grave[q, i] != card:
        i += 1
    for j in range(i, n):
        s.grave[q, j] = s.grave[q, j + 1]
    s.grave[q, n] = -1
    s.grave_count[q] = n
    show_grave_top(s, q)


@kernel
def search_life(s: State, q: int, card: int) -> None:
    """Take a card of the life, show it, put it in hand; shuffle the rest: nobody can follow those cards."""
    n = s.life_count[q] - 1
    i = 0
    while s.life[q, i] != card:
        i += 1
    for j in range(i, n):
        s.life[q, j] = s.life[q, j + 1]
    s.life[q, n] = -1
    s.life_count[q] = n
    s.hand[q] |= BIT[card]
    s.seen[q] |= BIT[card]
    s.placed[q] = 0
    shuffle_life(s, q)
    s.shuffled_by = q
    s.shuffled_count = n
    for j in range(s.shuffled.size):
        s.shuffled[j] = s.life[q, j]


@kernel
def shuffle_life(s: State, q: int) -> None:
    for i in range(s.life_count[q] - 1, -1, -1):
        j = roll(s, i + 1)
        card = s.life[q, j]
        s.life[q, j] = s.life[q, i]
        s.life[q, i] = card
        s.seen[q] &= ~BIT[card]


# ---- hand, keys and fog ---------------------------------------------------------------------------------------------


@kernel
def discard(s: State, q: int, card: int) -> None:
    s.hand[q] &= ~BIT[card]
    bury(s, q, card)


@kernel
def show_hand(s: State, q: int) -> None:
    s.seen[q] |= s.hand[q]


@kernel
def show_key(s: State, q: int, card: int) -> None:
    """A named key leaves the hand and lies face up with the request."""
    s.hand[q] &= ~BIT[card]
    s.seen[q] |= BIT[card]


@kernel
def key_to_hand(s: State, q: int, card: int) -> None:
    s.hand[q] |= BIT[card]


@kernel
def key_to_fog(s: State, q: int, card: int, unit: int) -> None:
    s.fog[q] |= BIT[card]
    s.fog_link[q, card] = unit


@kernel
def clear_fog(s: State, q: int) -> None:
    """All fog cards go to the grave in card order."""
    cards = s.fog[q]
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        s.fog_link[q, card] = -1
        bury(s, q, card)
    s.fog[q] = 0


@kernel
def unlink_fog(s: State, unit: int) -> None:
    """R10: the unit left or was reversed; its fog cards stay, without effect."""
    for q in range(2):
        cards = s.fog[q]
        while cards:
            card = lowest(cards)
            cards = without_lowest(cards)
            if s.fog_link[q, card] == unit:
                s.fog_link[q, card] = -1


# ---- units ----------------------------------------------------------------------------------------------------------


@kernel
def place(s: State, q: int, card: int, charged: bool) -> int:
    """A card takes the lowest free slot; the caller says what kind of unit it is.

    Play can't fill the slots, but a position that was read can: then the card goes to the grave, and this is -1.
    """
    slot = lowest(~(s.bulwarks[q] | s.soldiers[q]))
    if slot >= SLOTS:
        bury(s, q, card)
        return -1
    s.bottom[q, slot] = card
    if charged:
        s.charged[q] |= BIT[slot]
    return slot


@kernel
def make_soldier(s: State, q: int, slot: int) -> None:
    """What lies in the slot is a soldier, face up."""
    card = s.bottom[q, slot]
    s.soldiers[q] |= BIT[slot]
    s.seen[q] |= BIT[card]
    s.sizes[q, slot] = NUMBER[card]
    if BIT[card] & HASTY:
        s.haste[q] |= BIT[slot]


@kernel
def come_as_soldier(s: State, q: int, card: int) -> None:
    """A card comes as the soldier kind of its rank, charged."""
    slot = place(s, q, card, True)
    if slot >= 0:
        make_soldier(s, q, slot)
        s.came[q] |= BIT[slot]


@kernel
def come_as_bulwark(s: State, q: int, card: int, charged: bool) -> None:
    """A card comes face down."""
    slot = place(s, q, card, charged)
    if slot >= 0:
        s.bulwarks[q] |= BIT[slot]
        s.came[q] |= BIT[slot]


@kernel
def set_bulwark(s: State, q: int, card: int) -> None:
    """A hand card comes face down; a hand of several cards can't be followed any longer."""
    if count(s.hand[q]) > 1:
        s.seen[q] &= ~s.hand[q]
    s.hand[q] &= ~BIT[card]
    come_as_bulwark(s, q, card, True)


@kernel
def put_on_top(s: State, q: int, slot: int, card: int) -> None:
    """Equip: the key is added on top of the soldier."""
    below = s.bottom[q, slot]
    while s.above[q, below] >= 0:
        below = s.above[q, below]
    s.above[q, below] = card
    s.sizes[q, slot] += NUMBER[card]
    if BIT[card] & HASTY:
        s.haste[q] |= BIT[slot]


@kernel
def vacate(s: State, q: int, slot: int) -> int:
    """The unit leaves the field: whatever pointed at it ends. Returns its bottom card; `above` still links the rest."""
    bit = BIT[slot]
    unit = q * SLOTS + slot
    bottom = s.bottom[q, slot]
    if s.attackers[q] & bit:
        for blocker in range(SLOTS):
            if s.blocks[1 - q, blocker] == slot:
                s.blocks[1 - q, blocker] = -1
    s.bulwarks[q] &= ~bit
    s.soldiers[q] &= ~bit
    s.charged[q] &= ~bit
    s.came[q] &= ~bit
    s.haste[q] &= ~bit
    s.attackers[q] &= ~bit
    s.bottom[q, slot] = -1
    s.blocks[q, slot] = -1
    s.sizes[q, slot] = 0
    s.change[q, slot] = 0
    for i in range(s.stage_count):
        if s.stage_target[i] == unit:
            s.stage_target[i] = GONE
    unlink_fog(s, unit)
    return bottom


@kernel
def unlink_above(s: State, q: int, card: int) -> int:
    """The card that lay on top of this one, now free of it; -1 if none."""
    above = s.above[q, card]
    s.above[q, card] = -1
    return above


@kernel
def kill(s: State, q: int, slot: int) -> None:
    """The unit goes to the grave, bottom card first; each court card triggers a succession."""
    card = vacate(s, q, slot)
    while card >= 0:
        bury(s, q, card)
        if BIT[card] & COURT:
            s.successions[q] += 1
        card = unlink_above(s, q, card)


@kernel
def unit_to_hand(s: State, q: int, slot: int) -> None:
    card = vacate(s, q, slot)
    while card >= 0:
        s.hand[q] |= BIT[card]
        card = unlink_above(s, q, card)


@kernel
def unit_to_life(s: State, q: int, slot: int) -> None:
    """Lance: the cards go face down on top of the life in the order chosen; both players can follow them."""
    card = vacate(s, q, slot)
    while card >= 0:
        card = unlink_above(s, q, card)
    for i in range(s.ordered):
        card = s.order[i]
        s.life[q, s.life_count[q]] = card
        s.life_count[q] += 1
        s.placed[q] |= BIT[card]
        s.order[i] = -1
    s.ordered = 0


@kernel
def flip_to_bulwarks(s: State, q: int, slot: int, charged: bool) -> None:
    """Reverse a soldier: one bulwark per card; the bottom card keeps the slot, the others take the lowest free ones."""
    bit = BIT[slot]
    came = s.came[q] & bit
    s.soldiers[q] &= ~bit
    s.bulwarks[q] |= bit
    s.haste[q] &= ~bit
    s.sizes[q, slot] = 0
    s.change[q, slot] = 0
    unlink_fog(s, q * SLOTS + slot)
    card = unlink_above(s, q, s.bottom[q, slot])
    while card >= 0:
        next_card = unlink_above(s, q, card)
        other = place(s, q, card, charged)
        if other >= 0:
            s.bulwarks[q] |= BIT[other]
            if came:
                s.came[q] |= BIT[other]
        card = next_card


@kernel
def flip_to_soldier(s: State, q: int, slot: int) -> None:
    """Reverse a bulwark: it becomes the soldier of its card."""
    s.bulwarks[q] &= ~BIT[slot]
    make_soldier(s, q, slot)
