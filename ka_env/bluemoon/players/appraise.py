"""How a player stands in a fight, in points, from what that player can see."""

from __future__ import annotations

from typing import Any

from ka_env.bluemoon.cards import (
    BLUFF_EARTH,
    BLUFF_FIRE,
    CHARACTER,
    END_OF_TURN,
    FLOOD,
    OF_TYPE,
    SHIELD_EARTH,
    SHIELD_FIRE,
    SHOWS,
    STORM,
    VALUE,
    WITH_TIMING,
)
from ka_env.bluemoon.chance import State, cards_of
from ka_env.bluemoon.codes import IN_FIRE, NO_FIGHT
from ka_env.bluemoon.flow.conditions import on_table
from ka_env.bluemoon.flow.limits import texts
from ka_env.bluemoon.flow.retreat import CROWD
from ka_env.bluemoon.flow.room import icons_work
from ka_env.bluemoon.knowledge.observe import unseen_cards
from ka_env.bluemoon.layers.power import total_power
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.players.worth import texts_of, worth_of
from ka_env.bluemoon.zones import table_cards
from ka_env.engine.bits import count, lowest, without_lowest
from ka_env.engine.jit import kernel

Temper = Any  # a record of temper.TEMPER

FLOODED = 12.0  # two floods win the fight
STORMY = 6.0  # two storms attract a dragon each turn
FOLLOW = 0.15  # each point of that element in hand, for the turns to come


@kernel
def dishonest(s: State, p: int, e: int) -> int:
    """How many of p's own face-down cards don't show the bluff icon of that element."""
    return count(s.down[p] & ~SHOWS[s.deck[p], BLUFF_EARTH if e else BLUFF_FIRE])


@kernel
def expected_defence(s: State, q: int, e: int) -> float:
    """The mean value of the characters that q may hold: what the deck list leaves."""
    cards = unseen_cards(s, q) & OF_TYPE[s.deck[q], CHARACTER]
    if not cards:
        return 0.0
    n = count(cards)
    total = 0.0
    while cards:
        total += VALUE[s.deck[q], e, lowest(cards)]
        cards = without_lowest(cards)
    return total / n


@kernel
def promise(s: State, p: int, e: int, t: Temper) -> float:
    """How good it would be to open the fight in that element."""
    hand = s.hand[p] & OF_TYPE[s.deck[p], CHARACTER]
    follow = 0.0
    while hand:
        follow += VALUE[s.deck[p], e, lowest(hand)]
        hand = without_lowest(hand)
    power = total_power(s, p, e) - expected_defence(s, 1 - p, e) + FOLLOW * follow
    return t.power * power - t.lie * dishonest(s, p, e)


@kernel
def pressure(s: State, p: int, t: Temper) -> float:
    """What the own total is worth in a running fight."""
    own = float(s.total[p])
    foe = float(s.total[1 - p])
    points = t.power * min(own, t.enough) + t.more * max(0.0, own - t.enough) - t.fear * foe
    shield = SHOWS[s.deck[p], SHIELD_FIRE if s.fight == IN_FIRE else SHIELD_EARTH]
    if foe > own and not icons_work(s, p, on_table(s, p) & shield):
        points -= t.short * (foe - own)
    return points - t.lie * dishonest(s, p, s.fight - IN_FIRE)


@kernel
def lasting_texts(s: State, q: int) -> float:
    """Texts on the table that go on working, and what two storms or floods will do."""
    points = texts_of(s.deck[q], s.works[q])
    if count(texts(s, q, FLOOD)) >= 2:
        points += FLOODED
    if count(texts(s, q, STORM)) >= 2:
        points += STORMY
    if s.turn != q:  # what happens at the end of q's turn has happened
        points -= 0.5 * texts_of(s.deck[q], s.works[q] & WITH_TIMING[s.deck[q], END_OF_TURN])
    return points


@kernel
def crowd(s: State, q: int, t: Temper) -> float:
    cards = count(table_cards(s, q) & ~s.down[q])
    return t.laid * min(cards, CROWD) + (t.crowd if cards >= CROWD else 0.0)


@kernel
def cargo_worth(s: State, q: int) -> float:
    """Cards on ships; characters land FREE, so they are worth more there."""
    d = s.deck[q]
    total = 0.0
    for i in range(s.fleet_count[q]):
        cards = cards_of(s.cargo[q, i], s.cargo_count[q, i])
        total += worth_of(d, cards & OF_TYPE[d, CHARACTER]) + 0.7 * worth_of(d, cards & ~OF_TYPE[d, CHARACTER])
    return total


@kernel
def holdings(s: State, p: int, t: Temper) -> float:
    """The own hand, and what the ships carry. The last characters in hand are the dearest."""
    d = s.deck[p]
    points = t.card * worth_of(d, s.hand[p])
    characters = count(s.hand[p] & OF_TYPE[d, CHARACTER])
    points += t.card * (3.0 if characters >= 2 else 2.0 if characters == 1 else 0.0)
    if s.fleet_count[p]:
        points += t.load * cargo_worth(s, p)
    return points


@kernel
def standing(s: State, p: int, t: Temper) -> float:
    """How p stands with the cards as they lie now."""
    update(s)
    points = holdings(s, p, t)
    if s.fight == NO_FIGHT:
        return points
    if s.fight >= IN_FIRE:
        points += pressure(s, p, t)
    else:
        points += max(promise(s, p, 0, t), promise(s, p, 1, t))
    points += t.text * (lasting_texts(s, p) - lasting_texts(s, 1 - p))
    return points + crowd(s, p, t) - crowd(s, 1 - p, t)
