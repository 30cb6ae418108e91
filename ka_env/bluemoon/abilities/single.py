"""Texts that do one thing without a choice of cards.

`attack_again`, `next_card_free`, `opp_reveals_hand`, the swap of `playable_only_if_then_swap_element`, and with `may`
`recycle_discard`, `mill_opp`.
"""

from __future__ import annotations

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_MAY, IN_EARTH, IN_FIRE, M_AGAIN, M_NEXT
from ka_env.bluemoon.flow.ask import ask
from ka_env.bluemoon.flow.conditions import active_characters
from ka_env.bluemoon.zones import mill, open_hand, recycle
from ka_env.engine.jit import kernel


@kernel
def attack_again(s: State) -> None:
    if s.fight >= IN_FIRE and active_characters(s, s.turn):
        s.mark[M_AGAIN] = 1


@kernel
def next_card_free(s: State) -> None:
    s.mark[M_NEXT] = 1


@kernel
def reveal_hand(s: State) -> None:
    open_hand(s, 1 - s.turn)


@kernel
def swap_element(s: State) -> None:
    """In an opening turn it has no effect."""
    if s.fight >= IN_FIRE:
        s.fight = IN_FIRE + IN_EARTH - s.fight
        s.stale = 1


@kernel
def start_recycle(s: State) -> None:
    if s.discard[s.turn]:
        ask(s, AT_MAY, s.turn)


@kernel
def recycle_discard(s: State) -> None:
    recycle(s, s.turn)


@kernel
def start_mill(s: State) -> None:
    if s.pile_count[1 - s.turn] > 0:
        ask(s, AT_MAY, s.turn)


@kernel
def mill_opponent(s: State) -> None:
    mill(s, 1 - s.turn)
