"""The game itself: one generator that asks every decision, replayed from the start for copies."""

import random

from . import text as position_text
from .actions_basic import BasicActions
from .actions_frame import FrameActions
from .actions_magic import NormalMagic, QuickMagic
from .actions_mast import MastActions
from .actions_pro import ProActions
from .actions_summon import Summoning
from .cards import Cards
from .errors import RefIllegalMove, RefSetupError
from .requests import Requests
from .setup import Setup, setting_up
from .state import Request
from .tables import VERBS, in_card_order
from .view import view


class _GameOver(Exception):
    pass


def _random_shuffle(player, cards):
    cards = list(cards)
    random.shuffle(cards)
    return cards


class RefGame(Requests, Cards, BasicActions, Summoning, QuickMagic, NormalMagic, ProActions, MastActions, FrameActions):
    """`start` is a position text or a Setup.  `shuffler(player, cards)` makes every shuffle, those of the deal too."""

    def __init__(self, start, shuffler=_random_shuffle):
        self.shuffler = shuffler
        self._start = start
        self._restart([], [])

    @classmethod
    def from_text(cls, text):
        return cls(text)

    @classmethod
    def new(cls, ruleset, frame=None, seed=0, deck0=None, deck1=None, shuffler=None):
        """A game from its set-up on.  Lists are drawn, and lives shuffled, from the seed."""
        rng = random.Random(seed)
        setup = Setup.of(ruleset, frame, [deck0, deck1], rng)
        return cls(setup, shuffler or (lambda player, cards: rng.sample(cards, len(cards))))

    # ---- outside ----

    @property
    def over(self):
        return self.s is not None and self.s.result is not None

    @property
    def result(self):
        return self.s.result if self.s is not None else None

    @property
    def player(self):
        return None if self.over else self._question[0]

    @property
    def decision(self):
        return None if self.over else self._question[1]

    def legal(self):
        return [] if self.over else list(self._question[2])

    def to_text(self):
        s = self.s
        if s is None:
            raise RefSetupError("there is no position before the set-up is complete")
        if self.decision == "chance":
            return position_text.write(s, s.holder, "both" if s.both else s.passed)
        return position_text.write(s, self.player, None)

    def view(self, player):
        """What that player may know, by name; during the set-up the own list and the own choices (R72)."""
        if self.s is None:
            return {"own list": in_card_order(self._start.lists[player]), "own choices": dict(self.choices[player])}
        return view(self.s, player)

    def copy(self):
        other = RefGame.__new__(RefGame)
        other.shuffler = self.shuffler
        other._start = self._start
        other._restart(self._tokens, self._shuffles)
        return other

    def play(self, tokens):
        before = list(self._tokens), list(self._shuffles)
        try:
            for token in tokens.split():
                if token not in self.legal():
                    raise RefIllegalMove(
                        f"{token}: legal are {' '.join(self.legal()) or 'no tokens, the game is over'}"
                    )
                self._tokens.append(token)
                self._answer(token)
        except BaseException:
            self._restart(*before)
            raise

    # ---- driving the generator ----

    def _restart(self, tokens, shuffles):
        """Begin again and play these tokens, with these results of shuffles."""
        self.s = None if isinstance(self._start, Setup) else position_text.read(self._start)
        self.choices = [{}, {}]  # of the set-up: first_hand, rare
        self.last_shuffle = None
        self._successions = [0, 0]  # triggered, not yet resolved
        self._charge = False  # triggered
        self._push = []  # triggered normal requests
        self._tokens = list(tokens)
        self._shuffles = []
        self._replay = list(shuffles)
        self._question = None
        self._run = self._flow()
        if not self.over:
            self._answer(None)
            for token in tokens:
                self._answer(token)
        assert not self._replay

    def _answer(self, token):
        """Answer the question asked, and all forced ones after it."""
        while True:
            try:
                self._question = self._run.send(token)
            except StopIteration:
                assert self.over
                return
            options = self._question[2]
            assert options and len(set(options)) == len(options)
            if len(options) > 1:
                return
            token = options[0]

    def _shuffled(self, player, cards):
        """A chance outcome, the same again when the game is replayed."""
        new = list(self._replay.pop(0) if self._replay else self.shuffler(player, list(cards)))
        if sorted(new) != sorted(cards):
            raise ValueError(f"not a shuffle of {cards}: {new}")
        self._shuffles.append(new)
        return list(new)

    # ---- section 6: the flow ----

    def _flow(self):
        try:
            if self.s is None:
                self.s = yield from setting_up(self._start, self.choices, self._shuffled)
            while True:
                yield from self._chance()
        except _GameOver:
            return

    def _chance(self):
        s = self.s
        holder = s.holder
        token = yield holder, "chance", self._chance_options(holder)
        if token != "pass":
            s.passed = None
            s.both = False
            yield from self._request(holder, token)
        elif s.passed is None:
            s.passed = holder
            s.holder = 1 - holder
        else:  # both have passed
            s.passed = None
            if s.stage:
                yield from self._resolve(s.stage[-1])
                self._win_check()
                self._trigger_check()
            else:
                s.both = True
            s.holder = s.turn

    def _chance_options(self, player):
        s = self.s
        options = []
        if s.stage or (s.edition == "8.0" and not s.both):
            options.append("pass")
        return options + [verb for verb in VERBS if self._may_request(player, verb)]

    def _win_check(self):
        s = self.s
        dead = [not s.life[0], not s.life[1]]
        if not any(dead):
            return
        if all(dead):
            if s.edition == "6.1":
                s.result = (0.5, 0.5)
            else:
                s.result = (0, 1) if s.turn == 0 else (1, 0)
        else:
            s.result = (0, 1) if dead[0] else (1, 0)
        raise _GameOver

    def _trigger_check(self):
        s = self.s
        while self._charge or any(self._successions):
            if self._charge:
                self._charge = False
                for u in s.units(s.turn):
                    u.driven = False
                self._push.append("draw")
            else:
                player = s.turn if self._successions[s.turn] else 1 - s.turn
                self._successions[player] -= 1
                self._succession(player)
            self._win_check()
        for verb in self._push:
            s.stage.append(Request(s.turn, verb))
        self._push = []
