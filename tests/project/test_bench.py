"""The bench at tiny sizes: what it reports, never how fast."""

import json
from dataclasses import replace

import pytest

from ka_env import BatchEngine, RulesetError
from ka_env.bench import environments as bench_envs
from ka_env.bench import timing as bench
from ka_env.commands import bench as command
from ka_env.engine import jit

TINY = bench.Plan(
    settings=(("8.0-lite", "entry20"),),
    batches=(1, 3),
    threads=(1, 2),
    repeats=2,
    seconds=0.001,
    warm_rounds=2,
    start_up=False,
    peers=False,
)
ALL = bench.MEASUREMENTS + bench_envs.ENVIRONMENTS


@pytest.fixture(scope="module")
def results():
    return bench.run(TINY)


def test_the_rows_are_what_the_plan_asks_for(results):
    got = {(r["measurement"], r["ruleset"], r["frame"], r["batch"], r["threads"]) for r in results["rates"]}
    expected = {
        (m.name, "8.0-lite", "entry20", case.batch, case.threads)
        for m in ALL
        if m.available()
        for case in m.cases("8.0-lite", "entry20", TINY)
    }
    assert got == expected
    assert len(results["rates"]) == len(expected)


def test_every_row_is_complete(results):
    for row in results["rates"]:
        assert row["decisions_per_second"] > 0
        assert row["slowest"] <= row["decisions_per_second"] <= row["fastest"]
        assert row["games_per_second"] >= 0
        assert row["memcpy_ratio"] == pytest.approx(row["decisions_per_second"] / row["memcpy_decisions_per_second"])
        assert (row["over_one_thread"] is None) == (row["threads"] == 1)


def test_bytes_per_decision(results):
    engine = BatchEngine("8.0-lite", "entry20", num_games=1)
    mask = engine.action_mask[0].nbytes
    sizes = {row["measurement"]: row["bytes_per_decision"] for row in results["rates"]}
    assert mask == 198
    assert sizes["engine + mask"] == sizes["Game.play"] == mask
    if hasattr(engine, "observe"):
        assert sizes["engine + mask + observation"] == mask + engine.observe()[0].nbytes
    (game,) = results["games"]
    assert (game["ruleset"], game["frame"], game["bytes"]) == ("8.0-lite", "entry20", engine.games.dtype.itemsize)


def test_json_and_machine(results):
    assert json.loads(bench.to_json(results))["machine"].keys() >= {"python", "numpy", "numba", "cpu", "cores", "date"}
    assert results["included"].keys() == {m.name for m in ALL if m.available()}
    assert results["start_up"] is None


def test_decisions_are_counted():
    engine, rng, actions = bench.Workshop(TINY).engine(bench.Case("8.0-lite", "entry20", 8, 1))
    assert bench.play(engine, rng, actions, 200) == 8 * 200
    assert not engine.done.any()


def test_mean_length_of_games():
    assert 50 < bench.mean_decisions("8.0-lite", "entry20", games=200) < 60


@pytest.mark.parametrize("markdown", [False, True])
def test_tables(results, markdown, capsys):
    start = {"ruleset": "8.0-lite", "frame": "entry20", "cold_seconds": 40.001, "warm_seconds": 1.0}
    command.show({**results, "start_up": start}, markdown)
    out = capsys.readouterr().out
    assert "engine + mask" in out
    assert "Game.play" in out
    assert "40.01 s" in out


def test_printed_numbers_are_never_in_our_favour():
    assert command.rate(3_149_999) == "3.14 M"
    assert command.rate(99_990) == "99.9 k"
    assert command.rate(199.9) == "199"
    assert command.cut(1.999) == "1.99"
    assert command.seconds(1.001) == "1.01 s"


def test_settings():
    assert command.settings(["8.0-lite", "6.1-std"], None) == (("8.0-lite", "entry20"), ("6.1-std", "full54"))
    assert command.settings(["8.0-lite", "6.1-std"], ["half27"]) == (("8.0-lite", "half27"), ("6.1-std", "half27"))
    for rulesets, frames in [(["8.0-late"], None), (["8.0-lite"], ["entry21"]), (["8.0-lite"] * 3, ["half27"] * 2)]:
        with pytest.raises(RulesetError):
            command.settings(rulesets, frames)


def test_a_measurement_that_is_not_available_is_left_out():
    absent = replace(bench.MEASUREMENTS[0], available=lambda: False)
    assert bench.run(TINY, measurements=[absent])["rates"] == []


def test_start_in_a_fresh_interpreter():
    assert bench.first_step_seconds("8.0-lite", "entry20", str(jit.cache_dir(jit.PACKAGE / "blackpoker").parent)) > 0


def test_the_search_is_timed(results):
    assert {(row["ruleset"], row["frame"]) for row in results["searches"]} == set(TINY.settings)
    assert all(row["iterations_per_second"] > 0 for row in results["searches"])
    assert {row["net"] for row in results["searches"]} >= {None, "lite-entry20"}


def test_networks_are_timed_beside_an_mlp(results):
    timed = {(row["net"], row["network"]["kind"]) for row in results["networks"]}
    assert ("untrained", "mlp") in timed and any(name == "lite-entry20" for name, _ in timed)
    assert all(row["evaluations_per_second"] > 0 for row in results["networks"])


def test_peers_are_timed_side_by_side(capsys):
    rows = bench_envs.compare_peers(TINY, say=lambda text: None)
    assert [row["ours_over_it"] for row in rows[:1]] in ([], [1.0])
    for row in rows:
        assert row["ours_over_it"] == pytest.approx(rows[0]["steps_per_second"] / row["steps_per_second"])
    assert len(rows) == 0 or len(rows) > 1
