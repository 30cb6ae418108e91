"""`python -m build` makes a wheel and an sdist that work in a fresh environment with the base dependencies only.

The sdist is built first and the wheel from it, so both are tested. The fresh environment holds the wheel and links to
its base dependencies in the running one, so nothing is downloaded; extras that are installed here are not seen there.
The rules run uncompiled in it: compiling is tested elsewhere.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

from ka_env.agents.nets import MlpNet, make_card, trained_names
from ka_env.cli import COMMANDS, EXTRAS
from tests import PATIENCE
from tests.project.test_package import ROOT, packages_in_tree

NOT_SOURCES = "site build dist runs __pycache__ *.egg-info *.pyc .*cache .git .venv .hypothesis".split()
IMPORTED = "numpy numba gymnasium pettingzoo platformdirs rich".split()

SCRIPT = """
import contextlib, io, json, sys
from ka_env.cli import main

answers = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as stop:
            code = stop.code
    answers.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel, the sdist, and what they were made from: a copy of the sources with one more policy in it."""
    pytest.importorskip("build")
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    shutil.copytree(ROOT, source, symlinks=True, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    (source / "agents" / "trained").mkdir(exist_ok=True)
    (source / "agents" / "trained" / "probe.npz").write_bytes(b"")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
    made = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return wheel, sdist, source


def base_dependencies(dist):
    """What a distribution requires without extras, and what that requires in turn."""
    found, waiting = {}, [dist]
    while waiting:
        for requirement in map(Requirement, waiting.pop().requires or []):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                needed = distribution(requirement.name)
                if needed.name not in found:
                    found[needed.name] = needed
                    waiting.append(needed)
    return list(found.values())


def link(dist, folder):
    """Make a distribution of this environment importable in `folder`."""
    for top in {file.parts[0] for file in dist.files or []} - {"..", "__pycache__"}:
        if not (folder / top).exists():
            (folder / top).symlink_to(Path(str(dist.locate_file(top))).resolve())


def environment(folder):
    """An empty environment: its Python and where packages go."""
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    return folder / "bin" / "python", site


def clean_environment():
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_", "KA_"))}


@pytest.fixture(scope="module")
def fresh(built, tmp_path_factory):
    """Python of an environment with the wheel and its base dependencies."""
    python, site = environment(tmp_path_factory.mktemp("fresh"))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(built[0])], check=True, timeout=PATIENCE)
    (installed,) = site.glob("ka_env-*.dist-info")
    for dist in base_dependencies(Distribution.at(installed)):
        link(dist, site)
    return python


@pytest.fixture(scope="module")
def run(fresh, tmp_path_factory):
    """Run a command there, far from the sources."""
    folder = tmp_path_factory.mktemp("work")
    environ = clean_environment() | {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "HOME": str(folder)}

    def run(*words):
        return subprocess.run(
            [str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, cwd=folder, env=environ
        )

    run.folder = folder
    return run


@pytest.fixture(scope="module")
def ka(run, fresh):
    """Run several `ka` commands in one process; exit code, output and errors of each."""

    def ka(*commands):
        done = run(fresh, "-c", SCRIPT, json.dumps([[str(word) for word in words] for words in commands]))
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    return ka


def test_wheel_has_code_and_data(built):
    names = {name for name in zipfile.ZipFile(built[0]).namelist() if ".dist-info/" not in name}
    expected = {f"ka_env/agents/trained/{name}.npz" for name in [*trained_names(), "probe"]}
    expected |= {f"ka_env/viewer/{name}" for name in ("page.html", "style.css", "viewer.js")}
    for package, folder in packages_in_tree():
        sources = [path for path in folder.iterdir() if path.suffix in (".py", ".csv")]
        expected |= {f"{package.replace('.', '/')}/{path.name}" for path in sources}
    assert expected - names == set()
    assert {name for name in names if name.endswith(".py")} - expected == set()
    assert {name.split("/")[0] for name in names} == {"ka_env"}


def test_wheel_from_the_checkout_is_the_same(built, tmp_path):
    """The other one went through the sdist, in which the links inside ka_env are missing."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(built[2])]
    made = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    one, other = ({info.filename: info.CRC for info in zipfile.ZipFile(path).infolist()} for path in (built[0], wheel))
    assert one == other


def test_editable_install(built, tmp_path):
    """The checkout itself is imported, also the folders at its top, under their one name."""
    python, site = environment(tmp_path / "editable")
    for dist in [distribution("setuptools"), *base_dependencies(distribution("ka_env"))]:
        link(dist, site)
    source = tmp_path / "source"
    shutil.copytree(built[2], source, symlinks=True, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "install", "--quiet"]
    installed = [*pip, "--no-deps", "--no-index", "--no-build-isolation", "-e", str(source)]
    subprocess.run(installed, check=True, timeout=PATIENCE)
    code = (
        "import ka_env.agents.nets, ka_env.training.arena as arena, ka_env.blackpoker.game as game, importlib.util\n"
        "print(ka_env.agents.nets.trained_names()[:1], [importlib.util.find_spec(n) for n in ('agents', 'training')])\n"
        "for module in (ka_env.agents.nets, arena, game): print(module.__file__)"
    )
    environ = {**clean_environment(), "NUMBA_DISABLE_JIT": "1"}
    command = [python, "-c", code]
    told = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=PATIENCE)
    assert told.returncode == 0, told.stderr
    first, *where = told.stdout.splitlines()
    assert first == f"{trained_names()[:1]} [None, None]"
    assert [path for path in where if not Path(path).resolve().is_relative_to(source.resolve())] == []


def test_sdist_is_a_whole_checkout(built):
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = "pyproject.toml Makefile constraints.txt mkdocs.yml CHANGELOG.md CITATION.cff CONTRIBUTING.md".split()
    wanted.append("README.ja.md")
    wanted += ["docs/index.md", "docs/images/table.png", "docs/positions/fight.txt", "notebooks/1_first_game.ipynb"]
    wanted += [
        "tests/project/test_wheel.py",
        "tests/blackpoker/scenarios/shared.txt",
        "tests/blackpoker/goldens/8.0-lite_entry20.ka",
    ]
    assert [name for name in wanted if name not in names] == []
    assert [name for name in names if name.endswith(".pyc") or name.startswith("site/")] == []


def test_fresh_environment_has_the_base_only(run, fresh):
    found = run(
        fresh,
        "-c",
        "from importlib.util import find_spec; import ka_env.agents, ka_env.training; print(ka_env.__file__);"
        f"print([m for m in {IMPORTED} if not find_spec(m)], "
        f"[m for m in {[*EXTRAS, 'agents', 'training']} if find_spec(m)])",
    )
    assert found.returncode == 0, found.stderr
    where, modules = found.stdout.splitlines()
    assert Path(where).is_relative_to(fresh.parent.parent)
    assert modules == "[] []"


def test_the_command_is_installed(run, fresh):
    helped = run(fresh.parent / "ka", "--help")
    assert helped.returncode == 0, helped.stderr
    assert [name for name in COMMANDS if f"\n    {name} " not in helped.stdout] == []


def test_help_of_every_command(ka):
    for name, (code, out, err) in zip(COMMANDS, ka(*([name, "--help"] for name in COMMANDS))):
        assert (code, err) == (0, ""), name
        assert out.startswith(f"usage: ka {name}")


def test_what_works_without_extras(ka, run):
    network = {"kind": "mlp", "hidden": [4]}
    net = MlpNet({}, make_card("8.0-lite", network))
    net.arrays = {name: np.zeros(shape, np.float32) for name, shape in net.shapes().items()}
    net.save(run.folder / "mine.npz")
    commands = {
        "a game": ["demo", "--save", "game.ka"],
        "a trained policy": ["demo", "--players", "policy:mine.npz", "greedy", "--save", "policy.ka"],
        "a position": ["show"],
        "a replay": ["replay", "--verify", "game.ka", "policy.ka"],
        "a page": ["view", "game.ka", "--out", "game.html"],
        "watching": ["watch", "--plain", "game.ka"],
        "rules": ["rules", "6.1-std"],
        "words": ["glossary", "bulwark"],
        "counting": ["perft", "--depth", "1"],
        "settings": ["train", "--settings"],
    }
    for what, (code, out, err) in zip(commands, ka(*commands.values())):
        assert code == 0, f"{what}: {out[-500:]} {err[-1500:]}"
    assert (run.folder / "game.html").stat().st_size > 20_000


@pytest.mark.parametrize("group", ["terminal", "training", "files"])
def test_what_needs_which_extra(ka, group):
    commands = {
        "terminal": {
            ("play",): "textual play",
            ("watch", "random", "random"): "textual play",
            ("serve", "--no-open"): "uvicorn web",
        },
        "training": {
            ("train", "--preset", "quick"): "torch train",
            ("exploit", "random"): "torch train",
            ("arena", "duel", "random", "greedy"): "scipy arena",
            ("arena", "round-robin", "random", "greedy", "--pairs", "1"): "scipy arena",
        },
        "files": {
            ("demo", "--save", "games.parquet"): "pyarrow parquet",
            ("show", "--png", "board.png"): "Pillow render",
        },
    }[group]
    for (words, needs), (code, _, err) in zip(commands.items(), ka(*commands)):
        module, extra = needs.split()
        assert code == 2, words
        assert module in err and f'pip install "ka_env[{extra}]"' in err, f"{words}: {err}"
        assert len(err.strip().splitlines()) == 1, f"{words}: {err}"


@pytest.mark.parametrize(("module", "extra"), [("ka_env.envs.sb3", "train"), ("ka_env.envs.openspiel", "openspiel")])
def test_modules_name_their_extra(run, fresh, module, extra):
    tried = run(fresh, "-c", f"import {module}")
    assert tried.returncode == 1
    assert f'pip install "ka_env[{extra}]"' in tried.stderr.splitlines()[-1]


@pytest.mark.long
def test_the_wheel_compiled_with_dependencies_from_the_index(built, tmp_path):
    """As a user installs it: pip brings the dependencies, the rules are compiled there, shipped policies play."""
    venv.create(tmp_path / "env", with_pip=True, symlinks=True)
    wheel = tmp_path / built[0].name
    shutil.copy(built[0], wheel)
    pip = [tmp_path / "env" / "bin" / "python", "-m", "pip", "install", "--quiet", f"{wheel}[arena]"]
    environ = clean_environment() | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def run(*words):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, cwd=tmp_path, env=environ)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(*pip)
    ka = tmp_path / "env" / "bin" / "ka"
    assert "wins" in run(ka, "demo").lower()
    run(ka, "demo", "--ruleset", "base")
    assert "policy:lite-entry20" in run(
        ka, "arena", "round-robin", "greedy", "policy:lite-entry20", "--pairs", 2, "--workers", 0
    )
    assert any((tmp_path / "cache").rglob("*.nbc")), "machine code is kept in the user's cache"
