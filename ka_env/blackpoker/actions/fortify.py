"""Fortify (防壁補充): the top life card comes as a charged bulwark, or the top two come as driven ones (R18)."""

from __future__ import annotations

from ka_env.blackpoker.codes import ONE
from ka_env.blackpoker.decisions import AT_FORTIFY
from ka_env.blackpoker.flow.stage import caster
from ka_env.blackpoker.flow.zones import State, come_as_bulwark, take_life
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.kind = AT_FORTIFY
    return False


@kernel
def answer(s: State, word: int) -> bool:
    p = caster(s)
    wanted = 1 if word == ONE else 2
    for _ in range(min(wanted, s.life_count[p])):
        come_as_bulwark(s, p, take_life(s, p), word == ONE)
    return True
