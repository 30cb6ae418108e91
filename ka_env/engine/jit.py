"""Compiling the rules: `kernel` and `entry` are Numba's njit with the settings of this project.

The rules are plain Python functions. `kernel` marks a function that other kernels call; `entry` marks the few that
Python calls, whose machine code is kept on disk. Numba's own cache does not notice a change in another file that a
function calls, so each room (a game's package, the agents', any other package's) has a cache directory of its own,
named by a hash of its sources, of the engine's and of Numba's settings: a change in one game leaves the others' machine
code alone. What is kept bears a hash of its bytes: damaged code is compiled anew, and a place that can't be written to
only means that nothing is kept. With NUMBA_DISABLE_JIT=1 the same functions run as they stand, in the debugger too.
Never call a `kernel` from Python: it has no wrapper for that.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
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
from llvmlite.binding import Linkage
from numba.core import event, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
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
BUILD = "BOUNDSCHECK OPT CPU_NAME CPU_FEATURES ENABLE_AVX LOOP_VECTORIZE SLP_VECTORIZE DEBUGINFO_DEFAULT".split()


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


def build_hash(room: Path) -> str:
    """The same with Numba's settings: code with bounds checks is other code."""
    settings = " ".join(f"{name}={getattr(_config, name, None)}" for name in BUILD)
    return hashlib.blake2b(f"{source_hash(room)} {settings}".encode(), digest_size=8).hexdigest()


def _usable(base: Path) -> bool:
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            return True
    except OSError:
        return False


def _cache_home(name: str) -> Path:
    """KA_CACHE_DIR, else the user's cache directory, else (nothing there is writable) the temporary directory.

    A directory in which the code is ready need not be writable.
    """
    given = os.environ.get("KA_CACHE_DIR")
    home = Path(given) if given else Path(platformdirs.user_cache_dir("ka_env"))
    try:
        ready = any((home / name).iterdir())
    except OSError:
        ready = False
    return home if ready or _usable(home) else _private_temporary()


def _private_temporary() -> Path:
    """A directory below the temporary one into which nobody else can put code."""
    path = Path(tempfile.gettempdir()) / f"ka_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
        if not hasattr(os, "getuid") or (found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700):
            return path
        return Path(tempfile.mkdtemp(prefix="ka_env-"))
    except OSError:
        return path / "nowhere"  # nothing will be kept


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
    name = f"{room.name}-{build_hash(room)}"
    home = _cache_home(name)
    path = home / name
    try:
        path.mkdir(parents=True, exist_ok=True)
        os.utime(path)
        _forget_old(home, path)
    except OSError:
        pass  # read-only, full, or somebody else is tidying the same directory: what is missing is compiled
    return path


# ---- what is kept ---------------------------------------------------------------------------------------------------

SEAL = 32  # bytes


def _sealed(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=SEAL).digest() + data


def _unsealed(path: str) -> bytes:
    """What was kept in a file; a damaged file is as good as none."""
    content = Path(path).read_bytes()
    if content != _sealed(content[SEAL:]):
        raise FileNotFoundError(f"{path} is damaged")
    return content[SEAL:]


class _SealedFile(IndexDataCacheFile):
    """Numba's files of one function, with a hash of their bytes: wrong machine code is worse than none."""

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads = pickle.loads(_unsealed(self._index_path))
        except OSError:
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_unsealed(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, content: Any) -> None:
        with self._open_for_write(path) as file:
            file.write(_sealed(self._dump(content)))


class _Place(_CacheLocator):
    """Where one function's code is kept: in the directory of its room, whose name tells the sources."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file  # Numba's warnings name it
        room = room_of(py_file)
        self._path = cache_dir(room)
        where = f"{Path(py_file).relative_to(room)} {py_func.__code__.co_firstlineno}"
        self._which = hashlib.blake2b(where.encode(), digest_size=4).hexdigest()

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Place:
        return cls(py_func, py_file)

    def ensure_cache_path(self) -> None:
        self._path.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return self._which


class _Keeping(CompileResultCacheImpl):
    _locator_classes = [_Place]


class _KeptCode(FunctionCache):
    """Whatever goes wrong with what is kept, the program goes on with freshly compiled code."""

    _impl_class = _Keeping

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = _SealedFile(self._cache_path, self._impl.filename_base, Path(self._cache_path).name)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super()._load_overload(sig, target_context)
        except Exception:  # unpickling and linking raise many kinds
            return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):  # no room, or no right to write
            super()._save_overload(sig, data)


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


class _NoEnvironment:
    """Numba's code generator for a kernel, which has no module of its own to put a Python environment into."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        pass


class _KernelLibrary(JITCodeLibrary):
    """A kernel's code is only ever linked into an entry's. There it is optimised, once and as a whole.

    Numba would optimise each kernel with all it calls, and turn that into machine code, at each level of calls: that
    takes far longer. Small ones are optimised beforehand, so that the entry sees how little they are.
    """

    SMALL = 6  # functions, with those it calls

    codegen = property(lambda self: _NoEnvironment(self._codegen))

    def _optimize_final_module(self) -> None:
        if sum(not function.is_declaration for function in self._final_module.functions) <= self.SMALL:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0


class _KernelCompiler(Compiler):
    _library: type[_KernelLibrary] = _KernelLibrary

    def compile_extra(self, func: Any) -> Any:
        self.state.library = self._library(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class _ApartLibrary(_KernelLibrary):
    def _finalize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:  # the kernel, not what it calls
                function.add_function_attribute("noinline")
        super()._finalize_final_module()


class _ApartCompiler(_KernelCompiler):
    _library = _ApartLibrary


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
    return _kernel(function, _KernelCompiler)


def apart(function: F) -> F:
    """A kernel whose code stays apart from its callers': big and not always needed, it would slow down theirs."""
    return _kernel(function, _ApartCompiler)


def summing(function: F) -> F:
    """A kernel that adds up many numbers, in whichever order is fastest: several at a time by vector instructions."""
    return _kernel(function, _KernelCompiler, fastmath={"reassoc", "contract", "nsz"})


def _kernel(function: F, compiler: type[Compiler], **more: Any) -> F:
    if INTERPRETED:
        return function
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    options = {"nopython": True, **wrappers, **_OPTIONS, **more}
    made: Any = _Kernel(function, targetoptions=options, pipeline_class=compiler)
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
    made = _njit(**options, **_OPTIONS)(function)
    made._cache = _KeptCode(function)
    return made


class _Threads:
    """GNU's OpenMP ends a process that was forked after threads were used, as soon as it uses threads itself."""

    lost = False

    @classmethod
    def note_fork(cls) -> None:
        with contextlib.suppress(ValueError):  # no threads yet
            cls.lost = numba.threading_layer() == "omp"


threads_after_fork = _Threads
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Threads.note_fork)


KEPT = "(once after each update, then kept on disk; seconds to minutes)"
PARTS = {  # files with entries, in words
    "kernels": "the rules",
    "players": "the rules-based players",
    "search": "the tree search",
    "sparse": "the networks",
    "random_agent": "random play",
}


def part_of(module: str) -> str:
    """What an entry in this module is a part of: `the tree search of blackpoker`."""
    names = module.split(".")[1:]
    return f"{PARTS.get(names[-1], names[-1])} of {names[0]}"


class _CompileNotice(event.Listener):
    """Says on stderr what is being compiled, since the first time takes a while; once for each part."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.now = ""  # the part that is being compiled: progress bars show it
        self._depth = 0
        self._began = 0.0
        self._said: set[str] = set()

    def _module(self, ev: event.Event) -> str:
        """Of the function compiled, if it is one of ours."""
        function = getattr(ev.data.get("dispatcher"), "py_func", None)
        module = getattr(function, "__module__", "")
        return module if module.startswith("ka_env.") else ""

    def on_start(self, ev: event.Event) -> None:
        module = self._module(ev)
        if not module:
            return
        self._depth += 1
        if self._depth > 1:
            return
        self._began = time.perf_counter()
        self.now = part_of(module)
        if self.now not in self._said and "KA_QUIET" not in os.environ:
            self._said.add(self.now)
            print(f"ka_env: compiling {self.now}, as far as needed here {KEPT} ...", file=sys.stderr, flush=True)

    def on_end(self, ev: event.Event) -> None:
        if not self._module(ev):
            return
        self._depth -= 1
        if self._depth == 0:
            self.now = ""
            self.seconds += time.perf_counter() - self._began


compile_notice = _CompileNotice()
if not INTERPRETED:
    event.register("numba:compile", compile_notice)
