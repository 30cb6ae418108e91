"""Challenging bluffs (section 10)."""

from __future__ import annotations

from ka_env.bluemoon.cards import BLUFF_EARTH, BLUFF_FIRE, NO_CHALLENGE, SHOWS
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import IN_FIRE, REFRESH, RETREATING
from ka_env.bluemoon.flow.dragons import attract
from ka_env.bluemoon.flow.limits import texts
from ka_env.bluemoon.zones import discard_table_cards
from ka_env.engine.jit import kernel


@kernel
def can_be_challenged(s: State, t: int) -> bool:
    return s.down[t] & ~s.blank[t] != 0 and not texts(s, t, NO_CHALLENGE)


@kernel
def challenge(s: State) -> None:
    """All of T's face-down cards are turned up and discarded; a false one costs T a dragon and the fight."""
    t = s.turn
    icon = BLUFF_FIRE if s.fight == IN_FIRE else BLUFF_EARTH
    honest = s.down[t] & ~SHOWS[s.deck[t], icon] == 0
    discard_table_cards(s, t, s.down[t])
    if honest:
        s.point = REFRESH
        attract(s, t)
    else:
        s.point = RETREATING
        s.retreater = t
        attract(s, 1 - t)
