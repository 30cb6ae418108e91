"""Re-drawing what a player can't know: everything the player can follow stays, everything else really varies."""

import random
from collections import Counter, defaultdict

import numpy as np
import pytest

from ka_env import Game
from ka_env.blackpoker.cards import ALL, ENTRY20, INDEX, NAMES, card_set, members
from tests.blackpoker.lists import LITE_AND_STD as RULESETS

from .strategies import FRAMES, check_record, decks_of, new_game, plain, record_bytes, walk, zones

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)
each_frame = pytest.mark.parametrize("frame", FRAMES)
ENTRY = card_set(INDEX[name] for name in ENTRY20)
HIDDEN = "?"


def lines_of(game):
    return {name: words for name, _, words in (line.partition(" ") for line in game.to_text().splitlines())}


def known_places(words):
    """`card@place` words as a set of (card, place)."""
    return {tuple(word.split("@")) for word in words.split() if word != "-"}


def blank_pile(words, keep):
    """Cards the viewer can't place become `?`; `keep` says which stay, by card and index."""
    cards = [] if words == "-" else words.split()
    return " ".join(card if keep(card, k) else HIDDEN for k, card in enumerate(cards)) or "-"


def blank_unit(word, known):
    """A bulwark's card becomes `?` unless it is known."""
    slot, _, rest = word.partition(":")
    if rest.startswith("b") and (rest[1:3], f"field.{slot}") not in known:
        return f"{slot}:b{HIDDEN}{rest[3:]}"
    return word


def view_text(game, p):
    """The position text as player p may know it."""
    lines = lines_of(game)
    q = 1 - p
    known = known_places(lines[f"known{p}"])
    own = lines[f"life{p}"].split()
    top_of_grave = lines[f"grave{q}"].split()[-1]
    placed = {card for card, place in known if place.startswith("own.")}
    # of the own life: the cards, and the places of those that can be followed
    lines[f"life{p}"] = blank_pile(lines[f"life{p}"], lambda card, k: (card, f"own.{k}") in known)
    lines["own life, in any order"] = " ".join(sorted(card for card in own if card not in placed))
    lines[f"life{q}"] = blank_pile(lines[f"life{q}"], lambda card, k: (card, f"life.{k}") in known)
    hand = [card for card in lines[f"hand{q}"].split() if (card, "hand") in known]
    lines[f"hand{q}"] = f"{len([c for c in lines[f'hand{q}'].split() if c != '-'])}: {' '.join(hand)}"
    lines[f"grave{q}"] = blank_pile(
        lines[f"grave{q}"], lambda card, k: (card, "grave") in known or card == top_of_grave
    )
    lines[f"field{q}"] = " ".join(blank_unit(word, known) for word in lines[f"field{q}"].split())
    # what the opponent knows: of the own cards all was shown in the open; of their own life only p's share is known
    theirs = known_places(lines[f"known{q}"])
    lines[f"known{q}"] = " ".join(
        f"{card}@{place}" for card, place in sorted(theirs) if not place.startswith(("own.", "life."))
    )
    return "\n".join(f"{name} {words}" for name, words in lines.items())


def hidden_from(game, p):
    """Where the cards lie that p can't place: the opponent's unseen ones and the own life's unplaced ones."""
    s, q = plain(game), 1 - p
    places = {}
    for zone, cards in zones(s, q).items():
        for k, card in enumerate(cards):
            if not s.seen[q] >> card & 1:
                places["their", card] = zone if zone == "hand" else (zone, k)
    for k, card in enumerate(s.life[p][: s.life_count[p]]):
        if not s.placed[p] >> card & 1:
            places["own", card] = k
    return places


def check_redrawn(game, p, seed):
    before = record_bytes(game)
    drawn = game.determinize(p, seed)
    assert record_bytes(game) == before
    check_record(drawn)
    assert (drawn.player, drawn.decision, drawn.result) == (game.player, game.decision, game.result)
    assert view_text(drawn, p) == view_text(game, p)
    if game.player == p or game.over:
        assert drawn.legal() == game.legal()
    assert plain(drawn).seen[p] == plain(game).seen[p]
    assert decks_of(drawn)[p] == decks_of(game)[p]
    return drawn


# ---- what stays -----------------------------------------------------------------------------------------------------


@each_frame
@each_ruleset
def test_what_a_player_may_know_stays(ruleset, frame):
    """At every decision and for both players; for the one who doesn't decide there are still two options or more."""
    for k, game in enumerate(walk(new_game(ruleset, frame, seed=1), seed=1)):
        for p in range(2):
            drawn = check_redrawn(game, p, seed=1000 * k + p)
            if (k + p) % 4 == 0:
                assert Game.from_text(drawn.to_text()).to_text() == drawn.to_text()


@each_ruleset
def test_known_life_cards_stay(ruleset):
    """Random positions know cards in many places, of both lives too."""
    knew = 0
    for seed in range(40):
        game = new_game(ruleset, "position", seed)
        if game.over:
            continue
        for p in range(2):
            for k in range(3):
                check_redrawn(game, p, k)
            knew += "@own" in lines_of(game)[f"known{p}"]
    assert knew > 5


@each_frame
def test_redrawn_games_play_on(frame):
    """A re-drawn game is a game like any other: cards conserved to the end."""
    rng = random.Random(frame)
    game = new_game("6.1-std", frame, 4)
    while not game.over:
        if rng.random() < 0.2:
            drawn = game.determinize(rng.randrange(2), rng.randrange(2**32))
            decks = decks_of(drawn)
            for now in walk(drawn, seed=rng.randrange(2**32)):
                check_record(now, decks)
        game.step(rng.choice(game.legal_ids()))


def test_bad_player():
    for player in (2, -1, None, "0"):
        with pytest.raises(ValueError, match="player must be 0 or 1"):
            Game.new().determinize(player)


# ---- what varies ----------------------------------------------------------------------------------------------------


def midgame(ruleset, frame, seed, decisions=25):
    """A running game some way in, and its decider."""
    for k, game in enumerate(walk(new_game(ruleset, frame, seed), seed=seed)):
        if k == decisions:
            return game, game.player
    raise AssertionError("the game ended too early for this test")


@each_frame
@each_ruleset
def test_hidden_cards_vary(ruleset, frame):
    """Over many draws every card that could be hidden turns up in more than one place."""
    game, decider = midgame(ruleset, frame, seed=2, decisions=20)
    for p in (decider, 1 - decider):
        places = defaultdict(set)
        for seed in range(80):
            for card, place in hidden_from(game.determinize(p, seed), p).items():
                places[card].add(place)
        shape = Counter(owner for owner, _ in hidden_from(game, p))
        spots = {owner: {place for (o, _), place in hidden_from(game, p).items() if o == owner} for owner in shape}
        for card in hidden_from(game, p):
            if len(spots[card[0]]) > 1:
                assert len(places[card]) > 1, f"{card[0]} {NAMES[card[1]]} never moves"


def test_same_seed_same_draw():
    game, p = midgame("8.0-std", "deck40", seed=1)
    assert game.determinize(p, 5) == game.determinize(p, 5)
    assert game.determinize(p, 5) != game.determinize(p, 6)
    a, b = np.random.default_rng(3), np.random.default_rng(3)
    first = game.determinize(p, a)
    assert first == game.determinize(p, b)
    assert first != game.determinize(p, a), "a generator goes on"
    assert game.determinize(p) != game.determinize(p)


def test_the_future_varies_too():
    """Later shuffles do not follow the real game's random numbers."""
    game, p = midgame("8.0-std", "full54", seed=1)
    numbers = {int(game.determinize(p, seed).state.rng) for seed in range(20)}
    assert len(numbers) == 20
    assert int(game.state.rng) not in numbers


def within(chi_square, degrees):
    return chi_square < degrees + 6 * (2 * degrees) ** 0.5


def test_draws_are_uniform():
    """Who decides knows nothing of the opponent's hand: each hidden card is as likely in each hidden place."""
    game = Game.new("8.0-lite", "entry20", seed=5)
    p = game.player
    draws = [plain(game.determinize(p, seed)) for seed in range(3000)]
    hidden = sorted(card for owner, card in hidden_from(game, p) if owner == "their")
    own = sorted(card for owner, card in hidden_from(game, p) if owner == "own")
    top = int(game.state.life_count[1 - p]) - 1
    for column, cards in (
        ([s.bottom[1 - p][0] for s in draws], hidden),
        ([s.life[1 - p][top] for s in draws], hidden),
        ([s.life[1 - p][0] for s in draws], hidden),
        ([s.life[p][0] for s in draws], own),
        ([s.life[p][int(game.state.life_count[p]) - 1] for s in draws], own),
    ):
        counts = Counter(column)
        assert sorted(counts) == cards
        expected = len(draws) / len(cards)
        assert within(sum((n - expected) ** 2 / expected for n in counts.values()), len(cards) - 1)
    in_hand = Counter(c for s in draws for c in members(s.hand[1 - p]))
    expected = 7 * len(draws) / len(hidden)
    assert within(sum((in_hand[c] - expected) ** 2 / expected for c in hidden), len(hidden) - 1)


# ---- deck lists -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "public"), [("entry20", ENTRY), ("full54", ALL), ("deck40", 0), ("half27", 0), ("custom", 0)]
)
@each_ruleset
def test_the_opponents_list_is_known_only_where_it_is_public(ruleset, frame, public):
    """Hidden cards come from the public list, or else from all 54, less what has been seen."""
    game, p = midgame(ruleset, frame, seed=3, decisions=10)
    q = 1 - p
    seen = int(game.state.seen[q])
    possible = set(members((public or ALL) & ~seen))
    drawn_cards = set()
    for seed in range(150):
        drawn = game.determinize(p, seed)
        assert int(drawn.state.seen[q]) == seen
        assert int(drawn.state.deck[q]).bit_count() == int(game.state.deck[q]).bit_count()
        if public:
            assert int(drawn.state.deck[q]) == public
        drawn_cards |= set(members(int(drawn.state.deck[q]) & ~seen))
    assert drawn_cards == possible
    if not public and len(members(game.state.deck[q])) < 54:
        assert drawn_cards - set(members(game.state.deck[q])), "cards outside the real list turn up"


# ---- the opponent decides -------------------------------------------------------------------------------------------

TWO_JOKERS = """ka 1
rules 8.0-std
turn 1
chance 1
life0 2h 3h 4h
hand0 5h
grave0 -
field0 -
life1 5s 6s 7s 8s 9s
hand1 X1 X2
grave1 -
field1 0:b2d
"""
TIGHT_DECISIONS = {
    "search with either Joker": TWO_JOKERS + "pending key search paid=0\n",
    "magician, either Joker discarded": TWO_JOKERS.replace("0:b2d", "0:b2d/d")
    + "pending pay_discard magician paid=1 slot=0\n",
    "reverse with three alike": TWO_JOKERS.replace("8.0", "6.1").replace("X1 X2", "9h 9d 9c")
    + "pending key reverse paid=0\n",
}


@pytest.mark.parametrize("name", TIGHT_DECISIONS)
def test_a_decision_that_few_hands_allow_still_stands(name):
    """The other player sees which question is being asked, so only hands with two answers or more are drawn."""
    game = Game.from_text(TIGHT_DECISIONS[name])
    assert len(game.legal()) >= 2
    for seed in range(300):
        drawn = game.determinize(0, seed)
        assert (drawn.player, drawn.decision) == (game.player, game.decision), f"seed {seed}\n{drawn.to_text()}"
        assert len(drawn.legal()) >= 2
