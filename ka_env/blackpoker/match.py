"""BlackPoker's own match, `half27x2`: 54 cards split at random into two decks, one for each game (R63-R65, R75)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ka_env.blackpoker.cards import ALL, CARDS, NAMES, members
from ka_env.blackpoker.codes import ONE, TWO
from ka_env.blackpoker.deal import frames_of, read_deck
from ka_env.errors import IllegalMove, KaError, RulesetError
from ka_env.games import Setup
from ka_env.match import Match
from ka_env.moments import moments

FRAME = "half27"
HALF = 27
WORDS = ("one", "two")


class TwoDecks(Match):
    """Both players choose a deck for each game; one that has won is retired."""

    extra = 4 + 4 + 4 + 2 * CARDS
    frame = FRAME

    def __init__(self, name: str, setup: Setup, seed: int = 0) -> None:
        if setup.frame not in ("", FRAME):
            raise KaError(f"{name} is played with the frame {FRAME!r}, not {setup.frame!r}")
        rng = np.random.default_rng(int(seed) % 2**64)
        lists = [self._given(setup.deck0), self._given(setup.deck1)]
        self.known_from_start = [one is not None for one in lists]  # given lists are their owner's to know
        halves = [rng.permutation(CARDS)[:HALF] for _ in range(2)]
        self.decks = [
            given or (sum(1 << int(c) for c in half), ALL & ~sum(1 << int(c) for c in half))
            for given, half in zip(lists, halves)
        ]
        self.shown = [[0, 0], [0, 0]]  # [owner][deck]: cards the opponent knows to be in it
        self.retired = [[False, False], [False, False]]
        self.chosen: list[int] = []  # decks of the game to come, player 0's first
        super().__init__(name, Setup(setup.ruleset, FRAME), seed, length=3)

    @staticmethod
    def _given(decks: object) -> tuple[int, int] | None:
        """Two disjoint lists, or none."""
        if decks is None:
            return None
        if isinstance(decks, str) or not isinstance(decks, Sequence) or len(decks) != 2:
            raise RulesetError(f"half27x2: expected two lists of {HALF} cards for a player, not {str(decks)[:60]!r}")
        one, two = (read_deck(deck, HALF) for deck in decks)
        if one & two:
            raise RulesetError(f"the two decks share {NAMES[members(one & two)[0]]}: a card is in one of them")
        return one, two

    @classmethod
    def goes_with(cls, ruleset: str) -> bool:
        return FRAME in frames_of(ruleset)

    # ---- choosing decks

    def _begin_game(self) -> None:
        self.chosen = []
        self.game = None
        self._take_forced()

    def _open_decks(self, player: int) -> list[int]:
        return [deck for deck in range(2) if not self.retired[player][deck]]

    def _take_forced(self) -> None:
        while len(self.chosen) < 2 and len(self._open_decks(len(self.chosen))) == 1:
            self.chosen.append(self._open_decks(len(self.chosen))[0])
        if len(self.chosen) == 2:
            self._start()

    def _start(self) -> None:
        cards = [[NAMES[c] for c in members(self.decks[q][self.chosen[q]])] for q in range(2)]
        self._deal(Setup(self.ruleset, FRAME, *cards))

    def _deal(self, setup: Setup) -> None:
        super()._deal(setup)
        if self.game is None:
            return
        s = self.game.state
        for q in range(2):
            deck = self.chosen[q]
            s.list_unknown[q] = not self.known_from_start[q] and not self.finished
            s.surely[q] = self.shown[q][deck]
            s.never[q] = self.shown[q][1 - deck]
        self._note_shown()

    @property
    def player(self) -> int | None:
        return len(self.chosen) if self.game is None and not self.over else super().player

    @property
    def decision(self) -> str | None:
        return "deck" if self.game is None and not self.over else super().decision

    def action_mask(self) -> np.ndarray:
        mask = super().action_mask()
        if self.game is None and not self.over:
            mask[[(ONE, TWO)[deck] for deck in self._open_decks(len(self.chosen))]] = True
        return mask

    def token(self, action_id: int) -> str:
        return self.setup.game.words.get(action_id) or super().token(action_id)

    def action_id(self, token: str) -> int:
        words = {word: i for i, word in self.setup.game.words.items()}
        return words[token] if token in words else super().action_id(token)

    def step(self, action: int) -> None:
        if self.game is None and not self.over:
            action = int(action)
            if action not in self.legal_ids():
                raise IllegalMove(
                    f"illegal move: player {self.player} is at 'deck' and may choose {' '.join(self.legal())}"
                )
            self.chosen.append(action - ONE)
            self._take_forced()
            return
        if self.game is not None and action in self.game.legal_ids():
            self._watch(int(action))
        super().step(action)

    # ---- what is remembered

    def _watch(self, action: int) -> None:
        """What is shown on the way, also if it can't be followed later (R75)."""
        for moment in moments(self.game, action):  # type: ignore[arg-type]
            for q in range(2):
                self.shown[q][self.chosen[q]] |= int(moment.after.seen[q])

    def _note_shown(self) -> None:
        for q in range(2):
            self.shown[q][self.chosen[q]] |= int(self.game.state.seen[q]) if self.game else 0

    def _end_game(self) -> None:
        assert self.game is not None
        self._note_shown()
        for q, score in enumerate(self.game.result or ()):
            if score == 1:
                self.retired[q][self.chosen[q]] = True
        super()._end_game()

    def knows_own(self, player: int) -> bool:
        """After the first game both own lists are known, the second by subtraction (R64)."""
        return self.known_from_start[player] or bool(self.finished)

    def observation(self, player: int) -> np.ndarray:
        """And: decks retired, own and enemy; decks in play, own and enemy (when both are chosen); own cards, then the
        enemy's: 1 known to be in deck one, -1 in deck two."""
        row = super().observation(player)
        at = len(row) - 4 - 2 * CARDS
        row[at - 4 : at] = [*self.retired[player], *self.retired[1 - player]]
        row[at : at + 4] = [*self._in_play(player, player), *self._in_play(1 - player, player)]
        own = self.decks[player] if self.knows_own(player) else (0, 0)
        for i, decks in enumerate((own, self.shown[1 - player])):
            for card in members(decks[0]):
                row[at + 4 + i * CARDS + card] = 1
            for card in members(decks[1]):
                row[at + 4 + i * CARDS + card] = -1
        return row

    def _in_play(self, owner: int, viewer: int) -> list[bool]:
        """The deck the owner has chosen for this game, as far as the viewer may know it."""
        known = len(self.chosen) == 2 or (owner == viewer and len(self.chosen) > owner)
        return [known and self.chosen[owner] == deck for deck in range(2)]

    def headers(self) -> dict[str, str]:
        decks = {f"deck{q}": WORDS[deck] for q, deck in enumerate(self.chosen)}
        return super().headers() | decks
