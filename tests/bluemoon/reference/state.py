"""A position: the zones of section 2, the turn record of section 6, and the stack of what is still to do."""

from __future__ import annotations

from typing import Any, NamedTuple

from .cards import Card, deck_list

COUNTERS = ("all", "area", "char", "c", "b", "s", "B", "S", "L", "h", "took")
MARKS = ("lead", "stop", "next", "again", "landing")
PHASES = ("begin", "leadership", "engage", "character", "support")


class Placed(NamedTuple):
    """A card in the combat or support area."""

    slot: int
    covered: bool = False
    down: bool = False
    used: bool = False
    chosen: bool = False


class Ship(NamedTuple):
    slot: int
    cargo: tuple[int, ...] = ()
    landed: bool = False


class Record:
    """The turn record."""

    def __init__(self) -> None:
        self.n: dict[str, int] = dict.fromkeys(COUNTERS, 0)
        self.marks: set[str] = set()
        self.groups: set[str] = set()

    def copy(self) -> Record:
        other = Record.__new__(Record)
        other.n = self.n.copy()
        other.marks = self.marks.copy()
        other.groups = self.groups.copy()
        return other


class Side:
    """The zones of one player, as slots, and what can be followed of the hidden ones (B3)."""

    def __init__(self) -> None:
        self.deck: list[int] = []
        self.hand: list[int] = []  # ascending
        self.open: set[int] = set()  # hand cards
        self.combat: list[Placed] = []
        self.support: list[Placed] = []
        self.ships: list[Ship] = []
        self.lead: list[int] = []
        self.active_lead: int | None = None
        self.discard: set[int] = set()
        self.feats: set[int] = set()
        self.seen_hand: set[int] = set()  # closed hand cards that the opponent knows
        self.seen_down: set[int] = set()  # face-down cards that the opponent knows
        self.seen_deck: set[int] = set()  # deck cards whose place the opponent knows
        self.own_deck: set[int] = set()  # deck cards whose place the owner knows

    def copy(self) -> Side:
        other = Side.__new__(Side)
        for name, value in self.__dict__.items():
            other.__dict__[name] = value.copy() if isinstance(value, (list, set)) else value
        return other

    @property
    def table(self) -> list[Placed]:
        """Table order: combat area, then support area."""
        return self.combat + self.support

    @property
    def closed(self) -> list[int]:
        return [slot for slot in self.hand if slot not in self.open]

    @property
    def downs(self) -> list[Placed]:
        return [placed for placed in self.support if placed.down]

    @property
    def landed(self) -> list[int]:
        """The landed cards."""
        return [slot for ship in self.ships if ship.landed for slot in ship.cargo]

    def placed(self, slot: int) -> Placed | None:
        return next((placed for placed in self.table if placed.slot == slot), None)


class State:
    def __init__(self, decks: tuple[str, str], opt: bool, match: bool) -> None:
        self.decks = decks
        self.opt = opt
        self.match = match
        self.cards = tuple(deck_list(deck, opt, match) for deck in decks)
        self.turn: int | None = None
        self.phase = "-"
        self.fight = "-"  # -, open, fire, earth
        self.dragons = [0, 0]
        self.crystals = [0, 0]
        self.out: int | None = None
        self.did = Record()
        self.hyla: tuple[int, int] | None = None  # owner and slot
        self.sides = (Side(), Side())
        self.settled: set[tuple[int, int]] = set()  # demands settled this turn: who settled, slot of the demand
        self.stack: list[tuple[Any, ...]] = []  # what is to be done, next one last
        self.result: tuple[int, int] | None = None
        self.events: list[tuple[Any, ...]] = []
        self.chance: Any = None
        self.searching = False  # a copy inside the search of section 8
        self.layers_cache: Any = None

    def copy(self) -> State:
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other.dragons = self.dragons.copy()
        other.crystals = self.crystals.copy()
        other.did = self.did.copy()
        other.sides = (self.sides[0].copy(), self.sides[1].copy())
        other.settled = self.settled.copy()
        other.stack = self.stack.copy()
        other.events = self.events.copy()
        other.layers_cache = None
        return other

    def card(self, player: int, slot: int) -> Card:
        card = self.cards[player][slot]
        assert card is not None
        return card

    def code(self, player: int, slot: int) -> str:
        return self.card(player, slot).code

    def codes(self, player: int, slots: Any) -> list[str]:
        return [self.code(player, slot) for slot in slots]

    def changed(self) -> None:
        """Everything is computed anew when it is next asked for (section 4)."""
        self.layers_cache = None

    def push(self, name: str, *args: Any) -> None:
        self.stack.append((name, *args))

    @property
    def running(self) -> bool:
        return self.fight in ("fire", "earth")

    @property
    def opponent(self) -> int:
        assert self.turn is not None
        return 1 - self.turn
