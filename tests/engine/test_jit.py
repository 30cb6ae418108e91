"""Machine code is kept on disk and never outlives its sources."""

import ast
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from ka_env.engine import jit

PACKAGE = jit.PACKAGE
ROOT = PACKAGE.parent

INNER = "from ka_env.engine.jit import kernel\n\n\n@kernel\ndef value(x: int) -> int:\n    return x + 1\n"
OUTER = (
    "from ka_env.game_one.inner import value\nfrom ka_env.engine.jit import entry\n\n\n"
    "@entry\ndef ask(x: int) -> int:\n    return value(x)\n"
)
ASK = (
    "from ka_env.engine import jit\nfrom ka_env.game_one.outer import ask\n"
    "print(ask(40), jit.compile_notice.seconds > 0, jit.cache_dir(jit.PACKAGE / 'game_one'))"
)


# ---- the name of the cache ------------------------------------------------------------------------------------------


@pytest.fixture
def copied(tmp_path):
    """The package, copied."""
    shutil.copytree(PACKAGE, tmp_path / "ka_env", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "ka_env"


def with_a_byte_more(path):
    path.write_bytes(path.read_bytes() + b"#")


def hash_of(package, room):
    return jit.source_hash(package / room, package / "engine")


def file_of(module, root):
    place = root.parent / module.replace(".", "/")
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.exists()), None)


def imported_files(path, root):
    """Files of the package that a source imports from, by the grammar of Python."""
    for node in ast.parse(path.read_bytes()).body:  # imports inside functions come too late for kernels
        assert not isinstance(node, ast.ImportFrom) or node.level == 0, f"{path.name}: a relative import"
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (file_of(name, root) or file_of(node.module, root) for name in names)
        elif isinstance(node, ast.Import):
            yield from (file_of(alias.name, root) for alias in node.names)


def needed_sources(root, room):
    """Files of a room with kernels, and everything they import."""
    kernel = re.compile(r"^\s*@(kernel|entry)$", re.MULTILINE)
    waiting = [path for path in (root / room).rglob("*.py") if kernel.search(path.read_text(encoding="utf-8"))]
    found = {root / "engine" / "jit.py"}
    while waiting:
        path = waiting.pop()
        if path is not None and path not in found and path.is_relative_to(root):
            found.add(path)
            waiting += imported_files(path, root)
    return found


NO_CONSTANTS = {"__init__.py", "errors.py"}  # of ka_env itself: nothing that a kernel compiles in


@pytest.mark.parametrize("room", ["blackpoker", "agents"])
def test_a_change_in_any_kernel_source_changes_the_hash(copied, room):
    sources = needed_sources(copied, room)
    if room == "blackpoker":
        names = {path.name for path in sources}
        assert {"lance.py", "flow.py", "edition_8_0.py", "rows.py", "codes.py", "bits.py", "kernels.py"} <= names
    hashes = [hash_of(copied, room)]
    for path in sorted(sources):
        if path.parent == copied and path.name in NO_CONSTANTS:
            continue
        with_a_byte_more(path)
        hashes.append(hash_of(copied, room))
        assert hashes[-1] != hashes[-2], f"{path.relative_to(copied)} may change unnoticed"
    assert len(set(hashes)) == len(hashes)


def test_a_change_in_one_room_leaves_the_others_alone(copied):
    rooms = ("blackpoker", "agents")
    before = [hash_of(copied, room) for room in rooms]
    with_a_byte_more(copied / "agents" / "sparse.py")
    after = [hash_of(copied, room) for room in rooms]
    assert after[0] == before[0]
    assert after[1] != before[1]
    with_a_byte_more(copied / "engine" / "loops.py")
    assert all(hash_of(copied, room) != old for room, old in zip(rooms, after))


def test_every_compiled_function_comes_from_a_hashed_file():
    """What is really compiled, as it stands in the loaded modules."""
    import_module("ka_env.blackpoker.players.search")
    loaded = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "ka_env"]
    functions = [getattr(value, "py_func", None) for module in loaded for value in vars(module).values()]
    files = {Path(function.__code__.co_filename) for function in functions if function is not None}
    assert len(files) > 20
    for file in files:
        assert file in jit.kernel_sources(jit.room_of(file))


def test_no_kernel_lives_among_words_and_pictures():
    for path in PACKAGE.rglob(f"{jit.NO_KERNELS}/*.py"):
        assert "engine.jit" not in path.read_text(encoding="utf-8"), path


def test_new_and_renamed_kernels_change_the_hash(copied):
    actions = copied / "blackpoker" / "actions"
    hashes = [hash_of(copied, "blackpoker")]
    (actions / "extra.py").write_text(INNER)
    hashes.append(hash_of(copied, "blackpoker"))
    (actions / "extra.py").rename(actions / "other.py")
    hashes.append(hash_of(copied, "blackpoker"))
    assert len(set(hashes)) == 3
    (actions / "other.py").unlink()
    assert hash_of(copied, "blackpoker") == hashes[0]


def test_other_files_do_not_change_the_hash(copied):
    """What no kernel needs may change without a compile."""
    before = hash_of(copied, "blackpoker")
    with_a_byte_more(copied / "cli.py")
    with_a_byte_more(copied / "blackpoker" / "people" / "phrases.py")
    (copied / "blackpoker" / "notes.txt").write_text("x")
    assert hash_of(copied, "blackpoker") == before


def test_the_hash_does_not_depend_on_the_place(copied, tmp_path):
    shutil.copytree(copied, tmp_path / "elsewhere" / "ka_env")
    assert hash_of(tmp_path / "elsewhere" / "ka_env", "blackpoker") == hash_of(copied, "blackpoker")


def test_kernels_of_other_packages_have_a_room(tmp_path):
    assert jit.room_of(tmp_path / "their_game" / "rules.py") == tmp_path / "their_game"


# ---- a small package of its own -------------------------------------------------------------------------------------


@pytest.fixture
def tiny(tmp_path):
    """A package with the real jit.py and one small kernel in a file of its own."""
    package = tmp_path / "tiny" / "ka_env"
    for folder in ("", "engine", "game_one"):
        (package / folder).mkdir(parents=True, exist_ok=True)
        (package / folder / "__init__.py").write_text("")
    (package / "game_one" / "inner.py").write_text(INNER)
    (package / "game_one" / "outer.py").write_text(OUTER)
    shutil.copy(PACKAGE / "engine" / "jit.py", package / "engine")
    return package


def start(script, where, **environment):
    """A fresh Python; returns what it printed on stdout and stderr."""
    kept = {name: value for name, value in os.environ.items() if name not in ("KA_QUIET", "KA_CACHE_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=where,
        env={**kept, "PYTHONDONTWRITEBYTECODE": "1", **{name: str(value) for name, value in environment.items()}},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


def test_a_second_start_does_not_compile_and_a_change_does(tiny, tmp_path):
    """Numba itself would not notice: the changed function lies in another file than the one that is kept."""
    cache = tmp_path / "cache"
    (value, compiled, first), notice = start(ASK, tiny.parent, KA_CACHE_DIR=cache)
    assert (value, compiled) == ("41", "True")
    assert Path(first).parent == cache
    assert notice.count("compiling outer of game_one") == 1 == len(notice.splitlines()), "once for each part, by name"
    (value, compiled, again), notice = start(ASK, tiny.parent, KA_CACHE_DIR=cache)
    assert (value, compiled, again, notice) == ("41", "False", first, "")
    (tiny / "game_one" / "inner.py").write_text(INNER.replace("x + 1", "x + 2"))
    (value, compiled, other), notice = start(ASK, tiny.parent, KA_CACHE_DIR=cache)
    assert (value, compiled) == ("42", "True")
    assert other != first
    assert "compiling" in notice


def test_kernels_are_compiled_only_as_parts_of_entries():
    """Numba would make machine code of each kernel, with all it calls, at each level of calls."""

    @jit.kernel
    def inner(x):
        return x + 1

    @jit.apart
    def beside(x):
        return inner(x) * 3 if x > 2 else inner(x)

    @jit.entry
    def outer(x):
        return beside(x) + inner(x)

    assert [outer(x) for x in (1, 5)] == [4, 24]
    for made in (inner, beside):
        (compiled,) = made.overloads.values()
        assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) == 0
    (compiled,) = outer.overloads.values()
    code = compiled.library.get_llvm_str()
    assert "noinline" in code and beside.__name__ in code  # kept apart
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) != 0


def test_parts_are_told_in_words():
    assert jit.part_of("ka_env.blackpoker.players.search") == "the tree search of blackpoker"
    for room in ("blackpoker", "bluemoon"):
        for part in ("kernels", "players", "players.search"):
            assert jit.part_of(f"ka_env.{room}.{part}").startswith("the "), (
                "a file with entries needs its words in PARTS"
            )


def test_progress_bars_say_what_is_compiled(monkeypatch):
    from ka_env.training.arena.progress import CompilingColumn

    assert str(CompilingColumn().render(None)) == ""
    monkeypatch.setattr(jit.compile_notice, "now", "the rules of blackpoker")
    assert "compiling the rules of blackpoker" in str(CompilingColumn().render(None))


def test_quiet(tiny, tmp_path):
    (value, compiled, _), notice = start(ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache", KA_QUIET=1)
    assert (value, compiled, notice) == ("41", "True", "")


def test_a_cache_that_cannot_be_written(tiny, tmp_path):
    """Below a regular file nothing can be made, not even by root: the temporary directory serves instead."""
    (tmp_path / "file").write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {"KA_CACHE_DIR": tmp_path / "file" / "below", "TMPDIR": temporary}
    (value, compiled, where), _ = start(ASK, tiny.parent, **environment)
    assert (value, compiled) == ("41", "True")
    assert temporary in Path(where).parents
    (value, compiled, again), _ = start(ASK, tiny.parent, **environment)
    assert (value, compiled, again) == ("41", "False", where)


def files_of(cache):
    return sorted(path for path in cache.rglob("*") if path.suffix in (".nbi", ".nbc"))


def test_damaged_code_is_compiled_anew_and_kept_again(tiny, tmp_path):
    cache = tmp_path / "cache"
    start(ASK, tiny.parent, KA_CACHE_DIR=cache)
    assert len(files_of(cache)) == 2
    for damage in (
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: bytes(len(data)),
        lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:],
        lambda data: data + b"more",
        lambda data: b"\x80\x04}\x94.",  # a pickle, but not ours
    ):
        for path in files_of(cache):
            whole = path.read_bytes()
            path.write_bytes(damage(whole))
            (value, compiled, _), _ = start(ASK, tiny.parent, KA_CACHE_DIR=cache)
            assert (value, compiled) == ("41", "True"), path.name
            (value, compiled, _), _ = start(ASK, tiny.parent, KA_CACHE_DIR=cache)
            assert (value, compiled) == ("41", "False"), path.name


NO_ROOM = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n"
NO_WRITING = (
    "import tempfile\ndef refused(*_, **__):\n    raise OSError(30, 'Read-only file system')\n"
    "tempfile.TemporaryFile = refused\n"
)


def test_a_full_disk_only_means_that_nothing_is_kept(tiny, tmp_path):
    for _ in range(2):
        (value, compiled, _), _ = start(NO_ROOM + ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache")
        assert (value, compiled) == ("41", "True")
    assert not list((tmp_path / "cache").rglob("*.tmp.*"))
    start(ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache")
    (value, compiled, _), _ = start(ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache")
    assert (value, compiled) == ("41", "False")


def test_a_ready_cache_need_not_be_writable(tiny, tmp_path):
    (_, _, place), _ = start(ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache")
    (value, compiled, again), _ = start(NO_WRITING + ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache")
    assert (value, compiled, again) == ("41", "False", place)


def test_code_with_bounds_checks_is_kept_apart(tiny, tmp_path):
    (_, _, plain), _ = start(ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache")
    for expected in ("True", "False"):
        (_, compiled, checked), _ = start(ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache", NUMBA_BOUNDSCHECK=1)
        assert checked != plain
        assert compiled == expected
    (_, compiled, again), _ = start(ASK, tiny.parent, KA_CACHE_DIR=tmp_path / "cache")
    assert (again, compiled) == (plain, "False")


def test_old_caches_are_tidied(tiny, tmp_path):
    """The newest few stay, this start's own among them; nothing else is touched."""
    cache = tmp_path / "cache"
    for age in range(8):
        old = cache / f"game_one-{age}"
        old.mkdir(parents=True)
        (old / "code.nbi").write_text("x")
        os.utime(old, (1_600_000_000 - age, 1_600_000_000 - age))
    (cache / "something else").mkdir()
    (_, _, own), _ = start(ASK, tiny.parent, KA_CACHE_DIR=cache)
    newest = {f"game_one-{age}" for age in range(jit.KEEP_CACHES - 1)}
    assert {path.name for path in cache.iterdir()} == {*newest, Path(own).name, "something else"}
    start(ASK, tiny.parent, KA_CACHE_DIR=cache)
    assert {path.name for path in cache.iterdir()} == {*newest, Path(own).name, "something else"}


def test_interpreted_keeps_nothing(tiny, tmp_path):
    script = ASK.replace(", jit.cache_dir(jit.PACKAGE / 'game_one')", "")
    (value, compiled), notice = start(script, tiny.parent, KA_CACHE_DIR=tmp_path / "cache", NUMBA_DISABLE_JIT=1)
    assert (value, compiled, notice) == ("41", "False", "")
    assert not (tmp_path / "cache").exists()


# ---- the real kernels -----------------------------------------------------------------------------------------------

PLAY = """
import numpy as np
from ka_env import BatchEngine, Game
from ka_env.engine import jit
for threads in (1, 2):
    batch = BatchEngine("6.1-std", num_games=4, threads=threads)
    batch.step(batch.random_actions(np.arange(4, dtype=np.uint64)))
    batch.reset_done()
game = Game.from_text(Game.new("8.0-lite", "entry20", seed=1).to_text())
game.play("attack")
game.determinize(0, 1)
print(jit.compile_notice.seconds)
"""


def test_all_rules_are_kept():
    """Whatever the first start has to compile, the second finds on disk."""
    kept = {name: os.environ[name] for name in ("KA_CACHE_DIR",) if name in os.environ}
    start(PLAY, ROOT, **kept)
    (seconds,), notice = start(PLAY, ROOT, **kept)
    assert float(seconds) == 0
    assert notice == ""
