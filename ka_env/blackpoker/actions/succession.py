"""Succession (世代交代): a court card died; its owner mills until the next court card, which goes to hand."""

from __future__ import annotations

from ka_env.blackpoker.flow.zones import State, mill_to_court
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State, q: int) -> None:
    s.successions[q] -= 1
    mill_to_court(s, q)
