"""Quick (クイック召喚): on the enemy's turn the key comes as an ace or a bulwark, as the caster likes (R32)."""

from __future__ import annotations

from ka_env.blackpoker.codes import ACE
from ka_env.blackpoker.decisions import AT_QUICK_FORM
from ka_env.blackpoker.flow.stage import caster, keep_key, key_of_top
from ka_env.blackpoker.flow.zones import State, come_as_bulwark, come_as_soldier
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State) -> bool:
    s.kind = AT_QUICK_FORM
    return False


@kernel
def answer(s: State, form: int) -> bool:
    """`form` is one of two verbs: bulwark or ace."""
    if form == ACE:
        come_as_soldier(s, caster(s), key_of_top(s, 0))
    else:
        come_as_bulwark(s, caster(s), key_of_top(s, 0), True)
    keep_key(s, 0)
    return True
