"""The only code that moves cards, and so the only code that decides who has seen what (R1).

Below, q is the owner of the cards. `seen[q]` holds those of q's cards whose place q's opponent knows.
"""

from __future__ import annotations

from typing import Any

from ka_env.blackpoker.cards import COURT, HASTY, NUMBER
from ka_env.blackpoker.codes import GONE, SLOTS
from ka_env.blackpoker.decisions import AT_PACK_CARD, AT_SEARCH_CARD
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.rng import roll

State = Any  # a record of state.STATE
ALL_SLOTS = (1 << SLOTS) - 1


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
def search_life(s: State, q: int, cards: int) -> None:
    """Take cards of the life, show them, put them in hand; shuffle the rest: nobody can follow those cards."""
    n = 0
    for i in range(s.life_count[q]):
        card = s.life[q, i]
        s.life[q, i] = -1
        if not cards & BIT[card]:
            s.life[q, n] = card
            n += 1
    s.life_count[q] = n
    show_to_hand(s, q, cards)
    s.placed[q] = 0
    shuffle_life(s, q)
    s.shuffled_by = q
    s.shuffled_count = n
    for j in range(s.shuffled.size):
        s.shuffled[j] = s.life[q, j]


@kernel
def pile_cards(pile: State, n: int) -> int:
    """The lowest n cards of a pile as a set."""
    cards = 0
    for i in range(n):
        cards |= BIT[pile[i]]
    return cards


@kernel
def life_place(s: State, q: int, k: int) -> int:
    """The card at place k from the top of the life."""
    return s.life[q, s.life_count[q] - 1 - k]


@kernel
def turn_up(s: State, q: int, n: int) -> None:
    """Both players see the top n cards of the life, which stay there."""
    for k in range(n):
        s.seen[q] |= BIT[life_place(s, q, k)]
        s.placed[q] |= BIT[life_place(s, q, k)]


@kernel
def put_under(s: State, q: int, card: int) -> None:
    """A card that both players know goes face down under the life, where both can follow it."""
    for i in range(s.life_count[q], 0, -1):
        s.life[q, i] = s.life[q, i - 1]
    s.life[q, 0] = card
    s.life_count[q] += 1
    s.placed[q] |= BIT[card]


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
def show_to_hand(s: State, q: int, cards: int) -> None:
    """Cards are shown and go to hand."""
    s.hand[q] |= cards
    s.seen[q] |= cards


@kernel
def show_hand(s: State, q: int) -> None:
    s.seen[q] |= s.hand[q]


@kernel
def show_key(s: State, q: int, card: int) -> None:
    """A named key leaves the hand and lies face up with the request."""
    s.hand[q] &= ~BIT[card]
    s.seen[q] |= BIT[card]


@kernel
def pack_is_hidden(s: State, q: int) -> bool:
    """Even from its owner: while it is closed, unless the owner is looking through the pack or the life right now."""
    looks = s.player == q and (s.kind == AT_PACK_CARD or s.kind == AT_SEARCH_CARD)
    return s.pack_closed[q] != 0 and not looks


@kernel
def show_rare(s: State, q: int) -> int:
    """The rare card leaves its zone and lies face up with a request."""
    card = s.rare[q]
    s.rare[q] = -1
    s.seen[q] |= BIT[card]
    return card


@kernel
def key_to_hand(s: State, q: int, card: int) -> None:
    s.hand[q] |= BIT[card]


@kernel
def key_to_fog(s: State, q: int, card: int, unit: int) -> None:
    """`unit` may also be LINK_ALL."""
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
    s.fog_plus[q] = 0


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
                s.fog_plus[q] &= ~BIT[card]


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
def come_as_soldier(s: State, q: int, card: int, charged: bool = True) -> None:
    """A card comes as the soldier kind of its rank."""
    slot = place(s, q, card, charged)
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
    """A hand card comes face down; a hand of several cards can't be followed any longer.

    On a full field the card goes to the grave and is shown (R71), so the rest can be followed.
    """
    if s.bulwarks[q] | s.soldiers[q] == ALL_SLOTS:
        discard(s, q, card)
        return
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
def release(s: State, q: int, slot: int) -> None:
    """The unit no longer attacks or blocks; the blockers of an attacker are free again."""
    if s.attackers[q] & BIT[slot]:
        for blocker in range(SLOTS):
            if s.blocks[1 - q, blocker] == slot:
                s.blocks[1 - q, blocker] = -1
    s.attackers[q] &= ~BIT[slot]
    s.blocks[q, slot] = -1


@kernel
def lose_target(s: State, unit: int) -> None:
    """Requests aimed at the unit have lost their target."""
    for i in range(s.stage_count):
        if s.stage_target[i] == unit:
            s.stage_target[i] = GONE


@kernel
def vacate(s: State, q: int, slot: int) -> int:
    """The unit leaves the field: whatever pointed at it ends. Returns its bottom card; `above` still links the rest."""
    bit = BIT[slot]
    unit = q * SLOTS + slot
    bottom = s.bottom[q, slot]
    release(s, q, slot)
    s.bulwarks[q] &= ~bit
    s.soldiers[q] &= ~bit
    s.charged[q] &= ~bit
    s.came[q] &= ~bit
    s.haste[q] &= ~bit
    s.bottom[q, slot] = -1
    s.sizes[q, slot] = 0
    s.change[q, slot] = 0
    lose_target(s, unit)
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
    """Reverse a soldier: one bulwark per card; the bottom card keeps the slot, the others take the lowest free ones.

    A soldier of several cards is no longer the same unit (R40).
    """
    bit = BIT[slot]
    came = s.came[q] & bit
    s.soldiers[q] &= ~bit
    s.bulwarks[q] |= bit
    s.haste[q] &= ~bit
    s.sizes[q, slot] = 0
    s.change[q, slot] = 0
    release(s, q, slot)
    unlink_fog(s, q * SLOTS + slot)
    card = unlink_above(s, q, s.bottom[q, slot])
    if card >= 0:
        lose_target(s, q * SLOTS + slot)
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
    release(s, q, slot)
    s.bulwarks[q] &= ~BIT[slot]
    make_soldier(s, q, slot)
