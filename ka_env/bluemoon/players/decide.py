"""Every decision of a rules-based player."""

from __future__ import annotations

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_BEGIN, AT_ENGAGE, AT_LEADERSHIP, AT_SUPPORT
from ka_env.bluemoon.players.appraise import Temper
from ka_env.bluemoon.players.fight import best_play, engage
from ka_env.bluemoon.players.questions import answer_question
from ka_env.bluemoon.players.stage import to_begin, to_lead
from ka_env.engine.jit import kernel


@kernel
def decide(s: State, p: int, t: Temper) -> int:
    kind = s.kind
    if kind == AT_BEGIN:
        return to_begin(s, p)
    if kind == AT_LEADERSHIP:
        return to_lead(s, p)
    if kind == AT_ENGAGE:
        return engage(s, p, t)
    if kind <= AT_SUPPORT:
        return best_play(s, p, t)
    return answer_question(s, p, t)
