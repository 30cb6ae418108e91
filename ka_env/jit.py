"""Compiling the rules: `kernel` and `entry` are Numba's njit with the settings of this project.

The rules are plain Python functions. `kernel` marks a function that other kernels call; `entry` marks the few that
Python calls, whose machine code is kept on disk. Numba's own cache does not notice a change in another file that a
function calls, so the cache directory is named by a hash of all kernel sources. With NUMBA_DISABLE_JIT=1 the
same functions run as they stand, in the debugger too. Never call a `kernel` from Python: it has no wrapper for that.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba.core import event, types

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
INTERPRETED = bool(_config.DISABLE_JIT)
KEEP_CACHES = 4  # versions of the rules whose machine code is kept


_IMPORT = re.compile(rb"^from ((?:ka_env|agents|training)[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


_KERNEL = re.compile(rb"^ *@(?:kernel|entry|parallel_entry)\b", re.MULTILINE)


def _imported(source: bytes, top: Path, files: Container[Path]) -> Iterator[Path]:
    """Files of this project that a source imports from; a package's own file only for names that are no modules."""
    for module, names in _IMPORT.findall(source):
        place = top / module.decode().replace(".", "/")
        for name in re.findall(rb"\w+", re.sub(rb" as \w+", b"", names)):
            path = place / f"{name.decode()}.py"
            yield path if path in files else place / "__init__.py"
        yield place.with_suffix(".py")


def kernel_sources(root: Path | None = None) -> list[Path]:
    """Files that define kernels, and all they import from: change one, and the machine code is stale."""
    root = root or Path(__file__).parent
    files = [path for name in (root.name, "agents", "training") for path in (root.parent / name).rglob("*.py")]
    sources = {path: path.read_bytes() for path in files}
    found = {path for path, source in sources.items() if path == root / "jit.py" or _KERNEL.search(source)}
    waiting = list(found)
    while waiting:
        new = {path for path in _imported(sources[waiting.pop()], root.parent, sources) if path in sources}
        new -= found
        found |= new
        waiting += new
    return sorted(found)


def source_hash(root: Path | None = None) -> str:
    """Hash of everything the machine code depends on: Numba, NumPy, the kernels and what they import."""
    digest = hashlib.blake2b(f"{numba.__version__} {np.__version__}".encode(), digest_size=8)
    for path in kernel_sources(root):
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
    """Drop the machine code of all but the newest few versions of the sources."""
    others = [d for d in home.glob("kernels-*") if d != current]
    others.sort(key=lambda d: d.stat().st_mtime, reverse=True)
    for old in others[KEEP_CACHES - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


def _prepare() -> Path:
    home = _cache_home()
    path = home / f"kernels-{source_hash()}"
    try:
        path.mkdir(parents=True, exist_ok=True)
        os.utime(path)
        _forget_old(home, path)
    except OSError:
        pass  # somebody else is tidying the same directory; Numba copes with what is missing
    return path


CACHE_DIR = _prepare() if not INTERPRETED else Path()


_njit: Any = numba.njit
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}


def kernel(function: F) -> F:
    """A rule: compiled, called from other kernels only.

    Small integers read from a record are widened where they are passed on, so that each kernel is compiled once and
    not once for each mix of int8 and int64. That, and leaving out the wrappers for callers from Python, halves the
    time it takes to compile.
    """
    if INTERPRETED:
        return function
    dispatcher: Any = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    for_call = dispatcher.get_call_template

    def for_wide_call(args: Any, kws: Any) -> Any:
        return for_call(tuple(_widened(t) for t in args), kws)

    dispatcher.get_call_template = for_wide_call
    return dispatcher


def _widened(t: Any) -> Any:
    return types.int64 if isinstance(t, types.Integer) and getattr(t, "signed", False) else t


def _cached(function: F, **options: Any) -> F:
    if INTERPRETED:
        return function
    # Numba reads the directory when the dispatcher is made; other packages keep their own.
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(CACHE_DIR)
    try:
        return _njit(cache=True, **options, **_OPTIONS)(function)
    finally:
        _config.CACHE_DIR = before


def entry(function: F) -> F:
    """A kernel called from Python; its machine code is kept on disk."""
    return _cached(function)


def parallel_entry(function: F) -> F:
    """The same, with its `prange` loops shared among threads."""
    return _cached(function, parallel=True)


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
