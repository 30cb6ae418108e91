"""What the tree search needs of BlackPoker: greedy as its guide, and how a position stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.blackpoker.actions.damage import current_size
from ka_env.blackpoker.cards import SUIT
from ka_env.blackpoker.decisions import HIDDEN
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.kernels import rules
from ka_env.blackpoker.players.greedy import choose
from ka_env.engine import improve, ismcts
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.ismcts import Guide
from ka_env.engine.jit import entry, kernel

Array = Any

IN_HAND = np.array([0.55, 0.4, 0.5, 0.85, 0.63])  # what a card in hand adds: spades, hearts, diamonds, clubs, jokers
OWN_TURN = 0.43  # what it adds to have the turn


@kernel
def standing(s: State, q: int) -> float:
    """How well q stands. The weights were fitted to the results of play by trained policies."""
    life = s.life_count[q]
    points = 0.127 * life - 10.0 / (1 + life) + 0.5 * count(s.bulwarks[q])
    points += 0.21 * count(s.soldiers[q]) + 0.18 * count(s.soldiers[q] & s.charged[q])
    slots = s.soldiers[q]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        points += 0.06 * max(0, current_size(s, q, slot))
    hand = s.hand[q]
    while hand:
        points += IN_HAND[SUIT[lowest(hand)]]
        hand = without_lowest(hand)
    return points


@kernel
def lead(s: State, p: int) -> float:
    turn = OWN_TURN if s.turn == p else -OWN_TURN
    return -(standing(s, 1 - p) - standing(s, p) - turn)


@kernel
def secret(s: State, action: int) -> bool:
    return HIDDEN & BIT[s.kind] != 0


@kernel
def guide() -> Guide:
    return Guide(choose, lead, secret)


@entry
def search_games(search: Any, lo: int, hi: int, how: Any) -> None:
    ismcts.search_slice(search, lo, hi, rules(), guide(), how)


@entry
def root_visits(roots: Array, trees: Array, out: Array) -> None:
    ismcts.count_root_visits(roots, trees, out)


@entry
def graft(tree: Array, action: int, out: Array) -> int:
    return ismcts.graft_tree(tree, action, out)


@entry
def improve_games(asked: Any, desk: Any, how: Any) -> None:
    improve.improve_all(asked, desk, rules(), guide(), how)
