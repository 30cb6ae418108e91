"""The fight: whether to open it, go on with it or leave it, and which cards to play.

Every play is tried on a copy, as far as the next question; nothing hidden comes into play before the announcement.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import (
    AT_SUPPORT,
    DECLINE,
    DONE,
    FIGHT,
    FIRST_CARD,
    MAX_DRAGONS,
    NO_FIGHT,
    NO_QUESTION,
    RETREAT,
)
from ka_env.bluemoon.flow.legal import find_legal, first_id
from ka_env.bluemoon.flow.retreat import dragons_for
from ka_env.bluemoon.flow.turn import MOST_DECLINED, answer
from ka_env.bluemoon.players.appraise import Temper, standing
from ka_env.bluemoon.players.questions import answer_question
from ka_env.bluemoon.players.worth import TEXT_WORTH
from ka_env.bluemoon.state import STATE
from ka_env.bluemoon.zones import table_cards
from ka_env.engine.bits import BIT, count, lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING, first_legal, options, pick

DECIDED = 1000.0  # points of a game that is won or lost
LONGEST_LINE = 60  # decisions of one turn that are thought ahead


@kernel
def copy_for_trial(s: State, scratch: Any) -> Any:
    """A copy to try things on. The caller's caller owns `scratch`: a record doesn't keep its array alive."""
    scratch[0] = s
    scratch[0].trial = 1
    scratch[0].shown = 0
    return scratch[0]


@kernel
def value_of(s: State, p: int, action: int, scratch: Any, t: Temper) -> float:
    """How p stands after an action; a text that asks something is about to do some good."""
    if action == DONE:
        return standing(s, p, t)
    trial = copy_for_trial(s, scratch)
    answer(trial, action)
    value = standing(trial, p, t)
    if trial.kind > AT_SUPPORT and trial.player == p and trial.card >= 0:
        value += t.text * TEXT_WORTH[s.deck[p], trial.card]
    return value


@kernel
def best_play(s: State, p: int, t: Temper) -> int:
    """Phases 4 and 5: the play after which p stands best. Texts on the table are used at once."""
    on_table = (s.legal[0] >> FIRST_CARD) & table_cards(s, p)
    if on_table:
        return FIRST_CARD + lowest(on_table)
    scratch = np.empty(1, STATE)
    best = -1
    best_value = -1.0e9
    for i in range(options(s)):
        action = pick(s, first_id, i)
        value = value_of(s, p, action, scratch, t)
        if value > best_value:
            best_value = value
            best = action
    return best


@kernel
def choose_in_fight(s: State, p: int, t: Temper) -> int:
    """Any decision of the own turn after `fight`."""
    if s.kind <= AT_SUPPORT:
        return best_play(s, p, t)
    return answer_question(s, p, t)


@kernel
def value_of_fight(s: State, p: int, scratch: Any, t: Temper) -> float:
    """How p stands when the turn is played to its announcement; `short` has no part in it any more."""
    trial = copy_for_trial(s, scratch)
    answer(trial, FIGHT)
    for _ in range(LONGEST_LINE):
        if trial.kind == NO_QUESTION or trial.result != RUNNING:
            break
        if find_legal(trial) == 1 or trial.player != p:
            answer(trial, first_legal(trial, first_id))
        elif trial.kind == AT_SUPPORT and (trial.legal[0] & BIT[DONE]) and best_play(trial, p, t) == DONE:
            break
        else:
            answer(trial, choose_in_fight(trial, p, t))
    return standing(trial, p, t)


# ---- the end of the game --------------------------------------------------------------------------------------------


@kernel
def is_out(s: State, q: int) -> bool:
    return s.hand[q] == 0 and s.pile_count[q] == 0


@kernel
def verdict(s: State, p: int, dragons: int) -> float:
    """The game is about to end with so many dragons more on p's side than on the other."""
    if dragons == 0:
        return -DECIDED if s.out == p else DECIDED
    return DECIDED if dragons > 0 else -DECIDED


@kernel
def value_of_retreat(s: State, p: int, scratch: Any, t: Temper) -> float:
    """The table is cleared, the opponent attracts dragons; with an empty hand about the game is over."""
    o = 1 - p
    n = dragons_for(s, o)
    after = int(s.dragons[p]) - int(s.dragons[o]) - n
    if after < -MAX_DRAGONS:
        return -DECIDED
    if is_out(s, 0) or is_out(s, 1):
        return verdict(s, p, after)
    trial = copy_for_trial(s, scratch)
    trial.fight = NO_FIGHT
    return standing(trial, p, t) - t.dragon * n


@kernel
def value_of_decline(s: State, p: int, t: Temper) -> float:
    """Cards are changed for others; whoever leads may end the game with the last cards."""
    if s.pile_count[p] == 0 and count(s.hand[p]) <= MOST_DECLINED:
        lead = int(s.dragons[p]) - int(s.dragons[1 - p])
        if lead > 0 or count(s.hand[p]) == 1:
            return verdict(s, p, lead)
    return standing(s, p, t) - t.open


@kernel
def engage(s: State, p: int, t: Temper) -> int:
    """`fight`, or whatever else there is."""
    if not s.legal[0] & BIT[FIGHT]:
        return first_legal(s, first_id)
    scratch = np.empty(1, STATE)
    fighting = value_of_fight(s, p, scratch, t)
    if s.fight == NO_FIGHT:
        return DECLINE if value_of_decline(s, p, t) > fighting else FIGHT
    return RETREAT if value_of_retreat(s, p, scratch, t) > fighting else FIGHT
