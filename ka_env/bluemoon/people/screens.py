"""Blue Moon as people play and watch it: the board, the questions, the choices and the log in words.

`ka play` and `ka watch` reach a game through the names in __all__ and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from ka_env.bluemoon.cards import ALL_CODES
from ka_env.bluemoon.game import Game
from ka_env.bluemoon.people.look import ELEMENTS, Card, HandCard, Ship, Side, View, look
from ka_env.bluemoon.people.phrases import LANGUAGES
from ka_env.bluemoon.people.story import LogLine, Names, Teller, describe, result_words, turn_words
from ka_env.bluemoon.people.teaching import KEYS, effect, lesson
from ka_env.bluemoon.people.texts import about_card, facts_of
from ka_env.bluemoon.people.values import Value
from ka_env.screen.lines import Line, Lines, Span

__all__ = [
    "KEYS",
    "LANGUAGES",
    "LEGEND",
    "Line",
    "LogLine",
    "Span",
    "Teller",
    "about",
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
]
BACK = "▒▒"

LEGEND = {  # how to read the board
    "en": "On the board: K10 3/2 is a card with fire 3 and earth 2; in a fight only the contested value is shown, "
    "3→6 when it has changed. (K5) is covered, ?2 lies face down, K28! is open in hand or used. ▒▒ is a card you "
    "can't know. ◆ is a dragon somebody has, ◇ a neutral one. Type / to ask about the chosen card.",
    "ja": "盤面: K10 3/2 は火3・土2のカード。戦闘中は争っている元素の値だけを示し、変わると 3→6。(K5)は覆われたカード、"
    "?2は伏せたカード、K28!は公開中または使用済み。▒▒は見えないカード。"
    "◆は誰かのドラゴン、◇は中立。/ で選んだカードの説明。",
}
# Cards of one set are picked one at a time; until the set is complete nobody has seen anything new.
_PICKS = {"decline", "shed", "bottom", "cargo", "meet", "sacrifice", "discard", "put_back"}
_STARTS = {("engage", "decline"), ("support", "ship")}  # the second decision belongs to the first


def continues(before: Game, after: Game) -> bool:
    """Is the player who moved still in the middle of picking a set of cards?"""
    if after.player != before.player or after.last_random:
        return False
    if (before.decision, after.decision) in _STARTS:
        return True
    return after.decision == before.decision and after.decision in _PICKS and bool(after.state.picked)


def fresh(game: Game) -> bool:
    """Is this a question before which one looks at the board? The first ones of a turn, and the opponent's bluffs."""
    return game.decision in ("begin", "leadership", "engage", "challenge")


# ---- questions and choices ------------------------------------------------------------------------------------------


def question(game: Game, viewer: int | None, language: str = "en", watching: bool = False) -> str:
    """What is asked now, or who is being waited for. `watching`: the viewer is no player, but sees what one sees."""
    names = Names(viewer, language, watching)
    s = game.state
    if game.over:
        return ""
    if viewer not in (None, game.player):
        return names.ask(s, told=False) if watching else names.say("waits", who=names.who(int(s.player)))
    text = names.ask(s)
    return f"{names.who(int(s.player))}: {text}" if names.watching else text


def so_far(before: Game, tokens: Sequence[str], viewer: int, language: str = "en") -> tuple[str, list[str]]:
    """A half-made choice in words, and the tokens in it."""
    names = Names(viewer, language)
    game = before.copy()
    words = []
    for token in tokens:
        words.append(label(game, token, viewer, language, short=True))
        game.play(token)
    return names.list(words), list(tokens)


def choices(game: Game) -> list[str]:
    """Legal tokens in the order they are offered."""
    return game.legal()


def label(game: Game, token: str, viewer: int | None, language: str = "en", short: bool = False) -> str:
    """A choice in words; the card in it with its facts, unless `short`."""
    names = Names(viewer, language)
    act, words = names.act(game.state, token)
    text = names.say(f"do {act}", **words)
    code = _code(token)
    return text if short or not code else f"{text}  ({facts_of(code, language)})"


def _code(token: str) -> str:
    """The card that a token names; empty if none."""
    code = token.lstrip("~+").removeprefix("e")
    return code if code in ALL_CODES else ""


def about(word: str, language: str = "en") -> str:
    """What a card is and does, for a code or a token; empty for other words."""
    code = _code(word)
    return about_card(code, language) if code else ""


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
        self.width = width
        self.decider = asked.player
        self.choices = set(asked.legal()) if asked.player is not None and viewer in (None, asked.player) else set()
        self.picked = {_code(token) for token in picked}
        self.below = viewer if viewer in (0, 1) else 0

    def say(self, key: str, **words: object) -> str:
        return self.names.say(key, **words)

    def lines(self) -> list[Line]:
        above, below = self.view.sides[1 - self.below], self.view.sides[self.below]
        parts = [self.counts, self.hand, self.pile, self.ships, self.support, self.combat]
        return [
            *(line for part in parts for line in part(above)),
            *self.middle(),
            *(line for part in reversed(parts) for line in part(below)),
        ]

    # ---- one player

    def counts(self, side: Side) -> list[Line]:
        q = side.player
        line = [Span(self.names.who(q), "title" if self.view.turn == q and self.view.result is None else "")]
        line.append(Span(f" {side.people}  {self.say('hand')} {len(side.hand)}  {self.say('deck')} {len(side.deck)}"))
        line.append(Span(f"  {self.say('discard')} {len(side.discard)}"))
        if side.crystals:
            line.append(Span(f"  {self.say('crystals')} {side.crystals}"))
        if side.first_out:
            line.append(Span(f"  {self.say('first out')}", "mark"))
        known = [(k, code) for k, code in enumerate(side.deck) if code]
        if known and self.names.viewer is not None:
            line.append(Span(f"  {self.say('deck')}: " + " ".join(f"{k + 1}.{code}" for k, code in known), "dim"))
        return list(self.folded(line))

    def hand(self, side: Side) -> list[Line]:
        if not side.hand or not any(card.code for card in side.hand):
            return []
        return self.wrapped(self.say("hand"), [[self.hand_card(side, card)] for card in side.hand])

    def hand_card(self, side: Side, card: HandCard) -> Span:
        if not card.code:
            return Span(BACK, "dim")
        style = "dim" if card.code in self.picked else ""
        return self.card_span(side.player, card.code, card.code + ("!" if card.open else ""), style)

    def card_span(self, q: int, code: str, text: str, style: str = "") -> Span:
        tokens = [code, f"~{code}", f"+{code}"] if q == self.decider else [f"e{code}"]
        token = next((t for t in tokens if t in self.choices), "")
        return Span(text, style, token, code)

    def pile(self, side: Side) -> list[Line]:
        """Leadership cards, achievements."""
        lines = []
        if side.lead:
            words = [[Span(code + ("*" if code == side.leader else ""), "", "", code)] for code in side.lead]
            lines += self.wrapped(self.say("lead"), words)
        if side.feats:
            words = [[self.card_span(side.player, code, code)] for code in side.feats]
            lines += self.wrapped(self.say("feats"), words)
        return lines

    def ships(self, side: Side) -> list[Line]:
        if not side.ships:
            return []
        return self.wrapped(self.say("ships"), [self.ship(side, ship) for ship in side.ships], "  ")

    def ship(self, side: Side, ship: Ship) -> Line:
        landed = f" {self.say('landed')}" if ship.landed else ""
        line = [self.card_span(side.player, ship.code, ship.code), Span(f"{landed} [", "dim")]
        for i, code in enumerate(ship.cargo):
            line += [Span(" ")] if i else []
            line.append(self.card_span(side.player, code, code))
        return [*line, Span(f"{' ·' * (ship.capacity - len(ship.cargo))}]", "dim")]

    def support(self, side: Side) -> list[Line]:
        return self.area(side, "support", side.support)

    def combat(self, side: Side) -> list[Line]:
        return self.area(side, "combat", side.combat)

    def area(self, side: Side, name: str, cards: list[Card]) -> list[Line]:
        if not cards:
            return [[Span(f" {self.say(name)}  {self.say('empty')}", "dim")]] if name == "combat" else []
        return self.wrapped(self.say(name), [self.table_card(side, card) for card in cards], "  ")

    def table_card(self, side: Side, card: Card) -> Line:
        q = side.player
        if card.covered:
            return [self.card_span(q, card.code, f"({card.code})", "dim")]
        name = f"?{card.number}{f' {card.code}' if card.code else ''}" if card.face_down else card.code
        span = self.card_span(q, card.code or "-", name + ("!" if card.used else ""))
        if card.face_down:
            token = f"f{card.number}"
            span = span._replace(token=token if q != self.decider and token in self.choices else span.token)
            span = span._replace(about=card.code)
        line = [span]
        words, notes = self.value_words(card)
        if words:
            line.append(Span(f" {words}"))
        return [*line, Span(f" {' '.join(notes)}", "mark")] if notes else line

    def value_words(self, card: Card) -> tuple[str, list[str]]:
        """`3/2`, or in a fight `3→6`; and why."""
        assert card.values is not None
        shown = list(card.values) if self.view.element is None else [card.values[self.view.element]]
        before = "/".join(str(v.printed) for v in shown)
        now = "/".join(str(v.now) for v in shown)
        words = before if before == now else f"{before}→{now}"
        notes = change_notes(self.names, shown)
        if card.silenced:
            notes.append(self.say("text off", cards=self.names.list(card.silenced)))
        if card.stripped:
            notes.append(self.say("icons off", cards=self.names.list(card.stripped)))
        if card.doubled:
            notes.append(self.say("doubled demand"))
        return words, [f"[{note}]" for note in notes]

    # ---- between the players

    def middle(self) -> list[Line]:
        view = self.view
        above, below = view.sides[1 - self.below], view.sides[self.below]
        neutral = 3 - above.dragons - below.dragons
        track = f"{self.names.who(above.player)} {'◆' * above.dragons}|{'◇' * neutral}|{'◆' * below.dragons} "
        words = [f"{self.say('dragons')} {track}{self.names.who(below.player)}", self.say(f"fight {view.fight}")]
        if view.result is None:
            words.append(self.say(f"phase {view.phase}"))
        lines = [[Span("─" * self.width, "dim")], *self.folded([Span(" " + " · ".join(words))])]
        totals = [f"{self.names.who(side.player)} {self.total(side)}" for side in (above, below)]
        if view.fight != "-":
            lines += self.folded([Span(f" {self.say('total')}: {' · '.join(totals)}")])
        if view.hyla:
            owner, code = view.hyla
            lines.append([Span(f" {self.say('hyla')}: "), Span(f"{code} ({self.names.who(owner)})", "", "", code)])
        return [*lines, [Span("─" * self.width, "dim")]]

    def total(self, side: Side) -> str:
        if self.view.element is None:
            return self.say("totals open", **dict(zip(ELEMENTS, side.totals)))
        held = side.least[self.view.element]
        words = str(side.totals[self.view.element])
        return f"{words} ({self.say('held', card=held)})" if held else words


def change_notes(names: Names, values: Sequence[Value]) -> list[str]:
    """Why a value is not the printed one, each reason once."""
    notes = [
        names.say(f"change {change.what}", cards=names.list(change.by)) for value in values for change in value.changes
    ]
    return list(dict.fromkeys(notes))
