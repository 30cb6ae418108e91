"""What the decider could choose by all rules but completability: the options of every kind of decision, as bits."""

from __future__ import annotations

from ka_env.bluemoon.abilities import discard_hand, discard_table, dragon_for_discard, load, return_card, search
from ka_env.bluemoon.cards import (
    ACHIEVEMENT,
    BOOSTER,
    CATERPILLARS,
    CHARACTER,
    CHARACTER_LIMIT,
    HYLA,
    LEADERSHIP_CARD,
    OF_TYPE,
    ONCE_PER_TURN,
    REPLACE,
    RETRIEVE,
    SHIP,
    SHOWS,
    SUPPORT,
    WITH_TIMING,
)
from ka_env.bluemoon.chance import State, after_highest
from ka_env.bluemoon.codes import (
    ACCEPT,
    AT_ANNOUNCE,
    AT_BEGIN,
    AT_BOTTOM,
    AT_CARGO,
    AT_CATERPILLAR,
    AT_CHALLENGE,
    AT_CHARACTER,
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
    BOOSTERS,
    CARDS,
    CHALLENGE,
    D_CHAR,
    DECLINE,
    DONE,
    EARTH,
    FIGHT,
    FIRE,
    FIRST_CARD,
    HIDDEN,
    M_AGAIN,
    M_LEAD,
    NO,
    NO_FIGHT,
    RETREAT,
    SUPPORTING,
    SUPPORTS,
    YES,
)
from ka_env.bluemoon.flow import demands
from ka_env.bluemoon.flow.conditions import active_characters
from ka_env.bluemoon.flow.limits import can_hold, can_take, deck_allowed, least_amount
from ka_env.bluemoon.flow.playing import interferers
from ka_env.bluemoon.flow.room import (
    allowed,
    icons_work,
    loadable,
    playable_bluffs,
    playable_characters,
    playable_supports,
)
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.zones import closed, ships_with_room
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel


@kernel
def find_options(s: State) -> None:
    """Fill `legal` with the options of the decision."""
    update(s)
    s.legal[0] = 0
    s.legal[1] = 0
    s.legal[2] = 0
    s.legal[3] = 0
    kind = s.kind
    if kind <= AT_SUPPORT:
        find_main_options(s, kind)
    elif kind == AT_TARGET:
        offer(s, BIT[NO] if discard_table.may_decline(s) else 0, 0)
        offer_enemies(s, discard_table.eligible(s, s.card))
    elif kind == AT_STRIP:
        find_strip_options(s)
    elif kind == AT_KEEP:
        offer_enemies(s, active_characters(s, 1 - s.turn))
    else:
        offer(s, words_of(s, kind), cards_of_question(s, kind))


@kernel
def offer(s: State, words: int, cards: int) -> None:
    s.legal[0] = words | (cards << FIRST_CARD)


@kernel
def offer_enemies(s: State, cards: int) -> None:
    """Enemy cards: face-up ones by slot, face-down ones by their number in the support area."""
    q = 1 - s.turn
    found = cards & ~s.down[q]
    number = 0
    if cards & s.down[q]:
        for i in range(s.row_count[q]):
            bit = BIT[s.row[q, i]]
            if s.down[q] & bit:
                if cards & bit:
                    found |= BIT[CARDS + number]
                number += 1
    s.legal[3] = found


# ---- main decisions -------------------------------------------------------------------------------------------------


@kernel
def find_main_options(s: State, kind: int) -> None:
    t = s.turn
    if kind == AT_BEGIN:
        offer(s, BIT[DONE], retrievable(s, t) | (s.ships[t] & ~s.landed[t]) | s.down[t])
    elif kind == AT_LEADERSHIP:
        offer(s, BIT[DONE], leadership_acts(s, t) | usable_texts(s, t))
    elif kind == AT_ENGAGE:
        offer(s, engagements(s, t), 0)
    elif kind == AT_CHARACTER:
        words = BIT[DONE] if may_end_characters(s) else 0
        offer(s, words, playable_characters(s, t) | usable_texts(s, t))
    else:
        offer(s, BIT[DONE], playable_supports(s, t) | usable_texts(s, t))
        s.legal[1] = playable_bluffs(s, t)
        s.legal[2] = loadable(s, t)


@kernel
def engagements(s: State, t: int) -> int:
    """Without a character nobody fights, unless none is needed."""
    words = BIT[DECLINE] if s.fight == NO_FIGHT else BIT[RETREAT]
    if s.mark[M_AGAIN] or playable_characters(s, t):
        words |= BIT[FIGHT]
    return words


@kernel
def retrievable(s: State, t: int) -> int:
    """Own active cards with a working retrieve icon; characters only while O shows no such character."""
    cards = ((s.combat[t] & ~s.covered[t]) | s.support[t]) & SHOWS[s.deck[t], RETRIEVE]
    if not cards or not can_take(s, t):
        return 0
    if active_characters(s, 1 - t) & SHOWS[s.deck[1 - t], RETRIEVE]:
        cards &= ~OF_TYPE[s.deck[t], CHARACTER]
    return icons_work(s, t, cards)


@kernel
def leadership_acts(s: State, t: int) -> int:
    """Cards for the one act of phase 2: leadership cards, ships, and of the optional cards those that fit."""
    if s.mark[M_LEAD]:
        return 0
    d = s.deck[t]
    kinds = OF_TYPE[d, LEADERSHIP_CARD] | OF_TYPE[d, SHIP] | OF_TYPE[d, HYLA] | OF_TYPE[d, ACHIEVEMENT]
    cards = allowed(s, t, s.hand[t] & kinds)
    replaced = icons_work(s, t, s.hand[t] & SHOWS[d, REPLACE])
    if replaced and deck_allowed(s, t) and can_hold(s, t, count(s.hand[t]) - 1):
        cards |= replaced
    return cards


@kernel
def usable_texts(s: State, t: int) -> int:
    """Own active cards with a text that may be used now."""
    cards = s.works[t] & WITH_TIMING[s.deck[t], ONCE_PER_TURN] & ~s.used[t]
    found = 0
    while cards:
        if discard_table.eligible(s, lowest(cards)):
            found |= BIT[lowest(cards)]
        cards = without_lowest(cards)
    return found


@kernel
def may_end_characters(s: State) -> bool:
    """`done` in phase 4: a character was played or none is needed, and O's limit is kept."""
    t = s.turn
    if s.did[D_CHAR] == 0 and not s.mark[M_AGAIN]:
        return False
    return count(active_characters(s, t)) <= least_amount(s, 1 - t, CHARACTER_LIMIT)


# ---- questions ------------------------------------------------------------------------------------------------------


@kernel
def find_strip_options(s: State) -> None:
    o = 1 - s.turn
    words = BIT[NO] if discard_hand.may_decline_strip(s) else 0
    if closed(s, o):
        words |= BIT[HIDDEN]
    s.legal[0] = words
    s.legal[3] = s.open[o]


@kernel
def words_of(s: State, kind: int) -> int:
    if kind == AT_MAY:
        return BIT[YES] | BIT[NO]
    if kind == AT_ANNOUNCE:
        return BIT[FIRE] | BIT[EARTH]
    if kind == AT_CHALLENGE:
        return BIT[CHALLENGE] | BIT[ACCEPT]
    if kind == AT_WHICH:
        return BIT[NO] | which_words(s)
    if kind == AT_DECLINE:
        return BIT[DONE] if s.picked else 0
    if kind == AT_MEET:
        return BIT[NO] if demands.may_refuse(s, s.player) else 0
    if kind == AT_SACRIFICE:
        return 0 if s.picked else BIT[NO]
    if kind == AT_SHED or kind == AT_BOTTOM or kind == AT_CARGO:
        return BIT[DONE]
    if kind == AT_TAKE_BACK or kind == AT_DECK_CARD or kind == AT_DISCARD_CARD or kind == AT_INTERFERE:
        return BIT[NO]
    return 0


@kernel
def which_words(s: State) -> int:
    words = 0
    if discard_table.eligible_of(s, BOOSTER):
        words |= BIT[BOOSTERS]
    if discard_table.eligible_of(s, SUPPORT):
        words |= BIT[SUPPORTS]
    return words


@kernel
def last_so_many(cards: int, n: int) -> int:
    """Those of the cards after which at least n - 1 others come: with them n can still be picked."""
    found = 0
    left = count(cards)
    while left >= n and left > 0:
        found |= BIT[lowest(cards)]
        cards = without_lowest(cards)
        left -= 1
    return found


@kernel
def cards_of_question(s: State, kind: int) -> int:
    t = s.turn
    p = s.player
    if kind == AT_DISCARD or kind == AT_PUT_BACK:
        return last_so_many(after_highest(s.hand[p], s.picked), s.left)
    if kind == AT_MEET:
        return demands.picks(s, p)
    if kind == AT_DECLINE or kind == AT_SHED:
        return after_highest(s.hand[t], s.picked)
    if kind == AT_BOTTOM:
        return s.hand[t]
    if kind == AT_SACRIFICE:
        return dragon_for_discard.picks(s, s.card)
    if kind == AT_CARGO:
        return load.choices(s, s.card)
    if kind == AT_SHIP:
        ships = ships_with_room(s, t)
        return ships & ~s.landed[t] if s.phase == SUPPORTING else ships
    if kind == AT_TAKE_BACK:
        return return_card.choices(s, s.card)
    if kind == AT_DECK_CARD:
        return search.deck_choices(s, s.card)
    if kind == AT_DISCARD_CARD:
        return s.discard[t]
    if kind == AT_DROP:
        return s.drawn
    if kind == AT_CATERPILLAR:
        return s.works[t] & CATERPILLARS[s.deck[t]]
    if kind == AT_INTERFERE:
        return interferers(s, s.card)
    if kind == AT_FEAT:
        return s.feats[p]
    return 0
