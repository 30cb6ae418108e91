"""`make demo` and `make pictures`: their commands as the Makefile has them, the demo's at a size that takes seconds."""

import asyncio
import re
import shlex
from pathlib import Path

import pytest

from ka_env.cli import main
from tests.people.pilot import lines

from . import screens
from .test_page_commands import whole_lines

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TINY = "steps=1 rollout=256 minibatch=64 games=16 evaluate_pairs=2 final_pairs=2 threads=1 workers=0".split()


def commands(target):
    """The `ka` commands of a target."""
    (recipe,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.M)
    return [shlex.split(line)[1:] for line in whole_lines(recipe)]


def made_tiny(words):
    if words[0] == "train":
        return [*words, "--quiet", *(part for setting in TINY for part in ("--set", setting))]
    if words[0] == "arena":
        words = [*words, "--workers", "0"]
        words[words.index("--pairs") + 1] = "1"
    return words


def test_the_demo(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = commands("demo")
    assert [words[0] for words in lines][:2] == ["train", "arena"]
    for words in lines:
        assert main(made_tiny(words)) == 0, capsys.readouterr().err
    out = capsys.readouterr().out
    assert "policy  runs/demo/policy.npz" in out and "policy:lite-entry20" in out
    assert (tmp_path / "runs" / "demo" / "arena.html").is_file()


@pytest.mark.parametrize("words", commands("pictures"), ids=lambda words: Path(words[-1]).stem)
def test_the_pictures_are_of_today(words, tmp_path, monkeypatch):
    """Drawn anew, they are those of the docs, but for how a version of the drawing library smooths letters."""
    image, chops = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageChops")
    monkeypatch.chdir(ROOT)
    assert main([*words[:-1], str(tmp_path / "now.png")]) == 0
    stored, now = (image.open(path).convert("L") for path in (words[-1], tmp_path / "now.png"))
    assert stored.size == now.size
    differing = sum(chops.difference(stored, now).point(lambda v: v > 96).histogram()[255:])
    assert differing < 0.005 * now.size[0] * now.size[1], "run make pictures"


@pytest.mark.parametrize(("language", "name"), [("en", "play.svg"), ("ja", "play_ja.svg")])
def test_the_screens_are_of_today(language, name, tmp_path):
    """What can be read on them; colours and sizes are the drawing library's."""
    stored = lines((ROOT / "docs" / "images" / name).read_text(encoding="utf-8"))
    assert len(stored) >= 20
    assert stored == lines(asyncio.run(screens.picture(language, tmp_path))), "run make pictures"
