"""The help of every subcommand; show, perft, rules and glossary in full, through the `ka` command itself."""

import argparse
import io
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import ka_env.blackpoker
from ka_env import Game
from ka_env.blackpoker import RULESETS
from ka_env.blackpoker.codes import TRIGGERED, VERBS
from ka_env.blackpoker.deal import FRAMES
from ka_env.blackpoker.people.board import board_text
from ka_env.blackpoker.people.glossary import ENTRIES, SECTIONS
from ka_env.blackpoker.rulesets import actions_of
from ka_env.cli import COMMANDS, main
from ka_env.engine.perft import breakdown, perft
from ka_env.hints import install_extra

NOT_A_MOVE = {"charge", "succession"}  # they resolve at once when triggered


@pytest.fixture
def ka(capsys):
    """Run `ka` with these words; returns exit code, stdout, stderr without the notice that rules are compiled."""

    def run(*words):
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert "\x1b" not in out + err
        return code, out, "\n".join(line for line in err.splitlines() if "compiling" not in line)

    return run


@pytest.fixture
def position_file(tmp_path):
    game = Game.new("6.1-std", "full54", seed=3)
    path = tmp_path / "position.txt"
    path.write_text(game.to_text(), encoding="utf-8")
    return path


def help_of(capsys, *words):
    with pytest.raises(SystemExit) as stop:
        main([*words, "--help"])
    assert stop.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def test_help_lists_every_command(capsys):
    text = help_of(capsys)
    modules = {path.stem for path in Path(import_module("ka_env.commands").__file__).parent.glob("[!_]*.py")}
    assert set(COMMANDS) == modules
    for name in COMMANDS:
        assert f" {name} {import_module(f'ka_env.commands.{name}').HELP}" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command(command, capsys):
    text = help_of(capsys, command)
    assert f"usage: ka {command}" in text
    module = import_module(f"ka_env.commands.{command}")
    assert " ".join(module.__doc__.split())[:40] in text  # what it does
    parser = argparse.ArgumentParser()
    module.arguments(parser)
    told = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    options = [option for action in told for option in action.option_strings]
    assert [option for option in options if option not in text] == []


def test_readme_names_every_command():
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"| `ka {name}` |" not in text] == []


def test_unknown_commands_are_refused(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["shwo"])
    assert stop.value.code == 2
    assert "invalid choice: 'shwo'" in capsys.readouterr().err


# ---- show -----------------------------------------------------------------------------------------------------------


def test_show_deals_a_game(ka):
    assert ka("show", "--seed", 5) == (0, board_text(Game.new("8.0-lite", "entry20", seed=5)), "")


def test_show_takes_ruleset_and_frame(ka):
    expected = board_text(Game.new("6.1-std", "half27", seed=2))
    assert ka("show", "--ruleset", "6.1-std", "--frame", "half27", "--seed", 2)[1] == expected
    assert ka("show", "--ruleset", "8.0-std")[1] == board_text(Game.new("8.0-std", "full54"))


def test_show_reads_a_file(ka, position_file):
    game = Game.from_text(position_file.read_text(encoding="utf-8"))
    assert ka("show", position_file)[1] == board_text(game)
    assert ka("show", position_file, "--viewer", 1)[1] == board_text(game, viewer=1)


def test_show_reads_standard_input(ka, position_file, monkeypatch):
    text = position_file.read_text(encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert ka("show", "-")[1] == board_text(Game.from_text(text))


def test_show_plays_random_moves(ka):
    start, later, again = (ka("show", "--moves", moves)[1] for moves in (0, 6, 6))
    assert start != later == again
    assert "Game over" in ka("show", "--moves", 100_000)[1]


def test_show_colors_only_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["show"])
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["show"])
    assert "\x1b[" not in capsys.readouterr().out


def test_show_writes_a_picture(ka, tmp_path):
    image = pytest.importorskip("PIL.Image")
    file = tmp_path / "board.png"
    assert ka("show", "--png", file, "--scale", 0.5) == (0, "", "")
    with image.open(file) as picture:
        assert picture.size == (640, 400)


def test_show_without_pillow(ka, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    code, _, err = ka("show", "--png", tmp_path / "board.png")
    assert code == 2
    assert install_extra("render") in err


@pytest.mark.parametrize("command", ["show", "perft"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ruleset", "8.0-lit"], "did you mean '8.0-lite'?"),
        (["--frame", "ful54"], "did you mean 'full54'?"),
        (["--frame", "custom"], "deck0 is missing"),
        (["no-such-file.txt"], "no-such-file.txt: No such file"),
    ],
)
def test_bad_positions_are_refused(ka, command, words, message):
    code, out, err = ka(command, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"ka {command}: ")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["show", "perft"])
def test_unreadable_positions_are_refused(ka, command, tmp_path, position_file):
    file = tmp_path / "bad.txt"
    file.write_text("ka 1\nrule 8.0-lite\n", encoding="utf-8")
    assert ka(command, file)[::2] == (2, f"ka {command}: position: line 2: unknown line 'rule'; did you mean 'rules'?")
    file.write_bytes(b"ka 1\n\xff\xfe")
    assert ka(command, file)[::2] == (2, f"ka {command}: {file} is no UTF-8 text")
    assert "has its own" in ka(command, position_file, "--ruleset", "8.0-lite")[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--png", "board.png", "--scale", "0"], "--scale must be above 0"),
        (["--png", "board.nonsense"], "must end with .png"),
    ],
)
def test_bad_pictures_are_refused(ka, words, message, tmp_path, monkeypatch):
    pytest.importorskip("PIL")
    monkeypatch.chdir(tmp_path)
    code, _, err = ka("show", *words)
    assert code == 2
    assert message in err


# ---- perft ----------------------------------------------------------------------------------------------------------


def test_perft_counts(ka, position_file):
    game = Game.from_text(position_file.read_text(encoding="utf-8"))
    code, out, _ = ka("perft", position_file, "--depth", 3)
    head, by_move = out.split("\n\n")
    assert code == 0
    assert [line.split() for line in head.splitlines()[1:]] == [[str(d), str(perft(game, d))] for d in (1, 2, 3)]
    assert [line.split() for line in by_move.splitlines()[1:]] == [[t, str(n)] for t, n in breakdown(game, 3).items()]


def test_perft_deals_a_game(ka):
    assert ka("perft", "--ruleset", "6.1-lite", "--seed", 4, "--depth", 1)[1].splitlines()[1].split() == [
        "1",
        str(len(Game.new("6.1-lite", "full54", seed=4).legal())),
    ]


def test_perft_of_a_finished_game(ka, tmp_path):
    game = Game.new()
    while not game.over:
        game.play(game.legal()[0])
    file = tmp_path / "over.txt"
    file.write_text(game.to_text(), encoding="utf-8")
    assert ka("perft", file, "--depth", 2)[1].split() == ["depth", "lines", "1", "1", "2", "1"]


def test_perft_refuses_bad_depths(ka):
    assert ka("perft", "--depth", 0)[::2] == (2, "ka perft: --depth must be at least 1, not 0")


# ---- rules ----------------------------------------------------------------------------------------------------------


def test_rules_lists_rulesets_and_frames(ka):
    code, out, _ = ka("rules")
    assert code == 0
    words = {line.split()[0] for line in out.splitlines() if line}
    assert {*RULESETS, *FRAMES} <= words


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def markdown_rows(out):
    head, _, *rows = [cells(line) for line in out.splitlines() if line.startswith("|")]
    return {row[0]: dict(zip(head, row)) for row in rows}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rules_shows_every_action(ka, ruleset):
    text, markdown = ka("rules", ruleset)[1], ka("rules", ruleset, "--markdown")[1]
    rows = markdown_rows(markdown)
    assert list(rows) == [action.verb for action in actions_of(ruleset)]
    for action in actions_of(ruleset):
        row = rows[action.verb]
        timing = f"{action.timing}, not on turn" if action.verb == "quick" else action.timing
        assert (row["Japanese"], row["timing"], row["speed"]) == (action.official, timing, action.speed)
        assert (row["cost"], row["keys"], row["type"]) == (action.cost or "-", action.keys, action.type)
        assert (row["target"], row["once a turn"]) == (action.target, "yes" if action.once else "")
        assert re.search(rf"^{action.verb} +{action.official} ", text, re.MULTILINE)


def test_rules_shows_what_a_magician_saves(ka):
    new = markdown_rows(ka("rules", "8.0-std", "--markdown")[1])
    old = markdown_rows(ka("rules", "6.1-std", "--markdown")[1])
    column = "with a magician"
    assert [new[verb][column] for verb in ("up", "return", "hero")] == ["-", "B", "BBL"]
    assert [old[verb][column] for verb in ("up", "return", "hero")] == ["-", "B", "BBL"]
    assert column not in markdown_rows(ka("rules", "8.0-lite", "--markdown")[1])["up"]


@pytest.mark.parametrize(
    ("ruleset", "there", "not_there"),
    [
        ("8.0-std", ["may pass on an empty stage", "go to the fog", "the turn player loses", "no D."], ["draw."]),
        ("6.1-std", ["Nobody passes on an empty stage", "no fog", "a draw", "costs its controller nothing"], []),
        ("6.1-lite", ["Nobody passes on an empty stage"], ["magician"]),
    ],
)
def test_rules_tells_the_flow(ka, ruleset, there, not_there):
    out = ka("rules", ruleset)[1]
    assert [words for words in there if words not in out] == []
    assert [words for words in not_there if words in out] == []


def test_rules_refuses_unknown_rulesets(ka):
    code, out, err = ka("rules", "8.0-st")
    assert (code, out) == (2, "")
    assert "unknown ruleset '8.0-st'" in err
    assert "did you mean '8.0-std'?" in err


# ---- glossary -------------------------------------------------------------------------------------------------------


def test_glossary_has_every_verb_and_zone():
    actions = {entry.word: entry.japanese for entry in SECTIONS["actions"]}
    assert set(actions) == {*VERBS, *TRIGGERED, *NOT_A_MOVE}
    assert actions["destroy"] == "防壁破壊"
    zones = {entry.word for entry in SECTIONS["zones"]}
    assert zones == {"life", "hand", "grave", "field", "fog", "pack", "rare card", "stage"}


def test_glossary_names_existing_files():
    root = Path(ka_env.blackpoker.__file__).parent
    assert [entry for entry in ENTRIES if not (root / entry.file).is_file()] == []


def test_glossary_is_tidy():
    for title, entries in SECTIONS.items():
        words = [entry.word for entry in entries]
        assert len(set(words)) == len(words), title
    assert all(entry.japanese and entry.meaning and "|" not in entry.meaning for entry in ENTRIES)


def test_glossary_prints_everything(ka):
    code, out, _ = ka("glossary")
    assert code == 0
    assert [entry for entry in ENTRIES if f"{entry.word} " not in out or entry.meaning not in out] == []
    assert f"| {ENTRIES[0].word} | {ENTRIES[0].japanese} |" in ka("glossary", "--markdown")[1]


def test_glossary_finds_words(ka):
    assert ka("glossary", "bulwark")[1].count("\nbulwark ") == 2  # the unit and the action
    assert "キーカード" in ka("glossary", "key", "card")[1]
    assert ka("glossary", "防壁破壊")[1].splitlines()[-1].startswith("destroy")
    assert ka("glossary", "bulwrk")[::2] == (2, "ka glossary: no word 'bulwrk'; did you mean 'bulwark'?")
