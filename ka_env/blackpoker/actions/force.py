"""Force (フォース): all soldiers of the turn player, also those to come, are bigger until the turn ends (R44, R45)."""

from __future__ import annotations

from ka_env.blackpoker.codes import LINK_ALL
from ka_env.blackpoker.flow.stage import caster, keep_key, key_of_top, sum_of_keys
from ka_env.blackpoker.flow.zones import State, key_to_fog
from ka_env.blackpoker.rulesets import RULES
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.force += sum_of_keys(s)
    if RULES[s.ruleset].fog:
        for k in range(2):
            key_to_fog(s, caster(s), key_of_top(s, k), LINK_ALL)
            keep_key(s, k)
    return True
