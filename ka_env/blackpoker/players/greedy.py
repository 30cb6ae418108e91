"""Greedy: takes what pays most now. Its points were tuned by matches of entry20 (8.0 lite) and full54 (6.1 std)."""

from __future__ import annotations

from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.answers import decide
from ka_env.blackpoker.players.temper import temper
from ka_env.engine.jit import kernel

TEMPER = temper(
    life=(10, 170),
    own_life=135,
    enemy_life=72,
    body=25,
    might=7,
    bulwark=[67, 52, 28, 28, 25, 10, 5, 0],
    card=[57, 35, 33, 35, 37, 39, 41, 43, 45, 47, 52, 55, 62, 61],
    suit=[4, 0, 1, 12, 1],  # spades throw, clubs counter
    court=-25,  # a dead court card finds the next one
    trap=33,
    magician=20,
    lay_bulwark=0,
    summon=-4,
    magic=12,
    trick=-15,
    counter=-10,
    attack=11,
    caution=60,
    ambush=9,
    reach=250,
    gang=12,
    draw_hand=11,  # always: a card is worth more than a life card ...
    draw_life=4,  # ... until few are left
)


@kernel
def choose(s: State, p: int) -> int:
    return decide(s, p, TEMPER[0])
