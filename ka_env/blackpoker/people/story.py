"""What happened, told to people: sentences about the moments of each move, as one player sees them or as a spectator.

Hidden cards are never named: a card is named only to those who may know it (R1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ka_env import story
from ka_env.blackpoker.cards import COURT, NAMES, members
from ka_env.blackpoker.codes import (
    ACTION_NAME,
    FIRST_CARD,
    FIRST_OWN,
    FIRST_PLAYER_TARGET,
    FIRST_STAGE_TARGET,
    GONE,
    NO_TARGET,
    PASS,
    PASSED_0,
    PLAYERS,
    SLOTS,
    VERBS,
    WORDS,
)
from ka_env.blackpoker.decisions import (
    AT_ATTACKERS,
    AT_BLOCKERS,
    AT_BULWARK_CARD,
    AT_CHANCE,
    AT_DISCARD,
    AT_END,
    AT_NEW_TARGET,
    AT_PAY_BULWARK,
    AT_PAY_DISCARD,
    AT_PAY_SACRIFICE,
    AT_SEARCH_CARD,
    KINDS,
    MAKING,
    SETTING_UP,
)
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.people.board import size_of, verb_asking
from ka_env.blackpoker.people.phrases import phrases, verb_name
from ka_env.blackpoker.rulesets import RULES
from ka_env.blackpoker.text.notation import unit_cards
from ka_env.blackpoker.text.tokens import action_id
from ka_env.engine.loops import DRAWN, RUNNING, WON_0
from ka_env.moments import Moment
from ka_env.record import Record
from ka_env.story import LogLine

SUIT_SIGNS = dict(zip("shdc", "♠♥♦♣"))


class Names(story.Names):
    """Names of cards, units and requests in one language, for one viewer (None: a spectator who sees all)."""

    book = staticmethod(phrases)

    def of(self, q: int, what: str) -> str:
        return self.say(f"of {self.side(q)}", what=what, player=q)

    def verb(self, verb: str) -> str:
        return verb_name(verb, self.language)

    def card(self, card: int) -> str:
        name = NAMES[card]
        if name[0] == "X":
            return self.say("joker", number=name[1])
        return name[0].replace("T", "10") + SUIT_SIGNS[name[1]]

    def cards(self, cards: Sequence[int]) -> str:
        return "+".join(self.card(int(c)) for c in cards)

    def knows(self, s: Any, q: int, card: int) -> bool:
        return self.viewer in (None, q) or bool(int(s.seen[q]) >> int(card) & 1)

    def unit(self, s: Any, q: int, slot: int) -> str:
        """A unit without its owner."""
        if not int(s.bulwarks[q]) >> slot & 1:
            return self.cards(unit_cards(s, q, slot))
        card = int(s.bottom[q, slot])
        if self.knows(s, q, card):
            return self.say("bulwark card", slot=slot, card=self.card(card))
        return self.say("bulwark", slot=slot)

    def unit_of(self, s: Any, unit: int) -> str:
        q, slot = divmod(unit, SLOTS)
        return self.of(q, self.unit(s, q, slot))

    def request(self, s: Any, i: int, aimed: bool = False) -> str:
        """`Down 3♠`, or `Down 3♠ → your 9♥`"""
        keys = [int(k) for k in s.stage_key[i] if k >= 0]
        words = [self.verb(ACTION_NAME[int(s.stage_action[i])]), self.cards(keys)]
        if aimed:
            words.append(self.aim(s, int(s.stage_target[i])))
        return " ".join(word for word in words if word)

    def aim(self, s: Any, target: int) -> str:
        if target == NO_TARGET:
            return ""
        if target == GONE:
            return f"→ {self.say('gone')}"
        if target >= FIRST_PLAYER_TARGET:
            return f"→ {self.whom(target - FIRST_PLAYER_TARGET)}"
        if target >= FIRST_STAGE_TARGET:
            return f"→ {self.request(s, target - FIRST_STAGE_TARGET)}"
        return f"→ {self.unit_of(s, target)}"

    def about(self, s: Any) -> str:
        """The unit that a decision is about: the attacker to block, or the target of the request on top."""
        if s.kind == AT_BLOCKERS:
            return self.unit_of(s, int(s.turn) * SLOTS + int(s.attacker))
        target = int(s.stage_target[s.stage_count - 1]) if s.kind != AT_CHANCE and s.stage_count else NO_TARGET
        return self.unit_of(s, target) if 0 <= target < FIRST_STAGE_TARGET else ""

    def ask(self, s: Any) -> str:
        """The question of the decision."""
        verb = verb_asking(s)
        about = self.about(s)
        if s.kind == AT_BLOCKERS:
            about = self.say("sized", unit=about, size=size_of(s, int(s.turn), int(s.attacker)))
        moved = self.moved(s) if s.kind == AT_NEW_TARGET else ""
        return self.say(f"ask {KINDS[s.kind]}", verb=self.verb(verb) if verb else "", unit=about, request=moved)

    def moved(self, s: Any) -> str:
        """The request that a redirect on top of the stage moves."""
        return self.request(s, int(s.stage_target[s.stage_count - 1]) - FIRST_STAGE_TARGET)

    def did(self, s: Any, token: str) -> str:
        """What the decider does with a token, without saying who."""
        key = f"did {KINDS[s.kind]}"
        if f"{key} {token}" in self.phrases:
            return self.say(f"{key} {token}", about=self.about(s))
        return self.say(key, about=self.about(s), **self.meant(s, token))

    def meant(self, s: Any, token: str) -> dict[str, str]:
        """The names a token stands for."""
        p = int(s.player)
        if token in VERBS:
            return {"verb": self.verb(token)}
        if token in PLAYERS:
            return {"target": self.whom(p if token == "me" else 1 - p)}
        if token in WORDS:
            return {}
        if token[0] == "#":
            i = int(token[1:])
            return {"target": self.of(int(s.stage_player[i]), self.request(s, i))}
        if token in NAMES:
            return {"card": self.card(NAMES.index(token))}
        q, slot = p if token[0] == "u" else 1 - p, int(token[1:])
        return {"unit": self.unit(s, q, slot), "target": self.unit_of(s, q * SLOTS + slot)}


def describe(game: Game, token: str, language: str = "en") -> str:
    """One short line about a move; `game` is the game before it."""
    game.copy().step(action_id(token))  # refuses what is illegal here
    names = Names(None, language)
    return names.say("did", who=names.who(int(game.state.player)), what=names.did(game.state, token))


def turn_words(game: Game, number: int, language: str = "en") -> str:
    """A heading for a turn."""
    s, names = game.state, Names(None, language)
    lives = "-".join(str(n) for n in s.life_count)
    hands = "-".join(str(int(cards).bit_count()) for cards in s.hand)
    return names.say("turn heading", number=number, who=names.who(int(s.turn)), lives=lives, hands=hands)


def result_words(game: Game, language: str = "en") -> str:
    if game.result is None:
        return Names(None, language).say("unfinished")
    return Teller(None, language).ending(game).text


def told(record: Record, language: str = "en") -> str:
    """The text of a record with the game told in comment lines above each turn."""
    teller = Teller(None, language)
    comments: list[list[str]] = []
    last: Any = record.start()
    for step in record.steps():
        before: Any = step.before
        if step.line == len(comments):
            comments.append([turn_words(before, step.line + 1, language)])
        lines = teller.tell(before, step.token, step.chance)
        comments[-1] += [f"  {line.text}" for line in lines if not line.heading]
        last = step.after
    return record.to_text(comments) + f"# {result_words(last, language)}\n"


MAGIC_OF_MAST = ("bj", "force", "rain", "recruit", "surprise")


def _life(s: Any, q: int) -> int:
    """The cards of a life as a set."""
    return sum(1 << int(c) for c in s.life[q, : s.life_count[q]])


def _grave(s: Any, q: int) -> int:
    return sum(1 << int(c) for c in s.grave[q, : s.grave_count[q]])


def _units(s: Any, q: int) -> int:
    return int(s.bulwarks[q]) | int(s.soldiers[q])


class Teller(story.Teller):
    """Tells a game move by move. It remembers what has been paid for a request until the request is complete."""

    def __init__(self, viewer: int | None = None, language: str = "en", watching: bool = False) -> None:
        self.names = Names(viewer, language, watching)
        self._costs: list[str] = []
        self._life_paid = 0

    def opening(self, game: Game) -> list[LogLine]:
        """The heading of the turn under way; none before the deal."""
        return [] if game.setting_up else self.opening_of(game.state)

    def opening_of(self, s: Any) -> list[LogLine]:
        return [self._heading("turn", int(s.turn))]

    def _moment(self, m: Moment) -> list[LogLine]:
        a, b, kind = m.before, m.after, m.before.kind
        lines: list[LogLine] = []
        if SETTING_UP >> int(kind) & 1:
            return self.opening_of(b) if not SETTING_UP >> int(b.kind) & 1 else []
        if kind == AT_CHANCE and m.action == PASS:
            if a.stage_count == 0:
                lines.append(self._line(int(a.player), "passes", who=self.names.who(int(a.player))))
            elif a.passed == PASSED_0 + 1 - a.player:
                lines += self._resolution(m)
        elif kind == AT_CHANCE or MAKING >> int(kind) & 1 or a.verb >= 0:
            lines += self._request(m)
        else:
            lines += self._resolution(m)
        lines += self._successions(m)
        if b.turn != a.turn and b.result == RUNNING:
            lines.append(self._heading("turn", int(b.turn)))
        return lines + self._result(b)

    # ---- requests

    def _request(self, m: Moment) -> list[LogLine]:
        a, b, names = m.before, m.after, self.names
        p = int(a.player)
        if a.kind == AT_CHANCE:
            self._costs, self._life_paid = [], 0
        elif a.kind == AT_PAY_BULWARK:
            self._costs.append(names.unit(a, p, m.action - FIRST_OWN))
        elif a.kind == AT_PAY_SACRIFICE:
            self._costs.append(self._revealed(a, p, m.action - FIRST_OWN, owner=False))
        elif a.kind == AT_PAY_DISCARD:
            self._costs.append(names.card(m.action - FIRST_CARD))
        verb = int(a.verb) if a.verb >= 0 else m.action
        if int(RULES[a.ruleset].needs_life[0]) >> verb & 1:
            self._life_paid += int(a.life_count[p]) - int(b.life_count[p])
        if b.stage_count > a.stage_count:
            request = names.request(b, int(a.stage_count), aimed=True)
            return [self._line(p, "requests", who=names.who(p), request=request, paid=self._paid())]
        if b.kind not in (AT_CHANCE, AT_END):
            return []
        return self._immediate(m, p, ACTION_NAME[verb])

    def _paid(self) -> str:
        costs = list(self._costs)
        if self._life_paid:
            costs.append(self.names.say("paid life", n=self._life_paid))
        return self.names.say("paid", costs=self.names.list(costs)) if costs else ""

    def _immediate(self, m: Moment, p: int, verb: str) -> list[LogLine]:
        a, b, names = m.before, m.after, self.names
        who, name = names.who(p), names.verb(verb)
        if verb == "bulwark":
            if a.kind != AT_BULWARK_CARD:
                return [self._line(p, "sets nothing", who=who, verb=name, paid=self._paid())]
            slot = members(_units(b, p) & ~_units(a, p))[0]
            return [self._line(p, "sets", who=who, verb=name, unit=names.unit(b, p, slot), paid=self._paid())]
        if verb in ("open", "raredraw"):
            return [self._from_frame(m, p, who, name)]
        keys = [int(k) for k in a.key if k >= 0] or [m.action - FIRST_CARD]
        request = f"{name} {names.cards(keys)}"
        if a.kind != AT_SEARCH_CARD:
            return [self._line(p, "finds nothing", who=who, request=request)]
        taken = members(int(b.hand[p]) & ~int(a.hand[p]) & _life(a, p))
        if verb == "search":
            taken = [m.action - FIRST_CARD]
        return [self._line(p, "searches", who=who, request=request, card=names.list([names.card(c) for c in taken]))]

    def _from_frame(self, m: Moment, p: int, who: str, name: str) -> LogLine:
        a, b, names = m.before, m.after, self.names
        cards = members(int(b.hand[p]) & ~int(a.hand[p]))
        if not cards:
            return self._line(p, "opens nothing", who=who, verb=name)
        card = names.card(cards[0]) if names.knows(b, p, cards[0]) else names.say("a card")
        return self._line(p, "opens", who=who, verb=name, card=card)

    # ---- resolving

    def _resolution(self, m: Moment) -> list[LogLine]:
        a = m.before
        i = int(a.stage_count) - 1
        verb = ACTION_NAME[int(a.stage_action[i])]
        if verb == "draw":
            return self._draw(m)
        if a.kind == AT_DISCARD:
            p = int(a.player)
            card = self.names.card(m.action - FIRST_CARD)
            return [self._line(p, "discards", who=self.names.who(p), card=card)]
        if m.after.kind not in (AT_CHANCE, AT_END):
            return []  # it waits for an answer
        tells: dict[str, Callable[[Moment], list[LogLine]]] = {
            "attack": self._attack,
            "block": self._block,
            "damage": self._damage,
            "end": lambda m: [],
        }
        if verb in tells:
            return tells[verb](m)
        key, words = self._effect(m, verb, int(a.stage_player[i]), int(a.stage_target[i]))
        return [self._line(int(a.stage_player[i]), key, request=self.names.request(a, i), **words)]

    def _effect(self, m: Moment, verb: str, p: int, target: int) -> tuple[str, dict[str, Any]]:
        """The phrase for a request that leaves the stage, and its words."""
        a, b, names = m.before, m.after, self.names
        came = {q: [names.unit(b, q, slot) for slot in members(_units(b, q) & ~_units(a, q))] for q in range(2)}
        if verb in ("soldier", "hero", "ace", "magician", "quick", "raresummon"):
            return ("comes", {"unit": names.of(p, came[p][0])}) if came[p] else ("no effect", {})
        if verb in MAGIC_OF_MAST:
            return self._mast(m, verb, p)
        if verb == "reunion":
            cards = members(int(b.hand[p]) & ~int(a.hand[p]) & _grave(a, p))
            return ("reunites", {"card": names.list([names.card(c) for c in cards])}) if cards else ("no effect", {})
        if verb == "throw":
            return "hurts", self._hurt(m, 1 - p)
        if verb == "strip":
            card = members(int(a.hand[1 - p]) & ~int(b.hand[1 - p]))
            return ("strips", {"card": names.of(1 - p, names.card(card[0]))}) if card else ("no effect", {})
        if verb == "fortify":
            return "fortifies", {"units": names.of(p, names.list(came[p]))}
        if target == GONE:
            return "no effect", {}
        if target >= FIRST_PLAYER_TARGET:
            return "hurts", self._hurt(m, target - FIRST_PLAYER_TARGET)
        if target >= FIRST_STAGE_TARGET:
            return self._effect_on_request(m, verb, target - FIRST_STAGE_TARGET)
        return self._effect_on_unit(m, verb, p, target, came)

    def _effect_on_request(self, m: Moment, verb: str, i: int) -> tuple[str, dict[str, Any]]:
        a, b, names = m.before, m.after, self.names
        what = {"target": names.request(a, i)}
        if verb == "redirect":
            if i < b.stage_count and a.stage_target[i] != b.stage_target[i]:
                return "redirects", {"target": names.request(b, i), "aim": names.aim(b, int(b.stage_target[i]))}
            return "no alternative", what
        if b.stage_count == a.stage_count - 2:
            return ("ends combat" if verb == "truce" else "cancels"), what
        return {"trap": "no match", "truce": "no effect"}.get(verb, "too low"), what

    def _mast(self, m: Moment, verb: str, p: int) -> tuple[str, dict[str, Any]]:
        """Magic of mast that is aimed at nothing."""
        a, b, names = m.before, m.after, self.names
        if verb == "bj":
            cards = members(int(b.hand[p]) & ~int(a.hand[p]) & _life(a, p))
            return ("takes", {"card": names.list([names.card(c) for c in cards])}) if cards else ("no effect", {})
        if verb == "force":
            return "forces", {"n": int(b.force) - int(a.force)}
        if verb == "rain":
            dead = [q * SLOTS + slot for q in range(2) for slot in members(_units(a, q) & ~_units(b, q))]
            return (
                ("rains", {"dead": names.list([names.unit_of(a, u) for u in dead])})
                if dead
                else ("rains on nobody", {})
            )
        if verb == "surprise":
            return "surprises", {
                "units": names.list([names.unit(b, p, slot) for slot in members(b.soldiers[p])]) or "-"
            }
        units = [names.unit(b, p, slot) for slot in members(_units(b, p) & ~_units(a, p))]
        turned = [int(c) for c in a.life[p, : a.life_count[p]][::-1][:4]]
        under = [c for c in turned if c in [int(d) for d in b.life[p, : b.life_count[p]]]]
        return "recruits", {"units": names.list(units) or "-", "cards": names.cards(under) or "-"}

    def _effect_on_unit(
        self, m: Moment, verb: str, p: int, target: int, came: dict[int, list[str]]
    ) -> tuple[str, dict[str, Any]]:
        a, b, names = m.before, m.after, self.names
        q, slot = divmod(target, SLOTS)
        unit = names.unit_of(a, target)
        stays = bool(_units(b, q) >> slot & 1)
        if verb == "return":
            kept = (int(b.hand[p]) & ~int(a.hand[p])) != 0
            return ("no effect" if not kept else "returns keys" if stays else "returns"), {"unit": unit}
        if not stays:
            if verb == "reanimate":
                # The new unit may take the place of the old one.
                return ("reanimates", {"unit": unit, "new": came[p][0]}) if came[p] else ("kills", {"unit": unit})
            if verb == "lance":
                return "lances", {"unit": unit, **self._hurt(m, q, len(unit_cards(a, q, slot)))}
            return ("breaks", {"unit": self._revealed(a, q, slot)}) if verb == "destroy" else ("kills", {"unit": unit})
        if verb == "reanimate" and unit_cards(a, q, slot) != unit_cards(b, q, slot):
            return "reanimates", {"unit": self._revealed(a, q, slot), "new": names.unit(b, q, slot)}
        if verb in ("up", "down", "setup") and a.change[q, slot] != b.change[q, slot]:
            return ("shrinks" if verb == "down" else "grows"), {"unit": unit, "size": size_of(b, q, slot)}
        if verb == "equip" and a.sizes[q, slot] != b.sizes[q, slot]:
            made = names.say("sized", unit=names.unit_of(b, target), size=size_of(b, q, slot))
            return "arms", {"unit": made}
        if verb == "twist":
            return ("charges" if int(b.charged[q]) >> slot & 1 else "drives"), {"unit": unit}
        if verb == "reverse":
            return "reverses", {"unit": unit, "new": names.list([names.unit(b, q, slot), *came[q]])}
        return "no effect", {}

    def _revealed(self, s: Any, q: int, slot: int, owner: bool = True) -> str:
        """A unit that went to the grave: its card has been the top there."""
        if int(s.soldiers[q]) >> slot & 1:
            name = self.names.unit(s, q, slot)
            return self.names.of(q, name) if owner else name
        name = self.names.say("bulwark card", slot=slot, card=self.names.card(int(s.bottom[q, slot])))
        return self.names.of(q, name) if owner else name

    def _hurt(self, m: Moment, q: int, put_on: int = 0) -> dict[str, Any]:
        """Damage taken from the life; `put_on` cards were laid on it before."""
        before, after = int(m.before.life_count[q]), int(m.after.life_count[q])
        return {"whom": self.names.whom(q), "n": before + put_on - after, "life": f"{before} → {after}"}

    def _draw(self, m: Moment) -> list[LogLine]:
        a, b, names = m.before, m.after, self.names
        t = int(a.turn)
        drawn = members(int(b.hand[t]) & ~int(a.hand[t]))
        if not drawn:
            return []
        cards = names.cards(drawn) if names.knows(b, t, drawn[0]) else names.say("a card")
        return [self._line(t, "draws", who=names.who(t), cards=cards)]

    # ---- combat

    def _attack(self, m: Moment) -> list[LogLine]:
        b, names = m.after, self.names
        t = int(b.turn)
        units = [names.unit(b, t, slot) for slot in members(b.attackers[t])]
        if not units or m.before.kind != AT_ATTACKERS:
            return [self._line(t, "attacks with nobody", who=names.who(t))]
        return [self._line(t, "attacks with", who=names.who(t), units=names.list(units))]

    def _blockers(self, s: Any, q: int, attacker: int) -> list[int]:
        return [slot for slot in members(_units(s, q)) if s.blocks[q, slot] == attacker]

    def _block(self, m: Moment) -> list[LogLine]:
        b, names = m.after, self.names
        t = int(b.turn)
        q = 1 - t
        lines = []
        for attacker in members(b.attackers[t]):
            units = [names.unit(b, q, slot) for slot in self._blockers(b, q, attacker)]
            key = "blocks with" if units else "blocks not"
            words = {"attacker": names.unit(b, t, attacker), "units": names.list(units)}
            lines.append(self._line(q, key, who=names.who(q), **words))
        return lines

    def _damage(self, m: Moment) -> list[LogLine]:
        a, t = m.before, int(m.before.turn)
        life = int(a.life_count[1 - t])
        lines = []
        for attacker in members(a.attackers[t]):
            blockers = self._blockers(a, 1 - t, attacker)
            if blockers:
                lines.append(self._fight(m, t, attacker, blockers))
                continue
            n = min(life, max(0, size_of(a, t, attacker)))
            words = {"attacker": self.names.unit_of(a, t * SLOTS + attacker), "whom": self.names.whom(1 - t), "n": n}
            key = "hits" if n else "harmless"
            lines.append(self._line(t, key, life=f"{life} → {life - n}", **words))
            life -= n
        return lines

    def _fight(self, m: Moment, t: int, attacker: int, blockers: list[int]) -> LogLine:
        a, b, names = m.before, m.after, self.names
        q = 1 - t
        fell = [q * SLOTS + slot for slot in blockers if not _units(b, q) >> slot & 1]
        if not _units(b, t) >> attacker & 1:
            fell.append(t * SLOTS + attacker)
        words = {
            "attacker": names.unit_of(a, t * SLOTS + attacker),
            "dead": names.list([self._revealed(a, *divmod(unit, SLOTS)) for unit in fell]),
        }
        if int(a.bulwarks[q]) >> blockers[0] & 1:
            return self._line(t, "runs into", card=names.card(int(a.bottom[q, blockers[0]])), **words)
        words["units"] = names.list([names.unit_of(a, q * SLOTS + slot) for slot in blockers])
        against = sum(size_of(a, q, slot) for slot in blockers)
        return self._line(t, "meets", size=size_of(a, t, attacker), against=against, **words)

    # ---- what follows

    def _successions(self, m: Moment) -> list[LogLine]:
        """A court card went from the field to the grave: its owner has turned life cards up to the next one."""
        a, b, names = m.before, m.after, self.names
        lines = []
        for q in range(2):
            graves = [{int(c) for c in s.grave[q, : s.grave_count[q]]} for s in (a, b)]
            on_field = {c for slot in members(_units(a, q)) for c in unit_cards(a, q, slot)}
            if not any(COURT >> c & 1 for c in on_field & graves[1]):
                continue
            life = [int(c) for c in a.life[q, : a.life_count[q]]]
            found = [c for c in life if int(b.hand[q]) >> c & 1]
            if found:
                known = [c for c in found if names.knows(b, q, c)]
                unseen = [names.say("a card")] * (len(found) - len(known))
                cards = names.list([names.card(c) for c in known] + unseen)
                n = len(life) - int(b.life_count[q])
                lines.append(self._line(q, "succession", who=names.who(q), n=n, card=cards))
            elif b.life_count[q] == 0 and len(life) > 0 and b.result != RUNNING and not self._drained(m, q):
                lines.append(self._line(q, "succession fails", who=names.who(q)))
        return lines

    def _drained(self, m: Moment, q: int) -> bool:
        """Was it damage that took the last life?"""
        return (
            m.before.stage_count > 0 and ACTION_NAME[int(m.before.stage_action[m.before.stage_count - 1])] == "damage"
        )

    def _result(self, s: Any) -> list[LogLine]:
        if s.result == RUNNING:
            return []
        if s.result == DRAWN:
            return [self._line(None, "draw")._replace(heading=True)]
        return [self._heading("win", int(s.result) - WON_0)]
