"""Boards: the right cards and marks, and nothing that a viewer may not know."""

import itertools
import random
import re
import sys

import numpy as np
import pytest

from ka_env import Game
from ka_env.blackpoker import RULESETS
from ka_env.blackpoker.cards import NAMES, members
from ka_env.blackpoker.deal import frames_of
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.people.board import HIDDEN, WIDTH, board_image, board_text, look
from ka_env.hints import install_extra
from tests.blackpoker.reference import random_position
from tests.blackpoker.scenario import load

pytest.importorskip("PIL")

SIGNS = dict(zip("shdc", "♠♥♦♣"))
SHOWN = {name if name[0] == "X" else name[0] + SIGNS[name[1]]: name for name in NAMES} | {name: name for name in NAMES}
CARD = re.compile(r"(?<![A-Za-z0-9])(?:X[12]|[A2-9TJQK][♠♥♦♣shdc])(?![A-Za-z0-9])")

FIGHT = """
ka 1
rules 8.0-std
turn 0
chance 1
passed 0
used attack
life0 Kd 2c 4c
hand0 6c 7c
grave0 9d 8d
field0 0:b7d/d 1:s5c+Ac/d^ 2:s9h/d*^~+5 3:sX1
fog0 4h>- 5h>0.2
life1 7h 8h 9h
hand1 As 6c 2d 5c 3c
grave1 9d 4c
field1 0:bQs&1 1:sQh&2 4:b3d
fog1 -
stage 0:0.damage 1:1.down(4s)>0.2 2:0.counter(3c)>#1 3:1.twist(Ad)>-
known0 6c@hand Qs@field.0 8h@life.1
known1 -
"""

FIGHT_SEEN_BY_0 = """\
8.0-std · turn of P0
P1  life 3 · hand 5 · grave 2 (top 4♣)
   life  ▒▒ 8♥ …
   hand  6♣ ▒▒ ▒▒ ▒▒ ▒▒
   1.0 [Q♠]           1.1 Q♥ = 12        1.4 [▒▒]
       blocks 0.1         blocks 0.2
─ stage ────────────────────────────────────────────────────────────────────────
   #3 P1 Twist A♦ → gone
   #2 P0 Counter 3♣ → #1
   #1 P1 Down 4♠ → 0.2 9♥
   #0 P0 Damage
────────────────────────────────────────────────────────────────────────────────
   0.0 [7♦]           0.1 5♣+A♣ = 6      0.2 9♥ = 14 (9+5)
       driven             driven attacks     driven new attacks
   0.3 X1 = 0
   fog   4♥→-  5♥→0.2
   hand  6♣ 7♣
P0  life 3 · hand 2 · grave 2 (top 8♦)
════════════════════════════════════════════════════════════════════════════════
P1: Pass or act? · P0 passed
"""


def scenario(name):
    return Game.from_text("\n".join(next(s for s in load("shared.txt") if s.name == name).position))


def scenario_games():
    """The shared scenarios, step by step, and a set-up."""
    game = Game.new("8.0-pro+strategy", seed=1)
    yield game
    game.play("2s 3s 4s")
    yield game
    for case in [*load("shared.txt"), *load("pro_shared.txt")]:
        if not case.refused:
            game = Game.from_text("\n".join(case.position))
            for step in case.steps:
                if step[0] == ">":
                    game.play(step[1:])
                    yield game


def random_games(seed, count, moves=15):
    """Random positions, and what random play makes of them."""
    rng = random.Random(seed)
    for _ in range(count):
        game = Game.from_text(random_position(rng.choice(RULESETS), rng), seed=rng.randrange(1000))
        yield game
        for _ in range(moves):
            if game.over:
                break
            game.play(rng.choice(game.legal()))
            yield game


# ---- text -----------------------------------------------------------------------------------------------------------


def test_a_whole_board():
    assert board_text(Game.from_text(FIGHT), viewer=0) == FIGHT_SEEN_BY_0


def test_the_other_viewer_sees_the_other_things():
    text = board_text(Game.from_text(FIGHT), viewer=1)
    above, below = text.split("─ stage")
    assert above.splitlines()[1:3] == ["P0  life 3 · hand 2 · grave 2 (top 8♦)", "   hand  ▒▒ ▒▒"]
    assert "0.0 [▒▒]" in above
    assert "hand  A♠ 2♦ 3♣ 5♣ 6♣\n" in below
    assert "1.4 [3♦]" in below
    assert below.endswith("choices: " + " ".join(Game.from_text(FIGHT).legal()) + "\n")


def test_a_spectator_sees_every_card():
    text = board_text(Game.from_text(FIGHT))
    assert "▒▒" not in text
    assert "life  K♦ 2♣ 4♣\n" in text
    assert "life  7♥ 8♥ 9♥\n" in text
    assert text.index("1.0 [Q♠]") < text.index("─ stage") < text.index("0.0 [7♦]")


def test_what_has_been_paid_and_named():
    game = scenario("hero-two-bulwarks")
    game.play("hero u0")
    assert board_text(game).splitlines()[-2:] == [
        "P0: Hero: drive which bulwark to pay? · Hero so far: paid B (0.0)",
        "choices: u2 u7",
    ]
    game.play("u2")
    text = board_text(game)
    assert "P0: Hero: which key card? · Hero so far: paid B B (0.2) L" in text
    assert "0.0 [2♠]           0.2 [3♠]" in text
    assert "driven             driven" in text


def test_a_request_at_the_opponent():
    text = re.sub(r"stage .*", "stage 0:0.throw(3s,Qc)", re.sub(r"[&^]\d?", "", FIGHT))
    assert "   #0 P0 Throw 3♠ Q♣ → P1\n" in board_text(Game.from_text(text))


def test_named_keys_and_chosen_unit():
    kinds = {}
    for game in random_games("asked", 150):
        if game.decision in ("blockers", "twist", "lance_order", "reverse_state", "target"):
            kinds.setdefault(game.decision, game.copy())
    for kind in ("blockers", "twist", "reverse_state"):
        assert re.search(r"P[01]: (Block|Twist|Reverse) [01]\.\d+:", board_text(kinds[kind])), kind
    assert re.search(r"so far: .*keys \S\S", board_text(kinds["target"]))


@pytest.mark.parametrize(("result", "words"), [("1 0", "P0 wins"), ("0 1", "P1 wins"), ("0.5 0.5", "a draw")])
def test_the_end(result, words):
    text = FIGHT.replace("8.0-std", "6.1-std").replace("~+5", "").replace("chance 1", "chance -")
    text = text.replace("passed 0", "passed -").replace("fog0 4h>- 5h>0.2", "fog0 -") + f"result {result}\n"
    board = board_text(Game.from_text(text), viewer=1)
    assert board.splitlines()[-1] == f"Game over: {words}"


def test_80_columns_and_every_decision():
    kinds = set()
    for game in itertools.chain(scenario_games(), random_games("columns", 60)):
        kinds.add(game.decision)
        for viewer in (None, 0, 1):
            text = board_text(game, viewer)
            assert max(map(len, text.splitlines())) <= WIDTH, text
            assert not re.search(r"[{}]|  :|None", text), text
    assert set(KINDS) <= kinds


@pytest.mark.parametrize(("ruleset", "frame"), [("8.0-lite", "entry20"), ("8.0-std", "full54"), ("6.1-std", "full54")])
def test_ordinary_boards_fit_a_small_terminal(ruleset, frame):
    rng = random.Random(f"{ruleset} {frame}")
    for seed in range(3):
        game = Game.new(ruleset, frame, seed=seed)
        while not game.over:
            assert board_text(game, viewer=game.player).count("\n") <= 24
            game.play(rng.choice(game.legal()))


def test_colors_are_only_colors():
    game = Game.from_text(FIGHT)
    colored = board_text(game, color=True)
    assert "\x1b[31m9♥\x1b[0m" in colored
    assert re.sub(r"\x1b\[\d+m", "", colored) == board_text(game)
    assert "\x1b" not in board_text(game)


@pytest.mark.parametrize("draw", [board_text, board_image])
def test_unknown_viewers_are_refused(draw):
    with pytest.raises(ValueError, match="viewer"):
        draw(Game.new(), viewer=2)


# ---- what stays hidden ----------------------------------------------------------------------------------------------


def hidden_cards(game, viewer):
    """By the position text alone: what lies face down and is not known to the viewer."""
    words = {line.split()[0]: line.split()[1:] for line in game.to_text().splitlines()}
    other = 1 - viewer
    known = {word.split("@")[0] for word in words[f"known{viewer}"] if "@own" not in word}
    placed = {word.split("@")[0] for word in words[f"known{viewer}"] if "@own" in word}
    theirs = [*words[f"life{other}"], *words[f"hand{other}"], *words[f"grave{other}"][:-1]]
    theirs += [word.split(":b")[1][:2] for word in words[f"field{other}"] if ":b" in word]
    hidden = set(theirs) - known - {"-"}
    if not (game.decision == "search_card" and game.player == viewer):
        hidden |= set(words[f"life{viewer}"]) - placed - {"-"}
    return hidden


@pytest.mark.parametrize("ruleset", [ruleset for ruleset in RULESETS if "half27" in frames_of(ruleset)])
def test_hidden_cards_are_never_named(ruleset):
    """The two decks have no card in common, so that each name means one card."""
    rng = random.Random(ruleset)
    checked = 0
    for seed in range(6):
        cards = rng.sample(NAMES, len(NAMES))
        game = Game.new(ruleset, "custom", seed=seed, deck0=cards[:27], deck1=cards[27:])
        while not game.over:
            for viewer in (0, 1):
                named = {SHOWN[word] for word in CARD.findall(board_text(game, viewer))}
                hidden = hidden_cards(game, viewer)
                assert not named & hidden, board_text(game, viewer)
                checked += len(hidden)
            game.play(rng.choice(game.legal()))
    assert checked > 1000


@pytest.mark.parametrize("ruleset", ["8.0-std+pack", "8.0-mast+rare", "8.0-pro+strategy"])
def test_packs_and_rare_cards_are_their_owners_to_see(ruleset):
    rng = random.Random(ruleset)
    for _ in range(30):
        game = Game.from_text(random_position(ruleset, rng))
        s = game.state
        for viewer in (None, 0, 1):
            view = look(game, viewer)
            for side in (view.above, view.below):
                q, looks = side.player, game.decision == "pack_card" and game.player == side.player
                seen = viewer is None or (viewer == q and (looks or not s.pack_closed[q]))
                assert side.pack == (members(s.pack[q]) if seen else [HIDDEN] * len(members(s.pack[q])))
                if s.rare[q] >= 0:
                    assert side.rare == [int(s.rare[q]) if viewer in (None, q) else HIDDEN]


def test_the_check_would_notice():
    """A spectator's board does name hidden cards."""
    game = Game.new("6.1-std", "custom", seed=1, deck0=NAMES[::2], deck1=NAMES[1::2])
    named = {SHOWN[word] for word in CARD.findall(board_text(game))}
    assert named & hidden_cards(game, 0)
    assert named & hidden_cards(game, 1)


def test_a_board_does_not_depend_on_what_is_hidden():
    """Known cards are in it, and everything else may be drawn anew without changing it."""
    for i, game in enumerate(random_games("redraw", 20)):
        for viewer in (0, 1):
            assert board_text(game.determinize(viewer, i), viewer) == board_text(game, viewer)


def test_nor_does_a_picture():
    for i, game in enumerate(random_games("redrawn picture", 12)):
        if i % 10 == 0:
            for viewer in (0, 1):
                assert np.array_equal(board_image(game.determinize(viewer, i), viewer), board_image(game, viewer))


def test_choices_are_the_deciders_own():
    game = Game.from_text(FIGHT)
    assert look(game, 0).choices == []
    assert look(game, 1).choices == look(game).choices == game.legal()


# ---- pictures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "shape"), [(1, (800, 1280, 3)), (0.5, (400, 640, 3)), (1.5, (1200, 1920, 3))])
def test_picture_size(scale, shape):
    picture = board_image(Game.from_text(FIGHT), 0, scale)
    assert picture.shape == shape
    assert picture.dtype == np.uint8
    assert picture.std() > 20  # something is painted


def test_pictures_are_the_same_every_time():
    game = Game.from_text(FIGHT)
    assert np.array_equal(board_image(game), board_image(game.copy()))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3:sX1", "3:sX1/d"),  # driven
        ("3:sX1", "3:sX2"),  # another card
        ("3:sX1", "3:sX1*"),  # came this turn
        ("1:sQh&2", "1:sQh"),  # blocks nobody
        ("4:b3d", "4:b3d/d"),
        ("2d 5c 3c", "2d 5c"),  # a card less in hand
        ("life1 7h 8h 9h", "life1 7h 8h"),
        ("9d 4c", "4c 9d"),  # another top card
        ("3:1.twist(Ad)>-", "3:1.twist(Ad)>0.3"),
        ("5h>0.2", "5h>0.2 6h>-"),
        ("known0 6c@hand ", "known0 "),
    ],
)
def test_every_fact_changes_the_picture(before, after):
    assert before in FIGHT
    changed = Game.from_text(FIGHT.replace(before, after))
    assert not np.array_equal(board_image(changed, 0), board_image(Game.from_text(FIGHT), 0))


def test_a_driven_unit_lies_on_its_side():
    """Wider than high, and charged the other way round."""

    def extent(mark):
        text = re.sub(r"field0 .*", f"field0 0:s7d{mark}", "\n".join(load("shared.txt")[0].position))
        picture = board_image(Game.from_text(text))[510:710, 150:1046]
        light = (picture > 220).all(axis=2)
        return np.ptp(np.flatnonzero(light.any(axis=0))), np.ptp(np.flatnonzero(light.any(axis=1)))

    wide, high = extent("")
    wide_driven, high_driven = extent("/d")
    assert wide < 0.9 * high  # with the caption below
    assert wide_driven > wide
    assert high_driven < high


def test_pictures_of_every_decision():
    left = {*KINDS, None}
    for game in itertools.chain(scenario_games(), random_games("pictures", 80)):
        if game.decision in left:
            left.remove(game.decision)
            for viewer in (None, 0, 1):
                assert board_image(game, viewer, 0.5).shape == (400, 640, 3)
    assert not left


def test_a_full_board():
    """More than play ever shows: 20 units a side, 32 requests."""
    bulwarks = " ".join(f"{slot}:b{name}" for slot, name in enumerate(NAMES[26:46]))
    hearts, spades = NAMES[13:23], NAMES[:6]
    requests = [f"up({heart})>0.20" for heart in hearts] + [f"down({spade})>0.20" for spade in spades]
    stage = " ".join(f"{i}:{i % 2}.{requests[i // 2]}" for i in range(32))
    sides = [f"life{p} Kh Qh\nhand{p} 9s X1\ngrave{p} -\nfield{p} {bulwarks}" for p in range(2)]
    game = Game.from_text(f"ka 1\nrules 8.0-std\nturn 0\nchance 0\n{sides[0]} 20:sKs\n{sides[1]}\nstage {stage}\n")
    for viewer in (None, 0, 1):
        assert board_image(game, viewer).shape == (800, 1280, 3)
        text = board_text(game, viewer)
        assert "#31 P1 Down" in text
        assert max(map(len, text.splitlines())) <= WIDTH


def test_scale_must_be_positive():
    with pytest.raises(ValueError, match="scale"):
        board_image(Game.new(), scale=0)


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=re.escape(install_extra("render"))):
        board_image(Game.new())
    assert board_text(Game.new())
