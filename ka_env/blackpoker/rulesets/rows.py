"""What a row of an action table says, and what an edition's flags say."""

from __future__ import annotations

from dataclasses import dataclass

from ka_env.blackpoker.cards import ALL, CARDS, JOKERS, NUMBER, SUIT, SUITED, card_set

FORMATS = ("lite", "std", "pro", "mast")  # each holds the actions of those before it


def _numbers(first: int, last: int) -> int:
    return card_set(c for c in range(52) if first <= NUMBER[c] <= last)


def _low(suit: int) -> int:
    return SUITED[suit] & _numbers(1, 10)


def _pair(first: int, second: int) -> tuple[int, list[int]]:
    """Two keys of two suits: the first suit is asked first."""
    return SUITED[first], [SUITED[second] if SUITED[first] >> c & 1 else 0 for c in range(CARDS)]


def _alike(cards: int, same: list[int]) -> tuple[int, list[int]]:
    """Two keys that share a property: the lower card index is asked first."""
    return cards, [
        card_set(d for d in range(c + 1, CARDS) if cards >> c & 1 and cards >> d & 1 and same[c] == same[d])
        for c in range(CARDS)
    ]


_S, _H, _D, _C = range(4)

# Which cards serve as keys: the first key's cards, and for two keys the partners of each first key.
KEYS: dict[str, tuple[int, list[int] | None]] = {
    "-": (0, None),
    "2-10": (_numbers(2, 10), None),
    "J-K": (_numbers(11, 13), None),
    "A": (_numbers(1, 1), None),
    "A-K": (_numbers(1, 13), None),
    "Joker": (JOKERS, None),
    "♥A-10": (_low(_H), None),
    "♠A-10": (_low(_S), None),
    "♦A-10": (_low(_D), None),
    "♣A-10": (_low(_C), None),
    "♥+♦": _pair(_H, _D),
    "♠+♣": _pair(_S, _C),
    "♠+♦": _pair(_S, _D),
    "♥+♣": _pair(_H, _C),
    "♠+♥": _pair(_S, _H),
    "♦+♣": _pair(_D, _C),
    "one suit": _alike(ALL & ~JOKERS, [int(s) for s in SUIT]),
    "one number": _alike(ALL, [int(n) for n in NUMBER]),
}

# What a request may be aimed at. "opponent" is never asked: there is only one.
TARGETS = ["-", "opponent", "soldier", "unit", "own unit", "bulwark", "own soldier of the key's suit", "keyed request"]
NOTHING, OPPONENT, ANY_SOLDIER, ANY_UNIT, OWN_UNIT, ANY_BULWARK, OWN_SOLDIER_OF_SUIT, KEYED_REQUEST = range(8)


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
    type: str  # basic | summoning | quick magic | normal magic
    once: bool = False  # once a turn


@dataclass(frozen=True)
class Edition:
    """An edition: its rows, and the flags of what its flow does differently."""

    name: str
    actions: tuple[Action, ...]
    pass_on_empty_stage: bool  # may the turn player pass when nothing lies on the stage?
    fog: bool  # keys of up and down stay in the fog until the turn ends
    both_at_zero_draws: bool  # both lives 0 at a win check: a draw, or else the turn player loses
    magician_waives: str  # cost letters of quick magic that a magician's controller need not pay
