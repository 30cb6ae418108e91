"""Setup (セットアップ): an up whose key is a spade; the fog remembers that it adds (R66-R68)."""

from __future__ import annotations

from ka_env.blackpoker.actions import up
from ka_env.blackpoker.flow.stage import caster, key_of_top
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.fog_plus[caster(s)] |= BIT[key_of_top(s, 0)]
    return up.resolve(s)
