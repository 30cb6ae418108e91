"""The turn (section 6): `answer` takes one answer, `proceed` goes on from point to point to the next question."""

from __future__ import annotations

from ka_env.bluemoon.abilities import (
    deck_bottom,
    discard_hand,
    discard_table,
    dispatch,
    dragon_for_discard,
    draw,
    load,
    return_card,
    search,
)
from ka_env.bluemoon.abilities.draw import draw_up_to
from ka_env.bluemoon.cards import (
    AMOUNT,
    CATERPILLARS,
    DOUBLE_CATERPILLAR,
    END_OF_SUPPORT,
    END_OF_TURN,
    FIGHT_CARDS,
    FLOOD,
    HYLA_HAND_SIZE,
    STORM,
    WITH_TIMING,
)
from ka_env.bluemoon.chance import State, forget_events
from ka_env.bluemoon.codes import (
    ACCEPT,
    AT_ANNOUNCE,
    AT_BEGIN,
    AT_BOTTOM,
    AT_CARGO,
    AT_CATERPILLAR,
    AT_CHALLENGE,
    AT_DECK_CARD,
    AT_DECLINE,
    AT_DISCARD,
    AT_DISCARD_CARD,
    AT_DROP,
    AT_ENGAGE,
    AT_FEAT,
    AT_INTERFERE,
    AT_KEEP,
    AT_LEADERSHIP,
    AT_MAY,
    AT_MEET,
    AT_PUT_BACK,
    AT_SACRIFICE,
    AT_SHED,
    AT_SHIP,
    AT_STRIP,
    AT_SUPPORT,
    AT_TAKE_BACK,
    AT_TARGET,
    AT_WHICH,
    BEGIN,
    CATERPILLAR,
    CHARACTERS,
    DECLINE,
    DECLINED,
    DEMANDS,
    DONE,
    FIGHT,
    FIRE,
    FIRST_BLUFF,
    FIRST_CARD,
    FIRST_LOAD,
    FLOODS,
    HAND_SIZE,
    IN_FIRE,
    LANDED,
    M_LANDING,
    M_LEAD,
    MAIN,
    NO_FIGHT,
    NO_QUESTION,
    OPENING,
    OUT,
    PLAYED,
    POWER,
    REFRESH,
    RETREAT,
    RETREAT_DEMANDS,
    RETREAT_DRAW,
    RETREAT_END,
    RETREATING,
    START,
    SUPPORTING,
    TEXTS,
    TEXTS_BEGIN,
    TURN_END,
    TURN_TEXTS,
    TURN_TEXTS_BEGIN,
    YES,
)
from ka_env.bluemoon.deal import close_game, forget_turn, new_game
from ka_env.bluemoon.flow import bluffs, demands, playing, retreat
from ka_env.bluemoon.flow.ask import ask, forget_question
from ka_env.bluemoon.flow.dragons import attract, end_by_empty_hand
from ka_env.bluemoon.flow.limits import can_draw, texts
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.zones import (
    discard_feat,
    discard_hand_card,
    discard_landed,
    discard_table_card,
    draw_card,
    expire_leader,
    land,
    table_to_hand,
)
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING

MOST_DECLINED = 3


@kernel
def deal(s: State, setting: State) -> None:
    """A new game of these decks, up to its first decision point."""
    new_game(s, setting[0], setting[1])
    proceed(s)


# ---- answers --------------------------------------------------------------------------------------------------------


@kernel
def answer(s: State, action: int) -> None:
    """Play one legal action and go on to the next decision point, forced or not."""
    if s.shown:
        s.shown = 0
        if s.script < 0:
            forget_events(s)
    kind = s.kind
    s.kind = NO_QUESTION
    if action == RETREAT:
        start_retreat(s, s.turn)
    elif kind <= AT_SUPPORT:
        answer_main(s, kind, action)
    else:
        answer_question(s, kind, action)
    proceed(s)


@kernel
def answer_main(s: State, kind: int, action: int) -> None:
    if kind == AT_ENGAGE:
        engage(s, action)
    elif action == DONE:
        end_phase(s, kind)
    elif kind == AT_BEGIN:
        act_in_beginning(s, action - FIRST_CARD)
    elif action >= FIRST_LOAD:
        playing.start_load(s, action - FIRST_LOAD)
    elif action >= FIRST_BLUFF:
        playing.bluff(s, action - FIRST_BLUFF)
    else:
        play_or_use(s, kind, action - FIRST_CARD)


@kernel
def answer_question(s: State, kind: int, action: int) -> None:
    if kind == AT_MAY:
        if action == YES:
            dispatch.confirmed(s)
    elif kind == AT_TARGET:
        discard_table.targeted(s, action)
    elif kind == AT_MEET:
        demands.answered(s, action)
    elif kind == AT_DECLINE:
        declined(s, action)
    elif kind == AT_ANNOUNCE:
        s.fight = IN_FIRE + action - FIRE
        s.stale = 1
        s.point = POWER
    elif kind == AT_CHALLENGE:
        if action == ACCEPT:
            s.point = REFRESH
        else:
            bluffs.challenge(s)
    elif kind == AT_DISCARD:
        discard_hand.discarded(s, action)
    elif kind == AT_SHED:
        discard_hand.shed(s, action)
    elif kind == AT_BOTTOM:
        deck_bottom.answered(s, action)
    elif kind == AT_STRIP:
        discard_hand.stripped(s, action)
    elif kind == AT_SACRIFICE:
        dragon_for_discard.answered(s, action)
    elif kind == AT_KEEP:
        discard_table.kept(s, action)
    elif kind == AT_WHICH:
        discard_table.chosen_type(s, action)
    elif kind == AT_CARGO:
        load.answered(s, action)
    elif kind == AT_SHIP:
        ship_named(s, action - FIRST_CARD)
    elif kind == AT_TAKE_BACK:
        return_card.answered(s, action)
    elif kind == AT_DECK_CARD:
        search.deck_answered(s, action)
    elif kind == AT_DISCARD_CARD:
        search.discard_answered(s, action)
    elif kind == AT_DROP:
        draw.dropped(s, action)
    elif kind == AT_PUT_BACK:
        draw.put_back(s, action)
    elif kind == AT_CATERPILLAR:
        s.doubled[s.turn] = action - FIRST_CARD
    elif kind == AT_INTERFERE:
        interfered(s, action)
    elif kind == AT_FEAT:
        feat_named(s, action - FIRST_CARD)


# ---- phases 1-5 -----------------------------------------------------------------------------------------------------


@kernel
def end_phase(s: State, kind: int) -> None:
    """`done`: the next phase, or the end of the booster/support phase. The open groups are gone."""
    s.groups = 0
    if kind == AT_SUPPORT:
        s.point = DEMANDS
    else:
        s.phase += 1


@kernel
def act_in_beginning(s: State, card: int) -> None:
    """Land a ship, turn up and discard a face-down card, or retrieve a card."""
    t = s.turn
    if s.ships[t] & BIT[card]:
        land(s, t, card)
        s.mark[M_LANDING] = 1
    elif s.down[t] & BIT[card]:
        discard_table_card(s, t, card)
    else:
        table_to_hand(s, t, card)


@kernel
def play_or_use(s: State, kind: int, card: int) -> None:
    """A card of the table is used, any other is played; a fight card in phase 2 is replaced."""
    t = s.turn
    if (s.combat[t] | s.support[t]) & BIT[card]:
        s.used[t] |= BIT[card]
        dispatch.start_text(s, card)
    elif kind == AT_LEADERSHIP and FIGHT_CARDS[s.deck[t]] & BIT[card]:
        s.mark[M_LEAD] = 1
        discard_hand_card(s, t, card)
        if can_draw(s, t):
            draw_card(s, t)
    else:
        playing.play(s, card)


@kernel
def engage(s: State, action: int) -> None:
    if action == FIGHT:
        if s.fight == NO_FIGHT:
            s.fight = OPENING
        s.phase = CHARACTERS
    elif action == DECLINE:
        discard_landed(s, s.turn)
        expire_leader(s, s.turn)
        s.point = DECLINED
        if s.hand[s.turn]:
            ask(s, AT_DECLINE, s.turn)


@kernel
def declined(s: State, action: int) -> None:
    if action >= FIRST_CARD:
        card = action - FIRST_CARD
        discard_hand_card(s, s.turn, card)
        s.picked |= BIT[card]
        if count(s.picked) < MOST_DECLINED and s.hand[s.turn]:
            ask(s, AT_DECLINE, s.turn)


# ---- questions on the way -------------------------------------------------------------------------------------------


@kernel
def ship_named(s: State, ship: int) -> None:
    """For a load of phase 5, or for a card found in the deck in phase 2."""
    if s.phase == SUPPORTING:
        playing.load(s, ship)
    else:
        search.ship_named(s, ship)


@kernel
def interfered(s: State, action: int) -> None:
    s.stale = 1
    if action >= FIRST_CARD:
        discard_hand_card(s, 1 - s.turn, action - FIRST_CARD)
        playing.cancel(s)


@kernel
def feat_named(s: State, card: int) -> None:
    """T first, then O."""
    p = s.player
    discard_feat(s, p, card)
    if p == s.turn:
        ask(s, AT_FEAT, 1 - p)


@kernel
def start_retreat(s: State, p: int) -> None:
    s.retreater = p
    s.point = RETREATING


# ---- from point to point --------------------------------------------------------------------------------------------


@kernel
def proceed(s: State) -> None:
    """Go on until somebody has to decide or the game is over; a trial ends when T's demands are settled.

    At every point the layers are up to date, but for a card that has just been put down (step 2 of playing it).
    """
    while s.kind == NO_QUESTION and s.result == RUNNING and not (s.trial and s.point == TEXTS_BEGIN):
        if s.point != PLAYED:
            update(s)
            if s.point != OUT:
                forget_question(s)
        go_on(s)


@kernel
def go_on(s: State) -> None:
    """From one point to the next."""
    t = s.turn
    point = s.point
    if point == START:
        start_turn(s)
    elif point == MAIN:
        ask(s, s.phase, t)
    elif point == PLAYED:
        playing.take_effect(s)
    elif point == OUT:
        playing.play_out_of_deck(s, s.card)
    elif point == DEMANDS or point == RETREAT_DEMANDS:
        settle_demands(s, point)
    elif point == TEXTS_BEGIN or point == TURN_TEXTS_BEGIN:
        begin_texts(s, END_OF_SUPPORT if point == TEXTS_BEGIN else END_OF_TURN)
    elif point == TEXTS or point == TURN_TEXTS:
        next_text(s)
    elif point == LANDED:
        discard_landed(s, t)
        s.point = CATERPILLAR
    elif point == CATERPILLAR:
        s.point = POWER
        if texts(s, t, DOUBLE_CATERPILLAR) and count(s.works[t] & CATERPILLARS[s.deck[t]]) >= 2:
            ask(s, AT_CATERPILLAR, t)
    elif point == POWER:
        announce(s)
    elif point == REFRESH:
        draw_up_to(s, t, refresh_size(s))
        s.point = TURN_TEXTS_BEGIN
    elif point == TURN_END:
        expire_leader(s, t)
        s.point = FLOODS
    elif point == FLOODS:
        end_turn(s)
    elif point == DECLINED:
        finish_decline(s)
    elif point == RETREATING:
        discard_landed(s, s.retreater)
        s.point = RETREAT_DEMANDS
    elif point == RETREAT_END:
        retreat.attract_and_clear(s)
    elif point == RETREAT_DRAW:
        retreat.draw_and_begin(s)
    else:
        close_game(s)


@kernel
def start_turn(s: State) -> None:
    """The turn record is emptied; two storms attract a dragon."""
    forget_turn(s)
    s.phase = BEGIN
    s.point = MAIN
    if count(texts(s, s.turn, STORM)) >= 2:
        attract(s, s.turn)


@kernel
def settle_demands(s: State, point: int) -> None:
    """Step 6a for T, step 2 of a retreat for the one who retreats."""
    retreating = point == RETREAT_DEMANDS
    if not demands.settle_next(s, s.retreater if retreating else s.turn, retreating):
        s.point = RETREAT_END if retreating else TEXTS_BEGIN


@kernel
def begin_texts(s: State, timing: int) -> None:
    """Which texts there are is fixed when the step begins (B11)."""
    s.due = s.works[s.turn] & WITH_TIMING[s.deck[s.turn], timing]
    s.point += 1


@kernel
def next_text(s: State) -> None:
    """The next text of the step in table order, if it still works; after the last the flow goes on."""
    card = demands.first_in_table_order(s, s.turn, s.due)
    if card < 0:
        s.due = 0
        s.point += 1
        return
    s.due &= ~BIT[card]
    if s.works[s.turn] & BIT[card]:
        dispatch.start_text(s, card)


@kernel
def announce(s: State) -> None:
    """In an opening turn T chooses the element; then O may challenge T's bluffs."""
    if s.fight == OPENING:
        ask(s, AT_ANNOUNCE, s.turn)
        return
    s.point = REFRESH
    if bluffs.can_be_challenged(s, s.turn):
        ask(s, AT_CHALLENGE, 1 - s.turn)


@kernel
def refresh_size(s: State) -> int:
    """Six, or what a working Hyla card says."""
    if s.hyla >= 0 and texts(s, s.hyla_owner, HYLA_HAND_SIZE):
        return int(AMOUNT[s.deck[s.hyla_owner], s.hyla])
    return HAND_SIZE


@kernel
def end_turn(s: State) -> None:
    """Two floods make O retreat; otherwise O's turn begins."""
    if count(texts(s, s.turn, FLOOD)) >= 2:
        start_retreat(s, 1 - s.turn)
    else:
        s.turn = 1 - s.turn
        s.point = START


@kernel
def finish_decline(s: State) -> None:
    draw_up_to(s, s.turn, HAND_SIZE)
    if s.hand[s.turn] == 0:
        end_by_empty_hand(s)
    else:
        s.turn = 1 - s.turn
        s.point = START


assert TEXTS == TEXTS_BEGIN + 1 and LANDED == TEXTS + 1
assert TURN_TEXTS == TURN_TEXTS_BEGIN + 1 and TURN_END == TURN_TEXTS + 1
