"""The package where nobody works with it: another Python, or the oldest dependencies that pyproject.toml allows.

`python -m tests.fresh --lowest` and `python -m tests.fresh --python python3.13` make an environment in a temporary
folder, install there what the package names, and run a part of the tests: rules, environments, agents, command line,
arena. Torch and Ray are some GB for every Python and are left out; `--extras` says otherwise, and constraints.txt which
torch it is.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
EXTRAS = "render,parquet,openspiel,arena,play,web"
TOOLS = ["pytest", "hypothesis"]  # of today, whatever is tried with them
SUITE = [
    "tests/blackpoker/test_goldens.py",
    "tests/blackpoker/test_scenarios.py",
    "tests/bluemoon/test_goldens.py",
    "tests/bluemoon/test_scenarios.py",
    "tests/envs/test_single.py",
    "tests/agents/test_agents.py",
    "tests/agents/test_policy.py",
    "tests/people/test_commands.py",
    "tests/people/test_render.py",
    "tests/training/test_arena_match.py",
    "tests/training/test_train.py",  # skipped without torch
]


def needs(extras: str, lowest: bool) -> list[str]:
    """What the package and these extras need; the lowest is the only one then."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {*project["dependencies"]}
    for extra in extras.split(","):
        found |= {*project["optional-dependencies"][extra]}
    return sorted(one.replace(">=", "==") if lowest and not one.startswith("torch>") else one for one in found)


def run(*words: str | Path, **more: str) -> int:
    print("$", *words, flush=True)
    return subprocess.run([str(word) for word in words], cwd=ROOT, env={**os.environ, **more}).returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fresh", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="the interpreter (default: this one)")
    parser.add_argument("--lowest", action="store_true", help="every dependency as old as pyproject.toml allows")
    parser.add_argument("--extras", default=EXTRAS, help=f"default {EXTRAS}")
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        python = Path(folder, "env", "bin", "python")
        install = [python, "-m", "pip", "install", "--quiet", "-c", "constraints.txt"]
        return (
            run(args.python, "-m", "venv", python.parents[1])
            or run(*install, *needs(args.extras, args.lowest), *TOOLS)
            or run(python, "-m", "pytest", "-p", "no:cacheprovider", *SUITE, PYTHONPATH=str(ROOT), KA_CACHE_DIR=folder)
        )


if __name__ == "__main__":
    sys.exit(main())
