"""The card table (section 15), read from the csv; a deck is a list of cards indexed by slot."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

DECKS = ("Hoax", "Vulca", "Mimix", "Flit", "Khind", "Terrah", "Pillar", "Aqua", "Buka")
FIGHT_TYPES = ("character", "booster", "support")
ELEMENTS = ("fire", "earth")
ACHIEVEMENT_CODES = ("N5", "N6")  # in a match only


@dataclass(frozen=True, eq=False)
class Card:
    deck: str
    slot: int
    code: str
    people: str
    type: str
    fire: int
    earth: int
    icons: frozenset[str]
    group: str
    capacity: int
    timing: str
    ability: str
    args: dict[str, str]
    optional: bool

    @property
    def is_fight_card(self) -> bool:
        return self.type in FIGHT_TYPES

    @property
    def is_flit_character(self) -> bool:
        return self.people == "Flit" and self.type == "character"

    @property
    def has_bluff_icon(self) -> bool:
        return any(icon.startswith("bluff_") for icon in self.icons)

    @property
    def group_key(self) -> str:
        """How an open group of this card is written in the turn record, '' without pair or gang."""
        if "pair" in self.icons:
            return f"pair:{self.group}"
        return f"gang:{self.group}" if self.group.startswith("gang") else ""

    @property
    def group_icon(self) -> str:
        return "pair" if "pair" in self.icons else self.group


def _card(row: dict[str, str]) -> Card:
    return Card(
        deck=row["deck"],
        slot=int(row["slot"] or 0),
        code=row["code"],
        people=row["people"],
        type=row["type"],
        fire=int(row["fire"] or 0),
        earth=int(row["earth"] or 0),
        icons=frozenset(filter(None, row["icons"].split("+"))),
        group=row["group"],
        capacity=int(row["capacity"] or 0),
        timing=row["timing"],
        ability=row["ability"],
        args=dict(word.split("=", 1) for word in row["args"].split()),
        optional=row["optional"] == "1",
    )


@cache
def table() -> tuple[Card, ...]:
    text = (resources.files("ka_env.bluemoon") / "cards.csv").read_text(encoding="utf-8")
    return tuple(_card(row) for row in csv.DictReader(text.splitlines()))


@cache
def deck_list(deck: str, opt: bool, match: bool) -> tuple[Card | None, ...]:
    """The cards of a player indexed by slot; slots without a card hold None."""
    cards = [card for card in table() if card.deck == deck and card.slot > 0]
    if opt:
        cards += [c for c in table() if c.deck == "neutral" and (match or c.code not in ACHIEVEMENT_CODES)]
    by_slot: list[Card | None] = [None] * 41
    for card in cards:
        by_slot[card.slot] = card
    return tuple(by_slot)


@cache
def slots_by_code(deck: str, opt: bool, match: bool) -> dict[str, int]:
    return {card.code: card.slot for card in deck_list(deck, opt, match) if card}


@cache
def group_keys() -> frozenset[str]:
    return frozenset(card.group_key for card in table() if card.group_key)
