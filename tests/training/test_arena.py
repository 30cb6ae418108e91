"""Tournaments: pairs, resuming, forfeits, stores, reports, the command."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from ka_env import BatchEngine, cli
from ka_env.agents import AgentError, make_agent, register
from ka_env.agents.registry import _registered
from ka_env.blackpoker.declaration import margins
from ka_env.engine.batch import paired_engine
from ka_env.games import Setup
from ka_env.record import Record
from ka_env.training.arena import (
    ArenaError,
    Plan,
    SprtSettings,
    Store,
    all_standings,
    export_games,
    play_tournament,
    write_report,
)
from ka_env.training.arena.guests import GuestAgent, Limits
from ka_env.training.arena.plan import Lane, Schedule, missing_ranges
from ka_env.training.arena.play import Cast, play_unit
from ka_env.training.arena.tournament import Referee
from ka_env.training.arena.workers import make_crew
from ka_env.training.ratings import PAIR_SCORES, winrate_interval
from tests import PATIENCE
from tests.agents import arena_agents

ROOT = Path(__file__).parents[2]
LITE, STD = Setup("8.0-lite", "entry20"), Setup("6.1-std", "full54")
TWO = ("random", "random#2")  # the same agent under two names


@pytest.fixture
def registered():
    """Agents of this process, for tournaments with workers=0."""
    before = dict(_registered)
    for name in ("FirstLegal", "Faulty", "Fool", "Fragile", "Hashing"):
        register(name.lower(), getattr(arena_agents, name))
    yield
    _registered.clear()
    _registered.update(before)


@pytest.fixture(scope="module")
def finished(two_setups, tmp_path_factory):
    """A small finished tournament."""
    path = tmp_path_factory.mktemp("arena") / "store.sqlite"
    play_tournament(Plan((*TWO, "random#3"), two_setups, pairs=4), path, workers=0, quiet=True)
    return path


def rows_of(path):
    with Store.read(path) as store:
        return store.rows()


# ---- pairs and seeds ------------------------------------------------------------------------------------------------


def test_a_pair_is_one_deal_with_the_seats_swapped(finished):
    with Store.read(finished) as store:
        setup = store.plan.rules[0]
    unit = Plan(TWO, (setup,)).unit(Lane(0, 0, 1), 5, 3)
    engine = paired_engine(unit.rules, unit.seed_for("deals"), 5, 3)
    alone = BatchEngine(*setup[:2], num_games=1, seed=unit.seed_for("deals"), first_game=6)
    texts = [engine.game(i).to_text() for i in range(6)]
    assert texts[:3] == texts[3:]
    assert texts[1] == alone.game(0).to_text()
    assert len(set(texts)) == 3
    with Store.read(finished) as store:
        folder = finished.parent / "pairs"
        one, two = (Record.from_text(p.read_text()) for p in export_games(store, folder, ["1.0.2.3", "1.2.0.3"]))
    assert one.deal == two.deal
    assert one.turns != two.turns


def test_every_pairing_has_its_own_deals(finished):
    seeds = {(row.rules, *sorted((row.first, row.second))): row.deal_seed for row in rows_of(finished)}
    assert len(set(seeds.values())) == len(seeds) == 6


@pytest.mark.usefixtures("registered")
def test_games_do_not_depend_on_what_is_played_beside_them(one_setup):
    plan = Plan(("hashing", "random"), (one_setup,), seed=3)
    lane = plan.lanes()[0]
    together = play_unit(plan.unit(lane, 0, 5), Cast())
    apart = [row for k in reversed(range(5)) for row in play_unit(plan.unit(lane, k, 1), Cast())]
    assert sorted(together) == sorted(apart)
    swapped = Plan(("random", "hashing"), (one_setup,), seed=3)
    other = play_unit(swapped.unit(lane, 0, 5), Cast())
    assert sorted(row.hash for row in other) == sorted(row.hash for row in together)
    reseeded = play_unit(Plan(("hashing", "random"), (one_setup,), seed=4).unit(lane, 0, 5), Cast())
    assert {row.hash for row in reseeded}.isdisjoint(row.hash for row in together)


def test_two_workers_play_what_one_process_plays(tmp_path, two_setups):
    plan = Plan(TWO, two_setups, pairs=20, seed=0)
    for name, workers in (("one", 0), ("two", 2)):
        outcome = play_tournament(plan, tmp_path / name, workers=workers, quiet=True)
        assert (outcome.played, outcome.stored) == (80, 80)
    assert rows_of(tmp_path / "one") == rows_of(tmp_path / "two")


# ---- plans ----------------------------------------------------------------------------------------------------------


def test_a_gauntlet_is_one_against_many(tmp_path, one_setup):
    plan = Plan((*TWO, "random#3", "random#4"), (one_setup,), kind="gauntlet", pairs=2)
    assert [(lane.one, lane.two) for lane in plan.lanes()] == [(0, 1), (0, 2), (0, 3)]
    play_tournament(plan, tmp_path / "s", workers=0, quiet=True)
    assert {(row.first, row.second) for row in rows_of(tmp_path / "s")} == {
        (0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0)
    }  # fmt: skip
    with Store.read(tmp_path / "s") as store:
        (found,) = all_standings(store)
        assert found.nash is None
        assert found.games == [12, 4, 4, 4]
        assert "Gauntlet of random" in write_report(store, tmp_path / "r.html").read_text()


def test_what_is_missing_is_handed_out_once():
    assert missing_ranges(10, [9, 2, 3]) == [(0, 2), (4, 9)]
    assert missing_ranges(3, [0, 1, 2, 7]) == []
    plan = Plan(TWO, (LITE, STD), pairs=50)
    schedule = Schedule(plan, {Lane(0, 0, 1): [0, 1, 17]})
    seen = []
    while unit := schedule.next():
        seen += [(unit.lane.rules, k) for k in range(unit.first, unit.first + unit.count)]
        schedule.finished(unit, 0.01 * unit.count)
    assert len(seen) == len(set(seen)) == 97
    assert schedule.open_pairs == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": ("random",)}, "at least two"),
        ({"agents": ("random", "random")}, "given twice: call its twin 'random#2'"),
        ({"agents": (*TWO, "wall"), "kind": "duel"}, "two agents"),
        ({"pairs": 0}, "pairs"),
        ({"rules": (LITE, LITE)}, "once each"),
        ({"move_time": 0}, "time"),
        ({"sprt": SprtSettings(10, 0)}, "elo0"),
    ],
)
def test_plans_that_make_no_sense(change, message):
    with pytest.raises(ValueError, match=message):
        Plan(**{"agents": TWO, **change})


# ---- stopping and going on ------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from ka_env.games import Setup
from ka_env.training.arena import Plan, play_tournament
from ka_env.training.arena.plan import Schedule
from ka_env.training.arena.store import Store

def add(self, rows, count=[0]):
    count[0] += 1
    if count[0] < 4:
        return stored(self, rows)
    self._db.execute("BEGIN IMMEDIATE")
    self._db.executemany(f"INSERT INTO games VALUES ({', '.join('?' * len(rows[0]))})", rows[:3])
    os.kill(os.getpid(), signal.SIGKILL)

stored, Store.add = Store.add, add
Schedule.MOST = 20  # so that there are enough units
if __name__ == "__main__":
    plan = Plan(("random", "random#2"), (Setup("8.0-lite", "entry20"),), pairs=200, seed=0)
    play_tournament(plan, sys.argv[1], workers=1)
"""


def test_kill_9_loses_nothing_that_was_finished(tmp_path):
    script, path = tmp_path / "killed.py", tmp_path / "killed.sqlite"
    script.write_text(KILLED)
    done = subprocess.run(
        [sys.executable, script, path], cwd=ROOT, env=_environment(), capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    before = rows_of(path)
    assert 0 < len(before) < 400
    assert len(before) % 2 == 0
    plan = Plan(TWO, pairs=200, seed=0)
    outcome = play_tournament(plan, path, workers=0, quiet=True)
    assert outcome.played == 400 - len(before)
    play_tournament(plan, tmp_path / "whole", workers=0, quiet=True)
    assert rows_of(path) == rows_of(tmp_path / "whole")
    assert play_tournament(plan, path, workers=0, quiet=True).played == 0


def _environment():
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_a_store_takes_one_tournament_only(tmp_path):
    path = tmp_path / "s"
    play_tournament(Plan(TWO, pairs=2), path, workers=0, quiet=True)
    for other, difference in (
        (Plan(TWO, pairs=2, seed=5), "seed is not set there, 5 here"),
        (Plan((*TWO, "random#3"), pairs=2), "agents is random, random#2 there, random, random#2, random#3 here"),
        (Plan(TWO, (STD,), pairs=2), "rules is 8.0-lite/entry20 there, 6.1-std/full54 here"),
        (Plan(TWO, pairs=1), "pairs is 2 there, 1 here"),
    ):
        with pytest.raises(ArenaError, match=re.escape(difference)):
            play_tournament(other, path, workers=0, quiet=True)
    assert play_tournament(Plan(TWO, pairs=5), path, workers=0, quiet=True).played == 6  # longer is fine
    (tmp_path / "text").write_text("no database, but long enough to look at" * 50)
    with pytest.raises(ArenaError, match="text"):
        Store.read(tmp_path / "text")


@pytest.mark.usefixtures("registered")
def test_a_duel_stops_when_it_is_decided(tmp_path, two_setups):
    plan = Plan(("random", "fool"), two_setups, pairs=5000, kind="duel", sprt=SprtSettings(0, 50))
    outcome = play_tournament(plan, tmp_path / "duel", workers=0, quiet=True)
    assert outcome.sprt.decision == "H1"
    assert outcome.stored == 2 * outcome.sprt.pairs < 200
    rows = rows_of(tmp_path / "duel")
    assert len(rows) == outcome.stored
    assert all(row.reason == "illegal" for row in rows)
    assert play_tournament(plan, tmp_path / "duel", workers=0, quiet=True).played == 0
    referee = Referee(plan)
    for row in np.random.default_rng(1).permutation(len(rows)):
        referee.add([rows[row]])
    assert referee.stopped_at == max((row.pair, row.rules) for row in rows)
    with Store.read(tmp_path / "duel") as store:
        assert "LLR" in write_report(store, tmp_path / "duel.html").read_text()


def test_a_worker_that_dies_is_replaced(one_setup):
    """Its unit is played again with every agent in its own process; the games are the same."""
    unit = Plan(TWO, (one_setup,)).unit(Lane(0, 0, 1), 0, 1)
    crew = make_crew(workers=1)
    try:
        (worker,) = crew._idle
        os.kill(worker._process.pid, signal.SIGSTOP)  # so that it can't be done before it dies
        crew.submit(unit)
        worker._process.kill()
        played = crew.collect()
    finally:
        crew.close()
    assert played.unit.isolated
    assert played.rows == play_unit(unit, Cast())


def test_a_game_that_is_too_long_is_a_draw(tmp_path, monkeypatch, one_setup):
    """docs/departures.md: nobody has lost it, and the reason is told."""
    monkeypatch.setattr("ka_env.training.arena.play.MOST_DECISIONS", 5)
    play_tournament(Plan(TWO, (one_setup,), pairs=3, seed=1), tmp_path / "s", workers=0, quiet=True)
    rows = rows_of(tmp_path / "s")
    assert [(row.score, row.reason, row.decisions) for row in rows] == [(0.5, "limit", 5)] * 6


# ---- forfeits -------------------------------------------------------------------------------------------------------


def test_third_party_agents_lose_the_games_they_fail_in(tmp_path, capsys):
    faulty = [f"python:tests.agents.arena_agents:Faulty,how={how}" for how in ("crash", "hang", "illegal")]
    plan = Plan(("random", *faulty), kind="gauntlet", pairs=1, move_time=12)
    play_tournament(plan, tmp_path / "s", workers=0)
    told = capsys.readouterr().err
    rows = rows_of(tmp_path / "s")
    assert len(rows) == 6
    for number, (reason, text) in enumerate(
        [("crash", "out of ideas"), ("timeout", "12 s"), ("illegal", "illegal move")], 1
    ):
        lost = next(row for row in rows if row.first == number)
        assert (lost.score, lost.reason) == (0, reason)
        assert text in lost.error
        assert text in told
        assert lost.decisions > 0
        other = next(row for row in rows if row.second == number)
        assert (other.reason, other.error) == ("normal", None)
    assert "Traceback" in rows[3].error
    with Store.read(tmp_path / "s") as store:
        assert all_standings(store)[0].forfeits == [0, 1, 1, 1]
        export_games(store, tmp_path / "games")  # replays and checks forfeited games, too
        assert "out of ideas" in write_report(store, tmp_path / "r.html").read_text()


def test_a_process_that_is_gone_is_started_again():
    agent = GuestAgent("python:tests.agents.arena_agents:Faulty,how=exit", Limits(60))
    engine = BatchEngine(*LITE[:2], num_games=1)
    games, seats, seeds = np.array([0]), np.array([0]), np.array([1], np.uint64)

    def act():
        return agent.act(games, None, engine.action_mask, engine.views(games, seeds))

    try:
        for _ in range(2):
            agent.begin(games, seats, seeds)
            assert act() == [engine.action_mask[0].argmax()]
            with pytest.raises(Exception, match="exit code 7"):
                act()
    finally:
        agent.close()


@pytest.mark.usefixtures("registered")
def test_a_crash_in_the_worker_is_a_forfeit_too(tmp_path, one_setup):
    play_tournament(Plan(("random", "faulty"), (one_setup,), pairs=3), tmp_path / "s", workers=0, quiet=True)
    rows = rows_of(tmp_path / "s")
    crashed = [row for row in rows if row.first == 1]
    assert [row.reason for row in crashed] == ["crash"] * 3
    assert all("out of ideas" in row.error and "Traceback" in row.error for row in crashed)
    assert [row.reason for row in rows if row.first == 0] == ["normal"] * 3


@pytest.mark.usefixtures("registered")
def test_a_crash_with_many_games_costs_only_the_game_it_is_about(tmp_path, one_setup):
    play_tournament(Plan(("fragile", "random"), (one_setup,), pairs=3), tmp_path / "s", workers=0, quiet=True)
    rows = rows_of(tmp_path / "s")
    assert [(row.first, row.pair) for row in rows if row.reason == "crash"] == [(0, 0)]
    assert "not this one" in rows[0].error


@pytest.mark.usefixtures("registered")
def test_agents_known_to_this_process_only(tmp_path):
    with pytest.raises(ArenaError, match="python:module:Class"):
        play_tournament(Plan(("random", "fool")), tmp_path / "s", workers=2)


def test_wrong_names_are_told_before_anything_is_played(tmp_path):
    with pytest.raises(AgentError, match="did you mean 'random'"):
        play_tournament(Plan(("random", "randm")), tmp_path / "s", workers=0)
    for spec, message in (
        ("python:tests.agents.arena_agents:Fowl", "did you mean 'Fool'"),
        ("python:tests.nowhere:Fool", "No module named"),
        ("python:Fool", "expected python:package.module:Class"),
        ("python:tests.agents.arena_agents:Faulty,who=me", "its options are how"),
    ):
        with pytest.raises(AgentError, match=message):
            make_agent(spec)
    with pytest.raises(AgentError, match="No module named"):
        play_tournament(Plan(("random", "python:tests.nowhere:Fool")), tmp_path / "s", workers=0)
    assert not (tmp_path / "s").exists()


# ---- records and report ---------------------------------------------------------------------------------------------


def test_exported_games_replay(finished, tmp_path):
    with Store.read(finished) as store:
        rows = store.rows()
        written = export_games(store, tmp_path)
        assert len(written) == len(rows) == 48
        for path, row in list(zip(written, rows))[::7]:
            record = Record.from_text(path.read_text())
            game = record.replay()
            assert game.result[0] == row.score
            frame = store.plan.rules[row.rules].frame if "frame" in record.game.HEADERS else None
            assert record.headers.get("frame") == frame  # or the deal tells the decks
            assert len(record.turns) in (row.turns, row.turns - 1)
        used = json.loads(rows[0].usage_first)
        assert 0 < sum(used.values()) < rows[0].decisions
        with pytest.raises(ArenaError, match=re.escape("no game '9.9'")):
            export_games(store, tmp_path, ["9.9"])


def test_a_record_that_does_not_come_out_as_stored_is_refused(finished, tmp_path):
    path = tmp_path / "copy"
    path.write_bytes(finished.read_bytes())
    with Store.read(path) as store:
        store.query("UPDATE games SET hash = 'wrong' WHERE rules = 0 AND first = 0 AND second = 1 AND pair = 0")
        store.query("UPDATE games SET actions = x'c5' WHERE rules = 0 AND first = 0 AND second = 1 AND pair = 1")
        with pytest.raises(ArenaError, match="stored with hash wrong"):
            export_games(store, tmp_path, ["0.0.1.0"])
        with pytest.raises(ArenaError, match=r"game 0\.0\.1\.1, move 1"):
            export_games(store, tmp_path, ["0.0.1.1"])


class Page(HTMLParser):
    """Tables by class, links, and the numbers."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.links, self.open, self.numbers = {}, [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in ("link", "img", "iframe") or "src" in attributes:
            raise AssertionError(f"the page needs more than itself: {tag} {attributes}")
        if tag == "table":
            self.tables.setdefault(attributes["class"].split()[-1], []).append([])
            self.current = self.tables[attributes["class"].split()[-1]][-1]
        if tag == "tr":
            self.current.append([])
        if tag in ("td", "th"):
            self.current[-1].append("")
        if tag == "a":
            self.links.append(attributes["href"])
        if tag not in ("meta", "circle", "line", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("circle", "line", "rect"):
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.numbers = json.loads(data)
        elif {"td", "th"} & set(self.open):
            self.current[-1][-1] += data


def test_the_report_holds_the_numbers_of_the_store(finished, tmp_path):
    with Store.read(finished) as store:
        page = Page(write_report(store, tmp_path / "report.html").read_text(encoding="utf-8"))
        found = all_standings(store)
    assert not page.open
    labels = [rules.label for rules in store.plan.rules]
    assert [one["rules"] for one in page.numbers] == [*labels, "all rules"]
    for told, one in zip(page.numbers, found):  # which tells more of games with sides: see test_sides.py
        expected = json.loads(json.dumps(one.numbers()))
        assert {key: told[key] for key in expected} == expected
    assert page.numbers[2]["total"] == 48
    for one, table in zip(found, page.tables["ratings"]):
        assert [row[1] for row in table[1:]] == [one.agents[k] for k in one.order]
        best = one.order[0]
        assert table[1][2] == f"{round(one.ratings.elo[best]):+d} ± {one.ratings.half_width[best]:.0f}"
        assert [int(row[6]) for row in table[1:]] == [one.games[k] for k in one.order]
    rows = rows_of(finished)
    used = Counter()
    for row in rows:
        for seat, usage in ((row.first, row.usage_first), (row.second, row.usage_second)):
            used.update(json.loads(usage) if (row.rules, seat) == (0, 0) else {})
    column = page.tables["usage"][0][0].index("random")
    for word, times in used.most_common(3):
        shown = next(row for row in page.tables["usage"][0] if row[0] == word)
        assert shown[column] == f"{times / 16:.2f}"
    records = [link for link in page.links if not link.endswith(".html")]
    assert records
    for link in records:
        Record.from_text((tmp_path / link).read_text()).replay()
    assert {str(Path(link).with_suffix(".html")) for link in records} == set(page.links) - set(records)
    for link in set(page.links) - set(records):
        assert '<section id="board"' in (tmp_path / link).read_text(encoding="utf-8")


# ---- the command ----------------------------------------------------------------------------------------------------


def test_the_command(tmp_path, capsys, monkeypatch, one_setup):
    monkeypatch.chdir(tmp_path)
    on = ["--on", one_setup.label, "--workers", "0"]
    play = ["arena", "round-robin", *TWO, "--pairs", "3", *on, "--store", "s.sqlite"]
    assert cli.main(play) == 0
    out, err = capsys.readouterr()
    assert one_setup.label in out
    assert "First player" in out
    sides = 2 if "by people" in out else 0
    rates = 9 + sides + sides // 2  # of both, and of who begins
    assert len(re.findall(r"\d+\.\d % \(\d+\.\d to \d+\.\d\)", out)) == rates, "no rate without low and high"
    assert len(re.findall(r"\d+\.\d %", out)) == rates + 1 + 4 + sides, "the rest is no win rate: LOS, Nash and α-Rank"
    assert "6 of 6 games" in err
    assert (tmp_path / "s.html").exists()
    assert cli.main([*play, "--seed", "1"]) == 2
    assert "seed is not set there, 1 here" in capsys.readouterr().err
    assert cli.main(["arena", "report", "s.sqlite", "--report", "other.html"]) == 0
    assert (tmp_path / "other.html").exists()
    assert cli.main(["arena", "report", "s.sqlite", "--no-report", "--json", "s.json", "--csv", "s.csv"]) == 0
    figures = json.loads(Path("s.json").read_text())
    assert figures["command"] == f"ka arena round-robin {shlex.join(TWO)} --pairs 3 --on {one_setup.label}"
    (standing,) = figures["standings"]
    (pairing,) = standing["pairings"]
    rate = winrate_interval(np.repeat(PAIR_SCORES, pairing["pairs"]))
    assert sum(pairing["pairs"]) == 3 and pairing["win_rate"] == [round(x, 4) for x in rate[:3]]
    for name in ("win_rate", "as_first", "as_second"):
        assert all(low <= middle <= high for middle, low, high in standing[name])
    head, line = csv.reader(Path("s.csv").read_text().splitlines())
    assert dict(zip(head, line))["low"] == f"{rate.low:.4f}" and line[1:3] == [pairing["agent"], pairing["opponent"]]
    assert cli.main(["arena", "export", "s.sqlite", "--out", "games", "--game", "0.1.0.2"]) == 0
    assert [path.stem for path in Path("games").iterdir()] == ["0.1.0.2"]
    assert cli.main(["arena", "duel", *TWO, "--elo1", "800", *on, "--store", "d.sqlite", "--quiet"]) == 0
    assert len(rows_of("d.sqlite")) < 1000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gauntlet", "random", "randum", "--workers", "0"], "did you mean 'random'"),
        (["duel", *TWO, "--elo0", "5", "--elo1", "1"], "elo0"),
        (["round-robin", *TWO, "--on", "8.1-lite"], "did you mean '8.0-lite'"),
        (["export", "nowhere.sqlite", "--out", "games"], "no such store"),
        ([], "say what to play"),
    ],
)
def test_mistakes_in_the_command(words, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["arena", *words]) == 2
    assert message in capsys.readouterr().err


def test_the_ladder_takes_the_agents_there_are(tmp_path, capsys, monkeypatch):
    from ka_env.commands import arena

    monkeypatch.chdir(tmp_path)
    preset = arena.Preset(TWO, (*TWO, "no_such_agent"), ("8.0-lite/entry20",), 50, 2)
    monkeypatch.setitem(arena.PRESETS, "ladder", preset)
    assert cli.main(["arena", "--preset", "ladder", "--quick", "--workers", "0"]) == 0
    assert "left out: no_such_agent" in capsys.readouterr().err
    assert len(rows_of("ladder.sqlite")) == 4


# ---- Ray ------------------------------------------------------------------------------------------------------------


def test_without_ray_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ArenaError, match=r"\[ray\]"):
        make_crew(ray="local")


def test_ray_plays_what_one_process_plays(tmp_path):
    pytest.importorskip("ray")
    plan = Plan(TWO, pairs=10, seed=0)
    play_tournament(plan, tmp_path / "ray", workers=2, ray="local", quiet=True)
    play_tournament(plan, tmp_path / "here", workers=0, quiet=True)
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "here")


def test_the_margin_is_the_life_left_to_the_winner():
    engine = BatchEngine("8.0-lite", "entry20", num_games=64, seed=1)
    rng = np.arange(1, 65, dtype=np.uint64)
    while not engine.done.all():
        engine.step(engine.random_actions(rng))
    expected = [
        0 if reward[0] == 0 else life[0 if reward[0] > 0 else 1]
        for reward, life in zip(engine.rewards, engine.games["life_count"])
    ]
    assert margins(engine.games).tolist() == expected
    assert max(expected) > 0
