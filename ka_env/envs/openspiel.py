"""The games for OpenSpiel: importing this module registers `python_ka_<game>` with pyspiel.

    import ka_env.envs.openspiel
    game = pyspiel.load_game("python_ka_<game>(ruleset=<ruleset>,frame=<frame>)")

Chance is explicit. The engine turns a seed into a deal or a shuffle, so a chance event is the draw of a seed:
SEED_BYTES chance nodes in a row, each with 256 equally likely outcomes. There is one such draw for the deal and one
whenever a move shuffles, never a hidden one: applying an action is deterministic, and the actions of `history()` lead
to the same state again. That is what OpenSpiel's own algorithms want. With sampled chance (one dummy outcome) a clone
would repeat the shuffle of its original, or MCTS would mix different positions in one node, and pyspiel can't
serialise such Python games. With the parameter `seed` the deal is fixed and only shuffles are left to chance.

What a player knows:

- `observation_string` and both tensors tell what the player can still follow (ruling R1), as in the other environments.
- `information_state_string` has perfect recall: the same and a digest of all decisions the player has taken, each with
  what was known at that moment. The opponent's decisions enter by what they change, they are not counted.
- `resample_from_infostate` re-draws what the player can't know. The new state has an empty history, since the real
  one tells the hidden cards, and its information state for that player is the same; the past of the opponent is blank.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from ka_env.games import KaGame, Setup, packages
from ka_env.hints import install_extra

try:
    import pyspiel
except ImportError as error:
    raise ImportError(f"ka_env.envs.openspiel needs OpenSpiel: {install_extra('openspiel')}") from error

PLAYERS = 2
SEED_BYTES = 4
BYTE_VALUES = 256
BYTE_OUTCOMES = [(value, 1 / BYTE_VALUES) for value in range(BYTE_VALUES)]
DEFAULT_FRAME = "default"
NO_SEED = -1
FORGOTTEN = b"forgotten"


@dataclass(frozen=True)
class Position:
    """A state apart from its OpenSpiel history. It never changes, so clones share it."""

    game: Any = None  # None before the deal; never stepped, only copies of it are
    waiting: int | None = None  # a move that leaves something to chance, held back until its seed is drawn
    event: str = ""  # what is left to chance: shuffle, deal, ...
    drawn: bytes = b""  # the part of a seed drawn so far
    past: tuple[bytes, ...] = (b"", b"")  # for each player, a digest of the decisions taken

    def __deepcopy__(self, memo: dict) -> Position:
        return self

    @property
    def at_chance(self) -> bool:
        return self.game is None or self.waiting is not None

    @cached_property
    def player(self) -> int:
        """Who decides, in OpenSpiel's numbers."""
        if self.at_chance:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.game.over else self.game.player

    @cached_property
    def legal(self) -> list[int]:
        return self.game.legal_ids()

    def played(self, action: int) -> Position:
        """After a move of the decider; a move that leaves something to chance then waits for its seed."""
        past = list(self.past)
        past[self.player] = _digest(past[self.player], _knowledge(self.game, self.player), action.to_bytes(2))
        after = self.game.copy()
        after.step(action)
        if after.state.rng != self.game.state.rng:
            event = after.last_random[0][0] if after.last_random else "deal"
            return replace(self, waiting=action, event=event, past=tuple(past))
        return Position(after, past=tuple(past))

    def drawn_from(self, seed: int) -> Position:
        """After the move held back, with all its random numbers taken from `seed`."""
        game = self.game.copy()
        game.state.rng = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        game.step(self.waiting)
        return Position(game, past=self.past)


def _knowledge(game: Any, player: int) -> bytes:
    """All that a player knows, as bytes."""
    return b"".join(array.tobytes() for array in game.entities(player).values())


def _digest(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=12)
    for part in parts:
        digest.update(len(part).to_bytes(4) + part)
    return digest.digest()


class OpenSpielGame(pyspiel.Game):
    """A game, its ruleset and its frame, as OpenSpiel wants them. Each game of ka_env has a subclass."""

    about: KaGame
    game_type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = {**self.game_type.parameter_specification, **(params or {})}
        frame = params["frame"]
        self.setup = Setup.of(params["ruleset"], None if frame == DEFAULT_FRAME else frame)
        seed = params["seed"]
        self._start = Position() if seed == NO_SEED else Position(self.deal(seed))
        super().__init__(self.game_type, _game_info(self.about), params)

    def deal(self, seed: int) -> Any:
        return self.about.Game.deal(self.setup, seed)

    def new_initial_state(self) -> OpenSpielState:
        return OpenSpielState(self, self._start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """None for an observation type that is not offered: what is public, or private, alone."""
        if params:
            raise ValueError(f"observation parameters are not supported, but {params} were given")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.about.observation_size(self.setup.ruleset), kind.perfect_recall)

    def max_chance_nodes_in_history(self) -> int:
        return SEED_BYTES * (1 + self.about.longest)


class OpenSpielState(pyspiel.State):
    """A state. Its only attribute is the position, and OpenSpiel's clone and serialisation take care of that."""

    def __init__(self, game: OpenSpielGame, position: Position) -> None:
        super().__init__(game)
        self.position = position

    @property
    def ka_game(self) -> Any:
        """A copy of the game as a readable `Game`: None before the deal, and before a move that waits for its seed."""
        return self.position.game and self.position.game.copy()

    def current_player(self) -> int:
        return self.position.player

    def is_terminal(self) -> bool:
        return self.position.player == pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(BYTE_OUTCOMES)  # MCTS shuffles what it gets

    def _apply_action(self, action: int) -> None:
        if self.position.at_chance:
            self._draw(action)
        else:
            self.position = self.position.played(action)

    def _draw(self, byte: int) -> None:
        drawn = self.position.drawn + bytes([byte])
        seed = int.from_bytes(drawn)
        if len(drawn) < SEED_BYTES:
            self.position = replace(self.position, drawn=drawn)
        elif self.position.game is None:
            self.position = Position(self.get_game().deal(seed))
        else:
            self.position = self.position.drawn_from(seed)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed byte {action:02x}"
        return self.position.game.token(action)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * PLAYERS
        return [2.0 * score - 1.0 for score in self.position.game.result]

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> OpenSpielState:
        """A state that `player` can't tell from this one. `rng` gives numbers from 0 to 1."""
        if self.position.waiting is not None:
            event = self.position.event
            raise ValueError(f"resample_from_infostate: not in the middle of a {event}, only at decisions")
        state = self.get_game().new_initial_state()
        if self.position.game is not None:
            past = [FORGOTTEN] * PLAYERS
            past[player] = self.position.past[player]
            game = self.position.game.determinize(player, int(rng() * 2**53))
            state.position = Position(game, past=tuple(past))
        return state

    def __str__(self) -> str:
        here = self.position
        if here.game is None:
            text = ""
        else:
            text = f"{here.game!r}\n" if here.game.setting_up else here.game.to_text()
        if not here.at_chance:
            return text
        move = "the deal" if here.game is None else here.game.token(here.waiting)
        return f"{text}seed for {move}: {here.drawn.hex() or '-'}\n"


class Observer:
    """What a player knows of a state, as OpenSpiel's observers tell it (see open_spiel/python/observation.py)."""

    def __init__(self, size: int, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        game = state.position.game
        self.tensor[:] = 0 if game is None else game.observation(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The decision, the options if they are the player's own, and digests of what is known."""
        here = state.position
        if here.game is None:
            return f"P{player} before the deal"
        game = here.game
        words = [f"P{player}", game.decision or "over"]
        if here.waiting is not None:
            words.append(here.event)
        elif here.player == player:
            words.append(",".join(game.legal()))
        words.append("now:" + _digest(_knowledge(game, player)).hex())
        if self._perfect_recall:
            words.append("past:" + (here.past[player].hex() or "-"))
        return " ".join(words)


def _game_type(about: KaGame) -> Any:
    return pyspiel.GameType(
        short_name=f"python_ka_{about.name}",
        long_name=f"ka_env {about.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=PLAYERS,
        min_num_players=PLAYERS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "ruleset": about.rulesets[0],
            "frame": DEFAULT_FRAME,
            "seed": NO_SEED,
        },
    )


def _game_info(about: KaGame) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=about.num_actions,
        max_chance_outcomes=BYTE_VALUES,
        num_players=PLAYERS,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=about.longest,
    )


def _register(about: KaGame) -> None:
    game_type = _game_type(about)
    # A class, since pyspiel drops its reference after Python has shut down: a function's last one would crash there.
    game_class = type(f"{about.title.replace(' ', '')}Game", (OpenSpielGame,), {"about": about, "game_type": game_type})
    pyspiel.register_game(game_type, game_class)


def register_all() -> None:
    """Make all games known to pyspiel; those that are there already stay."""
    for package in packages():
        if f"python_ka_{package.NAME}" not in pyspiel.registered_names():
            _register(package.GAME)


register_all()
