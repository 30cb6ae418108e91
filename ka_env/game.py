"""`Game`: one game, readable; the part that all games share. A game's own class adds its texts and chance events."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from ka_env.engine.loops import DRAWN, SETTLE, WON_0, WON_1, Outputs, outputs, seed_bits
from ka_env.errors import IllegalMove, NotationError, nearest, whole_number
from ka_env.games import KaGame, Setup, copy_records, load_game

SCORES: dict[int, tuple[float, float]] = {WON_0: (1, 0), WON_1: (0, 1), DRAWN: (0.5, 0.5)}
NOT_SEEN = np.zeros((0, 0), np.float32)
Event = tuple  # a chance event: its name, the player, what came of it


def _as_player(player: int) -> np.ndarray:
    if player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, not {player!r}")
    return np.array([player], np.int8)


class Game:
    """One game. Make one with `Game.new` or `Game.from_text` of a game's own class."""

    __slots__ = ("_before", "_games", "_outputs", "_random")

    name: ClassVar[str]  # of the KaGame

    def __init__(self, games: np.ndarray, outputs_: Outputs | None = None) -> None:
        """Wrap a batch of one game that has come to a decision or its end."""
        self._games = games
        self._random: list[Event] | None = []  # None: nobody has asked since the last step
        self._before: Any = None  # the generator's state before that step; None after a deal
        if outputs_ is None:
            self._outputs = outputs(1, self.about.num_actions)
            self._advance(SETTLE)
        else:
            self._outputs = outputs_

    @property
    def about(self) -> KaGame:
        """What is declared of this game."""
        return load_game(self.name)

    # ---- making games

    @classmethod
    def deal(cls, setup: Setup, seed: int = 0) -> Self:
        about = setup.game
        games = about.blank(1)
        games["ruleset"] = about.ruleset_index(setup.ruleset)
        about.kernels.seed_games(games, seed_bits(seed), 0)
        out = outputs(1, about.num_actions)
        about.kernels.deal_games(games, 1, setup.setting(), False, *out, NOT_SEEN)
        game = cls(games, out)
        game._random = None
        return game

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> Self:
        """Read a position text. `seed` is for the chance events still to come."""
        raise NotImplementedError

    @classmethod
    def text_of(cls, records: np.ndarray) -> str:
        """The position text of a batch of one that has not been checked: no kernel touches it."""
        return cls(records, outputs(1, load_game(cls.name).num_actions)).to_text()

    def copy(self) -> Self:
        game = type(self)(copy_records(self._games), Outputs(*(array.copy() for array in self._outputs)))
        game._random, game._before = self._random, self._before
        return game

    def determinize(self, player: int, rng: np.random.Generator | int | None = None) -> Self:
        """A copy in which everything `player` can't know is drawn anew, consistently with all that player has seen."""
        viewer = _as_player(player)
        seed = np.random.default_rng(rng).integers(2**64, size=1, dtype=np.uint64)
        game = self.copy()
        self.about.kernels.determinize_games(game._games, viewer, seed)
        game._advance(SETTLE)
        game._random = []
        return game

    # ---- looking at it

    @property
    def state(self) -> Any:
        """The record itself (see the game's state.py)."""
        return self._games[0]

    def records(self) -> np.ndarray:
        """A copy of the record, as a batch of one."""
        return copy_records(self._games)

    @property
    def ruleset(self) -> str:
        return self.about.rulesets[self.state.ruleset]

    @property
    def over(self) -> bool:
        return bool(self._outputs.done[0])

    @property
    def result(self) -> tuple[float, float] | None:
        """Scores of player 0 and 1, or None while the game runs."""
        return SCORES.get(int(self.state.result))

    @property
    def player(self) -> int | None:
        """Who decides."""
        return None if self.over else int(self.state.player)

    @property
    def turn(self) -> int:
        """The turn player."""
        return int(self.state.turn)

    @property
    def decision(self) -> str | None:
        """The kind of decision."""
        return None if self.over else self.about.kinds[self.state.kind]

    @property
    def setting_up(self) -> bool:
        """Are these decisions that come before the deal? Then there is no position yet."""
        return False

    @property
    def last_random(self) -> list[Event]:
        """Chance events since the last decision, oldest first."""
        if self._random is None:
            self._random = self._events(self._before)
        return list(self._random)

    def action_mask(self) -> np.ndarray:
        """Legal action ids as a boolean array; all False after the game."""
        return self._outputs.action_mask[0].copy()

    def observation(self, player: int) -> np.ndarray:
        """What `player` (0 or 1) sees, as a float32 vector; its sections are those of the KaGame."""
        out = np.empty((1, self.about.observation_size(self.ruleset)), np.float32)
        self.about.kernels.observe_games(self._games, 1, _as_player(player), out)
        return out[0]

    def entities(self, player: int) -> dict[str, np.ndarray]:
        """The same knowledge as int16 arrays per entity."""
        out = {
            name: np.zeros((1, *shape), np.int16) for name, (shape, _) in self.about.entities_of(self.ruleset).items()
        }
        self.about.kernels.entities_games(self._games, _as_player(player), tuple(out.values()))
        return {name: array[0] for name, array in out.items()}

    def legal_ids(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self._outputs.action_mask[0])]

    def legal(self) -> list[str]:
        """Legal tokens in canonical order."""
        return [self.token(i) for i in self.legal_ids()]

    # ---- texts: a game's own

    def token(self, action_id: int) -> str:
        """The token of an action id, in this position."""
        raise NotImplementedError

    def action_id(self, token: str) -> int:
        """The action id of a token, in this position."""
        raise NotImplementedError

    def to_text(self) -> str:
        """The position text."""
        raise NotImplementedError

    def deal_text(self) -> str:
        """The position text with which a record of this game begins."""
        return self.to_text()

    # ---- records: see ka_env/record.py

    HEADERS: ClassVar[Sequence[str]] = "ruleset frame seed players result date hash".split()
    NEEDED_HEADERS: ClassVar[Sequence[str]] = "ruleset result hash".split()

    # Headers that are left out where they say nothing; these are of games of a match.
    SOMETIMES: ClassVar[Sequence[str]] = ("match", "game", "wins")

    def headers(self) -> dict[str, str]:
        """Headers that the position itself tells."""
        return {"ruleset": self.ruleset}

    def check_headers(self, headers: Mapping[str, str]) -> None:
        """Raise NotationError for headers of a record that don't fit this deal."""

    @classmethod
    def header_choices(cls) -> dict[str, Sequence[str]]:
        """Headers with few possible values."""
        about = load_game(cls.name)
        return {"ruleset": about.rulesets, "frame": about.frames}

    @classmethod
    def is_token(cls, word: str) -> bool:
        """Can a word be a token, in some position?"""
        raise NotImplementedError

    @classmethod
    def begins_moves(cls, line: str) -> bool:
        """In a record: does a line that isn't empty belong to the moves, no longer to the deal?"""
        return cls.is_token(line.split()[0])

    @classmethod
    def is_chance(cls, word: str) -> bool:
        """Does a chance event begin with this word?"""
        return False

    def chance_words(self, event: Event) -> list[str]:
        """An event as it stands in a record."""
        raise NotImplementedError

    def step_with(self, action: int, chance: Sequence[Event]) -> None:
        """Play an action id; chance brings these events."""
        if chance:
            raise IllegalMove(f"nothing is left to chance here, but {chance!r} was given")
        self.step(action)

    def scripted(self, action: int, chance: Sequence[Event]) -> np.ndarray:
        """A copy of the record in which an action id brings these events; without events chance is drawn."""
        raise NotImplementedError

    def step_with_words(self, action: int, words: deque[tuple[int, str]]) -> list[Event]:
        """Play an action id; the chance events it causes are taken from the front of `words` (line, word)."""
        self.step(action)
        return self.last_random

    # ---- chance

    def _events(self, before: Any) -> list[Event]:
        """Chance events of the last step; `before` is the generator's state before it, None after a deal."""
        return []

    # ---- comparing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._games.tobytes() == other._games.tobytes()

    def __hash__(self) -> int:
        return hash(self._games.tobytes())

    def __repr__(self) -> str:
        now = f"result={self.result}" if self.over else f"player={self.player} decision={self.decision!r}"
        return f"<Game {self.ruleset} {now}>"

    # ---- playing

    def step(self, action: int) -> None:
        """Play one action id."""
        action = whole_number(action, "action")
        mask = self._outputs.action_mask[0]
        if not (0 <= action < mask.size and mask[action]):
            raise self._illegal(self._word(action))
        self._advance(action)

    def _word(self, action: int) -> str:
        try:
            return self.token(action)
        except NotationError:
            return f"action id {action}"

    def _advance(self, action: int) -> None:
        self._before = self._games["rng"][0]
        self._random = None
        self.about.kernels.step_games(self._games, 1, np.array([action]), *self._outputs, NOT_SEEN)

    def play(self, tokens: str) -> None:
        """Play tokens separated by blanks, all or none."""
        if not isinstance(tokens, str):
            raise NotationError(f"play: expected tokens as a text, not {tokens!r}; `step` takes action ids")
        words = tokens.split()
        if len(words) == 1:
            self.step(self.action_id(words[0]))
            return
        trial = self.copy()
        for word in words:
            trial.step(trial.action_id(word))
        self._become(trial)

    def _become(self, trial: Self) -> None:
        self._games, self._outputs = trial._games, trial._outputs
        self._random, self._before = trial._random, trial._before

    def _illegal(self, word: str) -> IllegalMove:
        if self.over:
            return IllegalMove(f"illegal move {word!r}: the game is over ({self.result})")
        legal = self.legal()
        return IllegalMove(
            f"illegal move {word!r}: player {self.player} is at {self.decision!r} and may choose "
            f"{' '.join(legal)}{nearest(word, legal)}"
        )
