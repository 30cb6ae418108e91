"""Pro, mast, frames and the variant: what each player knows, set-ups, records, texts at every decision."""

import random

import numpy as np
import pytest

from ka_env import Game, KaError
from ka_env.blackpoker.cards import NAMES
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.knowledge.observe import MORE_SECTIONS, SECTIONS
from ka_env.engine.batch import BatchEngine
from ka_env.record import Record, Recorder
from ka_env.valid import check_records

from .lists import LITE_AND_STD, MORE
from .reference import RefGame, random_position
from .reference.view import view

each_ruleset = pytest.mark.parametrize("ruleset", MORE)
WITH_SETUP = [ruleset for ruleset in MORE if ruleset.endswith(("+rare", "+strategy"))]


def games_of(ruleset, seeds=3, positions=25):
    """Dealt games and made-up positions, at every decision of a random line of play."""
    rng = random.Random(f"more {ruleset}")
    starts = [Game.new(ruleset, seed=seed) for seed in range(seeds)]
    starts += [Game.from_text(random_position(ruleset, rng)) for _ in range(positions)]
    for game in starts:
        while not game.over:
            yield game
            game.play(rng.choice(game.legal()))
        yield game


def everything(game, p):
    return game.observation(p).tobytes(), [array.tobytes() for array in game.entities(p).values()]


@each_ruleset
def test_nothing_hidden_is_seen(ruleset):
    """Re-draw what a player can't know: the player sees the same, and may do the same."""
    kinds, changed = set(), 0
    for k, game in enumerate(games_of(ruleset)):
        kinds.add(game.decision)
        for p in range(2):
            drawn = game.determinize(p, k)
            assert everything(drawn, p) == everything(game, p), game
            assert drawn.decision == game.decision and drawn.player == game.player
            if game.player == p:
                assert drawn.legal() == game.legal()
            assert len(drawn.legal()) >= 2 or game.over
            changed += drawn != game
    assert changed > 100
    assert {"chance", "key", "target"} <= kinds


@each_ruleset
def test_what_looks_the_same_is_told_the_same(ruleset):
    """By the reference's own idea of what a player may know: a re-drawn position is the same view."""
    for k, game in enumerate(games_of(ruleset, seeds=2, positions=10)):
        if game.setting_up or (game.decision != "chance" and not game.over):
            continue
        for p in range(2):
            drawn = game.determinize(p, k)
            if drawn.decision == "chance" or drawn.over:
                views = [view(RefGame.from_text(one.to_text()).s, p) for one in (game, drawn)]
                assert views[0] == views[1]


@each_ruleset
def test_texts_and_records_bring_the_game_back(ruleset):
    """covers: R52: and every game ends"""
    rng = random.Random(ruleset)
    for seed in range(3):
        game = Game.new(ruleset, seed=seed)
        recorder = Recorder(game, "full54", seed)
        while not game.over:
            if not game.setting_up:
                again = Game.from_text(game.to_text())
                assert (again.to_text(), again.legal()) == (game.to_text(), game.legal())
            recorder.play(rng.choice(game.legal()))
        record = Record.from_text(recorder.record().to_text())
        assert record == recorder.record()
        assert record.replay().to_text() == game.to_text()


@each_ruleset
def test_batches_play_the_same_games(ruleset):
    engine = BatchEngine(ruleset, num_games=8, seed=3)
    games = [Game.new(ruleset, seed=0) for _ in range(8)]
    games = [engine.game(i) for i in range(8)]
    moves = np.arange(1, 9, dtype=np.uint64)
    while not engine.done.all():
        actions = engine.random_actions(moves)
        for i, game in enumerate(games):
            if not game.over:
                game.step(actions[i])
        engine.step(actions)
        for i in range(0, 8, 3):
            assert engine.game(i).legal_ids() == games[i].legal_ids()
            if not games[i].over:
                assert np.array_equal(engine.observe()[i], games[i].observation(games[i].player))


def test_observations_of_lite_and_std_are_as_they_were():
    for ruleset in LITE_AND_STD:
        assert Game.new(ruleset, seed=1).observation(0).size == SECTIONS[-1].offset + SECTIONS[-1].length
    assert MORE_SECTIONS[: len(SECTIONS)] == SECTIONS


def test_every_new_section_is_used():
    used = np.zeros(MORE_SECTIONS[-1].offset + MORE_SECTIONS[-1].length, bool)
    kinds = set()
    for ruleset in MORE:
        for game in games_of(ruleset, seeds=1, positions=25):
            kinds.add(game.decision)
            for p in range(2):
                used |= game.observation(p) != 0
    assert [s.name for s in MORE_SECTIONS[len(SECTIONS) :] if not used[s.offset : s.offset + s.length].any()] == []
    assert kinds >= set(KINDS)


def test_an_opened_pack_is_told_to_its_owner():
    """covers: R54: and to nobody else; while it is closed its cards are told like those of the life"""
    game = Game.new("8.0-std+pack", seed=1)
    at = {section.name: slice(section.offset, section.offset + section.length) for section in MORE_SECTIONS}
    p = game.player
    pack = next(line.split()[2:] for line in game.to_text().splitlines() if line.startswith(f"pack{p} "))
    places = [NAMES.index(card) for card in pack]
    assert not game.observation(p)[at["own_pack"]].any()
    assert set(game.observation(p)[at["own_life"]][places]) == {0.5}
    game.play("open")
    assert (game.observation(p)[at["own_pack"]][places] == 1).all()
    game.play(pack[0])
    assert (game.observation(p)[at["own_pack"]][places[1:]] == 1).all()
    assert not game.observation(p)[at["own_life"]][places].any()
    assert not game.observation(1 - p)[at["own_pack"]].any()


# ---- the set-up -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", WITH_SETUP)
def test_choices_before_the_deal(ruleset):
    """covers: R55 R56 R57 R72: three cards, the rare card, 14 in the pack, two units, seven in hand"""
    game = Game.new(ruleset, seed=5)
    recorder = Recorder(game)
    wanted = ["2s 7h Kd", "As 2s X1"] if ruleset.endswith("strategy") else ["", ""]
    rares = ["9c", "X2"]
    for p in range(2):
        for card in wanted[p].split():
            assert (game.player, game.decision, game.setting_up) == (p, "first_hand", True)
            with pytest.raises(KaError, match="set up"):
                game.to_text()
            recorder.play(card)
            assert card not in game.legal()
        assert (game.player, game.decision) == (p, "rare")
        recorder.play(rares[p])
    assert game.decision == "chance"
    lines = dict(line.split(" ", 1) for line in game.to_text().splitlines())
    for p in range(2):
        hand = set(lines[f"hand{p}"].split())
        assert lines[f"rare{p}"] == rares[p]
        assert set(wanted[p].split()) <= hand
        assert len(hand) == 7 + (game.turn == p)
        assert lines[f"pack{p}"].split()[0] == "closed" and len(lines[f"pack{p}"].split()) == 15
        assert len(lines[f"field{p}"].split()) == 2
    record = recorder.record()
    assert record.headers["rare0"] == "9c" and record.turns == []
    assert record.headers.get("firsthand1", "") == wanted[1]
    assert Record.from_text(record.to_text()).headers == record.headers


def test_ascending_choices_leave_higher_ones():
    game = Game.new("8.0-mast+strategy", seed=1)
    assert game.legal()[-1] == "Kc"
    game.play("Kc")
    assert game.decision == "rare"  # X1 and X2 were the only higher ones
    assert "X1" not in game.legal() and "X2" not in game.legal()


def test_neither_sees_what_the_other_chooses():
    games = [Game.new("8.0-pro+strategy", seed=1) for _ in range(2)]
    games[0].play("2s 7h Kd 9c")
    games[1].play("3s 4s 5s X1")
    assert everything(games[0], 1) == everything(games[1], 1)
    assert everything(games[0], 0) != everything(games[1], 0)
    assert games[0].determinize(1, 7) == games[1].determinize(1, 7)


@pytest.mark.parametrize(
    ("ruleset", "frame", "decks", "match"),
    [
        ("8.0-std+pack", "entry20", {}, "is not dealt as 'entry20'"),
        ("8.0-std+rare", "half27", {}, "is not dealt as 'half27'"),
        ("8.0-pro", "entry20", {}, "is not dealt as 'entry20'"),
        ("6.1-mast", "entry20", {}, "is not dealt as 'entry20'"),
        ("8.0-std+pack", "custom", {"deck0": "As " * 1, "deck1": "As"}, "expected at least 40"),
        ("8.0-std+strategy", None, {}, "unknown ruleset"),
        ("6.1-pro+pack", None, {}, "unknown ruleset"),
    ],
)
def test_bad_deals_get_one_clear_error(ruleset, frame, decks, match):
    with pytest.raises(KaError, match=match):
        Game.new(ruleset, frame, **decks)


def test_the_set_up_stays_when_the_deal_is_made_again():
    """R25, R57: whatever the flips do, the chosen cards are where they belong."""
    for seed in range(60):
        game = Game.new("8.0-pro+strategy", seed=seed)
        game.play("As Ah Ad Ac As Ah Ad Ac")
        hands = [set(line.split()[1:]) for line in game.to_text().splitlines() if line.startswith("hand")]
        assert all({"As", "Ah", "Ad"} <= hand for hand in hands)


@each_ruleset
def test_records_from_outside_are_checked(ruleset):
    """What was played is accepted, before the deal too; a wrong byte is not."""
    about = Game.new(ruleset, seed=1).about
    for k, game in enumerate(games_of(ruleset, seeds=1, positions=4)):
        if k % 7 == 0:
            check_records(about, game.records())
    for field, value in (("rare", 60), ("fog_link", 70), ("pack_closed", 3), ("surely", -1)):
        bad = Game.new(ruleset, seed=1).records()
        bad[field] = value
        with pytest.raises(KaError, match="record 0"):
            check_records(about, bad)


# ---- bad input ------------------------------------------------------------------------------------------------------

FORTY = NAMES[:40]


@pytest.mark.parametrize(
    ("ruleset", "frame", "deck", "message"),
    [
        ("8.0-std+packs", None, None, r"unknown ruleset '8\.0-std\+packs'.*did you mean '8\.0-std\+pack'"),
        ("8.0-lite+pack", None, None, r"unknown ruleset '8\.0-lite\+pack'"),  # pack goes with std, pro, mast
        ("8.0-std+strategy", None, None, r"unknown ruleset '8\.0-std\+strategy'"),
        ("6.1-std+rare", None, None, r"unknown ruleset '6\.1-std\+rare'"),  # 6.1 has no such frames
        ("8.0-lite+set", None, None, r"did you mean '8\.0-lite\+setup'"),
        ("8.0-mast", "entry20", None, r"8\.0-mast is not dealt as 'entry20': expected one of full54"),
        ("8.0-std+pack", "half27", None, r"8\.0-std\+pack is not dealt as 'half27'"),
        ("8.0-std+pack", "custom", FORTY[:39], "39 cards given, expected at least 40"),
        ("8.0-std+pack", "deck40", FORTY[:39], "39 cards given, but this frame has decks of exactly 40"),
    ],
)
def test_variants_frames_and_decks_that_do_not_fit(ruleset, frame, deck, message):
    with pytest.raises(KaError, match=message):
        Game.new(ruleset, frame, 0, deck, deck)


def test_a_rare_card_that_is_not_in_the_deck():
    game = Game.new("8.0-std+rare", "custom", 0, FORTY, FORTY)
    with pytest.raises(KaError, match=f"illegal move '{NAMES[50]}': player 0 is at 'rare' and may choose As"):
        game.play(NAMES[50])
    with pytest.raises(KaError, match="being set up"):
        game.to_text()


@pytest.mark.parametrize(
    ("line", "other", "message"),
    [
        ("rare0", "rare0 Ks Kh", r"\(rare0\): a player has at most one rare card"),
        ("rare0", "rare0 Zz", r"\(rare0\): unknown card 'Zz'"),
        ("rare0", "rare0 {life0}", r"card \w\w of player 0 occurs twice"),
        ("pack0", "pack0 {life0}", r"\(pack0\): '\w\w' is none of closed, open"),
        ("pack0", "pack0 shut", "'shut' is none of closed, open"),
        ("pack0", "pack0 closed {life0}", r"card \w\w of player 0 occurs twice"),
        ("rules", "rules 8.0-std", r"\(pack0\): 8\.0-std has no pack"),
        ("rules", "rules 8.0-std+pack", r"\(rare0\): 8\.0-std\+pack has no rare"),
        ("rules", "rules 8.0-std+rara", r"unknown ruleset '8\.0-std\+rara'.*did you mean '8\.0-std\+rare'"),
    ],
)
def test_packs_and_rare_cards_in_a_text(line, other, message):
    game = Game.new("8.0-std+rare", seed=1)
    game.play("Ks Ks")
    lines = {text.split()[0]: text for text in game.to_text().splitlines()}
    changed = lines | {line: other.format(life0=lines["life0"].split()[1])}
    with pytest.raises(KaError, match=message):
        Game.from_text("\n".join(changed.values()) + "\n")


def test_headers_that_do_not_fit_the_deal():
    """The rare card and the first hand of a record must lie where the deal has them."""
    recorder = Recorder(Game.new("8.0-pro+strategy", seed=1), "full54")
    recorder.play("Ks Kh Kd X1 Ks Kh Kd X1 pass")
    record = recorder.record()
    assert record.replay().to_text() == recorder.game.to_text()
    for name, cards in [("rare0", "X2"), ("rare1", "Zz"), ("firsthand1", "Ks Kh X2")]:
        wrong = Record(record.headers | {name: cards}, record.deal, record.turns)
        with pytest.raises(KaError, match=f"the header says {name} {cards}, but the deal has"):
            wrong.replay()
