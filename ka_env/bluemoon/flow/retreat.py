"""The retreat (section 9)."""

from __future__ import annotations

from ka_env.bluemoon.abilities.draw import draw_up_to
from ka_env.bluemoon.cards import AMOUNT, RETREAT_CAP, RETREAT_MINUS, RETREAT_PLUS, RETREAT_ZERO
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import HAND_SIZE, NO_FIGHT, RETREAT_DRAW, START
from ka_env.bluemoon.flow.dragons import attract, end_by_empty_hand
from ka_env.bluemoon.flow.limits import least_amount, texts
from ka_env.bluemoon.zones import clear_table, expire_leader, table_cards
from ka_env.engine.bits import count, lowest, without_lowest
from ka_env.engine.jit import kernel

CROWD = 6  # so many cards attract a second dragon


@kernel
def sum_of_amounts(s: State, q: int, ability: int) -> int:
    total = 0
    cards = texts(s, q, ability)
    while cards:
        total += AMOUNT[s.deck[q], lowest(cards)]
        cards = without_lowest(cards)
    return total


@kernel
def dragons_for(s: State, w: int) -> int:
    """Step 3: how many dragons w attracts."""
    r = 1 - w
    n = 2 if count(table_cards(s, w) & ~s.down[w]) >= CROWD else 1
    n += sum_of_amounts(s, w, RETREAT_PLUS)
    n = max(0, n - sum_of_amounts(s, r, RETREAT_MINUS))
    n = min(n, least_amount(s, r, RETREAT_CAP))
    if texts(s, r, RETREAT_ZERO):
        n = 0
    return n


@kernel
def attract_and_clear(s: State) -> None:
    """Steps 3-5: dragons, then all cards of both areas are discarded. The fight is over."""
    w = 1 - s.retreater
    s.point = RETREAT_DRAW
    for _ in range(dragons_for(s, w)):
        if attract(s, w):
            return
    for q in range(2):
        clear_table(s, q)
        expire_leader(s, q)
    s.fight = NO_FIGHT


@kernel
def draw_and_begin(s: State) -> None:
    """Steps 6-8: W draws first; then the game ends, or R begins a new turn."""
    r = s.retreater
    draw_up_to(s, 1 - r, HAND_SIZE)
    draw_up_to(s, r, HAND_SIZE)
    s.retreater = -1
    s.turn = r
    if s.hand[0] and s.hand[1]:
        s.point = START
    else:
        end_by_empty_hand(s)
