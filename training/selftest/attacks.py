"""All hostile agents in one tournament: each loses its own games, nobody else notices."""

from __future__ import annotations

import os
from pathlib import Path

from ka_env.games import Setup
from ka_env.training.arena import Plan, Store, play_tournament, write_report
from ka_env.training.arena.faults import FORFEITS
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.verify import verify
from ka_env.training.selftest import hostile as kinds
from ka_env.training.selftest.results import Result, Task

RULES = (Setup("8.0-lite", "entry20"),)
HONEST = ("random", "greedy")
MOVE_TIME, MEMORY = 3.0, 1024


def hostile(task: Task, result: Result) -> None:
    pairs = task.many(1)
    alone = task.folder / "alone.sqlite"
    play_tournament(_plan((), pairs), alone, workers=0, quiet=True)
    path = task.folder / "hostile.sqlite"
    specs = kinds.specs(str(path), str(task.folder))
    plan = _plan(tuple(specs.values()), pairs)
    play_tournament(plan, path, workers=os.cpu_count() or 1, quiet=True)
    with Store.read(alone) as store:
        expected = store.rows()
    with Store.read(path) as store:
        rows = store.rows()
        result.facts["walls"] = store.settings.get("walls_stood")
        result.facts["kinds"] = len(specs)
        verify(store)
        page = write_report(store, task.folder / "hostile.html").read_text(encoding="utf-8")
    result.expect([row for row in rows if {row.first, row.second} == {0, 1}] == expected, "games of others are touched")
    result.expect("<script>window" not in page, "the report runs script")
    for number, (name, spec) in enumerate(specs.items(), len(HONEST)):
        assert plan.agents[number] == spec
        own = [row for row in rows if number in (row.first, row.second)]
        result.tried += len(own)
        result.expect(len(own) == 2 * pairs, f"{name}: {len(own)} games instead of {2 * pairs}")
        _judge(name, number, own, result)
    _judge_marks(task.folder, result)


def _plan(guests: tuple[str, ...], pairs: int) -> Plan:
    agents = (*HONEST, *guests)
    return Plan(agents, RULES, pairs, "gauntlet", seed=1, move_time=MOVE_TIME, memory=MEMORY)


def _judge(name: str, number: int, rows: list[GameRow], result: Result) -> None:
    faults = [row for row in rows if row.reason in FORFEITS]
    for row in faults:
        result.count(f"forfeits by {row.reason}")
        loser = row.first if row.score == 0 else row.second
        result.expect(loser == number, f"{name}: the other one has lost by {row.reason}: {row.error}")
    if name in {kind.__name__ for kind in kinds.HARMLESS}:
        result.expect(not faults, f"{name}: forfeits: {faults[0].error if faults else ''}")
    else:
        result.expect(faults, f"{name}: no forfeit at all")


def _judge_marks(folder: Path, result: Result) -> None:
    """Files that an agent left where it must not; told, and no failure where no such wall stands."""
    places = [mark for mark in (*kinds.marks(folder), folder / "ka-selftest-network") if mark.exists()]
    for place in places:
        place.unlink(missing_ok=True)
    result.facts["marks left outside"] = len(places)
    if "files" in (result.facts["walls"] or ()):
        result.expect(not places, f"marks left in spite of the walls: {places}")
