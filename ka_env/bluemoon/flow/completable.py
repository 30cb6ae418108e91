"""Can the turn still be finished (section 8)? A depth-first search over T's own options; the first success ends it.

The search plays on copies (`trial`) that stop when T's demands are settled; interference is left out (B34), a choice of
O takes any outcome. Positions are remembered with their outcome, whatever the order of the plays that led there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon.cards import (
    CHARACTER_LIMIT,
    CONDITION,
    ELSE_DRAGON,
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
    AT_ENGAGE,
    AT_MEET,
    AT_SHED,
    AT_STRIP,
    AT_SUPPORT,
    D_CHAR,
    DONE,
    FIGHT,
    FIRST_CARD,
    IN_FIRE,
    M_AGAIN,
    MAX_DRAGONS,
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
MEMORY = 1024  # positions remembered at first, a power of two
GROWTH = 32  # and so many times as many whenever there is no room for more
PROBES = 16
EMPTY, GOOD = np.uint64(0), np.uint64(1)  # the lowest bit of what is remembered: can the turn be finished from there?
FAILED, FINISHED, OPEN, NO_ROOM = range(4)
ALL = -1  # in place of a word of options
SHIELD_BONUS = 50  # try shields first

Scratch = Any


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
def may_end_by_dragon(s: State) -> bool:
    """Could O win the game by a dragon for a demand of step 6a? A game that ends on the way counts as finished."""
    return s.dragons[1 - s.turn] == MAX_DRAGONS and open_demands(s, s.turn, True) != 0


@kernel
def asks_for_dragon(s: State) -> bool:
    """Is the demand being settled one whose refusal ends the game?"""
    return s.dragons[1 - s.turn] == MAX_DRAGONS and ELSE_DRAGON[s.deck[1 - s.turn], s.card] != 0


@kernel
def can_end_phase(s: State) -> bool:
    """Would it lead anywhere to say `done` in phase 5?"""
    return (has_power(s) and plays_demanded(s, s.turn)) or may_end_by_dragon(s)


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
    cards &= HARMLESS[d] & ~on_table(s, t)
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        if supports + VALUE[d, e, card] >= s.total[1 - t] or shield_of(s) & BIT[card]:
            found |= BIT[card]
    return found


@kernel
def finished_for_good(s: State) -> bool:
    """Is the turn finished whatever harmless card T plays on top?"""
    limited = least_amount(s, 1 - s.turn, CHARACTER_LIMIT) < NO_LIMIT
    if s.kind == AT_CHARACTER and (limited or s.did[D_CHAR] == 0):
        return False  # one more may be too many; the first one of a turn covers the others
    return (s.kind == AT_CHARACTER or s.kind == AT_SUPPORT) and is_finished(s)


@kernel
def doubtful_options(s: State, w: int) -> int:
    """Those of the options in word w of `legal` after which it takes a search to know whether T can finish."""
    options = s.legal[w]
    if not options:
        return 0
    t = s.turn
    if s.kind == AT_ENGAGE:
        plain = s.fight < IN_FIRE or first_characters(s, playable_characters(s, t)) != 0
        return 0 if plain else options & BIT[FIGHT]
    if s.kind == AT_CHARACTER and s.did[D_CHAR] == 0:
        return options & ~(first_characters(s, options >> FIRST_CARD) << FIRST_CARD)
    if finished_for_good(s):
        # further cards only add to the power; texts being used are another thing
        return options & ~BIT[DONE] & ~((HARMLESS[s.deck[t]] & ~on_table(s, t)) << FIRST_CARD) if w == 0 else 0
    return options


# ---- the search -----------------------------------------------------------------------------------------------------


@kernel
def judge(s: State) -> int:
    """Is the turn finished, has it failed, or does T have to go on?"""
    if s.result != RUNNING:
        return FINISHED
    update(s)
    if s.kind == NO_QUESTION:
        return FINISHED if has_power(s) and plays_demanded(s, s.turn) else FAILED
    if s.kind == AT_MEET and not can_end_phase(s) and not asks_for_dragon(s):
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
    if kind == AT_SUPPORT and not can_end_phase(s):
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
    return key | GOOD


@kernel
def place_of(memory: Scratch, key: Any) -> int:
    """Where a position is remembered, or a free place for it; -1 if there is none."""
    place = np.int64(key >> np.uint64(32)) & (memory.size - 1)
    for _ in range(PROBES):
        if memory[place] | GOOD == key or memory[place] == EMPTY:
            return int(place)
        place = (place + 1) & (memory.size - 1)
    return -1


@kernel
def look_up(s: State, memory: Scratch) -> int:
    """What is known of a position that is neither finished nor failed; a new one is taken for failed from now on."""
    key = key_of(s)
    place = place_of(memory, key)
    if place < 0:
        return NO_ROOM
    if memory[place] == EMPTY:
        memory[place] = key & ~GOOD
        return OPEN
    return FINISHED if memory[place] == key else FAILED


@kernel
def remember_line(scratch: Scratch, memory: Scratch, depth: int) -> None:
    """The positions on the way to a finished turn are good ones."""
    for i in range(1, depth + 1):
        key = key_of(scratch[i])
        place = place_of(memory, key)
        if place >= 0:
            memory[place] = key


@kernel
def list_options(s: State) -> None:
    find_options(s)
    leave_out_useless(s)


@kernel
def search(scratch: Scratch, memory: Scratch) -> int:
    """FINISHED if the turn can be finished with one of the options listed in scratch[0], else FAILED.

    NO_ROOM: there are more positions than can be remembered, and without that the search would never end.
    """
    depth = 0
    while depth >= 0:
        action = take_strongest(scratch[depth])
        if action < 0:
            depth -= 1
            continue
        scratch[depth + 1] = scratch[depth]
        s = scratch[depth + 1]
        answer(s, action)
        while s.kind != NO_QUESTION and s.player != s.turn and s.result == RUNNING:
            find_options(s)
            answer(s, take_lowest(s))  # O decides: any outcome will do
        outcome = judge(s)
        if outcome == OPEN:
            outcome = look_up(s, memory)
        if outcome == FINISHED:
            remember_line(scratch, memory, depth)
            return FINISHED
        if outcome == NO_ROOM:
            return NO_ROOM
        if outcome == OPEN and depth + 2 < DEPTH:
            list_options(s)
            depth += 1
    return FAILED


@kernel
def prepare(s: State, scratch: Scratch, w: int, options: int) -> None:
    """A copy to search from, with these options of word w to be tried; in place of a word, ALL: all there are."""
    scratch[0] = s
    trial = scratch[0]
    trial.trial = 1
    trial.shown = 0
    if w == ALL:
        list_options(trial)
        return
    for v in range(4):
        trial.legal[v] = 0
    trial.legal[w] = options


@kernel
def try_options(s: State, scratch: Scratch, memory: Scratch, w: int, options: int) -> Any:
    """Can the turn be finished with one of these options? Returns that, and the memory, which may have grown."""
    while True:
        prepare(s, scratch, w, options)
        outcome = search(scratch, memory)
        if outcome != NO_ROOM:
            return outcome == FINISHED, memory
        memory = np.zeros(memory.size * GROWTH, np.uint64)


@kernel
def is_completable(s: State) -> bool:
    """A position after engagement as a text gives it: can it be finished? In an opening turn a character is enough."""
    update(s)
    if s.fight < IN_FIRE:
        characters = s.kind == AT_CHARACTER and playable_characters(s, s.turn) != 0
        return s.did[D_CHAR] > 0 or s.mark[M_AGAIN] != 0 or characters
    outcome = judge(s)
    if outcome != OPEN:
        return outcome == FINISHED
    scratch = np.empty(DEPTH, STATE)
    memory = np.zeros(MEMORY, np.uint64)
    finished, _ = try_options(s, scratch, memory, ALL, 0)
    return finished
