"""Position text: reading (notation, section 3). Every refusal names its line and the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ka_env.bluemoon.cards import (
    ACHIEVEMENT,
    ALL_CODES,
    BLUFFS,
    BOOSTER,
    CAPACITY,
    CARD_OF,
    CATERPILLARS,
    CHARACTER,
    CODES,
    DECKS,
    FIGHT_CARDS,
    GANG_GROUPS,
    GROUPS,
    HYLA,
    LEADERSHIP_CARD,
    OF_TYPE,
    ONCE_PER_TURN,
    PAIR_GROUPS,
    PILE_OF_LEADERS,
    SHIP,
    SHIPS,
    SUPPORT,
    TYPES,
    WITH_TIMING,
    members,
)
from ka_env.bluemoon.codes import (
    AT_END,
    CHARACTERS,
    COUNTERS,
    FIGHTS,
    GAME_END,
    M_LANDING,
    MAIN,
    MARKS,
    MATCH_CRYSTALS,
    MAX_DRAGONS,
    NO_FIGHT,
    NO_PHASE,
    OPENING,
    PHASES,
)
from ka_env.bluemoon.rulesets import LISTS, RULESETS
from ka_env.bluemoon.state import blank
from ka_env.bluemoon.text.pending import read_pending
from ka_env.bluemoon.text.write import RESULTS, face_down_of, has, pile_of
from ka_env.engine.loops import WON_0
from ka_env.errors import MOST_POSITION, NotationError, limit_text, nearest

ZONES = "deck hand combat support ships lead discard feats".split()
LINES = [
    *"bm rules decks turn phase fight dragons crystals out did hyla".split(),
    *(f"{zone}{q}" for q in range(2) for zone in ZONES),
    *"known0 known1 pending result".split(),
]
NEEDED = [
    *"bm rules decks turn phase fight dragons".split(),
    *(f"{zone}{q}" for q in range(2) for zone in "deck hand combat support discard".split()),
]
MOST = 99  # no counter of the turn record comes near

_NUMBER = re.compile(r"0|[1-9][0-9]{0,2}")
_KNOWN = re.compile(r"([A-Z][0-9]+)@(hand|f|deck\.|own\.)(0|[1-9][0-9]?)?")


@dataclass
class Reader:
    """Reads a text line by line into a record."""

    text: str
    words: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    line: str = ""
    placed: list[dict[int, str]] = field(default_factory=lambda: [{}, {}])  # card: the line it was read in

    def __post_init__(self) -> None:
        self.games = blank(1)
        self.s: Any = self.games[0]

    def refuse(self, reason: str) -> NotationError:
        where = f"line {self.numbers[self.line]} ({self.line}): " if self.line in self.numbers else ""
        return NotationError(f"position: {where}{reason}")

    def read(self) -> np.ndarray:
        self.split_lines()
        self.at("bm")
        self.choose(["1"])
        self.read_setting()
        for q in range(2):
            self.read_player(q)
        self.read_hyla()
        self.read_did()
        self.check_all_placed()
        for q in range(2):
            self.read_known(q)
        self.check_marks()
        if "result" in self.words:
            self.read_result()
        elif "pending" in self.words:
            self.at("pending")
            read_pending(self)
        else:
            self.check_phase()
        self.check_table()
        self.check_out()
        return self.games

    # ---- words

    def at(self, name: str) -> list[str]:
        """Go to a line; its words, none for `-` or a line that may be missing."""
        self.line = name
        words = self.words.get(name, [])
        return [] if words == ["-"] else words

    def split_lines(self) -> None:
        for number, raw in enumerate(self.text.splitlines(), 1):
            words = raw.split()
            if not words or words[0].startswith("#"):
                continue
            name = words[0]
            if name not in LINES:
                raise NotationError(f"position: line {number}: unknown line {name!r}{nearest(name, LINES)}")
            if name in self.words:
                raise NotationError(f"position: line {number}: the line {name!r} occurs twice")
            if len(words) == 1:
                raise NotationError(
                    f"position: line {number} ({name}): expected something after the name, '-' if empty"
                )
            self.words[name] = words[1:]
            self.numbers[name] = number
        for name in NEEDED:
            if name not in self.words:
                raise NotationError(f"position: the line {name!r} is missing")

    def choose(self, choices: Sequence[str]) -> str:
        word = " ".join(self.words[self.line])
        if word not in choices:
            raise self.refuse(f"unknown {word!r}: expected one of {', '.join(choices)}{nearest(word, choices)}")
        return word

    def number(self, word: str, most: int) -> int:
        if not _NUMBER.fullmatch(word) or int(word) > most:
            raise self.refuse(f"{word!r}: expected a whole number from 0 to {most}")
        return int(word)

    def two_numbers(self, most: int) -> list[int]:
        words = self.words[self.line]
        if len(words) != 2:
            raise self.refuse(f"expected two numbers, of player 0 and of player 1, not {' '.join(words)!r}")
        return [self.number(word, most) for word in words]

    # ---- the first lines

    def read_setting(self) -> None:
        s = self.s
        self.line = "rules"
        s.ruleset = RULESETS.index(self.choose(RULESETS))
        self.line = "decks"
        names = self.words["decks"]
        if len(names) != 2:
            raise self.refuse(f"expected two decks, of player 0 and of player 1, not {' '.join(names)!r}")
        for q, name in enumerate(names):
            if name not in DECKS:
                raise self.refuse(f"unknown deck {name!r}: expected one of {', '.join(DECKS)}{nearest(name, DECKS)}")
            s.deck[q] = DECKS.index(name)
        over = "result" in self.words
        self.line = "turn"
        turn = self.choose(["-"] if over else ["0", "1"])
        s.turn = -1 if over else int(turn)
        self.line = "phase"
        phase = self.choose(["-"] if over else PHASES)
        s.phase = s.kind = NO_PHASE if over else PHASES.index(phase)
        s.point = MAIN
        s.player = s.turn
        self.line = "fight"
        s.fight = FIGHTS.index(self.choose(FIGHTS))
        self.line = "dragons"
        s.dragons[:] = self.two_numbers(MAX_DRAGONS)
        if s.dragons[0] and s.dragons[1]:
            raise self.refuse("both players have dragons; at most one of them can")
        if self.at("crystals"):
            s.crystals[:] = self.two_numbers(MATCH_CRYSTALS)
        if self.at("out"):
            s.out = int(self.choose(["0", "1"]))

    def read_result(self) -> None:
        s = self.s
        self.line = "result"
        said = self.choose(list(RESULTS.values()))
        if "pending" in self.words:
            raise self.refuse("the game is over, but a decision is pending")
        s.result = WON_0 if said == "1 0" else WON_0 + 1
        s.kind = AT_END
        s.player = -1
        s.point = GAME_END

    # ---- cards

    def card(self, q: int, code: str, allowed: Any, where: str) -> int:
        """A card of q that may lie here and lies nowhere else."""
        deck = int(self.s.deck[q])
        card = CARD_OF[deck].get(code, -1)
        if code not in ALL_CODES:
            raise self.refuse(f"unknown card {code!r}{nearest(code, CARD_OF[deck])}")
        if card < 0 or not has(LISTS[deck, self.s.ruleset], card):
            raise self.refuse(
                f"card {code} is not in player {q}'s deck ({DECKS[deck]}, {RULESETS[self.s.ruleset]})"
                f"{nearest(code, CARD_OF[deck])}"
            )
        if card in self.placed[q]:
            raise self.refuse(f"card {code} is already in the line {self.placed[q][card]!r}")
        if not has(allowed, card):
            kind = next(name for t, name in enumerate(TYPES) if has(OF_TYPE[deck, t], card))
            raise self.refuse(f"{code} is a card of the type {kind}; it can't lie {where}")
        self.placed[q][card] = self.line
        return card

    def bits(self, cards: Iterable[int]) -> int:
        return sum(1 << c for c in cards)

    def read_player(self, q: int) -> None:
        s = self.s
        deck = s.deck[q]
        movable = int(LISTS[deck, s.ruleset])
        cards = [self.card(q, code, movable, "in a deck") for code in self.at(f"deck{q}")]
        s.pile_count[q] = len(cards)
        s.pile[q, : len(cards)] = cards[::-1]
        for word in self.at(f"hand{q}"):
            card = self.card(q, word.removesuffix("!"), movable, "in a hand")
            s.hand[q] |= 1 << card
            if word.endswith("!"):
                s.open[q] |= 1 << card
        self.read_combat(q)
        self.read_support(q)
        self.read_ships(q)
        self.read_lead(q)
        movable &= ~int(OF_TYPE[deck, LEADERSHIP_CARD])
        s.discard[q] = self.bits(self.card(q, code, movable, "on a discard pile") for code in self.at(f"discard{q}"))
        feats = OF_TYPE[deck, ACHIEVEMENT]
        s.feats[q] = self.bits(self.card(q, code, feats, "among the achievements") for code in self.at(f"feats{q}"))

    def read_marks(self, q: int, card: int, marks: str, code: str) -> None:
        s = self.s
        if "!" in marks:
            if q != s.turn or not has(WITH_TIMING[s.deck[q], ONCE_PER_TURN], card):
                raise self.refuse(f"{code}!: only texts of the turn player that are used once per turn carry this mark")
            s.used[q] |= 1 << card
        if "#" in marks:
            if not has(CATERPILLARS[s.deck[q]], card):
                raise self.refuse(f"{code}#: not a caterpillar")
            if s.doubled[q] >= 0:
                raise self.refuse(f"{code}#: another caterpillar carries this mark already")
            s.doubled[q] = card

    def read_combat(self, q: int) -> None:
        s = self.s
        allowed = int(OF_TYPE[s.deck[q], CHARACTER]) | int(OF_TYPE[s.deck[q], BOOSTER])
        for i, word in enumerate(self.at(f"combat{q}")):
            match = re.fullmatch(r"\((\w+)\)|(\w+)(!?#?)", word)
            if not match:
                raise self.refuse(f"can't read {word!r}: expected a card like K5, (K5) if covered, K5! if used")
            card = self.card(q, match[1] or match[2], allowed, "in a combat area")
            s.line[q, i] = card
            s.line_count[q] = i + 1
            s.combat[q] |= 1 << card
            if match[1]:
                s.covered[q] |= 1 << card
            else:
                self.read_marks(q, card, match[3], match[2])

    def read_support(self, q: int) -> None:
        s = self.s
        for i, word in enumerate(self.at(f"support{q}")):
            match = re.fullmatch(r"(\?)?(\w+)(!?#?)", word)
            if not match or (match[1] and match[3]):
                raise self.refuse(f"can't read {word!r}: expected a card like K25, or ?U7 if it lies face down")
            if match[1]:
                card = self.card(q, match[2], BLUFFS[s.deck[q]], "face down: it has no bluff icon")
                s.down[q] |= 1 << card
            else:
                card = self.card(q, match[2], OF_TYPE[s.deck[q], SUPPORT], "face up in a support area")
                self.read_marks(q, card, match[3], match[2])
            s.row[q, i] = card
            s.row_count[q] = i + 1
            s.support[q] |= 1 << card

    def read_ships(self, q: int) -> None:
        s = self.s
        words = self.at(f"ships{q}")
        if len(words) > SHIPS:
            raise self.refuse(f"{len(words)} ships; no deck has more than {SHIPS}")
        for i, word in enumerate(words):
            match = re.fullmatch(r"(\w+)(\^?)(?::(\w+(?:,\w+)*))?", word)
            if not match:
                raise self.refuse(f"can't read {word!r}: expected a ship like U28:U5,U19 or U30^:U1")
            ship = self.card(q, match[1], OF_TYPE[s.deck[q], SHIP], "among the ships")
            cargo = match[3].split(",") if match[3] else []
            if len(cargo) > CAPACITY[s.deck[q], ship]:
                raise self.refuse(
                    f"{match[1]} carries {len(cargo)} cards, at most {CAPACITY[s.deck[q], ship]} have room"
                )
            s.fleet[q, i] = ship
            s.fleet_count[q] = i + 1
            s.ships[q] |= 1 << ship
            if match[2]:
                s.landed[q] |= 1 << ship
            for k, code in enumerate(cargo):
                s.cargo[q, i, k] = self.card(q, code, FIGHT_CARDS[s.deck[q]], "on a ship")
                s.cargo_count[q, i] = k + 1

    def read_lead(self, q: int) -> None:
        s = self.s
        words = self.at(f"lead{q}")
        if len(words) > PILE_OF_LEADERS:
            raise self.refuse(f"{len(words)} cards; no deck has so many leadership cards")
        for i, word in enumerate(words):
            code = word.removesuffix("*")
            card = self.card(q, code, OF_TYPE[s.deck[q], LEADERSHIP_CARD], "on a leadership pile")
            s.lead[q, i] = card
            s.lead_count[q] = i + 1
            if word.endswith("*"):
                if "result" not in self.words and q != s.turn:
                    raise self.refuse(f"{word}: only the turn player's leadership card can be active")
                if s.leader[q] >= 0 or s.leader[1 - q] >= 0:
                    raise self.refuse(f"{word}: another leadership card is active already")
                s.leader[q] = card

    def read_hyla(self) -> None:
        s = self.s
        words = self.at("hyla")
        if words:
            match = re.fullmatch(r"([01])\.(\w+)", " ".join(words))
            if not match:
                raise self.refuse(f"can't read {' '.join(words)!r}: expected player.card, like 0.N1")
            s.hyla_owner = int(match[1])
            s.hyla = self.card(int(match[1]), match[2], OF_TYPE[s.deck[int(match[1])], HYLA], "in the Hyla place")

    def check_all_placed(self) -> None:
        for q in range(2):
            deck = int(self.s.deck[q])
            missing = [c for c in members(LISTS[deck, self.s.ruleset]) if c not in self.placed[q]]
            if missing:
                self.line = f"deck{q}"
                names = " ".join(CODES[deck][c] for c in missing)
                raise self.refuse(f"player {q}'s {names}: in no zone; every card of the deck lies somewhere")

    # ---- the turn record and what is known

    def read_did(self) -> None:
        s = self.s
        seen = set()
        for word in self.at("did"):
            name, sign, value = word.partition("=")
            kind, colon, group = word.partition(":")
            if name in seen:
                raise self.refuse(f"{name!r} occurs twice")
            seen.add(name)
            if sign and name in COUNTERS:
                s.did[COUNTERS.index(name)] = self.number(value, MOST)
            elif word in MARKS:
                s.mark[MARKS.index(word)] = 1
            elif colon and group in {"pair": PAIR_GROUPS, "gang": GANG_GROUPS}.get(kind, []):
                s.groups |= 1 << GROUPS.index(group)
            else:
                choices = [*(f"{c}=" for c in COUNTERS), *MARKS, *(f"{g[:4]}:{g}" for g in PAIR_GROUPS + GANG_GROUPS)]
                raise self.refuse(
                    f"unknown word {word!r}: expected a counter, a mark or a group{nearest(word, choices)}"
                )

    def read_known(self, p: int) -> None:
        s = self.s
        for word in self.at(f"known{p}"):
            match = _KNOWN.fullmatch(word)
            if not match or (match[2] == "hand") != (match[3] is None):
                raise self.refuse(f"can't read {word!r}: expected card@hand, card@f0, card@deck.0 or card@own.0")
            q = p if match[2] == "own." else 1 - p
            card = CARD_OF[s.deck[q]].get(match[1], -1)
            place = int(match[3] or 0)
            if match[2] == "hand":
                lying = members(int(s.hand[q]) & ~int(s.open[q]))
                fits = card in lying
            else:
                lying = face_down_of(s, q) if match[2] == "f" else pile_of(s, q)
                fits = place < len(lying) and lying[place] == card
            if not fits:
                raise self.refuse(f"{word}: no hidden card {match[1]} of player {q} lies there")
            known = s.placed if match[2] == "own." else s.seen
            known[q] |= 1 << card

    # ---- checks of the whole

    def check_marks(self) -> None:
        """The landing mark and the landed ships belong together; a landed ship is the turn player's."""
        s = self.s
        if "result" in self.words or "pending" in self.words:
            return
        t = s.turn
        if s.landed[1 - t]:
            self.line = f"ships{1 - t}"
            raise self.refuse("only the turn player can have a landed ship")
        if bool(s.landed[t]) != bool(s.mark[M_LANDING]):
            self.line = "did" if s.mark[M_LANDING] and "did" in self.words else f"ships{t}"
            raise self.refuse("the mark landing and a landed ship (^) of the turn player belong together")

    def check_phase(self) -> None:
        s = self.s
        self.line = "fight"
        if s.phase < CHARACTERS and s.fight == OPENING:
            raise self.refuse(f"'open' in the phase {PHASES[s.phase]}: nobody has said 'fight' yet")
        if s.phase >= CHARACTERS and s.fight == NO_FIGHT:
            raise self.refuse(f"'-' in the phase {PHASES[s.phase]}: a fight is open or running by then")

    def check_table(self) -> None:
        s = self.s
        for q in range(2):
            cards = s.combat[q] | s.support[q]
            if cards and (s.fight == NO_FIGHT or (s.fight == OPENING and q != s.turn and "result" not in self.words)):
                self.line = f"combat{q}" if s.combat[q] else f"support{q}"
                raise self.refuse("cards on the table, but no fight is running")

    def check_out(self) -> None:
        s = self.s
        for q in range(2):
            if s.hand[q] == 0 and s.pile_count[q] == 0 and s.out < 0:
                self.line = "out" if "out" in self.words else f"hand{q}"
                raise self.refuse(f"player {q} has neither hand nor deck, so somebody has the first-out mark")


def read_position(text: str) -> np.ndarray:
    """A batch of one game; forced decisions are still to be taken."""
    limit_text(text, MOST_POSITION, "position")
    return Reader(text).read()
