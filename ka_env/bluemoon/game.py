"""`Game`: one game of Blue Moon, readable. See the notation page for tokens and position texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ka_env.bluemoon import kernels
from ka_env.bluemoon.cards import CARD_OF, CODES, DECKS
from ka_env.bluemoon.codes import AT_SUPPORT, CHARACTERS, EVENT_BYTES, EVENTS, KINDS, RUNNING, WON_0
from ka_env.bluemoon.knowledge.entities import ENTITIES
from ka_env.bluemoon.knowledge.observe import SIZE as OBSERVATION_SIZE
from ka_env.bluemoon.rulesets import RULESETS, frame_decks, ruleset_index
from ka_env.bluemoon.state import blank
from ka_env.bluemoon.text import tokens
from ka_env.bluemoon.text.read import read_position
from ka_env.bluemoon.text.write import write_position
from ka_env.errors import IllegalMove, NotationError, nearest
from ka_env.games import copy_records

SCORES: dict[int, tuple[float, float]] = {WON_0: (1, 0), WON_0 + 1: (0, 1)}
Event = tuple[Any, ...]  # ("shuffle", player, cards top first), ("hit", player, card), ("found", …), ("starter", player)


def _as_player(player: int) -> np.ndarray:
    if player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, not {player!r}")
    return np.array([player], np.int8)


class Game:
    """One game of Blue Moon, or one match. Make one with `Game.new` or `Game.from_text`."""

    __slots__ = ("_games", "_views")

    def __init__(self, games: np.ndarray, views: kernels.Views | None = None) -> None:
        """Wrap a batch of one game that has come to a decision or its end."""
        self._games = games
        self._views = kernels.views(1) if views is None else views
        if views is None:
            self._advance(kernels.SETTLE)

    # ---- making games

    @classmethod
    def new(cls, ruleset: str = "base", frame: str = "random", seed: int = 0) -> Game:
        """Deal a game. Frames: `<deck>-<deck>`, `random`."""
        games = blank(1)
        games["ruleset"] = ruleset_index(ruleset)
        decks = frame_decks(frame)
        kernels.seed_games(games, kernels.seed_bits(seed), 0)
        views = kernels.views(1)
        kernels.deal_games(games, decks, False, *views)
        return cls(games, views)

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> Game:
        """Read a position text. `seed` is for the chance events still to come."""
        games = read_position(text)
        kernels.seed_games(games, kernels.seed_bits(seed), 0)
        s = games[0]
        if s.result == RUNNING:
            if s.kind > AT_SUPPORT:
                if kernels.count_options(games) == 0:
                    raise NotationError(f"position: the pending decision {KINDS[s.kind]!r} has no option here")
            elif s.phase >= CHARACTERS and not kernels.check_completable(games):
                raise NotationError(
                    f"position: line (phase): player {s.turn}'s turn can't be finished from here, "
                    f"so the phase {KINDS[s.phase]!r} can't have been entered"
                )
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
        """The record itself (see bluemoon/state.py)."""
        return self._games[0]

    def records(self) -> np.ndarray:
        """A copy of the record, as a batch of one."""
        return copy_records(self._games)

    @property
    def ruleset(self) -> str:
        return RULESETS[self.state.ruleset]

    @property
    def decks(self) -> tuple[str, str]:
        return DECKS[self.state.deck[0]], DECKS[self.state.deck[1]]

    @property
    def over(self) -> bool:
        return bool(self.state.result != RUNNING)

    @property
    def result(self) -> tuple[float, float] | None:
        """Scores of player 0 and 1, or None while the game runs; in a match the result of the match."""
        return SCORES.get(int(self.state.result))

    @property
    def crystals(self) -> tuple[int, int]:
        """Crystals won so far."""
        return int(self.state.crystals[0]), int(self.state.crystals[1])

    @property
    def player(self) -> int | None:
        """Who decides."""
        return None if self.over else int(self.state.player)

    @property
    def turn(self) -> int | None:
        """The turn player."""
        return None if self.over else int(self.state.turn)

    @property
    def decision(self) -> str | None:
        """The kind of decision."""
        return None if self.over else KINDS[self.state.kind]

    def action_mask(self) -> np.ndarray:
        """Legal action ids as a boolean array; all False after the game."""
        return self._views[0][0].copy()

    def observation(self, player: int) -> np.ndarray:
        """What `player` (0 or 1) sees, as a float32 vector; see bluemoon/knowledge/observe.py for its sections."""
        out = np.empty((1, OBSERVATION_SIZE), np.float32)
        kernels.observe_games(self._games, _as_player(player), out)
        return out[0]

    def entities(self, player: int) -> dict[str, np.ndarray]:
        """The same knowledge as int16 arrays: cards with their facts, the table."""
        out = {name: np.zeros((1, *shape), np.int16) for name, (shape, _) in ENTITIES.items()}
        kernels.observe_entities_games(self._games, _as_player(player), *out.values())
        return {name: array[0] for name, array in out.items()}

    def legal_ids(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self._views[0][0])]

    def legal(self) -> list[str]:
        """Legal tokens in canonical order."""
        return [self.token(i) for i in self.legal_ids()]

    def token(self, action: int) -> str:
        """What an action id means for the player to decide."""
        return tokens.token(int(action), *tokens.decks_of(self.state, self.player or 0))

    def action_id(self, token: str) -> int:
        """The action id of a token for the player to decide."""
        return tokens.action_id(token, *tokens.decks_of(self.state, self.player or 0))

    @property
    def last_random(self) -> list[Event]:
        """The chance events since the last decision, oldest first."""
        s = self.state
        data = [int(x) for x in s.events[: s.event_count]]
        found: list[Event] = []
        while data:
            code, player, number, *data = data
            cards = tuple(CODES[s.deck[player]][c] for c in data[:number])
            data = data[number:]
            name = EVENTS[code]
            if name == "shuffle":
                found.append((name, player, cards))
            else:
                found.append((name, player, *cards))
        return found

    def to_text(self) -> str:
        return write_position(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._games.tobytes() == other._games.tobytes()

    def __hash__(self) -> int:
        return hash(self._games.tobytes())

    def __repr__(self) -> str:
        now = f"result={self.result}" if self.over else f"player={self.player} decision={self.decision!r}"
        return f"<Game {self.ruleset} {'-'.join(self.decks)} {now}>"

    # ---- playing

    def step(self, action: int) -> None:
        """Play one action id."""
        action = int(action)
        mask = self._views[0][0]
        if not (0 <= action < mask.size and mask[action]):
            raise self._illegal(self.token(action))
        self._advance(action)

    def step_with(self, action: int, events: Iterable[Event]) -> None:
        """Play one action id; chance falls as `events` say, and no random number is used."""
        given = list(events)
        trial = self.copy()
        s = trial.state
        data = [x for event in given for x in self._event_bytes(event)]
        if len(data) > EVENT_BYTES:
            raise IllegalMove(f"{len(given)} chance events after {self.token(action)!r}: so many can't happen at once")
        s.events[:] = -1
        s.events[: len(data)] = data
        s.event_count = len(data)
        s.script = 0
        trial.step(action)
        s = trial.state
        if s.misfit or s.script != s.event_count:
            happening = self.copy()
            happening.step(action)
            raise IllegalMove(
                f"{self.token(action)!r} can't be followed by {_event_text(given)}; "
                f"expected something like {_event_text(happening.last_random)}"
            )
        s.script = -1
        self._games, self._views = trial._games, trial._views

    def _event_bytes(self, event: Event) -> list[int]:
        name, player, *rest = event
        cards = list(rest[0]) if name == "shuffle" else rest
        known = CARD_OF[self.state.deck[player]]
        for card in cards:
            if card not in known:
                raise NotationError(f"chance event {name}{player}: {card!r} is no card of player {player}")
        return [EVENTS.index(name), player, len(cards), *(known[card] for card in cards)]

    def _advance(self, action: int) -> None:
        kernels.step_games(self._games, np.array([action]), *self._views)

    def play(self, tokens: str) -> None:
        """Play tokens separated by blanks, all or none."""
        trial = self.copy()
        for word in tokens.split():
            trial.step(trial.action_id(word))
        self._games, self._views = trial._games, trial._views

    def _illegal(self, word: str) -> IllegalMove:
        if self.over:
            return IllegalMove(f"illegal move {word!r}: the game is over ({self.result})")
        legal = self.legal()
        return IllegalMove(
            f"illegal move {word!r}: player {self.player} is at {self.decision!r} and may choose "
            f"{' '.join(legal)}{nearest(word, legal)}"
        )


def _event_text(events: Iterable[Event]) -> str:
    words = [f"{name}{player} {' '.join(rest[0] if name == 'shuffle' else rest)}".strip() for name, player, *rest in events]
    return repr(" ".join(words)) if words else "nothing"


