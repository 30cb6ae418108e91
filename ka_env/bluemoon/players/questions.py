"""Answers to the questions that texts and demands ask: what to discard, what to take, whom to hit, whom to believe."""

from __future__ import annotations

from ka_env.bluemoon.cards import (
    AMOUNT,
    BLUFF_EARTH,
    BLUFF_FIRE,
    BLUFFS,
    BOOSTER,
    CHARACTER,
    LEADERSHIP_CARD,
    OF_TYPE,
    SHOWS,
    TYPE,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import (
    ACCEPT,
    AT_ANNOUNCE,
    AT_BOTTOM,
    AT_CARGO,
    AT_CATERPILLAR,
    AT_CHALLENGE,
    AT_DECK_CARD,
    AT_DECLINE,
    AT_DISCARD,
    AT_DISCARD_CARD,
    AT_INTERFERE,
    AT_KEEP,
    AT_MAY,
    AT_PUT_BACK,
    AT_SHED,
    AT_STRIP,
    AT_TAKE_BACK,
    AT_TARGET,
    AT_WHICH,
    BOOSTERS,
    CARDS,
    CHALLENGE,
    DONE,
    EARTH,
    FIRE,
    FIRST_CARD,
    FIRST_ENEMY,
    HIDDEN,
    IN_EARTH,
    IN_FIRE,
    NO,
    SUPPORTS,
    YES,
)
from ka_env.bluemoon.flow.conditions import on_table
from ka_env.bluemoon.knowledge.observe import unseen_cards
from ka_env.bluemoon.layers.power import BLUFF_VALUE, sum_of
from ka_env.bluemoon.players.appraise import Temper, promise
from ka_env.bluemoon.players.worth import TEXT_WORTH, WORTH, least_worth, most_worth, texts_of
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel

WORTH_A_CARD = 4.0  # an interference is kept for cards worth more than this
GOOD_OPEN_CARD = 5.0  # an open card this good is taken rather than an unknown one


@kernel
def own_cards(s: State) -> int:
    """The own cards among the options."""
    return s.legal[0] >> FIRST_CARD


@kernel
def cheapest_of(s: State, p: int, cards: int, n: int) -> int:
    """The first, in card order, of the n cards that will be missed least: sets are picked in that order."""
    chosen = 0
    for _ in range(n):
        card = least_worth(s.deck[p], cards & ~chosen)
        if card < 0:
            break
        chosen |= BIT[card]
    return lowest(chosen)


@kernel
def first_to_discard(s: State, p: int, n: int) -> int:
    """n hand cards are to go: which is the first to be named?"""
    from_here = s.hand[p] & ~(BIT[lowest(own_cards(s))] - 1)
    card = cheapest_of(s, p, from_here, n)
    return card if own_cards(s) & BIT[card] else lowest(own_cards(s))


@kernel
def to_decline(s: State, p: int, t: Temper) -> int:
    """A decline takes one card, and up to two more that are worth little. The last cards end the game."""
    if s.pile_count[p] == 0:
        if s.dragons[p] > 0:
            return FIRST_CARD + lowest(own_cards(s))
        if s.legal[0] & BIT[DONE]:
            return DONE
    poor = 0
    cards = own_cards(s)
    while cards:
        if WORTH[s.deck[p], lowest(cards)] < t.refuse:
            poor |= BIT[lowest(cards)]
        cards = without_lowest(cards)
    if poor:
        return FIRST_CARD + lowest(poor)
    if s.legal[0] & BIT[DONE]:
        return DONE
    return FIRST_CARD + least_worth(s.deck[p], own_cards(s))


@kernel
def harm_of(s: State, o: int, card: int) -> float:
    """What a face-up card of the opponent adds to its side."""
    points = TEXT_WORTH[s.deck[o], card] if s.works[o] & BIT[card] else 0.0
    if s.fight >= IN_FIRE and on_table(s, o) & BIT[card]:
        points += sum_of(s, o, s.fight - IN_FIRE, BIT[card])
    return points


@kernel
def worst_enemy(s: State, o: int, sign: float) -> int:
    """The option among the opponent's cards that harms most, or least with sign -1; -1 without any."""
    best = -1
    best_points = -1.0e9
    options = s.legal[3]
    while options:
        i = lowest(options)
        options = without_lowest(options)
        points = sign * (float(BLUFF_VALUE) if i >= CARDS else harm_of(s, o, i))
        if points > best_points:
            best_points = points
            best = i
    return best


@kernel
def to_hit(s: State, p: int) -> int:
    card = worst_enemy(s, 1 - p, 1.0)
    return FIRST_ENEMY + card if card >= 0 else NO


@kernel
def to_strip(s: State, p: int) -> int:
    """An open card that is good, else an unknown one."""
    card = most_worth(s.deck[1 - p], s.legal[3])
    if card >= 0 and (WORTH[s.deck[1 - p], card] >= GOOD_OPEN_CARD or not s.legal[0] & BIT[HIDDEN]):
        return FIRST_ENEMY + card
    return HIDDEN


@kernel
def boosters_or_supports(s: State, p: int) -> int:
    o = 1 - p
    boosters = on_table(s, o) & OF_TYPE[s.deck[o], BOOSTER] & ~s.down[o]
    e = max(0, s.fight - IN_FIRE)
    of_boosters = sum_of(s, o, e, boosters) + texts_of(s.deck[o], boosters & s.works[o])
    faces = s.support[o] & ~s.down[o]
    of_supports = sum_of(s, o, e, faces) + texts_of(s.deck[o], faces & s.works[o]) + BLUFF_VALUE * count(s.down[o])
    if s.legal[0] & BIT[SUPPORTS] and (of_supports >= of_boosters or not s.legal[0] & BIT[BOOSTERS]):
        return SUPPORTS
    return BOOSTERS if s.legal[0] & BIT[BOOSTERS] else NO


@kernel
def chance_of_honesty(s: State, o: int) -> float:
    """The chance that all face-down cards show the contested element, if they were taken at random."""
    right = SHOWS[s.deck[o], BLUFF_EARTH if s.fight == IN_EARTH else BLUFF_FIRE]
    known = s.down[o] & s.seen[o]
    if known & ~right:
        return 0.0
    pool = unseen_cards(s, o) & BLUFFS[s.deck[o]]
    chance = 1.0
    for i in range(count(s.down[o] & ~s.seen[o])):
        chance *= max(0, count(pool & right) - i) / max(1, count(pool) - i)
    return chance


@kernel
def to_interfere(s: State, p: int) -> int:
    """Not for trifles."""
    d = s.deck[1 - p]
    if TYPE[d, s.card] == LEADERSHIP_CARD or WORTH[d, s.card] > WORTH_A_CARD:
        return FIRST_CARD + least_worth(s.deck[p], own_cards(s))
    return NO


@kernel
def fiercest_caterpillar(s: State, p: int) -> int:
    best = lowest(own_cards(s))
    cards = own_cards(s)
    while cards:
        if AMOUNT[s.deck[p], lowest(cards)] > AMOUNT[s.deck[p], best]:
            best = lowest(cards)
        cards = without_lowest(cards)
    return FIRST_CARD + best


@kernel
def to_load(s: State, p: int) -> int:
    """Characters go on the ship, the strong ones first; one stays in hand."""
    characters = own_cards(s) & OF_TYPE[s.deck[p], CHARACTER]
    if count(s.hand[p] & OF_TYPE[s.deck[p], CHARACTER]) <= 1 or not characters:
        return DONE
    return FIRST_CARD + most_worth(s.deck[p], characters)


@kernel
def answer_question(s: State, p: int, t: Temper) -> int:
    """Any decision but the main ones."""
    kind = s.kind
    d = s.deck[p]
    if kind == AT_MAY:
        return YES
    if kind == AT_ANNOUNCE:
        return FIRE if promise(s, p, 0, t) >= promise(s, p, 1, t) else EARTH
    if kind == AT_CHALLENGE:
        return CHALLENGE if chance_of_honesty(s, 1 - p) < t.trust else ACCEPT
    if kind == AT_TARGET:
        return to_hit(s, p)
    if kind == AT_KEEP:
        return FIRST_ENEMY + worst_enemy(s, 1 - p, -1.0)
    if kind == AT_WHICH:
        return boosters_or_supports(s, p)
    if kind == AT_STRIP:
        return to_strip(s, p)
    if kind == AT_DISCARD or kind == AT_PUT_BACK:
        return FIRST_CARD + first_to_discard(s, p, s.left)
    if kind == AT_DECLINE:
        return to_decline(s, p, t)
    if kind == AT_SHED or kind == AT_BOTTOM:
        return DONE
    if kind == AT_CARGO:
        return to_load(s, p)
    if kind == AT_INTERFERE:
        return to_interfere(s, p)
    if kind == AT_CATERPILLAR:
        return fiercest_caterpillar(s, p)
    if kind == AT_TAKE_BACK or kind == AT_DECK_CARD or kind == AT_DISCARD_CARD:
        return FIRST_CARD + most_worth(d, own_cards(s))
    # meet, sacrifice, drop, ship, feat: what will be missed least
    return FIRST_CARD + least_worth(d, own_cards(s))
