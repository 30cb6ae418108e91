"""What players know: a view tells nothing that is hidden, and all that is not (R1, R53, R54, R58)."""

import random

import pytest

from . import RefGame, random_position
from . import text as position_text
from .tables import RULESETS, in_card_order
from .view import view

PACKS = """ka 1
rules 8.0-std+rare
turn 0
chance 0
life0 2h 3h
hand0 -
grave0 -
field0 0:b4d
pack0 closed 9s 5c
rare0 Kd
life1 5s 6s
hand1 8c
grave1 -
field1 0:b9d
pack1 open 2s 7h
rare1 Ks
known0 8c@hand
"""


def exchange_hidden(s, p, rng):
    """Exchange among each other what player p can't tell apart; the rest stays."""
    q = 1 - p
    mine = [c for c in s.life[p] if c not in s.own[p]] + (in_card_order(s.pack[p]) if s.closed[p] else [])
    unknown = {c for u in s.units(q) if not u.soldier for c in u.cards}
    unknown |= {*s.life[q], *s.hand[q], *s.grave[q][:-1], *s.pack[q], *([s.rare[q]] if s.rare[q] else [])}
    theirs = in_card_order(unknown - s.known[p])
    new = [dict(zip(cards, rng.sample(cards, len(cards)))) for cards in ((mine, theirs) if p == 0 else (theirs, mine))]
    for x in (0, 1):
        s.life[x] = [new[x].get(c, c) for c in s.life[x]]
        s.hand[x] = {new[x].get(c, c) for c in s.hand[x]} if x == q else s.hand[x]
        s.pack[x] = {new[x].get(c, c) for c in s.pack[x]} if x == q or s.closed[x] else s.pack[x]
        if x == q:
            s.grave[x] = [new[x].get(c, c) for c in s.grave[x]]
            s.rare[x] = new[x].get(s.rare[x], s.rare[x])
            for u in s.units(x):
                if not u.soldier:
                    u.cards = [new[x].get(c, c) for c in u.cards]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_views_hide_what_is_hidden(ruleset):
    rng = random.Random(ruleset)
    for _ in range(20):
        text = random_position(ruleset, rng)
        for p in (0, 1):
            s = position_text.read(text)
            before = view(s, p)
            exchange_hidden(s, p, rng)
            assert view(s, p) == before


def test_views_of_packs_and_rare_cards():
    game = RefGame.from_text(PACKS)
    mine, theirs = game.view(0), game.view(1)
    assert mine["packs"] == [("closed", 2), ("open", 2)] and theirs["packs"] == [("open", 2), ("closed", 2)]
    assert mine["own pack"] is None
    assert mine["own unseen"] == in_card_order(["2h", "3h", "9s", "5c"])  # R54: life and closed pack together
    assert theirs["own pack"] == ["2s", "7h"] and theirs["own unseen"] == ["5s", "6s"]
    assert mine["own rare"] == "Kd" and mine["enemy rare"] is True
    assert "Ks" not in str(mine) and "9d" not in str(mine) and "7h" not in str(mine)
    assert mine["known"] == ["8c@hand"] and theirs["known"] == []
    game.play("open Kd")
    assert game.view(1)["known"] == ["Kd@hand"] and game.view(1)["enemy rare"] is False
    assert game.view(0)["own pack"] == in_card_order(["9s", "5c"]) and game.view(1)["packs"][1] == ("open", 2)
