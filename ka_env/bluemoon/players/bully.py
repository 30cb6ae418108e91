"""Bully: fights always, and with the most it has. Never mind the cards; a retreat is for cowards."""

from __future__ import annotations

from ka_env.bluemoon.players import greedy
from ka_env.bluemoon.players.temper import but

TEMPER = but(greedy.TEMPER, card=0.05, power=1.5, more=1.0, dragon=40.0, open=40.0, lie=1.5, trust=0.6)
