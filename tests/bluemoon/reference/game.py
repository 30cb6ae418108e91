"""The game as it is seen from outside."""

from __future__ import annotations

import random
from typing import Any

from . import flow  # noqa: F401  (its tasks)
from . import text as position_text
from .actions import FIGHT, action_of, token_of
from .cards import DECKS
from .chance import Given, Random
from .completability import Memo, in_window, stays_completable
from .errors import IllegalMove
from .observation import observe
from .state import State
from .tasks import answer, asked, raw_options, run_tasks, who_decides


class Game:
    def __init__(self, state: State, chance: Any = None, seed: Any = 0) -> None:
        self.random = Random(seed)
        self.state = state
        self._memo: Memo = {}
        self._options: list[int] = []
        self._with_chance(chance, self._settle)

    @classmethod
    def new(cls, ruleset: str = "base", frame: str = "random", seed: Any = 0, chance: Any = None) -> Game:
        """A deal; a match is the ruleset or the frame with /match behind it."""
        match = ruleset.endswith("/match") or frame.endswith("/match")
        ruleset, frame = ruleset.removesuffix("/match"), frame.removesuffix("/match")
        if ruleset not in ("base", "base+opt"):
            raise ValueError(f"ruleset {ruleset!r}: expected base or base+opt")
        rng = random.Random(f"{seed} decks")
        decks = rng.sample(DECKS, 2) if frame == "random" else frame.split("-")
        if len(decks) != 2 or not set(decks) <= set(DECKS):
            raise ValueError(f"frame {frame!r}: expected random or two decks joined by -, of {' '.join(DECKS)}")
        state = State((decks[0], decks[1]), ruleset == "base+opt", match)
        state.push("first_deal")
        return cls(state, chance, seed)

    @classmethod
    def from_text(cls, text: str, chance: Any = None, seed: Any = 0) -> Game:
        return cls(position_text.read(text), chance, seed)

    def to_text(self) -> str:
        return position_text.write(self.state)

    # ---- what is asked ----

    @property
    def over(self) -> bool:
        return self.state.result is not None

    @property
    def result(self) -> tuple[int, int] | None:
        return self.state.result

    @property
    def player(self) -> int | None:
        return None if self.over else who_decides(self.state)

    @property
    def decision(self) -> str | None:
        return None if self.over else asked(self.state)[0].kind

    def legal(self) -> list[str]:
        return [self.token(action) for action in self._options]

    def legal_ids(self) -> list[int]:
        return list(self._options)

    def token(self, action: int) -> str:
        return token_of(self.state, self.player or 0, action)

    def action_id(self, token: str) -> int:
        return action_of(self.state, self.player or 0, token)

    @property
    def last_random(self) -> list[tuple[Any, ...]]:
        return list(self.state.events)

    def observation(self, player: int) -> dict[str, Any]:
        return observe(self.state, player, self.decision)

    # ---- playing ----

    def play(self, tokens: str, chance: Any = None) -> None:
        """All tokens or none; `chance` are the outcomes of the random events on the way, in order."""
        before = self.state.copy(), list(self._options), self.random.copy()
        try:
            self._with_chance(chance, lambda: self._play_all(tokens.split()))
        except BaseException:
            self.state, self._options, self.random = before
            self._memo = {}
            raise

    def _play_all(self, tokens: list[str]) -> None:
        for token in tokens:
            legal = self.legal()
            if token not in legal:
                raise IllegalMove(f"{token}: legal are {' '.join(legal) or 'no tokens, the game is over'}")
            self.state.events = []
            answer(self.state, self.action_id(token))
            self._settle()

    def _with_chance(self, chance: Any, action: Any) -> None:
        given = None if chance is None else Given(chance)
        self.state.chance = given or self.random
        action()
        if given and given.events:
            raise ValueError(f"these outcomes were not needed: {given.events}")
        self.state.chance = self.random

    def _settle(self) -> None:
        """Does what is to be done, and takes forced decisions."""
        s = self.state
        while True:
            run_tasks(s)
            self._options = [] if self.over else self._legal_options()
            if len(self._options) != 1:
                assert self._options or self.over, f"no legal option:\n{self.to_text()}"
                return
            answer(s, self._options[0])

    def _legal_options(self) -> list[int]:
        s = self.state
        options = raw_options(s)
        if in_window(s):
            if who_decides(s) == s.turn:
                options = [action for action in options if stays_completable(s, action, self._memo)]
            return options
        self._memo = {}
        return [action for action in options if action != FIGHT or stays_completable(s, action, self._memo)]

    def copy(self) -> Game:
        other = Game.__new__(Game)
        other.random = self.random.copy()
        other.state = self.state.copy()
        other.state.chance = other.random
        other._memo = dict(self._memo)
        other._options = list(self._options)
        return other
