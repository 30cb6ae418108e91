"""Section 8: whether the turn can be finished; a search over T's own options, exact."""

from __future__ import annotations

from typing import Any

from . import actions as act
from .chance import Assumed
from .layers import layers
from .moves import GameEnds
from .state import State
from .tasks import TASKS, answer, asked, do_task, raw_options, who_decides

Memo = dict[Any, bool]


def in_window(s: State) -> bool:
    """Between `fight` and the end of step 6a; nothing after it can change whether the turn is finished."""
    return bool(s.stack) and s.stack[0][0] in ("character", "support", "six_b")


def power_reached(s: State) -> bool:
    """Condition e."""
    assert s.turn is not None
    if not s.running:
        return True
    view = layers(s)
    return view.total(s.turn) >= view.total(s.opponent) or view.shielded(s.turn)


def imagined(s: State) -> State:
    t = s.copy()
    t.searching = True
    t.chance = Assumed()
    return t


def stays_completable(s: State, action: int, memo: Memo) -> bool:
    t = imagined(s)
    try:
        answer(t, action)
    except GameEnds:
        return True
    return _search(t, memo)


def completable(s: State, memo: Memo | None = None) -> bool:
    return _search(imagined(s), {} if memo is None else memo)


def _search(s: State, memo: Memo) -> bool:
    """Depth first; `s` may be changed."""
    try:
        while True:
            name = s.stack[-1][0]
            if name == "six_b":
                return power_reached(s)
            if name in TASKS:
                do_task(s)
            elif who_decides(s) != s.turn:
                answer(s, assumed(s))
            else:
                break
    except GameEnds:
        return True
    key = position_key(s)
    if key not in memo:
        memo[key] = _some_option_works(s, memo)
    return memo[key]


def _some_option_works(s: State, memo: Memo) -> bool:
    return any(stays_completable(s, action, memo) for action in worth_trying(s))


def assumed(s: State) -> int:
    """What O is assumed to answer: no interference (B34), else anything."""
    options = raw_options(s)
    return act.NO if asked(s)[0].kind == "interfere" else options[0]


def worth_trying(s: State) -> list[int]:
    """The options without those that never help, the most hopeful first."""
    assert s.turn is not None
    options = raw_options(s)
    q, args = asked(s)
    side = s.sides[s.turn]
    if q.kind == "support":
        options = [action for action in options if not act.is_load(action)]
    elif q.kind == "strip":
        return [act.NO] if act.NO in options else options[:1]  # O's hand matters by number only
    elif q.kind == "may" and s.card(s.turn, args[0]).ability == "opp_discards_own_choice":
        return [act.NO]
    elif q.kind in ("shed", "bottom") and not any(s.code(s.turn, c) == "X102" for c in side.hand + side.landed):
        return [act.DONE]  # only X102 counts hand cards
    done_first = q.kind == "support" or s.fight == "open"
    return sorted(options, key=lambda action: _hope(s, action, done_first), reverse=True)


def _hope(s: State, action: int, done_first: bool) -> int:
    if action == act.DONE:
        return 100 if done_first else -1
    if act.is_card(action):
        card = s.card(s.turn, act.slot_of(action))  # type: ignore[arg-type]
        shield = 20 if f"shield_{s.fight}" in card.icons else 0
        return shield + (card.earth if s.fight == "earth" else card.fire)
    return 0


def position_key(s: State) -> Any:
    """All that the search can depend on; the order of T's own cards is no part of it."""
    assert s.turn is not None
    mine, theirs = s.sides[s.turn], s.sides[s.opponent]
    return (
        tuple(s.stack),
        s.fight,
        tuple(s.did.n.values()),
        frozenset(s.did.marks),
        frozenset(s.did.groups),
        frozenset(s.settled),
        tuple(mine.hand),
        frozenset(mine.combat),
        frozenset(mine.support),
        tuple(mine.ships),
        mine.active_lead,
        len(theirs.hand),
        tuple(theirs.combat),
        tuple(theirs.support),
    )


# ---- the same without any cut, for tests ----


def naively_completable(s: State) -> bool:
    """Every option of T, every position anew, up to the announcement itself."""
    return _naive(imagined(s))


def naively_stays_completable(s: State, action: int) -> bool:
    t = imagined(s)
    try:
        answer(t, action)
    except GameEnds:
        return True
    return _naive(t)


def _naive(s: State) -> bool:
    try:
        while s.stack[-1][0] in TASKS or who_decides(s) != s.turn:
            if s.stack[-1][0] == "announcement":
                return power_reached(s)
            if s.stack[-1][0] in TASKS:
                do_task(s)
            else:
                answer(s, assumed(s))
    except GameEnds:
        return True
    return any(naively_stays_completable(s, action) for action in raw_options(s))
