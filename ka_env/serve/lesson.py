"""A table that teaches: the learner finds the moves of a lesson, the opponent answers as it is written there."""

from __future__ import annotations

from typing import Any

from ka_env.games import KaGame, Setup
from ka_env.luck import fresh_seed
from ka_env.record import Recorder
from ka_env.serve.protocol import BadMessage
from ka_env.serve.table import OVER, Table
from ka_env.serve.words import say
from ka_env.viewer.lesson import Lesson


class OtherMove(BadMessage):
    """A legal move that is not the lesson's."""


class LessonTable(Table):
    """Nobody thinks here: the opponent is named after the weakest agent and never asked."""

    teaches: Lesson
    place: int  # among the lessons of the game
    count: int

    @classmethod
    def open(cls, about: KaGame, place: int, language: str) -> LessonTable:
        lessons = about.room("viewer").LESSONS
        if not 0 <= place < len(lessons):
            raise BadMessage(f"there is no lesson {place}: expected 0 to {len(lessons) - 1}")
        lesson: Lesson = lessons[place]
        game = about.Game.from_text(lesson.position, fresh_seed())
        setup = Setup.of(game.ruleset)
        table = cls(Recorder(game), lesson.seat, "random", setup, language, "random")
        table.mirrored, table.frame = setup, lesson.title[language]
        table.teaches, table.place, table.count = lesson, place, len(lessons)
        table.passing = "ask"
        return table

    @property
    def left(self) -> list[str]:
        """The tokens still to come."""
        return self.teaches.line.split()[self.moves + len(self.draft) :]

    @property
    def asks(self) -> bool:
        return super().asks and bool(self.left)

    def answer(self, tokens: list[str]) -> None:
        if self.asks:
            self._check(tokens)
            if self.left[: len(tokens)] != tokens:
                nudge = self.teaches.nudge[self.language]
                raise OtherMove(say(self.language, "other move", nudge=nudge))
        super().answer(tokens)
        self._finish()

    def opponent_said(self, token: str) -> bool:
        shown = super().opponent_said(token)
        self._finish()
        return shown

    def _finish(self) -> None:
        if not self.left:
            self.end = OVER

    def opponent_thinks(self) -> str:
        return self.left[0]

    def opponent_words(self) -> str:
        return say(self.language, "lesson opponent")

    def _result_words(self) -> str:
        return self.teaches.done[self.language] if self.end == OVER else super()._result_words()

    def advise(self, game: Any) -> tuple[str, dict[str, float]]:
        return self.left[0], {}

    def hint_message(self, token: str, weights: dict[str, float]) -> dict[str, Any]:
        return {**super().hint_message(token, weights), "text": self.teaches.nudge[self.language]}

    def lesson_data(self) -> dict[str, Any]:
        told = {key: getattr(self.teaches, key)[self.language] for key in ("title", "intro", "done")}
        return {"number": self.place, "count": self.count, "game": self.game.about.name, **told}
