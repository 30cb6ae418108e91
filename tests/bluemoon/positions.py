"""Random rich positions of Blue Moon as texts that the reader accepts.

Each has a theme, so that rare things meet often: texts that ignore texts, blanks, lost icons, parity, caterpillars,
ships landed and loaded, open hands, bluffs, floods, storms, limits, demands.
"""

from __future__ import annotations

import random

from .reference import Game, NotationError
from .reference.cards import DECKS, Card
from .reference.state import PHASES, Placed, Ship, Side, State
from .reference.text import write

RARE = set("F7 F8 F9 F12 F13 H16 H28 K27 T26 K1 K2 K3 K4 P14 P16 P17 P18 P19 A28 U18 U19 U20 U21 U24 U28".split())
RARE |= set("A25 A26 T21 T22 T23 T24 H26 F10 H13 T12 T13 T14 T16 T25 V25 V26 K25 T27 P15 K6 K7 X102 K31 P12".split())
RARE |= set("P21 P22 P23 P24 P25 P26 V20 V21 V22 A19 A20 K14 H12 F11 U26 H25 N3 N4 N7 N8 N9 A14 A11 A12 A13".split())
# Cards that are put on the table together, when one of their decks is used.
MEETINGS = [
    set(codes.split())
    for codes in (
        "A25 A26 A28",
        "T21 T22 T23",
        "T13 T14 P17",
        "P14 P16 P18 P19",
        "P21 P22 P23 P24 P25",
        "K1 K2 K3 K4",
        "K6 K7 K5 K8 K9",
        "U20 U21 U24 U25",
        "U18 U13 U14 U15 U16 U17",
        "M18 M19 M20 M21",
        "F7 F8 F9 F10",
        "H12 H14 F12 H26",
        "V15 V16 V20 V26 K26",
    )
]
THEMES = ("any", "empty", "crowded", "end of game")


def random_position(rng: random.Random, hand_max: int = 9, opt: bool | None = None, phase: str | None = None) -> str:
    """A position text; hands hold up to `hand_max` cards."""
    while True:
        text = write(random_state(rng, hand_max, opt, phase))
        try:
            Game.from_text(text)
        except NotationError as error:
            if "can't be finished" not in error.reason:
                raise
        else:
            return text


def random_state(rng: random.Random, hand_max: int, opt: bool | None, phase: str | None) -> State:
    decks = (rng.choice(DECKS), rng.choice(DECKS))
    s = State(decks, rng.random() < 0.25 if opt is None else opt, rng.random() < 0.15)
    s.turn = rng.randrange(2)
    s.phase = phase or rng.choice(PHASES)
    late = s.phase in ("character", "support")
    s.fight = rng.choice(("fire", "earth", "fire", "earth", "open" if late else "-"))
    s.dragons[rng.randrange(2)] = rng.choice((0, 0, 1, 2, 3))
    if s.match:
        s.crystals = [rng.randrange(5), rng.randrange(5)]
    theme = rng.choice(THEMES)
    for p in (0, 1):
        fill_side(s, p, rng, hand_max, theme)
    fill_record(s, rng)
    fill_knowledge(s, rng)
    gone = [p for p in (0, 1) if not s.sides[p].hand and not s.sides[p].deck]
    if gone or rng.random() < 0.05:
        s.out = rng.choice(gone or [0, 1])
    s.stack = [(s.phase,)]
    return s


class Pile:
    """The cards of a player that have no place yet."""

    def __init__(self, s: State, p: int, rng: random.Random) -> None:
        self.cards = [card for card in s.cards[p] if card]
        codes = {card.code for card in self.cards}
        fitting = [meeting for meeting in MEETINGS if len(meeting & codes) >= 2]
        together = rng.choice(fitting) if rng.random() < 0.4 else set()
        luck = {card: rng.random() + 0.4 * (card.code in RARE) + (card.code in together) for card in self.cards}
        self.cards.sort(key=luck.__getitem__, reverse=True)

    def take(self, count: int, *types: str, bluff: bool = False) -> list[Card]:
        fitting = [card for card in self.cards if card.type in types and (card.has_bluff_icon or not bluff)][:count]
        self.cards = [card for card in self.cards if card not in fitting]
        return fitting


def fill_side(s: State, p: int, rng: random.Random, hand_max: int, theme: str) -> None:
    side = s.sides[p]
    pile = Pile(s, p, rng)
    if s.running or (s.fight == "open" and p == s.turn and s.phase == "support"):
        fill_table(s, p, rng, pile, theme)
    fill_ships(s, p, rng, pile)
    leads = pile.take(rng.choice((0, 0, 1, 2)), "leadership")
    side.lead = [card.slot for card in leads]
    if s.opt and s.hyla is None and rng.random() < 0.4:
        s.hyla = (p, pile.take(1, "hyla")[0].slot)
    if s.opt and s.match and rng.random() < 0.4:
        side.feats = {card.slot for card in pile.take(1, "achievement")}
    rest = [card.slot for card in pile.cards]
    hand_size = rng.randint(0, hand_max) if theme != "crowded" else hand_max
    side.hand = sorted(rest[:hand_size])
    side.open = {slot for slot in side.hand if rng.random() < 0.2}
    rest = [card.slot for card in pile.cards if card.slot not in side.hand]
    rng.shuffle(rest)
    discarded = rest[: rng.choice((0, len(rest) // 3, len(rest) // 2, len(rest)))] if theme != "empty" else rest
    side.discard = {slot for slot in discarded if s.card(p, slot).type != "leadership"}
    side.deck = [slot for slot in rest if slot not in side.discard]
    if theme == "end of game" and rng.random() < 0.7:
        side.lead += [slot for slot in side.deck if s.card(p, slot).type == "leadership"]
        side.discard |= {slot for slot in side.deck if s.card(p, slot).type != "leadership"}
        side.deck = []


def fill_table(s: State, p: int, rng: random.Random, pile: Pile, theme: str) -> None:
    side = s.sides[p]
    most = 4 if theme == "crowded" else 2
    active = pile.take(rng.randint(0 if p == s.turn else 1, most), "character")
    active += pile.take(rng.randint(0, most), "booster")
    covered = pile.take(rng.randint(0, most), "character", "booster")
    side.combat = [Placed(card.slot, covered=True) for card in covered]
    for card in active:
        used = p == s.turn and card.timing == "once_per_own_turn" and rng.random() < 0.3
        side.combat.append(Placed(card.slot, used=used))
    caterpillars = [placed for placed in side.combat if not placed.covered and is_caterpillar(s, p, placed)]
    if caterpillars and rng.random() < 0.5:
        chosen = rng.choice(caterpillars)
        side.combat[side.combat.index(chosen)] = chosen._replace(chosen=True)
    side.support = [Placed(card.slot) for card in pile.take(rng.randint(0, most), "support")]
    hidden = pile.take(rng.choice((0, 1, 2, most)), "character", bluff=True)
    side.support += [Placed(card.slot, down=True) for card in hidden]
    rng.shuffle(side.support)


def is_caterpillar(s: State, p: int, placed: Placed) -> bool:
    return s.card(p, placed.slot).group == "caterpillar"


def fill_ships(s: State, p: int, rng: random.Random, pile: Pile) -> None:
    for card in pile.take(rng.choice((0, 1, 2, 3)), "ship"):
        cargo = pile.take(rng.randint(0, card.capacity), "character", "booster", "support")
        landed = p == s.turn and rng.random() < 0.4
        s.sides[p].ships.append(Ship(card.slot, tuple(c.slot for c in cargo), landed))


def fill_record(s: State, rng: random.Random) -> None:
    assert s.turn is not None
    side: Side = s.sides[s.turn]
    n, marks = s.did.n, s.did.marks
    if any(ship.landed for ship in side.ships):
        marks.add("landing")
    if s.phase == "begin":
        return
    n["took"] = rng.choice((0, 0, 1))
    if side.lead and rng.random() < 0.6:
        marks.add("lead")
        side.active_lead = rng.choice(side.lead)
        n["all"] += 1
        if s.code(s.turn, side.active_lead) == "K31":
            marks |= {"stop", "again"}
    if s.phase in ("leadership", "engage"):
        return
    characters = rng.choice((0, 1, 1, 2)) if s.phase == "character" else rng.choice((1, 1, 2))
    n["char"] = characters
    n["c"] = min(characters, rng.choice((0, 1, 1)))
    n["area"] = n["h"] = characters
    n["all"] += characters
    if s.phase == "support":
        for name in ("b", "s"):
            n[name] = rng.choice((0, 0, 0, 1))
            n[name.upper()] = n[name] + rng.choice((0, 0, 1))
            n["all"] += n[name.upper()]
    for mark, chance in (("stop", 0.1), ("next", 0.15), ("again", 0.05)):
        if rng.random() < chance:
            marks.add(mark)
    kinds = ("character",) if s.phase == "character" else ("booster", "support")
    groups = {card.group_key for card in s.cards[s.turn] if card and card.type in kinds and card.group_key}
    if groups and characters and rng.random() < 0.5:
        s.did.groups.add(rng.choice(sorted(groups)))


def fill_knowledge(s: State, rng: random.Random) -> None:
    for side in s.sides:
        side.seen_hand = {slot for slot in side.closed if rng.random() < 0.25}
        side.seen_down = {placed.slot for placed in side.downs if rng.random() < 0.25}
        side.seen_deck = {slot for slot in side.deck if rng.random() < 0.08}
        side.own_deck = {slot for slot in side.deck if rng.random() < 0.08}
