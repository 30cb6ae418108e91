"""The arena under attack: agents that want to know the cards, to hang the tournament, to reach beyond their process."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ka_env import BatchEngine, cli
from ka_env.agents import Agent, AgentError, register
from ka_env.agents.registry import _registered
from ka_env.envs.duel import Duels
from ka_env.games import Setup
from ka_env.training.arena import ArenaError, Plan, Store, all_standings, play_tournament, write_report
from ka_env.training.arena import guests as guests_module
from ka_env.training.arena.guests import GuestAgent, Limits
from ka_env.training.arena.plan import Lane
from ka_env.training.arena.play import Cast, abandoned, play_unit
from ka_env.training.arena.seeds import streams
from ka_env.training.arena.verify import verify
from ka_env.training.arena.workers import LocalCrew
from ka_env.training.selftest import hostile
from tests import PATIENCE

ROOT = Path(__file__).parents[2]
LITE = Setup("8.0-lite", "entry20")
TWO = ("random", "random#2")


def rows_of(path):
    with Store.read(path) as store:
        return store.rows()


# ---- nobody knows the cards -----------------------------------------------------------------------------------------

PUBLIC_SEEDS = range(12)


class Redeal(Agent):
    """Deals the game anew from everything that is public, and checks the guess against the seeds it is given."""

    found: list = []
    setup = LITE

    def begin(self, games, seats, seeds):
        for seed in PUBLIC_SEEDS:
            unit = Plan(("redeal", "random"), (self.setup,), seed=seed).unit(Lane(0, 0, 1), 0, 1)
            for first in unit.agents:
                for seat in (0, 1):
                    own = streams(unit.agents_seed_for(f"seat {seat}, first {first}"), np.arange(64))
                    for given in seeds:
                        for pair in np.flatnonzero(own == given):
                            self.found.append((seed, int(pair), unit.seed_for("deals")))

    def act(self, games, observations, masks, views=None):
        return masks.argmax(axis=1)


@pytest.fixture
def redeal(one_setup):
    before = dict(_registered)
    register("redeal", Redeal)
    Redeal.found, Redeal.setup = [], one_setup
    yield Redeal.found
    _registered.clear()
    _registered.update(before)


def test_the_attacker_knows_the_deals_of_a_public_seed(redeal, tmp_path, one_setup):
    """So the attack works, and `--seed` is what it says: not secret."""
    play_tournament(Plan(("redeal", "random"), (one_setup,), pairs=3, seed=7), tmp_path / "s", workers=0, quiet=True)
    deals = {(row.pair, row.deal_seed) for row in rows_of(tmp_path / "s")}
    assert {(pair, deal_seed) for _, pair, deal_seed in redeal} == deals
    assert len(redeal) == 6


def test_the_attacker_knows_nothing_of_a_tournament(redeal, tmp_path, one_setup):
    play_tournament(Plan(("redeal", "random"), (one_setup,), pairs=3), tmp_path / "s", workers=0, quiet=True)
    assert redeal == []
    with Store.read(tmp_path / "s") as store:
        secrets = store.plan.secret, store.plan.agent_seeds
    assert len(set(secrets)) == 2
    assert all(len(bytes.fromhex(secret)) >= 16 for secret in secrets)


class Hoarder(Agent):
    """Keeps everything it is given."""

    needs_views = True
    given: list = []

    def begin(self, games, seats, seeds):
        self.given.append(seeds.tobytes())

    def act(self, games, observations, masks, views=None):
        self.given.append(views.records["rng"].tobytes())
        return masks.argmax(axis=1)


@pytest.fixture
def hoarder():
    before = dict(_registered)
    register("hoarder", Hoarder)
    Hoarder.given = []
    yield Hoarder.given
    _registered.clear()
    _registered.update(before)


def test_what_agents_get_does_not_come_from_the_secret_of_the_deals(hoarder, one_setup):
    """Another secret, other deals, the same seeds for the agents; and the other way round."""
    plan = Plan(("hoarder", "random"), (one_setup,), secret="ab" * 32, agent_seeds="cd" * 32)
    lane = Lane(0, 0, 1)

    def given(plan):
        hoarder.clear()
        rows = play_unit(plan.unit(lane, 0, 3), Cast())
        return rows[0].deal_seed, hoarder[0]

    deal, seeds = given(plan)
    other_deal, same_seeds = given(replace(plan, secret="ef" * 32))
    same_deal, other_seeds = given(replace(plan, agent_seeds="12" * 32))
    assert (same_seeds, same_deal) == (seeds, deal)
    assert other_deal != deal
    assert other_seeds != seeds


def test_secrets_are_kept_and_told_when_it_is_over(tmp_path, capsys, one_setup):
    path, page = tmp_path / "s.sqlite", tmp_path / "r.html"
    plan = Plan(TWO, (one_setup,), pairs=3)
    assert plan.secret not in repr(plan) + repr(plan.unit(Lane(0, 0, 1), 0, 1)) + str(plan.unit(Lane(0, 0, 1), 0, 1))
    play_tournament(plan, path, workers=0)
    again = Plan(TWO, (one_setup,), pairs=5)  # draws others, and goes on with those of the store
    with Store.open(path, again) as store:
        assert store.plan.secret == plan.secret
        write_report(store, page)
        assert plan.secret not in page.read_text()
        assert plan.agent_seeds not in page.read_text()
    play_tournament(again, path, workers=0)
    with Store.read(path) as store:
        write_report(store, page)
    text = page.read_text()
    assert plan.secret in text and plan.agent_seeds in text
    out, err = capsys.readouterr()
    assert plan.secret not in out + err
    given = ["--secret", plan.secret, "--agent-seeds", plan.agent_seeds, "--store", str(tmp_path / "again")]
    words = ["round-robin", *TWO, "--on", one_setup.label, *"--pairs 5 --workers 0 --quiet --no-report".split()]
    assert cli.main(["arena", *words, *given]) == 0
    assert rows_of(tmp_path / "again") == rows_of(path)
    with pytest.raises(ArenaError, match="secret is another there"):
        play_tournament(Plan(TWO, (one_setup,), pairs=5, secret="ab" * 16), path, workers=0)


def test_secrets_that_are_none():
    for secret in ("ab" * 15, "xyz", "a" * 33, "ab" * 65):
        with pytest.raises(ArenaError, match="32 to 128 hex digits"):
            Plan(TWO, secret=secret)
    with pytest.raises(ArenaError, match="not both"):
        Plan(TWO, seed=1, secret="ab" * 16)


class Listener(Hoarder):
    """An opponent in an environment."""


def test_opponents_in_environments_are_told_nothing_of_the_deals(one_setup):
    """Without a seed the deals and the opponents' seeds are drawn apart; with one they come from separate hashes."""
    seen = []
    for _ in range(2):
        Listener.given = []
        duels = Duels(4, Listener(), seed=None, ruleset=one_setup.ruleset, frame=one_setup.frame)
        seen.append((duels.engine.games["rng"].tobytes(), Listener.given[0]))
    assert seen[0][0] != seen[1][0] and seen[0][1] != seen[1][1]
    Listener.given = []
    duels = Duels(4, Listener(), seed=5, ruleset=one_setup.ruleset, frame=one_setup.frame)
    first = Listener.given[0]
    Listener.given.clear()
    duels.reset(5)
    assert Listener.given[0] == first  # the same again
    guesses = {np.random.default_rng(5).integers(2**64, size=4, dtype=np.uint64).tobytes()}
    guesses.add(streams(5, np.arange(4)).tobytes())  # as the engine makes the games' own states
    assert first not in guesses


# ---- guests ---------------------------------------------------------------------------------------------------------


def spec_of(kind, options=""):
    return f"python:{hostile.__name__}:{kind.__name__}{options}"


@pytest.mark.parametrize(
    ("kinds", "move_time", "reason", "told"),
    [
        ([hostile.HalfMessage], 3, "timeout", ["no answer within 3 s"]),
        (
            [getattr(hostile, name) for name in "NeverReads OverLong Prints Escapes Forks FailsToStart".split()],
            PATIENCE,  # none of them is waited for
            "crash",
            ["without being asked", "at most 65536", "File too large", "xxxx", "exit code 5", "no GPU memory"],
        ),
    ],
    ids=["too late", "crash"],
)
def test_hostile_agents_lose_their_own_games_only(tmp_path, kinds, move_time, reason, told):
    """A few kinds; `ka selftest` has them all."""
    path = tmp_path / "s.sqlite"
    specs = [spec_of(kind, f",store={path}" if kind is hostile.FailsToStart else "") for kind in kinds]
    plan = Plan(("random", "wall", *specs), (LITE,), pairs=1, kind="gauntlet", move_time=move_time, seed=1)
    play_tournament(plan, path, workers=0, quiet=True)
    rows = rows_of(path)
    assert len(rows) == 2 * (len(plan.agents) - 1)
    for number, spec in enumerate(plan.agents):
        if spec.startswith("python:"):
            own = [row for row in rows if number in (row.first, row.second)]
            assert [row.reason for row in own] == [reason] * 2, spec
            assert all(row.score == (0 if row.first == number else 1) for row in own), spec
    alone = Plan(("random", "wall"), (LITE,), pairs=1, kind="gauntlet", seed=1)
    play_tournament(alone, tmp_path / "alone", workers=0, quiet=True)
    assert [row for row in rows if {row.first, row.second} == {0, 1}] == rows_of(tmp_path / "alone")
    errors = " ".join(row.error for row in rows if row.error)
    assert [words for words in told if words not in errors] == []
    assert "\x1b" not in errors and "\u202e" not in errors
    assert max(len(row.error) for row in rows if row.error) < 11_000
    with Store.read(path) as store:
        page = write_report(store, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script>window" not in page


def asked(limits, kind, options=""):
    """One game of a guest: what it answers at its second decision, or the fault."""
    engine = BatchEngine(*LITE[:2], num_games=1, seed=3)
    games, seeds = np.array([0]), np.array([1], np.uint64)
    agent = GuestAgent(spec_of(kind, options), limits)
    try:
        agent.begin(games, np.array([0]), seeds)
        for _ in range(2):
            answer = agent.act(games, engine.observe_some(games), engine.action_mask, engine.views(games, seeds))
        return agent._processes[0].walls, answer
    finally:
        agent.close()


def test_memory_has_a_limit():
    with pytest.raises(Exception, match=r"Unable to allocate|MemoryError"):
        asked(Limits(60, memory=512), hostile.Memory)


@pytest.mark.parametrize("walls", [True, False])
def test_a_guest_reaches_as_far_as_its_walls(walls, tmp_path):
    """Whatever walls stand are told. Without them it could write; with them nothing of it stays."""
    stands, _ = asked(Limits(60, walls=walls), hostile.Phones, f",folder={tmp_path}")
    left = [mark.exists() for mark in hostile.marks(tmp_path)]
    for mark in hostile.marks(tmp_path):
        mark.unlink(missing_ok=True)
    assert left == ["files" not in stands] * len(left) and len(left) >= 2
    assert "limits" in stands
    assert not (not walls and "files" in stands)


def test_a_guest_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(guests_module.tempfile, "tempdir", str(tmp_path))  # others have guests at that time, too
    made = []
    mkdtemp = guests_module.tempfile.mkdtemp
    monkeypatch.setattr(guests_module.tempfile, "mkdtemp", lambda **words: made.append(mkdtemp(**words)) or made[-1])
    with pytest.raises(Exception, match="exit code 5"):
        asked(Limits(60), hostile.Forks)
    assert len(made) == 1 and Path(made[0]).parent == tmp_path
    assert list(tmp_path.iterdir()) == []


ORPHAN = """
import os, signal, sys
import numpy as np
from ka_env.training.arena.guests import GuestAgent
if __name__ == "__main__":
    agent = GuestAgent("random")
    agent.begin(np.array([0]), np.array([0]), np.array([1], np.uint64))
    print(agent._processes[0]._process.pid, agent._processes[0]._folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_guests_end_with_the_arena_however_it_ends(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ORPHAN]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    keeper, folder = done.stdout.split()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and (Path(f"/proc/{keeper}").exists() or Path(folder).exists()):
        time.sleep(0.1)
    assert not Path(f"/proc/{keeper}").exists()
    assert not Path(folder).exists()


def test_a_start_that_fails_again_and_again_is_not_tried_for_ever(tmp_path):
    (tmp_path / "store").write_text("")
    agent = GuestAgent(spec_of(hostile.FailsToStart, f",store={tmp_path / 'store'}"))
    for _ in range(guests_module.MOST_STARTS):
        with pytest.raises(Exception, match="no GPU memory left"):
            agent.begin(np.array([0]), np.array([0]), np.array([1], np.uint64))
    agent._processes[0]._launch = None  # must not be called again
    with pytest.raises(Exception, match="3 starts in a row"):
        agent.begin(np.array([0]), np.array([0]), np.array([1], np.uint64))
    with pytest.raises(AgentError, match="can't be made"):
        GuestAgent(agent.name).prepare()


def test_games_nobody_can_play_are_lost_by_the_guest():
    guest = spec_of(hostile.KillsParents)
    unit = Plan(("random", guest), (LITE,), seed=1).unit(Lane(0, 0, 1), 4, 2)
    rows = abandoned(unit, "worker gone")
    assert [(row.pair, row.first, row.score, row.reason) for row in rows] == [
        (4, 0, 1, "crash"), (5, 0, 1, "crash"), (4, 1, 0, "crash"), (5, 1, 0, "crash")
    ]  # fmt: skip
    both = Plan((guest, guest + "#2"), (LITE,), seed=1).unit(Lane(0, 0, 1), 0, 1)
    assert {(row.score, row.reason) for row in abandoned(both, "worker gone")} == {(0.5, "void")}
    with pytest.raises(ArenaError, match="worker gone"):
        abandoned(Plan(TWO, (LITE,), seed=1).unit(Lane(0, 0, 1), 0, 1), "worker gone")


def test_a_guest_that_ends_workers_loses_and_the_tournament_goes_on():
    """Without walls it can: its unit is played twice, then given up."""
    unit = Plan(("random", spec_of(hostile.KillsParents)), (LITE,), seed=1, walls=False).unit(Lane(0, 0, 1), 0, 1)
    crew = LocalCrew(1)
    try:
        crew.submit(unit)
        played = crew.collect()
        crew.submit(Plan(TWO, (LITE,), seed=1).unit(Lane(0, 0, 1), 0, 1))
        assert [row.reason for row in crew.collect().rows] == ["normal"] * 2
    finally:
        crew.close()
    assert {(row.first, row.score, row.reason) for row in played.rows} == {(0, 1, "crash"), (1, 0, "crash")}


# ---- stores ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(two_setups, tmp_path_factory):
    path = tmp_path_factory.mktemp("trust") / "store.sqlite"
    play_tournament(Plan(TWO, two_setups, pairs=3), path, workers=0, quiet=True)
    sqlite3.connect(path).execute("PRAGMA journal_mode = DELETE").close()
    return path


@pytest.fixture
def edited(finished, tmp_path):
    """A copy of the store, after a change by somebody else."""

    def edit(*statements):
        path = tmp_path / "edited.sqlite"
        path.write_bytes(finished.read_bytes())
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return path

    return edit


def test_games_are_verified_before_they_are_rated(finished, tmp_path):
    with Store.read(finished) as store:
        assert verify(store) == 12
        page = write_report(store, tmp_path / "r.html").read_text()
    assert "Verified: all 12 games" in page
    assert "Content-Security-Policy" in page


FIRST = "WHERE rules = 0 AND first = 0 AND pair = 0"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (f"UPDATE games SET score = 1 - score {FIRST}", "replayed with"),
        (f"UPDATE games SET actions = substr(actions, 1, 9) {FIRST}", "replayed with None"),
        (f"UPDATE games SET actions = CAST(x'ff' || actions AS BLOB) {FIRST}", "move 1 is illegal"),
        (f"UPDATE games SET actions = CAST(actions || x'00' AS BLOB) {FIRST}", "is illegal"),
        (f"UPDATE games SET hash = 'x' {FIRST}", "stored with hash 'x'"),
        (f"UPDATE games SET deal_seed = 5 {FIRST}", "another deal than the secret gives"),
        (f"UPDATE games SET score = 7 {FIRST}", "score 7"),
        (f"UPDATE games SET reason = '<script>' {FIRST}", "reason '<script>'"),
        (f"UPDATE games SET reason = 'crash', error = 'x', score = 0.5 {FIRST}", "score 0.5"),
        (f"UPDATE games SET pair = '<b>' {FIRST}", "pair '<b>'"),
        (f"UPDATE games SET turns = 'many' {FIRST}", "turns 'many'"),
        (f"UPDATE games SET usage_first = '[' {FIRST}", "usage_first '['"),
        (f"UPDATE games SET actions = 'text' {FIRST}", "actions 'text'"),
        (f"UPDATE games SET first = 9 {FIRST}", "first 9"),
        (f"DELETE FROM games {FIRST}", "half a pair"),
        ("DROP TABLE games", "no such table"),
        ("DROP TABLE agents", "no such table"),
        ("DELETE FROM agents", "agents and rules"),
        ("DELETE FROM settings WHERE name = 'rules'", "tell no tournament"),
        ("DELETE FROM settings WHERE name = 'sprt'", "tell no tournament"),
        ("UPDATE settings SET value = '{' WHERE name = 'agents'", "can't be read"),
        ("UPDATE settings SET value = '5' WHERE name = 'agents'", "tell no tournament"),
        ("UPDATE settings SET value = '\"x\"' WHERE name = 'pairs'", "tell no tournament"),
        ("UPDATE settings SET value = '\"\"' WHERE name = 'secret'", "don't come out as stored"),
        ("UPDATE settings SET value = '\"xx\"' WHERE name = 'secret'", "hex digits"),
        ("UPDATE settings SET value = '7' WHERE name = 'format'", "format 7"),
    ],
)
def test_changed_stores_get_one_clear_line(edited, change, message, tmp_path, capsys):
    path = edited(change)
    assert cli.main(["arena", "report", str(path), "--report", str(tmp_path / "r.html")]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert re.search(re.escape(message), line)
    assert not (tmp_path / "r.html").exists()


def test_unverified_is_said(edited, tmp_path):
    path = edited(f"UPDATE games SET hash = 'x' {FIRST}")
    assert cli.main(["arena", "report", str(path), "--report", str(tmp_path / "r.html"), "--unverified"]) == 0
    assert "Not verified" in (tmp_path / "r.html").read_text()


def test_what_a_page_shows_is_escaped(edited, tmp_path):
    bad = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
    path = edited(
        f"UPDATE games SET reason = 'crash', score = 0, error = '{bad}', margin = NULL {FIRST}",
        f"UPDATE settings SET value = '{json.dumps(bad)}' WHERE name IN ('date', 'ka_env')",
        f"UPDATE games SET usage_first = '{json.dumps({bad: 3})}' {FIRST}",
    )
    with Store.read(path) as store:
        page = write_report(store, tmp_path / "r.html", unverified=True).read_text()
    assert "<img" not in page and "<script>alert" not in page and "alert(1)" in page


def test_half_a_pair_is_played_again(finished, tmp_path, edited):
    path = edited(f"DELETE FROM games {FIRST}", "DELETE FROM games WHERE rules = 1 AND first = 1 AND pair = 2")
    with Store.read(finished) as store:
        plan = store.plan
    assert play_tournament(plan, path, workers=0, quiet=True).played == 4
    assert rows_of(path) == rows_of(finished)


def test_names_that_cannot_be_printed(tmp_path):
    with pytest.raises(AgentError, match="can't be printed"):
        Plan(("random", "random#\u202eevil"))


def test_a_store_in_a_place_that_cannot_be_written(finished, tmp_path):
    """Even root can't write below a regular file; a store in WAL mode is read where nothing can be written."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ArenaError, match="File exists"):
        play_tournament(Plan(TWO), tmp_path / "file" / "s.sqlite", workers=0)


def test_a_duel_that_is_decided_is_over(tmp_path):
    from ka_env.training.arena import SprtSettings

    before = dict(_registered)
    register("fool", type("Fool", (Agent,), {"act": lambda self, g, o, masks, v=None: masks.argmin(axis=1)}))
    try:
        plan = Plan(("random", "fool"), (LITE,), pairs=5000, kind="duel", sprt=SprtSettings(0, 50))
        play_tournament(plan, tmp_path / "s", workers=0, quiet=True)
    finally:
        _registered.clear()
        _registered.update(before)
    with Store.read(tmp_path / "s") as store:
        assert store.finished
        assert all_standings(store)[0].forfeits[1] == len(store.rows())
