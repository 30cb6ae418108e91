"""`ka play` and `ka watch`: whole games by keys on an 80 x 24 screen, the log in words, nothing hidden is shown."""

import asyncio
import io
import random
import re
import string
import sys

import pytest

from ka_env import Game
from ka_env.blackpoker.cards import NAMES
from ka_env.blackpoker.codes import TRIGGERED, VERBS
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.people import phrases
from ka_env.blackpoker.people.screens import LANGUAGES, board, continues, label, question
from ka_env.blackpoker.people.story import Names, Teller
from ka_env.cli import main
from ka_env.errors import IllegalMove
from ka_env.hints import install_extra
from ka_env.moments import moments
from ka_env.record import load, save
from ka_env.screen import words
from ka_env.screen.session import HUMAN, PlayError, Session, Show

textual = pytest.importorskip("textual")

from ka_env.screen.app import PlayApp, screen_keys  # noqa: E402
from ka_env.screen.watching import WatchApp  # noqa: E402
from ka_env.screen.widgets import Board, Log, Message  # noqa: E402

from .pilot import SIZE, run, screen, settle  # noqa: E402

ANYTHING = ["e", "p", "1", "n", "d"] * 200  # keys of which one or the other always answers
GAMES = [("8.0-lite", "entry20"), ("6.1-std", "full54"), ("8.0-std", "full54")]


@pytest.fixture
def new(tmp_path):
    """Deal a session."""

    def deal(ruleset="8.0-lite", frame=None, opponent="random", seat="first", seed=3, **options):
        return Session.new(ruleset, frame, opponent, tmp_path / "game.ka", seat, seed, **options)

    return deal


def plain(lines):
    return ["".join(span.text for span in line) for line in lines]


# ---- whole games by keys --------------------------------------------------------------------------------------------


def play_by_keys(session, look=lambda app: None, seed=0):
    """A whole game, each choice by a key drawn at random. `look` sees the app at every decision."""
    rng = random.Random(seed)
    app = PlayApp(session)

    async def script(pilot):
        for _ in range(1000):
            if session.over:
                break
            choices = session.choices()
            assert choices, "the game waits for nobody"
            look(app)
            await pilot.press(rng.choice("".join(screen_keys(choices)).replace(" ", "")))
            await settle(pilot)
        assert session.over
        assert isinstance(app.screen, Message)
        look(app)
        await pilot.press("enter")

    return run(app, script)


def test_a_whole_game_by_keys(new):
    session = new()
    play_by_keys(session)
    (record,) = load(session.path)
    game = record.replay()
    assert game.over and game.to_text() == session.game.to_text()
    assert record.headers["players"].split()[session.seat] == HUMAN
    assert record.headers["seed"] == "3" and record.headers["frame"] == "entry20"


@pytest.mark.parametrize(("ruleset", "frame", "language"), [("8.0-lite", "entry20", "en"), ("8.0-std", "half27", "ja")])
def test_everything_needed_is_on_a_small_screen(new, ruleset, frame, language):
    session = new(ruleset, frame, seat="second", language=language, seed=8)
    names = Names(session.seat, language)

    def look(app):
        if isinstance(app.screen, Message):
            return
        lines = screen(app)
        text = "\n".join(lines)
        assert len(lines) <= SIZE[1]
        hand = [
            NAMES.index(t)
            for t in re.search(rf"hand{session.seat} (.*)", session.game.to_text())[1].split()
            if t != "-"
        ]
        for card in hand:
            assert names.card(card) in text, lines
        for side in range(2):
            life = int(session.game.state.life_count[side])
            assert f"{names.who(side)}  {names.say('life')} {life} " in text, lines
        assert session.question().split("？")[0][:40] in text, lines
        for key in ("h ", "u ", "? ", "q "):
            assert key in lines[-1]
        options = app.query_one("#choices")
        assert options.option_count == len(session.choices())
        for key, choice in zip(screen_keys(session.choices()), session.choices()[:3]):
            assert f"{key} {choice.label}"[:70] in text, lines
        table = app.query_one(Board)
        assert table.virtual_size.width <= table.size.width
        log = "".join(line.partition("│")[2].rstrip("▁▂▃▄▅▆▇█ ") for line in lines).replace(" ", "")
        assert session.log[-1].text.replace(" ", "") in log, lines

    play_by_keys(session, look)


def test_a_japanese_game_has_no_english_words(new):
    session = new(language="ja", seed=5)
    said = []

    def look(app):
        said.extend(choice.label for choice in session.choices())
        said.append(session.question())
        said.append(session.so_far())
        said.extend(plain(session.board(48)))
        if isinstance(app.screen, Message):
            assert re.search("あなたの(勝ち|負け)", "\n".join(screen(app)))
        else:
            assert "ヒント" in screen(app)[-1] and "終了" in screen(app)[-1]

    play_by_keys(session, look)
    text = "\n".join(said + [line.text for line in session.log])
    assert not re.findall(r"[A-Za-z]{2,}", text)
    for name in ("防壁設置", "エンド", "アタック", "ライフ", "手札", "墓地"):
        assert name in text


@pytest.mark.parametrize("ruleset", ["6.1-std", "8.0-std"])
def test_japanese_words_of_all_actions(ruleset):
    """Whatever random games bring up is said in Japanese."""
    rng = random.Random(3)
    said = set()
    for seed in range(4):
        game, teller = Game.new(ruleset, "half27", seed=seed), Teller(0, "ja")
        while not game.over:
            token = rng.choice(game.legal())
            said |= {label(game, legal, 0, "ja") for legal in game.legal()} | {question(game, game.player, "ja")}
            said |= {line.text for line in teller.tell(game, token)}
            game.play(token)
    assert not {text for text in said if re.search("[A-Za-z]{2,}", text)}
    for verb in ("防壁設置", "兵士召喚", "アップ", "ダウン", "ツイスト", "カウンター", "帰還", "ハンデス"):
        assert any(verb in text for text in said), verb


def test_mouse_and_arrows(new):
    session = new()
    app = PlayApp(session)

    async def script(pilot):
        options = app.query_one("#choices")
        assert screen(app)[1].startswith("Opponent")
        await pilot.click("#choices", offset=(5, 4))  # Soldier
        await settle(pilot)
        assert session.draft == ["soldier"]
        assert session.asked.decision == "key"
        row = plain(session.board(48)).index(next(x for x in plain(session.board(48)) if "9♥" in x))
        column = plain(session.board(48))[row].index("5♣")
        await pilot.click(Board, offset=(column, row))
        await settle(pilot)
        assert not session.draft
        assert any("Soldier 5♣" in line.text for line in session.log)
        count = options.option_count
        await pilot.press("down", "up", "enter")
        await settle(pilot)
        assert session.moves > 2 and count

    run(app, script)


# ---- taking back, hints, saving -------------------------------------------------------------------------------------


def test_a_half_made_request_can_be_taken_back(new):
    session = new()
    before, saved = session.game.to_text(), session.path.read_text(encoding="utf-8")
    app = PlayApp(session)

    async def script(pilot):
        first = screen(app)
        await pilot.press("s")  # Soldier: the bulwark and one life are forced, the key is asked
        assert session.draft == ["soldier"] and session.asked.decision == "key"
        assert session.asked.state.life_count[session.seat] == session.game.state.life_count[session.seat] - 1
        shown = "\n".join(screen(app))
        paid = session.asked.to_text().split(f"grave{session.seat} ")[1].split("\n")[0].split()[-1]
        assert Names(session.seat, "en").card(NAMES.index(paid)) not in "\n".join(plain(session.board(48)))
        assert "Soldier: which key card?" in shown and "so far: Soldier" in shown
        assert session.path.read_text(encoding="utf-8") == saved
        await pilot.press("u")
        assert session.game.to_text() == before and not session.draft
        assert "Taken back" in "\n".join(screen(app))
        await pilot.press("u")
        assert "Nothing to take back" in "\n".join(screen(app))
        await pilot.press("s", "1")
        await settle(pilot)
        assert session.moves >= 2
        assert not session.undo()
        assert first != screen(app)

    run(app, script)


@pytest.mark.parametrize(("ruleset", "frame"), GAMES)
def test_undo_always_restores_the_position(new, ruleset, frame):
    """Every draft of a random game is taken back once before it is made for good."""
    session = new(ruleset, frame, seed=11)
    rng = random.Random(1)
    taken_back = set()
    while not session.over:
        if not session.my_turn:
            session.opponent_plays(session.opponent_thinks())
            continue
        before = session.game.to_text()
        session.choose(rng.choice(session.asked.legal()))
        if session.draft and rng.random() < 0.3:
            taken_back.add(session.asked.decision)
            assert session.game.to_text() == before
            assert session.undo()
            assert session.asked.to_text() == before
    assert taken_back
    assert load(session.path)[0].replay().to_text() == session.game.to_text()


def test_a_half_made_request_is_told_with_what_was_forced(new):
    session = new(hint="random")
    text = BASE.format(
        rules="8.0-lite", chance=0, hand0="As 5c", field0="0:s9h", hand1="-", field1="0:s8h 1:b3c", more=""
    )
    session.game._games[:] = Game.from_text(text).records()
    session.game._outputs.action_mask[:] = Game.from_text(text).action_mask()
    session.seat = 0
    session.choose("down")
    assert session.so_far() == "Down, discard 5♣, key A♠"
    styles = {span.text: span.style for line in session.board(48) for span in line}
    assert "dim" in styles["5♣"] and "dim" in styles["A♠"]


def test_drafts_hide_what_they_turn_up():
    """Which choices a half-made request leaves does not depend on the life cards it costs."""
    compared = 0
    for seed in range(30):
        game = Game.new("8.0-lite", "entry20", seed=seed)
        other = game.determinize(game.player, seed)
        for verb in game.legal():
            pair = [game.copy(), other.copy()]
            for one in pair:
                one.play(verb)
            if continues(game, pair[0]):
                compared += 1
                assert pair[0].legal() == pair[1].legal() and pair[0].decision == pair[1].decision
    assert compared > 30


def test_hint_points_at_a_choice(new):
    session = new(hint="ismcts:iterations=20")
    app = PlayApp(session)

    async def script(pilot):
        await pilot.press("h")
        await settle(pilot)
        text = "\n".join(screen(app))
        hinted = session.choices()[app.query_one("#choices").highlighted]
        assert f"Hint from ismcts:iterations=20: {hinted.label}" in text
        await pilot.press("s", "h")
        await settle(pilot)
        hinted = session.choices()[app.query_one("#choices").highlighted]
        assert hinted.label in "\n".join(screen(app)).split("Hint from")[1]

    run(app, script)


def test_a_hint_knows_only_what_the_player_knows(new):
    """The hint agent is asked in a game whose hidden cards are drawn anew, the same for all that look alike."""
    session = new(hint="ismcts:iterations=10")
    session.choose("soldier")
    known = session.as_known()
    assert known.legal() == session.asked.legal()
    session.game._games[:] = session.game.determinize(session.seat, 99).records()
    assert session.as_known().to_text() == known.to_text()


@pytest.mark.parametrize("moves", [0, 5, 12, 25])
def test_resume_goes_on_where_it_stopped(new, moves):
    session = new("8.0-std", "full54", seed=2)
    rng = random.Random(moves)
    while session.moves < moves and not session.over:
        if session.my_turn:
            session.choose(rng.choice(session.asked.legal()))
        else:
            session.opponent_plays(session.opponent_thinks())
    session.undo()
    again = Session.resume(session.path)
    assert again.game.to_text() == session.game.to_text()
    assert (again.seat, again.opponent.spec, again.moves) == (session.seat, "random", session.moves)
    assert [line.text for line in again.log] == [line.text for line in session.log]
    again.save()
    assert load(session.path)[0].headers == session.recorder.record().headers


def test_quitting_asks_and_keeps_the_save(new):
    session = new()
    app = PlayApp(session)

    async def script(pilot):
        await pilot.press("e")
        await settle(pilot)
        await pilot.press("q")
        assert isinstance(app.screen, Message)
        assert "--resume" in "\n".join(screen(app)) and "Esc: stay" in "\n".join(screen(app))
        await pilot.press("escape")
        assert not isinstance(app.screen, Message) and app.is_running
        await pilot.press("question_mark")
        assert "Goal." in "\n".join(screen(app))
        await pilot.press("escape", "q", "y")

    run(app, script)
    assert load(session.path)[0].replay().to_text() == session.game.to_text()


def test_a_failing_agent_ends_the_screen_with_a_message(new, monkeypatch):
    session = new(seat="second")

    def fail(*_):
        raise RuntimeError("out of ideas")

    monkeypatch.setattr(session.opponent.agent, "act", fail)
    app = PlayApp(session)

    async def go():
        async with app.run_test(size=SIZE) as pilot:
            while app.failure is None:
                await pilot.pause(0.01)

    asyncio.run(go())
    assert "agent 'random' failed: RuntimeError: out of ideas" in str(app.failure)


# ---- the log --------------------------------------------------------------------------------------------------------

BASE = """ka 1
rules {rules}
turn 0
chance {chance}
life0 Js 8s 6d 2d
hand0 {hand0}
grave0 -
field0 {field0}
life1 5s 6s 7s Qd 2c
hand1 {hand1}
grave1 -
field1 {field1}
{more}"""


def story(
    tokens, viewer=0, language="en", rules="8.0-lite", chance=0, hand0="-", hand1="-", field0="-", field1="-", more=""
):
    """The log of a line of play."""
    parts = {"rules": rules, "chance": chance, "hand0": hand0, "hand1": hand1, "field0": field0, "field1": field1}
    game = Game.from_text(BASE.format(more=more, **parts))
    teller = Teller(viewer, language)
    lines = []
    for token in tokens.split():
        lines += [line.text for line in teller.tell(game, token)]
        game.play(token)
    return lines


COUNTER = {"chance": 1, "hand1": "5c 9d", "field0": "0:s9h", "more": "stage 0:0.down(3s)>0.0\n"}
LANCE = {"rules": "8.0-std", "hand0": "3s 3d", "field1": "0:s9h"}


@pytest.mark.parametrize(
    ("tokens", "position", "expected"),
    [
        ("counter", COUNTER, "Counter 5♣ cancels Down 3♠"),
        ("counter", {**COUNTER, "hand1": "Ac 9d"}, "Counter A♣ is too low to cancel Down 3♠"),
        ("counter", COUNTER, "Opponent: Counter 5♣ → Down 3♠ (cost: 9♦)"),
        ("soldier", {"hand0": "7h", "field0": "0:bKd"}, "You: Soldier 7♥ (cost: bulwark 0 (K♦), 1 life)"),
        ("soldier", {"hand0": "7h", "field0": "0:bKd"}, "Soldier 7♥: your 7♥ comes"),
        ("bulwark 7h", {"hand0": "7h 8h"}, "You: Bulwark, bulwark 0 (7♥) is set (cost: 1 life)"),
        ("bulwark", {}, "You: Bulwark, no card to set (cost: 1 life)"),
        ("equip", {"hand0": "7h", "field0": "0:bKd 1:s2h"}, "Equip 7♥ makes your 2♥+7♥ (size 9)"),
        ("up u1", {"hand0": "7h 9c", "field0": "0:s3d 1:s4d"}, "Up 7♥: your 4♦ grows to 11"),
        (
            "down e0",
            {"hand0": "4s 9c", "field0": "0:s3d", "field1": "0:s9d"},
            "Down 4♠: the opponent's 9♦ shrinks to 5",
        ),
        ("down u0", {"hand0": "4s 9c", "field0": "0:s3d", "field1": "0:s9d"}, "Down 4♠: your 3♦ dies"),
        ("twist drive", {"hand0": "4d 9c", "field1": "0:b9d"}, "Twist 4♦ drives the opponent's bulwark 0"),
        ("destroy", {"hand0": "4h 4d", "field1": "0:b9d"}, "Destroy 4♥+4♦ breaks the opponent's bulwark 0 (9♦)"),
        ("throw", {"hand0": "4s 4c"}, "Throw 4♠+4♣: 4 damage to the opponent, life 5 → 1"),
        ("attack u0", {"field0": "0:s4h"}, "Your 4♥ hits: 4 damage to the opponent, life 5 → 1"),
        ("attack", {"field0": "0:s4h/d"}, "You: attack with nobody"),
        (
            "attack u0 u0",
            {"field0": "0:s4h", "field1": "0:s9d"},
            "Your 4♥ (4) meets the opponent's 9♦ (9); dead: your 4♥",
        ),
        (
            "attack u0 u0",
            {"field0": "0:s4h", "field1": "0:b4d"},
            "Your 4♥ runs into the bulwark 4♦; dead: the opponent's bulwark 0 (4♦), your 4♥",
        ),
        ("attack u0 done", {"field0": "0:s4h", "field1": "0:b4d"}, "Opponent: no block of 4♥"),
        ("down", {"hand0": "Ts 9c", "field1": "0:sAd"}, "Succession: Opponent, life cards turned: 4, a card to hand"),
        ("end", {}, "— The opponent's turn —"),
        ("end yes", {}, "Opponent: draw a card"),
        ("pass", {}, "You: pass"),
        ("attack u0", {"field0": "0:sTh"}, "You win!"),
        ("lance", LANCE, "Lance 3♠+3♦: the opponent's 9♥ goes on the life, 3 damage, life 5 → 3"),
        ("lance", {**LANCE, "hand0": "3s 4d"}, "Lance 3♠+4♦ has no effect"),
        (
            "fortify two",
            {"rules": "8.0-std", "hand0": "9h 9c"},
            "Fortify 9♥+9♣: your bulwark 0 (J♠), bulwark 1 (8♠) come",
        ),
        (
            "strip 8d",
            {"rules": "8.0-std", "hand0": "9d 9c", "hand1": "8d 2d"},
            "Strip 9♦+9♣: the opponent's 8♦ is discarded",
        ),
        (
            "return",
            {"rules": "8.0-std", "hand0": "9d 8d", "field0": "0:b2s"},
            "Return 8♦+9♦: only the keys return to hand",
        ),
        (
            "reverse e0 drive",
            {"rules": "6.1-std", "hand0": "9d 9c", "field0": "0:s2s", "field1": "0:s7h"},
            "Reverse 9♦+9♣: the opponent's 7♥ becomes bulwark 0 (7♥)",
        ),
        ("search 8s", {"hand0": "X1 9d"}, "You: Search Joker1 takes 8♠ from the life"),
    ],
)
def test_log_sentences(tokens, position, expected):
    lines = story(tokens, **position)
    assert expected in lines, lines


@pytest.mark.parametrize(
    ("tokens", "position", "expected"),
    [
        ("counter", COUNTER, "カウンター 5♣がダウン 3♠を打ち消す"),
        ("soldier", {"hand0": "7h", "field0": "0:bKd"}, "あなた: 兵士召喚 7♥(コスト: 防壁0(K♦)、ライフ1)"),
        ("throw", {"hand0": "4s 4c"}, "投擲 4♠+4♣: 相手に4ダメージ、ライフ5 → 1"),
        ("end", {}, "— 相手のターン —"),
    ],
)
def test_log_sentences_in_japanese(tokens, position, expected):
    lines = story(tokens, language="ja", **position)
    assert expected in lines, lines


def test_the_owner_is_told_what_others_are_not():
    position = {"hand0": "Ts 9c", "field1": "0:sAd"}
    assert "Succession: You, life cards turned: 4, Q♦ to hand" in story("down", viewer=1, **position)
    assert "Succession: P1, life cards turned: 4, Q♦ to hand" in story("down", viewer=None, **position)
    assert "Opponent: Bulwark, bulwark 0 is set (cost: 1 life)" in story("bulwark 7h", viewer=1, hand0="7h 8h")


@pytest.mark.parametrize(("ruleset", "frame"), GAMES)
def test_moments_end_where_the_move_ends(ruleset, frame):
    rng = random.Random(4)
    game = Game.new(ruleset, frame, seed=4)
    while not game.over:
        action = rng.choice(game.legal_ids())
        found = moments(game, action)
        game.step(action)
        last = found[-1].after
        assert all(
            last[name].tobytes() == game.state[name].tobytes() for name in ("life", "hand", "grave", "stage_action")
        )
        assert (last.player, last.kind, last.result) == (game.state.player, game.state.kind, game.state.result)


def test_a_move_that_is_illegal_is_not_told():
    with pytest.raises(IllegalMove, match="may choose"):
        Teller().tell(Game.new(seed=3), "yes")


# ---- nothing hidden is shown ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "frame"), GAMES)
def test_the_screen_is_the_same_whatever_the_hidden_cards_are(ruleset, frame):
    rng = random.Random(7)
    for seed in range(4):
        game = Game.new(ruleset, frame, seed=seed)
        while not game.over:
            if rng.random() < 0.5:
                viewer = rng.randrange(2)
                other = game.determinize(viewer, rng.randrange(2**32))
                assert_same_view(game, other, viewer, rng.choice(list(LANGUAGES)))
            game.play(rng.choice(game.legal()))


def assert_same_view(game, other, viewer, language):
    watching = {"watching": True}
    assert board(game, viewer, language, 48) == board(other, viewer, language, 48)
    assert board(game, viewer, language, 48, **watching) == board(other, viewer, language, 48, **watching)
    assert question(game, viewer, language) == question(other, viewer, language)
    assert question(game, viewer, language, **watching) == question(other, viewer, language, **watching)
    if game.player == viewer:
        labels = [[label(g, token, viewer, language) for token in g.legal()] for g in (game, other)]
        assert labels[0] == labels[1]


@pytest.mark.parametrize("ruleset", ["8.0-lite", "8.0-std", "6.1-std"])
def test_the_log_names_only_cards_that_may_be_known(ruleset):
    """The decks share no card, so that a name in the log says whose card it is."""
    decks = [[n for n in NAMES if n[1] in "sd1"], [n for n in NAMES if n[1] in "hc2"]]
    rng = random.Random(9)
    checked = 0
    for seed in range(6):
        game = Game.new(ruleset, "custom", seed=seed, deck0=decks[0], deck1=decks[1])
        tellers = [Teller(viewer) for viewer in range(2)]
        while not game.over:
            token = rng.choice(game.legal())
            found = moments(game, game.legal_ids()[game.legal().index(token)])
            for viewer, teller in enumerate(tellers):
                text = "\n".join(line.text for line in teller.tell(game, token))
                q = 1 - viewer
                seen = int(found[0].before.seen[q])
                for moment in found:
                    seen |= int(moment.after.seen[q])
                for card, name in enumerate(NAMES):
                    if name in decks[q] and teller.names.card(card) in text:
                        checked += 1
                        assert seen >> card & 1, (name, text)
            game.play(token)
    assert checked > 50


def test_the_rendered_screen_hides_the_opponents_cards(new, tmp_path):
    """The same table with other hidden cards gives the same picture; what the log names is tested above."""
    session = new(seed=6)
    rng = random.Random(2)
    while session.moves < 20:
        if session.my_turn:
            session.choose(rng.choice(session.asked.legal()))
        else:
            session.opponent_plays(session.opponent_thinks())
    session.undo()
    while not session.my_turn:
        session.opponent_plays(session.opponent_thinks())
    pictures = []
    for seed in (None, 1, 2):
        if seed is not None:
            redrawn = session.game.determinize(session.seat, seed)
            assert redrawn.to_text() != session.game.to_text()
            session.game._games[:] = redrawn.records()

        async def script(pilot):
            pictures.append(screen(pilot.app))

        run(PlayApp(session), script)
    assert pictures[0] == pictures[1] == pictures[2]
    assert "▒▒" in "".join(pictures[0]) or session.game.state.bulwarks[1 - session.seat] == 0


# ---- watching -------------------------------------------------------------------------------------------------------


def test_watching_agents(tmp_path):
    show = Show.live("8.0-lite", None, ("random", "ismcts:iterations=5"), 1)
    app = WatchApp(show, speed=0.05)

    async def script(pilot):
        await pilot.press("space")
        assert not app.running
        for _ in range(4):
            await pilot.press("right")
            await settle(pilot)
        assert show.now == 4
        there = screen(app)
        assert "P0 random" in there[0] and "ismcts:iterations=5" in there[0]
        assert "move 4 " in "\n".join(there) and "paused" in "\n".join(there)
        await pilot.press("left", "left")
        assert show.now == 2
        await pilot.press("right", "right")
        await settle(pilot)
        await pilot.press("plus", "plus", "minus")
        assert app.speed == 0.25
        await pilot.press("v")
        assert "seen by P0" in "\n".join(screen(app)) and "▒▒" in "\n".join(screen(app))
        await pilot.press("v", "v")
        assert "all hands shown" in "\n".join(screen(app)) and "▒▒" not in "\n".join(screen(app)[:8])
        await pilot.press("home")
        assert show.now == 0
        await pilot.press("end")
        assert show.now == len(show.frames) - 1
        await pilot.press("q")

    run(app, script)


def test_watching_runs_by_itself():
    show = Show.live("8.0-lite", None, ("random", "random"), 1)
    app = WatchApp(show, speed=100)

    async def script(pilot):
        for _ in range(2000):  # a busy machine draws the last line later than the rest
            if not app.running and "wins" in "\n".join(screen(app)):
                break
            await pilot.pause(0.01)
        assert show.frames[-1].game.over and not app.running
        assert "wins" in "\n".join(screen(app))

    run(app, script)


def test_watching_a_record(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    assert main(["demo", "--seed", "4", "--ruleset", "6.1-std", "--save", str(path)]) == 0
    capsys.readouterr()
    record = load(path)[0]
    show = Show.of_record(record, language="ja")
    positions = [show.game.to_text()]
    while show.forward():
        positions.append(show.game.to_text())
    assert positions == [record.start().to_text(), *(step.after.to_text() for step in record.steps())]
    assert main(["watch", str(path), "--plain"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith("turn —") and "wins" in told[-1]
    assert [line.text for line in Show.of_record(record).log(None)] == told[:1]


def test_a_searched_life_is_told_as_it_was_recorded():
    """A shuffle is replayed from the record, so a card drawn from it by a forced move has its right name."""
    teller = Teller(0)
    game = Game.from_text(
        BASE.format(rules="8.0-lite", chance=0, hand0="X1 9d", field0="-", hand1="-", field1="-", more="")
    )
    game.play("search")
    after = ("2d", "Js", "6d")
    chance = [("shuffle", 0, after)]
    teller.tell(game, "8s", chance)
    trial = game.copy()
    trial.step_with_shuffle(game.legal_ids()[0], after)
    assert trial.last_shuffle == (0, after)
    assert trial.last_random == chance
    assert [m.after.life[0].tolist() for m in moments(game, game.legal_ids()[0], chance)][-1] == trial.state.life[
        0
    ].tolist()


# ---- the commands ---------------------------------------------------------------------------------------------------


@pytest.fixture
def ka(capsys, monkeypatch):
    """Run `ka` with these words and lines of input; returns exit code, stdout, stderr."""

    def go(*args, answers=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        monkeypatch.setenv("KA_QUIET", "1")
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return code, out, "\n".join(line for line in err.splitlines() if "compiling" not in line)

    return go


@pytest.mark.parametrize("command", ["play", "watch"])
def test_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert f"usage: ka {command}" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["en", "ja"])
def test_plain_game(ka, tmp_path, language):
    path = tmp_path / "plain.ka"
    options = ["--seed", 3, "--seat", "first", "--lang", language, "--plain"]
    answers = ["nonsense", "99", "s", "u", "v", "h", *ANYTHING]
    code, out, err = ka("play", "--save", path, "--hint", "random", *options, answers=answers)
    assert (code, err) == (0, "")
    assert load(path)[0].replay().over
    said = words.TABLES[language]
    assert said["undone"] in out and said["what"].format(text="nonsense") in out
    assert f"ka view {path}" in out


def test_plain_game_goes_on(ka, tmp_path):
    path = tmp_path / "plain.ka"
    code, out, _ = ka("play", "--save", path, "--seed", 3, "--seat", "first", "--plain", answers=["s", "1", "q"])
    assert code == 0 and f"ka play --resume {path}" in out
    assert "soldier 9h" in path.read_text(encoding="utf-8")
    code, out, _ = ka("play", "--resume", path, "--plain", answers=ANYTHING)
    assert code == 0 and load(path)[0].replay().over


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["play", "--plain", "--opponent", "randon"], "did you mean 'random'?"),
        (["play", "--plain", "--opponent", "ismcts:iterations=0"], "at least one iteration"),
        (["play", "--plain", "--hint", "ismct"], "did you mean 'ismcts'?"),
        (["play", "--plain", "--save", "game.txt"], "ends with .ka"),
        (["play", "--plain", "--save", "{old}"], "already"),
        (["play", "--plain", "--resume", "{missing}"], "missing.ka"),
        (["play", "--plain", "--resume", "{broken}"], "broken.ka"),
        (["play", "--plain", "--resume", "{old}"], "this game is over"),
        (["play", "--plain", "--resume", "{agents}"], "--seat first"),
        (["play", "--plain", "--resume", "{old}", "--seed", "1"], "--seed is for a new game"),
        (["play"], "--plain"),
        (["watch", "random", "random"], "--plain"),
        (["watch", "--plain", "random"], "two agents"),
        (["watch", "--plain", "random", "randon"], "did you mean 'random'?"),
        (["watch", "--plain", "a", "b", "c"], "not 3 names"),
        (["watch", "--plain", "{missing}"], "missing.ka"),
        (["watch", "--plain", "{broken}"], "broken.ka"),
        (["watch", "--plain", "{old}", "--game", "2"], "holds 1 games"),
        (["watch", "--plain", "{old}", "--speed", "0"], "--speed 0"),
        (["watch", "--plain", "random", "random", "--save", "x.txt"], "ends with"),
    ],
)
def test_bad_input_gets_one_clear_error(ka, tmp_path, args, complaint, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {name: tmp_path / f"{name}.ka" for name in ("old", "missing", "broken", "agents")}
    if any("{old}" in arg for arg in args):
        assert ka("demo", "--save", files["old"])[0] == 0
    files["broken"].write_text("[ruleset 8.0-lite]\nnonsense\n", encoding="utf-8")
    if any("{agents}" in arg for arg in args):
        show = Show.live("8.0-lite", None, ("random", "random"), 1)
        show.forward()
        save(files["agents"], [show.recorder.record()])
    code, _, err = ka(*[arg.format(**files) for arg in args])
    assert code == 2
    assert complaint in err and len(err.splitlines()) == 1


def test_a_missing_extra_is_named(ka, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "textual"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)
    for args in (["play"], ["watch", "random", "random"]):
        code, _, err = ka(*args)
        assert code == 2 and install_extra("play") in err


def test_watch_saves_what_it_showed(ka, tmp_path):
    path = tmp_path / "watched.ka"
    code, out, _ = ka("watch", "random", "random", "--seed", 4, "--plain", "--save", path)
    assert code == 0 and "wins" in out
    assert load(path)[0].replay().over and load(path)[0].headers["players"] == "random random"


def test_seats(tmp_path):
    for seed in range(4):
        for seat, begins in (("first", True), ("second", False)):
            session = Session.new("8.0-lite", None, "random", tmp_path / f"{seat}{seed}.ka", seat, seed)
            assert (session.game.turn == session.seat) == begins
    with pytest.raises(PlayError, match="did you mean 'first'"):
        Session.new("8.0-lite", None, "random", tmp_path / "x.ka", "frist", 1)


# ---- the tables of words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tables", [phrases.LANGUAGES, words.TABLES])
def test_languages_say_the_same(tables):
    def fields(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, japanese = tables["en"], tables["ja"]
    assert list(english) == list(japanese)
    for key in english:
        assert fields(english[key]) == fields(japanese[key]) or key in ("with", "draws"), key


def test_every_decision_and_action_has_its_words():
    for language, table in phrases.LANGUAGES.items():
        assert {f"ask {kind}" for kind in KINDS} <= set(table)
        answers = {key.split()[1] for key in table if key.startswith("did ")}
        assert answers == set(KINDS)
        for verb in [*VERBS, *TRIGGERED]:
            assert phrases.verb_name(verb, language)
    assert phrases.verb_name("counter", "ja") == "カウンター"


def test_the_log_is_scrolled_to_its_end(new):
    session = new()
    app = PlayApp(session)
    rng = random.Random(0)

    async def script(pilot):
        while session.moves < 24:
            await pilot.press(rng.choice(screen_keys(session.choices())))
            await settle(pilot)
        assert not session.over
        log = app.query_one(Log)
        assert log.max_scroll_y > 0 and log.scroll_y == log.max_scroll_y
        await pilot.press("pageup")
        await pilot.pause()
        assert log.scroll_y < log.max_scroll_y

    run(app, script)
