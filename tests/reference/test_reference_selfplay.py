"""Random games of the reference: cards conserved, texts read back, every game ends."""

import random

import pytest

from . import RefGame, RefIllegalMove, deal
from .positions import random_position
from .tables import LITE_AND_STD

FRAMES = ["entry20", "full54", "deck40", "half27"]


def cards_of(game, player):
    s = game.s
    cards = s.life[player] + s.grave[player] + list(s.hand[player]) + list(s.fog[player])
    for u in s.units(player):
        cards += u.cards
    for r in s.stage:
        if r.player == player:
            cards += r.keys
    return sorted(cards)


def play_one(start, rng, pass_less=False):
    """A random game; returns the number of decisions."""
    game = RefGame.from_text(start)
    game.shuffler = lambda player, cards: rng.sample(cards, len(cards))
    decks = [cards_of(game, p) for p in (0, 1)]
    steps = 0
    while not game.over:
        legal = game.legal()
        assert len(legal) > 1
        if game.decision == "chance":
            assert [cards_of(game, p) for p in (0, 1)] == decks
            text = game.to_text()
            again = RefGame.from_text(text)
            assert again.to_text() == text
            assert (again.player, again.decision, again.legal()) == (game.player, "chance", legal)
        if pass_less and game.decision == "chance" and rng.random() < 0.7:
            legal = [t for t in legal if t not in ("pass", "end")] or legal
        game.play(rng.choice(legal))
        steps += 1
        assert steps < 2000
    assert [cards_of(game, p) for p in (0, 1)] == decks
    text = game.to_text()
    assert RefGame.from_text(text).to_text() == text
    assert game.legal() == [] and game.player is None and game.decision is None
    with pytest.raises(RefIllegalMove):
        game.play("pass")
    return steps


@pytest.mark.parametrize("ruleset", LITE_AND_STD)
@pytest.mark.parametrize("frame", FRAMES)
def test_random_games(ruleset, frame):
    rng = random.Random(f"{ruleset} {frame}")
    for i in range(5):
        play_one(deal(ruleset, frame, rng), rng, pass_less=i % 2 == 1)


@pytest.mark.parametrize("ruleset", LITE_AND_STD)
def test_random_positions(ruleset):
    rng = random.Random(ruleset)
    for i in range(40):
        play_one(random_position(ruleset, rng), rng, pass_less=i % 2 == 1)
