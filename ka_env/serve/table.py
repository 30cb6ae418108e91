"""One person's game on the server, and what is sent of it: nothing that the person can't know."""

from __future__ import annotations

import secrets
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ka_env.agents.levels import LANGUAGES as LEVEL_LANGUAGES
from ka_env.agents.levels import default_hint, opponents
from ka_env.errors import KaError
from ka_env.games import Setup
from ka_env.luck import fresh_seed
from ka_env.record import Recorder
from ka_env.screen.session import HUMAN, Player, PlayError, Session
from ka_env.serve.protocol import BadMessage
from ka_env.serve.words import say
from ka_env.viewer.words import LANGUAGES

MOST_DEALS = 200  # until the seat that was asked for comes up: one half of all deals have it
RUNNING, OVER, RESIGNED, FAILED = "running over resigned failed".split()


class Mark(NamedTuple):
    """Where the person last had to choose: what taking back leads to."""

    recorder: Recorder
    log: int
    moves: int


class Table(Session):
    """A game of a person against an agent. It is kept in memory; the record can be had when it is over."""

    mirrored: Setup  # the setup with the decks exchanged, for the rematch

    def __init__(self, recorder: Recorder, seat: int, opponent: str, setup: Setup, language: str, hint: str) -> None:
        self.id = secrets.token_urlsafe(9)
        self.setup = setup
        self.number = 0  # of the latest change: a client's answer says which one it means
        self.end = RUNNING
        self.failure = ""
        self.passing = "auto"
        self.marks: list[Mark] = []
        self.steps: list[tuple[Any, str, Any]] = []  # game before, token, chance: to tell it in another language
        self._adviser: Player | None = None
        super().__init__(recorder, seat, opponent, Path(), language=language, hint=hint, frame=setup.frame)
        self.viewer = self.game.about.room("viewer")
        self.began = self.game.turn == seat

    @classmethod
    def deal(
        cls, setup: Setup, mirrored: Setup, opponent: str, seat: str, language: str, hint: str | None = None
    ) -> Table:
        """A fresh deal; `mirrored` is the setup with the players' decks exchanged, for a person who is player 1."""
        for _ in range(MOST_DEALS):
            number, seed = secrets.randbelow(2), fresh_seed()
            chosen = mirrored if number else setup
            game = chosen.game.Game.deal(chosen, seed)
            if seat == "random" or (game.turn == number) == (seat == "first"):
                break
        else:
            raise PlayError(f"no deal of {setup.label} gives the seat {seat!r}: expected another seat")
        names = [opponent, HUMAN] if number else [HUMAN, opponent]
        about: dict[str, Any] = {"frame": chosen.frame, "seed": seed, "players": " ".join(names)}
        recorder = Recorder(game, date=date.today().isoformat(), **about)
        table = cls(recorder, number, opponent, chosen, language, hint or default_hint(*chosen[:2]))
        table.mirrored = setup if number else mirrored
        return table

    def warm_up(self) -> Table:
        """Load the compiled code that the first answers need, outside the event loop."""
        game = self.game.copy()
        self.people.Teller(self.seat, self.language).tell(game, game.legal()[0])
        self.hello()
        return self

    def save(self) -> None:
        """Nothing is written: the record can be had from the server."""

    # ---- playing

    @property
    def running(self) -> bool:
        return self.end == RUNNING

    @property
    def asks(self) -> bool:
        """Is the person to choose now?"""
        return self.running and not self.over and self.my_turn

    def answer(self, tokens: list[str]) -> None:
        """Say one or more tokens of one request, all or none."""
        if not self.asks:
            raise BadMessage("not your turn: wait for the opponent")
        self._check(tokens)
        if not self.draft:
            if self.passing == "once" and self.viewer.quiet_answer(self.game):
                self.passing = "auto"  # this was the question to stop at
            self.marks.append(Mark(self.recorder.copy(), len(self.log), self.moves))
        for token in tokens:
            self.choose(token)
        self._changed()

    def _check(self, tokens: list[str]) -> None:
        trial = self.asked.copy()
        for number, token in enumerate(tokens):
            before = trial.copy()
            trial.play(token)
            if number + 1 < len(tokens) and not self.people.continues(before, trial):
                raise BadMessage(f"{token!r} is an answer by itself: expected nothing after it")

    def quiet(self) -> str:
        """What is said for the person to a question that asks nothing; empty if the person is to be asked."""
        if not self.asks or self.draft or self.passing != "auto":
            return ""
        return self.viewer.quiet_answer(self.game)

    def pass_by(self, token: str) -> None:
        """Answer for the person; taking back goes to what the person said, not here."""
        self.choose(token)
        self._changed()

    def opponent_said(self, token: str) -> bool:
        """Play the opponent's answer; is a request complete, so that there is something to show?"""
        before = self.game.copy()
        self._step(token)
        self._changed()
        return not (self.game.player == before.player and self.people.continues(before, self.game))

    def _step(self, token: str, chance: Any = None) -> None:
        self.steps.append((self.game.copy(), token, chance))
        super()._step(token, chance)
        self.steps[-1] = (*self.steps[-1][:2], self.game.last_random)
        if self.over:
            self.end = OVER

    def take_back(self) -> None:
        """The half-made request, or all back to the person's last choice."""
        if self.end in (RESIGNED, FAILED):
            raise BadMessage("the game has ended: nothing can be taken back")
        if not self.marks:
            raise BadMessage("there is nothing to take back")
        mark = self.marks.pop()
        if not self.undo():
            self.recorder, self.game, self.moves = mark.recorder, mark.recorder.game, mark.moves
            del self.log[mark.log :], self.steps[mark.moves :]
            self.end = RUNNING
        self._changed()

    def resign(self) -> None:
        if not self.running:
            raise BadMessage("the game has ended already")
        self.end = RESIGNED
        self.undo()
        self._changed()

    def fail(self, reason: str) -> None:
        """An agent has broken down: this game ends, the others go on."""
        self.end, self.failure = FAILED, reason
        self._changed()

    def speak(self, language: str) -> None:
        """Tell everything anew in another language."""
        if language == self.language:
            return
        self.language = language
        self.teller = self.people.Teller(self.seat, language)
        start = self.steps[0][0] if self.steps else self.game
        self.log = self.teller.opening(start)
        for mark, step in enumerate(self.steps):
            self.marks = [one._replace(log=len(self.log)) if one.moves == mark else one for one in self.marks]
            self.log += self.teller.tell(*step)
        self._changed()

    def _changed(self) -> None:
        self.number += 1

    # ---- hints

    def advise(self, game: Any) -> tuple[str, dict[str, float]]:
        """What the adviser would say in a game `as_known`, and how it weighed the choices."""
        if self._adviser is None:
            self._adviser = Player(self.hint_name, self.seat, None, self.setup.frame)
        token = game.token(self._adviser.choose(game))
        notes = self._adviser.agent.notes(0) or {}
        legal = set(game.legal_ids())
        return token, {game.token(action): float(weight) for action, weight in notes.items() if action in legal}

    def hint_message(self, token: str, weights: dict[str, float]) -> dict[str, Any]:
        labels = {choice.token: choice.label for choice in self.choices()}
        return {
            "is": "hint",
            "number": self.number,
            "token": token,
            "weights": [[one, weights[one]] for one in labels if one in weights],
            "text": self._why(token, weights, labels),
        }

    def _why(self, token: str, weights: dict[str, float], labels: dict[str, str]) -> str:
        words = {"agent": self.hint_name, "choice": labels[token]}
        sum_ = sum(weights.values())
        if not sum_ or token not in weights:
            return say(self.language, "hint", **words)
        share = round(100 * weights[token] / sum_)
        visits = sum_ > 1.5
        key = "hint by search" if visits else "hint by net"
        text = say(self.language, key, share=share, count=round(weights[token]), sum=round(sum_), **words)
        others = sorted((one for one in weights if one != token), key=lambda one: -weights[one])
        if others and weights[others[0]] > 0:
            next_share = round(100 * weights[others[0]] / sum_)
            text += say(self.language, "hint next", choice=labels[others[0]], share=next_share)
        return text

    # ---- what is sent

    def message(self, told: int) -> dict[str, Any]:
        """The table as the person may know it, and the story from line `told` on."""
        language = self.language
        asked = self.asks and not self.quiet()
        return {
            "is": "table",
            "table": self.id,
            "number": self.number,
            "position": self.viewer.table_data(self.game, self.seat, language),
            "ask": self.question() if asked else say(language, "waits") if self.running else "",
            "options": self.options() if asked else [],
            "draft": self._draft_data(),
            "told": [[line.text, line.player, line.heading] for line in self.log[told:]],
            "from": told,
            "end": self.end,
            "result": self._result_words(),
            "won": None if not self.over else self.game.result[self.seat],
            "can": {
                "undo": self.end in (RUNNING, OVER) and bool(self.marks),
                "hint": asked,
                "resign": self.running,
                "record": not self.running,
            },
            "passing": self.passing,
        }

    def hello(self) -> dict[str, Any]:
        """The same with all that stays: words, names, the whole story."""
        facts = self.viewer.table_facts(self.game, self.language)
        names = {self.seat: say(self.language, "you"), 1 - self.seat: say(self.language, "opponent")}
        return {
            **self.message(0),
            "language": self.language,
            "seat": self.seat,
            "names": [names[0], names[1]],
            "players": ["" if p == self.seat else self.opponent_words() for p in range(2)],
            "about": [self.game.about.title, self.game.ruleset, self.frame],
            "facts": {**facts, "words": {**LANGUAGES[self.language], **facts["words"]}},
            "passes": self.viewer.PASSES,
            "lesson": self.lesson_data(),
        }

    def lesson_data(self) -> dict[str, Any] | None:
        """What a lesson says; None in a game."""
        return None

    def opponent_words(self) -> str:
        """`Medium · greedy`"""
        language = self.language if self.language in LEVEL_LANGUAGES else "en"
        level = next((one for one in opponents(*self.setup[:2]) if one.spec == self.opponent.spec and one.word), None)
        return f"{level.title(language)} · {level.spec}" if level else self.opponent.spec

    def options(self) -> list[dict[str, Any]]:
        asked = self.asked
        return [
            {
                "token": choice.token,
                "label": choice.label,
                "about": self._effect(choice.token) or self.about(choice.token),
                "handles": self.viewer.handles(asked, choice.token),
            }
            for choice in self.choices()
        ]

    def _effect(self, token: str) -> str:
        """What a choice brings, where a game tells it."""
        if not hasattr(self.people, "effect"):
            return ""
        return self.people.effect(self.asked, token, self.seat, self.language)

    def _draft_data(self) -> dict[str, Any] | None:
        if not self.draft:
            return None
        text = self.so_far()
        game = self.game.copy()
        spots = []
        for token in self.draft:
            spots.append(self.viewer.spot(game, token))
            game.play(token)
        return {"text": text, "spots": [spot for spot in spots if spot]}

    def _result_words(self) -> str:
        if self.end == OVER:
            score = self.game.result[self.seat]
            return say(self.language, "won" if score == 1 else "lost" if score == 0 else "drawn")
        if self.end == FAILED:
            return say(self.language, "failed", reason=self.failure)
        return say(self.language, "resigned") if self.end == RESIGNED else ""

    def record_text(self) -> str:
        """Only when the game is over: a record tells all cards."""
        if self.running:
            raise KaError("the game is still running: its record tells all cards")
        return self.recorder.record().to_text()
