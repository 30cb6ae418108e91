"""Every `ka` line on the pages, in the Makefile and in the notebooks is one that the command takes: parsed, not run."""

import argparse
import contextlib
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from ka_env.cli import COMMANDS, build_parser
from ka_env.commands.train import run as train

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINE = re.compile(r"^(?:\$ |!|\t)?(?:\.venv/bin/|\$\(BIN\)/|python -m ka_env\b)?(ka (?!1$).*)$", re.M)


def whole_lines(text):
    """Lines of code blocks, those that go on with a backslash as one."""
    joined = re.sub(r"\s*\\\n\s*", " ", text)
    return [line.strip() for line in LINE.findall("\n".join(map(str.strip, joined.splitlines())))]


def found():
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.S | re.M) + re.findall(r"(?:^    .*\n)+", text, re.M)
        for line in (line for block in blocks for line in whole_lines(block)):
            yield path.name, line, True
        prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)
        for line in re.findall(r"`(ka (?:[^`\n]|\n(?!\n))+)`", prose):  # it may go on in the next line
            yield path.name, " ".join(line.split()), False
    for line in whole_lines((ROOT / "Makefile").read_text(encoding="utf-8")):
        yield "Makefile", line, True
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for line in whole_lines("".join(cell["source"])):
                yield path.name, line, True


FOUND = sorted({(page, line, whole) for page, line, whole in found() if "└" not in line and "COMMAND" not in line})


def subparsers(parser):
    return next((a.choices for a in parser._actions if isinstance(a, argparse._SubParsersAction)), {})


def named(words):
    """Is it the name of a command, of a part of it, or of one of its options?"""
    parser = build_parser()
    for word in words:
        if word in subparsers(parser):
            parser = subparsers(parser)[word]
        elif word not in parser._option_string_actions:
            return False
    return True


@pytest.mark.parametrize(("page", "line", "whole"), FOUND, ids=lambda value: str(value)[:80])
def test_the_command_takes_it(page, line, whole):
    words = shlex.split(line, comments=True)[1:]
    if words == ["1"] or (not whole and named(words)):
        return
    said = io.StringIO()
    code = 0
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            args = build_parser().parse_args(words)
            if args.command == "train" and not args.config and not args.resume and "kuhn" not in line:
                code = train(argparse.Namespace(**{**vars(args), "settings": True}))
    except SystemExit as left:  # --help leaves with 0
        code = left.code
    assert code == 0, f"{page}: {line}\n{said.getvalue()}"


def test_there_are_such_lines():
    assert len(FOUND) > 90
    assert {line.split()[1] for _, line, _ in FOUND} >= set(COMMANDS)
    pages = {page for page, _, _ in FOUND}
    assert pages >= {"README.md", "README.ja.md", "Makefile", "arena.md", "training.md", "play.md"}


def test_a_renamed_flag_would_be_noticed():
    with pytest.raises(AssertionError):
        test_the_command_takes_it("page", "ka arena gauntlet greedy random --pears 5", True)
    with pytest.raises(AssertionError):
        test_the_command_takes_it("page", "ka arenas", False)
