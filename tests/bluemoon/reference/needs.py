"""Sets of hand cards that meet a need: demands (section 12) and dragons for discards (section 13)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .layers import layers
from .state import State


def meets(s: State, player: int, need: str, times: int, slots: tuple[int, ...]) -> bool:
    """Whether these cards meet the need; `times` is 2 for a doubled caterpillar."""
    if need.endswith(("_character", "_characters")):
        count = int(need.split("_")[0])
        return len(slots) >= count and all(s.card(player, slot).type == "character" for slot in slots)
    view = layers(s)
    values = [(view.status(player, slot).fire, view.status(player, slot).earth) for slot in slots]
    fire, earth = sum(v[0] for v in values), sum(v[1] for v in values)
    n = times * int(re.search(r">=(\d+)", need).group(1))  # type: ignore[union-attr]
    if need.endswith("_disjoint"):
        return fire >= n and earth >= n and _splits(values, n)
    if "_or_" in need:
        return fire >= n or earth >= n
    return (fire if need.startswith("fire") else earth) >= n


def _splits(values: list[tuple[int, int]], n: int) -> bool:
    """Whether one part of the cards has fire sum >= n and the rest earth sum >= n."""
    parts = {(0, 0)}
    for fire, earth in values:
        parts = {(f + fire, e) for f, e in parts} | {(f, e + earth) for f, e in parts}
    return any(f >= n and e >= n for f, e in parts)


def minimal_sets(
    s: State, player: int, need: str, times: int, picked: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """The minimal sets (B30) that begin with the cards already picked; each ascending."""
    later = [slot for slot in s.sides[player].hand if not picked or slot > picked[-1]]
    if "character" in need:
        later = [slot for slot in later if s.card(player, slot).type == "character"]
    else:
        status = layers(s).status
        later = [slot for slot in later if status(player, slot).fire or status(player, slot).earth]
    yield from _extended(s, player, need, times, picked, later)


def _extended(
    s: State, player: int, need: str, times: int, cards: tuple[int, ...], later: list[int]
) -> Iterator[tuple[int, ...]]:
    if meets(s, player, need, times, cards):
        # Needs only grow easier with more cards, so it is enough to leave out one card at a time.
        if not any(meets(s, player, need, times, cards[:i] + cards[i + 1 :]) for i in range(len(cards))):
            yield cards
        return
    for i, slot in enumerate(later):
        yield from _extended(s, player, need, times, (*cards, slot), later[i + 1 :])


def next_picks(s: State, player: int, need: str, times: int, picked: tuple[int, ...] = ()) -> list[int]:
    """The cards that may be picked next, so that the set can still be completed."""
    return sorted({cards[len(picked)] for cards in minimal_sets(s, player, need, times, picked)})
