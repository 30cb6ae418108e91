"""What happened, told to people: the part of every game's narrator. A game's own classes add words and facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ka_env.game import Event, Game
from ka_env.moments import Moment, moments

OUTSIDER = -1  # a viewer who knows what both players know


class LogLine(NamedTuple):
    text: str
    player: int | None = None  # whose doing it is
    heading: bool = False


class Names:
    """Words in one language, for one viewer (None: a spectator who sees all)."""

    def __init__(self, viewer: int | None, language: str, watching: bool = False) -> None:
        self.viewer = viewer
        self.watching = watching or viewer in (None, OUTSIDER)  # players go by their numbers
        self.language = language
        self.phrases = self.book(language)

    @staticmethod
    def book(language: str) -> dict[str, str]:
        """The phrases of a language."""
        raise NotImplementedError

    def say(self, key: str, **words: object) -> str:
        return self.phrases[key].format(**words)

    def side(self, q: int) -> str:
        """How the viewer calls a player; part of the keys of phrases."""
        return "player" if self.watching else "you" if q == self.viewer else "opponent"

    def who(self, q: int) -> str:
        return self.say(self.side(q), player=q)

    def whom(self, q: int) -> str:
        return self.say(f"to {self.side(q)}", player=q)

    def list(self, names: Iterable[str]) -> str:
        return self.say("list").join(names)


class Teller:
    """Tells a game move by move."""

    names: Any

    def ending(self, game: Game) -> LogLine:
        """How a finished game ended."""
        return self._result(game.state)[0]

    def tell(self, game: Game, token: str, chance: Sequence[Event] = ()) -> list[LogLine]:
        """Lines about a move and all that follows from it; `game` is the game before it."""
        return [line for m in moments(game, game.action_id(token), chance) for line in self._moment(m)]

    def _moment(self, m: Moment) -> list[LogLine]:
        raise NotImplementedError

    def _result(self, s: Any) -> list[LogLine]:
        """How the game ended; nothing while it runs."""
        raise NotImplementedError

    def _line(self, doer: int | None, key: str, **words: object) -> LogLine:
        text = self.names.say(key, **words)
        return LogLine(text[0].upper() + text[1:], doer)

    def _heading(self, what: str, q: int, **words: object) -> LogLine:
        return self._line(q, f"{what} of {self.names.side(q)}", player=q, **words)._replace(heading=True)
