"""Wall: defence. Attacks only when the answer is harmless, and lets the enemy's deck run out."""

from __future__ import annotations

from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players import greedy
from ka_env.blackpoker.players.answers import decide
from ka_env.blackpoker.players.temper import but
from ka_env.engine.jit import kernel

TEMPER = but(
    greedy.TEMPER,
    own_life=150,
    enemy_life=55,
    bulwark=[75, 60, 40, 40, 30, 15, 5, 0],
    counter=-20,
    attack=60,
    caution=150,
    draw_life=8,
)


@kernel
def choose(s: State, p: int) -> int:
    return decide(s, p, TEMPER[0])
