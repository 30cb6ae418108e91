"""What holds in every game: cards are conserved, texts read back, games end, replays give the same bytes."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ka_env import BatchEngine
from ka_env.bluemoon import RULESETS, Game
from ka_env.bluemoon.cards import BLUFFS, members
from ka_env.bluemoon.rulesets import LISTS
from ka_env.bluemoon.state import NOT_POSITION, STATE
from ka_env.errors import IllegalMove

from .play import PAIRINGS, many, position, walk

SEEDS = st.integers(0, 2**32 - 1)


def cards_of(s, q):
    """All of q's cards, wherever they lie, as a list."""
    cards = [int(c) for c in s.pile[q, : s.pile_count[q]]] + [int(c) for c in s.lead[q, : s.lead_count[q]]]
    for zone in (s.hand, s.combat, s.support, s.discard, s.feats, s.ships):
        cards += members(zone[q])
    for i in range(s.fleet_count[q]):
        cards += [int(c) for c in s.cargo[q, i, : s.cargo_count[q, i]]]
    return cards + ([int(s.hyla)] if s.hyla >= 0 and s.hyla_owner == q else [])


def check(game):
    s = game.state
    for q in range(2):
        assert sorted(cards_of(s, q)) == members(LISTS[s.deck[q], s.ruleset])
        assert members(s.combat[q]) == sorted(int(c) for c in s.line[q, : s.line_count[q]])
        assert members(s.support[q]) == sorted(int(c) for c in s.row[q, : s.row_count[q]])
        assert int(s.open[q]) & ~int(s.hand[q]) == 0
        assert int(s.down[q]) & ~(int(s.support[q]) & int(BLUFFS[s.deck[q]])) == 0
        hidden = int(s.hand[q]) & ~int(s.open[q]) | int(s.down[q])
        hidden |= sum(1 << int(c) for c in s.pile[q, : s.pile_count[q]])
        assert int(s.seen[q]) & ~hidden == 0
    assert min(s.dragons) == 0 and max(s.dragons) <= 3
    assert s.trial == 0 and s.misfit == 0 and s.script == -1 and s.stale == 0
    if game.over:
        assert game.legal() == [] and game.player is None and game.result in ((1, 0), (0, 1))
    else:
        ids = game.legal_ids()
        assert len(ids) >= 2
        assert [game.action_id(token) for token in game.legal()] == ids


def same_position(a, b):
    """Equal records but for what is no part of a position."""
    return [n for n in STATE.names if n not in NOT_POSITION and not np.array_equal(a.state[n], b.state[n])]


@given(SEEDS, st.sampled_from(RULESETS), st.sampled_from([*PAIRINGS, "random"]))
def test_whole_games(seed, ruleset, frame):
    for game in walk(Game.new(ruleset, frame, seed=seed), random.Random(seed)):
        check(game)
        assert same_position(Game.from_text(game.to_text()), game) == []


@given(SEEDS)
def test_made_up_positions(seed):
    rng = random.Random(seed)
    for game in walk(position(rng, seed), rng, 40):
        check(game)
        assert same_position(Game.from_text(game.to_text()), game) == []


@given(SEEDS)
def test_the_same_moves_give_the_same_bytes(seed):
    game, again = (Game.new("base+opt", "random", seed=seed) for _ in range(2))
    rng = random.Random(seed)
    for _ in range(60):
        assert game == again and hash(game) == hash(again)
        if game.over:
            break
        action = rng.choice(game.legal_ids())
        game.step(action)
        again.step(action)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_results_and_crystals(ruleset):
    rng = random.Random(ruleset)
    for seed in range(6):
        *_, end = walk(Game.new(ruleset, "random", seed=seed), rng)
        winner = 0 if end.result == (1, 0) else 1
        if ruleset.endswith("match"):
            assert end.crystals[winner] == 5 and end.crystals[1 - winner] < 5
        else:
            assert 1 <= end.crystals[winner] <= 4 and end.crystals[1 - winner] == 0


def test_all_or_nothing():
    game = Game.new("base", "khind-buka", seed=7)
    before = game.to_text()
    with pytest.raises(IllegalMove):
        game.play(f"{game.legal()[0]} yes yes yes")
    with pytest.raises(IllegalMove, match="may choose"):
        game.step(195)
    assert game.to_text() == before


def test_batch_is_single():
    """Game i of a batch is the game of its own seed and number, step by step."""
    batch = BatchEngine("base+opt", "random", num_games=12, seed=3)
    batch.reset()
    games = [batch.game(i) for i in range(12)]
    rng = random.Random(1)
    for _ in range(120):
        actions = [rng.choice(mask.nonzero()[0]) if mask.any() else 0 for mask in batch.action_mask]
        batch.step(np.array(actions))
        for i, game in enumerate(games):
            if not game.over:
                game.step(actions[i])
            assert game.to_text() == batch.game(i).to_text()
            assert (game.action_mask() == batch.action_mask[i]).all()


def test_every_kind_of_decision_occurs():
    kinds = {game.decision for game in many("kinds", 40, 300)}
    assert len(kinds - {None}) >= 26
