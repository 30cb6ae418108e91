"""B・J: take two cards of the own life (8.0: up to two), show them, put them in hand; shuffle the rest (R42, R70)."""

from __future__ import annotations

from ka_env.blackpoker.decisions import AT_SEARCH_CARD
from ka_env.blackpoker.flow.zones import State, pile_cards, search_life
from ka_env.blackpoker.rulesets import RULES
from ka_env.engine.bits import BIT, count, highest
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    if s.life_count[s.player] == 0:
        return True
    s.kind = AT_SEARCH_CARD
    return False


@kernel
def may_stop(s: State) -> bool:
    """8.0 may take fewer than two."""
    return RULES[s.ruleset].fewer_by_bj != 0


@kernel
def options(s: State) -> int:
    """Life cards above the first one; where two must be taken, the first leaves a higher one."""
    cards = pile_cards(s.life[s.player], s.life_count[s.player])
    if s.ordered:
        return cards & ~(BIT[s.order[0] + 1] - 1)
    if not may_stop(s) and count(cards) > 1:
        cards &= ~BIT[highest(cards)]
    return cards


@kernel
def fits(s: State) -> bool:
    """Could the card taken so far have been taken?"""
    if s.ordered == 0:
        return True
    s.ordered = 0
    fit = options(s) & BIT[s.order[0]] != 0 and s.order[1] < 0
    s.ordered = 1
    return fit


@kernel
def answer(s: State, card: int) -> bool:
    """`card` is -1 for done. The cards move when the choice is complete."""
    if card >= 0 and s.ordered == 0 and s.life_count[s.player] > 1:
        s.order[0] = card
        s.ordered = 1
        return False
    cards = BIT[card] if card >= 0 else 0
    if s.ordered:
        cards |= BIT[s.order[0]]
        s.order[0] = -1
        s.ordered = 0
    search_life(s, s.player, cards)
    return True
