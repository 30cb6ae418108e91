"""`Game`: one game, readable. See the notation page for tokens and position texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.blackpoker import kernels
from ka_env.blackpoker.cards import INDEX, NAMES
from ka_env.blackpoker.codes import AT_CHANCE, DRAWN, KINDS, RUNNING, WON_0
from ka_env.blackpoker.deal import frame_lists
from ka_env.blackpoker.decisions import TOKENS, action_id
from ka_env.blackpoker.notation import read_position, write_position
from ka_env.blackpoker.observe import ENTITIES
from ka_env.blackpoker.observe import SIZE as OBSERVATION_SIZE
from ka_env.blackpoker.rulesets import RULESETS, ruleset_index
from ka_env.blackpoker.state import blank
from ka_env.errors import IllegalMove, NotationError, nearest
from ka_env.games import copy_records

SCORES: dict[int, tuple[float, float]] = {WON_0: (1, 0), WON_0 + 1: (0, 1), DRAWN: (0.5, 0.5)}
Deck = str | Sequence[str | int]


def _as_player(player: int) -> np.ndarray:
    if player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, not {player!r}")
    return np.array([player], np.int8)


class Game:
    """One game of BlackPoker. Make one with `Game.new` or `Game.from_text`."""

    __slots__ = ("_games", "_views")

    def __init__(self, games: np.ndarray, views: kernels.Views | None = None) -> None:
        """Wrap a batch of one game that has come to a decision or its end."""
        self._games = games
        self._views = kernels.views(1) if views is None else views
        if views is None:
            self._advance(kernels.SETTLE)

    # ---- making games

    @classmethod
    def new(
        cls,
        ruleset: str = "8.0-lite",
        frame: str = "entry20",
        seed: int = 0,
        deck0: Deck | None = None,
        deck1: Deck | None = None,
    ) -> Game:
        """Deal a game. `deck0` and `deck1` are own lists, for the frames deck40, half27 and custom."""
        games = blank(1)
        games["ruleset"] = ruleset_index(ruleset)
        lists, drawn, preset = frame_lists(frame, deck0, deck1)
        kernels.seed_games(games, kernels.seed_bits(seed), 0)
        views = kernels.views(1)
        kernels.deal_games(games, 1, lists, drawn, preset, False, *views)
        return cls(games, views)

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> Game:
        """Read a position text. `seed` is for the shuffles still to come."""
        games = read_position(text)
        kernels.seed_games(games, kernels.seed_bits(seed), 0)
        s = games[0]
        if s.result == RUNNING and s.kind != AT_CHANCE and not kernels.check_pending(games):
            raise NotationError(f"position: the pending decision {KINDS[s.kind]!r} does not fit the position")
        return cls(games)

    def copy(self) -> Game:
        return Game(copy_records(self._games), tuple(view.copy() for view in self._views))  # type: ignore[arg-type]

    def determinize(self, player: int, rng: np.random.Generator | int | None = None) -> Game:
        """A copy in which everything `player` can't know is drawn anew, consistently with all that player has seen."""
        viewer = _as_player(player)
        seed = np.random.default_rng(rng).integers(2**64, size=1, dtype=np.uint64)
        game = self.copy()
        kernels.determinize_games(game._games, viewer, seed)
        game._advance(kernels.SETTLE)
        return game

    # ---- looking at it

    @property
    def state(self) -> Any:
        """The record itself (see blackpoker/state.py)."""
        return self._games[0]

    def records(self) -> np.ndarray:
        """A copy of the record, as a batch of one."""
        return copy_records(self._games)

    @property
    def ruleset(self) -> str:
        return RULESETS[self.state.ruleset]

    @property
    def over(self) -> bool:
        return bool(self.state.result != RUNNING)

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
        return None if self.over else KINDS[self.state.kind]

    def action_mask(self) -> np.ndarray:
        """Legal action ids as a boolean array; all False after the game."""
        return self._views[0][0].copy()

    def observation(self, player: int) -> np.ndarray:
        """What `player` (0 or 1) sees, as a float32 vector; see blackpoker/observe.py for its sections."""
        out = np.empty((1, OBSERVATION_SIZE), np.float32)
        kernels.observe_games(self._games, 1, _as_player(player), out)
        return out[0]

    def entities(self, player: int) -> dict[str, np.ndarray]:
        """The same knowledge as int16 arrays per entity: cards, units, stage, table."""
        out = {name: np.zeros((1, *shape), np.int16) for name, (shape, _) in ENTITIES.items()}
        kernels.observe_entities_games(self._games, _as_player(player), *out.values())
        return {name: array[0] for name, array in out.items()}

    def legal_ids(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self._views[0][0])]

    def legal(self) -> list[str]:
        """Legal tokens in canonical order."""
        return [TOKENS[i] for i in self.legal_ids()]

    @property
    def last_shuffle(self) -> tuple[int, tuple[str, ...]] | None:
        """Player and cards (top first) of the latest shuffle of a life in play."""
        s = self.state
        if s.shuffled_by < 0:
            return None
        return int(s.shuffled_by), tuple(NAMES[c] for c in s.shuffled[: s.shuffled_count][::-1])

    def to_text(self) -> str:
        return write_position(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._games.tobytes() == other._games.tobytes()

    def __hash__(self) -> int:
        return hash(self._games.tobytes())

    def __repr__(self) -> str:
        now = f"result={self.result}" if self.over else f"player={self.player} decision={self.decision!r}"
        return f"<Game {self.ruleset} {now}>"

    # ---- playing

    def step(self, action: int) -> None:
        """Play one action id."""
        action = int(action)
        mask = self._views[0][0]
        if not (0 <= action < mask.size and mask[action]):
            raise self._illegal(TOKENS.get(action, f"action id {action}"))
        self._advance(action)

    def step_with_shuffle(self, action: int, cards: Sequence[str]) -> None:
        """Answer `search_card`; the rest of the life then lies as `cards` say, top first."""
        trial = self.arranged(action, cards)
        trial.step(action)
        self._games, self._views = trial._games, trial._views

    def arranged(self, action: int, cards: Sequence[str]) -> Game:
        """A copy in which the life lies so that answering `search_card` with `action` shuffles it to `cards`."""
        if self.decision != "search_card":
            raise IllegalMove(f"no life is shuffled here: the decision is {self.decision!r}")
        trial = self.copy()
        trial.step(action)
        player, shuffled = trial.last_shuffle or (0, ())
        if sorted(shuffled) != sorted(cards):
            raise IllegalMove(
                f"shuffle {' '.join(cards) or '-'!r}: expected the rest of player {player}'s life in any order, "
                f"{' '.join(sorted(shuffled, key=INDEX.__getitem__))}"
            )
        # The engine's shuffle moves places, whatever lies there: exchange the cards beforehand so that it comes out
        # as wanted. Nothing else sees the exchange, since a shuffle forgets all that was known of the life.
        wanted = {INDEX[old]: INDEX[new] for old, new in zip(shuffled, cards)}
        trial = self.copy()
        life = trial.state.life[player]
        life[:] = [wanted.get(int(c), c) for c in life]
        return trial

    def _advance(self, action: int) -> None:
        kernels.step_games(self._games, 1, np.array([action]), *self._views)

    def play(self, tokens: str) -> None:
        """Play tokens separated by blanks, all or none."""
        words = tokens.split()
        if len(words) == 1:
            self.step(action_id(words[0]))
            return
        trial = self.copy()
        for word in words:
            trial.step(action_id(word))
        self._games, self._views = trial._games, trial._views

    def _illegal(self, word: str) -> IllegalMove:
        if self.over:
            return IllegalMove(f"illegal move {word!r}: the game is over ({self.result})")
        legal = self.legal()
        return IllegalMove(
            f"illegal move {word!r}: player {self.player} is at {self.decision!r} and may choose "
            f"{' '.join(legal)}{nearest(word, legal)}"
        )
