"""Miser: every card is dear. Beats the opponent's total with the cheapest cards and retreats sooner."""

from __future__ import annotations

from ka_env.bluemoon.players import greedy
from ka_env.bluemoon.players.temper import but

TEMPER = but(greedy.TEMPER, card=0.7, power=0.2, more=0.0)
