"""Section 4 and 5: what is active, what is ignored, what counts how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .cards import Card
from .state import State

BLUFF_VALUE = 2


class Status(NamedTuple):
    """A card as the layers leave it after step 4; for hand cards, too."""

    blank: bool
    text: bool  # it has text and the text is not ignored
    icons: frozenset[str]  # the icons that work
    icons_off: bool
    fire: int
    earth: int


NO_ICONS: frozenset[str] = frozenset()
STOP = frozenset({"stop"})


def active_cards(s: State, player: int) -> Iterator[tuple[int, bool]]:
    """Slot and face-down of every active card of a player."""
    side = s.sides[player]
    for placed in side.combat:
        if not placed.covered:
            yield placed.slot, False
    for placed in side.support:
        yield placed.slot, placed.down
    for ship in side.ships:
        yield ship.slot, False
    if side.active_lead is not None:
        yield side.active_lead, False
    if s.hyla is not None and s.hyla[0] == player:
        yield s.hyla[1], False


class Layers:
    """Everything computed anew from the print, for both players."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.active = tuple(list(active_cards(s, p)) for p in (0, 1))
        # What hits the cards of player p: which texts are off, which cards are blank, which icons and values are off.
        self.texts_off = ["", ""]  # "", "but flit", "all"
        self.blanks: tuple[set[str], set[str]] = (set(), set())
        self.icons_off = ["", ""]  # "", "unprotected", "all"
        self.parity: tuple[list[tuple[str, str]], list[tuple[str, str]]] = ([], [])
        self._cache: dict[tuple[int, int, bool], Status] = {}
        self._steps()
        self._working: list[list[tuple[int, Card]] | None] = [None, None]

    # ---- the steps ----

    def _steps(self) -> None:
        s = self.s
        codes: tuple[dict[str, Card], dict[str, Card]] = ({}, {})
        for p in (0, 1):
            for slot, down in self.active[p]:
                card = s.cards[p][slot]
                if not down and card.ability:
                    codes[p][card.code] = card

        def works(player: int, code: str) -> bool:
            card = codes[player].get(code)
            return card is not None and self._text_left(player, card)

        # 1
        for p in (0, 1):
            if "F7" in codes[1 - p]:
                self.texts_off[p] = "but flit"
        # 2
        t = s.turn if s.turn is not None else 0
        o = 1 - t
        if works(t, "F8"):
            self.blanks[o].add("support")
        if works(t, "H28") and not works(o, "K27"):
            self.texts_off[o] = "all"
        if works(o, "F8"):
            self.blanks[t].add("support")
        owners = [p for p in (0, 1) if works(p, "K27")]
        if len(owners) == 1:
            other = 1 - owners[0]
            self.texts_off[other] = self.texts_off[other] or "but flit"
        # 3
        for code, what in (("F9", "booster"), ("F12", "character"), ("F13", "icon")):
            for p in (0, 1):
                if works(p, code):
                    self.blanks[1 - p].add(what)
        # 4
        for p in (0, 1):
            if works(p, "H16"):
                self.icons_off[1 - p] = "all"
            elif works(p, "T26"):
                self.icons_off[1 - p] = "unprotected"
            for code in ("K1", "K2", "K3", "K4"):
                if works(p, code):
                    args = codes[p][code].args
                    self.parity[1 - p].extend((kind, args["parity"]) for kind in args["types"].split("+"))

    def _text_left(self, player: int, card: Card) -> bool:
        """Whether no step so far has ignored the text of this face-up card."""
        if "protected" in card.icons:
            return True  # no step before the fourth takes the icon away (B9)
        off = self.texts_off[player]
        if off == "all" or (off and not card.is_flit_character):
            return False
        return not self._blank(player, card)

    def _blank(self, player: int, card: Card) -> bool:
        hits = self.blanks[player]
        if not hits or "protected" in card.icons:
            return False
        if card.type in ("booster", "support") and card.type in hits:
            return True
        if card.is_flit_character:
            return False
        return ("character" in hits and card.type == "character") or ("icon" in hits and bool(card.icons))

    def _icons(self, player: int, card: Card) -> frozenset[str]:
        off = self.icons_off[player]
        if off == "all" or (off == "unprotected" and "protected" not in card.icons):
            return card.icons & STOP
        return card.icons

    def _value(self, player: int, kind: str, value: int) -> int:
        parity = "odd" if value % 2 else "even"
        return 0 if (kind, parity) in self.parity[player] else value

    # ---- what is asked ----

    def status(self, player: int, slot: int, down: bool = False) -> Status:
        key = (player, slot, down)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._down(player) if down else self._up(player, self.s.card(player, slot))
        return found

    def _up(self, player: int, card: Card) -> Status:
        if self._blank(player, card):
            return Status(True, False, NO_ICONS, True, 0, 0)
        icons = self._icons(player, card)
        off = self.icons_off[player] != "" and "protected" not in icons
        fire, earth = card.fire, card.earth
        if "protected" not in icons:
            fire, earth = self._value(player, card.type, fire), self._value(player, card.type, earth)
        return Status(False, bool(card.ability) and self._text_left(player, card), icons, off, fire, earth)

    def _down(self, player: int) -> Status:
        """A face-down card: a support card without text and icons, its value in the contested element."""
        if "support" in self.blanks[player]:
            return Status(True, False, NO_ICONS, True, 0, 0)
        fire, earth = (BLUFF_VALUE if self.s.fight == element else 0 for element in ("fire", "earth"))
        fire, earth = self._value(player, "support", fire), self._value(player, "support", earth)
        return Status(False, False, NO_ICONS, False, fire, earth)

    def working(self, player: int) -> list[tuple[int, Card]]:
        """The active cards of a player whose text works: table order, then ships, leadership card, Hyla card."""
        found = self._working[player]
        if found is None:
            found = [
                (slot, self.s.card(player, slot))
                for slot, down in self.active[player]
                if not down and self.status(player, slot).text
            ]
            self._working[player] = found
        return found

    def texts(self, player: int, ability: str) -> list[Card]:
        return [card for _, card in self.working(player) if card.ability == ability]

    def numbers(self, player: int, ability: str, arg: str) -> list[int]:
        return [int(card.args[arg]) for card in self.texts(player, ability)]

    def works(self, player: int, slot: int) -> bool:
        return any(slot == working for working, _ in self.working(player))

    def active_types(self, player: int) -> list[str]:
        """The types of the active cards in combat and support area; a face-down card is a support."""
        table = {placed.slot for placed in self.s.sides[player].table}
        return [
            "support" if down else self.s.card(player, slot).type for slot, down in self.active[player] if slot in table
        ]

    def active_characters(self, player: int) -> list[int]:
        return [
            placed.slot
            for placed in self.s.sides[player].combat
            if not placed.covered and self.s.card(player, placed.slot).type == "character"
        ]

    def shielded(self, player: int) -> bool:
        shield = f"shield_{self.s.fight}"
        return any(not down and shield in self.status(player, slot).icons for slot, down in self.active[player])

    # ---- steps 5 to 7 ----

    def total(self, player: int) -> int:
        """The total of a player in the contested element."""
        s = self.s
        element = s.fight
        assert element in ("fire", "earth")
        doubled = dict.fromkeys(("character", "booster", "support"), 0)
        bluffs_at_least = 0
        least = 0
        spread: list[Card] = []  # effects on one own character (B10)
        for _, card in self.working(player):
            args = card.args
            fits = args.get("element", "both") in (element, "both", "any")
            if card.ability == "double_value" and fits and args["target"].startswith("all_own_"):
                doubled[args["target"].removeprefix("all_own_")] += 1
            elif args.get("target") == "one_own_character" and fits:
                spread.append(card)
            elif card.ability == "raise_own_bluffs_to":
                bluffs_at_least = max(bluffs_at_least, int(args["value"]))
            elif card.ability == "min_total_power" and fits:
                least = max(least, int(args["value"]))
        total = 0
        characters: list[Status] = []
        for placed in s.sides[player].table:
            if placed.covered:
                continue
            status = self.status(player, placed.slot, placed.down)
            if status.blank:
                continue
            kind = "support" if placed.down else s.card(player, placed.slot).type
            if kind == "character" and spread:
                characters.append(status)
                continue
            value = status.fire if element == "fire" else status.earth
            if placed.down:
                value = max(value, bluffs_at_least)
            total += value * 2 ** doubled[kind]
        total += best_spread(characters, spread, element) * 2 ** doubled["character"]
        return max(total, least)


def best_spread(characters: list[Status], effects: list[Card], element: str) -> int:
    """The greatest sum over all assignments of the effects to the characters (B10).

    Character by character: which set of the effects left goes to it. Sets of effects are bit masks.
    """
    if not characters:
        return 0
    everything = (1 << len(effects)) - 1
    best = {0: 0}  # effects given away so far: the greatest sum
    for character in characters:
        worth = [
            _value_under(character, [e for i, e in enumerate(effects) if chosen >> i & 1], element)
            for chosen in range(everything + 1)
        ]
        grown: dict[int, int] = {}
        for given, total in best.items():
            for chosen in range(everything + 1):
                if not chosen & given:
                    grown[given | chosen] = max(grown.get(given | chosen, 0), total + worth[chosen])
        best = grown
    return best[everything]


def _value_under(character: Status, effects: list[Card], element: str) -> int:
    value = printed = character.fire if element == "fire" else character.earth
    doublings = 0
    for effect in effects:
        if effect.ability == "double_value":
            doublings += 1
        else:
            value = max(value, _raised(effect, character, printed))
    return value * 2**doublings


def _raised(effect: Card, character: Status, printed: int) -> int:
    """What the value of the contested element is raised to."""
    if effect.ability == "raise_value_to":
        return int(effect.args["value"])
    if effect.ability == "raise_value_to_max":
        return max(character.fire, character.earth)
    if effect.ability == "raise_value_to_sum":
        return character.fire + character.earth
    return printed


def layers(s: State) -> Layers:
    if s.layers_cache is None:
        s.layers_cache = Layers(s)
    return s.layers_cache  # type: ignore[no-any-return]
