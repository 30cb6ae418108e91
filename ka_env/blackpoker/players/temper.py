"""Temper: what a style holds dear, in points. One life card of a long life is about 10 points."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_LIFE = 54
MOST_BULWARKS = 8
CARDS_PER_COURT = 3  # about one card in three is a court card
FEW = 12  # with a life this short the owner counts the court cards left in it
LOST = 100_000  # points of a lost game: more than all else together
WON = 50_000  # an attack that scores this much wins
DOOMED = 20_000  # with one life card left the next draw loses; only a win this turn is worth it

TEMPER = np.dtype(
    (
        np.record,
        [
            ("life", np.int64, MOST_LIFE + 1),  # [n]: what a life of n cards is worth
            ("own_life", np.int64),  # per cent: how dear the own life is
            ("enemy_life", np.int64),  # per cent: how much damage to the enemy counts
            ("body", np.int64),  # a soldier, whatever its size
            ("might", np.int64),  # each point of its size
            ("bulwark", np.int64, MOST_BULWARKS),  # [n]: one more bulwark beside n others
            ("card", np.int64, 14),  # [number]: a hand card by its number, Joker = 0
            ("suit", np.int64, 5),  # [suit]: what the suit adds to that
            ("court", np.int64),  # what it minds laying a court card as a bulwark
            ("trap", np.int64),  # per cent: what a soldier's worth adds to the bulwark that would kill it
            ("magician", np.int64),  # a magician, for each card of quick magic in hand
            ("lay_bulwark", np.int64),  # wants it this much more than it is worth
            ("summon", np.int64),  # the same for summoning and equipping
            ("magic", np.int64),  # what magic must gain beyond its cards
            ("trick", np.int64),  # the same for quick magic
            ("counter", np.int64),  # the same for counters
            ("attack", np.int64),  # an attack must promise more than this
            ("caution", np.int64),  # per cent: how much the enemy's answer to an attack counts
            ("ambush", np.int64),  # damage it fears from a hidden hand
            ("reach", np.int64),  # points for a hit that leaves the enemy within reach of throw or up
            ("gang", np.int64),  # risk in points of each soldier that blocks
            ("draw_hand", np.int64),  # draws a second card with fewer cards in hand than this ...
            ("draw_life", np.int64),  # ... and more life than this
            # follows from the others: what a succession costs with a life of n cards
            ("own_succession", np.int64, MOST_LIFE + 1),
            ("enemy_succession", np.int64, MOST_LIFE + 1),
            ("last_succession", np.int64, (FEW + 1, FEW + 2)),  # [n, court cards]; a what-if may count one card less
        ],
    )
)


def life_worth(each: int, fear: int) -> list[int]:
    """`each` points a card, and the fewer are left the more: fear / n for the n-th."""
    worth = [-LOST, -DOOMED]
    for n in range(2, MOST_LIFE + 1):
        worth.append((worth[-1] if n > 2 else 0) + each + fear // n)
    return worth


def add_successions(t: np.record) -> None:
    """A court card dies: what the cards milled for the next one cost, less the card found."""

    def cost(life: int, courts: int, per_cent: int, if_none: int) -> int:
        milled = life // (courts + 1) + 1 if courts else if_none
        lost = int(t.life[life] - t.life[max(life - milled, 0)]) * per_cent // 100
        return lost - int(t.card[11]) if courts else lost

    for life in range(MOST_LIFE + 1):
        courts = life // CARDS_PER_COURT
        t.own_succession[life] = cost(life, courts, int(t.own_life), life)
        t.enemy_succession[life] = cost(life, courts, int(t.enemy_life), life // 2)
    for life, courts in np.ndindex(t.last_succession.shape):
        t.last_succession[life, courts] = cost(life, courts, int(t.own_life), life)


def temper(life: tuple[int, int], **points: Any) -> np.ndarray:
    """A table of one temper, all its fields given. `life` = points a card, fear."""
    missing = {name for name in TEMPER.names or () if not name.endswith("_succession")} - {"life", *points}
    if missing:
        raise TypeError(f"temper: {', '.join(sorted(missing))} missing")
    return but(np.zeros(1, TEMPER), life=life, **points)


def but(table: np.ndarray, life: tuple[int, int] | None = None, **points: Any) -> np.ndarray:
    """The same temper with some fields changed."""
    table = table.copy()
    if life is not None:
        table["life"] = life_worth(*life)
    for name, value in points.items():
        table[name] = value
    add_successions(table[0])
    return table
