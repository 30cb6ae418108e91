"""The position text: read(text) -> State, write(state, ...) -> text."""

import re

from .errors import RefNotationError
from .state import ALL, Request, State, Unit
from .tables import (
    FROM_RARE,
    INDEX,
    NO_COUNTER,
    PLAYER_TARGET,
    REQUEST_TARGET,
    RULESETS,
    SLOTS,
    STAGE_MAX,
    TRIGGERED,
    UNIT_TARGET,
    VERBS,
    has_pack,
    has_rare,
    has_verb,
    in_card_order,
    is_immediate,
    is_joker,
    is_quick,
    keys_fit,
    number,
    suit,
)

NAMES = (
    "ka rules turn chance passed used force life0 hand0 grave0 field0 fog0 pack0 rare0 "
    "life1 hand1 grave1 field1 fog1 pack1 rare1 stage known0 known1 result"
).split()
NEEDED = "ka rules turn chance life0 hand0 grave0 field0 life1 hand1 grave1 field1".split()
RESULTS = {"1 0": (1, 0), "0 1": (0, 1), "0.5 0.5": (0.5, 0.5)}

NUM = r"(0|[1-9][0-9]*)"
FIELD_WORD = re.compile(NUM + r":([bs])([A-Z0-9shdc+]+)(/d)?(\*)?(\^)?(?:&" + NUM + r")?(?:~([+-][1-9][0-9]*))?")
FOG_WORD = re.compile(r"(\+?)(\w\w)>(?:(-)|(all)|([01])\." + NUM + ")")
STAGE_WORD = re.compile(NUM + r":([01])\.([a-z]+)(?:\(([^()]*)\))?(?:>(.+))?")
UNIT_REF = re.compile(r"([01])\." + NUM)
STAGE_REF = re.compile("#" + NUM)
PLAYER_REF = re.compile("p([01])")
KNOWN_WORD = re.compile(r"(\w\w)@(?:(hand|grave)|(field|life|own)\." + NUM + ")")


# ---- writing -----------------------------------------------------------------------------------


def write(s, chance, passed):
    """chance: player or None; passed: None, 0, 1 or "both"."""
    lines = ["ka 1", f"rules {s.ruleset}", f"turn {s.turn}"]
    lines.append(f"chance {_or_dash(chance)}")
    lines.append(f"passed {_or_dash(passed)}")
    lines.append("used " + _join(w for w in ("bulwark", "attack") if w in s.used))
    if s.format == "mast":
        lines.append(f"force {s.force or '-'}")
    for p in (0, 1):
        lines.append(f"life{p} " + _join(s.life[p]))
        lines.append(f"hand{p} " + _join(in_card_order(s.hand[p])))
        lines.append(f"grave{p} " + _join(s.grave[p]))
        lines.append(f"field{p} " + _join(field_words(s, p)))
        lines.append(f"fog{p} " + _join(fog_words(s, p)))
        if has_pack(s.extra):
            lines.append(f"pack{p} {'closed' if s.closed[p] else 'open'} " + _join(in_card_order(s.pack[p])))
        if has_rare(s.extra):
            lines.append(f"rare{p} {_or_dash(s.rare[p])}")
    lines.append("stage " + _join(stage_words(s)))
    for p in (0, 1):
        lines.append(f"known{p} " + _join(known_words(s, p)))
    if s.result is not None:
        lines.append("result {} {}".format(*s.result))
    return "\n".join(lines) + "\n"


def _or_dash(value):
    return "-" if value is None else value


def _join(words):
    return " ".join(words) or "-"


def _unit_ref(unit):
    return "-" if unit is None else f"{unit.owner}.{unit.slot}"


def field_words(s, p):
    return [_unit_word(u) for u in s.units(p)]


def fog_words(s, p):
    return [_fog_word(s, p, card) for card in in_card_order(s.fog[p])]


def stage_words(s):
    return [_stage_word(s, i) for i in range(len(s.stage))]


def _fog_word(s, p, card):
    link = s.fog[p][card]
    return ("+" if card in s.plus[p] else "") + f"{card}>" + (ALL if link == ALL else _unit_ref(link))


def _unit_word(u):
    word = f"{u.slot}:" + ("s" if u.soldier else "b") + "+".join(u.cards)
    if u.driven:
        word += "/d"
    if u.came:
        word += "*"
    if u.attacker:
        word += "^"
    if u.blocks is not None:
        word += f"&{u.blocks.slot}"
    if u.change:
        word += f"~{u.change:+d}"
    return word


def _stage_word(s, index):
    r = s.stage[index]
    word = f"{index}:{r.player}.{r.verb}"
    if r.keys:
        word += "(" + ",".join(r.keys) + ")"
    if r.verb in UNIT_TARGET:
        word += ">" + _unit_ref(r.target if s.on_field(r.target) else None)
    if r.verb in REQUEST_TARGET:
        word += f">#{s.stage.index(r.target)}" if r.target in s.stage else ">-"
    if r.verb in PLAYER_TARGET:
        word += f">p{r.target}"
    return word


def known_words(s, p):
    other = 1 - p
    words = []
    for card in in_card_order(s.known[p]):
        if card in s.hand[other]:
            words.append(f"{card}@hand")
        elif card in s.grave[other][:-1]:
            words.append(f"{card}@grave")
        elif card in s.life[other]:
            words.append(f"{card}@life.{s.life[other].index(card)}")
        else:
            for u in s.units(other):
                if not u.soldier and u.cards == [card]:
                    words.append(f"{card}@field.{u.slot}")
    for card in in_card_order(s.own[p]):
        words.append(f"{card}@own.{s.life[p].index(card)}")
    return words


# ---- reading -----------------------------------------------------------------------------------


def read(text):
    return _Reader(text).state


class _Reader:
    def __init__(self, text):
        self.lines = {}  # name -> whole line
        self.words = {}  # name -> list of words, [] for `-`
        self._split(text)
        self._one("ka", ["1"])
        self.state = s = State(self._one("rules", RULESETS))
        self._lines_of_ruleset(s)
        self._head(s)
        self.seen = [set(), set()]  # cards already placed, per player
        for p in (0, 1):
            self._life_hand_grave(s, p)
            self._field(s, p)
            self._pack(s, p)
            self._rare(s, p)
        self._blocks(s)
        for p in (0, 1):
            self._fog(s, p)
        self._sizes(s)
        self._force(s)
        self._stage(s)
        self._one_rare_card(s)
        self._marks_need_combat(s)
        self._passed(s)
        for p in (0, 1):
            self._known(s, p)
        s.show_visible()

    def fail(self, name, reason):
        raise RefNotationError(self.lines.get(name, name), reason)

    def _split(self, text):
        for line in text.splitlines():
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            name, *words = line.split()
            if name not in NAMES:
                raise RefNotationError(line, "unknown line")
            if name in self.lines:
                raise RefNotationError(line, "repeated line")
            self.lines[name] = line
            if not words:
                self.fail(name, "nothing after the name")
            self.words[name] = [] if words == ["-"] else words
        for name in NEEDED:
            if name not in self.lines:
                raise RefNotationError(name, "missing line")

    def _one(self, name, allowed):
        value = " ".join(self.words[name]) or "-"
        if value not in allowed:
            self.fail(name, "bad value")
        return value

    def _lines_of_ruleset(self, s):
        for name in self.lines:
            zone = name.rstrip("01")
            if (
                (zone == "force" and s.format != "mast")
                or (zone == "pack" and not has_pack(s.extra))
                or (zone == "rare" and not has_rare(s.extra))
            ):
                self.fail(name, f"{s.ruleset} has no such line")

    def _head(self, s):
        s.turn = int(self._one("turn", ["0", "1"]))
        if "result" in self.lines:
            s.result = RESULTS[self._one("result", list(RESULTS))]
            if s.result == (0.5, 0.5) and s.edition == "8.0":
                self.fail("result", "8.0 has no draws")
            if self._one("chance", ["0", "1", "-"]) != "-":
                self.fail("chance", "a result needs `chance -`")
        else:
            s.holder = int(self._one("chance", ["0", "1"]))
        for word in self.words.get("used", []):
            if word not in ("bulwark", "attack"):
                self.fail("used", f"no such value: {word}")
            if word in s.used:
                self.fail("used", f"twice: {word}")
            s.used.add(word)

    def _card(self, name, player, card):
        """A card of that player that lies here."""
        if card not in INDEX:
            self.fail(name, f"unknown card {card}")
        if card in self.seen[player]:
            self.fail(name, f"card {card} twice")
        self.seen[player].add(card)
        return card

    def _life_hand_grave(self, s, p):
        s.life[p] = [self._card(f"life{p}", p, c) for c in self.words[f"life{p}"]]
        s.hand[p] = {self._card(f"hand{p}", p, c) for c in self.words[f"hand{p}"]}
        s.grave[p] = [self._card(f"grave{p}", p, c) for c in self.words[f"grave{p}"]]

    def _field(self, s, p):
        name = f"field{p}"
        for word in self.words[name]:
            m = FIELD_WORD.fullmatch(word)
            if not m:
                self.fail(name, f"can't read {word}")
            slot, kind, cards, driven, came, attacker, blocks, change = m.groups()
            slot = int(slot)
            if slot >= SLOTS:
                self.fail(name, f"slot out of range: {word}")
            if slot in s.field[p]:
                self.fail(name, f"slot twice: {word}")
            cards = [self._card(name, p, c) for c in cards.split("+")]
            u = Unit(p, slot, cards, kind == "s")
            u.driven, u.came, u.attacker = bool(driven), bool(came), bool(attacker)
            u.blocks = None if blocks is None else int(blocks)  # a slot for now
            u.change = int(change or 0)
            if not u.soldier and (len(cards) > 1 or attacker or change):
                self.fail(name, f"not possible for a bulwark: {word}")
            if len(cards) > 1 and (any(map(is_joker, cards)) or len(set(map(suit, cards))) > 1):
                self.fail(name, f"an armed soldier has one suit: {word}")
            if u.magician() and s.format == "lite":
                self.fail(name, f"no magician in lite: {word}")
            if u.attacker and p != s.turn:
                self.fail(name, f"attacker of the player who is not on turn: {word}")
            s.field[p][slot] = u

    def _blocks(self, s):
        for p in (0, 1):
            for u in s.units(p):
                if u.blocks is not None:
                    attacker = s.field[1 - p].get(u.blocks)
                    if attacker is None or not attacker.attacker:
                        self.fail(f"field{p}", f"slot {u.slot} blocks nobody")
                    u.blocks = attacker
            for a in s.units(1 - p):
                blockers = [u for u in s.units(p) if u.blocks is a]
                if len(blockers) > 1 and not all(u.soldier for u in blockers):
                    self.fail(f"field{p}", "a bulwark blocks alone")

    def _pack(self, s, p):
        name = f"pack{p}"
        if name not in self.lines:
            return
        state, *cards = self.words[name] or ["-"]
        if state not in ("closed", "open"):
            self.fail(name, "neither closed nor open")
        if not cards:
            self.fail(name, "no cards is written `-`")
        s.closed[p] = state == "closed"
        s.pack[p] = set() if cards == ["-"] else {self._card(name, p, c) for c in cards}

    def _rare(self, s, p):
        name = f"rare{p}"
        cards = self.words.get(name, [])
        if len(cards) > 1:
            self.fail(name, "more than one card")
        s.rare[p] = self._card(name, p, cards[0]) if cards else None

    def _one_rare_card(self, s):
        """R74"""
        for p in (0, 1):
            keys = [r for r in s.stage if r.player == p and r.verb in FROM_RARE]
            if len(keys) + (s.rare[p] is not None) > 1:
                self.fail("stage", f"player {p} has more than one rare card")

    def _fog(self, s, p):
        name = f"fog{p}"
        words = self.words.get(name, [])
        if words and s.edition == "6.1":
            self.fail(name, "no fog in 6.1")
        for word in words:
            m = FOG_WORD.fullmatch(word)
            if not m:
                self.fail(name, f"can't read {word}")
            plus, card, gone, of_force, player, slot = m.groups()
            self._card(name, p, card)
            if not (keys_fit("up", [card]) or keys_fit("down", [card])):
                self.fail(name, f"no key of an action that leaves fog: {word}")
            if plus:
                if s.extra != "setup" or suit(card) != "s" or player is None:
                    self.fail(name, f"a plus sign belongs to a linked key of setup: {word}")
                s.plus[p].add(card)
            if of_force:
                if s.format != "mast" or suit(card) != "h" or p != s.turn:
                    self.fail(name, f"no key of the turn player's force: {word}")
                s.fog[p][card] = ALL
            else:
                s.fog[p][card] = None if gone else self._unit(s, name, player, slot)

    def _force(self, s):
        value = " ".join(self.words.get("force", [])) or "-"
        if s.edition == "8.0":
            keys = [card for card, link in s.fog[s.turn].items() if link == ALL]
            s.force = sum(number(card) for card in keys)
            if len(keys) % 2:
                self.fail("force", "two keys make a force")
            if value != (str(s.force) if keys else "-"):
                self.fail("force", "not the sum of the fog cards written >all")
        elif value != "-":
            if not re.fullmatch("[1-9][0-9]?", value) or int(value) < 3:
                self.fail("force", "not a sum that keys can make")
            s.force = int(value)

    def _unit(self, s, name, player, slot):
        unit = s.field[int(player)].get(int(slot))
        if unit is None:
            self.fail(name, f"no unit {player}.{slot}")
        return unit

    def _sizes(self, s):
        if s.edition != "8.0":
            return
        for p in (0, 1):
            for u in s.units(p):
                total = 0
                for owner in (0, 1):
                    for card, unit in s.fog[owner].items():
                        if unit is u:
                            total += number(card) if suit(card) == "h" or card in s.plus[owner] else -number(card)
                if total != u.change:
                    self.fail(f"field{p}", f"slot {u.slot}: size mark and fog differ")

    def _stage(self, s):
        words = self.words.get("stage", [])
        if len(words) > STAGE_MAX:
            self.fail("stage", "too many requests")
        aims = []
        for i, word in enumerate(words):
            m = STAGE_WORD.fullmatch(word)
            if not m:
                self.fail("stage", f"can't read {word}")
            index, player, verb, keys, target = m.groups()
            if int(index) != i:
                self.fail("stage", f"index must be {i}: {word}")
            self._stage_timing(s, i, int(player), verb, word)
            cards = [] if keys is None else [self._card("stage", int(player), c) for c in keys.split(",")]
            if not keys_fit(verb, cards):
                self.fail("stage", f"keys don't fit: {word}")
            s.stage.append(Request(int(player), verb, cards))
            aims.append(target)
        for i, target in enumerate(aims):  # R37: it may lie above
            self._stage_target(s, i, target, words[i])

    def _stage_timing(self, s, i, player, verb, word):
        if verb not in TRIGGERED:
            if verb not in VERBS or not has_verb(s.edition, s.format, s.extra, verb):
                self.fail("stage", f"no such action in this ruleset: {word}")
            if is_immediate(s.edition, verb):
                self.fail("stage", f"immediate, never on the stage: {word}")
        quick = is_quick(s.edition, verb)
        if not quick and player != s.turn:
            self.fail("stage", f"not this player's turn: {word}")
        if verb == "quick" and player == s.turn:
            self.fail("stage", f"not on the own turn: {word}")
        if not quick and verb not in TRIGGERED and i > 0:
            self.fail("stage", f"main timing needs an empty stage: {word}")

    def _stage_target(self, s, i, target, word):
        r = s.stage[i]
        if (target is not None) != (r.verb in UNIT_TARGET + REQUEST_TARGET + PLAYER_TARGET):
            self.fail("stage", f"target missing or out of place: {word}")
        if target is None or (target == "-" and r.verb not in PLAYER_TARGET):
            return
        form = UNIT_REF if r.verb in UNIT_TARGET else PLAYER_REF if r.verb in PLAYER_TARGET else STAGE_REF
        m = form.fullmatch(target)
        if not m:
            self.fail("stage", f"bad target: {word}")
        if r.verb in UNIT_TARGET:
            r.target = self._unit(s, "stage", m[1], m[2])
        elif r.verb in PLAYER_TARGET:
            r.target = int(m[1])
        else:
            r.target = self._stage_request(s, i, int(m[1]), word)

    def _stage_request(self, s, i, aimed, word):
        may_lie_above = s.stage[i].verb != "truce" and has_verb(s.edition, s.format, s.extra, "redirect")
        if aimed >= len(s.stage) or aimed == i or (aimed > i and not may_lie_above):
            self.fail("stage", f"a target may not lie there: {word}")
        target = s.stage[aimed]
        if s.stage[i].verb == "truce" and target.verb != "damage":
            self.fail("stage", f"truce is aimed at damage: {word}")
        if s.stage[i].verb == "counter" and target.verb in NO_COUNTER:
            self.fail("stage", f"can't be countered: {word}")
        return target

    def _marks_need_combat(self, s):
        if any(r.verb in ("block", "damage") for r in s.stage):
            return
        for p in (0, 1):
            if any(u.attacker or u.blocks is not None for u in s.units(p)):
                self.fail(f"field{p}", "attacker or blocker without block or damage on the stage")

    def _passed(self, s):
        value = " ".join(self.words.get("passed", [])) or "-"
        if value not in ("-", "0", "1", "both"):
            self.fail("passed", "no such value")
        if s.result is not None:
            if value != "-":
                self.fail("passed", "the game is over")
            return
        if s.edition == "6.1" and not s.stage and s.holder != s.turn:
            self.fail("chance", "6.1: on an empty stage the turn player has the chance")
        if value == "both":
            if s.edition != "8.0" or s.stage or s.holder != s.turn:
                self.fail("passed", "`both` needs 8.0, an empty stage and the turn player's chance")
            s.both = True
        elif value != "-":
            s.passed = int(value)
            if s.passed == s.holder:
                self.fail("passed", "the chance holder can't have passed")

    def _known(self, s, p):
        name = f"known{p}"
        other = 1 - p
        for word in self.words.get(name, []):
            m = KNOWN_WORD.fullmatch(word)
            if not m or m[1] not in INDEX:
                self.fail(name, f"can't read {word}")
            card, where, counted, k = m.groups()
            k = None if k is None else int(k)
            where = where or counted
            if where == "hand":
                there = card in s.hand[other]
            elif where == "grave":
                there = card in s.grave[other][:-1]
            elif where == "life":
                there = s.life[other][k : k + 1] == [card]
            elif where == "own":
                there = s.life[p][k : k + 1] == [card]
            else:
                u = s.field[other].get(k)
                there = u is not None and not u.soldier and u.cards == [card]
            if not there:
                self.fail(name, f"no hidden card there: {word}")
            if card in (s.own[p] if where == "own" else s.known[p]):
                self.fail(name, f"twice: {word}")
            if where == "own":
                s.own[p].add(card)
            else:
                s.learn(p, [card])
