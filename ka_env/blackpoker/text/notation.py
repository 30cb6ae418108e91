"""Position text: writing and reading (notation, section 3)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ka_env.blackpoker.cards import CARDS, HASTY, INDEX, JOKER, NAMES, NUMBER, SUIT, members
from ka_env.blackpoker.codes import (
    ACTION_CODE,
    ACTION_NAME,
    BLOCK,
    DAMAGE,
    DOWN,
    FIRST_PLAYER_TARGET,
    FIRST_STAGE_TARGET,
    FORCE,
    GONE,
    LINK_ALL,
    MAGICIAN,
    NO_TARGET,
    PASSED_NONE,
    REDIRECT,
    SETUP,
    SLOTS,
    STAGE,
    UP,
)
from ka_env.blackpoker.decisions import (
    ASKED_BY,
    AT_ATTACKERS,
    AT_BLOCKERS,
    AT_CHANCE,
    AT_END,
    AT_LANCE_ORDER,
    AT_RECRUIT_ORDER,
    AT_SEARCH_CARD,
    KINDS,
    MAKING,
    SETTING_UP,
)
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import PARTNERS, RULES, RULESETS, actions_of, ruleset_index
from ka_env.blackpoker.rulesets.rows import (
    A_PLAYER,
    AIMED_REQUEST,
    KEYED_REQUEST,
    OPPONENT,
    THE_DAMAGE,
    TRAPPED_REQUEST,
)
from ka_env.blackpoker.state import blank
from ka_env.engine.loops import DRAWN, RUNNING, WON_0
from ka_env.errors import MOST_POSITION, NotationError, RulesetError, limit_text, nearest

RESULTS = {WON_0: "1 0", WON_0 + 1: "0 1", DRAWN: "0.5 0.5"}
PASSED = ["-", "0", "1", "both"]
ONCE_A_TURN = ("bulwark", "attack")
MAX_CHANGE = 999  # nothing in play comes near

_NUMBER = r"(?:0|[1-9][0-9]{0,3})"
_CHANGE = r"[+-][1-9][0-9]{0,3}"
_CARD = r"[A-Za-z0-9]{2}"


# ---- writing --------------------------------------------------------------------------------------------------------


def names(bits: int) -> list[str]:
    return [NAMES[c] for c in members(bits)]


def unit_cards(s: State, q: int, slot: int) -> list[int]:
    """The unit's cards from the bottom up."""
    cards = []
    card = int(s.bottom[q, slot])
    while card >= 0:
        cards.append(card)
        card = int(s.above[q, card])
    return cards


def _unit(s: State, q: int, slot: int) -> str:
    bit = 1 << slot
    kind = "b" if int(s.bulwarks[q]) & bit else "s"
    word = f"{slot}:{kind}" + "+".join(NAMES[c] for c in unit_cards(s, q, slot))
    if not int(s.charged[q]) & bit:
        word += "/d"
    if int(s.came[q]) & bit:
        word += "*"
    if int(s.attackers[q]) & bit:
        word += "^"
    if s.blocks[q, slot] >= 0:
        word += f"&{s.blocks[q, slot]}"
    if s.change[q, slot]:
        word += f"~{s.change[q, slot]:+d}"
    return word


def place_name(unit: int) -> str:
    return f"{unit // SLOTS}.{unit % SLOTS}"


def _fog(s: State, q: int, card: int) -> str:
    link = int(s.fog_link[q, card])
    plus = "+" if int(s.fog_plus[q]) >> card & 1 else ""
    place = "all" if link == LINK_ALL else place_name(link) if link >= 0 else "-"
    return f"{plus}{NAMES[card]}>{place}"


def _request(s: State, i: int) -> str:
    word = f"{i}:{s.stage_player[i]}.{ACTION_NAME[int(s.stage_action[i])]}"
    keys = [NAMES[k] for k in s.stage_key[i] if k >= 0]
    if keys:
        word += f"({','.join(keys)})"
    target = int(s.stage_target[i])
    if target == GONE:
        word += ">-"
    elif target >= FIRST_PLAYER_TARGET:
        word += f">p{target - FIRST_PLAYER_TARGET}"
    elif target >= FIRST_STAGE_TARGET:
        word += f">#{target - FIRST_STAGE_TARGET}"
    elif target != NO_TARGET:
        word += f">{place_name(target)}"
    return word


def life_of(s: State, q: int) -> list[int]:
    """Top first."""
    return [int(c) for c in s.life[q, : s.life_count[q]][::-1]]


def grave_of(s: State, q: int) -> list[int]:
    """Top last."""
    return [int(c) for c in s.grave[q, : s.grave_count[q]]]


def hidden_places(s: State, q: int) -> dict[int, str]:
    """Where q's face-down cards lie, as the notation writes it; in card order."""
    places = dict.fromkeys(members(s.hand[q]), "hand")
    places |= dict.fromkeys(grave_of(s, q)[:-1], "grave")
    places |= {int(s.bottom[q, slot]): f"field.{slot}" for slot in members(s.bulwarks[q])}
    places |= {c: f"life.{k}" for k, c in enumerate(life_of(s, q))}
    return dict(sorted(places.items()))


def own_places(s: State, p: int) -> dict[int, str]:
    """Where the cards of p's own life lie; in card order."""
    return dict(sorted((c, f"own.{k}") for k, c in enumerate(life_of(s, p))))


def _known(s: State, p: int) -> list[str]:
    """What p can follow (R1): hidden cards of the opponent, then cards of the own life."""
    seen, placed = int(s.seen[1 - p]), int(s.placed[p])
    theirs = [f"{NAMES[c]}@{place}" for c, place in hidden_places(s, 1 - p).items() if seen >> c & 1]
    return theirs + [f"{NAMES[c]}@{place}" for c, place in own_places(s, p).items() if placed >> c & 1]


def _pending(s: State) -> str:
    words = [KINDS[s.kind]]
    keys = [NAMES[k] for k in s.key if k >= 0]
    if s.verb >= 0:
        words.append(ACTION_NAME[int(s.verb)])
        if MAKING >> int(s.kind) & 1:
            words.append(f"paid={s.paid}")
    if s.paid_slot >= 0:
        words.append(f"slot={s.paid_slot}")
    if keys:
        words.append("keys=" + ",".join(keys))
    if s.picked:
        words.append("picked=" + ",".join(str(i) for i in members(s.picked)))
    if s.attacker >= 0:
        words.append(f"attacker={s.attacker}")
    if s.ordered:
        words.append("order=" + ",".join(NAMES[c] for c in s.order[: s.ordered]))
    if s.successions[s.player]:
        words.append(f"successions={s.successions[s.player]}")
    return " ".join(words)


def frame_lines(s: State, q: int) -> list[tuple[str, list[str]]]:
    """Pack and rare card, in rulesets that have them."""
    rules = RULES[s.ruleset]
    lines = []
    if rules.pack:
        lines.append((f"pack{q}", ["closed" if s.pack_closed[q] else "open", *(names(s.pack[q]) or "-")]))
    if rules.rare:
        lines.append((f"rare{q}", [NAMES[s.rare[q]]] if s.rare[q] >= 0 else []))
    return lines


def has_force(s: State) -> bool:
    return bool(int(RULES[s.ruleset].verbs) >> FORCE & 1)


def write_position(s: State) -> str:
    """The whole position; at decisions inside a request or an effect with a `pending` line."""
    if SETTING_UP >> int(s.kind) & 1:
        raise NotationError("the game is being set up: there is no position yet")

    def line(name: str, words: Iterable[str]) -> str:
        return f"{name} {' '.join(words) or '-'}"

    over = s.result != RUNNING
    lines = [
        "ka 1",
        f"rules {RULESETS[s.ruleset]}",
        f"turn {s.turn}",
        f"chance {'-' if over else s.player}",
        f"passed {PASSED[s.passed]}",
        line("used", [verb for verb in ONCE_A_TURN if int(s.used) >> ACTION_CODE[verb] & 1]),
    ]
    if has_force(s):
        lines.append(line("force", [str(s.force)] if s.force else []))
    for q in range(2):
        slots = members(int(s.bulwarks[q]) | int(s.soldiers[q]))
        lines += [
            line(f"life{q}", [NAMES[c] for c in life_of(s, q)]),
            line(f"hand{q}", names(s.hand[q])),
            line(f"grave{q}", [NAMES[c] for c in grave_of(s, q)]),
            line(f"field{q}", [_unit(s, q, slot) for slot in slots]),
            line(f"fog{q}", [_fog(s, q, c) for c in members(s.fog[q])]),
            *(line(name, words) for name, words in frame_lines(s, q)),
        ]
    lines.append(line("stage", [_request(s, i) for i in range(s.stage_count)]))
    for p in range(2):
        lines.append(line(f"known{p}", _known(s, p)))
    if over:
        lines.append(f"result {RESULTS[int(s.result)]}")
    elif s.kind != AT_CHANCE:
        lines.append(f"pending {_pending(s)}")
    return "\n".join(lines) + "\n"


# ---- reading --------------------------------------------------------------------------------------------------------

LINES = [
    *"ka rules turn chance passed used force".split(),
    *(f"{zone}{q}" for q in range(2) for zone in "life hand grave field fog pack rare".split()),
    *"stage known0 known1 pending result".split(),
]
NEEDED = [
    *"ka rules turn chance".split(),
    *(f"{zone}{q}" for q in range(2) for zone in "life hand grave field".split()),
]

_UNIT = re.compile(rf"({_NUMBER}):([bs])({_CARD}(?:\+{_CARD})*)(/d)?(\*)?(\^)?(?:&({_NUMBER}))?(?:~({_CHANGE}))?")
_FOG = re.compile(rf"(\+)?({_CARD})>(?:([01])\.({_NUMBER})|-|(all))")
_REQUEST = re.compile(rf"({_NUMBER}):([01])\.([a-z_]+)(?:\(([^()]*)\))?(?:>(.+))?")
_UNIT_TARGET = re.compile(rf"([01])\.({_NUMBER})")
_STAGE_TARGET = re.compile(rf"#({_NUMBER})")
_PLAYER_TARGET = re.compile("p([01])")
_KNOWN = re.compile(rf"({_CARD})@(hand|grave|field|life|own)(?:\.({_NUMBER}))?")


@dataclass
class _Reader:
    """Reads a text line by line into a record; every refusal names its line."""

    text: str
    words: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    line: str = ""

    def __post_init__(self) -> None:
        self.games = blank(1)
        self.s: Any = self.games[0]

    def refuse(self, reason: str) -> NotationError:
        where = f"line {self.numbers[self.line]} ({self.line}): " if self.line in self.numbers else ""
        return NotationError(f"position: {where}{reason}")

    def read(self) -> np.ndarray:
        self.split_lines()
        self.line = "ka"
        self.choose(["1"])
        self.read_rules()
        self.line = "turn"
        self.s.turn = int(self.choose("01"))
        for q in range(2):
            self.read_zones(q)
        self.read_stage()
        self.read_chance()
        self.read_used()
        for q in range(2):
            self.check_marks(q)
            self.read_fog_links(q)
        self.check_sizes()
        self.read_force()
        self.read_pending()
        for q in range(2):
            self.check_rare(q)
        for p in range(2):
            self.read_known(p)
        self.read_result()
        return self.games

    # -- lines and small facts

    def split_lines(self) -> None:
        for number, raw in enumerate(self.text.splitlines(), 1):
            words = raw.split()
            if not words or words[0].startswith("#"):
                continue
            name = words[0]
            self.line = ""
            if name not in LINES:
                raise NotationError(f"position: line {number}: unknown line {name!r}{nearest(name, LINES)}")
            if name in self.words:
                raise NotationError(f"position: line {number}: {name!r} stands in line {self.numbers[name]} already")
            self.numbers[name] = number
            self.line = name
            if len(words) == 1:
                raise self.refuse("nothing follows the name; write '-' for empty")
            self.words[name] = [] if words[1:] == ["-"] else words[1:]
        self.line = ""
        for name in NEEDED:
            if name not in self.words:
                raise NotationError(f"position: the line {name!r} is missing")

    def choose(self, choices: Iterable[str]) -> str:
        """The line's only word, one of the choices."""
        given = " ".join(self.words.get(self.line, [])) or "-"
        choices = list(choices)
        if given not in choices:
            raise self.refuse(f"{given!r} is none of {', '.join(choices)}{nearest(given, choices)}")
        return given

    def read_rules(self) -> None:
        self.line = "rules"
        try:
            self.s.ruleset = ruleset_index(" ".join(self.words["rules"]))
        except RulesetError as error:
            raise self.refuse(str(error)) from None
        self.ruleset = RULESETS[self.s.ruleset]
        self.rules: Any = RULES[self.s.ruleset]
        present = {"force": has_force(self.s), "pack": bool(self.rules.pack), "rare": bool(self.rules.rare)}
        for name in self.words:
            if not present.get(name.rstrip("01"), True):
                self.line = name
                raise self.refuse(f"{self.ruleset} has no {name.rstrip('01')}")

    def read_chance(self) -> None:
        s = self.s
        self.line = "chance"
        chance = self.choose("01-")
        s.player = -1 if chance == "-" else int(chance)
        if chance == "-" and "result" not in self.words:
            raise self.refuse("'-' is for finished games, but there is no result line")
        if not self.rules.pass_on_empty_stage and s.stage_count == 0 and s.player not in (s.turn, -1):
            raise self.refuse("in this edition only the turn player has the chance on an empty stage")
        self.line = "passed"
        passed = self.choose(PASSED)
        s.passed = PASSED.index(passed)
        if passed != "-" and chance == "-":
            raise self.refuse("nobody has passed in a finished game")
        if passed == chance != "-":
            raise self.refuse(f"player {passed} holds the chance, so has not passed")
        if passed == "both" and not (self.rules.pass_on_empty_stage and s.stage_count == 0 and s.player == s.turn):
            raise self.refuse("'both' needs 8.0, an empty stage, and the turn player's chance")

    def read_used(self) -> None:
        self.line = "used"
        for verb in self.words.get("used", []):
            if verb not in ONCE_A_TURN:
                raise self.refuse(f"{verb!r} is none of {', '.join(ONCE_A_TURN)}{nearest(verb, ONCE_A_TURN)}")
            bit = 1 << ACTION_CODE[verb]
            if int(self.s.used) & bit:
                raise self.refuse(f"{verb!r} occurs twice")
            self.s.used |= bit

    # -- cards

    def card(self, name: str, q: int) -> int:
        """A card of player q that has not been read elsewhere."""
        if name not in INDEX:
            raise self.refuse(f"unknown card {name!r}{nearest(name, INDEX)}")
        bit = 1 << INDEX[name]
        if int(self.s.deck[q]) & bit:
            raise self.refuse(f"card {name} of player {q} occurs twice")
        self.s.deck[q] |= bit
        return INDEX[name]

    def read_zones(self, q: int) -> None:
        s = self.s
        self.line = f"life{q}"
        life = [self.card(name, q) for name in self.words[self.line]]
        s.life[q, : len(life)] = life[::-1]
        s.life_count[q] = len(life)
        self.line = f"hand{q}"
        for name in self.words[self.line]:
            s.hand[q] |= 1 << self.card(name, q)
        self.line = f"grave{q}"
        grave = [self.card(name, q) for name in self.words[self.line]]
        s.grave[q, : len(grave)] = grave
        s.grave_count[q] = len(grave)
        if grave:
            s.seen[q] |= 1 << grave[-1]
        self.line = f"field{q}"
        for word in self.words[self.line]:
            self.read_unit(q, word)
        self.line = f"fog{q}"
        for word in self.words.get(self.line, []):
            self.read_fog(q, word)
        self.read_pack(q)
        self.line = f"rare{q}"
        rares = self.words.get(self.line, [])
        if len(rares) > 1:
            raise self.refuse("a player has at most one rare card")
        for name in rares:
            s.rare[q] = self.card(name, q)

    def read_pack(self, q: int) -> None:
        self.line = f"pack{q}"
        if self.line not in self.words:
            return
        words = self.words[self.line]
        state = words[0] if words else "-"
        if state not in ("closed", "open"):
            raise self.refuse(f"{state!r} is none of closed, open{nearest(state, ['closed', 'open'])}")
        self.s.pack_closed[q] = state == "closed"
        for name in [] if words[1:] == ["-"] else words[1:]:
            self.s.pack[q] |= 1 << self.card(name, q)

    def check_rare(self, q: int) -> None:
        """R74: one rare card among its zone and the keys of those actions that use it."""
        s = self.s
        self.line = "stage"
        requests = [i for i in range(s.stage_count) if s.stage_player[i] == q]
        used = sum(int(self.rules.rare_keyed) >> int(s.stage_action[i]) & 1 for i in requests)
        used += s.verb >= 0 and s.player == q and s.key[0] >= 0 and int(self.rules.rare_keyed) >> int(s.verb) & 1
        if used + (s.rare[q] >= 0) > 1:
            raise self.refuse(f"player {q} has more than one rare card")

    def read_force(self) -> None:
        """R76"""
        s = self.s
        self.line = "force"
        text = " ".join(self.words.get(self.line, [])) or "-"
        if text != "-" and not re.fullmatch("[1-9][0-9]?", text):
            raise self.refuse(f"{text!r} is no force: expected a number from 3 to 99, or -")
        force = 0 if text == "-" else int(text)
        if self.rules.fog:
            cards = [c for c in members(s.fog[s.turn]) if s.fog_link[s.turn, c] == LINK_ALL]
            total = sum(int(NUMBER[c]) for c in cards)
            if len(cards) % 2:
                raise self.refuse("a force has two key cards, but the number of fog cards with '>all' is odd")
            if force != total:
                raise self.refuse(f"{text!r}, but the fog cards with '>all' make {total or '-'}")
        elif force and force < 3:
            raise self.refuse(f"{text!r}: two keys make at least 3")
        s.force = force

    def read_unit(self, q: int, word: str) -> None:
        s = self.s
        match = _UNIT.fullmatch(word)
        if not match:
            raise self.refuse(f"can't read unit {word!r}: expected slot:b or slot:s, cards, marks /d * ^ &n ~+n")
        slot = self.slot(match[1])
        bit = 1 << slot
        if (int(s.bulwarks[q]) | int(s.soldiers[q])) & bit:
            raise self.refuse(f"slot {slot} occurs twice")
        cards = [self.card(name, q) for name in match[3].split("+")]
        if match[2] == "b":
            if len(cards) > 1:
                raise self.refuse(f"{word!r}: a bulwark has one card")
            if match[6] or match[8]:
                raise self.refuse(f"{word!r}: a bulwark neither attacks nor has a size")
            s.bulwarks[q] |= bit
        else:
            self.check_soldier(word, cards)
            s.soldiers[q] |= bit
            s.sizes[q, slot] = sum(int(NUMBER[c]) for c in cards)
            for c in cards:
                s.seen[q] |= 1 << c
                s.haste[q] |= bit if HASTY >> c & 1 else 0
        s.bottom[q, slot] = cards[0]
        for below, above in itertools.pairwise(cards):
            s.above[q, below] = above
        s.charged[q] |= 0 if match[4] else bit
        s.came[q] |= bit if match[5] else 0
        s.attackers[q] |= bit if match[6] else 0
        s.blocks[q, slot] = self.slot(match[7]) if match[7] else -1
        change = int(match[8] or 0)
        if abs(change) > MAX_CHANGE:
            raise self.refuse(f"{word!r}: a size change of {change} is out of range")
        s.change[q, slot] = change

    def slot(self, digits: str) -> int:
        if int(digits) >= SLOTS:
            raise self.refuse(f"slot {digits} is out of range: expected 0 to {SLOTS - 1}")
        return int(digits)

    def check_soldier(self, word: str, cards: list[int]) -> None:
        if len(cards) > 1 and (len({int(SUIT[c]) for c in cards}) > 1 or max(cards) >= JOKER):
            raise self.refuse(f"{word!r}: an armed soldier has cards of one suit and no Joker")
        if cards[0] >= JOKER and not int(self.rules.verbs) >> MAGICIAN & 1:
            raise self.refuse(f"{word!r}: {self.ruleset} has no magician")

    def read_fog(self, q: int, word: str) -> None:
        if not self.rules.fog:
            raise self.refuse(f"{self.ruleset} has no fog")
        match = _FOG.fullmatch(word)
        if not match:
            raise self.refuse(f"can't read fog card {word!r}: expected card>player.slot or card>-")
        card = self.card(match[2], q)
        if not (int(self.rules.first_key[UP]) | int(self.rules.first_key[DOWN])) >> card & 1:
            raise self.refuse(f"{match[2]} is no key of up or down")
        self.s.fog[q] |= 1 << card
        self.s.seen[q] |= 1 << card
        if match[1]:
            if not int(self.rules.first_key[SETUP]) >> card & 1 or not match[3]:
                raise self.refuse(f"{word!r}: a plus sign needs a spade of setup and a unit it acts on")
            self.s.fog_plus[q] |= 1 << card
        if match[5]:
            if not int(self.rules.first_key[FORCE]) >> card & 1 or q != self.s.turn:
                raise self.refuse(f"{word!r}: only keys of the turn player's force act on all")
            self.s.fog_link[q, card] = LINK_ALL
        elif match[3]:
            self.s.fog_link[q, card] = int(match[3]) * SLOTS + self.slot(match[4])

    def is_unit(self, unit: int) -> bool:
        q, slot = divmod(unit, SLOTS)
        return bool((int(self.s.bulwarks[q]) | int(self.s.soldiers[q])) >> slot & 1)

    def read_fog_links(self, q: int) -> None:
        self.line = f"fog{q}"
        for card in members(self.s.fog[q]):
            link = int(self.s.fog_link[q, card])
            if 0 <= link < LINK_ALL and not self.is_unit(link):
                raise self.refuse(f"{NAMES[card]} is linked to {place_name(link)}, where no unit is")

    def check_sizes(self) -> None:
        """With a fog, a size change is what the linked fog cards say."""
        s = self.s
        if not self.rules.fog:
            return
        total = np.zeros((2, SLOTS), dtype=int)
        for q in range(2):
            for card in members(s.fog[q]):
                link = int(s.fog_link[q, card])
                if 0 <= link < LINK_ALL:
                    sign = 1 if (int(self.rules.first_key[UP]) | int(s.fog_plus[q])) >> card & 1 else -1
                    total[divmod(link, SLOTS)] += sign * NUMBER[card]
        for q, slot in np.argwhere(total != s.change):
            self.line = f"field{q}"
            raise self.refuse(
                f"the unit in slot {slot} has a size change of {s.change[q, slot]:+d}, "
                f"but the fog cards linked to it make {total[q, slot]:+d}"
            )

    def check_marks(self, q: int) -> None:
        """Attacker and blocker marks fit the stage and each other."""
        s = self.s
        self.line = f"field{q}"
        # A game may end when the attackers are named, before the block is on the stage.
        fighting = "result" in self.words or any(s.stage_action[i] in (BLOCK, DAMAGE) for i in range(s.stage_count))
        if s.attackers[q]:
            if q != s.turn:
                raise self.refuse("'^' on a unit of the player who is not on turn")
            if not fighting:
                raise self.refuse("'^' without block or damage on the stage")
        blockers = [slot for slot in range(SLOTS) if s.blocks[q, slot] >= 0]
        if blockers and not fighting:
            raise self.refuse("'&' without block or damage on the stage")
        for slot in blockers:
            attacker = int(s.blocks[q, slot])
            if not int(s.attackers[1 - q]) >> attacker & 1:
                raise self.refuse(f"the unit in slot {slot} blocks enemy slot {attacker}, which is no attacker")
            together = [other for other in blockers if s.blocks[q, other] == attacker]
            if len(together) > 1 and int(s.bulwarks[q]) >> slot & 1:
                raise self.refuse(f"a bulwark and another unit block the attacker in enemy slot {attacker}")

    # -- the stage

    def read_stage(self) -> None:
        self.line = "stage"
        requests = self.words.get("stage", [])
        if len(requests) > STAGE:
            raise self.refuse(f"{len(requests)} requests: the stage holds at most {STAGE}")
        for i, word in enumerate(requests):
            self.read_request(i, word)
            self.s.stage_count = i + 1
        for i, word in enumerate(requests):
            self.check_stage_target(i, word)

    def read_request(self, i: int, word: str) -> None:
        s = self.s
        match = _REQUEST.fullmatch(word)
        if not match:
            raise self.refuse(f"can't read request {word!r}: expected index:player.action(keys)>target")
        if int(match[1]) != i:
            raise self.refuse(f"{word!r}: expected index {i}")
        player, verb = int(match[2]), match[3]
        code = self.action_on_stage(i, word, player, verb)
        s.stage_action[i] = code
        s.stage_player[i] = player
        keys = self.read_keys(match[4].split(",") if match[4] is not None else [], player, code, word)
        s.stage_key[i, : len(keys)] = keys
        if len(keys) != self.rules.keys[code]:
            raise self.refuse(f"{word!r}: {verb} has {self.rules.keys[code]} key cards")
        s.stage_target[i] = self.read_target(i, word, match[5], code)

    def action_on_stage(self, i: int, word: str, player: int, verb: str) -> int:
        rows = {a.verb: a for a in actions_of(self.ruleset)}
        if verb not in rows:
            raise self.refuse(f"{word!r}: {self.ruleset} has no action {verb!r}{nearest(verb, rows)}")
        row = rows[verb]
        if row.speed == "immediate":
            raise self.refuse(f"{word!r}: {verb} is immediate and never lies on the stage")
        if row.timing != "quick" and player != self.s.turn:
            raise self.refuse(f"{word!r}: {verb} belongs to the turn player")
        if row.who == "other" and player == self.s.turn:
            raise self.refuse(f"{word!r}: {verb} belongs to the player who is not on turn")
        if row.timing == "main" and i > 0:
            raise self.refuse(f"{word!r}: {verb} needs an empty stage, so it can only lie at the bottom")
        return ACTION_CODE[verb]

    def read_keys(self, words: list[str], player: int, code: int, word: str) -> list[int]:
        keys = [self.card(name, player) for name in words]
        fits = len(keys) <= self.rules.keys[code]
        if fits and keys:
            fits = bool(int(self.rules.first_key[code]) >> keys[0] & 1)
        for last, key in itertools.pairwise(keys):
            fits = fits and bool(int(PARTNERS[self.rules.pairing[code], last]) >> key & 1)
        if not fits:
            raise self.refuse(f"{word!r}: these are no keys of {ACTION_NAME[code]}, or not in the order they are asked")
        for key in keys:
            self.s.seen[player] |= 1 << key
        return keys

    def read_target(self, i: int, word: str, target: str | None, code: int) -> int:
        kind = self.rules.target[code]
        if kind <= OPPONENT:
            if target is not None:
                raise self.refuse(f"{word!r}: {ACTION_NAME[code]} has no target to write")
            return NO_TARGET
        if target is None:
            raise self.refuse(f"{word!r}: {ACTION_NAME[code]} needs a target ('>-' if it is gone)")
        if kind == A_PLAYER:
            match = _PLAYER_TARGET.fullmatch(target)
            if not match:
                raise self.refuse(f"{word!r}: can't read target {target!r}: expected p0 or p1")
            return FIRST_PLAYER_TARGET + int(match[1])
        if target == "-":
            return GONE
        at_request = kind in (KEYED_REQUEST, TRAPPED_REQUEST, AIMED_REQUEST, THE_DAMAGE)
        match = (_STAGE_TARGET if at_request else _UNIT_TARGET).fullmatch(target)
        if not match:
            expected = "#index" if at_request else "player.slot"
            raise self.refuse(f"{word!r}: can't read target {target!r}: expected {expected} or -")
        if at_request:
            return FIRST_STAGE_TARGET + min(int(match[1]), STAGE - 1)
        unit = int(match[1]) * SLOTS + self.slot(match[2])
        if not self.is_unit(unit):
            raise self.refuse(f"{word!r}: no unit at {target}")
        return unit

    def check_stage_target(self, i: int, word: str) -> None:
        """At which requests a request may be aimed; a redirect may have moved it onto one above."""
        s = self.s
        target = int(s.stage_target[i]) - FIRST_STAGE_TARGET
        if not 0 <= target < STAGE:
            return
        kind = self.rules.target[s.stage_action[i]]
        may_rise = kind != THE_DAMAGE and int(self.rules.verbs) >> REDIRECT & 1
        if target == i or target >= s.stage_count or (target > i and not may_rise):
            where = "another one" if may_rise else "one below itself"
            raise self.refuse(f"{word!r}: a request is aimed at {where}")
        action = int(s.stage_action[target])
        if kind == THE_DAMAGE and action != DAMAGE:
            raise self.refuse(f"{word!r}: truce is aimed at damage")
        if kind == KEYED_REQUEST and int(self.rules.verbs & ~self.rules.counterable) >> action & 1:
            raise self.refuse(f"{word!r}: {ACTION_NAME[action]} can't be countered")

    # -- knowledge

    def read_known(self, p: int) -> None:
        s = self.s
        self.line = f"known{p}"
        theirs = {f"{NAMES[c]}@{place}": c for c, place in hidden_places(s, 1 - p).items()}
        own = {f"{NAMES[c]}@{place}": c for c, place in own_places(s, p).items()}
        for word in self.words.get(self.line, []):
            if not _KNOWN.fullmatch(word):
                raise self.refuse(f"can't read {word!r}: expected card@hand, @grave, @field.slot, @life.k or @own.k")
            if word in theirs:
                s.seen[1 - p] |= 1 << theirs.pop(word)
            elif word in own:
                s.placed[p] |= 1 << own.pop(word)
            else:
                raise self.refuse(f"{word!r} names no hidden card lying there, or stands here twice")

    # -- the decision

    def read_pending(self) -> None:
        s = self.s
        if "pending" not in self.words:
            return
        self.line = "pending"
        words = self.words["pending"]
        if not words or words[0] not in KINDS[1:]:
            given = words[0] if words else "-"
            raise self.refuse(f"unknown decision {given!r}{nearest(given, KINDS[1:])}")
        if s.player < 0 or s.passed != PASSED_NONE:
            raise self.refuse("a pending decision needs a player in 'chance' and nobody in 'passed'")
        s.kind = KINDS.index(words[0])
        rest = words[1:]
        if self.in_request() and not (self.on_stage() and (not rest or rest[0] not in ACTION_CODE)):
            if not rest or rest[0] not in ACTION_CODE:
                raise self.refuse("which action is being requested?")
            s.verb = ACTION_CODE[rest.pop(0)]
            if not self.making():
                s.paid = int(np.count_nonzero(self.rules.cost[0, s.verb]))
        allowed = self.pending_details()
        for word in rest:
            name, _, value = word.partition("=")
            if name not in allowed:
                raise self.refuse(f"{word!r} does not belong to {words[0]}{nearest(name, allowed)}")
            allowed.pop(name)(value)

    def making(self) -> bool:
        """Is the decision part of making a request?"""
        return bool(MAKING >> int(self.s.kind) & 1)

    def in_request(self) -> bool:
        """The same, or an immediate request asks it."""
        return self.making() or bool(int(ASKED_BY[self.s.kind]) & int(self.rules.verbs) & ~int(self.rules.normal))

    def on_stage(self) -> bool:
        """May a request on the stage ask it?"""
        return bool(int(ASKED_BY[self.s.kind]) & int(self.rules.normal))

    def pending_details(self) -> dict[str, Callable[[str], None]]:
        kind = self.s.kind
        if self.making():
            details: dict[str, Callable[[str], None]] = {
                "paid": self.read_paid,
                "slot": self.read_paid_slot,
                "keys": self.read_named_keys,
            }
            return details | ({"successions": self.read_successions} if self.gives_up_units() else {})
        if kind == AT_SEARCH_CARD:
            taken: dict[str, Callable[[str], None]] = {"keys": self.read_named_keys, "order": self.read_order}
            return taken | ({"successions": self.read_successions} if self.gives_up_units() else {})
        if kind == AT_ATTACKERS:
            return {"picked": self.read_picked}
        if kind == AT_BLOCKERS:
            return {"attacker": self.read_attacker}
        if kind in (AT_LANCE_ORDER, AT_RECRUIT_ORDER):
            return {"order": self.read_order}
        return {}

    def gives_up_units(self) -> bool:
        return self.s.verb >= 0 and bool(int(self.rules.sacrifices) >> int(self.s.verb) & 1)

    def read_successions(self, value: str) -> None:
        self.s.successions[self.s.player] = self.number(value, CARDS)

    def number(self, text: str, below: int) -> int:
        if not re.fullmatch(_NUMBER, text) or int(text) >= below:
            raise self.refuse(f"{text!r} is no number below {below}")
        return int(text)

    def read_paid(self, value: str) -> None:
        self.s.paid = self.number(value, 4)

    def read_paid_slot(self, value: str) -> None:
        self.s.paid_slot = self.number(value, SLOTS)

    def read_named_keys(self, value: str) -> None:
        keys = self.read_keys(value.split(","), int(self.s.player), int(self.s.verb), value)
        self.s.key[: len(keys)] = keys

    def read_picked(self, value: str) -> None:
        for digits in value.split(","):
            self.s.picked |= 1 << self.number(digits, SLOTS)

    def read_attacker(self, value: str) -> None:
        self.s.attacker = self.number(value, SLOTS)

    def read_order(self, value: str) -> None:
        cards = value.split(",")
        if len(cards) > 13 or len(set(cards)) < len(cards) or any(name not in INDEX for name in cards):
            raise self.refuse(f"{value!r}: expected the cards placed so far")
        self.s.order[: len(cards)] = [INDEX[name] for name in cards]
        self.s.ordered = len(cards)

    def read_result(self) -> None:
        if "result" not in self.words:
            return
        self.line = "result"
        results = {text: code for code, text in RESULTS.items() if code != DRAWN or self.rules.both_at_zero_draws}
        result = results[self.choose(results)]
        if self.s.player >= 0:
            raise self.refuse("the game is over, so 'chance' must be '-'")
        self.s.result = result
        self.s.kind = AT_END


def read_position(text: str) -> np.ndarray:
    """One game as an array of length 1, before forced decisions are taken. Raises NotationError."""
    limit_text(text, MOST_POSITION, "position")
    return _Reader(text).read()
