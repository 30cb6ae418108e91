"""Many games at once: one NumPy array of records, stepped by compiled kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.errors import IllegalMove
from ka_env.games import copy_records, load_game
from ka_env.view import PlayerViews


class BatchEngine:
    """N games that are played side by side.

    `to_play`, `action_mask`, `done` and `rewards` are arrays with one row per game, filled anew by every call.
    Game i under seed s is the same game whatever `num_games` and `threads` are; with `first_game` the numbering
    of games begins there.
    """

    def __init__(
        self,
        ruleset: str = "8.0-lite",
        frame: str | None = None,
        num_games: int = 1,
        seed: int = 0,
        threads: int = 1,
        deck0: Any = None,
        deck1: Any = None,
        game: str = "blackpoker",
        first_game: int = 0,
    ) -> None:
        if num_games < 1 or threads < 1:
            raise ValueError(f"num_games and threads must be at least 1, not {num_games} and {threads}")
        self.game_name = game
        self._game = load_game(game)
        self.ruleset = ruleset
        self.frame = frame or self._game.default_frame(ruleset)
        self.num_games = num_games
        self.first_game = first_game
        self.num_actions = self._game.NUM_ACTIONS
        self.observation_size = self._game.OBSERVATION_SIZE
        self.threads = threads
        self.games = self._game.blank(num_games)
        self.games["ruleset"] = self._game.ruleset_index(ruleset)
        self._deal = self._game.frame_lists(self.frame, deck0, deck1)
        self._views = self._game.kernels.views(num_games)
        self._bind()
        self.reset(seed)

    def _bind(self) -> None:
        """Take the kernels at hand; kept out of pickles."""
        self._game = load_game(self.game_name)
        self._kernels = self._game.kernels
        self.action_mask, self.to_play, self.done, self.rewards = self._views
        # One thread must not pay for the start of a thread team.
        suffix = "_parallel" if self.threads > 1 else ""
        self._deal_games, self._step_games, self._random_actions, self._observe_games = (
            getattr(self._kernels, name + suffix)
            for name in ("deal_games", "step_games", "random_actions", "observe_games")
        )

    def __getstate__(self) -> dict[str, Any]:
        bound = ("_game", "_kernels", "_deal_games", "_step_games", "_random_actions", "_observe_games")
        again = ("action_mask", "to_play", "done", "rewards")  # names for parts of _views
        return {name: value for name, value in self.__dict__.items() if name not in bound + again}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def reset(self, seed: int | None = None) -> None:
        """Deal all games. With a seed, from the start of its random numbers; without, from where they are."""
        if seed is not None:
            self._kernels.seed_games(self.games, self._kernels.seed_bits(seed), self.first_game)
        self._deal_games(self.games, self.threads, *self._deal, False, *self._views)

    def reset_done(self) -> None:
        """Deal anew the games that are over."""
        if self.done.any():
            self._deal_games(self.games, self.threads, *self._deal, True, *self._views)

    def step(self, actions: np.ndarray) -> None:
        """Play one action id in every game. A game that is over stays as it is; so does one whose action is -1.

        Raises IllegalMove if any action is illegal; then no game has changed.
        """
        actions = np.ascontiguousarray(actions, dtype=np.int64)
        if actions.shape != (self.num_games,):
            raise ValueError(f"actions must have shape ({self.num_games},), not {actions.shape}")
        wrong = self._kernels.first_illegal(self.games, actions)
        if wrong >= 0:
            raise self.illegal(wrong, int(actions[wrong]))
        self._step_games(self.games, self.threads, actions, *self._views)

    def step_one(self, action: Any) -> None:
        """`step` for a batch of one game, without the arrays."""
        action = int(action)
        if not (0 <= action < self.num_actions and self.action_mask[0, action]):
            raise self.illegal(0, action)
        self._step_games(self.games, 1, np.array([action]), *self._views)

    def observe(self, out: np.ndarray | None = None, players: np.ndarray | None = None) -> np.ndarray:
        """What each game's decider sees, one float32 row per game, into `out` if given.

        `players` (int8) asks for other viewers; -1, also the decider of a game that is over, gives a row of zeros.
        """
        if out is None:
            out = np.empty((self.num_games, self.observation_size), np.float32)
        self._observe_games(self.games, self.threads, self.to_play if players is None else players, out)
        return out

    def observe_some(self, which: np.ndarray, players: np.ndarray | None = None) -> np.ndarray:
        """What the deciders of some games see (or other players), one row for each number in `which`."""
        out = np.empty((len(which), self.observation_size), np.float32)
        self._kernels.observe_games(
            copy_records(self.games, which), 1, self.to_play[which] if players is None else players, out
        )
        return out

    def views(self, which: np.ndarray, seeds: np.ndarray) -> PlayerViews:
        """Some games as their deciders know them; the seeds (uint64) decide how the rest is re-drawn."""
        return PlayerViews(copy_records(self.games, which), self.to_play[which], seeds, self.game_name)

    def observe_entities(
        self, out: dict[str, np.ndarray] | None = None, players: np.ndarray | None = None
    ) -> dict[str, np.ndarray]:
        """The same by entity: int16 arrays, one row per game. For viewer -1 the rows stay as they are."""
        if out is None:
            shapes = {name: shape for name, (shape, _) in self._game.ENTITIES.items()}
            out = {name: np.zeros((self.num_games, *shape), np.int16) for name, shape in shapes.items()}
        players = self.to_play if players is None else players
        self._kernels.observe_entities_games(self.games, players, *(out[name] for name in self._game.ENTITIES))
        return out

    def game(self, i: int) -> Any:
        """A copy of game i as a `Game`."""
        views = tuple(view[i : i + 1].copy() for view in self._views)
        return self._game.Game(copy_records(self.games, slice(i, i + 1)), views)

    def random_actions(self, rng: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """A random legal action for each game; `rng` holds one uint64 generator state per game and is advanced."""
        out = np.zeros(self.num_games, np.int64) if out is None else out
        self._random_actions(self.games, self.threads, rng, out)
        return out

    def illegal(self, i: int, action: int) -> IllegalMove:
        """The error for an illegal action in game i."""
        game = self.game(i)
        try:
            game.step(action)
        except IllegalMove as error:
            return IllegalMove(f"game {i}, action {action}: {error}")
        raise AssertionError("the batch and the single game disagree")  # one legality: can't happen

    def __repr__(self) -> str:
        return f"<BatchEngine {self.ruleset} {self.frame} num_games={self.num_games} threads={self.threads}>"
