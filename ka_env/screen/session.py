"""A person's game against an agent, without any screen: choices, taking back, hints, saving.

Choices that only make up a request are kept aside until the request is complete, then played in one go. So a
half-made request can be taken back, and nothing it would have turned up has been seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ka_env.agents import Agent, agent_names, make_agent
from ka_env.agents.levels import WORDS, default_hint, default_opponent, levels, spec_of
from ka_env.engine.view import PlayerViews
from ka_env.errors import KaError, nearest
from ka_env.games import Setup
from ka_env.luck import fresh_seed, separate_rng
from ka_env.record import UNKNOWN, Recorder, load, save

HUMAN = "human"
SEATS = ("first", "second", "random")


class PlayError(KaError):
    """A game that can't be played as asked."""


def agent_named(spec: str) -> Agent:
    """An agent; whatever is wrong with its name or options becomes one error."""
    try:
        return make_agent(spec)
    except (ValueError, TypeError, OSError) as error:
        if isinstance(error, KaError):
            raise
        raise PlayError(f"agent {spec!r}: {error}") from None


def opponent_named(name: str | None, ruleset: str, frame: str | None) -> str:
    """The agent that a level's word or a name stands for, checked; none: the usual level."""
    if name is None:
        return default_opponent(ruleset, frame)
    spec = spec_of(name, ruleset, frame)
    try:
        agent_named(spec)
    except KaError as error:
        meant = nearest(name, [*agent_names(), *WORDS])
        if any(repr(word) in meant for word in WORDS):
            raise PlayError(f"no agent or level {name!r}: levels are {', '.join(WORDS)}{meant}") from error
        raise
    return spec


def dealable(ruleset: str, frame: str) -> str | None:
    """A frame that can be dealt by its name alone; else none, which stands for the usual one."""
    try:
        return Setup.of(ruleset, frame).frame
    except (KaError, ValueError):
        return None


def level_title(spec: str, ruleset: str, frame: str | None, language: str) -> str:
    """`Medium (greedy)`, or the agent's name if it is no level."""
    found = [level for level in levels(ruleset, frame) if level.spec == spec]
    return f"{found[0].title(language)} ({spec})" if found else spec


class Player:
    """An agent in one game."""

    def __init__(self, spec: str, seat: int, seed: int | None, frame: str | None = None) -> None:
        """A seed makes it play the same again; nothing it is given tells of the deal."""
        self.agent = agent_named(spec)
        self.spec = spec
        self.frame = None if frame == UNKNOWN else frame
        self._rng = separate_rng(seed, f"player {seat}")
        self._which = np.zeros(1, np.int64)
        self.agent.begin(self._which, np.array([seat], np.int8), self._seeds())

    def _seeds(self) -> np.ndarray:
        return self._rng.integers(2**64, size=1, dtype=np.uint64)

    def choose(self, game: Any) -> int:
        """An action id, from what the decider of `game` may know."""
        player = int(game.player)
        agent = self.agent
        observations = game.observation(player)[None] if agent.needs_observations else None
        views = None
        if agent.needs_views:
            views = PlayerViews(game.records(), np.array([player], np.int8), self._seeds(), game.about, self.frame)
        try:
            return int(agent.act(self._which, observations, game.action_mask()[None], views)[0])
        except Exception as error:  # whatever an agent does, the game is saved and the screen is left in order
            raise PlayError(f"agent {self.spec!r} failed: {type(error).__name__}: {error}") from error


class Choice(NamedTuple):
    token: str
    label: str
    key: str  # a letter that always means this choice, or a number within the list


class Session:
    """One game of a person, in `seat`, against an agent."""

    def __init__(
        self,
        recorder: Any,
        seat: int,
        opponent: str,
        path: Path,
        seed: int | None = None,
        language: str = "en",
        hint: str | None = None,  # the best agent shipped for the rules
        frame: str = UNKNOWN,
    ) -> None:
        self.recorder = recorder
        self.game = recorder.game
        self.people = self.game.about.room("people")
        self.seat = seat
        self.path = path
        self.language = language
        self.frame = frame
        self.began = bool(self.game.turn == seat)
        self.opponent = Player(opponent, 1 - seat, seed, frame)
        self.hint_name = hint or default_hint(self.game.ruleset, self._known_frame)
        self._hint_player: Player | None = None
        self._seed = seed
        self.moves = 0
        self.teller = self.people.Teller(seat, language)
        self.log: list[Any] = self.teller.opening(self.game)
        self.draft: list[str] = []
        self._trial: Any = None
        self._passed: Any = None  # the game at the latest pass of a wait

    @property
    def _known_frame(self) -> str | None:
        return dealable(self.game.ruleset, self.frame)

    @property
    def opponent_title(self) -> str:
        return level_title(self.opponent.spec, self.game.ruleset, self._known_frame, self.language)

    # ---- beginning

    @classmethod
    def new(
        cls,
        ruleset: str,
        frame: str | None,
        opponent: str | None,  # a level's word or an agent; none: the usual level
        path: Path,
        seat: str = "random",
        seed: int | None = None,
        **options: Any,
    ) -> Session:
        """Deal a game. Seat `first` is that of the player who begins."""
        if seat not in SEATS:
            raise PlayError(f"unknown seat {seat!r}: expected one of {', '.join(SEATS)}{nearest(seat, SEATS)}")
        setup = Setup.of(ruleset, frame)
        opponent = opponent_named(opponent, *setup[:2])
        dealt = fresh_seed() if seed is None else seed
        game = setup.game.Game.deal(setup, dealt)
        begins = seat == "first" or (seat == "random" and separate_rng(seed, "seat").random() < 0.5)
        number = game.turn if begins else 1 - game.turn
        names = [HUMAN, opponent] if number == 0 else [opponent, HUMAN]
        about: dict[str, Any] = {"frame": setup.frame, "seed": dealt, "players": " ".join(names)}
        recorder = Recorder(game, date=date.today().isoformat(), **about)
        session = cls(recorder, number, opponent, path, seed, frame=setup.frame, **options)
        session.save()
        return session

    def rematch(self, path: Path, seed: int | None = None) -> Session:
        """The same again with the seats swapped."""
        seat = "second" if self.began else "first"
        options: dict[str, Any] = {"language": self.language, "hint": self.hint_name}
        return Session.new(self.game.ruleset, self._known_frame, self.opponent.spec, path, seat, seed, **options)

    @classmethod
    def resume(
        cls,
        path: Path,
        opponent: str | None = None,
        seat: str | None = None,
        **options: Any,
    ) -> Session:
        """Go on with a saved game. Whoever sat as `human` goes on; a seat takes one over in any other record."""
        records = load(path)
        if len(records) != 1:
            raise PlayError(f"{path}: expected one game, found {len(records)}")
        record = records[0]
        try:
            steps = list(record.steps())
        except KaError as error:
            raise type(error)(f"{path}: {error}") from None
        if steps and steps[-1].after.over:
            raise PlayError(f"{path}: this game is over; look at it with: ka view {path}")
        names = record.headers["players"].split()
        number = _human_seat(path, names, seat, record.start().turn)
        about: dict[str, Any] = {key: record.headers.get(key, "-") for key in ("frame", "seed", "date")}
        ruleset = record.headers["ruleset"]
        frame = dealable(ruleset, about["frame"])
        told = opponent or (names[1 - number] if len(names) == 2 else None)
        opponent = opponent_named(told, ruleset, frame)
        players = [HUMAN, opponent] if number == 0 else [opponent, HUMAN]
        game = record.game.from_text(record.deal, fresh_seed())
        recorder = Recorder(game, players=" ".join(players), **about)
        session = cls(recorder, number, opponent, path, frame=about["frame"], **options)
        for step in steps:
            session._step(step.token, step.chance)
        return session

    # ---- playing

    @property
    def asked(self) -> Any:
        """The game whose question is open: with the choices made so far, if a request is under way."""
        return self.game if self._trial is None else self._trial

    @property
    def my_turn(self) -> bool:
        return self.asked.player == self.seat

    @property
    def over(self) -> bool:
        return bool(self.game.over)

    def choices(self) -> list[Choice]:
        if not self.my_turn:
            return []
        asked, number = self.asked, 0
        found = []
        for token in self.people.choices(asked):
            key = self.people.KEYS.get(token, "")
            number += not key
            label = self.people.label(asked, token, self.seat, self.language)
            found.append(Choice(token, label, key or str(number)))
        return found

    def question(self) -> str:
        return self.people.question(self.asked, self.seat, self.language)

    def effect(self, token: str) -> str:
        """What a choice brings, in one line."""
        return self.people.effect(self.asked, token, self.seat, self.language)

    def lesson(self) -> str:
        """The game in short."""
        return self.people.lesson(self.game.ruleset, self.language)

    def about(self, word: str) -> str:
        """What a card is, where a game has cards to ask about; empty if there is nothing to say."""
        return self.people.about(word, self.language) if hasattr(self.people, "about") else ""

    def board(self, width: int) -> list[Any]:
        picked = self.people.so_far(self.game, self.draft, self.seat, self.language)[1]
        return self.people.board(self.game, self.seat, self.language, width, self.asked, picked)

    def so_far(self) -> str:
        """The half-made request in words."""
        return self.people.so_far(self.game, self.draft, self.seat, self.language)[0]

    def choose(self, token: str) -> None:
        """Answer the question. Once nothing is left to take back, all that was said is played."""
        before = self.asked
        trial = before.copy()
        trial.play(token)
        self.draft.append(token)
        if self.people.continues(before, trial):
            self._trial = trial
            return
        tokens, self.draft, self._trial = self.draft, [], None
        for word in tokens:
            self._step(word)
        self.save()

    # ---- passing on

    @property
    def can_wait(self) -> bool:
        """Is it a game in which one passes?"""
        return hasattr(self.people, "waiting")

    def begin_waiting(self) -> None:
        self._passed = None

    def waiting(self, goal: str) -> str:
        """The choice of somebody who waits for an `event` or the own `turn`; empty when the wait is over."""
        if not self.can_wait or not self.my_turn or self.draft:
            return ""
        token: str = self.people.waiting(self._passed, self.game, self.seat, goal)
        self._passed = self.game.copy()
        return token

    # ---- taking back, the opponent, hints

    def undo(self) -> bool:
        """Take back the half-made request; False if there is none."""
        undone = bool(self.draft)
        self.draft, self._trial = [], None
        return undone

    def opponent_thinks(self) -> str:
        """The opponent's answer; nothing is played yet, so this may run in a thread of its own."""
        action = self.opponent.choose(self.game)
        if not self.game.action_mask()[action]:
            raise PlayError(f"agent {self.opponent.spec!r} chose action {action}, which is not legal here")
        return self.game.token(action)

    def opponent_plays(self, token: str) -> None:
        self._step(token)
        self.save()

    def _step(self, token: str, chance: Any = None) -> None:
        before = self.game.copy()
        self.recorder.step(self.game.action_id(token), chance)
        self.log += self.teller.tell(before, token, self.game.last_random)
        if before.setting_up:
            self.began = bool(self.game.turn == self.seat)
        self.moves += 1

    def as_known(self) -> Any:
        """The game as far as the person knows it; the rest, also what a half-made request will turn up, is drawn."""
        game = self.game.determinize(self.seat, self.moves)
        for token in self.draft:
            game.play(token)
        return game

    def hint(self, game: Any) -> str:
        """The token that another agent would choose in a game `as_known`; this may run in a thread of its own."""
        if self._hint_player is None:
            self._hint_player = Player(self.hint_name, self.seat, self._seed, self.frame)
        return game.token(self._hint_player.choose(game))

    # ---- saving

    def save(self) -> None:
        """Write the record; a reader never finds half a file. Before the deal there is nothing to write."""
        if self.game.setting_up:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        half = self.path.with_name(f".{self.path.stem}.part{self.path.suffix}")
        save(half, [self.recorder.record()])
        os.replace(half, self.path)


def _human_seat(path: Path, names: list[str], seat: str | None, first: int) -> int:
    if seat == "first":
        return first
    if seat == "second":
        return 1 - first
    if names.count(HUMAN) != 1:
        raise PlayError(
            f"{path}: a game of {' and '.join(names) or 'unknown players'}, not of one human; "
            "take a seat with --seat first or --seat second"
        )
    return names.index(HUMAN)


# ---- watching -------------------------------------------------------------------------------------------------------


class Frame(NamedTuple):
    """A position to look at, and how many of the log's lines tell what led to it, for each kind of viewer."""

    game: Any
    told: dict[int | None, int]


VIEWERS: tuple[int | None, ...] = (None, 0, 1)


class Show:
    """A game to watch: the positions so far, and a source that brings the next move."""

    def __init__(
        self,
        game: Any,
        source: Iterator[tuple[str, Any, Any]],  # token, chance events, game after it
        names: tuple[str, str],
        language: str = "en",
        count: int | None = None,
        recorder: Any = None,
    ) -> None:
        self.language = language
        self.count = count  # of moves, if known
        self.recorder = recorder  # of a live game
        self.people = game.about.room("people")
        self.names = names
        self._source = source
        self._tellers = {viewer: self.people.Teller(viewer, language, watching=True) for viewer in VIEWERS}
        self.logs: dict[int | None, list[Any]] = {v: self._tellers[v].opening(game) for v in VIEWERS}
        self.frames = [Frame(game.copy(), dict.fromkeys(VIEWERS, 1))]
        self.now = 0

    @classmethod
    def live(
        cls,
        ruleset: str,
        frame: str | None,
        specs: tuple[str, str],
        seed: int | None,
        **options: Any,
    ) -> Show:
        """Agents against each other."""
        setup = Setup.of(ruleset, frame)
        specs = (opponent_named(specs[0], *setup[:2]), opponent_named(specs[1], *setup[:2]))
        players = [Player(spec, seat, seed, setup.frame) for seat, spec in enumerate(specs)]
        dealt = fresh_seed() if seed is None else seed
        game = setup.game.Game.deal(setup, dealt)
        about: dict[str, Any] = {"frame": setup.frame, "seed": dealt, "players": " ".join(specs)}
        recorder = Recorder(game, date=date.today().isoformat(), **about)

        def source() -> Iterator[tuple[str, Any, Any]]:
            while not game.over:
                action = players[game.player or 0].choose(game)
                token = game.token(action)
                recorder.step(action)
                yield token, game.last_random, game.copy()

        return cls(game, source(), specs, recorder=recorder, **options)

    @classmethod
    def of_record(cls, record: Any, **options: Any) -> Show:
        """A recorded game. It is verified before it is shown."""
        steps = [(step.token, step.chance, step.after) for step in record.steps()]
        names = record.headers["players"].split()
        pair = (names[0], names[1]) if len(names) == 2 else ("-", "-")
        return cls(record.start(), iter(steps), pair, count=len(steps), **options)

    @property
    def game(self) -> Any:
        return self.frames[self.now].game

    def log(self, viewer: int | None) -> list[Any]:
        """What has been told up to the position shown."""
        return self.logs[viewer][: self.frames[self.now].told[viewer]]

    def forward(self) -> bool:
        """One move on; False at the end."""
        if self.now + 1 < len(self.frames):
            self.now += 1
            return True
        before = self.frames[-1].game
        move = next(self._source, None)
        if move is None:
            return False
        token, chance, after = move
        for viewer in VIEWERS:
            self.logs[viewer] += self._tellers[viewer].tell(before, token, chance)
        self.frames.append(Frame(after, {viewer: len(self.logs[viewer]) for viewer in VIEWERS}))
        self.now += 1
        return True

    def back(self) -> bool:
        if self.now == 0:
            return False
        self.now -= 1
        return True
