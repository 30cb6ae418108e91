"""A move taken apart: the chosen token and every forced decision after it, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ka_env.blackpoker import kernels
from ka_env.blackpoker.cards import members
from ka_env.blackpoker.codes import FIRST_CARD, FIRST_ENEMY, FIRST_OWN, FIRST_REQUEST, RUNNING
from ka_env.blackpoker.game import Game


class Moment(NamedTuple):
    """One answer, chosen or forced; the states are records."""

    before: Any
    action: int
    after: Any


def moments(game: Game, action: int, shuffle: Sequence[str] | None = None) -> list[Moment]:
    """What a legal action brings, answer by answer. `shuffle`: how a searched life lies afterwards, if known."""
    if action not in game.legal_ids():
        game.copy().step(action)  # says what is legal
    if shuffle is not None:
        game = game.arranged(action, shuffle)
    found: list[Moment] = []
    before = game.records()
    left = np.ones(1, np.int64)
    while left[0] == 1:
        after = before.copy()
        kernels.answer_games(after, np.array([action]), left)
        found.append(Moment(before[0], action, after[0]))
        if after[0].result != RUNNING:
            break
        before = after
        action = only_option(after[0])
    return found


def only_option(s: Any) -> int:
    """The lowest legal action id: of a forced decision, the only one."""
    for first, bits in (
        (0, s.legal_words),
        (FIRST_CARD, s.legal_cards),
        (FIRST_OWN, s.legal_own),
        (FIRST_ENEMY, s.legal_enemy),
    ):
        if bits:
            return first + members(bits)[0]
    return FIRST_REQUEST + members(s.legal_requests)[0]
