"""What the decider may choose: the one legality behind masks, token lists and errors."""

from __future__ import annotations

import numpy as np

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_ENGAGE, CHARACTERS, DEMANDS, IN_FIRE, NUM_ACTIONS, RETREAT, STARTS
from ka_env.bluemoon.flow.completable import DEPTH, MEMORY, doubtful_options, try_options
from ka_env.bluemoon.flow.options import find_options
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.state import STATE
from ka_env.engine.bits import BIT, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING, options


@kernel
def is_bound(s: State) -> bool:
    """Is T between `fight` in a running fight and the announcement? Then only options that can be finished count."""
    return s.player == s.turn and s.fight >= IN_FIRE and s.phase >= CHARACTERS and s.point <= DEMANDS


FIRST_ID = np.array([*STARTS, NUM_ACTIONS])  # the fifth word is not needed


@kernel
def first_id(w: int) -> int:
    """The first action id of word w of `legal`."""
    return FIRST_ID[w]


@kernel
def find_legal(s: State) -> int:
    """Fill `legal` with the options of the decision; returns how many there are."""
    if s.result != RUNNING:
        update(s)
        for w in range(4):
            s.legal[w] = 0
        s.shown = 0
        return 0
    find_options(s)
    bound = is_bound(s)
    if bound or s.kind == AT_ENGAGE:
        doubt_0 = doubtful_options(s, 0)
        doubt_1 = doubtful_options(s, 1)
        doubt_2 = doubtful_options(s, 2)
        doubt_3 = doubtful_options(s, 3)
        if doubt_0 or doubt_1 or doubt_2 or doubt_3:
            scratch = np.empty(DEPTH, STATE)
            memory = np.zeros(MEMORY, np.uint64)
            for w in range(4):
                doubt = doubt_0 if w == 0 else doubt_1 if w == 1 else doubt_2 if w == 2 else doubt_3
                while doubt:
                    option = doubt & -doubt
                    doubt = without_lowest(doubt)
                    finished, memory = try_options(s, scratch, memory, w, option)
                    if not finished:
                        s.legal[w] &= ~option
        if bound and options(s) == 0:
            s.legal[0] = BIT[RETREAT]  # B20: an interference has left no way to finish
    n = options(s)
    s.shown = n >= 2
    return n
