"""One readable game, its texts and chance events; and Kuhn poker as the rest of the house sees it."""

import re
from importlib import import_module

import numpy as np
from kuhn import FRAMES, NAME, RULESETS, SUFFIX, TITLE, WORD, kernels
from kuhn.knowledge import ENTITIES, SECTIONS
from kuhn.rules import CARDS, KINDS, NUM_ACTIONS, STATE

from ka_env.engine.loops import DRAWN, RUNNING, WON_0, WON_1, seed_bits
from ka_env.errors import IllegalMove, NotationError, RulesetError, nearest
from ka_env.game import Game as BaseGame
from ka_env.games import KaGame

HANDS = dict(zip(FRAMES, (2, 6)))
TOKENS = [["check", "bet"], ["fold", "call"]]  # by kind
WORDS = [*TOKENS[0], *TOKENS[1]]
TEXT = re.compile(rf"{WORD} ([JQK])([JQK]) chips (-?\d+) left (\d) turn ([01]) (?:at ([01]) (open|answer)|over)\s*")


class Game(BaseGame):
    __slots__ = ()
    name = NAME

    @classmethod
    def from_text(cls, text, seed=0):
        found = TEXT.fullmatch(text)
        if found is None or found[1] == found[2]:
            raise NotationError(f"position: can't read {text!r}: expected 'kuhn KJ chips 0 left 3 turn 0 at 1 open'")
        games = blank(1)
        s = games[0]
        s.cards[:] = CARDS.index(found[1]), CARDS.index(found[2])
        s.chips, s.left, s.turn = int(found[3]), int(found[4]), int(found[5])
        if found[6] is None:
            s.player, s.result = -1, WON_0 if s.chips > 0 else WON_1 if s.chips < 0 else DRAWN
        else:
            s.player, s.kind, s.result = int(found[6]), KINDS.index(found[7]), RUNNING
        kernels.seed_games(games, seed_bits(seed), 0)
        return cls(games)

    def to_text(self):
        s = self.state
        now = "over" if self.over else f"at {s.player} {self.decision}"
        return f"{WORD} {self.cards()} chips {s.chips} left {s.left} turn {s.turn} {now}\n"

    def cards(self):
        return "".join(CARDS[card] for card in self.state.cards)

    def token(self, action_id):
        if action_id not in range(NUM_ACTIONS):
            raise NotationError(f"unknown action id {action_id}: expected 0 or 1")
        return TOKENS[self.state.kind][action_id]

    def action_id(self, token):
        if token not in WORDS:
            raise NotationError(f"unknown token {token!r}: expected {', '.join(WORDS)}{nearest(token, WORDS)}")
        if token not in TOKENS[self.state.kind]:
            raise self._illegal(token)
        return TOKENS[self.state.kind].index(token)

    @classmethod
    def is_token(cls, word):
        return word in WORDS

    # ---- chance: the hands after the first

    @classmethod
    def is_chance(cls, word):
        return word == "deal"

    def _events(self, before):
        return [] if before is None or self.state.rng == before else [("deal", None, self.cards())]

    def chance_words(self, event):
        return ["deal", event[2]]

    def step_with(self, action, chance):
        trial = self.copy()
        trial.step(action)
        if [name for name, *_ in trial.last_random] != [name for name, *_ in chance]:
            raise IllegalMove(f"chance brings {trial.last_random} here, but {chance!r} was given")
        for _, _, cards in chance:
            if sorted(cards) not in (["J", "K"], ["J", "Q"], ["K", "Q"]):
                raise IllegalMove(f"deal {cards!r}: expected two different cards of {CARDS}")
            trial.state.cards[:] = [CARDS.index(card) for card in cards]
        trial._random = list(chance)
        self._become(trial)

    def step_with_words(self, action, words):
        trial = self.copy()
        trial.step(action)
        events = []
        if trial.last_random:
            said = [words.popleft()[1] for _ in range(min(2, len(words)))]
            if len(said) < 2 or said[0] != "deal":
                raise IllegalMove(f"expected 'deal' and two cards, found {' '.join(said) or 'the end'!r}")
            events = [("deal", None, said[1])]
        self.step_with(action, events)
        return events


def blank(count):
    games = np.zeros(count, STATE)
    games["cards"] = 0, 1
    return games


def setting(ruleset, frame, deck0, deck1):
    if frame not in HANDS:
        raise RulesetError(f"unknown frame {frame!r}: expected one of {', '.join(HANDS)}{nearest(frame, HANDS)}")
    if deck0 is not None or deck1 is not None:
        raise RulesetError("in Kuhn poker nobody brings a deck")
    return np.array([HANDS[frame]])


def players():
    return import_module("kuhn.players")


GAME = KaGame(
    name=NAME,
    title=TITLE,
    rulesets=RULESETS,
    frames=FRAMES,
    default_frame=lambda ruleset: "long",
    setting=setting,
    num_actions=NUM_ACTIONS,
    words={},
    kinds=KINDS,
    blank=blank,
    sections=lambda ruleset: SECTIONS,
    entities=ENTITIES,
    kernels=kernels,
    Game=Game,
    suffix=SUFFIX,
    styles=players,
    search=players,
    longest=3 * max(HANDS.values()),
)
