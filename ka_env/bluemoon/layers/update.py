"""Section 4 as a whole: after every change everything is computed anew from the print."""

from __future__ import annotations

from ka_env.bluemoon.cards import IGNORING, WITH_TEXT
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import IN_EARTH, IN_FIRE
from ka_env.bluemoon.layers.ignored import active, find_ignored
from ka_env.bluemoon.layers.power import total_power
from ka_env.engine.jit import kernel


@kernel
def update(s: State) -> None:
    """Bring the layers up to date, if anything has changed since they were computed."""
    if not s.stale:
        return
    s.stale = 0
    active_0 = active(s, 0)
    active_1 = active(s, 1)
    for q in range(2):
        s.mute[q] = 0
        s.blank[q] = 0
        s.plain[q] = 0
        s.zero[q, 0] = 0
        s.zero[q, 1] = 0
    if active_0 & IGNORING[s.deck[0]] or active_1 & IGNORING[s.deck[1]]:
        find_ignored(s, active_0, active_1)
    s.works[0] = active_0 & WITH_TEXT[s.deck[0]] & ~s.mute[0] & ~s.blank[0] & ~s.down[0]
    s.works[1] = active_1 & WITH_TEXT[s.deck[1]] & ~s.mute[1] & ~s.blank[1] & ~s.down[1]
    if s.fight >= IN_FIRE:
        s.total[0] = total_power(s, 0, s.fight - IN_FIRE)
        s.total[1] = total_power(s, 1, s.fight - IN_FIRE)
    else:
        s.total[0] = 0
        s.total[1] = 0


assert IN_EARTH == IN_FIRE + 1
