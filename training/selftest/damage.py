"""Files that went wrong: stores, checkpoints, compile caches, policies. One clear error, or as good as before."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.errors import KaError
from ka_env.games import Setup
from ka_env.training.selftest.results import Result, Task


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Cut off, bits flipped, a stretch overwritten or zeroed."""
    found = bytearray(data)
    what = rng.randrange(4)
    if what == 0:
        return bytes(found[: rng.randrange(len(found))])
    if what == 1:
        for _ in range(rng.randint(1, 20)):
            found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
        return bytes(found)
    first = rng.randrange(len(found))
    size = min(len(found) - first, rng.randint(1, 4096))
    found[first : first + size] = bytes(size) if what == 2 else rng.randbytes(size)
    return bytes(found)


# ---- stores ---------------------------------------------------------------------------------------------------------

EDITS = [
    "UPDATE games SET score = 7", "UPDATE games SET score = 1 - score", "UPDATE games SET reason = '<script>'",
    "UPDATE games SET actions = x''", "UPDATE games SET actions = 'text'", "UPDATE games SET hash = 1",
    "UPDATE games SET pair = pair + 1", "UPDATE games SET deal_seed = -1", "UPDATE games SET usage_first = 'x'",
    "UPDATE games SET first = 5 WHERE first = 0", "UPDATE games SET margin = 'x'", "UPDATE games SET turns = NULL",
    "DELETE FROM games WHERE first = 0", "DELETE FROM games", "DROP TABLE games", "DROP TABLE agents",
    "DROP VIEW results",
    "DROP TABLE rules", "DROP TABLE settings", "DELETE FROM settings", "UPDATE settings SET value = 'x'",
    "UPDATE settings SET value = '[]'", "UPDATE settings SET value = '{}' WHERE name = 'agents'", "DELETE FROM agents",
    "UPDATE settings SET value = '\"\\u202e\"' WHERE name = 'agents'",
]  # fmt: skip


def stores(task: Task, result: Result) -> None:
    """Report, verification and export of stores that were damaged or edited."""
    from ka_env.training.arena import Plan, play_tournament

    path = task.folder / "whole.sqlite"
    plan = Plan(("random", "greedy"), (Setup("8.0-lite", "entry20"), Setup("6.1-std", "full54")), pairs=20, seed=1)
    play_tournament(plan, path, workers=0, quiet=True)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    whole, rng = path.read_bytes(), task.rng("stores")
    copy = task.folder / "copy.sqlite"
    for number in task.tries(60):
        copy.write_bytes(damaged(whole, rng))
        _use_store(copy, f"damaged store {number}", result)
    for edit in EDITS:
        copy.write_bytes(whole)
        with sqlite3.connect(copy) as connection:
            try:
                connection.execute(edit)
            except sqlite3.Error:
                continue
        _use_store(copy, edit, result, accepted=edit.startswith("DROP VIEW"))


def _use_store(path: Path, what: str, result: Result, accepted: bool = True) -> None:
    from ka_env.training.arena import Store, export_games, write_report

    with result.trying(what, (KaError,)):
        with Store.read(path) as store:
            write_report(store, path.with_suffix(".html"))
            export_games(store, path.parent / "games", ["0.0.1.0"])
        if not accepted:
            result.fail(f"{what}: rated all the same")


# ---- checkpoints ----------------------------------------------------------------------------------------------------


def checkpoints(task: Task, result: Result) -> None:
    """Damage is always found; random bytes with a right hash never reach a kernel."""
    if find_spec("torch") is None or find_spec("sb3_contrib") is None:
        result.facts["left out"] = "the extra `train` is not installed"
        return
    from ka_env.training import checkpoint
    from ka_env.training.config import from_table
    from ka_env.training.run import Run

    small = {"hidden": [8], "games": 16, "rollout": 256, "minibatch": 64, "threads": 1, "agents": ["random"],
             "baselines": ["random"], "evaluate_pairs": 2, "final_pairs": 2, "steps": 600, "checkpoint_every": 1,
             "tensorboard": False}  # fmt: skip
    folder = task.folder / "run"
    Run(from_table(small), folder, quiet=True).train()
    path, rng = folder / checkpoint.FILE, task.rng("checkpoints")
    checkpoint.previous(path).unlink()
    whole = path.read_bytes()
    for number in task.tries(60):
        data = damaged(whole, rng)
        path.write_bytes(data)
        with result.trying(f"damaged checkpoint {number}", (KaError,)):
            checkpoint.load(path)
            result.expect(data == whole, f"damaged checkpoint {number} goes unnoticed")
    path.write_bytes(whole)
    facts, arrays, optimizer = checkpoint.read(path)
    for number in task.tries(20):
        changed = {name: array.copy() for name, array in arrays.items()}
        name = rng.choice([name for name in changed if name.startswith("player.")])
        flat = changed[name].view(np.uint8).reshape(-1)
        places = [rng.randrange(len(flat)) for _ in range(rng.choice([1, 4, len(flat)]))] if len(flat) else []
        for place in places:
            flat[place] = rng.randrange(256)
        checkpoint.save(path, facts, changed, optimizer)
        checkpoint.previous(path).unlink()
        with result.trying(f"{name} with other bytes, {number}", (KaError,)):
            Run.resume(folder, {"steps": 900}, quiet=True).train()


# ---- compile caches -------------------------------------------------------------------------------------------------

KERNEL = "from ka_env.engine.jit import entry\n\n\n@entry\ndef double(x):\n    return 2 * x\n"
ASK = "from rules import double\nfrom ka_env.engine import jit\nprint(double(21), jit.compile_notice.seconds > 0)"


def caches(task: Task, result: Result) -> None:
    """Damaged machine code is compiled anew and kept again; with no room at all the program goes on."""
    room, cache = task.folder / "room", task.folder / "cache"
    room.mkdir()
    (room / "rules.py").write_text(KERNEL)
    environment = {**os.environ, "KA_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join([str(room), *sys.path])}

    def ask(script: str = ASK) -> list[str]:
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        return done.stdout.split() if done.returncode == 0 else [done.stderr[-500:]]

    rng = task.rng("caches")
    result.expect(ask()[:1] == ["42"], "the first start fails")
    for number in task.tries(6):
        files = [path for path in cache.rglob("*") if path.suffix in (".nbi", ".nbc")]
        path = rng.choice(files)
        whole = path.read_bytes()
        data = damaged(whole, rng)
        path.write_bytes(data)
        first, second = ask(), ask()
        result.tried += 1
        result.expect(first[:1] == ["42"], f"damage {number} of {path.name}: {first}")
        result.expect(second == ["42", "False"], f"damage {number} of {path.name} does not heal: {second}")
    no_room = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n"
    environment["KA_CACHE_DIR"] = str(task.folder / "no room")
    result.tried += 1
    result.expect(ask(no_room + ASK)[:1] == ["42"], "without room for its cache the program ends")


# ---- policies -------------------------------------------------------------------------------------------------------

CARDS: list[Any] = [None, [], {}, 0, "", "x", [1], {"kind": []}, 2**70, -1, True, 1e300, "[" * 1000]


def policies(task: Task, result: Result) -> None:
    """Policy files with other bytes, and cards with every fact replaced by something odd."""
    from ka_env.agents.nets import PolicyNet, policy_path, trained_names

    path, rng = task.folder / "policy.npz", task.rng("policies")
    name = trained_names()[0]
    whole = policy_path(name).read_bytes()
    for number in task.tries(100):
        path.write_bytes(damaged(whole, rng))
        with result.trying(f"damaged policy {number}", (KaError,)):
            PolicyNet.load(path)
    for key in ("format", "game", "layout", "meaning", "observation_size", "num_actions", "network"):
        for value in CARDS:
            net = PolicyNet.load(name)
            net.card[key] = value
            net.save(path)
            with result.trying(f"policy with {key} {value!r:.40}", (KaError,)):
                PolicyNet.load(path)
                result.fail(f"policy with {key} {value!r:.40} is taken")
