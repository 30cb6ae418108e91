"""The games. Environments, agents, arena, training and commands know a game only through its `KaGame`.

A game is a package with these names, all cheap to import: NAME, TITLE, RULESETS, FRAMES, STYLES (rules-based players),
ENVIRONMENTS (PettingZoo ids), WORD (the first of its position texts), SUFFIX (of its records); and GAME, its `KaGame`,
made when asked for. Ours are listed here; other packages bring theirs by the entry point `ka_env.games`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ka_env.engine import jit
from ka_env.errors import KaError, RulesetError, nearest

if TYPE_CHECKING:
    from ka_env.engine.sections import Section
    from ka_env.game import Game

ENTRY_POINT = "ka_env.games"
NAMES = "NAME TITLE RULESETS FRAMES STYLES ENVIRONMENTS WORD SUFFIX".split()  # what a package says without its GAME
DEFAULT_RULESET = "8.0-lite"

_PACKAGES = ["ka_env.blackpoker", "ka_env.bluemoon"]
_added: list[ModuleType] = []

Deck = Any  # a deck list, as the game reads them
Entities = Mapping[str, tuple[tuple[int, ...], list[str]]]


class Sides(NamedTuple):
    """What players bring to a game, of few kinds (decks, peoples): tournaments compare them."""

    word: str  # "people"
    names: Sequence[str]
    of: Callable[[np.ndarray], np.ndarray]  # of records: the number of each player's side, a row for each game


class Standing(NamedTuple):
    """How a game stands for a player, in numbers from -1 to 1: networks may be asked to foresee them in training."""

    names: Sequence[str]
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]  # of records and a player for each: a row of numbers each


class Cost(NamedTuple):
    """A part of the rules whose time is worth knowing by itself."""

    name: str
    run: Callable[[np.ndarray], Any]  # on a batch of one record, which it leaves as it is
    kinds: Sequence[str]  # decisions at which it has work to do


@dataclass(frozen=True, eq=False)
class KaGame:
    """One game, as neutral code sees it. The rooms at the end are optional and loaded when they are used."""

    name: str  # one word in small letters
    title: str  # as people write it
    rulesets: Sequence[str]  # names, unique over all games; a record holds the place in this list
    frames: Sequence[str]  # the frames there are, for help and messages
    default_frame: Callable[[str], str]  # of a ruleset
    setting: Callable[[str, str, Deck, Deck], np.ndarray]  # ruleset, frame, own decks: what the deal kernel reads
    num_actions: int
    words: Mapping[int, str]  # actions that are plain words, the same in every position
    kinds: Sequence[str]  # decision kinds by number
    blank: Callable[[int], np.ndarray]  # so many empty records
    sections: Callable[[str], Sequence[Section]]  # of the flat observation under a ruleset
    entities: Entities | Callable[[str], Entities]  # the observation by entity: shapes and meanings, or by ruleset
    kernels: Any  # the loops of engine/loops.py bound to this game
    Game: type[Game]  # one readable game: a subclass of ka_env.game.Game
    suffix: str  # of its record files
    longest: int = 1_000_000  # decisions in a game: none has more
    meaning: Callable[[str], str] | None = None  # a hash of what the observation's numbers mean under a ruleset
    measured: Sequence[str] = ()  # rules to measure speed and agents on, as Setup.parse reads them; none: the usual one
    # rooms
    styles: Callable[[], Any] | None = None  # STYLES, choose_games: rules-based players
    search: Callable[[], Any] | None = (
        None  # search_games, root_visits, graft, improve_games: see engine/ismcts.py, improve.py
    )
    things: Callable[[], Any] | None = (
        None  # things_of(ruleset): what networks share weights over, see engine/things.py
    )
    people: Callable[[], Any] | None = None  # questions, choices and stories for screens
    board: Callable[[], Any] | None = None  # board_text, board_image
    viewer: Callable[[], Any] | None = None  # positions and moves as plain data, and the table's own script
    pages: Callable[[], Any] | None = None  # what `ka rules` and `ka glossary` print; study: what `ka study` asks
    matches: Callable[[], Mapping[str, Any]] | None = None  # matches of its own by name: see match.py
    margins: Callable[[np.ndarray], np.ndarray] | None = None  # of finished records: how far the winner was from losing
    check: Callable[[np.ndarray], None] | None = None  # refuses records that no game can have: see valid.py
    facts: Callable[[np.ndarray], dict[str, np.ndarray]] | None = None  # of finished records: what infos tell besides
    standing: Standing | None = None  # what auxiliary targets of a training are made of
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # settings of `ka train` by name
    sides: Sides | None = None  # what the players of a game bring with them
    costs: Sequence[Cost] = ()  # what the bench times decision by decision

    def __reduce__(self) -> Any:
        return load_game, (self.name,)  # the same object in every process

    def room(self, name: str, default: Any = None) -> Any:
        """A room, or what serves in its place, or one clear error."""
        load = getattr(self, name)
        if load is None and default is None:
            raise KaError(f"{self.title} brings no {name!r}: expected a game with that room")
        return default if load is None else load()

    def setups(self) -> list[Setup]:
        """All that can be played without own decks: each ruleset with each of its frames."""
        found = []
        for ruleset in self.rulesets:
            for frame in self.frames:
                with suppress(RulesetError):  # not a frame of this ruleset, or one that needs decks
                    found.append(Setup.of(ruleset, frame))
        return found

    def measured_setups(self) -> list[Setup]:
        return [Setup.parse(text) for text in self.measured or self.rulesets[:1]]

    def facts_of(self, records: np.ndarray) -> dict[str, np.ndarray]:
        """What the infos of finished games tell besides the result; a row for each game."""
        return {} if self.facts is None else self.facts(records)

    def rules_hash(self) -> str:
        """Of all sources that this game's kernels are compiled from."""
        return jit.source_hash(jit.room_of(inspect.getfile(self.Game)))

    def observation_size(self, ruleset: str) -> int:
        last = self.sections(ruleset)[-1]
        return last.offset + last.length

    def meaning_of(self, ruleset: str) -> str:
        """Policies are held to it: a network that learned other numbers plays nonsense."""
        return "" if self.meaning is None else self.meaning(ruleset)

    def entities_of(self, ruleset: str) -> Entities:
        return self.entities(ruleset) if callable(self.entities) else self.entities

    def ruleset_index(self, ruleset: str) -> int:
        return list(self.rulesets).index(ruleset)


def packages() -> Iterator[ModuleType]:
    """The packages of all games, cheaply."""
    yield from map(import_module, _PACKAGES)
    yield from _added
    yield from _installed()


@cache
def _installed() -> list[ModuleType]:
    """Games of other packages. One that can't be used is left out with a warning, so that the others still work."""
    found: list[ModuleType] = []
    for point in entry_points(group=ENTRY_POINT):
        try:
            package = point.load()
            _check_names(package, [*map(import_module, _PACKAGES), *found])
            found.append(package)
        except Exception as error:
            warnings.warn(f"the game {point.name!r} ({point.value}) is left out: {error}", stacklevel=2)
    return found


def add_game(package: Any) -> None:
    """Make a game known in this process alone: a module or any object with the names of a game and GAME."""
    from ka_env.registration import register

    if package not in _added:
        _check_names(package, packages())
        _added.append(package)
        _find.cache_clear()
        _named.cache_clear()
    register(package)


def is_added(name: str) -> bool:
    """Is the game known by `add_game`, so in this process only?"""
    return any(name == package.NAME for package in _added)


def _check_names(package: Any, others: Iterable[Any]) -> None:
    missing = [name for name in NAMES if not hasattr(package, name)]
    if missing:
        raise KaError(f"{package!r} is no game: it lacks {', '.join(missing)}")
    for other in others:
        twice = set(other.RULESETS) & set(package.RULESETS)
        twice |= {package.NAME} & {other.NAME} | {package.WORD} & {other.WORD} | {package.SUFFIX} & {other.SUFFIX}
        if twice:
            raise KaError(f"game {package.NAME!r}: the game {other.NAME!r} has {', '.join(sorted(twice))} already")


def game_names() -> list[str]:
    return [package.NAME for package in packages()]


def all_rulesets() -> list[str]:
    return [ruleset for package in packages() for ruleset in package.RULESETS]


@cache
def _find(ruleset: str) -> KaGame | None:
    return next((package.GAME for package in packages() if ruleset in package.RULESETS), None)


def game_of(ruleset: str) -> KaGame:
    """The game that has this ruleset."""
    found = _find(ruleset) if isinstance(ruleset, str) else None
    if found is None:
        known = all_rulesets()
        raise RulesetError(f"unknown ruleset {ruleset!r}: expected one of {', '.join(known)}{nearest(ruleset, known)}")
    return found


@cache
def _named(name: str) -> KaGame | None:
    return next((package.GAME for package in packages() if name == package.NAME), None)


def load_game(name: str) -> KaGame:
    """A game by its name."""
    found = _named(name)
    if found is not None:
        return found
    names = game_names()
    raise RulesetError(f"unknown game {name!r}: expected one of {', '.join(names)}{nearest(name, names)}")


def game_of_text(text: str) -> KaGame:
    """The game of a position text or a record: the first word of its position says it."""
    known = list(packages())
    for line in text.splitlines():
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        for package in known:
            if word == package.WORD:
                return package.GAME
    return game_of(DEFAULT_RULESET)  # whose reader says what is wrong


class Setup(NamedTuple):
    """What is played: a ruleset (which tells the game), a frame, own decks where the frame wants them."""

    ruleset: str
    frame: str
    deck0: Deck = None
    deck1: Deck = None

    @classmethod
    def of(cls, ruleset: str, frame: str | None = None, deck0: Deck = None, deck1: Deck = None) -> Setup:
        """Checked; without a frame the ruleset's usual one."""
        game = game_of(ruleset)
        setup = cls(ruleset, frame or game.default_frame(ruleset), deck0, deck1)
        setup.setting()
        return setup

    @classmethod
    def parse(cls, text: str) -> Setup:
        """`ruleset/frame`, or a ruleset alone for its usual frame. Rulesets may have slashes of their own."""
        rulesets = sorted(all_rulesets(), key=len, reverse=True)
        for ruleset in rulesets:
            if text == ruleset or text.startswith(ruleset + "/"):
                return cls.of(ruleset, text[len(ruleset) + 1 :] or None)
        return cls.of(text.partition("/")[0])

    @property
    def game(self) -> KaGame:
        return game_of(self.ruleset)

    @property
    def label(self) -> str:
        return f"{self.ruleset}/{self.frame}"

    def setting(self) -> np.ndarray:
        """For the deal kernel."""
        return self.game.setting(self.ruleset, self.frame, self.deck0, self.deck1)


def copy_records(records: np.ndarray, which: Any = slice(None)) -> np.ndarray:
    """A copy of some records. NumPy copies structured arrays field by field; as plain bytes it goes much faster."""
    plain = records.view(np.dtype(f"V{records.dtype.itemsize}"))[which]
    return (plain.copy() if plain.base is not None else plain).view(records.dtype)
