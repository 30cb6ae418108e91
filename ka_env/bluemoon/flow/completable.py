"""Can the turn still be finished (section 8)? A depth-first search over T's own options; the first success ends it.

The search plays on copies (`trial`) that stop when T's demands are settled; interference is left out (B34), a choice of
O takes any outcome. Positions that failed are remembered, whatever the order of the plays that led there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon.cards import (
    CHARACTER_LIMIT,
    CONDITION,
    HAND_DIFFERENCE,
    HARMLESS,
    IGNORING,
    SHIELD_EARTH,
    SHIELD_FIRE,
    SHOWS,
    VALUE,
)
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import (
    AT_BOTTOM,
    AT_CHARACTER,
    AT_MEET,
    AT_SHED,
    AT_STRIP,
    AT_SUPPORT,
    CHARACTERS,
    D_CHAR,
    DEMANDS,
    DONE,
    FIGHT,
    FIRST_BLUFF,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_LOAD,
    IN_FIRE,
    M_AGAIN,
    NO,
    NO_QUESTION,
    STARTS,
)
from ka_env.bluemoon.flow.conditions import on_table
from ka_env.bluemoon.flow.demands import open_demands, plays_demanded
from ka_env.bluemoon.flow.limits import NO_LIMIT, least_amount
from ka_env.bluemoon.flow.options import find_options, may_end_characters
from ka_env.bluemoon.flow.room import icons_work, playable_characters
from ka_env.bluemoon.flow.turn import answer
from ka_env.bluemoon.layers.ignored import active
from ka_env.bluemoon.layers.power import BLUFF_VALUE, sum_of
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.state import STATE
from ka_env.bluemoon.zones import landed_cards
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING
from ka_env.engine.rng import mix

DEPTH = 120  # more decisions than a turn can have before its announcement
MEMORY = 1024  # failed positions remembered at most; a power of two
FAILED, FINISHED, OPEN = range(3)
SHIELD_BONUS = 50  # try shields first

Scratch = Any


@kernel
def is_bound(s: State) -> bool:
    """Is T between `fight` in a running fight and the announcement? Then only options that can be finished count."""
    return s.player == s.turn and s.fight >= IN_FIRE and s.phase >= CHARACTERS and s.point <= DEMANDS


# ---- finished -------------------------------------------------------------------------------------------------------


@kernel
def shield_of(s: State) -> int:
    """T's cards that print a shield of the contested element."""
    return SHOWS[s.deck[s.turn], SHIELD_FIRE if s.fight == IN_FIRE else SHIELD_EARTH]


@kernel
def has_power(s: State) -> bool:
    """Condition e: enough power, or a working shield of the contested element."""
    t = s.turn
    return s.total[t] >= s.total[1 - t] or icons_work(s, t, on_table(s, t) & shield_of(s)) != 0


@kernel
def must_meet(s: State) -> bool:
    """Is there a discard demand that T can't answer with a dragon?"""
    t = s.turn
    return open_demands(s, t, False) != open_demands(s, t, True)


@kernel
def is_finished(s: State) -> bool:
    """Would the turn be finished if T said nothing but `done` from now on?"""
    if s.kind == AT_CHARACTER and not may_end_characters(s):
        return False
    return has_power(s) and plays_demanded(s, s.turn) and not must_meet(s)


# ---- options that need no search ------------------------------------------------------------------------------------


@kernel
def first_characters(s: State, cards: int) -> int:
    """Those of the playable characters with which, as the first of the turn, the turn is plainly finished.

    Only where no text of the layers 1-4 is about: then the card's value and the supports are the least that T's total
    can be, and O's stays as it is.
    """
    t = s.turn
    d = s.deck[t]
    found = 0
    if s.did[D_CHAR] or active(s, t) & IGNORING[d] or active(s, 1 - t) & IGNORING[s.deck[1 - t]]:
        return 0
    if must_meet(s) or not plays_demanded(s, t) or least_amount(s, 1 - t, CHARACTER_LIMIT) < NO_LIMIT:
        return 0
    e = s.fight - IN_FIRE
    supports = sum_of(s, t, e, s.support[t] & ~s.down[t]) + BLUFF_VALUE * count(s.down[t])
    cards &= HARMLESS[d]
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if supports + VALUE[d, e, card] >= s.total[1 - t] or shield_of(s) & BIT[card]:
            found |= BIT[card]
    return found


# ---- the search -----------------------------------------------------------------------------------------------------


@kernel
def judge(s: State) -> int:
    """Is the turn finished, has it failed, or does T have to go on?"""
    while s.kind != NO_QUESTION and s.player != s.turn and s.result == RUNNING:
        find_options(s)
        answer(s, take_lowest(s))
    if s.result != RUNNING:
        return FINISHED
    update(s)
    if s.kind == NO_QUESTION:
        return FINISHED if has_power(s) and plays_demanded(s, s.turn) else FAILED
    if s.kind == AT_MEET and not (has_power(s) and plays_demanded(s, s.turn)):
        return FAILED
    if (s.kind == AT_CHARACTER or s.kind == AT_SUPPORT) and is_finished(s):
        return FINISHED
    return OPEN


@kernel
def take_lowest(s: State) -> int:
    """The lowest option, taken off the list; -1 if none is left."""
    for w in range(4):
        if s.legal[w]:
            i = lowest(s.legal[w])
            s.legal[w] &= ~BIT[i]
            return STARTS[w] + i
    return -1


@kernel
def leave_out_useless(s: State) -> None:
    """Options that can't help to finish the turn: loading, putting hand cards away (unless their number counts)."""
    s.legal[2] = 0
    kind = s.kind
    if kind == AT_SUPPORT and not (has_power(s) and plays_demanded(s, s.turn)):
        s.legal[0] &= ~BIT[DONE]
    elif (kind == AT_SHED or kind == AT_BOTTOM) and not hand_size_counts(s):
        s.legal[0] &= BIT[DONE]
    elif kind == AT_STRIP:
        others = s.legal[0] & ~BIT[NO]
        if others:
            s.legal[0] = (s.legal[0] & BIT[NO]) | (others & -others)
            s.legal[3] = 0
        else:
            s.legal[3] &= -s.legal[3]


@kernel
def hand_size_counts(s: State) -> bool:
    """Does T hold a card that asks for the difference of the hands?"""
    cards = s.hand[s.turn]
    while cards:
        if CONDITION[s.deck[s.turn], lowest(cards)] == HAND_DIFFERENCE:
            return True
        cards = without_lowest(cards)
    return False


@kernel
def take_strongest(s: State) -> int:
    """The own card with the greatest value in the contested element, then whatever is left."""
    t = s.turn
    d = s.deck[t]
    cards = s.legal[0] >> FIRST_CARD
    if not cards or s.kind > AT_SUPPORT:
        return take_lowest(s)
    best = -1
    strongest = -1
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        value = int(VALUE[d, s.fight - IN_FIRE, card])
        if shield_of(s) & BIT[card]:
            value += SHIELD_BONUS
        if value > strongest:
            strongest = value
            best = card
    s.legal[0] &= ~BIT[FIRST_CARD + best]
    return FIRST_CARD + best


@kernel
def fold(key: Any, value: int) -> Any:
    return mix(key ^ np.uint64(value))


@kernel
def key_of(s: State) -> Any:
    """A position inside the search as one number; the order in which cards lie plays no part."""
    t = s.turn
    o = 1 - t
    key = fold(np.uint64(7), s.hand[t])
    key = fold(key, s.combat[t] | (int(s.kind) << 48))
    key = fold(key, s.covered[t] | (int(s.fight) << 48))
    key = fold(key, s.support[t] | ((int(s.card) + 1) << 48))
    key = fold(key, s.down[t] | (int(s.left) << 48))
    key = fold(key, s.used[t] | (count(s.hand[o]) << 48))
    key = fold(key, s.combat[o])
    key = fold(key, s.covered[o])
    key = fold(key, s.support[o])
    key = fold(key, s.picked)
    key = fold(key, s.settled[o])
    key = fold(key, s.groups)
    record = 0
    for i in range(8):
        record = record * 64 + int(s.did[i])
    key = fold(key, record)
    record = 0
    for i in range(8, s.did.size):
        record = record * 64 + int(s.did[i])
    for i in range(s.mark.size):
        record = record * 2 + int(s.mark[i])
    key = fold(key, record)
    if s.landed[t]:
        key = fold(key, landed_cards(s, t))
    return key | np.uint64(1)


@kernel
def is_new(memory: Scratch, key: Any) -> bool:
    """Remember a position; False if it was met before. A full memory takes everything for new."""
    place = np.int64(key >> np.uint64(32)) & (MEMORY - 1)
    for _ in range(16):
        if memory[place] == key:
            return False
        if memory[place] == np.uint64(0):
            memory[place] = key
            return True
        place = (place + 1) & (MEMORY - 1)
    return True


@kernel
def search(scratch: Scratch, memory: Scratch) -> bool:
    """Can the turn be finished from scratch[0], where T has to go on?"""
    depth = 0
    find_options(scratch[0])
    leave_out_useless(scratch[0])
    while depth >= 0:
        action = take_strongest(scratch[depth])
        if action < 0:
            depth -= 1
            continue
        scratch[depth + 1] = scratch[depth]
        s = scratch[depth + 1]
        answer(s, action)
        outcome = judge(s)
        if outcome == FINISHED:
            return True
        if outcome == OPEN and is_new(memory, key_of(s)):
            find_options(s)
            leave_out_useless(s)
            depth += 1
    return False


@kernel
def finishable_after(s: State, action: int, scratch: Scratch, memory: Scratch) -> bool:
    """Is the position after this option of T completable?"""
    scratch[0] = s
    trial = scratch[0]
    trial.trial = 1
    trial.shown = 0
    answer(trial, action)
    outcome = judge(trial)
    if outcome == OPEN:
        return search(scratch, memory)
    return outcome == FINISHED


@kernel
def can_fight(s: State) -> bool:
    """`fight` at engagement: in an opening turn one character is enough."""
    cards = playable_characters(s, s.turn)
    if s.fight < IN_FIRE:
        return cards != 0
    if not cards and not s.mark[M_AGAIN]:
        return False
    if first_characters(s, cards):
        return True
    scratch = np.empty(DEPTH, STATE)
    memory = np.zeros(MEMORY, np.uint64)
    return finishable_after(s, FIGHT, scratch, memory)


@kernel
def is_completable(s: State) -> bool:
    """A position after engagement as a text gives it: can it be finished?"""
    if s.fight < IN_FIRE:
        return s.did[D_CHAR] > 0 or s.mark[M_AGAIN] != 0 or (s.kind == AT_CHARACTER and can_fight(s))
    scratch = np.empty(DEPTH, STATE)
    memory = np.zeros(MEMORY, np.uint64)
    scratch[0] = s
    scratch[0].trial = 1
    outcome = judge(scratch[0])
    if outcome == OPEN:
        return search(scratch, memory)
    return outcome == FINISHED


@kernel
def keep_finishable(s: State) -> None:
    """Take away the options after which the turn could not be finished."""
    sure_0, sure_1, sure_2 = sure_options(s)
    rest_0 = s.legal[0] & ~sure_0
    rest_1 = s.legal[1] & ~sure_1
    rest_2 = s.legal[2] & ~sure_2
    rest_3 = s.legal[3]
    s.legal[0] &= sure_0
    s.legal[1] &= sure_1
    s.legal[2] &= sure_2
    s.legal[3] = 0
    if not (rest_0 or rest_1 or rest_2 or rest_3):
        return
    scratch = np.empty(DEPTH, STATE)
    memory = np.zeros(MEMORY, np.uint64)
    s.legal[0] |= finishable(s, 0, rest_0, scratch, memory)
    s.legal[1] |= finishable(s, FIRST_BLUFF, rest_1, scratch, memory)
    s.legal[2] |= finishable(s, FIRST_LOAD, rest_2, scratch, memory)
    s.legal[3] |= finishable(s, FIRST_ENEMY, rest_3, scratch, memory)


@kernel
def finishable(s: State, first: int, options: int, scratch: Scratch, memory: Scratch) -> int:
    """Those of the options (bits of action ids from `first` on) after which the turn can be finished."""
    found = 0
    while options:
        i = lowest(options)
        options = without_lowest(options)
        if finishable_after(s, first + i, scratch, memory):
            found |= BIT[i]
    return found


@kernel
def sure_options(s: State) -> tuple[int, int, int]:
    """Options that need no search: words and own cards, bluffs, loads."""
    if s.kind == AT_CHARACTER and s.did[D_CHAR] == 0 and not s.mark[M_AGAIN]:
        return first_characters(s, s.legal[0] >> FIRST_CARD) << FIRST_CARD, 0, 0
    if s.kind == AT_CHARACTER and is_finished(s) and least_amount(s, 1 - s.turn, CHARACTER_LIMIT) == NO_LIMIT:
        return BIT[DONE] | (safe_hand_plays(s) << FIRST_CARD), 0, 0
    if s.kind == AT_SUPPORT and is_finished(s):
        return BIT[DONE] | (safe_hand_plays(s) << FIRST_CARD), s.legal[1], s.legal[2]
    return 0, 0, 0


@kernel
def safe_hand_plays(s: State) -> int:
    """Further cards that can't undo a finished turn: they only add to the power. Texts being used are another thing."""
    t = s.turn
    return HARMLESS[s.deck[t]] & ~on_table(s, t)
