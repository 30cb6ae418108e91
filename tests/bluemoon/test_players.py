"""The rules-based players and the search: legal, without hidden knowledge, sensible, stronger than chance."""

import random

import numpy as np
import pytest

from ka_env import BatchEngine, KaError
from ka_env.agents import make_agent
from ka_env.bluemoon import STYLES, Game, players
from ka_env.bluemoon.cards import CARD_OF, CODES, DECKS, LEADERSHIP_CARD, TYPE
from ka_env.bluemoon.codes import FIRST_BLUFF, FIRST_LOAD
from ka_env.engine.ismcts import COVERED
from ka_env.engine.view import PlayerViews
from ka_env.games import load_game

from .play import many

each_style = pytest.mark.parametrize("style", STYLES)


def choices(records, seats, style):
    out = np.zeros(len(records), np.int64)
    players.choose_games(records, np.asarray(seats, np.int8), STYLES.index(style), out)
    return out


def choice(game, style):
    return int(choices(game.records(), [game.player], style)[0])


def position(decks, **lines):
    """A position at player 0's or 1's turn; cards that are not named lie in the discard or leadership piles."""
    named = {word.strip("?!()") for text in lines.values() for word in text.split()}
    given = {"turn": "0", "phase": "engage", "fight": "-", "dragons": "0 0", **lines}
    for q, deck in enumerate(decks.split()):
        d = DECKS.index(deck)
        rest = [c for c in range(30) if CODES[d][c] not in named]
        for zone in ("deck", "hand", "combat", "support"):
            given.setdefault(f"{zone}{q}", "-")
        leaders = [c for c in rest if TYPE[d, c] == LEADERSHIP_CARD]
        given[f"lead{q}"] = " ".join(CODES[d][c] for c in leaders) or "-"
        given[f"discard{q}"] = " ".join(CODES[d][c] for c in rest if c not in leaders) or "-"
    text = "\n".join(f"{key} {value}" for key, value in given.items())
    return Game.from_text(f"bm 1\nrules base\ndecks {decks}\n{text}\n")


LAST_CARDS = {"hand0": "H3 H6", "deck1": "V10 V11 V12 V13", "hand1": "V1 V3 V4 V5 V6 V7", "out": "-"}
LAST_STAND = {
    "fight": "fire",
    "dragons": "0 3",
    "hand0": "H1 H6 H20",
    "deck0": "H7 H8 H9 H10",
    "hand1": "V4 V5 V6 V7",
    "deck1": "V11 V12 V13",
    "combat1": "V10",
}


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


# ---- sensible -------------------------------------------------------------------------------------------------------


@each_style
def test_ends_a_game_that_is_won_with_its_last_cards(style):
    game = position("Hoax Vulca", dragons="1 0", **LAST_CARDS)
    while not game.over and game.turn == 0:
        game.step(choice(game, style))
    assert game.result == (1, 0)


@each_style
def test_does_not_end_a_game_that_is_lost(style):
    game = position("Hoax Vulca", dragons="0 1", **{**LAST_CARDS, "hand0": "H3"})
    assert game.token(choice(game, style)) == "fight"


@each_style
def test_never_retreats_when_that_loses_the_game(style):
    game = position("Hoax Vulca", **LAST_STAND)
    assert game.legal() == ["fight", "retreat"]
    assert game.token(choice(game, style)) == "fight"


def test_spends_no_more_than_is_needed():
    """Three are to be beaten: the miser sends the weakest that will do and keeps the rest."""
    game = position(
        "Hoax Vulca", phase="character", **{**LAST_STAND, "combat1": "V12", "deck1": "V11 V13", "hand0": "H1 H2 H3 H6"}
    )
    assert game.token(choice(game, "miser")) == "H6"
    assert game.token(choice(game, "bully")) in ("H1", "H2")


@each_style
def test_challenges_a_bluff_it_has_seen(style):
    """U8 shows earth; it lay open in the hand before it was played face down in a fight for fire."""
    lines = {"turn": "1", "fight": "fire", "phase": "support", "combat0": "H8", "combat1": "U1", "hand1": "U2 U8! U9"}
    game = position("Hoax Buka", hand0="H1 H2 H3", deck0="H4 H6", deck1="U10 U11", **lines)
    game.play("~U8")
    assert game.decision == "challenge"
    assert game.token(choice(game, style)) == "challenge"


@each_style
def test_discards_what_it_needs_least(style):
    lines = {**LAST_CARDS, "hand0": "H1 H2 H3 H20 F12 H24", "deck0": "H4 H6 H7"}
    game = position("Hoax Vulca", **lines)
    game.play("decline")
    assert game.token(choice(game, style)) in ("F12", "H24", "H3")


# ---- search ---------------------------------------------------------------------------------------------------------


def begun(game, iterations):
    agent = make_agent(f"ismcts:iterations={iterations}")
    views = PlayerViews(game.records(), np.array([game.player], np.int8), np.array([1], np.uint64), game.about)
    agent.begin(np.array([0]), np.array([game.player]), np.array([7], np.uint64))
    return agent, views


def searched(game, iterations=200):
    agent, views = begun(game, iterations)
    return game.token(int(agent.act(np.array([0]), None, game.action_mask()[None], views)[0]))


def test_search_finds_the_win_at_once():
    """A decline with the last two cards ends the game, which player 0 leads."""
    game = position("Hoax Vulca", dragons="1 0", **LAST_CARDS)
    assert searched(game) == "decline"
    game.play("decline")
    assert searched(game) in ("H3", "H6")


def test_search_does_not_retreat_into_defeat():
    assert searched(position("Hoax Vulca", **LAST_STAND)) == "fight"


def test_search_does_not_know_a_bluff_below_its_node():
    """Of the enemy's cards that may be played face down it sees that one was, not which."""
    lines = {"turn": "0", "fight": "fire", "phase": "character", "combat1": "U1", "hand1": "U2 U8! U9 U10 U11"}
    game = position("Hoax Buka", hand0="H1 H2 H3", deck0="H4 H6", deck1="U5 U12 U15 U18 U24 U28", **lines)
    agent, views = begun(game, 600)
    agent.act(np.array([0]), None, game.action_mask()[None], views)
    nodes = agent._last[0][2]["key"]
    theirs = nodes[nodes >> 16 == 1] & 255
    down = set(theirs[(theirs >= FIRST_BLUFF) & (theirs < FIRST_LOAD)].tolist())
    assert down <= {FIRST_BLUFF + CARD_OF[DECKS.index("Buka")]["U8"]}  # that one lay open
    assert COVERED in theirs


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


@each_style
def test_beats_random_play(style):
    assert score(style, None, 100) >= 0.9


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
