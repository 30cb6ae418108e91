"""Setting up: frames, presets, who starts, deals made again; and how long random games are."""

from collections import Counter

import numpy as np
import pytest

from ka_env import BatchEngine, Game
from ka_env.blackpoker.cards import ALL, ENTRY20, INDEX, NAMES, NUMBER, card_set, members
from tests.blackpoker.lists import LITE_AND_STD as RULESETS

from .strategies import FRAMES, check_record, custom_decks

ENTRY = card_set(INDEX[name] for name in ENTRY20)
SIZES = {"entry20": 20, "full54": 54, "deck40": 40, "half27": 27}


def dealt(ruleset, frame, num_games=60, seed=0, **decks):
    return BatchEngine(ruleset, frame, num_games=num_games, seed=seed, **decks).games


def flips(s, q):
    """The cards player q turned up to find who starts."""
    return [int(c) for c in s["grave"][q][: s["grave_count"][q]]]


def within(chi_square, degrees):
    """Very lenient: six standard deviations."""
    return chi_square < degrees + 6 * (2 * degrees) ** 0.5


def chi_square(counts, expected):
    return sum((n - expected) ** 2 / expected for n in counts)


# ---- frames ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_common_start(ruleset, frame):
    """Seven cards each and one more for the starter; equal numbers of flips, the last one decides; the rest is life."""
    decks = custom_decks(3) if frame == "custom" else {}
    for s in dealt(ruleset, frame, **decks):
        t = int(s["turn"])
        assert s["player"] == t
        for q in range(2):
            units = 2 if frame == "entry20" else 0
            hand = 8 if q == t else 7
            size = int(s["deck"][q]).bit_count()
            assert size == SIZES.get(frame, len(decks.get(f"deck{q}", [])))
            assert int(s["hand"][q]).bit_count() == hand
            assert int(s["bulwarks"][q] | s["soldiers"][q]).bit_count() == units
            assert s["life_count"][q] == size - hand - units - s["grave_count"][q] > 0
        numbers = [[int(NUMBER[c]) for c in flips(s, q)] for q in range(2)]
        assert numbers[0][:-1] == numbers[1][:-1], "a flip that is no tie decides"
        assert numbers[t][-1] > numbers[1 - t][-1], "the higher number starts"
        assert (s["stage_count"], s["passed"], s["used"]) == (0, 0, 0)


@pytest.mark.parametrize("frame", FRAMES)
def test_dealt_games_are_sound_and_at_a_chance_decision(frame):
    for seed in range(20):
        game = Game.new("6.1-std", frame, seed, **(custom_decks(seed) if frame == "custom" else {}))
        check_record(game)
        assert game.decision == "chance"
        assert game.player == game.turn
        assert game.last_shuffle is None
        assert Game.from_text(game.to_text()).legal() == game.legal()


def test_ties_repeat():
    """A tie repeats; the flips are public."""
    tied = [s for s in dealt("8.0-lite", "full54", 400) if s["grave_count"][0] > 1]
    assert 10 < len(tied) < 80  # one in thirteen or so
    for s in tied:
        for q in range(2):
            assert int(s["seen"][q]) & card_set(flips(s, q)) == card_set(flips(s, q))


def test_deck_lists():
    assert {int(d) for s in dealt("8.0-lite", "entry20") for d in s["deck"]} == {ENTRY}
    assert {int(d) for s in dealt("6.1-std", "full54") for d in s["deck"]} == {ALL}
    for frame in ("deck40", "half27"):
        lists = [int(d) for s in dealt("6.1-std", frame) for d in s["deck"]]
        assert len(set(lists)) == len(lists)
        assert {d.bit_count() for d in lists} == {SIZES[frame]}


def test_presets():
    """covers: R26; a bulwark face down and a soldier face up, charged, not come this turn."""
    for s in dealt("8.0-lite", "entry20", 200):
        for q in range(2):
            assert (s["bulwarks"][q], s["soldiers"][q], s["charged"][q], s["came"][q]) == (1, 2, 3, 0)
            bulwark, soldier = (int(s["bottom"][q][slot]) for slot in range(2))
            assert not int(s["seen"][q]) >> bulwark & 1
            assert int(s["seen"][q]) >> soldier & 1
            assert s["sizes"][q][1] == NUMBER[soldier]
            assert int(s["haste"][q]) == 2 * (NUMBER[soldier] == 1)


def test_presets_work_from_the_first_turn():
    """covers: R26; they attack, block and pay at once."""
    texts = [Game.new("8.0-lite", "entry20", seed=seed) for seed in range(40)]
    paid = attacked = blocked = 0
    for game in texts:
        if "soldier" in game.legal():
            trial = game.copy()
            trial.play("soldier")
            assert f"field{game.turn} 0:b" in trial.to_text()
            paid += "/d" in next(line for line in trial.to_text().splitlines() if line.startswith(f"field{game.turn}"))
        game.play("attack")
        while game.decision == "chance":
            game.play("pass")
        assert game.legal() == ["done", "u1"]
        game.play("u1")
        attacked += 1
        while game.decision == "chance":
            game.play("pass")
        if game.decision == "blockers":
            assert game.legal() == ["done", "u0", "u1"]
            blocked += 1
    assert attacked == 40
    assert min(paid, blocked) > 10


# ---- deals made again -----------------------------------------------------------------------------------------------


def test_a_deal_is_made_again():
    """covers: R25; with 12 cards a few ties use up the life, and then everything is dealt anew with the same lists."""
    alike = [r + s for r in "78" for s in "shdc"] + ["9s", "9h", "9d", "9c"]
    games = dealt("8.0-std", "custom", 300, deck0=alike, deck1=alike)
    used = Counter(int(n) for n in games["grave_count"][:, 0])
    assert set(used) == {1, 2, 3}  # a fourth flip and the draw would leave the starter a life of 0
    for s in games:
        assert (s["life_count"] > 0).all()
        assert (s["deck"] == card_set(INDEX[name] for name in alike)).all()
        t = int(s["turn"])
        assert s["life_count"][t] == 12 - 8 - s["grave_count"][t]
        assert s["life_count"][1 - t] == 12 - 7 - s["grave_count"][1 - t]


def test_a_deal_made_again_keeps_drawn_lists_and_forgets_the_first_try():
    """covers: R25; only one number differs, so nearly every first try fails; nothing of it is left."""
    alike = "7s 7h 7d 7c 8s 8h 8d 8c".split()
    decks = {"deck0": [*alike, "9s", "9h", "9d", "9c"], "deck1": [*alike, "Ts", "Th", "Td", "Tc"]}
    for seed in range(50):
        game = Game.new("6.1-std", "custom", seed=seed, **decks)
        check_record(game)
        s = game.state
        assert {NAMES[c] for c in members(s.deck[1])} == set(decks["deck1"])
        assert set(members(s.seen[0])) == set(flips(s, 0))


# ---- randomness -----------------------------------------------------------------------------------------------------


def test_the_shuffle_is_uniform():
    """Each card is as likely as any other at the bottom of the life, in hand, and as the preset units."""
    games = dealt("8.0-lite", "entry20", 8000, seed=7)
    cards = members(ENTRY)
    for q in range(2):
        for column in (games["life"][:, q, 0], games["bottom"][:, q, 0], games["bottom"][:, q, 1]):
            counts = Counter(column.tolist())
            assert sorted(counts) == cards
            assert within(chi_square(counts.values(), 8000 / 20), 19)
        pairs = Counter(zip(games["life"][:, q, 0].tolist(), games["life"][:, q, 1].tolist()))
        assert within(chi_square([pairs[a, b] for a in cards for b in cards if a != b], 8000 / 380), 379)
    starts = Counter(games["turn"].tolist())
    assert within(chi_square(starts.values(), 4000), 1)


def test_drawn_lists_are_uniform():
    games = dealt("6.1-std", "half27", 4000, seed=3)
    counts = [sum(int(d) >> c & 1 for d in games["deck"][:, 1]) for c in range(54)]
    assert within(chi_square(counts, 2000), 53)


# ---- length ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "frame", "low", "high"),
    [
        ("8.0-lite", "entry20", 45, 61),
        ("8.0-lite", "full54", 125, 190),
        ("8.0-std", "full54", 125, 190),
        ("6.1-lite", "full54", 125, 190),
        ("6.1-std", "full54", 125, 190),
    ],
)
def test_every_game_ends_after_about_as_many_decisions_as_stated(ruleset, frame, low, high):
    """covers: R27; 53 decisions on entry20, 147-166 on full54 in random play."""
    batch = BatchEngine(ruleset, frame, num_games=400, seed=1)
    rng = np.arange(400, dtype=np.uint64) << np.uint64(32)
    decisions = np.zeros(400, int)
    for _ in range(1000):
        if batch.done.all():
            break
        decisions += ~batch.done
        batch.step(batch.random_actions(rng))
    assert batch.done.all()
    assert low < decisions.mean() < high
    assert decisions.max() < 4 * high
