"""Recruit (徴募): of the top four life cards the low ones come as driven soldiers, the rest go under it (R47)."""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.decisions import AT_RECRUIT_ORDER
from ka_env.blackpoker.flow.stage import caster, sum_of_keys
from ka_env.blackpoker.flow.zones import State, come_as_soldier, life_place, put_under, take_life, turn_up
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel

CARDS = 4


@kernel
def turned_up(s: State) -> int:
    """How many cards are turned up."""
    return min(CARDS, int(s.life_count[caster(s)]))


@kernel
def comes(s: State, card: int) -> bool:
    return NUMBER[card] <= sum_of_keys(s)


@kernel
def resolve(s: State) -> bool:
    turn_up(s, caster(s), turned_up(s))
    if options(s):
        s.kind = AT_RECRUIT_ORDER
        return False
    move(s)
    return True


@kernel
def options(s: State) -> int:
    """Cards that go under the life and are not yet named."""
    cards = 0
    for k in range(turned_up(s)):
        card = life_place(s, caster(s), k)
        if not comes(s, card):
            cards |= BIT[card]
    for i in range(s.ordered):
        cards &= ~BIT[s.order[i]]
    return cards


@kernel
def fits(s: State) -> bool:
    """Are the cards named so far among those that go under, each once, and all cards turned up known?"""
    p = caster(s)
    ordered = s.ordered
    fit = True
    for k in range(turned_up(s)):
        fit = fit and s.seen[p] & s.placed[p] & BIT[life_place(s, p, k)] != 0
    for i in range(ordered):
        s.ordered = i
        fit = fit and options(s) & BIT[s.order[i]] != 0
    s.ordered = ordered
    return fit


@kernel
def answer(s: State, card: int) -> bool:
    """The first named lies highest. The cards move when the order is complete."""
    s.order[s.ordered] = card
    s.ordered += 1
    if options(s):
        return False
    move(s)
    return True


@kernel
def move(s: State) -> None:
    p = caster(s)
    for _ in range(turned_up(s)):
        card = take_life(s, p)
        if comes(s, card):
            come_as_soldier(s, p, card, False)
    for i in range(s.ordered):
        put_under(s, p, s.order[i])
        s.order[i] = -1
    s.ordered = 0
