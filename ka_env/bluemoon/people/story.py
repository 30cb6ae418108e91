"""What happened, told to people: the act itself, then what has changed on the table, as one player sees it.

A card is named only to those who may know it (B3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ka_env import story
from ka_env.bluemoon.cards import CODES, FIGHT_CARDS, members
from ka_env.bluemoon.codes import CHALLENGE, FIGHTS, IN_FIRE, KINDS, NO_FIGHT, RETREAT, WORDS
from ka_env.bluemoon.game import Game
from ka_env.bluemoon.people.look import ELEMENTS, knows
from ka_env.bluemoon.people.phrases import phrases
from ka_env.bluemoon.people.texts import text_of
from ka_env.bluemoon.people.values import total
from ka_env.bluemoon.text.tokens import token as token_of
from ka_env.bluemoon.text.write import has, line_of, owner_of_question, pile_of, row_of
from ka_env.engine.loops import RUNNING, WON_0
from ka_env.moments import Moment
from ka_env.story import OUTSIDER, LogLine

State = Any
_YOU = re.compile(r"You (\w+)")
_VERBS = {"is": "are", "has": "have"}


# An own card named at a decision that isn't a main one: what naming it does.
_ACTS = {
    "discard": "discards",
    "decline": "discards",
    "meet": "discards",
    "sacrifice": "discards",
    "shed": "discards",
    "drop": "discards",
    "feat": "discards",
    "bottom": "sinks",
    "put_back": "sends back",
    "cargo": "loads",
    "ship": "ship",
    "take_back": "takes back",
    "deck_card": "fetches",
    "discard_card": "finds",
    "caterpillar": "doubles",
    "interfere": "interferes",
}
# Acts that name a card the opponent may not know yet; what is shown in the end is told when it moves.
_SECRET = ("bluffs", "loads", "sinks", "sends back", "fetches", "takes back")
# Acts that are lines of the log; all others are told by what follows from them.
_TOLD = "plays uses retrieves lands bluffs opens decline challenge accept fire earth yes doubles interferes".split()
_PLACES = {  # (from, to): the fact it is
    ("deck", "hand"): "draws",
    ("hand", "discard"): "discards",
    ("hand", "lead"): "discards",
    ("deck", "discard"): "mills",
    ("deck", "lead"): "mills",
    ("combat", "discard"): "leaves",
    ("support", "discard"): "leaves",
    ("down", "discard"): "turned up",
    ("combat", "hand"): "takes back",
    ("support", "hand"): "takes back",
    ("down", "hand"): "takes back",
    ("discard", "hand"): "finds",
    ("discard", "deck"): "recycles",
    ("hand", "deck"): "puts away",
    ("hand", "cargo"): "loads",
    ("cargo", "cargo"): "loads",
    ("deck", "cargo"): "brings",
    ("deck", "ship"): "brings",
    ("cargo", "discard"): "leftovers",
    ("ship", "discard"): "leftovers",
    ("hyla", "discard"): "discards",
    ("feat", "discard"): "discards",
}


def zones(s: State, q: int) -> dict[int, str]:
    """Where each of q's cards lies."""
    found = dict.fromkeys(pile_of(s, q), "deck")
    found |= dict.fromkeys(line_of(s, q), "combat")
    found |= {c: "down" if has(s.down[q], c) else "support" for c in row_of(s, q)}
    for name, cards in (("hand", s.hand[q]), ("discard", s.discard[q]), ("feat", s.feats[q]), ("ship", s.ships[q])):
        found |= dict.fromkeys(members(cards), name)
    for i in range(s.fleet_count[q]):
        found |= dict.fromkeys((int(c) for c in s.cargo[q, i, : s.cargo_count[q, i]]), "cargo")
    found |= dict.fromkeys((int(c) for c in s.lead[q, : s.lead_count[q]]), "lead")
    if s.hyla >= 0 and s.hyla_owner == q:
        found[int(s.hyla)] = "hyla"
    return found


class Names(story.Names):
    """Words in one language, for one viewer (None: a spectator who sees all)."""

    book = staticmethod(phrases)

    def say(self, key: str, **words: object) -> str:
        text = super().say(key, **words)
        return _agreeing(text) if self.language == "en" else text

    def crystals(self, n: int) -> str:
        return self.say("crystal count", n=n)

    def cards(self, s: State, q: int, cards: Sequence[int]) -> str:
        """Names where the viewer may know them, the number of the others."""
        named = [CODES[s.deck[q]][c] for c in cards if self.viewer == q or knows(s, self.viewer, q, c)]
        rest = len(cards) - len(named)
        return self.list(named + ([self.unnamed(rest)] if rest else []))

    def unnamed(self, n: int) -> str:
        return self.say("a card") if n == 1 else self.say("some cards", n=n)

    def track(self, s: State) -> str:
        """`1-0`"""
        return "-".join(str(n) for n in s.dragons)

    # ---- questions and acts

    def ask(self, s: State, told: bool = True) -> str:
        """The question of the decision; `told`: with the cards in it."""
        kind = KINDS[s.kind]
        if not told:
            return self.say("decides", who=self.who(int(s.player)), kind=kind)
        q = owner_of_question(s)
        card = CODES[s.deck[q]][s.card] if s.card >= 0 else ""
        words = {"card": card, "text": text_of(card, self.language) if card else "", "left": int(s.left)}
        return self.say(f"ask {kind}", **words, **self.totals(s))

    def totals(self, s: State) -> dict[str, int]:
        return {name: total(s, int(s.turn), e) for e, name in enumerate(ELEMENTS)}

    def act(self, s: State, word: str) -> tuple[str, dict[str, object]]:
        """What the decider does with a token: the key of its phrases, and the words in them."""
        kind, p = KINDS[s.kind], int(s.player)
        if word in WORDS:
            return self._word_act(s, kind, word)
        if word[0] == "e" or (word[0] == "f" and word[1:].isdigit()):
            return self._enemy_act(kind, word)
        code = word.lstrip("~+")
        words: dict[str, object] = {"card": code}
        if word[0] in "~+":
            return ("bluffs" if word[0] == "~" else "loads"), words
        if kind in _ACTS:
            return _ACTS[kind], words
        card = CODES[s.deck[p]].index(code)
        if kind == "begin":
            return ("lands" if has(s.ships[p], card) else "turns up" if has(s.down[p], card) else "retrieves"), words
        if has(s.combat[p], card) or has(s.support[p], card):
            return "uses", words
        if kind == "leadership" and has(FIGHT_CARDS[s.deck[p]], card):
            return "replaces", words
        return "plays", words

    def _word_act(self, s: State, kind: str, word: str) -> tuple[str, dict[str, object]]:
        if word == "fight":
            return ("opens" if s.fight == NO_FIGHT else "fights on"), {}
        if word == "done":
            return (f"done {kind}" if f"do done {kind}" in self.phrases else "done"), {}
        if word in ELEMENTS:
            return word, dict(self.totals(s))
        card = CODES[s.deck[owner_of_question(s)]][s.card] if s.card >= 0 else ""
        return word, {"card": card}

    def _enemy_act(self, kind: str, word: str) -> tuple[str, dict[str, object]]:
        if word[0] == "f":
            return "hits hidden", {"number": word[1:]}
        act = {"keep": "keeps", "strip": "strips"}.get(kind, "hits")
        return act, {"card": word[1:]}

    def did(self, s: State, word: str) -> str:
        """What the decider does with a token, without saying who."""
        act, words = self.act(s, word)
        return self.say(f"did {act}", **words)

    def hidden(self, s: State, word: str) -> str | None:
        """The same for those who can't look into the decider's cards; None if there is nothing to hide."""
        act, words = self.act(s, word)
        p = int(s.player)
        if act not in _SECRET:
            return None
        card = CODES[s.deck[p]].index(str(words["card"]))
        if act in ("bluffs", "sinks", "sends back", "takes back", "loads") and knows(s, OUTSIDER, p, card):
            return None
        return self.say(f"did {act}", card=self.say("a card"))


def _agreeing(text: str) -> str:
    """Phrases speak of somebody else; `You draws` becomes `You draw`."""
    found = _YOU.match(text)
    if not found:
        return text
    verb = found[1]
    return f"You {_VERBS.get(verb, verb.removesuffix('s'))}{text[found.end() :]}"


def describe(game: Game, token: str, language: str = "en") -> str:
    """One short line about a move; `game` is the game before it."""
    game.copy().step(game.action_id(token))  # refuses what is illegal here
    names = Names(None, language)
    return names.say("told", who=names.who(int(game.state.player)), what=names.did(game.state, token))


def turn_words(game: Game, number: int, language: str = "en") -> str:
    """A heading for a turn."""
    s, names = game.state, Names(None, language)
    return names.say(
        "turn heading",
        number=number,
        who=names.who(int(s.turn)),
        fight=names.say(f"fight {FIGHTS[s.fight]}"),
        dragons=names.track(s),
        hands="-".join(str(int(cards).bit_count()) for cards in s.hand),
        decks="-".join(str(n) for n in s.pile_count),
    )


def result_words(game: Game, language: str = "en") -> str:
    if game.result is None:
        return Names(None, language).say("unfinished")
    return Teller(None, language).ending(game).text


class Teller(story.Teller):
    """Tells a game move by move."""

    def __init__(self, viewer: int | None = None, language: str = "en", watching: bool = False) -> None:
        self.names = Names(viewer, language, watching)

    def opening(self, game: Game) -> list[LogLine]:
        """The heading of the turn under way."""
        return [self._heading("turn", game.turn)]

    def _moment(self, m: Moment) -> list[LogLine]:
        a, b = m.before, m.after
        lines = self._act(m)
        if sum(b.crystals) > sum(a.crystals) and b.result == RUNNING:
            winner = 0 if b.crystals[0] > a.crystals[0] else 1
            crystals = self.names.crystals(int(b.crystals[winner]))
            lines.append(self._line(winner, "fact game", who=self.names.who(winner), crystals=crystals))
            return [*lines, self._heading("turn", int(b.turn))]
        lines += self._facts(m)
        ended = b.turn != a.turn or _fight_ended(m)
        if ended and b.result == RUNNING:
            lines.append(self._heading("turn", int(b.turn)))
        return lines + self._result(b)

    def _act(self, m: Moment) -> list[LogLine]:
        """The answer itself, if it is more than what follows from it."""
        s, names = m.before, self.names
        p = int(s.player)
        word = token_of(m.action, int(s.deck[p]), int(s.deck[1 - p]))
        act, words = names.act(s, word)
        if act not in _TOLD:
            return []
        if names.viewer in (1 - p, OUTSIDER):
            what = names.hidden(s, word) or names.say(f"did {act}", **words)
        else:
            what = names.say(f"did {act}", **words)
        text = names.say("told", who=names.who(p), what=what)
        return [LogLine(text[0].upper() + text[1:], p)]

    # ---- what has changed

    def _facts(self, m: Moment) -> list[LogLine]:
        a, b, names = m.before, m.after, self.names
        lines: list[LogLine] = []
        retreated = _fight_ended(m)
        if retreated:
            r = _retreater(m)
            lines.append(self._line(r, "fact retreats", who=names.who(r)))
        elif IN_FIRE <= a.fight != b.fight >= IN_FIRE:
            lines.append(self._line(None, "fact swaps", element=names.say(FIGHTS[b.fight])))
        for q in range(2):
            lines += self._moved(m, q, retreated)
        lines += self._marks(m, retreated)
        gained = (int(b.dragons[0]) - int(b.dragons[1])) - (int(a.dragons[0]) - int(a.dragons[1]))
        if gained:
            w = 0 if gained > 0 else 1
            words = {"n": abs(gained), "track": names.track(b)}
            lines.append(self._line(w, "fact dragons", who=names.who(w), **words))
        if b.turn != a.turn and b.fight >= IN_FIRE and b.result == RUNNING:
            lines.append(self._power(b, int(a.turn)))
        return lines

    def _power(self, s: State, t: int) -> LogLine:
        element = self.names.say(FIGHTS[s.fight])
        words = {"total": int(s.total[t]), "other": int(s.total[1 - t]), "element": element}
        return self._line(t, "fact power", who=self.names.who(t), **words)

    def _moved(self, m: Moment, q: int, retreated: bool) -> list[LogLine]:
        """Cards of q that lie elsewhere than before, but for the one that was just played."""
        a, b, names = m.before, m.after, self.names
        old, new = zones(a, q), zones(b, q)
        facts: dict[str, list[int]] = {}
        for card, place in new.items():
            fact = _PLACES.get((old[card], place)) if old[card] != place else None
            if fact and not self._told_already(m, fact, q, card, retreated):
                facts.setdefault(fact, []).append(card)
        lines = []
        for fact, cards in facts.items():
            words = {"who": names.who(q), "whom": names.whom(q), "n": len(cards)}
            lines.append(self._line(q, f"fact {fact}", cards=names.cards(b, q, cards), **words))
        return lines

    def _told_already(self, m: Moment, fact: str, q: int, card: int, retreated: bool) -> bool:
        """By the act itself, or by the retreat."""
        if fact == "takes back":
            return KINDS[m.before.kind] == "begin"
        return (fact == "leaves" and retreated) or bool(fact == "discards" and m.after.leader[q] == card)

    def _marks(self, m: Moment, retreated: bool) -> list[LogLine]:
        """Cards laid open or covered, the first-out mark."""
        a, b, names = m.before, m.after, self.names
        lines = []
        for q in range(2):
            opened = members(int(b.open[q]) & ~int(a.open[q]))
            covered = members(int(b.covered[q]) & ~int(a.covered[q]))
            if opened:
                cards = names.cards(b, q, opened)
                lines.append(self._line(q, "fact opens hand", who=names.who(q), cards=cards))
            if covered and not retreated:
                lines.append(self._line(q, "fact covers", whom=names.whom(q), cards=names.cards(b, q, covered)))
        if a.out < 0 <= b.out:
            lines.append(self._line(int(b.out), "fact first out", who=names.who(int(b.out))))
        return lines

    def _result(self, s: State) -> list[LogLine]:
        if s.result == RUNNING:
            return []
        winner = int(s.result) - WON_0
        return [self._heading("win", winner, crystals=self.names.crystals(int(s.crystals[winner])))]


def _fight_ended(m: Moment) -> bool:
    return bool(m.before.fight >= IN_FIRE and m.after.fight == NO_FIGHT)


def _retreater(m: Moment) -> int:
    """Who gave up the fight: whoever begins the next turn, if there is one."""
    a, b = m.before, m.after
    if b.result == RUNNING:
        return int(b.turn)
    if a.retreater >= 0:
        return int(a.retreater)
    forced_by_floods = m.action not in (RETREAT, CHALLENGE)
    return 1 - int(a.turn) if forced_by_floods else int(a.turn)
