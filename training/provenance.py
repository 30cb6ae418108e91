"""Which sources did something: so that a result can be made again, or nobody believes that it can."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path


@cache
def described(folder: Path = Path(__file__).parent) -> str | None:
    """The commit of a Git checkout, with `-dirty` if files differ from it (new ones, too); None elsewhere."""
    commit = _git(folder, "describe", "--always", "--abbrev=40", "--match=", "--dirty")
    if commit and not commit.endswith("-dirty") and _git(folder, "status", "--porcelain", "--", ":/*.py", ":/*.csv"):
        commit += "-dirty"
    return commit or None


def _git(folder: Path, *words: str) -> str:
    try:
        found = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""
