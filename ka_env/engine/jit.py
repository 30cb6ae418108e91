"""Compiling the rules: `kernel` and `entry` are Numba's njit with the settings of this project.

The rules are plain Python functions. `kernel` marks a function that other kernels call; `entry` marks the few that
Python calls, whose machine code is kept on disk. Numba's own cache does not notice a change in another file that a
function calls, so each room (a game's package, the agents', any other package's) has a cache directory of its own,
named by a hash of its sources and of the engine's: a change in one game leaves the others' machine code alone. With
NUMBA_DISABLE_JIT=1 the same functions run as they stand, in the debugger too. Never call a `kernel` from Python: it
has no wrapper for that.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba.core import event, types
from numba.core.imputils import lower_constant
from numba.core.registry import CPUDispatcher
from numba.extending import models, register_model

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
INTERPRETED = bool(_config.DISABLE_JIT)
KEEP_CACHES = 4  # versions of a room whose machine code is kept

PACKAGE = Path(__file__).parent.parent
NO_KERNELS = "people"  # a sub-room of games that kernels never read: words and pictures may change freely
SOURCES = ("*.py", "*.csv")  # data tables are compiled in as constants


def room_of(file: str | Path) -> Path:
    """The folder whose sources a kernel in `file` may call: ka_env/<room>, else the file's own folder."""
    path = Path(file)
    if PACKAGE in path.parents and path.parent != PACKAGE:
        return PACKAGE / path.relative_to(PACKAGE).parts[0]
    return path.parent


def kernel_sources(room: Path, engine: Path | None = None) -> list[Path]:
    """Everything the machine code of a room depends on: its own files and the engine's."""
    rooms = dict.fromkeys([engine or PACKAGE / "engine", room])
    found = [path for folder in rooms for pattern in SOURCES for path in folder.rglob(pattern)]
    return sorted(path for path in found if NO_KERNELS not in path.parts)


def source_hash(room: Path, engine: Path | None = None) -> str:
    """Hash of Numba, NumPy and all kernel sources of a room."""
    digest = hashlib.blake2b(f"{numba.__version__} {np.__version__}".encode(), digest_size=8)
    for path in kernel_sources(room, engine):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _usable(base: Path) -> bool:
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            return True
    except OSError:
        return False


def _cache_home() -> Path:
    """KA_CACHE_DIR, else the user's cache directory, else (nothing there is writable) the temporary directory."""
    given = os.environ.get("KA_CACHE_DIR")
    home = Path(given) if given else Path(platformdirs.user_cache_dir("ka_env"))
    if _usable(home):
        return home
    return _private_temporary()


def _private_temporary() -> Path:
    """A directory below the temporary one into which nobody else can put code."""
    path = Path(tempfile.gettempdir()) / f"ka_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
        if not hasattr(os, "getuid") or (found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700):
            return path
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="ka_env-"))


def _forget_old(home: Path, current: Path) -> None:
    """Drop the machine code of all but the newest few versions of a room."""
    name = current.name.rpartition("-")[0]
    others = [d for d in home.glob(f"{name}-*") if d != current]
    others.sort(key=lambda d: d.stat().st_mtime, reverse=True)
    for old in others[KEEP_CACHES - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


@cache
def cache_dir(room: Path) -> Path:
    """Where the machine code of a room is kept."""
    home = _cache_home()
    path = home / f"{room.name}-{source_hash(room)}"
    try:
        path.mkdir(parents=True, exist_ok=True)
        os.utime(path)
        _forget_old(home, path)
    except OSError:
        pass  # somebody else is tidying the same directory; Numba copes with what is missing
    return path


_njit: Any = numba.njit
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}


class _KernelType(types.Dispatcher):
    """A kernel as a value, e.g. in a `Rules`: its type says which one, so nothing is stored of it.

    Numba would store its address, and never cache code with addresses of this process.
    """


register_model(_KernelType)(models.OpaqueModel)


@lower_constant(_KernelType)
def _nothing(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    return context.get_dummy_value()


class _Kernel(CPUDispatcher):
    """Small integers read from a record are widened where they are passed on, so that each kernel is compiled once and
    not once for each mix of int8 and int64. That, and leaving out the wrappers for callers from Python, halves the time
    it takes to compile."""

    @property
    def _numba_type_(self) -> Any:
        return _KernelType(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(tuple(_widened(t) for t in args), kws)


def kernel(function: F) -> F:
    """A rule: compiled, called from other kernels only."""
    if INTERPRETED:
        return function
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made: Any = _Kernel(function, targetoptions={"nopython": True, **wrappers, **_OPTIONS})
    return made


def _widened(t: Any) -> Any:
    return types.int64 if isinstance(t, types.Integer) and getattr(t, "signed", False) else t


def entry(function: F) -> F:
    """A kernel called from Python; its machine code is kept on disk. It releases the GIL."""
    return _kept(function)


def parallel_entry(function: F) -> F:
    """The same, with its `prange` loop shared among threads. Compiled only when it is called: it takes longer."""
    return _kept(function, parallel=True)


def _kept(function: F, **options: Any) -> F:
    if INTERPRETED:
        return function
    # Numba reads the directory when the dispatcher is made; other packages keep their own.
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(cache_dir(room_of(function.__code__.co_filename)))
    try:
        return _njit(cache=True, **options, **_OPTIONS)(function)
    finally:
        _config.CACHE_DIR = before


class _CompileNotice(event.Listener):
    """Says on stderr that kernels are being compiled, since the first time takes a while."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0
        self._began = 0.0
        self._said = False

    def _ours(self, ev: event.Event) -> bool:
        function = getattr(ev.data.get("dispatcher"), "py_func", None)
        return getattr(function, "__module__", "").startswith("ka_env")

    def on_start(self, ev: event.Event) -> None:
        if not self._ours(ev):
            return
        self._depth += 1
        if self._depth > 1:
            return
        self._began = time.perf_counter()
        if not self._said and "KA_QUIET" not in os.environ:
            self._said = True
            print(
                "ka_env: compiling the rules (once after each update; under a minute) ...", file=sys.stderr, flush=True
            )

    def on_end(self, ev: event.Event) -> None:
        if not self._ours(ev):
            return
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._began


compile_notice = _CompileNotice()
if not INTERPRETED:
    event.register("numba:compile", compile_notice)
