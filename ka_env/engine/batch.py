"""Many games at once: one NumPy array of records, stepped by compiled kernels."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from weakref import WeakSet

import numpy as np

from ka_env.engine import jit
from ka_env.engine.loops import SETTLE, Outputs, outputs, seed_bits
from ka_env.engine.prefetch import CACHE_LINE
from ka_env.engine.view import PlayerViews
from ka_env.errors import IllegalMove, KaError, NotationError, whole_number
from ka_env.game import NOT_SEEN
from ka_env.games import DEFAULT_RULESET, KaGame, Setup, copy_records
from ka_env.valid import check_records

FORKED = (
    "this process was forked after threads were used, which OpenMP does not survive: it plays with one thread; start "
    "processes with the method 'spawn' to use more"
)
SNAPSHOT = ("games", *Outputs._fields)  # the arrays that are the state of a batch


def aligned(records: np.ndarray) -> np.ndarray:
    """A copy that begins at a cache line: the head of a record is then one line."""
    room = np.zeros(records.nbytes + CACHE_LINE, np.uint8)
    first = -room.ctypes.data % CACHE_LINE
    out = room[first : first + records.nbytes].view(records.dtype)
    out[:] = records
    return out


def as_actions(actions: Any) -> np.ndarray:
    """Action ids as the kernels read them; what would have to be rounded is refused."""
    found = np.asarray(actions)
    if found.dtype == np.int64 and found.flags.c_contiguous:
        return found
    if found.dtype.kind not in "iu":
        raise KaError(
            f"actions must be whole numbers, the ids of actions, not {found.dtype} such as {found.flat[:3]!r}"
        )
    return np.ascontiguousarray(found, dtype=np.int64)


class BatchEngine:
    """N games that are played side by side.

    `to_play`, `action_mask`, `done` and `rewards` are arrays with one row per game, filled anew by every call.
    Game i under seed s is the same game whatever `num_games` and `threads` are; with `first_game` the numbering
    of games begins there.
    """

    action_mask: np.ndarray
    to_play: np.ndarray
    done: np.ndarray
    rewards: np.ndarray

    def __init__(
        self,
        ruleset: str = DEFAULT_RULESET,
        frame: str | None = None,
        num_games: int = 1,
        seed: int = 0,
        threads: int = 1,
        deck0: Any = None,
        deck1: Any = None,
        first_game: int = 0,
    ) -> None:
        if num_games < 1 or threads < 1:
            raise ValueError(f"num_games and threads must be at least 1, not {num_games} and {threads}")
        self.setup = Setup.of(ruleset, frame, deck0, deck1)
        self.num_games = num_games
        self.first_game = first_game
        self.threads = threads
        about = self.setup.game
        self.num_actions = about.num_actions
        self.observation_size = about.observation_size(ruleset)
        self.games = aligned(about.blank(num_games))
        self.games["ruleset"] = about.ruleset_index(ruleset)
        self._setting = self.setup.setting()
        self._outputs = outputs(num_games, self.num_actions)
        self._bind()
        self.reset(seed)

    def _bind(self) -> None:
        """Names for the outputs, and the kernels at hand; kept out of pickles."""
        self.action_mask, self.to_play, self.done, self.rewards = self._outputs
        kernels = self._kernels = self.about.kernels
        # One thread must not pay for the start of a thread team; a game may do without parallel entries.
        several = self.threads > 1 and hasattr(kernels, "step_games_parallel")
        if several:
            _with_threads.add(self)
        if several and jit.threads_after_fork.lost:
            several = False  # the same games, only slower
            warnings.warn(FORKED, RuntimeWarning, stacklevel=2)
        self._deal_games = kernels.deal_games_parallel if several else kernels.deal_games
        self._step_games = kernels.step_games_parallel if several else kernels.step_games
        self._observe_games = kernels.observe_games_parallel if several else kernels.observe_games
        self._random_actions = kernels.random_actions_parallel if several else kernels.random_actions

    @property
    def about(self) -> KaGame:
        """The game that is played."""
        return self.setup.game

    @property
    def ruleset(self) -> str:
        return self.setup.ruleset

    @property
    def frame(self) -> str:
        return self.setup.frame

    def __getstate__(self) -> dict[str, Any]:
        bound = ("_kernels", "_deal_games", "_step_games", "_observe_games", "_random_actions", *Outputs._fields)
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_records(state["setup"].game, state["games"])  # it may have lain in a file
        self._take(state)

    def _take(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.games = aligned(self.games)
        self._bind()

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchEngine:
        made = type(self).__new__(type(self))
        made._take({name: deepcopy(value, memo) for name, value in self.__getstate__().items()})
        return made

    # ---- playing

    def reset(self, seed: int | None = None, out: np.ndarray | None = None) -> None:
        """Deal all games. With a seed, from the start of its random numbers; without, from where they are.

        Here and below `out` is filled with what the deciders see, as `observe` does, while the games are at hand.
        """
        if seed is not None:
            self._kernels.seed_games(self.games, seed_bits(seed), self.first_game)
        self._deal(False, out)

    def reset_done(self, out: np.ndarray | None = None) -> None:
        """Deal anew the games that are over."""
        if np.count_nonzero(self.done):  # faster than any()
            self._deal(True, out)

    def _deal(self, only_done: bool, out: np.ndarray | None) -> None:
        seen = NOT_SEEN if out is None else out
        self._deal_games(self.games, self.threads, self._setting, only_done, *self._outputs, seen)

    def step(self, actions: np.ndarray, out: np.ndarray | None = None) -> None:
        """Play one action id in every game. A game that is over stays as it is; so does one whose action is -1.

        Raises IllegalMove if any action is illegal; then no game has changed.
        """
        actions = as_actions(actions)
        if actions.shape != (self.num_games,):
            raise ValueError(f"actions must have shape ({self.num_games},), not {actions.shape}")
        seen = NOT_SEEN if out is None else out
        wrong = self._step_games(self.games, self.threads, actions, *self._outputs, seen)
        if wrong >= 0:
            raise self.illegal(wrong, int(actions[wrong]))

    def step_one(self, action: Any) -> np.ndarray:
        """`step` for a batch of one game, without the arrays; what the next decider sees."""
        action = whole_number(action, "action")
        if not (0 <= action < self.num_actions and self.action_mask[0, action]):
            raise self.illegal(0, action)
        seen = np.empty((1, self.observation_size), np.float32)
        self._kernels.step_games(self.games, 1, np.array([action]), *self._outputs, seen)
        return seen[0]

    def random_actions(self, rng: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """A random legal action for each game; `rng` holds one uint64 generator state per game and is advanced."""
        found = np.zeros(self.num_games, np.int64) if out is None else out
        self._random_actions(self.games, self.threads, rng, found)
        return found

    # ---- what players see

    def observe(self, out: np.ndarray | None = None, players: np.ndarray | None = None) -> np.ndarray:
        """What each game's decider sees, one float32 row per game, into `out` if given.

        `players` (int8) asks for other viewers; -1, also the decider of a game that is over, gives a row of zeros.
        """
        found = np.empty((self.num_games, self.observation_size), np.float32) if out is None else out
        viewers = self.to_play if players is None else players
        self._observe_games(self.games, self.threads, viewers, found)
        return found

    def observe_some(self, which: np.ndarray, players: np.ndarray | None = None) -> np.ndarray:
        """What the deciders of some games see (or other players), one row for each number in `which`."""
        out = np.empty((len(which), self.observation_size), np.float32)
        viewers = self.to_play[which] if players is None else players
        self._kernels.observe_games(copy_records(self.games, which), 1, viewers, out)
        return out

    def observe_entities(
        self, out: dict[str, np.ndarray] | None = None, players: np.ndarray | None = None
    ) -> dict[str, np.ndarray]:
        """The same by entity: int16 arrays, one row per game. For viewer -1 the rows stay as they are."""
        entities = self.about.entities_of(self.setup.ruleset)
        if out is None:
            out = {name: np.zeros((self.num_games, *shape), np.int16) for name, (shape, _) in entities.items()}
        players = self.to_play if players is None else players
        self._kernels.entities_games(self.games, players, tuple(out[name] for name in entities))
        return out

    def views(self, which: np.ndarray, seeds: np.ndarray) -> PlayerViews:
        """Some games as their deciders know them; the seeds (uint64) decide how the rest is re-drawn."""
        return PlayerViews(copy_records(self.games, which), self.to_play[which], seeds, self.about, self.frame)

    def facts_of(self, which: np.ndarray) -> dict[str, np.ndarray]:
        """What the infos of some games, which are over, tell besides the result; a row for each."""
        return self.about.facts_of(copy_records(self.games, which))

    # ---- single games, and the whole state

    def game(self, i: int) -> Any:
        """A copy of game i as a `Game`."""
        row = Outputs(*(array[i : i + 1].copy() for array in self._outputs))
        return self.about.Game(copy_records(self.games, slice(i, i + 1)), row)

    def illegal(self, i: int, action: int) -> IllegalMove:
        """The error for an illegal action in game i."""
        game = self.game(i)
        try:
            game.step(action)
        except IllegalMove as error:
            return IllegalMove(f"game {i}, action {action}: {error}")
        raise AssertionError("the batch and the single game disagree")  # one legality: can't happen

    def snapshot(self) -> Iterator[tuple[str, np.ndarray]]:
        """The arrays that are the state of the batch, by name; `restore` takes them back."""
        for name in SNAPSHOT:
            yield name, getattr(self, name)

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from a snapshot, also one that has lost its types in a file. Raises KaError if it is none.

        Only the records are taken; what users see is made from them anew.
        """
        try:
            games = np.ascontiguousarray(arrays["games"]).view(self.games.dtype).reshape(self.games.shape)
        except (KeyError, TypeError, ValueError) as error:
            raise NotationError(f"records: expected {self.num_games} of {self.about.title}: {error}") from None
        check_records(self.about, games)
        self.games[:] = games
        self._kernels.step_games(self.games, 1, np.full(self.num_games, SETTLE), *self._outputs, NOT_SEEN)

    def __repr__(self) -> str:
        return f"<BatchEngine {self.ruleset} {self.frame} num_games={self.num_games} threads={self.threads}>"


_with_threads: WeakSet[BatchEngine] = WeakSet()


def _bind_after_fork() -> None:
    if jit.threads_after_fork.lost:
        for engine in _with_threads:
            engine._bind()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_bind_after_fork)


def paired_engine(setup: Setup, seed: int, first: int, count: int) -> BatchEngine:
    """2 * count games: the deals from number `first` on, twice, so that two players can swap seats."""
    dealt = BatchEngine(*setup[:2], num_games=count, seed=seed, first_game=first, deck0=setup.deck0, deck1=setup.deck1)
    both = BatchEngine(*setup[:2], num_games=2 * count, seed=seed, deck0=setup.deck0, deck1=setup.deck1)
    for name, array in both.snapshot():
        array[:count] = array[count:] = getattr(dealt, name)
    return both
