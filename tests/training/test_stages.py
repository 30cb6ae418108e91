"""Presets that go on from another: trained one after the other by one command, whatever interrupts it."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("torch")

from ka_env.agents.nets import PolicyNet
from ka_env.cli import main
from ka_env.training import config as settings
from ka_env.training import stages
from ka_env.training.checkpoint import CheckpointError
from ka_env.training.config import ConfigError, from_table, load_config, presets
from ka_env.training.run import Run
from ka_env.training.stages import begun, resumed
from tests.training.test_train import SMALL

FIRST = {**SMALL, "seed": 5, "steps": 1000, "hidden": [8]}  # not its own to say: it can't grow to two layers
SECOND = {**SMALL, "seed": 6, "steps": 600, "after": "first"}
THIRD = {**SECOND, "seed": 7, "after": "second", "exploiter": 1000}


@pytest.fixture(autouse=True)
def two_presets(monkeypatch):
    monkeypatch.setattr(settings, "GENERAL", {"first": FIRST, "second": SECOND, "third": THIRD})


def weights(directory):
    return PolicyNet.load(directory / "policy.npz").arrays


def assert_same(one, other):
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name])


def test_the_first_is_trained_and_the_second_goes_on_from_it(tmp_path, capsys):
    assert main(["train", "--preset", "second", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert capsys.readouterr().out.count("what next?") == 2
    before = PolicyNet.load(tmp_path / "run" / "before" / "policy.npz").card
    card = PolicyNet.load(tmp_path / "run" / "policy.npz").card
    assert (before["seed"], before["steps"] >= 1000, before["config"]["hidden"]) == (5, True, [16, 16])
    assert (card["seed"], 600 <= card["steps"] < 1200, card["command"]) == (6, True, "ka train --preset second")
    assert card["config"]["start"].endswith("run/before/policy.npz")
    alone = load_config("second", overrides={"after": "", "start": str(tmp_path / "run" / "before" / "policy.npz")})
    Run(alone, tmp_path / "alone", quiet=True).train()
    assert_same(weights(tmp_path / "alone"), weights(tmp_path / "run"))


@pytest.mark.parametrize(
    ("first", "wanted", "begins"),
    [([8, 24], [16, 16], [8, 16]), ([8, 24], [4, 32], [4, 24]), ([16], [16, 16], [16, 16])],
)
def test_a_first_part_that_names_smaller_layers_grows(tmp_path, monkeypatch, first, wanted, begins):
    monkeypatch.setattr(settings, "GENERAL", {"first": {**FIRST, "hidden": first}, "second": SECOND})
    for run in begun(load_config("second", overrides={"hidden": wanted}), tmp_path, quiet=True):
        run.train()
    assert PolicyNet.load(tmp_path / "before" / "policy.npz").card["network"]["hidden"] == begins
    assert PolicyNet.load(tmp_path / "policy.npz").card["network"]["hidden"] == wanted


@pytest.mark.parametrize(("preset", "stage"), [("second", 0), ("second", 1), ("third", 2), ("third", 3)])
def test_interrupted_in_any_of_them_it_ends_as_if_it_had_not_been(tmp_path, preset, stage):
    for run in begun(load_config(preset), tmp_path / "whole", quiet=True):
        run.train()
    for number, run in enumerate(begun(load_config(preset), tmp_path / "parts", quiet=True)):
        run.train((lambda run: setattr(run, "_stop", True)) if number == stage else None)
        if number == stage:
            break
    assert run.interrupted and run.trainer.updates == 1
    for run in resumed(tmp_path / "parts", quiet=True):
        run.train()
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))


def test_an_exploiter_is_trained_against_what_the_run_begins_with_and_then_among_the_opponents(tmp_path):
    third = load_config("third")
    for run in begun(third, tmp_path / "one", quiet=True):
        run.train()
    before, exploiter = (str(tmp_path / "one" / place / "policy.npz") for place in ("before", "exploiter"))
    card = PolicyNet.load(exploiter).card
    assert (card["seed"], card["config"]["start"], card["config"]["agents"]) == (7, before, [f"policy:{before}"])
    assert (card["steps"] >= 1000, card["config"]["entropy"], card["config"]["past_share"]) == (True, 0.06, 0)
    assert PolicyNet.load(tmp_path / "one" / "policy.npz").card["config"]["agents"] == ["random", f"policy:{exploiter}"]


def test_the_exploiters_of_the_parts_before_are_among_the_opponents_too(tmp_path, monkeypatch):
    second = {**SECOND, "exploiter": 600}
    monkeypatch.setattr(settings, "GENERAL", {"first": FIRST, "second": second, "third": THIRD})
    for run in begun(load_config("third"), tmp_path, quiet=True):
        run.train()
    folders = (tmp_path / "before" / "exploiter", tmp_path / "exploiter")
    assert PolicyNet.load(tmp_path / "policy.npz").card["config"]["agents"] == [
        "random",
        *(f"policy:{folder / 'policy.npz'}" for folder in folders),
    ]


def test_an_exploiter_is_what_ka_exploit_trains(tmp_path, monkeypatch):
    monkeypatch.setattr(stages, "DOUBTING", {**stages.DOUBTING, "rollout": SMALL["rollout"]})
    for run in begun(load_config("first", overrides={"hidden": [16, 16]}), tmp_path / "first", quiet=True):
        run.train()
    start = str(tmp_path / "first" / "policy.npz")
    for run in begun(from_table({**THIRD, "after": "", "start": start}), tmp_path / "run", quiet=True):
        run.train()
    same = [f"{key}={SMALL[key]}" for key in ("games", "minibatch", "threads")]
    words = [
        "exploit",
        f"policy:{start}",
        "--start",
        start,
        "--steps",
        "1000",
        "--seed",
        "7",
        "--pairs",
        "4",
        "--quiet",
    ]
    words += [word for text in same for word in ("--set", text)]
    assert main([*words, "--out", str(tmp_path / "other")]) == 0
    assert_same(weights(tmp_path / "other"), weights(tmp_path / "run" / "exploiter"))


def test_an_exploiter_needs_somebody_and_is_trained_by_ka_train(tmp_path):
    with pytest.raises(ConfigError, match="nobody to exploit: expected 'start' or 'after'"):
        from_table({**SMALL, "exploiter": 1000})
    with pytest.raises(ConfigError, match="'exploiter': it has to be trained first"):
        Run(from_table({**SMALL, "exploiter": 1000, "start": "lite-entry20"}), tmp_path, quiet=True)


def test_a_plan_that_was_not_begun_is_begun(tmp_path):
    next(begun(load_config("second"), tmp_path / "run", quiet=True))
    (tmp_path / "run" / "before" / "config.json").unlink()
    assert [run.train() for run in resumed(tmp_path / "run", {"steps": 100}, quiet=True)][-1].exists()
    assert PolicyNet.load(tmp_path / "run" / "policy.npz").card["config"]["steps"] == 100


def test_a_place_that_is_taken_and_a_damaged_plan_are_refused(tmp_path):
    next(begun(load_config("second"), tmp_path / "run", quiet=True))
    with pytest.raises(ConfigError, match=r"there is a run already; go on with it by --resume \S+run, "):
        next(begun(load_config("second"), tmp_path / "run", quiet=True))
    with pytest.raises(ConfigError, match="first has to be trained first"):
        Run(load_config("second"), tmp_path / "other", quiet=True)
    (tmp_path / "run" / "plan.json").write_text("{}")
    with pytest.raises(CheckpointError, match=r"plan\.json is damaged"):
        next(resumed(tmp_path / "run", quiet=True))
    (tmp_path / "run" / "plan.json").write_text(json.dumps({"config": {"steps": 0}, "command": ""}))
    with pytest.raises(ConfigError, match="expected at least 1"):
        next(resumed(tmp_path / "run", quiet=True))


def test_presets_name_presets_that_are_there():
    assert presets()["second"]["after"] == "first"
    with pytest.raises(ConfigError, match="did you mean 'first'"):
        load_config("second", overrides={"after": "firts"})
