"""Random games of the reference, and what must hold in each."""

import pytest

from . import RefGame, RefIllegalMove
from .tables import ACTION_ID, MAST, STAGE_MAX

DECISION_BOUND = 2000  # far above any game seen


def cards_of(game, player):
    s = game.s
    cards = s.life[player] + s.grave[player] + list(s.hand[player]) + list(s.fog[player]) + list(s.pack[player])
    cards += [s.rare[player]] if s.rare[player] else []
    for u in s.units(player):
        cards += u.cards
    for r in s.stage:
        if r.player == player:
            cards += r.keys
    return sorted(cards)


def seen(game):
    return game.player, game.decision, game.legal(), game.result, game.to_text()


SELDOM = "magician destroy lance reverse quick kill truce redirect trap setup".split() + MAST


def lively(legal, rng):
    """A random token, rather one of an action that random play hardly ever comes to, rather no pass."""
    if rng.random() < 0.7:
        legal = [t for t in legal if t in SELDOM] or legal
    if rng.random() < 0.5:
        legal = [t for t in legal if t in MAST] or legal
    if rng.random() < 0.7:
        legal = [t for t in legal if t not in ("pass", "end")] or legal
    return rng.choice(legal)


def play_one(start, rng, choose=None):
    """A random game; returns the number of decisions.  `choose` picks at `chance` decisions (R52: every game ends)."""
    game = RefGame.from_text(start)
    game.shuffler = lambda player, cards: rng.sample(cards, len(cards))
    decks = [cards_of(game, p) for p in (0, 1)]
    steps = 0
    while not game.over:
        legal = game.legal()
        assert len(legal) > 1
        numbers = [ACTION_ID[token] for token in legal]
        assert numbers == sorted(numbers)
        assert len(game.s.stage) <= STAGE_MAX
        if game.decision == "chance":
            assert [cards_of(game, p) for p in (0, 1)] == decks
            assert seen(RefGame.from_text(game.to_text())) == seen(game)
        elif rng.random() < 0.05:
            assert seen(game.copy()) == seen(game)
        token = choose(legal, rng) if choose and game.decision == "chance" else rng.choice(legal)
        game.play(token)
        steps += 1
        assert steps < DECISION_BOUND
    assert [cards_of(game, p) for p in (0, 1)] == decks
    text = game.to_text()
    assert RefGame.from_text(text).to_text() == text
    assert game.legal() == [] and game.player is None and game.decision is None
    with pytest.raises(RefIllegalMove):
        game.play("pass")
    return steps
