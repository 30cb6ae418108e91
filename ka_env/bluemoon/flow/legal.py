"""What the decider may choose: the one legality behind masks, token lists and errors."""

from __future__ import annotations

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_ENGAGE, FIGHT, RETREAT
from ka_env.bluemoon.flow.completable import can_fight, is_bound, keep_finishable
from ka_env.bluemoon.flow.options import find_options
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING


@kernel
def find_legal(s: State) -> int:
    """Fill `legal` with the options of the decision; returns how many there are."""
    if s.result != RUNNING:
        for w in range(4):
            s.legal[w] = 0
        s.shown = 0
        return 0
    find_options(s)
    if s.kind == AT_ENGAGE:
        if not can_fight(s):
            s.legal[0] &= ~BIT[FIGHT]
    elif is_bound(s):
        keep_finishable(s)
        if not (s.legal[0] or s.legal[1] or s.legal[2] or s.legal[3]):
            s.legal[0] = BIT[RETREAT]  # B20: an interference has left no way to finish
    n = count(s.legal[0]) + count(s.legal[1]) + count(s.legal[2]) + count(s.legal[3])
    s.shown = n >= 2
    return n
