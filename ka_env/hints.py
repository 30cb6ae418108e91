"""Commands to tell people: as they work on this machine, from where they stand."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent  # of a checkout; of an installed package, the folder it lies in


def is_checkout() -> bool:
    return (ROOT / "pyproject.toml").is_file() and (ROOT / "ka_env").is_dir()


def install_extra(extra: str) -> str:
    """How to install what an extra needs: a checkout is installed from its folder, a package by its name."""
    if not is_checkout():
        return f'pip install "ka_env[{extra}]"'
    place = "." if Path.cwd() == ROOT else str(ROOT)
    return f'pip install -e "{place}[{extra}]"'


def ka() -> str:
    """How `ka` is called here: by its name if the shell finds this very one, else by its path."""
    beside = Path(sys.executable).with_name("ka")
    found = shutil.which("ka")
    if found and beside.exists() and os.path.samefile(found, beside):
        return "ka"
    if not beside.exists():
        return f"{shlex.quote(sys.executable)} -m ka_env"
    near = os.path.relpath(beside)
    return shlex.quote(str(beside) if near.startswith("..") else near)
