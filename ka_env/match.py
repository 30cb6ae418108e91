"""Matches: a series of games between the same two players, as one thing to play.

`best<n>` (n odd) goes with every game and ruleset: the first to (n + 1) / 2 wins; a drawn game counts for nobody; after
2n - 1 games more wins win, equal wins draw. A game may have matches of its own: see the room `matches` of its `KaGame`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ka_env.engine.rng import GOLDEN
from ka_env.errors import IllegalMove, KaError, NotationError, nearest, whole_number
from ka_env.game import Game
from ka_env.games import Setup, all_rulesets, game_of
from ka_env.record import UNKNOWN, Record, Recorder

_BEST = re.compile(r"best([1-9][0-9]?)")


def match_names(ruleset: str) -> list[str]:
    """Matches that a ruleset can be played in, for help and messages."""
    return ["best3", "best5", *_own_matches(ruleset)]


def _own_matches(ruleset: str) -> dict[str, type[Match]]:
    matches = game_of(ruleset).matches
    return {} if matches is None else {name: made for name, made in matches().items() if made.goes_with(ruleset)}


def new_match(match: str, setup: Setup, seed: int = 0) -> Match:
    """Begin a match."""
    own = _own_matches(setup.ruleset)
    if match in own:
        return own[match](match, setup, seed)
    best = _BEST.fullmatch(match) if isinstance(match, str) else None
    if best is None or int(best[1]) % 2 == 0:
        known = match_names(setup.ruleset)
        raise KaError(
            f"unknown match {match!r} of {setup.ruleset}: expected best<n> with an odd n, or one of "
            f"{', '.join(known)}{nearest(str(match), known)}"
        )
    return Match(match, setup, seed, int(best[1]))


def match_setup(match: str | None, ruleset: str, frame: str | None, deck0: Any = None, deck1: Any = None) -> Setup:
    """What is played, with the match's own frame if it has one. Decks of such a match are its own business."""
    own = _own_matches(ruleset).get(match) if match else None
    if own is None or own.frame is None:
        return Setup.of(ruleset, frame, deck0, deck1)
    return Setup(ruleset, frame or own.frame, deck0, deck1)


def parse_setup(text: str, match: str | None = None) -> Setup:
    """`ruleset/frame` as `Setup.parse` reads it; a ruleset alone for the usual frame, or for that of the match."""
    return match_setup(match, text, None) if text in all_rulesets() else Setup.parse(text)


class Match:
    """A series of games; play it like a `Game`. `game` is the one under way, None while something else is decided."""

    extra = 4  # numbers that an observation has beyond those of a game
    frame: str | None = None  # the only one it is played with, if so

    def __init__(self, name: str, setup: Setup, seed: int = 0, length: int = 3) -> None:
        self.name, self.setup, self.seed, self.length = name, setup, whole_number(seed, "seed"), length
        self.wins = [0, 0]
        self.number = 1  # of the game, from 1
        self.finished: list[Game] = []
        self.game: Game | None = None
        self._begin_game()

    @classmethod
    def goes_with(cls, ruleset: str) -> bool:
        return True

    # ---- the course of it

    @property
    def needed(self) -> int:
        return (self.length + 1) // 2

    @property
    def most_games(self) -> int:
        return 2 * self.length - 1

    def _game_seed(self) -> int:
        """Every game of a match has random numbers of its own."""
        return (self.seed + self.number * int(GOLDEN)) % 2**64

    def _begin_game(self) -> None:
        self._deal(self.setup)

    def _deal(self, setup: Setup) -> None:
        made: Any = setup.game.Game
        self.game = made.deal(setup, self._game_seed())
        if self.game is not None and self.game.over:
            self._end_game()

    def _end_game(self) -> None:
        assert self.game is not None
        self.finished.append(self.game)
        for player, score in enumerate(self.game.result or ()):
            self.wins[player] += score == 1
        if not self.over:
            self.number += 1
            self._begin_game()

    @property
    def over(self) -> bool:
        return max(self.wins) >= self.needed or len(self.finished) >= self.most_games

    @property
    def result(self) -> tuple[float, float] | None:
        if not self.over:
            return None
        if self.wins[0] == self.wins[1]:
            return 0.5, 0.5
        return (1, 0) if self.wins[0] > self.wins[1] else (0, 1)

    # ---- the decision

    @property
    def ruleset(self) -> str:
        return self.setup.ruleset

    @property
    def player(self) -> int | None:
        return None if self.over or self.game is None else self.game.player

    @property
    def decision(self) -> str | None:
        return None if self.over or self.game is None else self.game.decision

    def action_mask(self) -> np.ndarray:
        if self.over or self.game is None:
            return np.zeros(self.setup.game.num_actions, bool)
        return self.game.action_mask()

    def legal_ids(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self.action_mask())]

    def legal(self) -> list[str]:
        return [self.token(i) for i in self.legal_ids()]

    def token(self, action_id: int) -> str:
        return self._any_game().token(action_id)

    def action_id(self, token: str) -> int:
        return self._any_game().action_id(token)

    def _any_game(self) -> Game:
        return self.game or self.finished[-1]

    def step(self, action: int) -> None:
        """Play one action id."""
        if self.over or self.game is None:
            raise IllegalMove(f"illegal move: the match is over ({self.result})")
        self.game.step(action)
        if self.game.over:
            self._end_game()

    def play(self, tokens: str) -> None:
        """Play tokens separated by blanks, one after the other."""
        for word in tokens.split():
            self.step(self.action_id(word))

    # ---- what players know

    def observation_size(self) -> int:
        return self.setup.game.observation_size(self.ruleset) + self.extra

    def observation(self, player: int) -> np.ndarray:
        """The game's observation, then how the match stands: own and enemy wins / needed, games played / most, 1 if a
        game is under way; a match of a game's own may add more."""
        size = self.setup.game.observation_size(self.ruleset)
        row = np.zeros(self.observation_size(), np.float32)
        if self.game is not None:
            row[:size] = self.game.observation(player)
        standing = [self.wins[player] / self.needed, self.wins[1 - player] / self.needed]
        row[size : size + 4] = [*standing, len(self.finished) / self.most_games, self.game is not None]
        return row

    # ---- records

    def records(self) -> np.ndarray:
        """The bytes of all games so far, the one under way included."""
        games = self.finished + ([self.game] if self.game is not None and not self.over else [])
        return np.concatenate([game.records() for game in games] or [self.setup.game.blank(0)])

    def headers(self) -> dict[str, str]:
        """For the record of the game under way."""
        return {"match": self.name, "game": str(self.number), "wins": f"{self.wins[0]} {self.wins[1]}"}

    def __repr__(self) -> str:
        now = f"result={self.result}" if self.over else f"player={self.player} decision={self.decision!r}"
        return f"<Match {self.name} {self.ruleset} game {self.number} wins {self.wins[0]}-{self.wins[1]} {now}>"


class MatchRecorder:
    """Plays a match and writes its games down: play through it instead of the match, then take `records()`."""

    def __init__(self, match: Match, seed: int | str = UNKNOWN, players: str = UNKNOWN, date: str = UNKNOWN) -> None:
        self.match = match
        self._about = (str(seed), players, date)
        self._finished: list[Record] = []
        self._game: Recorder | None = None
        self._open()

    def _open(self) -> None:
        """A recorder of the game under way: it plays on a copy, with the same random numbers."""
        match = self.match
        self._game = None
        if match.game is not None and not match.over:
            self._game = Recorder(match.game.copy(), match.setup.frame, *self._about, more=match.headers())

    def step(self, action: int, notes: Mapping[int, float] | None = None) -> None:
        """Play one action id. `notes`: how the player weighed the action ids."""
        before = len(self.match.finished)
        writing = self._game
        self.match.step(action)
        if writing is not None:
            writing.step(action, notes=notes)
        if writing is not None and len(self.match.finished) > before:
            self._finished.append(writing.record())
        if writing is None or len(self.match.finished) > before:
            self._open()

    def records(self) -> list[Record]:
        """What has been played so far, one record for each game; decisions between games stand in their headers."""
        begun = self._game is not None and not self._game.game.setting_up
        return [*self._finished, *([self._game.record()] if self._game is not None and begun else [])]


def standing_after(record: Record) -> tuple[str, int, list[int]] | None:
    """The match, the number of the game, and the wins after it, as a record tells; None if it is of no match."""
    headers = record.headers
    if "match" not in headers:
        return None
    try:
        number, wins = int(headers["game"]), [int(word) for word in headers["wins"].split()]
        first, second = wins
    except (KeyError, ValueError):
        raise NotationError(
            f"record: a game of a match needs the headers game and wins, such as [game 2] [wins 1 0], not "
            f"{headers.get('game', 'nothing')!r} and {headers.get('wins', 'nothing')!r}"
        ) from None
    first += headers["result"] == "1 0"
    second += headers["result"] == "0 1"
    return headers["match"], number, [first, second]


def check_follows(before: Record, record: Record) -> None:
    """Do two records of a file fit, if the second says it is the next game of the same match?"""
    was, now = standing_after(before), standing_after(record)
    if was is None or now is None or was[0] != now[0] or now[1] != was[1] + 1:
        return
    if record.headers["wins"] != f"{was[2][0]} {was[2][1]}":
        raise NotationError(
            f"record: game {now[1]} of {now[0]} says wins {record.headers['wins']}, but after game {was[1]} they are "
            f"{was[2][0]} {was[2][1]}"
        )


class MatchEngine:
    """A match as an engine of one game: the few names that the AEC environment uses."""

    def __init__(self, match: str, ruleset: str, frame: str | None, seed: int, deck0: Any, deck1: Any) -> None:
        self.name = match
        self.setup = match_setup(match, ruleset, frame, deck0, deck1)
        self.num_actions = self.setup.game.num_actions
        self.match = new_match(match, self.setup, seed)
        self._publish()
        self.observation_size = self.match.observation_size()

    @property
    def games(self) -> np.ndarray:
        """The record of the game under way or the last one; an empty one before the first."""
        if self.match.game is None and not self.match.finished:
            return self.setup.game.blank(1)
        return self.match._any_game().records()

    def facts_of(self, which: np.ndarray) -> dict[str, np.ndarray]:
        return self.setup.game.facts_of(self.games)

    def reset(self, seed: int | None = None) -> None:
        if seed is None:
            seed = (self.match.seed + int(GOLDEN) // 3) % 2**64
        self.match = new_match(self.name, self.setup, seed)
        self._publish()

    def _publish(self) -> None:
        match = self.match
        self.to_play = np.array([-1 if match.player is None else match.player], np.int8)
        self.action_mask = match.action_mask()[None]
        self.done = np.array([match.over])
        first = (match.result or (0.5, 0.5))[0]
        self.rewards = np.array([[2 * first - 1, 1 - 2 * first]], np.float32)

    def game(self, i: int) -> Any:
        """A copy of the game under way, or of the last one."""
        if self.match.game is None and not self.match.finished:
            raise KaError(f"{self.name}: decks are being chosen, so there is no game yet")
        return self.match._any_game().copy()

    def observe(self, players: Sequence[int]) -> np.ndarray:
        return self.match.observation(int(players[0]))[None]

    def step_one(self, action: int | None) -> None:
        """What is seen after it is left to `observe`."""
        self.match.step(whole_number(action, "action"))
        self._publish()
