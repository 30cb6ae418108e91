"""Layers 1-4 (section 4): whose texts, cards, icons and values are ignored. Read before: what is active."""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    BOOSTER,
    CARDS_IGNORED,
    CHARACTER,
    EXCEPT_FLIT,
    FLIT_CHARACTERS,
    ICONS_IGNORED,
    IN_DECK,
    KEEP_PROTECTED,
    LAYER,
    LEADERSHIP_CARD,
    ODD,
    ODD_PARITY,
    OF_TYPE,
    PARITY_ZERO,
    PROTECTED,
    SHOWS,
    SUPPORT,
    TEXTS_IGNORED,
    TYPE,
    TYPE_ARG,
    WITH_ABILITY,
    WITH_ICON,
    WITH_ICONS,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_INTERFERE
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def active(s: State, q: int) -> int:
    """Uncovered combat cards, support cards, ships, the leadership card of this turn, the Hyla card."""
    cards = (s.combat[q] & ~s.covered[q]) | s.support[q] | s.ships[q]
    if s.leader[q] >= 0:
        cards |= BIT[s.leader[q]]
    if s.hyla >= 0 and s.hyla_owner == q:
        cards |= BIT[s.hyla]
    if s.kind == AT_INTERFERE and q == s.turn:  # the card in question does nothing yet
        cards &= ~BIT[s.card]
    return cards


@kernel
def of_types(s: State, q: int, types: int) -> int:
    """q's cards of these types (bits), wherever they are; a face-down card is a support."""
    cards = 0
    d = s.deck[q]
    while types:
        cards |= OF_TYPE[d, lowest(types)]
        types = without_lowest(types)
    return cards & ~s.down[q]


@kernel
def with_supports(s: State, q: int, types: int) -> int:
    """The same, face-down cards among the supports."""
    cards = of_types(s, q, types)
    if types & BIT[SUPPORT]:
        cards |= s.down[q]
    return cards


@kernel
def protected(s: State, q: int) -> int:
    """Cards whose protected icon works now."""
    return SHOWS[s.deck[q], PROTECTED] & ~s.blank[q] & ~s.plain[q] & ~s.down[q]


@kernel
def still(s: State, q: int, cards: int) -> int:
    """Those of q's active cards whose text no step so far has ignored."""
    return cards & ~s.mute[q] & ~s.blank[q] & ~s.down[q]


@kernel
def ignore_texts(s: State, q: int, card: int) -> None:
    """A card of q's opponent ignores q's texts, protected cards and (as it says) Flit characters excepted."""
    d = s.deck[q]
    cards = IN_DECK[d] & ~protected(s, q)
    if EXCEPT_FLIT[s.deck[1 - q], card]:
        cards &= ~(FLIT_CHARACTERS[d] & ~s.down[q])
    s.mute[q] |= cards


@kernel
def ignore_cards(s: State, q: int, card: int) -> None:
    """A card of q's opponent blanks q's cards of its types, or those that show an icon."""
    d = s.deck[q]
    o = s.deck[1 - q]
    if WITH_ICON[o, card]:
        cards = WITH_ICONS[d] & ~s.down[q]
    else:
        cards = with_supports(s, q, TYPE_ARG[o, card])
    if EXCEPT_FLIT[o, card]:
        cards &= ~(FLIT_CHARACTERS[d] & ~s.down[q])
    s.blank[q] |= cards & ~protected(s, q)


@kernel
def layer_one(s: State, mine: int, theirs: int) -> None:
    """Texts of layer 1, both players' at once: they leave each other alone."""
    for q in range(2):
        cards = (mine if q == 0 else theirs) & WITH_ABILITY[s.deck[q], TEXTS_IGNORED]
        while cards:
            if LAYER[s.deck[q], lowest(cards)] == 1:
                ignore_texts(s, 1 - q, lowest(cards))
            cards = without_lowest(cards)


@kernel
def blanks_of_layer(s: State, q: int, cards: int, layer: int) -> None:
    """q's texts of that layer that blank cards act on the opponent."""
    cards = still(s, q, cards & WITH_ABILITY[s.deck[q], CARDS_IGNORED])
    while cards:
        if LAYER[s.deck[q], lowest(cards)] == layer:
            ignore_cards(s, 1 - q, lowest(cards))
        cards = without_lowest(cards)


@kernel
def silencers(s: State, q: int, cards: int, leadership: bool) -> int:
    """q's texts of layer 2 that ignore texts and still work: the leadership card's, or the others."""
    found = 0
    cards = still(s, q, cards & WITH_ABILITY[s.deck[q], TEXTS_IGNORED])
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if LAYER[s.deck[q], card] == 2 and (TYPE[s.deck[q], card] == LEADERSHIP_CARD) == leadership:
            found |= BIT[card]
    return found


@kernel
def layer_two(s: State, active_0: int, active_1: int) -> None:
    """In the order a-d. Only the turn player can have a leadership card there; else the order is all the same."""
    t = 1 if s.leader[1] >= 0 else 0
    mine = active_0 if t == 0 else active_1
    theirs = active_1 if t == 0 else active_0
    blanks_of_layer(s, t, mine, 2)
    leading = silencers(s, t, mine, True)
    if leading and not silencers(s, 1 - t, theirs, False):
        ignore_texts(s, 1 - t, lowest(leading))
    blanks_of_layer(s, 1 - t, theirs, 2)
    own = silencers(s, t, mine, False)
    other = silencers(s, 1 - t, theirs, False)
    if own and not other:
        ignore_texts(s, 1 - t, lowest(own))
    elif other and not own:
        ignore_texts(s, t, lowest(other))


@kernel
def ignore_icons(s: State, q: int, cards: int) -> None:
    """q's texts that ignore icons: all but stop, on the opponent's cards; protected ones may be kept."""
    cards = still(s, q, cards & WITH_ABILITY[s.deck[q], ICONS_IGNORED])
    while cards:
        keep = protected(s, 1 - q) if KEEP_PROTECTED[s.deck[q], lowest(cards)] else 0
        s.plain[1 - q] |= IN_DECK[s.deck[1 - q]] & ~keep
        cards = without_lowest(cards)


@kernel
def zero_values(s: State, q: int, cards: int) -> None:
    """q's parity texts: printed values of that parity count 0. A face-down card shows 2 and 0, both even."""
    d = s.deck[1 - q]
    cards = still(s, q, cards & WITH_ABILITY[s.deck[q], PARITY_ZERO])
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        types = TYPE_ARG[s.deck[q], card]
        reach = of_types(s, 1 - q, types) & ~protected(s, 1 - q)
        for e in range(2):
            if ODD_PARITY[s.deck[q], card]:
                s.zero[1 - q, e] |= reach & ODD[d, e]
            else:
                s.zero[1 - q, e] |= reach & ~ODD[d, e]
                if types & BIT[SUPPORT]:
                    s.zero[1 - q, e] |= s.down[1 - q]


@kernel
def find_ignored(s: State, active_0: int, active_1: int) -> None:
    layer_one(s, active_0, active_1)
    layer_two(s, active_0, active_1)
    blanks_of_layer(s, 0, active_0, 3)
    blanks_of_layer(s, 1, active_1, 3)
    ignore_icons(s, 0, active_0)
    ignore_icons(s, 1, active_1)
    zero_values(s, 0, active_0)
    zero_values(s, 1, active_1)


assert BOOSTER == 1 and CHARACTER == 0
