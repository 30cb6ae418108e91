"""The set-up with frames, its choices, and what is refused (section 5, R55 … R57, R72)."""

import random

import pytest

from . import RefGame, RefIllegalMove, RefSetupError
from .selfplay import cards_of
from .setup import ENTRY20, frames_of, order_of_deal
from .tables import CARDS, NEW_RULESETS, RULESETS, WITH_FRAME, in_card_order, is_joker, number

STRATEGY = [r for r in WITH_FRAME if r.endswith("strategy")]
DEFAULT_LIVES = {"pack": 31, "rare": 30, "strategy": 30}


def in_order(player, cards):
    return in_card_order(cards)


def through_set_up(game, rng):
    while game.s is None:
        game.play(rng.choice(game.legal()))
    return game


@pytest.mark.parametrize("ruleset", STRATEGY)
def test_choices_of_strategy(ruleset):
    """Player 0's three cards and rare card, then player 1's."""
    game = RefGame.new(ruleset)
    asked = []
    answers = ["2s", "Ks", "X1", "As", "Qc", "X1", "Qd"]  # player 1's third card can only be X2
    for token in answers:
        asked.append((game.player, game.decision))
        game.play(token)
    kinds = ["first_hand"] * 3 + ["rare"] + ["first_hand"] * 2 + ["rare"]
    assert asked == list(zip([0, 0, 0, 0, 1, 1, 1], kinds))
    s = game.s
    assert {"2s", "Ks", "X1"} <= s.hand[0] and {"Qc", "X1", "X2"} <= s.hand[1]
    assert s.rare == ["As", "Qd"]
    assert game.choices[1] == {"first_hand": ["Qc", "X1", "X2"], "rare": "Qd"}
    assert game.decision == "chance" and game.player == s.turn


def test_options_of_the_choices():
    game = RefGame.new("8.0-pro+strategy")
    assert game.legal() == CARDS[:-2]
    game.play("Kc")  # X1 and X2 are forced
    assert game.choices[0]["first_hand"] == ["Kc", "X1", "X2"]
    assert game.legal() == CARDS[:51]
    with pytest.raises(RefIllegalMove):
        game.play("Kc")


def test_no_text_before_the_deal():
    game = RefGame.new("8.0-std+rare")
    with pytest.raises(RefSetupError):
        game.to_text()
    game.play("As")
    with pytest.raises(RefSetupError):
        game.to_text()
    assert game.player == 1 and game.result is None and not game.over


def test_nobody_sees_the_other_ones_choices():
    games = [RefGame.new("8.0-mast+strategy", "deck40", seed=3) for _ in (0, 1)]
    deck = games[0].legal()
    for game, tokens in zip(games, (deck[:3] + [deck[5]], deck[1:4] + [deck[7]])):
        game.play(" ".join(tokens))
    assert games[0].view(1) == games[1].view(1)
    assert games[0].view(0) != games[1].view(0)
    assert games[0].legal() == games[1].legal()


def test_set_up_is_all_or_nothing_and_copies():
    game = RefGame.new("8.0-pro+strategy", seed=5)
    with pytest.raises(RefIllegalMove):
        game.play("As 2s 3s 3s")
    assert game.legal() == CARDS[:-2]
    game.play("As 2s 3s 4s As 2s 3s 4s")
    assert game.copy().to_text() == game.to_text()


@pytest.mark.parametrize("ruleset", WITH_FRAME)
def test_zones_of_a_frame(ruleset):
    """The pack is the top fourteen, then the preset, then the hand (R56), then the flips."""
    extra = ruleset.split("+")[1]
    game = RefGame.new(ruleset, shuffler=lambda p, cards: in_card_order(cards) if p else in_card_order(cards)[::-1])
    if extra == "strategy":
        game.play("As 2s 3s Ah As 2s 3s Ah")
    elif extra == "rare":
        game.play("Ah Ah")
    s = game.s
    chosen = set(game.choices[1].get("first_hand", [])) | {game.choices[1].get("rare")}
    order = [c for c in CARDS if c not in chosen]
    drawn = 4 if extra == "strategy" else 7
    assert s.pack[1] == set(order[:14]) and s.closed == [True, True]
    assert [u.cards for u in s.units(1)] == [[order[14]], [order[15]]]
    assert [(u.soldier, u.driven, u.came) for u in s.units(1)] == [(False, False, False), (True, False, False)]
    assert set(order[16 : 16 + drawn]) <= s.hand[1]
    assert s.grave[1] == [order[16 + drawn]]
    starter = s.turn
    assert starter == (0 if number(s.grave[0][-1]) > number(s.grave[1][-1]) else 1)
    assert [len(s.hand[p]) for p in (0, 1)] == [7 + (p == starter) for p in (0, 1)]
    assert [len(s.life[p]) for p in (0, 1)] == [DEFAULT_LIVES[extra] - 1 - (p == starter) for p in (0, 1)]
    assert s.units(0)[1].cards[0] in s.known[1]
    assert not s.known[0] & s.hand[1]


def test_preset_joker_is_a_magician():
    """R57: quick magic costs no D then."""
    order = [c for c in CARDS if c not in ("X1", "Ah", "2h")]
    order = order[:15] + ["X1"] + ["Ah", "2h"] + order[15:]
    game = RefGame.new("8.0-std+pack", shuffler=lambda p, cards: order if p == 0 else in_card_order(cards))
    unit = game.s.units(0)[1]
    assert is_joker(unit.cards[0]) and unit.magician()


def test_choices_stay_when_the_deal_is_made_again():
    """R25, R57: ties until a life runs out, then another order; nothing is asked again."""
    deals = []

    def shuffler(player, cards):
        deals.append(player)
        cards = in_card_order(cards)
        return cards if len(deals) <= 2 or player == 0 else cards[::-1]  # the same flips at first

    deck = CARDS[:40]
    game = RefGame.new("8.0-std+rare", deck0=deck, deck1=deck, shuffler=shuffler)
    game.play("As As")
    assert deals == [0, 1, 0, 1]
    assert game.s.rare == ["As", "As"] and game.decision == "chance"


@pytest.mark.parametrize("ruleset", NEW_RULESETS)
def test_frames_allowed(ruleset):
    for frame in ["entry20", "full54", "deck40", "half27", "deck60"]:
        if frame in frames_of(ruleset):
            game = through_set_up(RefGame.new(ruleset, frame, seed=2), random.Random(frame))
            size = {"entry20": 20, "full54": 54, "deck40": 40, "half27": 27}[frame]
            assert [len(cards_of(game, p)) for p in (0, 1)] == [size, size]
            assert RefGame.from_text(game.to_text()).to_text() == game.to_text()
        else:
            with pytest.raises(RefSetupError):
                RefGame.new(ruleset, frame)


def test_which_frames():
    assert frames_of("8.0-lite+setup") == ["entry20", "full54", "deck40", "half27"]
    assert frames_of("6.1-mast") == frames_of("8.0-pro") == ["full54", "deck40", "half27"]
    assert frames_of("8.0-std+pack") == frames_of("8.0-mast+strategy") == ["full54", "deck40"]


def test_rulesets():
    assert len(RULESETS) == 17
    for name in ["6.1-std+pack", "8.0-lite+pack", "8.0-std+strategy", "8.0-std+setup", "6.1-lite+setup", "7.0-pro"]:
        with pytest.raises(RefSetupError):
            RefGame.new(name)


def test_own_lists():
    with pytest.raises(RefSetupError):
        RefGame.new("8.0-std+pack", deck0=CARDS[:39], deck1=CARDS)
    with pytest.raises(RefSetupError):
        RefGame.new("8.0-std+pack", deck0=["As"] * 40, deck1=CARDS)
    game = RefGame.new("8.0-std+pack", deck0=CARDS[:40], deck1=CARDS)
    assert cards_of(game, 0) == sorted(CARDS[:40])
    assert len(cards_of(RefGame.new("6.1-pro", deck0=CARDS[:12], deck1=CARDS[:12]), 0)) == 12
    with pytest.raises(RefSetupError):
        RefGame.new("6.1-pro", deck0=CARDS[:11], deck1=CARDS)


def test_entry20_with_setup():
    """Section 7: nothing else changes."""
    game = RefGame.new("8.0-lite+setup")
    assert cards_of(game, 0) == sorted(ENTRY20)
    assert [len(game.s.field[p]) for p in (0, 1)] == [2, 2]


@pytest.mark.parametrize("ruleset", NEW_RULESETS)
def test_order_of_deal_leads_to_the_same_deal(ruleset):
    """Another program's deal can be fed in."""
    rng = random.Random(ruleset)
    game = through_set_up(RefGame.new(ruleset, "full54", seed=rng.random()), rng)
    orders = [order_of_deal(game.s, p, game.choices[p].get("first_hand", ())) for p in (0, 1)]
    again = RefGame.new(ruleset, "full54", shuffler=lambda p, cards: orders[p])
    for p in (0, 1):
        for token in [*game.choices[p].get("first_hand", []), game.choices[p].get("rare")]:
            if token and again.s is None and token in again.legal() and again.player == p:
                again.play(token)
    assert again.to_text() == game.to_text()
