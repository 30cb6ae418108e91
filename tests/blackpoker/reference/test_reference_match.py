"""Matches: section 6, R63 … R65, R75."""

import random

import pytest

from . import RefIllegalMove, RefMatch, RefSetupError
from .tables import CARDS


def finish_game(match, rng, winner=None):
    """Random moves to the end of the game under way.  `winner`: give the loser an empty life first."""
    played = match.played
    if winner is not None:
        match.game.s.life[1 - winner if winner in (0, 1) else 0] = []
        if winner == "draw":
            match.game.s.life = [[], []]
    while match.played == played:
        if match.decision == "chance" and "end" in match.legal():
            match.play("end")  # its win check comes soon
        else:
            match.play(rng.choice(match.legal()))


def choose_decks(match, rng):
    while match.decision == "deck":
        match.play(rng.choice(match.legal()))


@pytest.mark.parametrize("ruleset", ["6.1-std", "6.1-mast", "8.0-lite", "8.0-pro"])
def test_random_half_matches(ruleset):
    rng = random.Random(ruleset)
    match = RefMatch(ruleset, "half27x2", seed=1)
    steps = 0
    while not match.over:
        assert len(match.legal()) > 1
        match.play(rng.choice(match.legal()))
        steps += 1
        assert steps < 5000
    assert max(match.wins) == 2 or match.played == 5
    assert match.legal() == [] and match.player is None and match.decision is None
    assert sum(match.result) == 1


def test_decks_of_the_random_half():
    match = RefMatch("6.1-std", "half27x2", seed=7)
    for p in (0, 1):
        one, two = match.lists[p]["one"], match.lists[p]["two"]
        assert len(one) == len(two) == 27 and sorted(one + two) == sorted(CARDS)
    assert (match.player, match.decision, match.legal()) == (0, "deck", ["one", "two"])
    match.play("two")
    assert (match.player, match.decision, match.legal()) == (1, "deck", ["one", "two"])
    match.play("one")
    assert match.decision == "chance" and match.chosen == ["two", "one"]
    assert sorted(match.game.view(0)["own unseen"]) == sorted(match.game.s.life[0])


def test_a_deck_that_has_won_is_retired():
    rng = random.Random(4)
    match = RefMatch("6.1-std", "half27x2", seed=7)
    match.play("one two")
    finish_game(match, rng, winner=0)
    assert match.wins == [1, 0] and match.retired == [{"one"}, set()]
    assert (match.player, match.decision) == (1, "deck")  # player 0 has only deck two left
    assert match.chosen == ["two"] and match.legal() == ["one", "two"]
    match.play("two")  # a deck that has lost may be used again
    finish_game(match, rng, winner=1)
    assert match.wins == [1, 1] and match.retired == [{"one"}, {"two"}]
    assert match.decision == "chance" and match.chosen == ["two", "one"]
    finish_game(match, rng, winner=1)
    assert match.over and match.result == (0, 1) and match.played == 3
    with pytest.raises(RefIllegalMove):
        match.play("one")


def test_draws_count_for_nobody():
    """R63: at most 2n - 1 games, five for half27x2."""
    rng = random.Random(4)
    match = RefMatch("6.1-std", "half27x2", seed=7)
    for i in range(5):
        assert not match.over and match.played == i
        choose_decks(match, rng)
        finish_game(match, rng, winner="draw")
        assert match.wins == [0, 0] and match.retired == [set(), set()]
    assert match.over and match.result == (0.5, 0.5)
    match = RefMatch("6.1-std", "best1")
    finish_game(match, rng, winner="draw")
    assert match.over and match.result == (0.5, 0.5)
    match = RefMatch("6.1-std", "best3")
    finish_game(match, rng, winner=1)
    for _ in range(4):
        assert not match.over
        finish_game(match, rng, winner="draw")
    assert match.over and match.wins == [0, 1] and match.result == (0, 1)


def test_what_is_known():
    """R64: the own lists from the second game on, the enemy's cards deck by deck as they were shown."""
    rng = random.Random(9)
    match = RefMatch("8.0-lite", "half27x2", seed=2)
    assert match.knows(0) == {"own": {"one": None, "two": None}, "enemy": {"one": [], "two": []}}
    match.play("one two")
    flipped = match.game.s.grave[1][0]
    finish_game(match, rng)
    knows = match.knows(0)
    assert knows["own"] == {deck: sorted(match.lists[0][deck]) for deck in ("one", "two")}
    assert flipped in knows["enemy"]["two"] and knows["enemy"]["one"] == []
    assert set(knows["enemy"]["two"]) <= set(match.lists[1]["two"])


def test_views():
    """R64: the own list is hidden in the first game; a deck chosen is public once both have chosen."""
    rng = random.Random(9)
    match = RefMatch("8.0-lite", "half27x2", seed=2)
    match.play("two")
    assert match.view(0)["decks"] == {0: "two"} and match.view(1)["decks"] == {}
    match.play("one")
    assert match.view(0)["decks"] == match.view(1)["decks"] == {0: "two", 1: "one"}
    assert "own unseen" not in match.view(0)
    finish_game(match, rng)
    choose_decks(match, rng)
    assert "own unseen" in match.view(0)
    assert match.view(0)["wins"] == match.view(1)["wins"][::-1]
    assert "own unseen" in RefMatch("8.0-lite", "best3").view(0)


def test_seen_is_more_than_followed():
    """R75: a card shown once counts, also if it could not be followed later."""
    match = RefMatch("8.0-lite", "half27x2", seed=2)
    match.play("one two")
    s = match.game.s
    card = s.grave[1][0]
    s.known[0].clear()
    assert card in s.seen[0]


def test_built_decks():
    decks = [[CARDS[:20], CARDS[20:50]], [CARDS[:27], CARDS[27:]]]
    match = RefMatch("6.1-std", "half27x2", decks=decks)
    assert match.knows(0)["own"] == {"one": sorted(CARDS[:20]), "two": sorted(CARDS[20:50])}
    match.play("one one")
    assert len(match.game.s.life[0]) < 13
    for bad in ([CARDS[:20], CARDS[19:40]], [CARDS[:5], CARDS[20:40]]):
        with pytest.raises(RefSetupError):
            RefMatch("6.1-std", "half27x2", decks=[bad, decks[1]])


def test_random_lists_are_drawn_anew():
    rng = random.Random(3)
    match = RefMatch("8.0-pro", "best3", frame="deck40", seed=11)
    first = [sorted(cards) for cards in match.game._start.lists]
    finish_game(match, rng, winner=0)
    assert [sorted(cards) for cards in match.game._start.lists] != first
    assert [len(cards) for cards in match.game._start.lists] == [40, 40]


def test_set_up_choices_are_made_anew():
    """R75"""
    rng = random.Random(3)
    match = RefMatch("8.0-std+rare", "best3", seed=11)
    assert match.decision == "rare" and match.player == 0
    match.play("As Ks")
    finish_game(match, rng, winner=0)
    assert match.decision == "rare" and match.player == 0 and match.wins == [1, 0]


def test_all_or_nothing():
    match = RefMatch("6.1-std", "half27x2", seed=7)
    with pytest.raises(RefIllegalMove):
        match.play("one two pass")
    assert match.player == 0 and match.decision == "deck" and match.played == 0
    match.play("one")
    assert match.copy().chosen == ["one"]
    match.play("two")
    assert match.copy().game.to_text() == match.game.to_text()


@pytest.mark.parametrize("kind", ["best2", "best0", "best", "best03", "half27x3", "first2"])
def test_no_such_match(kind):
    with pytest.raises(RefSetupError):
        RefMatch("6.1-std", kind)


def test_half27x2_needs_half27():
    with pytest.raises(RefSetupError):
        RefMatch("8.0-std+pack", "half27x2")
    with pytest.raises(RefSetupError):
        RefMatch("8.0-pro", "best3", frame="entry20")
    assert RefMatch("8.0-lite", "best3").game.s.field[0]  # entry20's preset
