"""Does a test notice when a rule is wrong? One piece of a rule is flipped at a time; a scenario, or one of a few
games in lockstep with the reference, must fail.

`python -m tests.mutate` runs for ten minutes and goes on where it stopped; `--help` says more. Nothing on disk changes:
the rules run interpreted, and each mutant replaces one function's code in a process of its own. A mutant is *killed* by
the first case that fails, crashes or never ends; it has *survived* if all cases that run its line pass; it is
*unreached* if no case runs it. Tables of data (rulesets, cards) are not mutated.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import random
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

ROOT = Path(__file__).parents[1]
GAMES = {
    "blackpoker": ("flow/*.py", "actions/*.py"),
    "bluemoon": ("flow/*.py", "abilities/*.py", "layers/*.py", "zones.py", "chance.py"),
}
LOCKSTEP = {"blackpoker": 6, "bluemoon": 40}  # games from made-up positions, of each ruleset
PATIENCE = 2, 20  # seconds of a processor, and times what a case takes without a mutant: then it is endless
KILLED, SURVIVED, UNREACHED = "killed", "survived", "unreached"
VERDICTS = (KILLED, SURVIVED, UNREACHED)

FLIPS: dict[type, tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}


@dataclass(frozen=True)
class Mutant:
    file: str  # below ka_env
    function: str
    line: int
    start: int  # bytes in the file
    end: int
    new: str
    what: str

    def key(self, source: bytes) -> str:
        """The same for as long as the file stays as it is."""
        return blake2b(source + f"{self.start} {self.end} {self.new}".encode(), digest_size=8).hexdigest()


# ---- making mutants -------------------------------------------------------------------------------------------------


class Maker:
    """All mutants of one file: comparisons, signs and connectives flipped, numbers raised, conditions turned round,
    statements left out, one at a time."""

    def __init__(self, path: Path) -> None:
        self.file = str(path.relative_to(ROOT / "ka_env"))
        self.source = path.read_bytes()
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []
        for node in ast.parse(self.source).body:
            if isinstance(node, ast.FunctionDef):
                self.function = node.name
                for statement in node.body:
                    self.visit(statement)

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def span(self, node: Any) -> tuple[int, int]:
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def add(self, node: Any, start: int, end: int, new: str) -> None:
        old = self.source[start:end].decode()
        what = f"{' '.join(old.split())} -> {new}"
        self.found.append(Mutant(self.file, self.function, node.lineno, start, end, new, what))

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.AugAssign | ast.Expr):
            self.add(node, *self.span(node), "pass")
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            start, end = self.span(node.test)
            self.add(node.test, start, end, f"(not ({self.source[start:end].decode()}))")
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            self.flip(node, node.left, node.ops[0], node.comparators[0])
        if isinstance(node, ast.BinOp):
            self.flip(node, node.left, node.op, node.right)
        if isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:]):
                self.flip(node, left, node.op, right)
        if isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            self.add(node, *self.span(node), str(not node.value if type(node.value) is bool else node.value + 1))
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef) and child is not getattr(node, "annotation", None):
                self.visit(child)

    def flip(self, node: Any, left: Any, op: ast.AST, right: Any) -> None:
        """The sign stands between its two sides; brackets and comments may stand there, too."""
        if type(op) not in FLIPS:
            return
        old, new = FLIPS[type(op)]
        low, high = self.span(left)[1], self.span(right)[0]
        place = self.source[low:high].find(old.encode())
        if place >= 0:
            sides = [self.source[slice(*self.span(side))].decode() for side in (left, right)]
            what = f"{sides[0]} {new} {sides[1]}"
            start = low + place
            mutant = Mutant(self.file, self.function, node.lineno, start, start + len(old), new, " ".join(what.split()))
            self.found.append(mutant)


def mutated(source: bytes, mutant: Mutant) -> bytes:
    return source[: mutant.start] + mutant.new.encode() + source[mutant.end :]


def files_of(game: str) -> list[Path]:
    folder = ROOT / "ka_env" / game
    return sorted(path for pattern in GAMES[game] for path in folder.glob(pattern) if path.name != "__init__.py")


# ---- what judges them -----------------------------------------------------------------------------------------------

Case = tuple[str, Callable[[], None]]


def blackpoker_cases() -> Iterator[Case]:
    from ka_env import Game
    from ka_env.blackpoker import RULESETS
    from tests.blackpoker import scenario
    from tests.blackpoker.reference import random_position
    from tests.blackpoker.test_lockstep import play_in_lockstep

    for case in scenario.load_all():
        yield case.name, lambda case=case: scenario.run(case, Game, reads_pending=True)
    for ruleset in RULESETS:
        for k in range(LOCKSTEP["blackpoker"]):
            rng = random.Random(f"{ruleset} {k}")
            text = random_position(ruleset, rng)
            yield f"lockstep {ruleset} {k}", lambda text=text, k=k: play_in_lockstep(text, random.Random(k)) and None


def bluemoon_cases() -> Iterator[Case]:
    from ka_env.bluemoon import Game
    from tests.bluemoon import scenario
    from tests.bluemoon.mirrored import Mirrored
    from tests.bluemoon.positions import random_position
    from tests.bluemoon.test_lockstep import lockstep

    def play(text: str, k: int) -> None:
        lockstep(Game.from_text(text, seed=k), random.Random(k), 40, text)

    for case in scenario.load_all():
        yield case.name, lambda case=case: scenario.run(case, Game)
        if not case.refused:
            yield f"{case.name} mirrored", lambda case=case: scenario.run(case, Mirrored)
    for k in range(LOCKSTEP["bluemoon"]):
        text = random_position(random.Random(f"mutants {k}"))
        yield f"lockstep {k}", lambda text=text, k=k: play(text, k)


CASES = {"blackpoker": blackpoker_cases, "bluemoon": bluemoon_cases}
Reached = dict[tuple[str, int], list[int]]  # file and line: the cases that run it


def lines_reached(cases: list[Case], files: set[str]) -> tuple[Reached, list[float]]:
    """Run all cases once, as they are: which lines of the rules each runs, and how long it takes."""
    reached: Reached = defaultdict(list)
    seconds = []
    for number, (name, run) in enumerate(cases):
        lines: set[tuple[str, int]] = set()
        _trace(lines, files)
        begin = time.process_time()
        try:
            run()
        except BaseException as error:
            raise AssertionError(f"{name} fails without any mutant") from error
        finally:
            sys.settrace(None)
        seconds.append(time.process_time() - begin)
        for place in lines:
            reached[place].append(number)
    return reached, seconds


def _trace(lines: set[tuple[str, int]], files: set[str]) -> None:
    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    sys.settrace(lambda frame, event, _: line if frame.f_code.co_filename in files else None)


def code_of(source: bytes, path: Path, function: str) -> CodeType:
    module = compile(source, str(path), "exec", dont_inherit=True)
    return next(c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == function)


def judge(mutant: Mutant, source: bytes, cases: list[Case], seconds: list[float], order: list[int]) -> int:
    """In a process of its own, which may never end or crash: the case it dies of, or -1."""
    path = ROOT / "ka_env" / mutant.file
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    function = vars(module)[mutant.function]
    assert isinstance(function, FunctionType), f"{mutant.function} is not interpreted"
    here, there = os.pipe()
    child = os.fork()
    if child:
        os.close(there)
        with os.fdopen(here, "rb") as told:
            begun = told.read().split()  # a line for each case that was begun
        return -1 if os.waitpid(child, 0)[1] == 0 else int(begun[-1])
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        os.write(there, b"%d\n" % order[0])  # a mutant that can't even be compiled
        function.__code__ = code_of(mutated(source, mutant), path, mutant.function)
        for number in order:
            os.write(there, b"%d\n" % number)
            signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE[0] + PATIENCE[1] * seconds[number])
            cases[number][1]()
    except BaseException:
        os._exit(1)
    os._exit(0)


# ---- the run --------------------------------------------------------------------------------------------------------


def read_store(path: Path) -> dict[str, dict[str, Any]]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        with suppress(json.JSONDecodeError):  # the last line of a run that was stopped
            row = json.loads(line)
            found[row["key"]] = row
    return found


def in_turns(by_file: dict[str, list[Mutant]], seed: int) -> Iterator[Mutant]:
    """One mutant of each file, then the next of each: a run that ends early has seen all files."""
    for file, mutants in by_file.items():
        random.Random(f"{seed} {file}").shuffle(mutants)
    for k in range(max(map(len, by_file.values()), default=0)):
        yield from (mutants[k] for mutants in by_file.values() if k < len(mutants))


def run_game(game: str, args: argparse.Namespace, end: float) -> None:
    files = [path for path in files_of(game) if args.file in str(path)]
    if not files:
        return
    sources = {str(path.relative_to(ROOT / "ka_env")): path.read_bytes() for path in files}
    by_file = {maker.file: maker.found for maker in map(Maker, files)}
    store = Path(args.store)
    done = read_store(store)
    cases = list(CASES[game]())
    print(f"{game}: {sum(map(len, by_file.values()))} mutants of {len(files)} files, {len(cases)} cases", flush=True)
    reached, seconds = lines_reached(cases, {str(path) for path in files})
    kills: Counter[tuple[str, int]] = Counter()  # what killed others of the file is asked first
    gc.collect()
    gc.freeze()  # children then share the memory
    with store.open("a", encoding="utf-8") as out:
        for mutant in in_turns(by_file, args.seed):
            source = sources[mutant.file]
            key = mutant.key(source)
            if key in done and not (args.again and done[key]["verdict"] != KILLED):
                continue
            if time.monotonic() > end:
                break
            able = reached[str(ROOT / "ka_env" / mutant.file), mutant.line]
            order = sorted(able, key=lambda case: (-kills[mutant.file, case], seconds[case]))
            killer = judge(mutant, source, cases, seconds, order) if order else -1
            kills[mutant.file, killer] += 1
            verdict = KILLED if killer >= 0 else SURVIVED if order else UNREACHED
            row = {
                "key": key,
                "file": mutant.file,
                "line": mutant.line,
                "function": mutant.function,
                "what": mutant.what,
                "verdict": verdict,
                "by": cases[killer][0] if killer >= 0 else "",
            }
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            done[key] = row
    keys = {mutant.key(sources[mutant.file]) for mutants in by_file.values() for mutant in mutants}
    report(game, [row for key, row in done.items() if key in keys], {file: len(all_) for file, all_ in by_file.items()})


def report(game: str, rows: list[dict[str, Any]], made: dict[str, int]) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["file"]][row["verdict"]] += 1
        counts[f"{game}: all"][row["verdict"]] += 1
    made = {**made, f"{game}: all": sum(made.values())}
    print(f"{'file':44}{'mutants':>8}{'run':>6}" + "".join(f"{verdict:>10}" for verdict in VERDICTS))
    for file in sorted(counts):
        told = [counts[file][verdict] for verdict in VERDICTS]
        print(f"{file:44}{made[file]:8}{sum(told):6}" + "".join(f"{n:10}" for n in told))
    for row in sorted(rows, key=lambda row: (row["file"], row["line"])):
        if row["verdict"] != KILLED:
            print(f"{row['verdict']:10}{row['file']}:{row['line']} {row['function']}: {row['what']}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="only this one")
    parser.add_argument("--minutes", type=float, default=10.0, help="in all; what is left is run the next time")
    parser.add_argument("--file", default="", help="only files with this in their path")
    parser.add_argument("--seed", type=int, default=0, help="of the order in which mutants are run")
    parser.add_argument("--again", action="store_true", help="run those anew that were not killed")
    parser.add_argument("--store", default=str(ROOT / ".mutants.jsonl"), help="where the results are kept")
    args = parser.parse_args(argv)
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # before Numba is imported
        os.execv(sys.executable, [sys.executable, "-m", "tests.mutate", *(argv or sys.argv[1:])])
    begin, games = time.monotonic(), args.games or list(GAMES)
    for k, game in enumerate(games):
        left = args.minutes * 60 - (time.monotonic() - begin)
        run_game(game, args, time.monotonic() + left / (len(games) - k))
    return 0


if __name__ == "__main__":
    sys.exit(main())
