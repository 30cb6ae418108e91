"""What the tree search needs of Blue Moon: greedy as its guide, and how a position stands."""

from __future__ import annotations

from typing import Any

from ka_env.bluemoon.cards import CHARACTER, OF_TYPE
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_BOTTOM, AT_PUT_BACK, IN_FIRE
from ka_env.bluemoon.flow.retreat import dragons_for
from ka_env.bluemoon.kernels import rules
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.players.greedy import choose
from ka_env.bluemoon.players.worth import texts_of, worth_of
from ka_env.engine import ismcts
from ka_env.engine.bits import count
from ka_env.engine.ismcts import Guide
from ka_env.engine.jit import entry, kernel

Array = Any

SECRET = 1 << AT_PUT_BACK | 1 << AT_BOTTOM  # cards that go face down into the deck


@kernel
def strength(s: State, q: int) -> float:
    """How well q stands, dragons apart."""
    d = s.deck[q]
    points = 0.05 * worth_of(d, s.hand[q]) + 0.06 * count(s.hand[q] & OF_TYPE[d, CHARACTER])
    points += 0.02 * s.pile_count[q]
    if s.fight >= IN_FIRE:
        points += 0.08 * s.total[q] + 0.06 * texts_of(d, s.works[q]) + 0.15 * dragons_for(s, q)
    return points


@kernel
def lead(s: State, p: int) -> float:
    update(s)
    o = 1 - p
    dragons = int(s.dragons[p]) - int(s.dragons[o])
    return 0.7 * dragons + strength(s, p) - strength(s, o)


@kernel
def guide() -> Guide:
    return Guide(choose, lead, SECRET)


@entry
def search_games(search: Any, lo: int, hi: int, how: Any) -> None:
    ismcts.search_slice(search, lo, hi, rules(), guide(), how)


@entry
def root_visits(roots: Array, trees: Array, out: Array) -> None:
    ismcts.count_root_visits(roots, trees, out)


@entry
def graft(tree: Array, action: int, out: Array) -> int:
    return ismcts.graft_tree(tree, action, out)
