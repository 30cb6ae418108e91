"""`ka play` for somebody who learns the game: nothing is hidden, every choice says what it brings, `?` teaches."""

import io
import random
import re
import string
import sys

import numba
import pytest

from ka_env import Game
from ka_env.agents.levels import WORDS, default_hint, default_opponent, levels
from ka_env.blackpoker.codes import VERBS
from ka_env.blackpoker.people import effects
from ka_env.blackpoker.people import teaching as blackpoker_teaching
from ka_env.blackpoker.people.screens import board as draw_board
from ka_env.blackpoker.people.screens import label
from ka_env.blackpoker.rulesets import actions_of
from ka_env.bluemoon.people import teaching as bluemoon_teaching
from ka_env.cli import COMMANDS, main
from ka_env.commands import play as play_command
from ka_env.games import Setup, all_rulesets, game_of
from ka_env.record import load
from ka_env.screen import words
from ka_env.screen.compiling import told_when_compiling
from ka_env.screen.plain import PlainGame, wrapped
from ka_env.screen.session import HUMAN, PlayError, Session, Show, opponent_named

textual = pytest.importorskip("textual")

from ka_env.screen.app import LETTERS, PlayApp, screen_keys  # noqa: E402
from ka_env.screen.watching import WatchApp  # noqa: E402
from ka_env.screen.widgets import Board, Log, Message  # noqa: E402

from .pilot import press, run, screen, settle  # noqa: E402

LANGUAGES = ["en", "ja"]
GAMES = [("8.0-lite", "entry20"), ("base", "khind-buka")]
PLAYED = ["8.0-lite", "8.0-mast", "6.1-mast", "8.0-pro+strategy", "8.0-lite+setup", "base", "base+opt", "base/match"]
COMMAND_KEYS = set("hmquvw")
BASE = """ka 1
rules {rules}
turn {turn}
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


@pytest.fixture
def new(tmp_path):
    """Deal a session."""

    def deal(ruleset="8.0-lite", frame=None, opponent="random", seat="first", seed=3, **options):
        path = tmp_path / f"game{game_of(ruleset).suffix}"
        return Session.new(ruleset, frame, opponent, path, seat, seed, **options)

    return deal


def at(position="", rules="8.0-lite", turn=0, chance=0, hand0="-", hand1="-", field0="-", field1="-"):
    parts = {"hand0": hand0, "hand1": hand1, "field0": field0, "field1": field1, "more": position}
    return Game.from_text(BASE.format(rules=rules, turn=turn, chance=chance, **parts))


def told(game, token, language="en"):
    return effects.effect(game, token, game.player, language)


# ---- nothing is hidden ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(110, 36), (80, 24)])
def test_all_choices_are_shown(new, size):
    """The first decision of seed 11 has 11 choices; the strongest ones stand last."""
    session = new(seed=11)

    async def script(pilot):
        lines = screen(pilot.app)
        assert len(lines) <= size[1]
        choices = session.choices()
        assert len(choices) == 11 and choices[-1].token == "throw"
        for key, choice in zip(screen_keys(choices), choices):
            assert f"{key} {choice.label}" in [line.strip() for line in lines], lines
        hand = next(line for line in lines if line.startswith(" hand"))
        assert len(hand.split("│")[0].split()) == 9  # the word and eight cards
        assert session.effect("pass") in " ".join(lines)

    run(PlayApp(session), script, size)


@pytest.mark.parametrize("size", [(110, 40), (80, 24)])
def test_a_long_list_takes_the_rows_that_the_board_leaves(new, size):
    """A search offers the whole life."""
    game = Game.new("8.0-std", "full54", seed=1)
    session = new("8.0-std", "full54", seed=1)
    session.game._games[:] = Game.from_text(with_joker(game)).records()
    session.game._outputs.action_mask[:] = Game.from_text(with_joker(game)).action_mask()
    session.seat = 0

    async def script(pilot):
        await press(pilot, "f")
        app = pilot.app
        assert len(session.choices()) > 40
        options, table = app.query_one("#choices"), app.query_one(Board)
        assert options.size.height >= size[1] // 2
        assert table.size.height <= max(table.lines + 2, size[1] - size[1] // 2 - 4)
        shown = [line for line in screen(app) if re.match(r"[0-9a-z] (\d+|[AJQK])[♠♥♦♣]", line)]
        assert len(shown) >= min(options.size.height, 20)

    run(PlayApp(session), script, size)


def with_joker(game):
    """The same position with player 0 on turn and a Joker in hand."""
    text = game.to_text()
    text = re.sub(r"turn \d", "turn 0", re.sub(r"chance \d", "chance 0", text))
    zone = next(name for name in ("life0", "hand0") if "X1" in re.search(rf"{name} (.*)", text)[1])
    if zone == "life0":
        text = re.sub(r"(life0.*) X1", r"\1", text)
        text = re.sub(r"hand0 (.*)", r"hand0 \1 X1", text)
    return text


def test_the_log_has_room(new):
    async def script(pilot):
        width = pilot.app.query_one(Log).size.width
        assert width >= 0.4 * pilot.app.size.width
        assert pilot.app.query_one(Board).size.width >= 44

    for size in ((80, 24), (110, 36)):
        run(PlayApp(new(seed=size[0])), script, size)


# ---- what a choice brings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", PLAYED)
def test_every_choice_says_what_it_brings(ruleset):
    """In both languages, in one line, and the same whatever the hidden cards are."""
    setup = Setup.of(ruleset)
    people = setup.game.room("people")
    rng = random.Random(5)
    for seed in range(2):
        game = setup.game.Game.deal(setup, seed)
        while not game.over:
            p = game.player
            assert sorted(people.choices(game)) == sorted(game.legal())
            other = game.determinize(p, rng.randrange(2**32)) if rng.random() < 0.1 else None
            for token in game.legal() if rng.random() < 0.4 else ():
                for language in LANGUAGES:
                    text = people.effect(game, token, p, language)
                    assert text and "\n" not in text and "{" not in text, (game.decision, token)
                    assert language == "en" or not re.search("[A-Za-z]{3,}", text), text
                    if other is not None and not game.setting_up:
                        assert people.effect(other, token, p, language) == text
            game.play(rng.choice(game.legal()))


@pytest.mark.parametrize(
    ("game", "tokens", "choice", "expected"),
    [
        (at(hand0="7h 9c", field0="0:s3d 1:s4d"), "up", "u1", "Its size goes from 4 to 11."),
        (at(hand0="4s 9c", field0="0:s3d", field1="0:s9d"), "down", "u0", "Its size goes from 3 to -1: it dies."),
        (at(hand0="4s 9c", field0="0:s3d", field1="0:s9d"), "down", "e0", "Its size goes from 9 to 5."),
        (at(hand0="4s 5s 9c"), "throw", "5s", "5 damage to the opponent."),
        (at(hand0="4h 5h", field0="0:b2s"), "soldier", "5h", "A soldier of size 5."),
        (at(field0="0:s4h 1:s5h"), "attack", "u1", "It attacks with size 5 and is driven"),
        (at(field0="0:s4h 1:s5h"), "attack", "done", "Nobody attacks, and the attack of this turn is gone."),
        (at(field0="0:s4h 1:s5h"), "attack u0", "done", "That is all"),
        (at(field0="0:s4h", field1="0:s9d"), "attack u0", "u0", "9 against 4: the attacker dies."),
        (
            at(field0="0:s4h", field1="0:s3d 1:sAs"),
            "attack u0",
            "u0",
            "3 against 4: your side dies, unless more block.",
        ),
        (at(field0="0:s4h", field1="0:s3d 1:sAs"), "attack u0 u0", "u1", "4 against 4: both sides die."),
        (at(field0="0:s4h", field1="0:b4d"), "attack u0", "u0", "so does the attacker: the numbers match."),
        (at(field0="0:s4h", field1="0:b5d"), "attack u0", "u0", "The attacker lives, but does no damage."),
        (at(field0="0:s4h", field1="0:b4d"), "attack u0", "done", "4 damage: your life goes from 5 to 1."),
        (at(field0="0:s4h"), "end", "yes", "a life card less: 4 → 3."),
    ],
)
def test_effects_tell_the_numbers(game, tokens, choice, expected):
    game.play(tokens)
    assert choice in game.legal(), (game.decision, game.legal())
    assert expected in told(game, choice), told(game, choice)


def test_a_counter_says_whether_it_is_high_enough():
    stage = "stage 0:0.down(3s)>0.0 1:0.up(Th)>0.0\n"
    game = at(stage, chance=1, hand1="5c 9d", field0="0:s9h")
    game.play("counter")
    assert told(game, "#0") == "It is cancelled, if nobody answers."
    assert told(game, "#1") == "Your 5 is too low: nothing happens."


def test_passing_says_what_it_leads_to():
    game = at(hand0="7h 9c", hand1="4h 8c", field0="0:s3d", field1="0:s4d")
    assert label(game, "pass", 0) == "Pass: the opponent may act, then you again"
    game.play("attack")
    assert label(game, "pass", 0) == "Pass: Attack goes on unless the opponent answers"
    assert told(game, "pass").startswith("Attack happens unless the opponent answers. Name soldiers")
    game.play("pass")
    assert label(game, "pass", 1) == "Pass: Attack resolves"
    assert told(game, "pass") == "Attack happens now. The opponent names soldiers to attack with; then you may block."
    game = at("stage 0:0.throw(4s,4c)\n", chance=1, hand1="4h 8c 3c", field1="0:s4d")
    assert told(game, "pass").endswith("You take 4 damage: your life goes from 5 to 1.")
    game = at(hand0="7h 9c", hand1="4h 8c", field0="0:s3d", field1="0:s4d")
    game.play("pass")
    assert label(game, "pass", 1) == "Pass: the opponent goes on"


def test_costs_are_counted():
    game = at(hand0="Kh", field0="0:b2s 1:b3s")
    assert label(game, "hero", 0) == "Hero: key K♥, pay 2 bulwarks, 1 life"
    assert label(game, "hero", 0, "ja") == "英雄召喚: キー K♥、コスト 防壁2、ライフ1"


def test_a_retreat_says_what_it_costs():
    """Played out, it costs what was said."""
    checked = set()
    for seed in range(12):
        setup = Setup.of("base", "random")
        game, rng = setup.game.Game.deal(setup, seed), random.Random(seed)
        while not game.over:
            if "retreat" in game.legal():
                text = bluemoon_teaching.effect(game, "retreat", game.player)
                after, p = game.copy(), game.player
                after.play("retreat")
                if after.over:
                    assert text == bluemoon_teaching.ENGLISH["effect retreat loses"]
                elif after.state.fight == 0:
                    gained = [int(s.dragons[1 - p]) - int(s.dragons[p]) for s in (game.state, after.state)]
                    n = gained[1] - gained[0]
                    assert {0: "no dragon", 1: "one dragon"}.get(n, f"{n} dragons") in text
                    checked.add(n)
            game.play(rng.choice(game.legal()))
    assert {1, 2} <= checked


@pytest.mark.parametrize(("ruleset", "frame"), GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_says_what_the_highlighted_choice_brings(new, ruleset, frame, language):
    session = new(ruleset, frame, seed=11, language=language)

    def squeezed(text):
        return "".join(text.split())

    async def script(pilot):
        for place, choice in enumerate(session.choices()):
            text = squeezed("".join(screen(pilot.app)[-4:]))
            assert squeezed(session.effect(choice.token)) in text, (place, text)
            await press(pilot, "down")

    run(PlayApp(session), script)


# ---- the game in short ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", all_rulesets())
def test_the_lesson_names_everything(ruleset):
    people = game_of(ruleset).room("people")
    for language in LANGUAGES:
        text = people.lesson(ruleset, language)
        assert "{" not in text and ruleset in text and "ka glossary" in text
    if game_of(ruleset).name == "blackpoker":
        japanese, english = people.lesson(ruleset, "ja"), people.lesson(ruleset, "en")
        verbs = [action for action in actions_of(ruleset) if action.verb in VERBS]
        assert len(verbs) >= 14
        for action in verbs:
            assert f" {action.official}" in japanese
            assert blackpoker_teaching.ENGLISH[f"does {action.verb}"] in english
        for word in ("Goal.", "Stage and chance.", "Fights."):
            assert word in english
    else:
        english = people.lesson(ruleset, "en")
        assert "Goal." in english and "RETRIEVE" in english
        assert ("REPLACE" in english) == ("+opt" in ruleset) and ("five crystals" in english) == ("match" in ruleset)


@pytest.mark.parametrize(("ruleset", "frame"), GAMES)
def test_help_teaches(new, ruleset, frame):
    session = new(ruleset, frame)

    async def script(pilot):
        await press(pilot, "question_mark")
        first = "\n".join(screen(pilot.app))
        assert "Goal." in first and "in short" in first
        for _ in range(12):
            await press(pilot, "pagedown")
        last = "\n".join(screen(pilot.app))
        assert "On the board" not in first and "quit; the game is saved" in last
        assert ("until something happens" in last) == (ruleset == "8.0-lite")
        await press(pilot, "escape")
        assert len(pilot.app.screen_stack) == 1

    run(PlayApp(session), script)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("ruleset", "frame"), GAMES)
def test_plain_help_teaches(new, ruleset, frame, language):
    session = new(ruleset, frame, language=language)
    choices = session.choices()
    answers = iter(["?", f"? {choices[-1].key}", f"?{choices[0].key}", "? zz", "q"])
    lines = []
    PlainGame(session, lambda prompt: next(answers), lines.append).run()
    page = next(line for line in lines if "\n\n" in line)
    assert wrapped(session.lesson()) in page and wrapped(session.people.LEGEND[language]) in page
    for choice in choices:
        assert any(choice.label in line and session.effect(choice.token) in line for line in lines)
    assert lines.count(session.effect(choices[-1].token)) == 1 and lines.count(session.effect(choices[0].token)) == 1
    assert say_what("? zz", language) in lines


def say_what(text, language):
    return words.say(language, "what", text=text)


@pytest.mark.parametrize("tables", [blackpoker_teaching.TEACHING, bluemoon_teaching.TEACHING])
def test_languages_teach_the_same(tables):
    def fields(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, japanese = tables["en"], tables["ja"]
    assert list(english) == list(japanese)
    for key in english:
        assert fields(english[key]) == fields(japanese[key]), key
        assert not re.search("[A-Za-z]{3,}", re.sub(r"\{\w+\}|ka \w+|--\w+|bluemoon|BlackPoker", "", japanese[key])), (
            key
        )


# ---- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", PLAYED)
def test_keys_are_fixed_and_differ(new, ruleset):
    people = game_of(ruleset).room("people")
    assert not COMMAND_KEYS & set(people.KEYS.values()) and not COMMAND_KEYS & set(LETTERS)
    session, rng = new(ruleset, seed=2), random.Random(2)
    for _ in range(150):
        if session.over:
            break
        if not session.my_turn:
            session.opponent_plays(session.opponent_thinks())
            continue
        choices = session.choices()
        keys = [key for key in screen_keys(choices) if key.strip()]
        assert len(set(keys)) == len(keys) and not COMMAND_KEYS & set(keys)
        assert len({choice.key for choice in choices}) == len(choices)
        for key, choice in zip(screen_keys(choices), choices):
            assert people.KEYS.get(choice.token, key) == key
        session.choose(rng.choice(choices).token)
    assert people.KEYS["done"] == "d"


def test_frequent_choices_have_their_letters():
    assert [effects.KEYS[verb] for verb in ("pass", "end", "attack", "bulwark", "soldier")] == list("peabs")


def test_nobody_attacks_is_no_slip(new):
    """It stands last, under no key that elsewhere passes; once somebody is named, being done comes first."""
    game = at(field0="0:s4h 1:s5h 2:s6h", field1="0:s9h 1:s8h")
    game.play("attack")
    assert effects.KEYS["done"] != effects.KEYS["pass"]
    people = game.about.room("people")
    assert people.choices(game) == ["u0", "u1", "u2", "done"]
    assert people.label(game, "done", 0) == "Nobody attacks (no attack this turn)"
    game.play("u0")
    assert people.choices(game) == ["done", "u1", "u2"]
    assert people.label(game, "done", 0) == "Done: no more attackers"
    game.play("done")
    assert people.choices(game) == ["u0", "u1", "done"]
    assert people.label(game, "done", 1) == "Nobody blocks it"
    game.play("u0")
    assert people.choices(game) == ["done", "u1"]


# ---- passing on -----------------------------------------------------------------------------------------------------


def test_waiting_stops_where_something_happens():
    calm = at("stage 0:0.end\n", turn=0, chance=1, hand1="4h 8c", field1="0:s4d")
    assert effects.waiting(None, calm, 1, "event") == effects.waiting(calm, calm, 1, "event") == "pass"
    attack = at("stage 0:0.attack\n", turn=0, chance=1, hand1="4h 8c", field1="0:s4d")
    assert effects.waiting(calm, attack, 1, "event") == ""
    assert effects.waiting(None, attack, 1, "event") == "pass"  # it was there when the wait began
    assert effects.waiting(calm, attack, 1, "turn") == "pass"
    mine = at(hand0="4h 8c", field0="0:s4d")
    assert effects.waiting(None, mine, 0, "event") == effects.waiting(None, mine, 0, "turn") == ""
    mine.play("attack")
    assert effects.waiting(None, mine, 0, "event") == "pass"
    question = at(field0="0:s4h 1:s5h")
    question.play("attack")
    assert question.decision == "attackers" and effects.waiting(None, question, 0, "turn") == ""


def my_main_moment(session):
    game = session.game
    return game.turn == session.seat and game.decision == "chance" and game.state.stage_count == 0


@pytest.mark.parametrize("seed", [1, 4, 6])
def test_to_my_turn(new, seed):
    """End, then one key: all chances of the opponent's turn are passed, only questions stop it."""
    session = new(seed=seed, opponent="random")

    async def script(pilot):
        await press(pilot, "m")
        assert words.say("en", "no wait") in "\n".join(screen(pilot.app))
        await press(pilot, "e")
        while not session.over and not my_main_moment(session):
            if session.asked.decision == "chance":
                await press(pilot, "m")
                assert session.over or my_main_moment(session) or session.asked.decision != "chance"
            else:
                await press(pilot, screen_keys(session.choices())[0])

    run(PlayApp(session), script)
    assert session.moves > 2


def test_wait_by_key_and_in_lines(new):
    session = new(seed=4)

    async def script(pilot):
        await press(pilot, "e")
        while not session.over and not my_main_moment(session):
            before = session.game.copy()
            if session.asked.decision == "chance":
                await press(pilot, "w")
                stage = session.game.state.stage_count
                ours = session.over or session.asked.decision != "chance" or my_main_moment(session)
                assert ours or stage == 0 or effects._top(session.game) != effects._top(before)
            else:
                await press(pilot, screen_keys(session.choices())[0])

    run(PlayApp(session), script)
    again = new(seed=4, opponent="random")
    answers = iter(["w", "e", *["m", "d", "1", "n"] * 30])
    lines = []
    game = PlainGame(again, lambda prompt: next(answers, "q"), lines.append)
    game.run()
    assert words.say("en", "no wait") in lines and again.moves > 5


def test_a_game_without_passing_has_no_such_keys(new):
    session = new("base", "khind-buka")
    assert not session.can_wait

    async def script(pilot):
        footer = screen(pilot.app)[-1]
        assert "Wait" not in footer and "Hint" in footer

    run(PlayApp(session), script)


def test_a_game_that_begins_with_choices_can_be_played(new, capsys):
    """Before the deal there is no position, so nothing is saved; afterwards all is as usual."""
    session = new("8.0-pro+strategy", seed=2)
    assert not session.path.exists()
    play_command.farewell(session)
    assert "nothing saved" in capsys.readouterr().out

    async def script(pilot):
        while session.game.setting_up:
            assert session.question().split("?")[0] in "\n".join(screen(pilot.app))
            await press(pilot, screen_keys(session.choices())[0])
        assert session.path.exists() and session.choices()

    run(PlayApp(session), script)
    assert Session.resume(session.path).game.to_text() == session.game.to_text()


# ---- opponents and hints --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "frame"), GAMES)
def test_defaults_are_a_sensible_opponent_and_the_best_hint(new, ruleset, frame):
    session = new(ruleset, frame, opponent=None)
    assert session.opponent.spec == default_opponent(ruleset, frame) != "random"
    assert session.hint_name == default_hint(ruleset, frame)
    assert session.opponent_title == f"Medium ({session.opponent.spec})"
    strong = new(ruleset, frame, opponent="strong", language="ja")
    assert strong.opponent.spec == next(level.spec for level in levels(ruleset, frame) if level.word == "strong")
    assert strong.opponent_title.startswith("強い")
    assert load(strong.path)[0].headers["players"].split()[1 - strong.seat] == strong.opponent.spec


def test_a_hint_needs_no_waiting(new):
    session = new(seed=11)
    assert session.hint_name.startswith("policy:")
    assert session.hint(session.as_known()) in session.asked.legal()


def test_names_of_levels_are_looked_up():
    assert opponent_named("beginner", "8.0-lite", None) == "random"
    with pytest.raises(PlayError, match=r"levels are beginner, easy.*did you mean 'medium'"):
        opponent_named("mediun", "8.0-lite", None)


def test_help_lists_the_levels(capsys):
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    out = capsys.readouterr().out
    for ruleset in ("8.0-lite", "base"):
        for level in levels(ruleset):
            assert re.search(rf"{level.word} +{re.escape(level.spec)}: {re.escape(level.strength())}", out)
    assert "(default)" in out and all(word in out for word in WORDS)


def test_watching_levels():
    show = Show.live("8.0-lite", None, ("beginner", "medium"), 1)
    assert show.names == ("random", "greedy")

    async def script(pilot):
        await press(pilot, "question_mark")
        assert "one move forward" in "\n".join(screen(pilot.app))
        seen = ""
        for _ in range(3):
            await press(pilot, "pagedown")
            seen += "\n".join(screen(pilot.app))
        assert "Stage and chance." in seen

    run(WatchApp(show, speed=0.05), script)


def test_a_hint_that_has_to_be_compiled_says_so(new, monkeypatch):
    session = new(seed=11)
    seen = []

    def slow(game):
        numba.njit(lambda x: x + 1)(len(seen))
        seen.append("\n".join(app.call_from_thread(screen, app)))
        return session.asked.legal()[0]

    monkeypatch.setattr(session, "hint", slow)
    app = PlayApp(session)

    async def script(pilot):
        await press(pilot, "h")
        assert "being compiled for its first hint" in seen[0]
        assert "being compiled" not in "\n".join(screen(app)) and "Hint from" in "\n".join(screen(app))

    run(app, script)


def test_compiling_is_told_once():
    said = []
    with told_when_compiling(lambda: said.append("now")):
        assert said == []
        numba.njit(lambda x: x + 2)(1)
        numba.njit(lambda x: x + 3)(1)
    numba.njit(lambda x: x + 4)(1)
    assert said == ["now"]


def test_a_hint_that_comes_too_late_says_so(new):
    session = new(seed=11)
    app = PlayApp(session)

    async def script(pilot):
        app._thinking = "busy"
        app.show_hint("pass", "", [], session.moves - 1)
        await pilot.pause()
        assert "came too late" in "\n".join(screen(app))

    run(app, script)


def test_other_keys_leave_the_word_of_the_busy_hint(new):
    session = new(seed=11)
    app = PlayApp(session)

    async def script(pilot):
        app._thinking = words.say("en", "hint thinking", agent="somebody")
        await press(pilot, "u")
        await pilot.pause()
        assert "somebody is thinking about a hint" in "\n".join(screen(app))

    run(app, script)


# ---- the end --------------------------------------------------------------------------------------------------------


def finished(session):
    rng = random.Random(1)
    while not session.over:
        if session.my_turn:
            session.choose(rng.choice(session.asked.legal()))
        else:
            session.opponent_plays(session.opponent_thinks())
    return session


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_names_the_viewer_and_a_rematch(new, language):
    app = PlayApp(finished(new(language=language)))

    async def script(pilot):
        assert isinstance(app.screen, Message)
        text = "\n".join(screen(app))
        assert "ka view FILE" in text and "ka watch FILE" in text and "r: " in text
        assert ("ka analyse" in text) == ("analyse" in COMMANDS)
        await press(pilot, "escape")
        assert "r: " in "\n".join(screen(app))
        await press(pilot, "r")

    run(app, script)
    assert app.rematch


def test_leaving_is_no_rematch(new):
    app = PlayApp(finished(new()))

    async def script(pilot):
        await settle(pilot)
        await press(pilot, "q")

    run(app, script)
    assert not app.rematch


def test_a_rematch_swaps_the_seats(new, tmp_path):
    session = new(seat="first", opponent="medium", language="ja", hint="random")
    again = session.rematch(tmp_path / "again.ka")
    assert session.began and not again.began and again.game.turn != again.seat
    assert (again.opponent.spec, again.hint_name, again.language) == (session.opponent.spec, "random", "ja")
    assert again.rematch(tmp_path / "third.ka").began


@pytest.mark.parametrize(("ruleset", "suffix"), [("8.0-lite", ".ka"), ("base", ".bm")])
def test_rematch_in_lines_and_names_of_saves(ruleset, suffix, tmp_path, monkeypatch, capsys):
    """Games saved by default have the suffix of their game, each a file of its own."""
    monkeypatch.setattr(play_command.platformdirs, "user_data_dir", lambda name: str(tmp_path))
    monkeypatch.setenv("KA_QUIET", "1")
    answers = iter("p1edfrnxaybzc" * 3000)
    asked = []

    def answer(prompt):
        asked.append(prompt)
        if prompt == words.say("en", "again"):
            return "r" if sum(p == prompt for p in asked) == 1 else ""
        return next(answers)

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    args = ["play", "--plain", "--ruleset", ruleset, "--seed", "3", "--seat", "first", "--opponent", "beginner"]
    assert main(args) == 0
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 2 and {path.suffix for path in files} == {suffix}
    records = [load(path)[0] for path in files]
    assert all(record.replay().over for record in records)
    begins = [record.headers["players"].split()[record.start().turn] for record in records]
    assert sorted(begins) == sorted([HUMAN, "random"])
    assert {record.headers["seed"] for record in records} == {"3", "4"}
    out = capsys.readouterr().out
    for path in files:
        assert f"ka view {path}" in out


def test_a_missing_file_is_named_without_a_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for args in (["watch", "nosuch.ka"], ["play", "--resume", "nosuch.ka"]):
        assert main(args) == 2
        assert "nosuch.ka" in capsys.readouterr().err


def test_boards_of_other_widths_keep_their_lines(new):
    """The wider log leaves boards of 44 columns at 80: lines fold, none is cut."""
    session = new(seed=11)
    for line in draw_board(session.game, session.seat, "ja", 44):
        assert sum(len(span.text) for span in line) <= 44
