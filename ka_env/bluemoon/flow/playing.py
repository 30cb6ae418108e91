"""Playing a card, step by step (section 6), face down as a bluff (section 10), loading it (section 11)."""

from __future__ import annotations

from ka_env.bluemoon.abilities.dispatch import start_text
from ka_env.bluemoon.cards import (
    ACHIEVEMENT,
    BOOSTER,
    CHARACTER,
    GANGS,
    GROUP,
    HYLA,
    INTERFERE,
    LEADERSHIP_CARD,
    ON_PLAY,
    PAIR_BITS,
    PLAY_FORBIDDEN,
    SHIP,
    SHOWS,
    STOP,
    SUPPORT,
    TIMING,
    TYPE,
    TYPE_ARG,
    WHEN_PLAYING,
    WITH_ABILITY,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import (
    AT_FEAT,
    AT_INTERFERE,
    AT_SHIP,
    BY_GROUP,
    COUNTED,
    D_ALL,
    D_AREA,
    D_B,
    D_BOOSTERS,
    D_C,
    D_CHAR,
    D_HAND,
    D_LOADS,
    D_S,
    D_SUPPORTS,
    FROM_SHIP,
    GROUP_WORKS,
    M_LEAD,
    M_NEXT,
    M_STOP,
    MAIN,
    PLAYED,
)
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.limits import ANY_TYPE, forbidden_by, texts
from ka_env.bluemoon.flow.room import icons_work, room_of, room_of_bluff
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.zones import (
    cover_others,
    discard_table_card,
    expire_leader,
    leave_place,
    put_as_leader,
    put_face_down,
    put_feat,
    put_hyla,
    put_in_combat,
    put_in_support,
    put_on_ship,
    put_ship,
    ships_with_room,
)
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

# ---- step 1 ---------------------------------------------------------------------------------------------------------


@kernel
def play(s: State, card: int) -> None:
    """Step 1: the card leaves its place and lies in its area; the turn record is brought up to date."""
    t = s.turn
    type_ = TYPE[s.deck[t], card]
    s.card = card
    s.point = PLAYED
    s.did[D_ALL] += 1
    if type_ <= SUPPORT:
        s.room = room_of(s, t, card)
        leave_place(s, t, card)
        count_fight_card(s, type_)
        if type_ == SUPPORT:
            put_in_support(s, t, card)
        else:
            put_in_combat(s, t, card)
    else:
        s.mark[M_LEAD] = 1
        leave_place(s, t, card)
        put_elsewhere(s, t, card, type_)
    if interferers(s, card) and not s.trial:
        ask(s, AT_INTERFERE, 1 - t)


@kernel
def put_elsewhere(s: State, t: int, card: int, type_: int) -> None:
    if type_ == LEADERSHIP_CARD:
        put_as_leader(s, t, card)
    elif type_ == SHIP:
        put_ship(s, t, card)
    elif type_ == HYLA:
        put_hyla(s, t, card)
    else:
        put_feat(s, t, card)


@kernel
def count_fight_card(s: State, type_: int) -> None:
    counted = s.room & COUNTED != 0
    s.mark[M_NEXT] = 0
    if not s.room & FROM_SHIP:
        s.did[D_HAND] += 1
    if type_ != SUPPORT:
        s.did[D_AREA] += 1
    if type_ == CHARACTER:
        s.did[D_CHAR] += 1
        s.did[D_C] += counted
    elif type_ == BOOSTER:
        s.did[D_BOOSTERS] += 1
        s.did[D_B] += counted
    else:
        s.did[D_SUPPORTS] += 1
        s.did[D_S] += counted


@kernel
def play_out_of_deck(s: State, card: int) -> None:
    """A ship found in the deck is played at once; it doesn't need the mark lead."""
    s.did[D_ALL] += 1
    put_ship(s, s.turn, card)
    s.point = PLAYED


@kernel
def bluff(s: State, card: int) -> None:
    """A card is played face down as a support card without text, icons and people."""
    t = s.turn
    s.room = room_of_bluff(s, t, card)
    s.did[D_ALL] += 1
    count_fight_card(s, SUPPORT)
    put_face_down(s, t, card)


# ---- interference (optional rules) ----------------------------------------------------------------------------------


@kernel
def interferers(s: State, card: int) -> int:
    """O's hand cards that can cancel T's card: fitting, their text not ignored, not forbidden by a text on any card."""
    t = s.turn
    o = 1 - t
    d = s.deck[o]
    found = 0
    cards = s.hand[o] & WITH_ABILITY[d, INTERFERE] & ~s.mute[o] & ~s.blank[o]
    if cards:
        cards &= ~forbidden_to_all_types(s, o)
    while cards:
        if TYPE_ARG[d, lowest(cards)] & BIT[TYPE[s.deck[t], card]]:
            found |= BIT[lowest(cards)]
        cards = without_lowest(cards)
    return found


@kernel
def forbidden_to_all_types(s: State, q: int) -> int:
    found = 0
    cards = texts(s, 1 - q, PLAY_FORBIDDEN)
    while cards:
        if TYPE_ARG[s.deck[1 - q], lowest(cards)] == ANY_TYPE:
            found |= forbidden_by(s, q, lowest(cards))
        cards = without_lowest(cards)
    return found


@kernel
def cancel(s: State) -> None:
    """The played card is discarded; it stays counted, but does nothing else."""
    t = s.turn
    if TYPE[s.deck[t], s.card] == LEADERSHIP_CARD:
        expire_leader(s, t)
    else:
        discard_table_card(s, t, s.card)
    s.point = MAIN


# ---- steps 2-4 ------------------------------------------------------------------------------------------------------


@kernel
def take_effect(s: State) -> None:
    """Steps 2-4: groups and covering, the layers and stop, the text."""
    t = s.turn
    d = s.deck[t]
    card = s.card
    type_ = TYPE[d, card]
    s.point = MAIN
    if type_ <= SUPPORT:
        open_or_close_group(s, t, card)
    if type_ == CHARACTER and s.did[D_CHAR] == 1 and not joins_gang(s, t, card):
        cover_others(s, t, card)
    update(s)
    if SHOWS[d, STOP] & BIT[card] & ~s.blank[t]:
        s.mark[M_STOP] = 1
    if type_ == ACHIEVEMENT:
        compare_feats(s)
    elif s.works[t] & BIT[card] and (TIMING[d, card] == ON_PLAY or TIMING[d, card] == WHEN_PLAYING):
        start_text(s, card)


@kernel
def open_or_close_group(s: State, t: int, card: int) -> None:
    if s.room & GROUP_WORKS:
        group = BIT[GROUP[s.deck[t], card]]
        if s.room & BY_GROUP:
            s.groups &= ~(group & PAIR_BITS)
        else:
            s.groups |= group


@kernel
def joins_gang(s: State, t: int, card: int) -> bool:
    """A gang card joins if every active card of the combat area shows the same working gang icon."""
    d = s.deck[t]
    if not s.room & GROUP_WORKS or not GANGS[d] & BIT[card]:
        return False
    others = s.combat[t] & ~s.covered[t] & ~BIT[card]
    gang = icons_work(s, t, others & GANGS[d])
    if others == 0 or gang != others:
        return False
    while others:
        if GROUP[d, lowest(others)] != GROUP[d, card]:
            return False
        others = without_lowest(others)
    return True


@kernel
def compare_feats(s: State) -> None:
    """Both have achievements now: each player discards one, T first."""
    if s.feats[1 - s.turn]:
        ask(s, AT_FEAT, s.turn)


# ---- loading --------------------------------------------------------------------------------------------------------


@kernel
def start_load(s: State, card: int) -> None:
    """`+`: on the only ship with room, or on the one T names."""
    ships = ships_with_room(s, s.turn) & ~s.landed[s.turn]
    s.card = card
    if count(ships) > 1:
        ask(s, AT_SHIP, s.turn)
    else:
        load(s, lowest(ships))


@kernel
def load(s: State, ship: int) -> None:
    """A load is always counted, FREE icon or not (B35)."""
    leave_place(s, s.turn, s.card)
    put_on_ship(s, s.turn, s.card, ship)
    s.did[D_S] += 1
    s.did[D_LOADS] += 1
