"""Up (アップ): the target's size grows by the key's number until the turn ends."""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.codes import SLOTS
from ka_env.blackpoker.flow.stage import caster, keep_key, key_of_top, target_of_top
from ka_env.blackpoker.flow.zones import State, key_to_fog
from ka_env.blackpoker.rulesets import RULES
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    unit = target_of_top(s)
    s.change[unit // SLOTS, unit % SLOTS] += NUMBER[key_of_top(s, 0)]
    leave_key_in_fog(s)
    return True


@kernel
def leave_key_in_fog(s: State) -> None:
    """Where the edition has a fog, the key stays there as long as it acts (down does the same)."""
    if RULES[s.ruleset].fog:
        key_to_fog(s, caster(s), key_of_top(s, 0), target_of_top(s))
        keep_key(s, 0)
