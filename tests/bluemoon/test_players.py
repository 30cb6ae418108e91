"""The rules-based players and the search: legal, without hidden knowledge, sensible, stronger than chance."""

import random

import numpy as np
import pytest

from ka_env import BatchEngine, KaError
from ka_env.agents import make_agent
from ka_env.bluemoon import STYLES, Game, players
from ka_env.games import load_game

from .play import many

each_style = pytest.mark.parametrize("style", STYLES)


def choices(records, seats, style):
    out = np.zeros(len(records), np.int64)
    players.choose_games(records, np.asarray(seats, np.int8), STYLES.index(style), out)
    return out


def choice(game, style):
    return int(choices(game.records(), [game.player], style)[0])


def said(text, style="greedy", seed=0):
    """The token that a style chooses in a position."""
    game = Game.from_text(text, seed)
    return game.token(choice(game, style))


# ---- honest ---------------------------------------------------------------------------------------------------------


@each_style
def test_legal_and_blind_to_hidden_cards(style):
    """The same choice whatever the hidden cards are, legal, and the record is left as it was."""
    asked = 0
    for k, game in enumerate(many(f"players {style}", 6, 120)):
        if game.over:
            continue
        records = game.records()
        action = int(choices(records, [game.player], style)[0])
        assert action in game.legal_ids(), game.to_text()
        assert records.tobytes() == game.records().tobytes()
        other = game.determinize(game.player, k)
        assert choice(other, style) == action, game.to_text()
        asked += 1
    assert asked > 500


@each_style
def test_whole_games_between_styles(style):
    for seed in range(8):
        game = Game.new(("base", "base+opt")[seed % 2], "random", seed=seed)
        while not game.over:
            game.step(choice(game, style if game.player else STYLES[seed % 3]))


def test_agents_play_the_styles_of_their_game():
    for style in STYLES:
        engine = BatchEngine("base", "random", num_games=8, seed=2)
        views = engine.views(np.arange(8), np.arange(8, dtype=np.uint64))
        actions = make_agent(style).act(np.arange(8), None, engine.action_mask, views)
        assert actions.tolist() == choices(views.records, views.players, style).tolist()
    with pytest.raises(KaError, match="Blue Moon has no player 'rush': expected greedy, miser, bully"):
        make_agent("rush").act(np.arange(8), None, engine.action_mask, views)


# ---- strength -------------------------------------------------------------------------------------------------------


def score(style, opponent, pairs, seed=11):
    """Share of the games won over pairs of deals with seats swapped; `opponent` is a style, or None: random."""
    points = 0.0
    for seat in (0, 1):
        engine = BatchEngine("base", "random", num_games=pairs, seed=seed)
        states = np.random.default_rng(seat).integers(2**64, size=pairs, dtype=np.uint64)
        while not engine.done.all():
            actions = engine.random_actions(states)
            for player, plays in ((seat, style), (1 - seat, opponent)):
                if plays:
                    chosen = choices(engine.games, np.where(engine.to_play == player, player, -1), plays)
                    actions = np.where((engine.to_play == player) & ~engine.done, chosen, actions)
            engine.step(actions)
        points += float((engine.rewards[:, seat] > 0).sum())
    return points / (2 * pairs)


@pytest.mark.parametrize(("style", "least"), [("greedy", 0.9), ("bully", 0.9), ("miser", 0.75)])
def test_beats_random_play(style, least):
    assert score(style, None, 100) >= least


def test_tempers_differ():
    """They disagree, and not just now and then."""
    different = {a: dict.fromkeys(STYLES, 0) for a in STYLES}
    rng = random.Random(5)
    for seed in range(6):
        game = Game.new("base", "random", seed=seed)
        while not game.over:
            found = {style: choice(game, style) for style in STYLES}
            for a in STYLES:
                for b in STYLES:
                    different[a][b] += found[a] != found[b]
            game.step(rng.choice(game.legal_ids()))
    assert all(different[a][b] > 10 for a in STYLES for b in STYLES if a != b), different


def test_the_game_has_the_rooms():
    about = load_game("bluemoon")
    assert about.room("styles") is players
    assert about.room("search").search_games
