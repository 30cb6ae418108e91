"""What each card on the table counts now, and why: print, then the layers of section 4, with the cards that did it.

The engine keeps totals and who is ignored; this retells it card by card, for boards and stories.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ka_env.bluemoon.cards import (
    ALL_BOOSTERS,
    ALL_CHARACTERS,
    ALL_SUPPORTS,
    AMOUNT,
    BOOSTER,
    CARDS_IGNORED,
    CHARACTER,
    CODES,
    DOUBLE_VALUE,
    ELEMENT,
    EXCEPT_FLIT,
    FLIT_CHARACTERS,
    ICONS_IGNORED,
    MIN_TOTAL,
    ODD_PARITY,
    ONE_CHARACTER,
    PARITY_ZERO,
    RAISE_BLUFFS,
    RAISE_TO,
    RAISE_TO_MAX,
    RAISE_TO_SUM,
    SUPPORT,
    TARGET,
    TEXTS_IGNORED,
    TYPE,
    TYPE_ARG,
    VALUE,
    WITH_ABILITY,
    WITH_ICON,
    WITH_ICONS,
    members,
)
from ka_env.bluemoon.layers.power import BLUFF_VALUE
from ka_env.bluemoon.text.write import has, line_of, row_of

State = Any


@dataclass
class Change:
    """One step from the printed value to the one that counts."""

    what: str  # blank, zero, raised, doubled
    by: list[str]  # codes of the cards that did it
    to: int


@dataclass
class Value:
    printed: int
    now: int
    changes: list[Change] = field(default_factory=list)

    def change(self, what: str, by: list[str], to: int) -> None:
        self.changes.append(Change(what, by, to))
        self.now = to


def active_cards(s: State, q: int) -> list[int]:
    """Active cards in combat and support area, in table order."""
    return [c for c in line_of(s, q) + row_of(s, q) if not has(s.covered[q], c)]


def _texts(s: State, q: int, ability: int) -> list[int]:
    """q's working texts of an ability."""
    return members(int(s.works[q]) & int(WITH_ABILITY[s.deck[q], ability]))


def _type(s: State, q: int, card: int) -> int:
    return SUPPORT if has(s.down[q], card) else int(TYPE[s.deck[q], card])


def _codes(s: State, q: int, ability: int, hits: Callable[[int], bool]) -> list[str]:
    return [CODES[s.deck[q]][c] for c in _texts(s, q, ability) if hits(c)]


def blanked_by(s: State, q: int, card: int) -> list[str]:
    """The opponent's cards that make this one blank."""
    o, d = s.deck[1 - q], s.deck[q]

    def hits(by: int) -> bool:
        if EXCEPT_FLIT[o, by] and has(FLIT_CHARACTERS[d], card) and not has(s.down[q], card):
            return False
        if WITH_ICON[o, by]:
            return has(WITH_ICONS[d], card) and not has(s.down[q], card)
        return bool(int(TYPE_ARG[o, by]) >> _type(s, q, card) & 1)

    return _codes(s, 1 - q, CARDS_IGNORED, hits) if has(s.blank[q], card) else []


def zeroed_by(s: State, q: int, card: int, value: int) -> list[str]:
    """The opponent's cards that make a printed value count 0."""
    o = s.deck[1 - q]
    return _codes(
        s,
        1 - q,
        PARITY_ZERO,
        lambda by: bool(int(TYPE_ARG[o, by]) >> _type(s, q, card) & 1) and bool(ODD_PARITY[o, by]) == bool(value % 2),
    )


def silenced_by(s: State, q: int, card: int) -> list[str]:
    """The opponent's cards that make this one's text be ignored."""
    return _codes(s, 1 - q, TEXTS_IGNORED, lambda by: True) if has(s.mute[q], card) else []


def stripped_by(s: State, q: int, card: int) -> list[str]:
    """The opponent's cards that make this one's icons be ignored."""
    return _codes(s, 1 - q, ICONS_IGNORED, lambda by: True) if has(s.plain[q], card) else []


def values(s: State, q: int, element: int) -> dict[int, Value]:
    """The value in `element` of each of q's active cards, if that element is contested."""
    found = {card: _printed(s, q, element, card) for card in active_cards(s, q)}
    standing = [card for card in found if not has(s.blank[q], card)]
    characters = [card for card in standing if _type(s, q, card) == CHARACTER]
    _raise_bluffs(s, q, found, [card for card in standing if has(s.down[q], card)])
    _raise_characters(s, q, element, found, characters)
    _double_one(s, q, element, found, characters)
    for target, kind in ((ALL_CHARACTERS, CHARACTER), (ALL_BOOSTERS, BOOSTER), (ALL_SUPPORTS, SUPPORT)):
        for by in _doublings(s, q, element, target):
            for card in standing:
                if _type(s, q, card) == kind and found[card].now:
                    found[card].change("doubled", [CODES[s.deck[q]][by]], 2 * found[card].now)
    return found


def _printed(s: State, q: int, element: int, card: int) -> Value:
    """As the layers 1 to 4 leave it."""
    printed = BLUFF_VALUE if has(s.down[q], card) else int(VALUE[s.deck[q], element, card])
    value = Value(printed, printed)
    if has(s.blank[q], card):
        value.change("blank", blanked_by(s, q, card), 0)
    elif has(s.zero[q, element], card) and printed:
        value.change("zero", zeroed_by(s, q, card, printed), 0)
    return value


def _raise_bluffs(s: State, q: int, found: dict[int, Value], bluffs: list[int]) -> None:
    for by in _texts(s, q, RAISE_BLUFFS):
        for card in bluffs:
            if found[card].now < AMOUNT[s.deck[q], by]:
                found[card].change("raised", [CODES[s.deck[q]][by]], int(AMOUNT[s.deck[q], by]))


def _doublings(s: State, q: int, element: int, target: int) -> list[int]:
    d = s.deck[q]
    texts = _texts(s, q, DOUBLE_VALUE)
    return [by for by in texts if TARGET[d, by] == target and int(ELEMENT[d, by]) >> element & 1]


def _raised_to(s: State, q: int, by: int, card: int) -> int:
    """What a raise makes of a character, reckoned from its printed values."""
    d = s.deck[q]
    printed = [0 if has(s.zero[q, e], card) else int(VALUE[d, e, card]) for e in range(2)]
    if has(WITH_ABILITY[d, RAISE_TO_SUM], by):
        return sum(printed)
    return max(printed) if has(WITH_ABILITY[d, RAISE_TO_MAX], by) else int(AMOUNT[d, by])


def _raise_characters(s: State, q: int, element: int, found: dict[int, Value], characters: list[int]) -> None:
    """Spread so that the sum is greatest (B10), doublings of one character counted in."""
    d = s.deck[q]
    effects = [
        by
        for ability in (RAISE_TO_SUM, RAISE_TO_MAX, RAISE_TO)
        for by in _texts(s, q, ability)
        if int(ELEMENT[d, by]) >> element & 1
    ]
    if not effects or not characters:
        return
    factor = 2 ** len(_doublings(s, q, element, ONE_CHARACTER)) - 1

    def after(way: tuple[int, ...]) -> dict[int, int]:
        now = {card: found[card].now for card in characters}
        for by, card in zip(effects, way):
            now[card] = max(now[card], _raised_to(s, q, by, card))
        return now

    def power(way: tuple[int, ...]) -> int:
        now = after(way).values()
        return sum(now) + factor * max(now)

    best = max(product(characters, repeat=len(effects)), key=power)
    for by, card in zip(effects, best):
        to = _raised_to(s, q, by, card)
        if to > found[card].now:
            found[card].change("raised", [CODES[d][by]], to)


def _double_one(s: State, q: int, element: int, found: dict[int, Value], characters: list[int]) -> None:
    """All doublings of one character go on the strongest."""
    strongest = max(characters, key=lambda card: found[card].now, default=-1)
    for by in _doublings(s, q, element, ONE_CHARACTER):
        if strongest >= 0 and found[strongest].now:
            found[strongest].change("doubled", [CODES[s.deck[q]][by]], 2 * found[strongest].now)


def total(s: State, q: int, element: int) -> int:
    """The total q would have if `element` is contested."""
    return max(sum(value.now for value in values(s, q, element).values()), least_total(s, q, element)[0])


def least_total(s: State, q: int, element: int) -> tuple[int, str]:
    """The least total that q's texts grant, and the card that does."""
    d = s.deck[q]
    found = [(int(AMOUNT[d, by]), CODES[d][by]) for by in _texts(s, q, MIN_TOTAL) if int(ELEMENT[d, by]) >> element & 1]
    return max(found, default=(0, ""))
