"""What may be played (section 7): place, room, FREE, pairs and gangs."""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    AMOUNT,
    BLUFFS,
    BOOSTER,
    BUKA_CHARACTERS,
    CHARACTER,
    EXTRA_PLAYS,
    FIGHT_CARDS,
    FREE,
    FREE_IF,
    GROUP,
    GROUPED,
    HAND_PLAYS,
    LANDING_HAND,
    LOAD_AND_LANDING_HAND,
    OF_TYPE,
    ONLY_IF_SWAP,
    SHOWS,
    SUPPORT,
    TYPE_ARG,
    WITH_ABILITY,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import (
    BY_FREE,
    BY_GROUP,
    COUNTED,
    D_B,
    D_BOOSTERS,
    D_C,
    D_HAND,
    D_LOADS,
    D_S,
    D_SUPPORTS,
    FROM_SHIP,
    GROUP_WORKS,
    IN_FIRE,
    M_LANDING,
    M_NEXT,
    M_STOP,
)
from ka_env.bluemoon.flow.conditions import condition_holds
from ka_env.bluemoon.flow.limits import bluff_forbidden, forbidden, texts
from ka_env.bluemoon.zones import landed_cards, ships_with_room
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def hand_is_open_to_landing(s: State, t: int) -> bool:
    """A landed ship's text lets fight cards be played and loaded from hand too."""
    return texts(s, t, LANDING_HAND) & s.landed[t] != 0


@kernel
def fight_cards_at_hand(s: State, t: int) -> int:
    """Fight cards by their place: hand, or on a landing turn the landed cards."""
    fight = FIGHT_CARDS[s.deck[t]]
    if not s.mark[M_LANDING]:
        return s.hand[t] & fight
    cards = landed_cards(s, t)
    if hand_is_open_to_landing(s, t):
        return cards | (s.hand[t] & fight)
    plays = 0
    ships = texts(s, t, LOAD_AND_LANDING_HAND) & s.landed[t]
    while ships:
        plays += HAND_PLAYS[s.deck[t], lowest(ships)]
        ships = without_lowest(ships)
    if s.did[D_HAND] < plays:
        cards |= s.hand[t] & fight
    return cards


@kernel
def icons_work(s: State, t: int, cards: int) -> int:
    """Those of the cards whose icons (other than stop) are not ignored."""
    return cards & ~s.plain[t] & ~s.blank[t] & ~s.down[t]


@kernel
def free_cards(s: State, t: int, cards: int) -> int:
    """Room a: those of the cards that would be FREE."""
    cards = icons_work(s, t, cards)
    if s.mark[M_NEXT]:
        return cards
    d = s.deck[t]
    free = cards & SHOWS[d, FREE]
    if s.mark[M_LANDING]:
        free |= cards & BUKA_CHARACTERS[d] & landed_cards(s, t)
    gaining = cards & WITH_ABILITY[d, FREE_IF] & ~s.mute[t]
    while gaining:
        if condition_holds(s, t, lowest(gaining)):
            free |= BIT[lowest(gaining)]
        gaining = without_lowest(gaining)
    return free


@kernel
def partners(s: State, t: int, cards: int) -> int:
    """Room b: those of the cards whose pair or gang is open."""
    found = 0
    if s.groups:
        cards = icons_work(s, t, cards & GROUPED[s.deck[t]])
        while cards:
            if s.groups & BIT[GROUP[s.deck[t], lowest(cards)]]:
                found |= BIT[lowest(cards)]
            cards = without_lowest(cards)
    return found


@kernel
def extra_plays(s: State, t: int, type_: int) -> int:
    extra = 0
    cards = texts(s, t, EXTRA_PLAYS)
    while cards:
        if TYPE_ARG[s.deck[t], lowest(cards)] & BIT[type_]:
            extra += AMOUNT[s.deck[t], lowest(cards)]
        cards = without_lowest(cards)
    return extra


@kernel
def has_counted_room(s: State, t: int, boosters: int, supports: int) -> bool:
    """Room d for so many boosters and supports more; after stop FREE cards count as well."""
    if s.mark[M_STOP]:
        b = s.did[D_BOOSTERS] + boosters
        n = s.did[D_SUPPORTS] + s.did[D_LOADS] + supports
        base = 0
    else:
        b = s.did[D_B] + boosters
        n = s.did[D_S] + supports
        base = int(s.fight >= IN_FIRE)
    over = max(0, b - extra_plays(s, t, BOOSTER)) + max(0, n - extra_plays(s, t, SUPPORT))
    return over <= base


@kernel
def allowed(s: State, t: int, cards: int) -> int:
    """Those of the cards that nothing forbids: prohibitions, limits, the condition of their own text."""
    if cards:
        cards &= ~forbidden(s, t)
        conditional = cards & WITH_ABILITY[s.deck[t], ONLY_IF_SWAP] & ~s.mute[t] & ~s.blank[t]
        while conditional:
            if not condition_holds(s, t, lowest(conditional)):
                cards &= ~BIT[lowest(conditional)]
            conditional = without_lowest(conditional)
    return cards


@kernel
def playable_characters(s: State, t: int) -> int:
    if s.mark[M_STOP]:
        return 0
    cards = fight_cards_at_hand(s, t) & OF_TYPE[s.deck[t], CHARACTER]
    if cards and s.did[D_C]:
        cards = free_cards(s, t, cards) | partners(s, t, cards)
    return allowed(s, t, cards)


@kernel
def playable_supports(s: State, t: int) -> int:
    """Boosters and supports that may be played face up."""
    d = s.deck[t]
    cards = fight_cards_at_hand(s, t) & ~OF_TYPE[d, CHARACTER]
    if not cards:
        return 0
    roomy = 0
    if not s.mark[M_STOP]:
        roomy = free_cards(s, t, cards) | partners(s, t, cards)
    if cards & OF_TYPE[d, BOOSTER] and has_counted_room(s, t, 1, 0):
        roomy |= OF_TYPE[d, BOOSTER]
    if cards & OF_TYPE[d, SUPPORT] and has_counted_room(s, t, 0, 1):
        roomy |= OF_TYPE[d, SUPPORT]
    return allowed(s, t, cards & roomy)


@kernel
def playable_bluffs(s: State, t: int) -> int:
    """Cards that may be played face down."""
    cards = icons_work(s, t, fight_cards_at_hand(s, t) & BLUFFS[s.deck[t]])
    if not cards or not (has_counted_room(s, t, 0, 1) or (s.mark[M_NEXT] and not s.mark[M_STOP])):
        return 0
    return 0 if bluff_forbidden(s, t) else cards


@kernel
def loadable(s: State, t: int) -> int:
    """Cards that may be loaded in phase 5. Loading is not playing: nothing forbids it."""
    if not s.ships[t] or not ships_with_room(s, t) & ~s.landed[t] or not has_counted_room(s, t, 0, 1):
        return 0
    if not s.mark[M_LANDING]:
        return s.hand[t] & FIGHT_CARDS[s.deck[t]]
    cards = landed_cards(s, t)
    if hand_is_open_to_landing(s, t):
        cards |= s.hand[t] & FIGHT_CARDS[s.deck[t]]
    return cards


@kernel
def room_of(s: State, t: int, card: int) -> int:
    """How a fight card that is played face up finds room, as flags. Read before it leaves its place."""
    bit = BIT[card]
    flags = 0
    if not s.hand[t] & bit:
        flags |= FROM_SHIP
    if icons_work(s, t, bit & GROUPED[s.deck[t]]):
        flags |= GROUP_WORKS
    if s.mark[M_STOP]:
        return flags | COUNTED
    if free_cards(s, t, bit):
        return flags | BY_FREE
    if partners(s, t, bit):
        return flags | BY_GROUP
    return flags | COUNTED


@kernel
def room_of_bluff(s: State, t: int, card: int) -> int:
    flags = 0 if s.hand[t] & BIT[card] else FROM_SHIP
    if s.mark[M_NEXT] and not s.mark[M_STOP]:
        return flags | BY_FREE
    return flags | COUNTED
