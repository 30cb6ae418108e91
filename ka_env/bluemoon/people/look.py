"""What a viewer sees: decided once for the text board, the picture, the screens and the viewer page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ka_env.bluemoon.cards import CAPACITY, CODES, DECKS, WITH_TEXT, members
from ka_env.bluemoon.codes import FIGHTS, IN_FIRE, KINDS, OPENING, PHASES
from ka_env.bluemoon.game import Game
from ka_env.bluemoon.people.values import Value, least_total, silenced_by, stripped_by, total, values
from ka_env.bluemoon.text.write import face_down_of, has, line_of, pile_of, row_of
from ka_env.engine.loops import RUNNING
from ka_env.story import OUTSIDER

State = Any
ELEMENTS = ("fire", "earth")


def knows(s: State, viewer: int | None, q: int, card: int) -> bool:
    """May the viewer know which card of q this is, where it lies? None sees everything."""
    if viewer is None:
        return True
    in_deck = card in pile_of(s, q)
    seen, placed = has(s.seen[q], card), has(s.placed[q], card)
    if viewer == q:
        return placed or not in_deck
    closed = has(s.hand[q], card) and not has(s.open[q], card)
    if not (in_deck or closed or has(s.down[q], card)):
        return True
    return seen and (placed or not in_deck or viewer != OUTSIDER)


@dataclass(frozen=True)
class Card:
    """A card on the table; `code` is empty where the viewer can't know it."""

    code: str
    covered: bool = False
    face_down: bool = False
    number: int = -1  # of a face-down card: f0, f1 …
    values: tuple[Value, Value] | None = None  # in fire and earth; None for covered cards
    used: bool = False
    doubled: bool = False
    silenced: list[str] = field(default_factory=list)  # cards that make its text be ignored
    stripped: list[str] = field(default_factory=list)  # cards that make its icons be ignored


@dataclass(frozen=True)
class HandCard:
    code: str
    open: bool
    known: bool  # closed, but the opponent can follow it


@dataclass(frozen=True)
class Ship:
    code: str
    landed: bool
    cargo: list[str]
    capacity: int


@dataclass(frozen=True)
class Side:
    """What one player has, as the viewer sees it."""

    player: int
    people: str
    deck: list[str]  # top first; empty words for unknown cards
    hand: list[HandCard]
    combat: list[Card]
    support: list[Card]
    ships: list[Ship]
    lead: list[str]  # top last
    leader: str  # the leadership card that is active
    discard: list[str]
    feats: list[str]
    dragons: int
    crystals: int
    totals: tuple[int, int]  # in fire and earth
    least: tuple[str, str]  # the card that holds the total up, if one does
    first_out: bool


@dataclass(frozen=True)
class View:
    ruleset: str
    turn: int
    player: int | None
    phase: str
    fight: str  # - open fire earth
    decision: str
    hyla: tuple[int, str] | None
    sides: tuple[Side, Side]
    choices: list[str]  # tokens, if the viewer may see them
    result: tuple[float, float] | None

    @property
    def element(self) -> int | None:
        """The contested element."""
        return ELEMENTS.index(self.fight) if self.fight in ELEMENTS else None


def look(game: Game, viewer: int | None = None) -> View:
    """What `viewer` may know of the game (B3); None sees every card."""
    if viewer not in (None, OUTSIDER, 0, 1):
        raise ValueError(f"viewer must be 0, 1 or None, not {viewer!r}")
    s = game.state
    told = game.player is not None and viewer in (None, game.player)
    hyla = (int(s.hyla_owner), CODES[s.deck[s.hyla_owner]][s.hyla]) if s.hyla >= 0 else None
    return View(
        ruleset=game.ruleset,
        turn=game.turn,
        player=game.player,
        phase=PHASES[s.phase] if s.result == RUNNING else "-",
        fight=FIGHTS[s.fight],
        decision=KINDS[s.kind] if game.player is not None else "",
        hyla=hyla,
        sides=(_side(s, 0, viewer), _side(s, 1, viewer)),
        choices=game.legal() if told else [],
        result=game.result,
    )


def _side(s: State, q: int, viewer: int | None) -> Side:
    codes = CODES[s.deck[q]]
    both = [values(s, q, e) for e in range(2)]
    totals = [total(s, q, e) for e in range(2)]
    held = [least_total(s, q, e) for e in range(2)]
    summed = [sum(value.now for value in found.values()) for found in both]
    least = [code if totals[e] > summed[e] else "" for e, (_, code) in enumerate(held)]

    def name(card: int) -> str:
        return codes[card] if knows(s, viewer, q, card) else ""

    lead = [codes[c] for c in s.lead[q, : s.lead_count[q]]]
    return Side(
        player=q,
        people=DECKS[s.deck[q]],
        deck=[name(c) for c in pile_of(s, q)],
        hand=_hand(s, q, viewer),
        combat=[_card(s, q, c, name(c), both) for c in line_of(s, q)],
        support=[_card(s, q, c, name(c), both) for c in row_of(s, q)],
        ships=[_ship(s, q, i) for i in range(s.fleet_count[q])],
        lead=lead,
        leader=codes[s.leader[q]] if s.leader[q] >= 0 else "",
        discard=[codes[c] for c in members(s.discard[q])],
        feats=[codes[c] for c in members(s.feats[q])],
        dragons=int(s.dragons[q]),
        crystals=int(s.crystals[q]),
        totals=(totals[0], totals[1]),
        least=(least[0], least[1]),
        first_out=bool(s.out == q),
    )


def _hand(s: State, q: int, viewer: int | None) -> list[HandCard]:
    """Known cards first: the places of the backs must not tell anything."""
    cards = [
        HandCard(CODES[s.deck[q]][c] if knows(s, viewer, q, c) else "", has(s.open[q], c), has(s.seen[q], c))
        for c in members(s.hand[q])
    ]
    return [c for c in cards if c.code] + [HandCard("", False, False) for c in cards if not c.code]


def _card(s: State, q: int, card: int, name: str, both: list[dict[int, Value]]) -> Card:
    covered, down = has(s.covered[q], card), has(s.down[q], card)
    texts = has(WITH_TEXT[s.deck[q]], card) and not covered and not down
    pair = None
    if not covered:
        pair = (both[0][card], both[1][card])
        if down and s.fight >= IN_FIRE:  # it counts in the contested element only
            pair = (pair[0], Value(0, 0)) if s.fight == IN_FIRE else (Value(0, 0), pair[1])
    return Card(
        code=name,
        covered=covered,
        face_down=down,
        number=face_down_of(s, q).index(card) if down else -1,
        values=pair,
        used=has(s.used[q], card),
        doubled=bool(s.doubled[q] == card),
        silenced=silenced_by(s, q, card) if texts else [],
        stripped=stripped_by(s, q, card) if not covered and not down else [],
    )


def _ship(s: State, q: int, i: int) -> Ship:
    codes = CODES[s.deck[q]]
    ship = int(s.fleet[q, i])
    cargo = [codes[c] for c in s.cargo[q, i, : s.cargo_count[q, i]]]
    return Ship(codes[ship], has(s.landed[q], ship), cargo, int(CAPACITY[s.deck[q], ship]))


assert FIGHTS[OPENING] == "open"
