"""Rush (アグロ): all-out attack. Never mind the answer, the enemy's life is what counts."""

from __future__ import annotations

from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players import greedy
from ka_env.blackpoker.players.answers import decide
from ka_env.blackpoker.players.temper import but
from ka_env.engine.jit import kernel

TEMPER = but(greedy.TEMPER, enemy_life=120, caution=0, ambush=0, attack=0, reach=400)


@kernel
def choose(s: State, p: int) -> int:
    return decide(s, p, TEMPER[0])
