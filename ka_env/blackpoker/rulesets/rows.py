"""What a row of an action table says, and what an edition's flags say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ka_env.blackpoker.cards import ALL, CARDS, INDEX, JOKER, JOKERS, NAMES, NUMBER, SUIT, SUITED, SUITS, card_set

FORMATS = ("lite", "std", "pro", "mast")  # each holds the actions of those before it


def _numbers(first: int, last: int) -> int:
    return card_set(c for c in range(52) if first <= NUMBER[c] <= last)


def _low(suit: int) -> int:
    return SUITED[suit] & _numbers(1, 10)


class Keys(NamedTuple):
    """Which cards serve as keys, and in which order they are asked."""

    number: int  # how many
    first: int  # set of cards
    then: list[int] | None = None  # for each key the set of cards that may follow it


def _chain(first: str, *then: str) -> Keys:
    """Keys of one suit by rank, in this order: the first settles the suit."""
    follows = dict(zip((first, *then), then))
    after = [card_set([INDEX[follows[name[0]] + name[1]]]) if name[0] in follows else 0 for name in NAMES[:JOKER]]
    return Keys(1 + len(then), card_set(INDEX[first + suit] for suit in SUITS), after + [0] * (CARDS - JOKER))


def _one(cards: int) -> Keys:
    return Keys(1, cards)


def _pair(first: int, second: int) -> Keys:
    """Two keys of two suits: the first suit is asked first."""
    return Keys(2, SUITED[first], [SUITED[second] if SUITED[first] >> c & 1 else 0 for c in range(CARDS)])


def _alike(cards: int, same: list[int]) -> Keys:
    """Two keys that share a property: the lower card index is asked first."""
    then = [
        card_set(d for d in range(c + 1, CARDS) if cards >> c & 1 and cards >> d & 1 and same[c] == same[d])
        for c in range(CARDS)
    ]
    return Keys(2, cards, then)


_S, _H, _D, _C = range(4)

KEYS: dict[str, Keys] = {
    "-": Keys(0, 0),
    "2-10": _one(_numbers(2, 10)),
    "J-K": _one(_numbers(11, 13)),
    "A": _one(_numbers(1, 1)),
    "A-K": _one(_numbers(1, 13)),
    "Joker": _one(JOKERS),
    "♥A-10": _one(_low(_H)),
    "♠A-10": _one(_low(_S)),
    "♦A-10": _one(_low(_D)),
    "♣A-10": _one(_low(_C)),
    "♥+♦": _pair(_H, _D),
    "♠+♣": _pair(_S, _C),
    "♠+♦": _pair(_S, _D),
    "♥+♣": _pair(_H, _C),
    "♠+♥": _pair(_S, _H),
    "♦+♣": _pair(_D, _C),
    "two ♥A-10": _alike(_low(_H), [0] * CARDS),
    "two ♠A-10": _alike(_low(_S), [0] * CARDS),
    "two ♦A-10": _alike(_low(_D), [0] * CARDS),
    "two ♣A-10": _alike(_low(_C), [0] * CARDS),
    "A+J of a suit": _chain("A", "J"),
    "A+10+J+Q+K of a suit": _chain(*"ATJQK"),
    "rare card": _one(ALL),  # lies in the rare zone, so it is never asked for
    "one suit": _alike(ALL & ~JOKERS, [int(s) for s in SUIT]),
    "one number": _alike(ALL, [int(n) for n in NUMBER]),
}

# What a request may be aimed at. "opponent" is never asked: there is only one.
TARGETS = [
    *("-", "opponent", "soldier", "unit", "own unit", "bulwark", "own soldier of the key's suit"),
    *("keyed request", "request with 1 or 2 keys", "request with a target", "damage", "player"),
]
(
    NOTHING,
    OPPONENT,
    ANY_SOLDIER,
    ANY_UNIT,
    OWN_UNIT,
    ANY_BULWARK,
    OWN_SOLDIER_OF_SUIT,
    KEYED_REQUEST,  # of one or two keys, and one that can be countered
    TRAPPED_REQUEST,
    AIMED_REQUEST,
    THE_DAMAGE,
    A_PLAYER,
) = range(12)


@dataclass(frozen=True)
class Action:
    """One row: an action as one edition has it."""

    verb: str
    official: str  # the Japanese name
    formats: str  # the smallest format that has it
    timing: str  # main | quick | triggered
    speed: str  # normal | immediate
    cost: str  # letters B L D S, paid left to right
    keys: str  # one of KEYS
    target: str  # one of TARGETS
    type: str  # basic | summoning | quick magic | normal magic | frame
    once: bool = False  # once a turn
    who: str = "any"  # turn | other | any: may only the turn player announce it, or only the other one?
    counterable: bool = True
    frames: str = ""  # only in rulesets with one of these parts: pack rare strategy setup


@dataclass(frozen=True)
class Edition:
    """An edition: its rows, and the flags of what its flow does differently."""

    name: str
    actions: tuple[Action, ...]
    pass_on_empty_stage: bool  # may the turn player pass when nothing lies on the stage?
    fog: bool  # keys of up and down stay in the fog until the turn ends
    fewer_by_bj: bool  # bj takes up to two cards, or else two
    both_at_zero_draws: bool  # both lives 0 at a win check: a draw, or else the turn player loses
    magician_waives: str  # cost letters of quick magic that a magician's controller need not pay
