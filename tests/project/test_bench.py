"""The bench at tiny sizes: what it reports, never how fast."""

import json
from dataclasses import replace

import pytest

from ka_env import BatchEngine, RulesetError
from ka_env.bench import environments as bench_envs
from ka_env.bench import timing as bench
from ka_env.cli import main
from ka_env.commands import bench as command
from ka_env.engine import jit
from ka_env.training.config import load_config

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
        assert row["games_per_second"] > 0
        assert row["memcpy_ratio"] == pytest.approx(row["decisions_per_second"] / row["memcpy_decisions_per_second"])
        assert (row["over_one_thread"] is None) == (row["threads"] == 1)


def test_bytes_per_decision(results):
    engine = BatchEngine("8.0-lite", "entry20", num_games=1)
    mask = engine.action_mask[0].nbytes
    sizes = {row["measurement"]: row["bytes_per_decision"] for row in results["rates"]}
    assert mask == 198
    assert sizes["engine + mask"] == sizes["Game.play"] == mask
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
    start = {
        "ruleset": "8.0-lite",
        "frame": "entry20",
        "first_seconds": 20.001,
        "cold_seconds": 40.001,
        "warm_seconds": 1.0,
    }
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


def test_learning_is_timed_on_one_core_and_on_two(results):
    """With the usual settings, and as the network was made."""
    rows = [row for row in results["learning"] if row["net"] == "lite-entry20"]
    told = [(row["preset"], row["minibatch"], row["threads"]) for row in rows]
    usual, made = (load_config(preset).minibatch for preset in ("standard", "lite-entry20"))
    assert told == [(p, m, n) for p, m in (("standard", usual), ("lite-entry20", made)) for n in (1, 2)]
    for one, two in zip(rows[::2], rows[1::2]):
        assert one["over_one_thread"] is None
        assert two["over_one_thread"] == pytest.approx(two["decisions_per_second"] / one["decisions_per_second"])
    for row in rows:
        assert row["shares"].keys() == {"playing", "forward", "backward"}
        assert 0 < sum(row["shares"].values()) < 1 and row["arithmetic"] > 0


def test_costs_are_timed_decision_by_decision(monkeypatch):
    monkeypatch.setattr(bench_envs, "COST_GAMES", 2)
    assert bench_envs.time_costs(TINY, say=lambda text: None) == []
    (row,) = bench_envs.time_costs(replace(TINY, settings=(("base", "khind-buka"),)), say=lambda text: None)
    assert row["decisions"] > 20
    assert 0 < row["mean_seconds"] <= row["worst_seconds"]
    row |= {"mean_seconds": 1.01e-6, "worst_seconds": 2.5e-4, "elsewhere_seconds": 9e-7, "decisions": 70}
    assert command.cost_line(row) == (
        "completability, base khind-buka: 1.1 µs a decision, at worst 250.0 µs "
        "(70 decisions at engage, character, support; at the others 0.9 µs; a call included)"
    )


def test_peers_are_timed_side_by_side(monkeypatch):
    """With one that is here and one that is not."""
    peer = lambda: lambda rounds: sum(1 for _ in range(rounds))  # noqa: E731
    peers = {"a peer": ("json", peer, False), "wrapped": ("json", peer, True), "gone": ("no_such_module", peer, False)}
    monkeypatch.setattr(bench_envs, "PEERS", peers)
    said = []
    rows = bench_envs.compare_peers(TINY, say=said.append)
    speed = {row["name"]: row["steps_per_second"] for row in rows}
    assert len(rows) == 4 and {"a peer", "wrapped"} < set(speed)
    for row in rows:
        assert row["ours_over_it"] == pytest.approx(speed[row["beside"]] / speed[row["name"]])
        assert ("wrapped" in row["name"]) == ("wrapped" in row["beside"]), "like with like"
    assert said[0] == "peers: warming up a peer"
    monkeypatch.setattr(bench_envs, "PEERS", {})
    assert bench_envs.compare_peers(TINY, say=said.append) == []


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("", {}),
        ("--quick", {"base": bench.QUICK}),
        ("--no-compile --no-peers", {"start_up": False, "peers": False}),
        ("--quick --batch 7 --batch 9 --threads 2", {"base": bench.QUICK, "batches": (7, 9), "threads": (2,)}),
        ("--repeats 4", {"repeats": 4}),
        ("--ruleset 6.1-std --frame half27", {"settings": (("6.1-std", "half27"),)}),
        (
            "--frame half27 --ruleset 6.1-std --ruleset 8.0-lite",
            {"settings": (("6.1-std", "half27"), ("8.0-lite", "half27"))},
        ),
        ("--ruleset base", {"settings": (("base", "random"),)}),
    ],
)
def test_flags_become_a_plan(words, change, monkeypatch, capsys):
    plans = []
    small = bench.run(TINY, measurements=[])

    def run(plan, say):
        plans.append(plan)
        return small

    monkeypatch.setattr(bench, "run", run)
    assert main(["bench", *words.split()]) == 0
    assert plans == [replace(change.pop("base", bench.Plan()), **change)]
    assert "Medians of 2 repeats" in capsys.readouterr().out


def test_the_command_as_the_readme_has_it(capsys):
    """All of it, start-up and peers aside, at a size that takes a moment."""
    words = "bench --quick --no-compile --no-peers --ruleset 8.0-lite --batch 2 --threads 1 --repeats 1".split()
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert {1, 2} <= {row["batch"] for row in found["rates"]} and found["start_up"] is None
    assert "ka bench: " in err


@pytest.mark.parametrize("words", ["--batch 0", "--ruleset 8.0-late", "--frame entry21", "--repeats few"])
def test_mistakes_in_the_command(words, capsys):
    try:
        code = main(["bench", *words.split()])
    except SystemExit as left:  # argparse
        code = left.code
    assert code == 2
    assert words.split()[1] in capsys.readouterr().err
