"""Before the fight: the beginning phase and the leadership phase. Nothing is tried here: cards would be drawn."""

from __future__ import annotations

from ka_env.bluemoon.abilities import discard_table, dragon_for_discard
from ka_env.bluemoon.cards import (
    ABILITY,
    ACHIEVEMENT,
    ATTACK_AGAIN,
    BOOSTER,
    CAPACITY,
    CHARACTER,
    DISCARD_DOWN_TO,
    DISCARD_TABLE,
    DRAGON_FOR_DISCARD,
    DRAW,
    DRAW_RANDOM,
    EXTRA_PLAYS,
    FIGHT_CARDS,
    HYLA_HAND_SIZE,
    OF_TYPE,
    RECYCLE,
    RETURN_CARD,
    SEARCH_SHIP,
    SEARCH_TO_HAND,
    SHIP,
    TEXTS_IGNORED,
    TYPE,
    TYPE_ARG,
)
from ka_env.bluemoon.chance import State, cards_of
from ka_env.bluemoon.codes import DONE, FIRST_CARD, HAND_SIZE, IN_FIRE
from ka_env.bluemoon.flow.conditions import active_characters
from ka_env.bluemoon.players.questions import harm_of, own_cards
from ka_env.bluemoon.players.worth import WORTH, texts_of
from ka_env.bluemoon.zones import ship_index, table_cards
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

FULL_LOAD = 3  # so many cards make a landing worthwhile
CHARACTERS_KEPT = 1  # are left in hand when cards are given for a dragon
MANY_PLAYS = 3  # so many cards of a type make it worthwhile to play any number of them
GOOD_CARD = 4.5  # worth taking back
MUCH_HARM = 3.0  # cards of the opponent worth a leadership card
FEW_CARDS = 4  # a deck that should be filled again


@kernel
def to_begin(s: State, p: int) -> int:
    """Retrieve what would be covered anyway; land ships that carry enough."""
    cards = own_cards(s)
    covered_soon = cards & s.combat[p]
    if covered_soon:
        return FIRST_CARD + lowest(covered_soon)
    ships = cards & s.ships[p]
    while ships:
        if is_laden(s, p, lowest(ships)):
            return FIRST_CARD + lowest(ships)
        ships = without_lowest(ships)
    return DONE


@kernel
def is_laden(s: State, p: int, ship: int) -> bool:
    i = ship_index(s, p, ship)
    cards = cards_of(s.cargo[p, i], s.cargo_count[p, i])
    full = count(cards) >= min(FULL_LOAD, int(CAPACITY[s.deck[p], ship]))
    return full and cards & OF_TYPE[s.deck[p], CHARACTER] != 0


@kernel
def to_lead(s: State, p: int) -> int:
    """Texts on the table are used; then the first card of phase 2 for which it is the right moment."""
    cards = own_cards(s)
    on_table = cards & table_cards(s, p)
    if on_table:
        return FIRST_CARD + lowest(on_table)
    while cards:
        if is_timely(s, p, lowest(cards)):
            return FIRST_CARD + lowest(cards)
        cards = without_lowest(cards)
    return DONE


@kernel
def is_timely(s: State, p: int, card: int) -> bool:
    """Leadership cards are saved for the moment in which they do something; ships put to sea at once."""
    d = s.deck[p]
    o = 1 - p
    if FIGHT_CARDS[d] & BIT[card]:
        return False
    if TYPE[d, card] == SHIP or TYPE[d, card] == ACHIEVEMENT:
        return True
    ability = ABILITY[d, card]
    if ability == DRAW:
        return s.pile_count[p] > FEW_CARDS
    if ability == DRAW_RANDOM:
        return count(s.discard[p]) >= HAND_SIZE // 2
    if ability == SEARCH_TO_HAND or ability == SEARCH_SHIP or ability == HYLA_HAND_SIZE:
        return True
    if ability == DISCARD_DOWN_TO:
        return count(s.hand[o]) >= HAND_SIZE
    if ability == RECYCLE:
        return s.pile_count[p] <= FEW_CARDS
    if ability == EXTRA_PLAYS:
        type_ = BOOSTER if TYPE_ARG[d, card] & BIT[BOOSTER] else BOOSTER + 1
        return count(s.hand[p] & OF_TYPE[d, type_]) >= MANY_PLAYS
    if ability == DRAGON_FOR_DISCARD:
        return dragon_for_discard.picks(s, card) != 0 and is_rich(s, p)
    if s.fight < IN_FIRE:
        return False
    if ability == TEXTS_IGNORED:
        return texts_of(s.deck[o], s.works[o]) >= MUCH_HARM
    if ability == RETURN_CARD:
        return worth_taking_back(s, p)
    if ability == DISCARD_TABLE:
        return harm_of_all(s, o, discard_table.eligible(s, card)) >= MUCH_HARM
    if ability == ATTACK_AGAIN:
        return s.total[p] >= s.total[o] and active_characters(s, p) != 0
    return False


@kernel
def is_rich(s: State, p: int) -> bool:
    """More characters in hand than are needed, or a deck to draw from."""
    return s.pile_count[p] > 0 or count(s.hand[p] & OF_TYPE[s.deck[p], CHARACTER]) > CHARACTERS_KEPT + FULL_LOAD


@kernel
def worth_taking_back(s: State, p: int) -> bool:
    cards = s.combat[p]
    while cards:
        if WORTH[s.deck[p], lowest(cards)] >= GOOD_CARD:
            return True
        cards = without_lowest(cards)
    return False


@kernel
def harm_of_all(s: State, o: int, cards: int) -> float:
    """A face-down card counts as a plain support."""
    total = 2.0 * count(cards & s.down[o])
    cards &= ~s.down[o]
    while cards:
        total += harm_of(s, o, lowest(cards))
        cards = without_lowest(cards)
    return total
