"""The walk-throughs of docs/extending.md, carried out as they stand there, in processes of their own."""

import os
import shutil
import subprocess
import sys

import pytest

from tests import PATIENCE
from tests.toy.page import PAGE, ROOT, TOY, blocks, edits, files

SCENARIO = """
import sys
from ka_env import Game
from ka_env.record import Recorder
from ka_env.blackpoker.people.story import told
from tests.blackpoker import scenario

found = scenario.load(sys.argv[1])
for one in found:
    scenario.run(one, Game, reads_pending=True)
    recorder = Recorder(Game.from_text("\\n".join(one.position)))
    for step in one.steps:
        if step[0] == ">":
            recorder.play(step[1:])
    print(told(recorder.record()))
print(len(found), "scenarios")
"""


def run(*words, path, cwd):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KA_")}
    environment |= {"PYTHONPATH": os.pathsep.join(map(str, path)), "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "always"}
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=PATIENCE)


# ---- a game ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The package of the page, with the entry point of the page, as an installer would leave it."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in files("Add a game"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    info = folder / "kuhn-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kuhn\nVersion: 1.0\n")
    (points,) = [text for language, text in blocks("Add a game") if language == "toml"]
    group = points.replace('[project.entry-points."ka_env.games"]', "[ka_env.games]").replace('"', "")
    (info / "entry_points.txt").write_text(group)
    return folder


def test_the_page_shows_the_toy_game():
    shown = {name: text for name, text in files("Add a game") if name.startswith("kuhn/")}
    there = {path.relative_to(TOY).as_posix(): path.read_text(encoding="utf-8") for path in TOY.glob("kuhn/*.py")}
    assert shown == there, "run python -m tests.toy.page"


def test_the_game_of_the_page_is_played(installed, tmp_path):
    done = run(installed / "try.py", path=[installed, ROOT], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "[players honest ismcts:iterations=50]" in done.stdout
    assert "left out" not in done.stderr


def test_the_commands_of_the_page(installed, tmp_path):
    (words,) = [text for language, text in blocks("Add a game") if language == "sh"]
    demo, arena, train = (line.split()[1:] for line in words.splitlines())
    small = ["--set", "steps=2048", "--set", "games=32", "--set", "rollout=1024", "--set", "hidden=8"]
    small += ["--set", "final_pairs=2", "--set", "tensorboard=false", "--out", "run"]
    for words in (demo, [*arena, "--pairs", "2", "--workers", "1"], [*train, *small]):
        done = run("-m", "ka_env", *words, path=[installed, ROOT], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "policy.npz").is_file() and (tmp_path / "arena.html").is_file()


@pytest.mark.parametrize("first", ["kuhn", "kuhn.game", "ka_env"])
def test_whatever_is_imported_first(installed, tmp_path, first):
    code = f"import {first}; from ka_env.games import game_of; print(game_of('kuhn').title)"
    done = run("-c", code, path=[installed, ROOT], cwd=tmp_path)
    assert (done.stdout, "left out" in done.stderr) == ("Kuhn poker\n", False), done.stderr


def test_a_broken_game_leaves_the_others_alone(installed, tmp_path):
    (installed / "broken.py").write_text("NAME = 1 / 0\n")
    info = installed / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ka_env.games]\nbroken = broken\n")
    try:
        code = "from ka_env.games import game_names; print(game_names())"
        done = run("-c", code, path=[installed, ROOT], cwd=tmp_path)
    finally:
        shutil.rmtree(info)
    assert done.returncode == 0 and "'kuhn'" in done.stdout, done.stderr
    assert "the game 'broken' (broken) is left out: division by zero" in done.stderr


# ---- an action ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """A copy of the package, changed as the page says."""
    folder = tmp_path_factory.mktemp("changed")
    shutil.copytree(ROOT / "ka_env", folder / "ka_env", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in files("Add an action"):
        assert not (folder / name).exists()
        (folder / name).write_text(text, encoding="utf-8")
    for name, before, after in edits("Add an action"):
        source = (folder / name).read_text(encoding="utf-8")
        assert source.count(before) == 1, f"{PAGE.name}: {name} has these lines {source.count(before)} times:\n{before}"
        (folder / name).write_text(source.replace(before, after), encoding="utf-8")
    return folder


def test_the_action_of_the_page_is_played(changed, tmp_path):
    (text,) = [text for language, text in blocks("Add an action") if language == "text"]
    (tmp_path / "scenario.txt").write_text(text, encoding="utf-8")
    done = run("-c", SCENARIO, tmp_path / "scenario.txt", path=[changed, ROOT], cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "charges" in done.stdout and done.stdout.endswith("1 scenarios\n")


def test_the_action_is_everywhere(changed, tmp_path):
    path = [changed, ROOT]
    rules = run("-m", "ka_env", "rules", "8.0-std", path=path, cwd=tmp_path)
    assert "ドリル" in rules.stdout, rules.stderr
    assert "ドリル" not in run("-m", "ka_env", "rules", "8.0-lite", path=path, cwd=tmp_path).stdout
    assert "charge an own unit" in run("-m", "ka_env", "glossary", "drill", path=path, cwd=tmp_path).stdout
    game = ["--ruleset", "8.0-std", "--players", "random", "greedy", "--seed", "2"]
    played = run("-m", "ka_env", "demo", *game, "--save", "a.ka", path=path, cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert run("-m", "ka_env", "replay", "--verify", "a.ka", path=path, cwd=tmp_path).returncode == 0
