"""Position texts (notation, section 3): writing, reading, and everything that is refused."""

from __future__ import annotations

import json
import re
from typing import Any

from .cards import DECKS, group_keys, slots_by_code
from .completability import completable
from .errors import NotationError
from .layers import layers
from .moves import DRAGONS, MATCH_CRYSTALS
from .state import COUNTERS, MARKS, PHASES, Placed, Ship, Side, State

RULES = {"base": (False, False), "base/match": (False, True), "base+opt": (True, False), "base+opt/match": (True, True)}
ZONES = ("deck", "hand", "combat", "support", "ships", "lead", "discard", "feats")
HEAD = ("bm", "rules", "decks", "turn", "phase", "fight", "dragons", "crystals", "out", "did", "hyla")
NAMES = (*HEAD, *(f"{zone}{p}" for p in (0, 1) for zone in ZONES), "known0", "known1", "result", "pending")
OPTIONAL_ZONES = ("ships", "lead", "feats")
REQUIRED = (
    *("bm", "rules", "decks", "turn", "phase", "fight", "dragons"),
    *(f"{zone}{p}" for p in (0, 1) for zone in ZONES if zone not in OPTIONAL_ZONES),
)

# ---- writing ----


def write(s: State) -> str:
    lines = [("bm", "1"), ("rules", rules_name(s)), ("decks", " ".join(s.decks))]
    lines += [("turn", "-" if s.turn is None else str(s.turn)), ("phase", s.phase), ("fight", s.fight)]
    lines += [("dragons", "{} {}".format(*s.dragons)), ("crystals", "{} {}".format(*s.crystals))]
    lines += [("out", "-" if s.out is None else str(s.out)), ("did", _did(s))]
    lines += [("hyla", "-" if s.hyla is None else f"{s.hyla[0]}.{s.code(*s.hyla)}")]
    for p in (0, 1):
        lines += [(f"{zone}{p}", " ".join(words) or "-") for zone, words in _zones(s, p).items()]
    lines += [(f"known{p}", " ".join(_known(s, p)) or "-") for p in (0, 1)]
    if s.result is not None:
        lines.append(("result", "{} {}".format(*s.result)))
    elif len(s.stack) > 1 or s.stack[0][0] not in PHASES:
        lines.append(("pending", json.dumps([s.stack, sorted(s.settled)], separators=(",", ":"))))
    return "".join(f"{name} {value}\n" for name, value in lines)


def rules_name(s: State) -> str:
    return next(name for name, switches in RULES.items() if switches == (s.opt, s.match))


def _did(s: State) -> str:
    words = [f"{name}={s.did.n[name]}" for name in COUNTERS]
    words += [mark for mark in MARKS if mark in s.did.marks]
    return " ".join(words + sorted(s.did.groups))


def _zones(s: State, p: int) -> dict[str, list[str]]:
    side = s.sides[p]

    def code(slot: int) -> str:
        return s.code(p, slot)

    def placed_word(placed: Placed) -> str:
        if placed.covered:
            return f"({code(placed.slot)})"
        marks = "!" * placed.used + "#" * placed.chosen
        return "?" * placed.down + code(placed.slot) + marks

    def ship_word(ship: Ship) -> str:
        cargo = ":" + ",".join(map(code, ship.cargo)) if ship.cargo else ""
        return code(ship.slot) + "^" * ship.landed + cargo

    return {
        "deck": [code(slot) for slot in side.deck],
        "hand": [code(slot) + "!" * (slot in side.open) for slot in side.hand],
        "combat": [placed_word(placed) for placed in side.combat],
        "support": [placed_word(placed) for placed in side.support],
        "ships": [ship_word(ship) for ship in side.ships],
        "lead": [code(slot) + "*" * (slot == side.active_lead) for slot in side.lead],
        "discard": [code(slot) for slot in sorted(side.discard)],
        "feats": [code(slot) for slot in sorted(side.feats)],
    }


def _known(s: State, p: int) -> list[str]:
    """The hidden cards that player p can follow."""
    theirs, mine = s.sides[1 - p], s.sides[p]
    downs = [placed.slot for placed in theirs.downs]
    places = dict.fromkeys(theirs.seen_hand, "hand")
    places |= {slot: f"f{downs.index(slot)}" for slot in theirs.seen_down}
    places |= {slot: f"deck.{theirs.deck.index(slot)}" for slot in theirs.seen_deck}
    words = [f"{s.code(1 - p, slot)}@{place}" for slot, place in sorted(places.items())]
    return words + [f"{s.code(p, slot)}@own.{mine.deck.index(slot)}" for slot in sorted(mine.own_deck)]


# ---- reading ----


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines: dict[str, str] = {}
        for raw in text.splitlines():
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            name, _, value = line.partition(" ")
            if name not in NAMES:
                raise NotationError(line, f"unknown line; lines are {' '.join(NAMES)}")
            if name in self.lines:
                raise NotationError(line, "a second line of this name")
            self.lines[name] = value.strip()
        for name in REQUIRED:
            if name not in self.lines:
                raise NotationError(name, "this line is missing")

    def fail(self, name: str, reason: str) -> NotationError:
        return NotationError(f"{name} {self.lines.get(name, '-')}", reason)

    def words(self, name: str) -> list[str]:
        value = self.lines.get(name, "-")
        if not value:
            raise self.fail(name, "nothing after the name; an empty line is written -")
        return [] if value == "-" else value.split()

    def one(self, name: str, choices: Any) -> str:
        value = self.lines[name]
        if value not in choices:
            raise self.fail(name, f"expected one of {' '.join(choices)}")
        return value

    def pair(self, name: str, highest: int) -> list[int]:
        words = self.lines.get(name, "0 0").split()
        if len(words) != 2 or not all(re.fullmatch("[0-9]+", word) and int(word) <= highest for word in words):
            raise self.fail(name, f"expected two numbers up to {highest}")
        return [int(word) for word in words]

    def read(self) -> State:
        self.one("bm", ("1",))
        opt, match = RULES[self.one("rules", RULES)]
        decks = self.lines["decks"].split()
        if len(decks) != 2 or not set(decks) <= set(DECKS):
            raise self.fail("decks", f"expected two of {' '.join(DECKS)}")
        s = State((decks[0], decks[1]), opt, match)
        self.read_head(s)
        for p in (0, 1):
            self.read_zones(s, p)
        self.read_hyla(s)
        self.check_complete(s)
        self.read_known(s)
        self.check_marks(s)
        self.check_position(s)
        self.read_stack(s)
        return s

    def read_head(self, s: State) -> None:
        turn = self.one("turn", ("0", "1", "-"))
        s.turn = None if turn == "-" else int(turn)
        s.phase = self.one("phase", PHASES if turn != "-" else ("-",))
        s.fight = self.one("fight", ("-", "open", "fire", "earth"))
        s.dragons = self.pair("dragons", DRAGONS)
        if all(s.dragons):
            raise self.fail("dragons", "at most one player has dragons")
        s.crystals = self.pair("crystals", MATCH_CRYSTALS)
        if self.lines.get("out", "-") not in ("-", "0", "1"):
            raise self.fail("out", "expected 0, 1 or -")
        out = self.words("out")
        s.out = int(out[0]) if out else None
        if ("result" in self.lines) != (s.turn is None):
            raise self.fail("turn", "turn - and a result line go together")
        if s.turn is None:
            s.result = (1, 0) if self.one("result", ("1 0", "0 1")) == "1 0" else (0, 1)
        self.read_did(s)

    def read_did(self, s: State) -> None:
        seen = set()
        for word in self.words("did"):
            name, sign, number = word.partition("=")
            if name in seen:
                raise self.fail("did", f"{name} twice")
            seen.add(name)
            if sign and name in COUNTERS and re.fullmatch("[0-9]+", number):
                s.did.n[name] = int(number)
            elif word in MARKS:
                s.did.marks.add(word)
            elif word in group_keys():
                s.did.groups.add(word)
            else:
                raise self.fail("did", f"unknown word {word}")

    # ---- zones ----

    def slot(self, s: State, p: int, name: str, code: str, types: tuple[str, ...] = ()) -> int:
        """The slot of a card of player p, if it may lie in this zone."""
        slots = slots_by_code(s.decks[p], s.opt, s.match)
        if code not in slots:
            raise self.fail(name, f"{code!r} is no card of player {p} ({s.decks[p]})")
        if types and s.card(p, slots[code]).type not in types:
            raise self.fail(name, f"{code} is a {s.card(p, slots[code]).type}; it can't lie here")
        return slots[code]

    def read_zones(self, s: State, p: int) -> None:
        side = s.sides[p]
        side.deck = [self.slot(s, p, f"deck{p}", word) for word in self.words(f"deck{p}")]
        name = f"hand{p}"
        for word in self.words(name):
            slot = self.slot(s, p, name, word.removesuffix("!"))
            side.hand.append(slot)
            if word.endswith("!"):
                side.open.add(slot)
        side.hand.sort()
        side.combat = [self.combat_card(s, p, word) for word in self.words(f"combat{p}")]
        side.support = [self.support_card(s, p, word) for word in self.words(f"support{p}")]
        side.ships = [self.ship(s, p, word) for word in self.words(f"ships{p}")]
        name = f"lead{p}"
        for word in self.words(name):
            slot = self.slot(s, p, name, word.removesuffix("*"), ("leadership",))
            side.lead.append(slot)
            if word.endswith("*"):
                if side.active_lead is not None or s.turn == 1 - p:
                    raise self.fail(name, "* on more than one card or on a card of the player not on turn")
                side.active_lead = slot
        name = f"discard{p}"
        piles = ("character", "booster", "support", "ship", "hyla", "interference", "achievement")
        discard = [self.slot(s, p, name, word, piles) for word in self.words(name)]
        name = f"feats{p}"
        feats = [self.slot(s, p, name, word, ("achievement",)) for word in self.words(name)]
        lying = [*side.deck, *side.hand, *side.lead, *discard, *feats, *_on_table_and_ships(side)]
        for slot in lying:
            if lying.count(slot) > 1:
                raise NotationError(f"player {p}", f"{s.code(p, slot)} lies twice")
        side.discard, side.feats = set(discard), set(feats)

    def combat_card(self, s: State, p: int, word: str) -> Placed:
        name = f"combat{p}"
        types = ("character", "booster")
        if word.startswith("(") and word.endswith(")"):
            return Placed(self.slot(s, p, name, word[1:-1], types), covered=True)
        code, marks = self.marked(s, p, name, word)
        return Placed(self.slot(s, p, name, code, types), used="!" in marks, chosen="#" in marks)

    def support_card(self, s: State, p: int, word: str) -> Placed:
        name = f"support{p}"
        if word.startswith("?"):
            slot = self.slot(s, p, name, word[1:])
            if not s.card(p, slot).has_bluff_icon:
                raise self.fail(name, f"{word} has no bluff icon")
            return Placed(slot, down=True)
        code, marks = self.marked(s, p, name, word)
        return Placed(self.slot(s, p, name, code, ("support",)), used="!" in marks, chosen="#" in marks)

    def marked(self, s: State, p: int, name: str, word: str) -> tuple[str, str]:
        """Code and marks of a table card."""
        found = re.fullmatch("([A-Z][0-9]+)(!?#?)", word)
        if not found:
            raise self.fail(name, f"{word!r} is no table card")
        code, marks = found.groups()
        card = s.card(p, self.slot(s, p, name, code))
        if "!" in marks and (card.timing != "once_per_own_turn" or s.turn != p):
            raise self.fail(name, f"{word}: no text that is used once per own turn")
        if "#" in marks and card.group != "caterpillar":
            raise self.fail(name, f"{word} is no caterpillar")
        return code, marks

    def ship(self, s: State, p: int, word: str) -> Ship:
        name = f"ships{p}"
        found = re.fullmatch(r"([A-Z][0-9]+)(\^?)(?::(.+))?", word)
        if not found:
            raise self.fail(name, f"{word!r} is no ship")
        code, landed, cargo = found.groups()
        slot = self.slot(s, p, name, code, ("ship",))
        fight_cards = ("character", "booster", "support")
        cards = tuple(self.slot(s, p, name, c, fight_cards) for c in cargo.split(",")) if cargo else ()
        if len(cards) > s.card(p, slot).capacity:
            raise self.fail(name, f"{code} carries at most {s.card(p, slot).capacity} cards")
        return Ship(slot, cards, bool(landed))

    def read_hyla(self, s: State) -> None:
        words = self.words("hyla")
        if not words:
            return
        owner, dot, code = words[0].partition(".")
        if len(words) > 1 or owner not in ("0", "1") or not dot:
            raise self.fail("hyla", "expected player.code")
        s.hyla = (int(owner), self.slot(s, int(owner), "hyla", code, ("hyla",)))

    def check_complete(self, s: State) -> None:
        for p in (0, 1):
            side = s.sides[p]
            lying = [*side.deck, *side.hand, *side.lead, *side.discard, *side.feats, *_on_table_and_ships(side)]
            if s.hyla is not None and s.hyla[0] == p:
                if s.hyla[1] in lying:
                    raise self.fail("hyla", "this card lies twice")
                lying.append(s.hyla[1])
            missing = [card.code for card in s.cards[p] if card and card.slot not in lying]
            if missing:
                raise NotationError(f"player {p}", f"in no zone: {' '.join(missing)}")

    # ---- knowledge ----

    def read_known(self, s: State) -> None:
        for p in (0, 1):
            name = f"known{p}"
            seen = set()
            for word in self.words(name):
                if word in seen:
                    raise self.fail(name, f"{word} twice")
                seen.add(word)
                code, at, place = word.partition("@")
                owner = p if place.startswith("own.") else 1 - p
                slot = self.slot(s, owner, name, code)
                if not at or not self.learn(s.sides[owner], slot, place):
                    raise self.fail(name, f"{word}: no hidden {code} lies there")

    @staticmethod
    def learn(side: Side, slot: int, place: str) -> bool:
        found = re.fullmatch(r"hand|f(\d+)|(deck|own)\.(\d+)", place)
        if not found:
            return False
        down, zone, depth = found.groups()
        if place == "hand":
            side.seen_hand.add(slot)
            return slot in side.closed
        if down is not None:
            side.seen_down.add(slot)
            downs = [placed.slot for placed in side.downs]
            return int(down) < len(downs) and downs[int(down)] == slot
        (side.seen_deck if zone == "deck" else side.own_deck).add(slot)
        return int(depth) < len(side.deck) and side.deck[int(depth)] == slot

    # ---- checks ----

    def check_marks(self, s: State) -> None:
        for p in (0, 1):
            if sum(placed.chosen for placed in s.sides[p].table) > 1:
                raise self.fail(f"combat{p}", "# on more than one card")
        if all(side.active_lead is not None for side in s.sides):
            raise self.fail("lead1", "* on more than one card")

    def check_position(self, s: State) -> None:
        for p in (0, 1):
            side = s.sides[p]
            may_lie = s.running or (s.fight == "open" and p == s.turn)
            if side.table and not may_lie:
                raise self.fail(f"combat{p}", f"table cards with fight {s.fight}")
            if not side.hand and not side.deck and s.out is None:
                raise self.fail("out", f"hand and deck of player {p} are empty, so somebody has the mark")
        if s.turn is None:
            if "pending" in self.lines:
                raise self.fail("pending", "the game is over")
            return
        if "pending" in self.lines:
            return
        late = s.phase in ("character", "support")
        if (s.fight == "open" and not late) or (s.fight == "-" and late):
            raise self.fail("fight", f"fight {s.fight} in phase {s.phase}")
        if any(ship.landed for ship in s.sides[1 - s.turn].ships):
            raise self.fail(f"ships{1 - s.turn}", "a landed ship of the player not on turn")
        if any(ship.landed for ship in s.sides[s.turn].ships) != ("landing" in s.did.marks):
            raise self.fail("did", "the mark landing and a landed ship go together")

    def read_stack(self, s: State) -> None:
        if s.turn is None:
            return
        if "pending" in self.lines:
            s.stack, settled = self.pending()
            s.settled = {(player, slot) for player, slot in settled}
            return
        s.stack = [(s.phase,)]
        if s.phase in ("character", "support") and not completable(s):
            raise self.fail("phase", "the turn can't be finished")

    def pending(self) -> tuple[list[tuple[Any, ...]], Any]:
        try:
            stack, settled = _tuples(json.loads(self.lines["pending"]))
        except (ValueError, TypeError):
            raise self.fail("pending", "not what this implementation writes") from None
        return list(stack), settled


def _on_table_and_ships(side: Side) -> list[int]:
    cargo = [slot for ship in side.ships for slot in (ship.slot, *ship.cargo)]
    return [placed.slot for placed in side.table] + cargo


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def read(text: str) -> State:
    s = _Reader(text).read()
    layers(s)
    return s
