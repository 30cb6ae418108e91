"""Attack this installation on purpose: hostile agents, kills at random moments, damaged files, mutated input, soak.

Each part runs in a process of its own; nothing outside a temporary directory is touched. At the end all numbers are
printed as JSON. docs/reliability.md says what is promised and has the numbers of a long run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ka_env import __version__
from ka_env.errors import KaError, nearest

HELP = "attack this installation on purpose, and tell what held"

ROOM = "ka_env.training.selftest"


class Part(NamedTuple):
    module: str
    function: str
    what: str
    environment: dict[str, str] = {}
    parts: tuple[str, ...] = ()  # other parts, which are run so
    scale: float = 1.0


PARTS = {
    "hostile": Part("attacks", "hostile", "agents that do what agents must not, in one tournament"),
    "arena": Part("kills", "arena", "kills of a tournament, early and late"),
    "arena-ray": Part("kills", "arena_ray", "the same on Ray"),
    "training": Part("kills", "training", "kills of a training, then --resume"),
    "training-sb3": Part("kills", "training_sb3", "the same with the trainer sb3"),
    "training-ray": Part("kills", "training_ray", "the same with Ray's actors"),
    "stores": Part("damage", "stores", "damaged and edited stores"),
    "checkpoints": Part("damage", "checkpoints", "damaged checkpoints, and right ones with wrong bytes"),
    "caches": Part("damage", "caches", "damaged machine code, no room for it"),
    "policies": Part("damage", "policies", "damaged policies and odd cards"),
    "positions": Part("fuzz", "positions", "mutated position texts"),
    "records": Part("fuzz", "records", "mutated game records"),
    "states": Part("fuzz", "states", "game records with wrong bytes"),
    "bounds": Part(
        "", "", "positions, records and states with bounds checks in the kernels", {"NUMBA_BOUNDSCHECK": "1"},
        ("positions", "records", "states"), 0.2,
    ),
    "indices": Part(
        "indices", "indices", "whole games without compiling: no index below 0", {"NUMBA_DISABLE_JIT": "1"}
    ),
    "threads": Part("machine", "threads", "threads, forks, spawned processes, copies: the same games"),
    "soak": Part("machine", "soak", "random play for a long time"),
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", nargs="+", metavar="PART", help=f"some of: {', '.join(PARTS)}")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X", help="so many times the usual number of tries")
    parser.add_argument("--minutes", type=float, default=3.0, metavar="N", help="at most, for each part (default 3)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all random choices (default 1)")
    parser.add_argument("--json", metavar="FILE", help="write the JSON there, too")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)  # one part, in this process


def run(args: argparse.Namespace) -> int:
    names = args.only or list(PARTS)
    for name in names:
        if name not in PARTS:
            raise KaError(f"unknown part {name!r}: expected some of {', '.join(PARTS)}{nearest(name, PARTS)}")
    if not (args.scale > 0 and args.minutes > 0):
        raise KaError(f"--scale and --minutes must be above 0, not {args.scale:g} and {args.minutes:g}")
    if args.inside:
        print(json.dumps([asdict(inside(name, args)) for name in names]))
        return 0
    began = time.monotonic()
    results = []
    for name in names:
        print(f"{name:13} {PARTS[name].what} ...", file=sys.stderr, flush=True)
        found = watched(name, args)
        results += found
        for one in found:
            print(line(one), file=sys.stderr, flush=True)
    summary = {
        "ka_env": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "seed": args.seed,
        "scale": args.scale,
        "minutes_per_part": args.minutes,
        "seconds": round(time.monotonic() - began, 1),
        "failed": sum(one["failed"] for one in results),
        "parts": results,
    }
    text = json.dumps(summary, indent=1)
    if args.json:
        Path(args.json).write_text(text + "\n", encoding="utf-8")
    print(text)
    return 1 if summary["failed"] else 0


def line(one: dict[str, Any]) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in one["facts"].items())
    verdict = "ok" if not one["failed"] else f"{one['failed']} FAILED"
    words = f"{one['part']:13} {verdict}: {one['tried']:,} tried in {one['seconds']:.0f} s; {facts}"
    return "\n".join([words, *(f"    {failure[:300]}" for failure in one["failures"][:5])])


def inside(name: str, args: argparse.Namespace) -> Any:
    """One part, here and now."""
    from ka_env.training.selftest.results import Result, Task

    part = PARTS[name]
    result = Result(name)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ka-selftest-", ignore_cleanup_errors=True) as folder:
        task = Task(args.scale, args.seed, Path(folder), began + 60 * args.minutes)
        try:
            getattr(import_module(f"{ROOM}.{part.module}"), part.function)(task, result)
        except Exception as error:
            result.fail(f"the part ended with {type(error).__name__}: {error}")
    result.seconds = round(time.monotonic() - began, 1)
    return result


def watched(name: str, args: argparse.Namespace) -> list[dict[str, Any]]:
    """A part in a process of its own: one that ends badly, or never, has failed."""
    part = PARTS[name]
    inner = part.parts or (name,)
    words = [sys.executable, "-m", "ka_env", "selftest", "--inside", "--only", *inner]
    words += ["--scale", str(args.scale * part.scale), "--minutes", str(args.minutes), "--seed", str(args.seed)]
    patience = 60 * args.minutes * len(inner) + 1800  # compiling, and the try under way
    began = time.monotonic()
    try:
        done = subprocess.run(words, env={**os.environ, **part.environment}, capture_output=True, timeout=patience)
        found = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return [_broken(name, f"no end after {patience:.0f} s", began)]
    except (IndexError, ValueError):
        return [_broken(name, f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-1000:]}", began)]
    for one in found:
        one["part"] = one["part"] if one["part"] == name else f"{name}: {one['part']}"
    return found


def _broken(name: str, words: str, began: float) -> dict[str, Any]:
    seconds = round(time.monotonic() - began, 1)
    return {"part": name, "tried": 1, "failed": 1, "failures": [words], "facts": {}, "seconds": seconds}
