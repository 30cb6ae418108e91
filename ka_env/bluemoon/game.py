"""Blue Moon's `Game`. See the notation page for tokens, position texts and chance events."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from ka_env.bluemoon import RULESETS, kernels
from ka_env.bluemoon.cards import ALL_CODES, CARD_OF, CODES, DECKS
from ka_env.bluemoon.codes import AT_BEGIN, AT_SUPPORT, BEGIN, CHARACTERS, EVENT_BYTES, EVENTS, FIGHTS, KINDS, WORDS
from ka_env.bluemoon.text import tokens
from ka_env.bluemoon.text.read import read_position
from ka_env.bluemoon.text.write import write_position
from ka_env.engine.loops import RUNNING, seed_bits
from ka_env.errors import IllegalMove, NotationError
from ka_env.game import Event
from ka_env.game import Game as BaseGame
from ka_env.games import Setup

_CHANCE = re.compile("(shuffle|hit|found|starter)([01])")
_TOKEN = re.compile(r"[~+e]?([A-Z][0-9]+)|f(?:1?[0-9])")


def _give_script(s: Any, data: Sequence[int]) -> None:
    """The chance events to come, as bytes."""
    s.events[:] = -1
    s.events[: len(data)] = data
    s.event_count = len(data)
    s.script = 0


class Game(BaseGame):
    """One game of Blue Moon, or one match. Make one with `Game.new` or `Game.from_text`."""

    __slots__ = ()
    name = "bluemoon"

    @classmethod
    def new(cls, ruleset: str = "base", frame: str | None = None, seed: int = 0) -> Self:
        """Deal a game. Frames: `<deck>-<deck>`, `random`."""
        return cls.deal(Setup.of(ruleset, frame), seed)

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> Self:
        """Read a position text. `seed` is for the chance events still to come."""
        games = read_position(text)
        kernels.seed_games(games, seed_bits(seed), 0)
        s = games[0]
        running = s.result == RUNNING
        if running and CHARACTERS <= s.kind <= AT_SUPPORT and not kernels.check_completable(games):
            raise NotationError(
                f"position: (phase) player {s.turn}'s turn can't be finished from here, "
                f"so the phase {KINDS[s.phase]!r} can't have been entered"
            )
        if kernels.count_options(games) == 0 and running:
            raise NotationError(f"position: the pending decision {KINDS[s.kind]!r} has no option here")
        return cls(games)

    # ---- looking at it

    @property
    def decks(self) -> tuple[str, str]:
        return DECKS[self.state.deck[0]], DECKS[self.state.deck[1]]

    @property
    def crystals(self) -> tuple[int, int]:
        """Crystals won so far."""
        return int(self.state.crystals[0]), int(self.state.crystals[1])

    # ---- texts

    def token(self, action_id: int) -> str:
        return tokens.token(int(action_id), *self._decks())

    def action_id(self, token: str) -> int:
        return tokens.action_id(token, *self._decks())

    def _decks(self) -> tuple[int, int]:
        """The deck of the player to decide, and the other one."""
        player = self.player or 0
        return int(self.state.deck[player]), int(self.state.deck[1 - player])

    def to_text(self) -> str:
        return write_position(self.state)

    def deal_text(self) -> str:
        """Fresh from the deal it is the first turn's `begin`, whether there was anything to decide or not."""
        events = [event[0] for event in self._events(None)]  # the record lists them, also in a batch
        if events[-3:] != ["shuffle", "shuffle", "starter"]:
            return self.to_text()
        records = self.records()
        records["phase"], records["kind"] = BEGIN, AT_BEGIN
        return write_position(records[0])

    # ---- records

    HEADERS: ClassVar[Sequence[str]] = "rules decks seed players result crystals date hash".split()
    NEEDED_HEADERS: ClassVar[Sequence[str]] = "rules decks result".split()

    def headers(self) -> dict[str, str]:
        won = " ".join(map(str, self.crystals))
        return {"rules": self.ruleset, "decks": " ".join(self.decks), "crystals": won}

    @classmethod
    def header_choices(cls) -> dict[str, Sequence[str]]:
        return {"rules": RULESETS}

    @classmethod
    def is_token(cls, word: str) -> bool:
        match = _TOKEN.fullmatch(word)
        return word in WORDS or bool(match and (match[1] is None or match[1] in ALL_CODES))

    @classmethod
    def begins_moves(cls, line: str) -> bool:
        """`fight fire` is a line of a position, `fight K10 …` a turn."""
        words = line.split()
        return cls.is_token(words[0]) and not (words[0] == "fight" and len(words) == 2 and words[1] in FIGHTS)

    @classmethod
    def is_chance(cls, word: str) -> bool:
        return _CHANCE.fullmatch(word) is not None

    # ---- chance

    def _events(self, before: Any) -> list[Event]:
        """The record lists what has happened since the last decision."""
        s = self.state
        data = [int(x) for x in s.events[: s.event_count]]
        found: list[Event] = []
        while data:
            code, player, number, *data = data
            cards = tuple(CODES[s.deck[player]][c] for c in data[:number])
            data = data[number:]
            found.append((EVENTS[code], player, cards) if EVENTS[code] == "shuffle" else (EVENTS[code], player, *cards))
        return found

    def chance_words(self, event: Event) -> list[str]:
        name, player, *rest = event
        return [f"{name}{player}", *(rest[0] if name == "shuffle" else rest)]

    def step_with(self, action: int, chance: Sequence[Event]) -> None:
        """Play one action id; chance falls as the events say, and no random number is used."""
        trial = self.copy()
        data = self._script(chance)
        if len(data) > EVENT_BYTES:
            raise IllegalMove(f"{len(chance)} chance events after {self._word(action)!r}: so many can't happen at once")
        s = trial.state
        _give_script(s, data)
        trial.step(action)
        if s.misfit or s.script != s.event_count:
            drawn = self.copy()
            drawn.step(action)
            raise IllegalMove(
                f"{self._word(action)!r} can't be followed by {self._chance_text(chance)}; "
                f"expected something like {self._chance_text(drawn.last_random)}"
            )
        s.script = -1
        self._become(trial)

    def scripted(self, action: int, chance: Sequence[Event]) -> np.ndarray:
        games = self.records()
        if chance:
            _give_script(games[0], self._script(chance))
        return games

    def _script(self, chance: Iterable[Event]) -> list[int]:
        return [x for event in chance for x in self._event_bytes(event)]

    def step_with_words(self, action: int, words: deque[tuple[int, str]]) -> list[Event]:
        drawn = self.copy()
        drawn.step(action)  # an illegal token is the first thing to say
        lengths = [len(event[2]) if event[0] == "shuffle" else len(event) - 2 for event in drawn.last_random]
        chance: list[Event] = []
        while words and (match := _CHANCE.fullmatch(words[0][1])):
            words.popleft()
            name, player = match[1], int(match[2])
            wanted = lengths[len(chance)] if len(chance) < len(lengths) else 0
            cards: list[str] = []
            while words and len(cards) < wanted and not self.is_chance(words[0][1]):
                cards.append(words.popleft()[1])
            chance.append((name, player, tuple(cards)) if name == "shuffle" else (name, player, *cards))
        self.step_with(action, chance)
        return self.last_random

    def _event_bytes(self, event: Event) -> list[int]:
        name, player, *rest = event
        cards = list(rest[0]) if name == "shuffle" else rest
        known = CARD_OF[self.state.deck[player]]
        for card in cards:
            if card not in known:
                raise NotationError(f"chance event {name}{player}: {card!r} is no card of player {player}")
        return [EVENTS.index(name), player, len(cards), *(known[card] for card in cards)]

    def _chance_text(self, events: Iterable[Event]) -> str:
        words = [word for event in events for word in self.chance_words(event)]
        return repr(" ".join(words)) if words else "nothing"
