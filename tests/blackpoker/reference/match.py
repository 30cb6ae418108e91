"""Matches (section 6 of the pro page): a series of games between the same two players."""

import random
import re

from .errors import RefIllegalMove, RefSetupError
from .game import RefGame
from .setup import DRAWN, Setup, frames_of, smallest_list
from .tables import CARDS, RULESETS

DECKS = ["one", "two"]
HALF = 27


class RefMatch:
    """`kind` is best<n> or half27x2.  `decks`, two lists for each player, are built decks, known to their owner;
    otherwise half27x2 splits the 54 cards.  `shuffler(player, cards)` makes every chance outcome: splits and random
    lists (the first cards of the order count) and the shuffles of the games."""

    def __init__(self, ruleset, kind, frame=None, seed=0, decks=None, shuffler=None):
        if ruleset not in RULESETS:
            raise RefSetupError(f"unknown ruleset {ruleset}")
        self.ruleset, self.kind = ruleset, kind
        self.two_decks = kind == "half27x2"
        self.frame = "half27" if self.two_decks else frame
        self.needed, self.most_games = self._length(kind)
        if self.frame is not None and self.frame not in frames_of(ruleset):
            raise RefSetupError(f"{ruleset} is not dealt as {self.frame}")
        self.built = None if decks is None else self._checked(decks)
        rng = random.Random(seed)
        self.shuffler = shuffler or (lambda player, cards: rng.sample(cards, len(cards)))
        self._restart([], [])

    @staticmethod
    def _length(kind):
        """Wins needed, and the cap on games (R63)."""
        if kind == "half27x2":
            return 2, 5
        m = re.fullmatch(r"best([1-9][0-9]*)", kind)
        if not m or int(m[1]) % 2 == 0:
            raise RefSetupError(f"no such match: {kind}")
        n = int(m[1])
        return (n + 1) // 2, 2 * n - 1

    def _checked(self, decks):
        if not self.two_decks:
            raise RefSetupError("two decks each belong to half27x2")
        for one, two in decks:
            if set(one) & set(two) or len(one) + len(two) > len(CARDS):
                raise RefSetupError("the two decks of a player share no card and have 54 cards at most")
            if min(len(one), len(two)) < smallest_list(self.ruleset):
                raise RefSetupError(f"a list has at least {smallest_list(self.ruleset)} cards")
        return [dict(zip(DECKS, pair)) for pair in decks]

    # ---- outside ----

    @property
    def over(self):
        return self.result is not None

    @property
    def player(self):
        if self.over:
            return None
        return self.game.player if self.game is not None else len(self.chosen)

    @property
    def decision(self):
        if self.over:
            return None
        return self.game.decision if self.game is not None else "deck"

    def legal(self):
        if self.over:
            return []
        return self.game.legal() if self.game is not None else self._free_decks(len(self.chosen))

    @property
    def result(self):
        if max(self.wins) < self.needed and self.played < self.most_games:
            return None
        if self.wins[0] == self.wins[1]:
            return (0.5, 0.5)
        return (1, 0) if self.wins[0] > self.wins[1] else (0, 1)

    def knows(self, player):
        """R64: the own lists that player knows (None: not known), and the enemy's cards seen, deck by deck."""
        known = self._knows_own_lists()
        return {
            "own": {deck: sorted(self.lists[player][deck]) if known else None for deck in DECKS},
            "enemy": {deck: sorted(self.seen[player][deck]) for deck in DECKS},
        }

    def view(self, player):
        """What that player may know of the game under way, of the decks chosen and of the match."""
        facts = {"wins": self.wins[:: 1 if player == 0 else -1], "played": self.played}
        if self.two_decks:
            both = len(self.chosen) == 2  # then the choices are public
            facts["decks"] = {p: deck for p, deck in enumerate(self.chosen) if both or p == player}
            facts |= self.knows(player)
        if self.game is not None:
            facts |= self.game.view(player)
            if not self._knows_own_lists():
                del facts["own unseen"]
        return facts

    def _knows_own_lists(self):
        """R64: a random half is hidden even from its owner in the first game."""
        return not self.two_decks or self.built is not None or self.played > 0

    def copy(self):
        other = RefMatch.__new__(RefMatch)
        other.__dict__.update(self.__dict__)
        other._restart(self._tokens, self._outcomes)
        return other

    def play(self, tokens):
        before = list(self._tokens), list(self._outcomes)
        try:
            for token in tokens.split():
                if token not in self.legal():
                    raise RefIllegalMove(f"{token}: legal are {' '.join(self.legal()) or 'no tokens'}")
                self._tokens.append(token)
                self._answer(token)
        except BaseException:
            self._restart(*before)
            raise

    # ---- inside ----

    def _restart(self, tokens, outcomes):
        self._tokens, self._outcomes, self._replay = list(tokens), [], list(outcomes)
        self.wins, self.played = [0, 0], 0
        self.retired = [set(), set()]
        self.seen = [{deck: set() for deck in DECKS} for _ in (0, 1)]
        self.results = []  # of the games
        self.game = None
        self.lists = self.built
        if self.two_decks and self.lists is None:
            orders = [self._chance(p, CARDS) for p in (0, 1)]
            self.lists = [{"one": order[:HALF], "two": order[HALF:]} for order in orders]
        self._next_game()
        for token in tokens:
            self._answer(token)
        assert not self._replay

    def _chance(self, player, cards):
        new = list(self._replay.pop(0) if self._replay else self.shuffler(player, list(cards)))
        self._outcomes.append(new)
        return list(new)

    def _answer(self, token):
        if self.game is None:
            self.chosen.append(token)
            self._choose_decks()
        else:
            self.game.play(token)
        if self.game is not None and self.game.over:
            self._game_over()

    def _free_decks(self, player):
        return [deck for deck in DECKS if deck not in self.retired[player]]

    def _next_game(self):
        self.game = None
        self.chosen = []  # decks, of player 0 and then of player 1
        if self.two_decks:
            self._choose_decks()
        else:
            self.game = RefGame(self._setup(), self._chance)

    def _choose_decks(self):
        """Takes forced choices; begins the game when both have chosen."""
        while len(self.chosen) < 2 and len(self._free_decks(len(self.chosen))) == 1:
            self.chosen += self._free_decks(len(self.chosen))
        if len(self.chosen) == 2:
            lists = [self.lists[p][self.chosen[p]] for p in (0, 1)]
            self.game = RefGame(Setup(self.ruleset, lists), self._chance)

    def _setup(self):
        """The frame's lists; random ones are drawn anew each game."""
        frame = self.frame or Setup.default_frame(self.ruleset)
        if frame == "entry20":
            return Setup.of(self.ruleset, frame, [None, None], None)
        count = DRAWN[frame]
        lists = [CARDS if count == len(CARDS) else self._chance(p, CARDS)[:count] for p in (0, 1)]
        return Setup(self.ruleset, lists)

    def _game_over(self):
        result = self.game.result
        self.played += 1
        self.results.append(result)
        if self.two_decks:
            for p in (0, 1):
                self.seen[p][self.chosen[1 - p]] |= self.game.s.seen[p]
        for p in (0, 1):
            if result[p] == 1:
                self.wins[p] += 1
                if self.two_decks:
                    self.retired[p].add(self.chosen[p])
        if not self.over:
            self._next_game()
