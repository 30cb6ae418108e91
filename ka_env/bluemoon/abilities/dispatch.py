"""The one place where ability codes meet their kernels: a text begins, a `may` is answered with yes.

Texts that nobody resolves (`while_active`, demands, retreats) are read where they act: layers/, flow/limits,
flow/room, flow/demands, flow/retreat.
"""

from __future__ import annotations

from ka_env.bluemoon.abilities import (
    deck_bottom,
    discard_hand,
    discard_table,
    dragon_for_discard,
    draw,
    load,
    return_card,
    search,
    single,
)
from ka_env.bluemoon.cards import (
    ABILITY,
    ATTACK_AGAIN,
    CHOSEN_DISCARDS,
    DECK_BOTTOM,
    DISCARD_BLIND,
    DISCARD_DOWN_TO,
    DISCARD_OWN_HAND,
    DISCARD_TABLE,
    DRAGON_FOR_DISCARD,
    DRAW,
    DRAW_DROP,
    DRAW_RANDOM,
    DRAW_RETURN,
    DRAW_UP_TO,
    LOAD_AND_LANDING_HAND,
    LOAD_FROM_HAND,
    MILL,
    NEXT_FREE,
    ONLY_IF_SWAP,
    OPP_DISCARDS,
    RECYCLE,
    RETURN_CARD,
    REVEAL_HAND,
    SEARCH_SHIP,
    SEARCH_TO_HAND,
)
from ka_env.bluemoon.chance import State
from ka_env.engine.jit import kernel


@kernel
def start_text(s: State, card: int) -> None:
    """T's text begins: it does what it says, or asks."""
    s.card = card
    ability = ABILITY[s.deck[s.turn], card]
    if ability == DISCARD_TABLE:
        discard_table.start(s, card)
    elif ability == DRAW or ability == DRAW_DROP:
        draw.start_draw(s, card)
    elif ability == ONLY_IF_SWAP:
        single.swap_element(s)
    elif ability == NEXT_FREE:
        single.next_card_free(s)
    elif ability == OPP_DISCARDS:
        discard_hand.start_opp_discards(s, card)
    elif ability == DISCARD_BLIND:
        discard_hand.start_strip(s, card)
    elif ability == DISCARD_OWN_HAND:
        discard_hand.start_shed(s, card)
    elif ability == DISCARD_DOWN_TO:
        discard_hand.start_down_to(s, card)
    elif ability == CHOSEN_DISCARDS:
        discard_hand.start_each_discards(s, card)
    elif ability == DECK_BOTTOM:
        deck_bottom.start(s, card)
    elif ability == DRAW_UP_TO:
        draw.start_up_to(s, card)
    elif ability == DRAW_RETURN:
        draw.start_return(s, card)
    elif ability == DRAW_RANDOM:
        draw.start_random(s, card)
    elif ability == SEARCH_TO_HAND or ability == SEARCH_SHIP:
        search.start(s, card)
    elif ability == DRAGON_FOR_DISCARD:
        dragon_for_discard.start(s, card)
    elif ability == RETURN_CARD:
        return_card.start(s, card)
    elif ability == LOAD_FROM_HAND or ability == LOAD_AND_LANDING_HAND:
        load.start(s, card)
    elif ability == REVEAL_HAND:
        single.reveal_hand(s)
    elif ability == RECYCLE:
        single.start_recycle(s)
    elif ability == MILL:
        single.start_mill(s)
    elif ability == ATTACK_AGAIN:
        single.attack_again(s)


@kernel
def confirmed(s: State) -> None:
    """The player said yes."""
    ability = ABILITY[s.deck[s.turn], s.card]
    if ability == DISCARD_TABLE:
        discard_table.confirmed(s)
    elif ability == DRAW:
        draw.draw(s)
    elif ability == DRAW_DROP:
        draw.draw_and_drop(s)
    elif ability == DRAW_UP_TO:
        draw.up_to(s)
    elif ability == DRAW_RETURN:
        draw.draw_and_return(s)
    elif ability == DRAW_RANDOM:
        draw.draw_random(s)
    elif ability == OPP_DISCARDS:
        discard_hand.opp_discards(s)
    elif ability == RECYCLE:
        single.recycle_discard(s)
    elif ability == MILL:
        single.mill_opponent(s)
