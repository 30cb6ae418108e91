"""What each player knows (B3): observations hold exactly that, and determinizing re-draws exactly the rest."""

import random

import numpy as np

from ka_env.bluemoon import Game
from ka_env.bluemoon.cards import BLUFFS
from ka_env.bluemoon.knowledge.entities import ENTITIES
from ka_env.bluemoon.knowledge.observe import SECTIONS

from .play import many, walk
from .reference import Game as Reference


def views(game, player):
    return game.observation(player).tobytes() + b"".join(a.tobytes() for a in game.entities(player).values())


def test_a_redrawn_game_looks_the_same():
    for k, game in enumerate(many("redrawn", 8, 60)):
        for player in (0, 1):
            other = game.determinize(player, k)
            assert views(other, player) == views(game, player), game.to_text()
            assert (other.player, other.decision) == (game.player, game.decision)
            s = other.state
            assert all(int(s.down[q]) & ~int(BLUFFS[s.deck[q]]) == 0 for q in range(2))
            if game.player == player:
                assert other.legal_ids() == game.legal_ids()


def test_equal_views_become_equal_records():
    """What is drawn depends on the random numbers and on what the player sees, and on nothing else."""
    for k, game in enumerate(many("equal", 4, 30)):
        for player in (0, 1):
            if game.player == player:
                other = game.determinize(player, k)
                assert other.determinize(player, 99).state.tobytes() == game.determinize(player, 99).state.tobytes()


def test_what_is_unknown_is_really_drawn_anew():
    game = Game.new("base", "hoax-vulca", seed=1)
    texts = {game.determinize(0, k).to_text() for k in range(20)}
    assert len(texts) == 20


def test_a_redrawn_game_plays_on():
    for k, game in enumerate(many("plays on", 4, 40)):
        if k % 5 == 0 and not game.over:
            for _ in walk(game.determinize(k % 2, k), random.Random(k), 60):
                pass


def test_observations_are_complete():
    """Positions that the notation's list tells apart have different observations."""
    known = {}
    for k, game in enumerate(many("complete", 8, 60)):
        if game.over or k % 3:
            continue
        twin = Reference.from_text(game.to_text(), chance=[]) if "pending" not in game.to_text() else None
        if twin is None:
            continue
        for player in (0, 1):
            told = repr(twin.observation(player))
            for form in (game.observation(player).tobytes(), views(game, player)):
                assert known.setdefault(form, told) == told


def test_sections_and_entities_are_laid_out():
    size = 0
    for section in SECTIONS:
        assert section.offset == size
        size += section.length
    game = Game.new("base+opt", "khind-buka", seed=1)
    assert game.observation(0).shape == (size,) and game.observation(0).dtype == np.float32
    assert len({section.name for section in SECTIONS}) == len(SECTIONS)
    for name, array in game.entities(1).items():
        assert array.shape == ENTITIES[name][0] and array.dtype == np.int16
