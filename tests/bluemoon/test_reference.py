"""The reference: all worked cases, random games of every pairing, completability without cuts, layers, knowledge."""

from __future__ import annotations

import dataclasses
import itertools
import random
import re
from typing import Any

import pytest

from . import scenario
from .positions import random_position, random_state
from .reference import Game, IllegalMove
from .reference.abilities import resolve
from .reference.cards import DECKS, table
from .reference.completability import (
    completable,
    in_window,
    naively_completable,
    naively_stays_completable,
    stays_completable,
)
from .reference.layers import Layers, Status, best_spread
from .reference.observation import observe
from .reference.playing import fight_cards
from .reference.state import Placed, Ship, Side, State
from .reference.tasks import raw_options

SCENARIOS = scenario.load_all()
PAIRINGS = [f"{a}-{b}" for a in DECKS for b in DECKS]


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.name)
def test_scenario(case: scenario.Scenario) -> None:
    scenario.run(case, Game)


# ---- what the scenarios cover ----


def test_every_ruling_has_a_scenario() -> None:
    names = [case.name for case in SCENARIOS]
    rulings = {name.split("-")[0] for name in names if re.match("B[0-9]+-", name)}
    assert rulings == {f"B{n}" for n in range(1, 40)}


def test_every_ability_and_text_card_has_a_scenario() -> None:
    in_decks = [card for card in table() if card.ability and card.deck != "promo"]
    names = {case.name.split("-")[0] for case in SCENARIOS}
    assert {card.ability for card in in_decks} <= names
    named = {code for case in SCENARIOS for code in re.findall("[A-Z][0-9]+", f"{case.name} {case.covers}")}
    assert {card.code for card in in_decks} <= named


# ---- random games ----


def cards_of(game: Game, player: int) -> list[int]:
    s = game.state
    side = s.sides[player]
    slots = [*side.deck, *side.hand, *side.lead, *side.discard, *side.feats]
    slots += [placed.slot for placed in side.table]
    slots += [slot for ship in side.ships for slot in (ship.slot, *ship.cargo)]
    slots += [s.hyla[1]] if s.hyla is not None and s.hyla[0] == player else []
    return sorted(slots)


def all_cards(game: Game, player: int) -> list[int]:
    return [card.slot for card in game.state.cards[player] if card]


def play_out(game: Game, rng: random.Random, most: int = 3000) -> int:
    """Plays at random to the end, checking every position; the number of decisions."""
    steps = 0
    while not game.over:
        steps += 1
        assert steps < most
        legal = game.legal()
        assert len(legal) >= 2
        assert [game.token(game.action_id(token)) for token in legal] == legal
        ids = [game.action_id(token) for token in legal]
        assert ids == sorted(set(ids))
        for p in (0, 1):
            assert cards_of(game, p) == all_cards(game, p)
        assert scenario.seen(Game.from_text(game.to_text())) == scenario.seen(game)
        game.play(rng.choice(legal))
    assert game.result in ((1, 0), (0, 1))
    assert game.legal() == [] and game.player is None and game.decision is None
    assert scenario.seen(Game.from_text(game.to_text())) == scenario.seen(game)
    with pytest.raises(IllegalMove):
        game.play("done")
    return steps


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_random_game(pairing: str) -> None:
    game = Game.new("base", pairing, seed=pairing)
    steps = play_out(game, random.Random(pairing))
    assert 20 < steps < 400
    winner = 0 if game.result == (1, 0) else 1
    assert 1 <= game.state.crystals[winner] <= 4
    assert game.state.crystals[1 - winner] == 0


@pytest.mark.parametrize("seed", range(9))
def test_random_game_with_optional_cards(seed: int) -> None:
    play_out(Game.new("base+opt", "random", seed=seed), random.Random(seed))


@pytest.mark.parametrize("ruleset", ["base/match", "base+opt/match"])
def test_random_match(ruleset: str) -> None:
    game = Game.new(ruleset, "random", seed=ruleset)
    play_out(game, random.Random(ruleset))
    winner = 0 if game.result == (1, 0) else 1
    assert game.state.crystals[winner] == 5
    assert 0 <= game.state.crystals[1 - winner] < 5


@pytest.mark.parametrize("seed", range(40))
def test_random_position(seed: int) -> None:
    rng = random.Random(f"position {seed}")
    text = random_position(rng)
    game = Game.from_text(text, seed=seed)
    for _ in range(25):
        if game.over:
            break
        assert scenario.seen(Game.from_text(game.to_text())) == scenario.seen(game)
        game.play(rng.choice(game.legal()))


# ---- chance ----


def test_deal_is_two_shuffles_and_the_starter() -> None:
    game = Game.new("base", "Khind-Buka", seed=3)
    assert [event[:2] for event in game.last_random] == [
        ("shuffle", 0),
        ("shuffle", 1),
        ("starter", game.last_random[2][1]),
    ]
    assert sorted(game.last_random[0][2][:6]) == sorted(game.state.codes(0, game.state.sides[0].hand))


@pytest.mark.parametrize("ruleset", ["base", "base+opt", "base/match"])
def test_given_outcomes_replay_a_game(ruleset: str) -> None:
    rng = random.Random(ruleset)
    game = Game.new(ruleset, "Mimix-Aqua", seed=1)
    twin = Game.new(ruleset, "Mimix-Aqua", seed=2, chance=game.last_random)
    while not game.over:
        assert scenario.seen(twin) == scenario.seen(game)
        token = rng.choice(game.legal())
        game.play(token)
        twin.play(token, chance=game.last_random)
        assert twin.last_random == game.last_random
    assert scenario.seen(twin) == scenario.seen(game)


def test_outcomes_that_do_not_fit_are_refused() -> None:
    game = Game.new("base", "Hoax-Vulca", seed=1)
    before = scenario.seen(game)
    with pytest.raises(ValueError, match="not needed"):
        game.play(game.legal()[0], chance=[("hit", 0, "H1")])
    assert scenario.seen(game) == before


def test_play_is_all_or_nothing() -> None:
    game = Game.new("base", "Hoax-Vulca", seed=1)
    before = scenario.seen(game)
    with pytest.raises(IllegalMove):
        game.play(f"{game.legal()[0]} nonsense")
    assert scenario.seen(game) == before


# ---- completability ----


@pytest.mark.parametrize("seed", range(60))
def test_completability_without_cuts(seed: int) -> None:
    rng = random.Random(f"completable {seed}")
    for _ in range(10):
        s = random_state(rng, rng.choice((2, 3, 4, 5)), None, rng.choice(("character", "support")))
        answer = completable(s)
        assert answer == naively_completable(s)
        if answer:
            for action in raw_options(s):
                assert stays_completable(s, action, {}) == naively_stays_completable(s, action)


@pytest.mark.parametrize("seed", range(20))
def test_offered_options_are_the_completable_ones(seed: int) -> None:
    """The memory of the search lives through a turn; the options offered stay those of the full search."""
    rng = random.Random(f"offered {seed}")
    game = Game.from_text(random_position(rng, hand_max=4, phase="engage"), seed=seed)
    for _ in range(12):
        if game.over:
            break
        s = game.state
        if in_window(s) and game.player == s.turn and len(s.sides[s.turn].hand) <= 6:
            naive = [action for action in raw_options(s) if naively_stays_completable(s, action)]
            assert game.legal_ids() == naive
        legal = game.legal()
        game.play("fight" if "fight" in legal else rng.choice(legal))


# ---- layers ----


def swapped(s: State) -> State:
    """The same position with the players' numbers exchanged."""
    t = State((s.decks[1], s.decks[0]), s.opt, s.match)
    t.turn = s.opponent
    t.fight = s.fight
    t.sides = (s.sides[1].copy(), s.sides[0].copy())
    t.hyla = None if s.hyla is None else (1 - s.hyla[0], s.hyla[1])
    return t


def running_states(seed: Any, count: int) -> list[State]:
    rng = random.Random(seed)
    states: list[State] = []
    while len(states) < count:
        s = random_state(rng, 4, None, "support")
        if s.running:
            states.append(s)
    return states


def totals(s: State) -> list[int]:
    view = Layers(s)
    return [view.total(0), view.total(1)]


def test_totals_know_no_player_numbers_and_no_order() -> None:
    rng = random.Random(5)
    for s in running_states("order", 150):
        before = totals(s)
        assert totals(swapped(s)) == before[::-1]
        for side in s.sides:
            rng.shuffle(side.combat)
            rng.shuffle(side.support)
        assert totals(s) == before


def test_covered_cards_do_nothing() -> None:
    for s in running_states("covered", 150):
        before = totals(s)
        for side in s.sides:
            side.combat = [placed for placed in side.combat if not placed.covered]
        assert totals(s) == before


def test_without_enemy_texts_nothing_is_ignored() -> None:
    for s in running_states("alone", 150):
        s.sides = (s.sides[0], Side())
        s.hyla = None
        view = Layers(s)
        for slot in (card.slot for card in s.cards[0] if card):
            status, card = view.status(0, slot), s.card(0, slot)
            assert (status.blank, status.icons, status.fire, status.earth) == (False, card.icons, card.fire, card.earth)
            assert status.text == bool(card.ability)


def test_spread_of_effects_is_the_best_of_all_assignments() -> None:
    rng = random.Random(3)
    effects = [card for card in table() if card.args.get("target") == "one_own_character"]
    for _ in range(60):
        characters = [
            Status(False, False, frozenset(), False, rng.randrange(8), rng.randrange(8))
            for _ in range(rng.randint(1, 3))
        ]
        chosen = rng.sample(effects, rng.randint(0, 4))
        chosen = [card for card in chosen if card.args.get("element", "both") in ("fire", "both")]
        sums = []
        for targets in itertools.product(range(len(characters)), repeat=len(chosen)):
            mine = [[e for e, to in zip(chosen, targets) if to == i] for i in range(len(characters))]
            sums.append(sum(best_spread([c], e, "fire") for c, e in zip(characters, mine)))
        assert best_spread(characters, chosen, "fire") == max(sums)


LAYER_TWO = [
    # T's deck and card, O's deck and card, whether T's and O's text works
    (("Hoax", "H28"), ("Flit", "F8"), True, False),
    (("Flit", "F8"), ("Khind", "K27"), True, False),
    (("Khind", "K27"), ("Flit", "F8"), False, True),
    (("Hoax", "H28"), ("Khind", "K27"), False, True),
    (("Hoax", "H28"), ("Flit", "F7"), False, True),
    (("Khind", "K27"), ("Khind", "K27"), True, True),
    (("Khind", "K27"), ("Flit", "F7"), False, True),
    (("Flit", "F7"), ("Flit", "F8"), True, True),
    (("Flit", "F7"), ("Khind", "K27"), True, False),
    (("Hoax", "H28"), ("Hoax", "F12"), True, False),
    (("Hoax", "F12"), ("Aqua", "H16"), True, False),
    (("Flit", "F8"), ("Terrah", "T26"), True, False),
    (("Aqua", "H16"), ("Terrah", "T26"), True, True),
]


@pytest.mark.parametrize(("mine", "theirs", "mine_works", "theirs_works"), LAYER_TWO)
def test_who_ignores_whom(mine: Any, theirs: Any, mine_works: bool, theirs_works: bool) -> None:
    s = State((mine[0], theirs[0]), False, False)
    s.turn, s.fight = 0, "fire"
    for p, (_, code) in enumerate((mine, theirs)):
        card = next(card for card in s.cards[p] if card and card.code == code)
        if card.type == "leadership":
            s.sides[p].active_lead = card.slot
        else:
            (s.sides[p].combat if card.type == "character" else s.sides[p].support).append(Placed(card.slot))
    assert [bool(Layers(s).working(p)) for p in (0, 1)] == [mine_works, theirs_works]


# ---- knowledge ----


def with_other_hidden_cards(s: State, player: int, rng: random.Random) -> State:
    """Another position that this player can't tell from the first: the unseen cards are dealt anew."""
    t = s.copy()
    side = t.sides[player]
    hidden = [slot for slot in side.closed if slot not in side.seen_hand]
    hidden += [slot for slot in side.deck if slot not in side.seen_deck]
    rng.shuffle(hidden)
    new: list[Placed] = []
    for placed in side.support:
        if placed.down and placed.slot not in side.seen_down:
            hidden.append(placed.slot)
            slot = rng.choice([slot for slot in hidden if t.card(player, slot).has_bluff_icon])
            hidden.remove(slot)
            placed = placed._replace(slot=slot)
        new.append(placed)
    side.support = new
    known_hand = [slot for slot in side.hand if slot in side.open or slot in side.seen_hand]
    side.hand = sorted(known_hand + [hidden.pop() for _ in range(len(side.hand) - len(known_hand))])
    side.deck = [slot if slot in side.seen_deck else hidden.pop() for slot in side.deck]
    side.own_deck = set()
    return t


def test_observations_tell_nothing_hidden() -> None:
    rng = random.Random(9)
    for s in running_states("knowledge", 150):
        for p in (0, 1):
            other = with_other_hidden_cards(s, 1 - p, rng)
            assert observe(other, p, "support") == observe(s, p, "support")


def test_observation_shows_the_own_cards() -> None:
    for s in running_states("own", 30):
        for p in (0, 1):
            seen = observe(s, p, None)
            assert [slot for slot, card in seen["own"].items() if card["place"] == "hand"] == s.sides[p].hand
            assert all(card["place"] != "unseen" for card in seen["own"].values())


# ---- the promo ship, which is in no deck ----


def test_promo_ship_u31() -> None:
    s = State(("Buka", "Hoax"), False, False)
    promo = dataclasses.replace(next(card for card in table() if card.code == "U31"), slot=40)
    s.cards = ((*s.cards[0][:40], promo), s.cards[1])
    s.turn, s.phase, s.fight = 0, "leadership", "fire"
    side = s.sides[0]
    side.hand, side.ships = [1, 2, 27], [Ship(40)]
    resolve(s, 40)
    assert s.stack == [("more_cargo", 40, 1, 0)]
    side.ships = [Ship(40, (3,), landed=True)]
    s.did.marks.add("landing")
    s.changed()
    assert fight_cards(s) == [3, 1, 2]
    assert fight_cards(s, loading=True) == [3]
    s.did.n["h"] = 1
    assert fight_cards(s) == [3]
