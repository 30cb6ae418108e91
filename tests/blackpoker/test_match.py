"""Matches: best of n with every ruleset, and the two halves of 6.1."""

import random

import numpy as np
import pytest

from ka_env import KaError, match
from ka_env.blackpoker.cards import CARDS, NAMES, members
from ka_env.engine.loops import DRAWN, WON_0
from ka_env.envs.aec import raw_env
from ka_env.games import Setup
from ka_env.record import Record, Recorder


def two_decks(seed=0, ruleset="6.1-std"):
    return match.new_match("half27x2", Setup(ruleset, ""), seed)


def end_game(one, result):
    """The game under way ends with this result."""
    one.game.state.result = result
    one._end_game()


def play_to_the_end(one, rng):
    while not one.over:
        assert one.legal()
        one.step(rng.choice(one.legal_ids()))
    return one


@pytest.mark.parametrize(
    ("ruleset", "frame"), [("8.0-lite", "entry20"), ("6.1-mast", "half27"), ("8.0-std+rare", "full54")]
)
def test_best_of_three(ruleset, frame):
    one = play_to_the_end(match.new_match("best3", Setup.of(ruleset, frame), 5), random.Random(1))
    assert max(one.wins) == 2 or len(one.finished) == 5
    assert sum(one.wins) <= len(one.finished)
    assert one.result in ((1, 0), (0, 1), (0.5, 0.5))
    texts = [game.to_text() for game in one.finished]
    assert len(set(texts)) == len(texts)  # dealt anew
    assert (one.player, one.decision, one.legal()) == (None, None, [])
    with pytest.raises(KaError, match="the match is over"):
        one.step(0)


def test_drawn_games_count_for_nobody():
    """covers: R63: a match ends at the latest after 2n - 1 games; more wins win, equal wins draw"""
    one = match.new_match("best3", Setup.of("6.1-std", "half27"), 1)
    for result in (DRAWN, DRAWN, WON_0, DRAWN):
        assert not one.over
        end_game(one, result)
    assert one.wins == [1, 0] and one.number == 5
    end_game(one, DRAWN)
    assert one.over and one.result == (1, 0)
    other = match.new_match("best1", Setup.of("6.1-std", "half27"), 1)
    end_game(other, DRAWN)
    assert other.over and other.result == (0.5, 0.5)


def test_two_halves_and_their_choice():
    """covers: R64 R75: a deck that has won is retired, one that is left alone is not asked for"""
    one = two_decks()
    assert (one.player, one.decision, one.legal()) == (0, "deck", ["one", "two"])
    one.play("two")
    assert (one.player, one.decision, one.legal()) == (1, "deck", ["one", "two"])
    one.play("one")
    assert one.game is not None and one.decision == "chance"
    for q, deck in ((0, 1), (1, 0)):
        assert int(one.game.state.deck[q]) == one.decks[q][deck]
        assert one.decks[q][0] & one.decks[q][1] == 0
        assert len(members(one.decks[q][0])) == len(members(one.decks[q][1])) == 27
    assert one.headers() == {"match": "half27x2", "game": "1", "wins": "0 0", "deck0": "two", "deck1": "one"}
    end_game(one, WON_0)
    assert one.retired == [[False, True], [False, False]]
    assert (one.player, one.decision) == (1, "deck")  # player 0 has one deck left
    one.play("two")
    assert one.chosen == [0, 1]
    end_game(one, WON_0)
    assert one.over and one.result == (1, 0)


def test_the_deck_chosen_is_told_when_both_are():
    """covers: R75: player 1 chooses without seeing player 0's choice; then both are public"""
    one = two_decks(2)
    places = slice(-2 * CARDS - 4, -2 * CARDS)
    one.play("two")
    assert one.observation(0)[places].tolist() == [0, 1, 0, 0]
    assert not one.observation(1)[places].any()
    one.play("one")
    assert one.observation(0)[places].tolist() == [0, 1, 1, 0]
    assert one.observation(1)[places].tolist() == [1, 0, 0, 1]


def test_what_is_known_of_the_decks():
    """covers: R64 R65: the own list only after a game, of the enemy what was shown"""
    one = two_decks(3)
    one.play("one one")
    game = one.game
    own_life = slice(
        *[section.offset for section in one.setup.game.sections("6.1-std") if section.name in ("own_life", "own_piles")]
    )
    told = game.observation(0)[own_life]
    assert set(told[told != 0]) == {0.25} and (told != 0).sum() > 27
    assert not one.observation(0)[-2 * CARDS :].any() or one.shown[1][0]
    rng = random.Random(0)
    while one.number == 1:
        one.step(rng.choice(one.legal_ids()))
    seen = one.shown[1][0]
    assert seen and seen & ~one.decks[1][0] == 0
    assert set(members(one.decks[0][0])) == set(np.flatnonzero(one.observation(0)[-2 * CARDS : -CARDS] == 1))
    assert set(members(seen)) == set(np.flatnonzero(one.observation(0)[-CARDS:] == 1))
    while one.game is None:
        one.play("two" if "two" in one.legal() else "one")
    s = one.game.state
    assert not s.list_unknown.any()
    for q in range(2):
        assert int(s.surely[q]) & ~int(s.deck[q]) == 0
        assert int(s.never[q]) & int(s.deck[q]) == 0
    told = one.game.observation(0)
    for k in range(20):
        for p in range(2):
            drawn = one.game.determinize(p, k)
            assert np.array_equal(drawn.observation(p), one.game.observation(p))
            assert int(s.surely[1 - p]) & ~int(drawn.state.deck[1 - p]) == 0
            assert int(s.never[1 - p]) & int(drawn.state.deck[1 - p]) == 0
    assert told.size == one.setup.game.observation_size("6.1-std")


def test_records_tell_the_match():
    one = two_decks(4)
    one.play("one two")
    record = Recorder(one.game, "half27", more=one.headers()).record()
    assert [record.headers[key] for key in ("match", "game", "wins", "deck0", "deck1")] == [
        "half27x2",
        "1",
        "0 0",
        "one",
        "two",
    ]
    assert Record.from_text(record.to_text()) == record


def test_an_unknown_own_list_is_drawn_anew():
    one = two_decks(4)
    one.play("one one")
    lists = {int(one.game.determinize(0, k).state.deck[0]) for k in range(10)}
    assert len(lists) > 5
    for k in range(10):
        drawn = one.game.determinize(0, k)
        assert len(members(drawn.state.deck[0])) == 27
        assert np.array_equal(drawn.observation(0), one.game.observation(0))


@pytest.mark.parametrize("name", ["best3", "half27x2"])
def test_a_match_in_pettingzoo(name):
    env = raw_env("6.1-lite", "half27", match=name)
    env.reset(seed=3)
    rng = np.random.default_rng(1)
    decisions = 0
    while not all(env.terminations.values()):
        seen = env.observe(env.agent_selection)
        assert env.observation_space(env.agent_selection).contains(seen)
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        decisions += 1
    assert decisions > 100
    assert sum(env.rewards.values()) == 0 and env.engine.match.over


@pytest.mark.parametrize("name", ["best2", "best0", "half27x3", "best", 3])
def test_unknown_matches(name):
    with pytest.raises(KaError, match="unknown match"):
        match.new_match(name, Setup.of("8.0-lite"), 0)


def test_decks_that_make_no_match():
    """Built decks: two lists of 27 for each player, without a card in common."""
    half = NAMES[:27]
    for decks, message in [
        (half, "expected two lists of 27 cards"),
        ((half, NAMES[27:53]), "26 cards given"),
        ((half, half), "the two decks share As"),
        (" ".join(half), "expected two lists of 27 cards"),
    ]:
        with pytest.raises(KaError, match=message):
            match.new_match("half27x2", Setup("6.1-std", "half27", decks), 0)
    one = match.new_match("half27x2", Setup("6.1-std", "half27", (half, NAMES[27:])), 0)
    assert one.knows_own(0) and not one.knows_own(1)


def test_matches_that_do_not_go_with_a_ruleset():
    with pytest.raises(KaError, match=r"unknown match 'half27x2' of 8\.0-std\+pack"):
        match.new_match("half27x2", Setup.of("8.0-std+pack"), 0)
    with pytest.raises(KaError, match="is played with the frame 'half27'"):
        match.new_match("half27x2", Setup.of("6.1-std", "full54"), 0)
