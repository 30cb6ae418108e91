"""BlackPoker as people play and watch it: the board, the questions, the choices and the log in words.

`ka play` and `ka watch` reach a game through the names in __all__ and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.cells import cell_len

from ka_env.blackpoker.cards import JOKER, NAMES, SUIT, members
from ka_env.blackpoker.codes import ACTION_CODE, LINK_ALL, PASSED_0, PLAYERS, SLOTS, VERBS, WORDS
from ka_env.blackpoker.decisions import AT_CHANCE, AT_KEY, AT_PAY_DISCARD, AT_PAY_SACRIFICE, REQUESTER, ROWS
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.people.board import BACK, FROM_HAND, HIDDEN, Side, Unit, View, look, size_of
from ka_env.blackpoker.people.effects import KEYS, cost_words, effect, lesson, waiting
from ka_env.blackpoker.people.phrases import LANGUAGES
from ka_env.blackpoker.people.story import LogLine, Names, Teller, describe, result_words, turn_words
from ka_env.blackpoker.rulesets import LETTERS, RULES, actions_of
from ka_env.blackpoker.text.tokens import action_id, token
from ka_env.moments import Moment, moments
from ka_env.screen.lines import Line, Lines, Span

__all__ = [
    "KEYS",
    "LANGUAGES",
    "LEGEND",
    "Line",
    "LogLine",
    "Span",
    "Teller",
    "board",
    "choices",
    "continues",
    "describe",
    "effect",
    "fresh",
    "label",
    "lesson",
    "question",
    "result_words",
    "so_far",
    "turn_words",
    "waiting",
]

LEGEND = {  # how to read the board
    "en": "On the board: [card] is a bulwark, card=size a soldier, the number before it its slot. "
    "▒▒ is a card you can't know.",
    "ja": "盤面: [カード]は防壁、カード=サイズは兵士、前の数字は位置。▒▒は見えないカードです。",
}
# Decisions that only make up a request, or repeat until all is said: until they are over nothing has been shown to
# anybody that a player could take back with profit.
_REQUEST = {row.name for row in ROWS if row.asked == REQUESTER or row.name == "bulwark_card"}
_REPEATED = {row.name for row in ROWS if row.repeated}
_FROM_HAND = {row.name for row in ROWS if row.offers in FROM_HAND}


def continues(before: Game, after: Game) -> bool:
    """Is the player who moved still in the middle of one request, or of naming attackers, blockers, cards?"""
    if after.player != before.player:
        return False
    if before.decision == "chance" or before.decision in _REQUEST:
        return after.decision in _REQUEST
    return after.decision in _REPEATED and after.decision == before.decision


def fresh(game: Game) -> bool:
    """Is this a question before which one looks at the board?"""
    return game.decision == "chance"


# ---- questions and choices ------------------------------------------------------------------------------------------


def question(game: Game, viewer: int | None, language: str = "en", watching: bool = False) -> str:
    """What is asked now, or who is being waited for. `watching`: the viewer is no player, but sees what one sees."""
    names = Names(viewer, language, watching)
    s = game.state
    if game.over:
        return ""
    if not names.watching and game.player != viewer:
        return names.say("waits", who=names.who(int(s.player)))
    text = names.ask(s)
    return f"{names.who(int(s.player))}: {text}" if names.watching else text


def so_far(before: Game, tokens: Sequence[str], viewer: int, language: str = "en") -> tuple[str, list[str]]:
    """A half-made request in words, and the tokens of all cards and units in it, also of those that were forced."""
    names = Names(viewer, language)
    game = before.copy()
    words: list[str] = []
    picked: list[str] = []
    for word in tokens:
        for moment in moments(game, action_id(word)):
            words.append(_answer(moment, names))
            picked.append(token(moment.action))
        game.play(word)
    return names.list(words), picked


def _answer(m: Moment, names: Names) -> str:
    """One answer of a request under way."""
    word = token(m.action)
    if m.before.kind == AT_CHANCE:
        return names.verb(word)
    if word in WORDS:
        return names.say(word)
    if word not in NAMES:
        meant = names.meant(m.before, word)
        if m.before.kind == AT_PAY_SACRIFICE:
            return names.say("given up", unit=meant["unit"])
        return meant.get("unit", meant.get("target", ""))
    phrase = {AT_KEY: "key", AT_PAY_DISCARD: "discarded"}.get(int(m.before.kind))
    card = names.card(NAMES.index(word))
    return names.say(phrase, card=card) if phrase else card


def choices(game: Game) -> list[str]:
    """Legal tokens in the order they are offered. Doing without anybody comes last: it is seldom meant."""
    tokens = game.legal()
    if _names_nobody(game):
        tokens.sort(key=lambda token: token == "done")
    return tokens


def _names_nobody(game: Game) -> bool:
    """Would `done` send nobody into this fight?"""
    s = game.state
    if game.decision == "attackers":
        return not s.picked
    return game.decision == "blockers" and s.attacker not in s.blocks[s.player]


def label(game: Game, word: str, viewer: int | None, language: str = "en") -> str:
    """A choice in words."""
    names = Names(viewer, language)
    s = game.state
    p = int(s.player)
    if word == "pass":
        return _pass_label(s, names)
    if word in VERBS and s.kind == AT_CHANCE:
        return _verb_label(game, word, names)
    if word in PLAYERS:
        return names.meant(s, word)["target"]
    if word[0] == "#":
        i = int(word[1:])
        return names.of(int(s.stage_player[i]), names.request(s, i, aimed=True))
    if word[0] in "ue" and word[1:].isdigit():
        return _sized(s, p if word[0] == "u" else 1 - p, int(word[1:]), names)
    if word in NAMES:
        return names.card(NAMES.index(word))
    if word == "done" and _names_nobody(game):
        return names.say(f"nobody {game.decision}")
    return names.say(f"{word} {game.decision}" if f"{word} {game.decision}" in names.phrases else word)


def _sized(s: Any, q: int, slot: int, names: Names) -> str:
    unit = names.unit_of(s, q * SLOTS + slot)
    if int(s.bulwarks[q]) >> slot & 1:
        return unit
    return names.say("sized", unit=unit, size=size_of(s, q, slot))


def _pass_label(s: Any, names: Names) -> str:
    last = s.passed == PASSED_0 + 1 - s.player
    if s.stage_count == 0:
        return names.say("pass back" if last else "pass to other")
    return names.say("pass resolves" if last else "pass on", request=names.request(s, int(s.stage_count) - 1))


def _verb_label(game: Game, verb: str, names: Names) -> str:
    """Name, keys and cost. A request that leaves no choice is told in full."""
    if verb == "end":
        return names.say("end", verb=names.verb(verb))
    cost = _cost(game, verb)
    told = names.say("cost", cost=cost_words(cost, names)) if cost else ""
    keys = names.cards(_forced_keys(game, verb)) or next(a.keys for a in actions_of(game.ruleset) if a.verb == verb)
    keys = names.phrases.get(f"keys {keys}", keys)
    if keys == "-":
        return names.say("without", verb=names.verb(verb), cost=told)
    return names.say("with", verb=names.verb(verb), keys=keys, cost=told)


def _cost(game: Game, verb: str) -> str:
    s = game.state
    letters = {code: letter for letter, code in LETTERS.items()}
    magician = any(s.bottom[s.player, slot] >= JOKER for slot in members(s.soldiers[s.player]))
    return "".join(letters[int(c)] for c in RULES[s.ruleset].cost[int(magician), ACTION_CODE[verb]] if c)


def _forced_keys(game: Game, verb: str) -> list[int]:
    """The keys, if there is only one way to make this request."""
    count = int(game.state.stage_count)
    made = [m.after for m in moments(game, action_id(verb)) if m.after.stage_count > count]
    return [int(k) for k in made[0].stage_key[count] if k >= 0] if made else []


# ---- the board ------------------------------------------------------------------------------------------------------


def board(
    game: Game,
    viewer: int | None,
    language: str = "en",
    width: int = 50,
    asked: Game | None = None,
    picked: Sequence[str] = (),
    watching: bool = False,
) -> list[Line]:
    """The table, the viewer's side below. `asked`: whose choices are marked; `picked`: tokens already named."""
    return _Board(game, Names(viewer, language, watching), width, asked or game, picked).lines()


class _Board(Lines):
    def __init__(self, game: Game, names: Names, width: int, asked: Game, picked: Sequence[str]) -> None:
        viewer = names.viewer
        self.names = names
        self.view: View = look(game, viewer)
        self.s = game.state
        self.width = width
        self.decider = asked.player
        self.decision = asked.decision
        self.choices = set(asked.legal()) if asked.player is not None and viewer in (None, asked.player) else set()
        self.picked = set(picked)

    def lines(self) -> list[Line]:
        above, below = self.view.above, self.view.below
        return [
            *self.counts(above),
            *self.hand(above),
            *self.frame(above),
            *self.fog(above),
            *self.units(above),
            *self.stage(),
            *self.units(below),
            *self.fog(below),
            *self.frame(below),
            *self.hand(below),
            *self.counts(below),
        ]

    def say(self, key: str, **words: object) -> str:
        return self.names.say(key, **words)

    # ---- pieces

    def card(self, card: int, token: str = "", style: str = "") -> Span:
        if card == HIDDEN:
            return Span(BACK, "dim " + style)
        if NAMES[card] in self.picked and token in ("hand", NAMES[card]):
            style += " dim"
        red = " red" if card < JOKER and SUIT[card] in (1, 2) else ""
        chosen = token not in ("", "hand") and token in self.choices
        return Span(self.names.card(card), (style + red).strip(), token if chosen else "")

    def counts(self, side: Side) -> Iterator[Line]:
        q = side.player
        style = "title" if self.view.turn == q else ""
        line = [Span(self.names.who(q), style)]
        line.append(Span(f"  {self.say('life')} {len(side.life)}  {self.say('hand')} {len(side.hand)}"))
        line.append(Span(f"  {self.say('grave')} {len(side.grave)}"))
        if side.grave:
            before, after = self.say("top", card="\0").split("\0")
            line += [Span(f" ({before}"), self.card(side.grave[-1]), Span(f"{after})")]
        known = [i for i, c in enumerate(side.life) if c != HIDDEN]
        if known and self.names.viewer is not None:
            line.append(Span(f"  {self.say('life')}: "))
            shown = side.life[: min(known[-1] + 1, 5)]
            line += [span for c in shown for span in (self.card(c), Span(" "))]
        return self.folded(line)

    def hand(self, side: Side) -> list[Line]:
        if all(card == HIDDEN for card in side.hand):
            return []  # their number stands in the counts
        own = side.player == self.decider
        from_here = self.decision in _FROM_HAND if own else self.decision == "strip_card"
        words = [[self.card(c, NAMES[c] if from_here and c != HIDDEN else "hand")] for c in side.hand]
        return self.wrapped(self.say("hand"), words)

    def fog(self, side: Side) -> list[Line]:
        words = []
        for card, unit, plus in side.fog:
            if unit == LINK_ALL:
                target = self.say("all soldiers")
            else:
                target = self.say("gone") if unit < 0 else self.names.unit_of(self.s, unit)
            words.append([*([Span("+")] if plus else []), self.card(card), Span(f"→{target}", "dim")])
        return self.wrapped(self.say("fog"), words) if words else []

    def frame(self, side: Side) -> list[Line]:
        """Pack and rare card."""
        if side.pack is None:
            return []
        own = side.player == self.decider and self.decision == "pack_card"
        words: list[Line] = [[Span(self.say("closed" if side.pack_closed else "opened"))]]
        words += [[self.card(c, NAMES[c] if own and c != HIDDEN else "")] for c in side.pack]
        for card in side.rare or []:
            words.append([Span(f"{self.say('rare')} "), self.card(card, NAMES[card] if own and card != HIDDEN else "")])
        return self.wrapped(self.say("pack"), words)

    def units(self, side: Side) -> list[Line]:
        if not side.units:
            return [[Span(f" {self.say('nothing')}", "dim")]]
        return self.wrapped(self.say("field"), [self.unit(unit) for unit in side.units], gap="  ")

    def unit(self, unit: Unit) -> Line:
        token = f"{'u' if unit.player == self.decider else 'e'}{unit.slot}"
        shown = token if token in self.choices else ""
        style = "dim" if unit.driven else ""
        line = [Span(f"{unit.slot}:", "dim", shown)]
        if unit.soldier:
            for i, card in enumerate(unit.cards):
                line += [Span("+", style, shown)] if i else []
                line.append(self.card(card, token, style))
            line.append(Span(f"={unit.size}", style, shown))
        else:
            line += [Span("[", style, shown), self.card(unit.cards[0], token, style)._replace(token=shown)]
            line.append(Span("]", style, shown))
        marks = self.marks(unit) + (["✓"] if token in self.picked and unit.player == self.decider else [])
        return [*line, Span(" " + ",".join(marks), "mark")] if marks else line

    def marks(self, unit: Unit) -> list[str]:
        bit = 1 << unit.slot
        marks = [self.say("driven")] if unit.driven else []
        if int(self.s.came[unit.player]) & bit:
            marks.append(self.say("new"))
        if unit.attacker or (unit.player == self.s.turn and int(self.s.picked) & bit):
            marks.append(self.say("attacks"))
        if unit.blocks >= 0:
            marks.append(self.say("blocks", unit=self.names.unit(self.s, 1 - unit.player, unit.blocks)))
        return marks

    def stage(self) -> list[Line]:
        title = f"── {self.say('stage')} "
        if not self.view.stage:
            title += f"({self.say('empty')}) "
        lines = [[Span(title + "─" * (self.width - cell_len(title)), "dim")]]
        for request in reversed(self.view.stage):
            token = f"#{request.index}"
            chosen = token if token in self.choices else ""
            who = f" {self.names.who(request.player)}: "
            lines += self.folded([Span(who), Span(self.names.request(self.s, request.index, True), "", chosen)])
        if self.view.stage:
            lines.append([Span("─" * self.width, "dim")])
        return lines
