"""Lance (死の槍): a soldier whose size the diamond key divides goes on top of its owner's life; then the damage."""

from __future__ import annotations

from ka_env.blackpoker.actions.damage import current_size
from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.decisions import AT_LANCE_ORDER
from ka_env.blackpoker.flow import zones
from ka_env.blackpoker.flow.stage import key_of_top, target_of_top
from ka_env.blackpoker.flow.zones import State, unit_to_life
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    unit = target_of_top(s)
    size = current_size(s, unit // SLOTS, unit % SLOTS)
    if size == 0 or size % NUMBER[key_of_top(s, 1)] != 0:
        return True
    s.kind = AT_LANCE_ORDER
    s.player = unit // SLOTS  # R17: the soldier's owner orders its cards
    return False


@kernel
def options(s: State) -> int:
    """Cards of the target not yet placed."""
    unit = target_of_top(s)
    q = unit // SLOTS
    cards = 0
    card = s.bottom[q, unit % SLOTS]
    while card >= 0:
        cards |= BIT[card]
        card = s.above[q, card]
    for i in range(s.ordered):
        cards &= ~BIT[s.order[i]]
    return cards


@kernel
def fits(s: State) -> bool:
    """Are the cards placed so far the target's, each once?"""
    ordered = s.ordered
    fit = True
    for i in range(ordered):
        s.ordered = i
        fit = fit and options(s) & BIT[s.order[i]] != 0
    s.ordered = ordered
    return fit


@kernel
def answer(s: State, card: int) -> bool:
    s.order[s.ordered] = card
    s.ordered += 1
    if options(s):
        return False
    unit = target_of_top(s)
    unit_to_life(s, unit // SLOTS, unit % SLOTS)
    zones.damage(s, unit // SLOTS, NUMBER[key_of_top(s, 0)])
    return True
