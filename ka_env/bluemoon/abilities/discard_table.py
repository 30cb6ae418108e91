"""`discard_opp_table_cards`: one of O's cards (`target`), all of them (`may`, `keep`), or all of one type (`which`)."""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    ACTIVE_ONLY,
    AMOUNT,
    BOOSTER,
    CHARACTER,
    FROM_SHIP_ONLY,
    KEEP_LAST,
    OF_TYPE,
    ONCE_PER_TURN,
    ONE_TYPE,
    SUPPORT,
    TIMING,
    TYPE_ARG,
    WITH_ICON,
    WITH_ICONS,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import (
    AT_KEEP,
    AT_MAY,
    AT_TARGET,
    AT_WHICH,
    BOOSTERS,
    FIRST_ENEMY,
    FIRST_FACE_DOWN,
    FROM_SHIP,
    NO,
)
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.conditions import active_characters
from ka_env.bluemoon.layers.ignored import protected, with_supports
from ka_env.bluemoon.zones import discard_table_card, face_down_number
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def eligible(s: State, card: int) -> int:
    """O's cards that T's card may discard."""
    t = s.turn
    o = 1 - t
    d = s.deck[t]
    active = (s.combat[o] & ~s.covered[o]) | s.support[o]
    cards = active & ~protected(s, o)
    if not ACTIVE_ONLY[d, card]:
        cards |= s.covered[o]
    cards &= with_supports(s, o, TYPE_ARG[d, card])
    if WITH_ICON[d, card]:
        cards &= WITH_ICONS[s.deck[o]] & ~s.down[o]
    if KEEP_LAST[d, card] and count(active_characters(s, o)) == 1:
        cards &= ~active_characters(s, o)
    return cards


@kernel
def start(s: State, card: int) -> None:
    d = s.deck[s.turn]
    if FROM_SHIP_ONLY[d, card] and not s.room & FROM_SHIP:
        return
    if eligible(s, card):
        if ONE_TYPE[d, card]:
            ask(s, AT_WHICH, s.turn)
        elif AMOUNT[d, card] == 1:
            ask(s, AT_TARGET, s.turn)
        else:
            ask(s, AT_MAY, s.turn)


@kernel
def may_decline(s: State) -> bool:
    """A used text has its target; any other may be declined."""
    return TIMING[s.deck[s.turn], s.card] != ONCE_PER_TURN


@kernel
def discard_all(s: State, cards: int) -> None:
    while cards:
        discard_table_card(s, 1 - s.turn, lowest(cards))
        cards = without_lowest(cards)


@kernel
def keeps_by_choice(s: State, card: int) -> bool:
    """Of several active characters, none of them protected, one has to be named that stays."""
    characters = active_characters(s, 1 - s.turn)
    return (
        KEEP_LAST[s.deck[s.turn], card] != 0
        and TYPE_ARG[s.deck[s.turn], card] & BIT[CHARACTER] != 0
        and count(characters) >= 2
        and not characters & protected(s, 1 - s.turn)
    )


@kernel
def confirmed(s: State) -> None:
    """`may` was answered with yes."""
    if keeps_by_choice(s, s.card):
        ask(s, AT_KEEP, s.turn)
    else:
        discard_all(s, eligible(s, s.card))


@kernel
def kept(s: State, action: int) -> None:
    discard_all(s, eligible(s, s.card) & ~BIT[action - FIRST_ENEMY])


@kernel
def targeted(s: State, action: int) -> None:
    if action == NO:
        return
    o = 1 - s.turn
    card = face_down_number(s, o, action - FIRST_FACE_DOWN) if action >= FIRST_FACE_DOWN else action - FIRST_ENEMY
    discard_table_card(s, o, card)


@kernel
def eligible_of(s: State, type_: int) -> int:
    """`which`: the eligible cards of one type."""
    return eligible(s, s.card) & with_supports(s, 1 - s.turn, BIT[type_])


@kernel
def chosen_type(s: State, action: int) -> None:
    if action != NO:
        discard_all(s, eligible_of(s, BOOSTER if action == BOOSTERS else SUPPORT))


assert OF_TYPE.shape[1] > SUPPORT
