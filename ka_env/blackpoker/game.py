"""BlackPoker's `Game`. See the notation page for tokens and position texts."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from ka_env.blackpoker import kernels
from ka_env.blackpoker.cards import INDEX, NAMES
from ka_env.blackpoker.decisions import AT_CHANCE, KINDS, SETTING_UP
from ka_env.blackpoker.text import tokens
from ka_env.blackpoker.text.notation import names, read_position, write_position
from ka_env.engine.loops import RUNNING, seed_bits
from ka_env.errors import IllegalMove, NotationError
from ka_env.game import Event
from ka_env.game import Game as BaseGame
from ka_env.games import DEFAULT_RULESET, Setup

SHUFFLE = "shuffle"  # in records, before the cards
Deck = str | Sequence[str | int]


class Game(BaseGame):
    """One game of BlackPoker. Make one with `Game.new` or `Game.from_text`."""

    __slots__ = ()
    name = "blackpoker"

    @classmethod
    def new(
        cls,
        ruleset: str = DEFAULT_RULESET,
        frame: str | None = None,
        seed: int = 0,
        deck0: Deck | None = None,
        deck1: Deck | None = None,
    ) -> Self:
        """Deal a game. `deck0` and `deck1` are own lists, for the frames deck40, half27 and custom."""
        return cls.deal(Setup.of(ruleset, frame, deck0, deck1), seed)

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> Self:
        """Read a position text. `seed` is for the shuffles still to come."""
        games = read_position(text)
        kernels.seed_games(games, seed_bits(seed), 0)
        s = games[0]
        if s.result == RUNNING and s.kind != AT_CHANCE and not kernels.check_pending(games):
            raise NotationError(f"position: the pending decision {KINDS[s.kind]!r} does not fit the position")
        return cls(games)

    # ---- the set-up, where the frame has one

    @property
    def setting_up(self) -> bool:
        return bool(SETTING_UP >> int(self.state.kind) & 1)

    SOMETIMES = (
        *(f"{name}{q}" for q in range(2) for name in ("firsthand", "rare")),
        *(*BaseGame.SOMETIMES, "deck0", "deck1"),
    )

    def headers(self) -> dict[str, str]:
        """With the choices of the set-up; what was read from a text doesn't know them."""
        s = self.state
        found = super().headers()
        for q in range(2):
            if s.first_hand[q]:
                found[f"firsthand{q}"] = " ".join(names(s.first_hand[q]))
            if s.rare_chosen[q] >= 0:
                found[f"rare{q}"] = NAMES[s.rare_chosen[q]]
        return found

    def check_headers(self, headers: Mapping[str, str]) -> None:
        """The choices of the set-up must lie where they were put: in the rare zone, in hand."""
        s = self.state
        for q in range(2):
            rare = [NAMES[s.rare[q]]] if s.rare[q] >= 0 else []
            for name, there in ((f"firsthand{q}", names(s.hand[q])), (f"rare{q}", rare)):
                said = headers.get(name, "-").replace("-", "").split()
                if not set(said) <= set(there):
                    has = " ".join(there) or "none"
                    raise NotationError(
                        f"record: the header says {name} {' '.join(said)}, but the deal has {has} there"
                    )

    # ---- texts

    def token(self, action_id: int) -> str:
        return tokens.token(action_id)

    def action_id(self, token: str) -> int:
        return tokens.action_id(token)

    def to_text(self) -> str:
        return write_position(self.state)

    # ---- chance: the shuffle after a search

    @property
    def last_shuffle(self) -> tuple[int, tuple[str, ...]] | None:
        """Player and cards (top first) of the latest shuffle of a life in play."""
        s = self.state
        if s.shuffled_by < 0:
            return None
        return int(s.shuffled_by), tuple(NAMES[c] for c in s.shuffled[: s.shuffled_count][::-1])

    def _events(self, before: Any) -> list[Event]:
        """In play only shuffles take random numbers."""
        if before is None or self.state.rng == before or self.last_shuffle is None:
            return []
        return [("shuffle", *self.last_shuffle)]

    @classmethod
    def is_token(cls, word: str) -> bool:
        return word in tokens.IDS

    @classmethod
    def begins_moves(cls, line: str) -> bool:
        """`force` is a verb, but `force 14` and `force -` are lines of a position."""
        return super().begins_moves(line) and not re.fullmatch(r"force (-|\d+)", line)

    @classmethod
    def is_chance(cls, word: str) -> bool:
        return word == SHUFFLE

    def chance_words(self, event: Event) -> list[str]:
        return [SHUFFLE, *event[2]]

    def step_with(self, action: int, chance: Sequence[Event]) -> None:
        if not chance:
            self.step(action)
            return
        (_, _, cards), *_ = chance
        self.step_with_shuffle(action, cards)

    def step_with_words(self, action: int, words: deque[tuple[int, str]]) -> list[Event]:
        trial = self.copy()
        trial.step(action)
        if not trial.last_random:
            self._become(trial)
            return []
        if not words or words[0][1] != SHUFFLE:
            found = repr(words[0][1]) if words else "the end"
            raise IllegalMove(
                f"expected {SHUFFLE!r} and the rest of the life after {self.token(action)!r}, found {found}"
            )
        words.popleft()
        count = len(trial.last_random[0][2])
        self.step_with_shuffle(action, tuple(words.popleft()[1] for _ in range(min(count, len(words)))))
        return self.last_random

    def step_with_shuffle(self, action: int, cards: Sequence[str]) -> None:
        """Play an answer after which a life is shuffled; it then lies as `cards` say, top first."""
        trial = self.arranged(action, cards)
        trial.step(action)
        self._become(trial)

    def scripted(self, action: int, chance: Sequence[Event]) -> np.ndarray:
        game = self
        for _, _, cards in chance:
            game = game.arranged(action, cards)
        return game.records()

    def arranged(self, action: int, cards: Sequence[str]) -> Self:
        """A copy in which the life lies so that answering with `action` shuffles it to `cards`."""
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
