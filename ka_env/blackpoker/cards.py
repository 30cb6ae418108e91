"""Cards: index 0-53 in card order As..Ks, Ah..Kh, Ad..Kd, Ac..Kc, X1, X2."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ka_env.errors import NotationError, nearest

RANKS = "A23456789TJQK"
SUITS = "shdc"
SPADE, HEART, DIAMOND, CLUB, NO_SUIT = range(5)
CARDS = 54
JOKER = 52  # the first of the two

NAMES = [rank + suit for suit in SUITS for rank in RANKS] + ["X1", "X2"]
INDEX = {name: i for i, name in enumerate(NAMES)}

NUMBER = np.array([i % 13 + 1 for i in range(52)] + [0, 0], dtype=np.int64)
SUIT = np.array([i // 13 for i in range(52)] + [NO_SUIT, NO_SUIT], dtype=np.int64)


def card_set(cards: Iterable[int]) -> int:
    return sum(1 << c for c in set(cards))


def members(bits: int) -> list[int]:
    """The cards (or slots) of a set, ascending."""
    bits = int(bits)
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


ALL = card_set(range(CARDS))
JOKERS = card_set([52, 53])
SUITED = [card_set(c for c in range(52) if SUIT[c] == s) for s in range(4)]  # A-K of a suit
COURT = card_set(c for c in range(CARDS) if NUMBER[c] in (0, 1, 11, 12, 13))  # these trigger succession
HASTY = card_set(c for c in range(CARDS) if NUMBER[c] in (0, 1))

ENTRY20 = "As 2s 3s 4s 5s Ah 8h 9h Th Jh Ad 3d 7d Td Qd Ac 5c 6c Tc Kc".split()


def card(name: str) -> int:
    try:
        return INDEX[name]
    except KeyError:
        raise NotationError(
            f"unknown card {name!r}: expected a rank (A 2-9 T J Q K) and a suit (s h d c), or X1, X2"
            f"{nearest(name, NAMES)}"
        ) from None
