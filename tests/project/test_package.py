"""What would be installed is what is in the tree, and the folders at the top are no second copy."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import PATIENCE
from tests.fresh import needs

ROOT = Path(__file__).parents[2]
TOP = {"ka_env.agents": "agents", "ka_env.training": "training"}  # packages whose folders lie at the top
DATA = (".npz", ".csv", ".html", ".css", ".js")


def settings():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]


def packages_in_tree():
    """Package and folder, by the folders that hold sources."""
    homes = {"ka_env": "ka_env", **TOP}
    for name, home in homes.items():
        for folder in sorted({path.parent for path in (ROOT / home).rglob("*.py")}):
            parts = folder.relative_to(ROOT / home).parts
            inside = ".".join([name, *parts])
            if "__pycache__" not in parts and (name != "ka_env" or inside not in homes or inside == "ka_env"):
                yield inside, folder


def test_every_package_is_listed():
    found = dict(packages_in_tree())
    assert len(found) > 15
    assert sorted(settings()["packages"]) == sorted(found), "pyproject.toml: packages"
    assert [name for name, folder in found.items() if not (folder / "__init__.py").is_file()] == []


def test_folders_at_the_top_are_mapped_and_linked():
    assert settings()["package-dir"] == TOP
    for name, folder in TOP.items():
        link = ROOT / name.replace(".", "/")
        assert link.resolve() == (ROOT / folder).resolve(), f"{link}: make install links it"


def test_data_files_are_taken_along():
    """Every data file beside sources matches a pattern of the package it lies in."""
    patterns, found = settings()["package-data"], dict(packages_in_tree())
    for name, folder in found.items():
        own = [Path(pattern) for pattern in (*patterns["*"], *patterns.get(name, []))]
        inner = {other for other in found.values() if folder in other.parents}
        for path in folder.rglob("*"):
            inside = path.relative_to(folder)
            if path.suffix in DATA and not inner & {*path.parents}:
                fitting = [p for p in own if len(p.parts) == len(inside.parts) and inside.match(str(p))]
                assert fitting, f"pyproject.toml: package-data of {name} lacks {inside}"


@pytest.mark.parametrize("name", TOP.values())
def test_no_second_copy(name):
    done = subprocess.run(
        [sys.executable, "-c", f"import {name}"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 1
    told = f"ImportError: import ka_env.{name} instead of {name}: this would be a second copy of the classes"
    assert done.stderr.splitlines()[-1] == told


def test_both_ways_to_the_file_are_one_module():
    code = (
        "import sys, ka_env.agents, ka_env.training.arena\n"
        "from ka_env.agents import Agent, make_agent\n"
        "assert isinstance(make_agent('random'), Agent)\n"
        "print([m for m in sys.modules if m.partition('.')[0] in ('agents', 'training')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "[]\n", done.stderr


def test_the_lowest_versions_are_those_of_the_bounds():
    """`make fresh` tries them: every bound has one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra, bounds in {"": project["dependencies"], **project["optional-dependencies"]}.items():
        assert all(re.fullmatch(r"[\w-]+(\[\w+\])?>=[\d.]+|ka_env\[.*\]", bound) for bound in bounds), extra
    lowest, usual = needs("arena,train", True), needs("arena,train", False)
    assert "numba==" + next(bound for bound in usual if bound.startswith("numba")).partition(">=")[2] in lowest
    assert [bound for bound in lowest if ">=" in bound] == [bound for bound in usual if bound.startswith("torch>=")]
