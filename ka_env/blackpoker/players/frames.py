"""Packs, rare cards and the first hand: the frames of 8.0."""

from __future__ import annotations

from ka_env.blackpoker.actions.trap import matches
from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.codes import (
    FIRST_REQUEST,
)
from ka_env.blackpoker.flow.targets import request_targets, units_of
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.appraise import (
    Temper,
    cancelled,
    dearest,
    keep,
    soldier_worth,
)
from ka_env.blackpoker.players.fight import least_unit
from ka_env.blackpoker.players.tricks import stake
from ka_env.blackpoker.rulesets.rows import TRAPPED_REQUEST
from ka_env.engine.bits import BIT, count
from ka_env.engine.jit import kernel


@kernel
def best_three(cards: int, t: Temper) -> int:
    """The three dearest cards of a deck, of different numbers: the first hand."""
    chosen = 0
    numbers = 0
    while count(chosen) < 3:
        card = dearest(cards, t)
        cards &= ~BIT[card]
        if not numbers & BIT[NUMBER[card]]:
            numbers |= BIT[NUMBER[card]]
            chosen |= BIT[card]
    return chosen


@kernel
def trap_plan(s: State, p: int, rare: int, t: Temper) -> tuple[int, int]:
    """The request that the rare card cancels and that is worth most: points, action id."""
    best, target = 0, -1
    open_ = request_targets(s, TRAPPED_REQUEST)
    void = cancelled(s)
    for i in range(s.stage_count):
        if s.stage_player[i] == p or not open_ & BIT[i] or void & BIT[i]:
            continue
        if matches(rare, s.stage_key[i, 0]) or matches(rare, s.stage_key[i, 1]):
            value = stake(s, p, i, t) - keep(rare, t) // 2
            if value > best:
                best, target = value, FIRST_REQUEST + i
    return best, target


@kernel
def raresummon_value(s: State, p: int, t: Temper) -> int:
    """The rare card instead of the least unit."""
    rare = s.rare[p]
    if rare < 0 or not units_of(s, p):
        return 0
    _, loss = least_unit(s, p, p, units_of(s, p), t)
    return soldier_worth(NUMBER[rare], t) - loss - keep(rare, t) // 2 - t.magic
