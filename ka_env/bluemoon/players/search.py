"""What the tree search needs of Blue Moon: greedy as its guide, and how a position stands."""

from __future__ import annotations

from typing import Any

from ka_env.bluemoon.cards import CHARACTER, OF_TYPE
from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import AT_BOTTOM, AT_PUT_BACK, FIRST_BLUFF, FIRST_CARD, FIRST_LOAD, IN_FIRE
from ka_env.bluemoon.flow.retreat import dragons_for
from ka_env.bluemoon.kernels import rules
from ka_env.bluemoon.layers.update import update
from ka_env.bluemoon.players.greedy import choose
from ka_env.bluemoon.players.worth import texts_of
from ka_env.engine import improve, ismcts
from ka_env.engine.bits import BIT, count
from ka_env.engine.ismcts import Guide
from ka_env.engine.jit import entry, kernel

Array = Any


@kernel
def strength(s: State, q: int) -> float:
    """How well q stands. The weights were fitted to the results of greedy's games: cards left count most."""
    d = s.deck[q]
    points = 0.64 * s.dragons[q] + 0.1 * s.pile_count[q] + 0.27 * count(s.hand[q])
    points += 0.03 * count(s.hand[q] & OF_TYPE[d, CHARACTER])
    if s.fight >= IN_FIRE:
        points += 0.01 * s.total[q] + 0.035 * texts_of(d, s.works[q]) + 0.27 * dragons_for(s, q)
    return points


@kernel
def lead(s: State, p: int) -> float:
    update(s)
    return strength(s, p) - strength(s, 1 - p)


@kernel
def secret(s: State, action: int) -> bool:
    """A card goes face down into the deck or the support area, or comes back from there; an open one stays known."""
    q = s.player
    if FIRST_BLUFF <= action < FIRST_LOAD:
        return s.hand[q] & ~s.open[q] & BIT[action - FIRST_BLUFF] != 0
    if FIRST_CARD <= action < FIRST_BLUFF:
        hidden = s.down[q] & ~s.seen[q]
        return s.kind == AT_PUT_BACK or s.kind == AT_BOTTOM or hidden & BIT[action - FIRST_CARD] != 0
    return False


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
