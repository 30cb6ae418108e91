"""What people read: commands that work from where they stand, any encoding, errors that name the input."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ka_env import BatchEngine, Game, KaError, cli, env, hints, streams
from ka_env.agents import make_agent
from ka_env.bluemoon import Game as BlueMoon
from ka_env.envs.single import DuelEnv
from ka_env.games import Setup
from ka_env.match import new_match

ROOT = Path(__file__).parents[2]

# ---- commands -------------------------------------------------------------------------------------------------------


def test_extras_are_installed_as_this_copy_was(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    assert hints.install_extra("play") == 'pip install -e ".[play]"'
    monkeypatch.chdir(tmp_path)
    assert hints.install_extra("play") == f'pip install -e "{ROOT}[play]"'
    monkeypatch.setattr(hints, "ROOT", tmp_path)  # site-packages have no pyproject.toml
    assert hints.install_extra("play") == 'pip install "ka_env[play]"'


def test_ka_is_named_as_the_shell_finds_it(monkeypatch, tmp_path):
    folder = tmp_path / "my env" / "bin"
    folder.mkdir(parents=True)
    for name in ("python", "ka"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(folder))
    assert hints.ka() == "ka"
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(tmp_path)
    assert hints.ka() == "'my env/bin/ka'"
    monkeypatch.chdir("/")
    (folder / "ka").unlink()
    assert hints.ka() == f"'{folder / 'python'}' -m ka_env"


def test_ka_alone_prints_the_help(capsys):
    assert cli.main([]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("usage: ka") and "arena" in said.out and not said.err


def test_a_missing_record_is_said_before_the_terminal(capsys):
    assert cli.main(["watch", "nosuch.ka"]) == 2
    said = capsys.readouterr().err
    assert "nosuch.ka" in said and "terminal" not in said and len(said.splitlines()) == 1


def test_the_demo_ends_with_commands_that_are_there():
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ndemo:")[2].partition("\n\n")[0]
    told = [
        line.partition("$(BIN)/ka ")[2].split("  ")[0].strip("\"'; ") for line in recipe.splitlines() if "echo" in line
    ]
    told = [line for line in told if line]
    assert len(told) >= 2
    parser = cli.build_parser()
    for line in told:
        parser.parse_args(line.split())


# ---- encodings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["cp932", "latin-1", "ascii", "cp1252"])
def test_every_sign_can_be_written_somehow(encoding):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    streams.make_safe(out)
    out.write("5♠ · α-Rank ± 3 … ▒▒ 日本語 −1 →\n")
    out.flush()
    said = out.buffer.getvalue().decode(encoding)
    assert said.endswith("\n") and "5s" in said and "3" in said


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "cp932"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_ka_in_any_encoding(environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    for words in (["glossary"], ["rules"], ["show", "--seed", "3"]):
        done = subprocess.run(
            [sys.executable, "-m", "ka_env", *words], cwd=ROOT, env=clean | environment, capture_output=True
        )
        assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
        assert len(done.stdout) > 200


# ---- wrong input ----------------------------------------------------------------------------------------------------


def refuses(*words):
    """The next line must raise one KaError that holds these words."""
    return pytest.raises(KaError, match=".*".join(words))


@pytest.mark.parametrize("kind", [Game, BlueMoon])
def test_games_refuse_what_is_no_text_and_no_whole_number(kind):
    game = kind.new(seed=1)
    before = game.to_text()
    with refuses("tokens as a text", "not 8"):
        game.play(8)
    for wrong in (1.5, "1", None):
        with refuses("action: expected a whole number", repr(wrong)):
            game.step(wrong)
    for wrong in (None, 7, b"ka 1"):
        with refuses("position: expected a text", repr(wrong)):
            kind.from_text(wrong)
    for wrong in (1.5, "1", None):
        with refuses("seed: expected a whole number", repr(wrong)):
            kind.new(seed=wrong)
    with refuses("seed: expected a whole number", "0.5"):
        kind.from_text(before, seed=0.5)
    assert game.to_text() == before
    game.step(np.int64(game.legal_ids()[0]))  # any kind of integer will do
    assert kind.new(seed=np.uint64(1)).to_text() == before


@pytest.mark.parametrize("ruleset", ["8.0-lite", "base"])
def test_batches_and_environments_refuse_floats(ruleset):
    engine = BatchEngine(ruleset, num_games=2)
    legal = engine.action_mask.argmax(axis=1)
    for wrong in (legal.astype(np.float64), legal + 0.5, [None, None]):
        with refuses("actions must be whole numbers"):
            engine.step(wrong)
    engine.step(legal.astype(np.int32))
    with refuses("seed: expected a whole number", "1.5"):
        BatchEngine(ruleset, seed=1.5)
    aec = env(ruleset=ruleset).unwrapped
    aec.reset(seed=0)
    with refuses("action: expected a whole number", "0.5"):
        aec.step(0.5)
    duel = DuelEnv(ruleset)
    duel.reset(seed=0)
    with refuses("action: expected a whole number", "2.5"):
        duel.step(2.5)


def test_environments_of_different_rules_have_different_names():
    """Scripts save and look for files by it."""
    rulesets = ("8.0-lite", "6.1-std", "base")
    names = {env(ruleset=ruleset).unwrapped.metadata["name"] for ruleset in rulesets}
    assert len(names) == 3 and all(any(ruleset in name for name in names) for ruleset in rulesets)


def test_matches_refuse_floats():
    with refuses("seed: expected a whole number", "1.5"):
        new_match("best3", Setup.of("8.0-lite"), seed=1.5)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("ismcts:iterations=abc", ["ismcts:iterations=abc", "iterations must be a whole number", "abc"]),
        ("ismcts:iterations", ["iterations must be a whole number", "'iterations'"]),
        ("ismcts:iterations=1.5", ["iterations must be a whole number", "1.5"]),
        ("ismcts:iterations=nan", ["iterations must be a whole number", "nan"]),
        ("ismcts:exploration=much", ["exploration must be a number", "much"]),
        ("ismcts:threads=true", ["threads must be a whole number", "True"]),
        ("policy:lite-entry20,temperature=warm", ["temperature must be a number", "warm"]),
        (None, ["agent None: expected a name"]),
        (3, ["agent 3: expected a name"]),
    ],
)
def test_agents_refuse_options_of_the_wrong_kind(spec, words):
    with refuses(*words):
        make_agent(spec)


def test_options_that_are_right_are_taken():
    assert make_agent("ismcts:iterations=1e2,milliseconds=none").iterations == 100
    assert make_agent("ismcts:exploration=2").exploration == 2.0
