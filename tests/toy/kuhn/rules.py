"""The rules: one game is one record, a rule is a kernel on it."""

import numpy as np

from ka_env.engine.jit import kernel
from ka_env.engine.loops import DRAWN, RUNNING, WON_0, WON_1, head
from ka_env.engine.rng import roll

CARDS = "JQK"
PASS, BET, NUM_ACTIONS = range(3)  # action ids: check or fold, bet or call
OPEN, ANSWER = range(2)  # kinds of decisions: nothing is bet yet, the other one has bet
KINDS = ["open", "answer"]

STATE = np.dtype(
    (
        np.record,
        [
            *head(),  # `turn` is who began the hand
            ("cards", np.int8, 2),
            ("chips", np.int8),  # won by player 0 in the hands before
            ("left", np.int8),  # hands after this one
        ],
    )
)


@kernel
def deal_hand(s):
    s.cards[0] = roll(s, 3)
    s.cards[1] = (s.cards[0] + 1 + roll(s, 2)) % 3
    s.kind = OPEN
    s.player = s.turn


@kernel
def deal(s, setting):
    s.turn = 0
    s.result = RUNNING
    s.chips = 0
    s.left = setting[0] - 1
    deal_hand(s)


@kernel
def first_id(w):
    return 0 if w == 0 else NUM_ACTIONS  # all ids are in the first word of legal bits


@kernel
def find_legal(s):
    s.legal[0] = 0b11 if s.result == RUNNING else 0
    return 2 if s.result == RUNNING else 0


@kernel
def answer(s, action):
    other = 1 - s.player
    if s.kind == OPEN and action == BET:
        s.kind = ANSWER
        s.player = other
    elif s.kind == OPEN and s.player == s.turn:
        s.player = other
    elif s.kind == ANSWER and action == PASS:
        end_hand(s, other, 1)
    else:
        end_hand(s, 0 if s.cards[0] > s.cards[1] else 1, 2 if s.kind == ANSWER else 1)


@kernel
def end_hand(s, winner, stake):
    s.chips += stake if winner == 0 else -stake
    if s.left > 0:
        s.left -= 1
        s.turn = 1 - s.turn
        deal_hand(s)
    else:
        s.player = -1
        s.result = WON_0 if s.chips > 0 else WON_1 if s.chips < 0 else DRAWN
