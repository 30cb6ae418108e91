"""`ka selftest`: it tells what was tried, and notices what fails."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest

from ka_env import cli
from ka_env.commands import selftest
from ka_env.training.selftest import fuzz, hostile, kills
from ka_env.training.selftest.indices import Watched, watched
from ka_env.training.selftest.results import Result, Task


def test_the_command(tmp_path, capsys):
    words = ["selftest", "--only", "policies", "states", "--scale", "0.02", "--json", str(tmp_path / "found.json")]
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found == json.loads((tmp_path / "found.json").read_text())
    assert [one["part"] for one in found["parts"]] == ["policies", "states"]
    assert found["failed"] == 0
    assert all(one["tried"] >= 40 for one in found["parts"])
    assert "policies      ok" in err
    assert cli.main(["selftest", "--only", "policys"]) == 2
    assert "did you mean 'policies'" in capsys.readouterr().err


def test_a_part_that_crashes_has_failed(monkeypatch, capsys):
    broken = selftest.Part("", "", "nothing", {"PYTHONHOME": "/nowhere"})
    monkeypatch.setitem(selftest.PARTS, "soak", broken)
    assert cli.main(["selftest", "--only", "soak"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["failed"] == 1
    assert "1 FAILED" in err


@pytest.fixture
def task(tmp_path):
    return Task(0.01, 1, tmp_path, time.monotonic() + 300)


def test_untyped_errors_are_failures(task, monkeypatch):
    def careless(text):
        raise KeyError(text)

    monkeypatch.setattr(fuzz, "_read", careless)
    result = Result("positions")
    fuzz.positions(task, result)
    assert result.failed == result.tried == 200
    assert len(result.failures) == 20 and "KeyError" in result.failures[0]


def test_mutations_are_many_and_some_can_be_read(task):
    result = Result("positions")
    fuzz.positions(task, result)
    assert result.failed == 0
    assert result.facts["NotationError"] > 20 and result.facts["accepted"] > 5


def test_watched_arrays_know_no_index_below_0():
    array = np.arange(6).reshape(2, 3).view(Watched)
    assert array[1, 2] == 5
    for index in (-1, (0, -1), np.int8(-1)):
        with pytest.raises(IndexError):
            array[index]
        with pytest.raises(IndexError):
            array[index] = 0
    plain = np.zeros(2, [("x", np.int8, 3), ("n", np.int8)]).view(np.recarray)
    games = watched(plain)
    games[0].n = 7
    assert games[0].n == 7 and games["n"][0] == 7 and plain[0].n == 7
    with pytest.raises(IndexError):
        games[0].x[-1]
    plain[1] = games[0]  # as kernels copy records
    assert plain[1].n == 7


def test_there_are_twenty_kinds_of_hostile_agents_and_more():
    names = hostile.specs("store", "folder")
    assert len(names) == len(hostile.FORFEITS) + len(hostile.HARMLESS) >= 20


def test_a_tournament_goes_on_being_killed_after_a_worker_was(task, monkeypatch):
    """A worker's death doesn't end the command: the next kill comes before its end."""

    class Command:
        stored = 0

        def __init__(self):
            self.ended = False

        def poll(self):
            return 1 if self.ended else None

        def wait(self, seconds):
            Command.stored = 3600

    def games(store):
        Command.stored += 10
        return Command.stored

    def kill(process, rng, result, workers, ray):
        process.ended = result.tried % 3 == 0  # else a worker

    started = []
    monkeypatch.setattr(kills, "_start", lambda words, log: started.append(Command()) or started[-1])
    monkeypatch.setattr(kills, "_run", lambda words, log: 0.0)
    monkeypatch.setattr(kills, "_rows", lambda store: [None] * 3600)
    monkeypatch.setattr(kills, "_games", games)
    monkeypatch.setattr(kills, "_kill", kill)
    monkeypatch.setattr(kills.time, "sleep", lambda seconds: None)
    result = Result("arena")
    kills.arena(replace(task, scale=3), result)
    assert (result.tried, len(started), result.failed) == (12, 5, 0)
