"""Asking a question: the flow stops until the player has answered."""

from __future__ import annotations

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import NO_QUESTION
from ka_env.engine.jit import kernel


@kernel
def ask(s: State, kind: int, player: int) -> None:
    s.kind = kind
    s.player = player


@kernel
def forget_question(s: State) -> None:
    """Nothing is being asked, played or picked any longer."""
    s.kind = NO_QUESTION
    s.card = -1
    s.room = 0
    s.left = 0
    s.picked = 0
    s.drawn = 0
