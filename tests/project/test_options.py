"""Options and presets as people give them: what they come to, without playing it all."""

import pytest

from ka_env.agents import make_agent
from ka_env.cli import build_parser, main
from ka_env.commands import arena
from ka_env.games import Setup
from ka_env.training.arena import Store
from ka_env.training.arena import tournament as tournament_module
from ka_env.training.config import from_table, load_config, presets
from ka_env.training.ppo import FastTrainer
from ka_env.training.run import Run

DUEL = "arena duel random rush --quiet --no-report".split()


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """What `play_tournament` is asked for."""
    calls = []

    def play(plan, store, workers, ray, quiet):
        calls.append((plan, workers, ray))
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament_module, "play_tournament", play)
    monkeypatch.chdir(tmp_path)
    return calls


def test_the_options_of_a_duel(asked):
    assert main([*DUEL, "--no-sprt", "--move-time", "5", "--memory", "99", "--ray", "local", "--workers", "2"]) == 130
    assert main(DUEL) == 130
    (plan, workers, ray), (usual, _, no_ray) = asked
    assert (plan.sprt, plan.move_time, plan.memory, workers, ray) == (None, 5.0, 99, 2, "local")
    assert (usual.sprt.elo0, usual.sprt.elo1, usual.move_time, no_ray) == (0.0, 10.0, 60.0, None)


def test_without_a_sequential_test_all_pairs_are_played(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [*DUEL, "--workers", "0", "--seed", "1", "--elo1", "800", "--pairs", "60", "--store"]
    assert main([*words, "all.sqlite", "--no-sprt"]) == main([*words, "some.sqlite"]) == 0
    sizes = []
    for name in ("all.sqlite", "some.sqlite"):
        with Store.read(tmp_path / name) as store:
            sizes.append(len(store.rows()))
    assert sizes[0] == 120 > sizes[1]


@pytest.mark.parametrize("quick", [[], ["--quick"]])
@pytest.mark.parametrize("preset", list(arena.PRESETS))
def test_arena_presets_as_shipped(asked, capsys, preset, quick):
    """Every agent of them can be made, every rule is known, and nothing is left out."""
    assert main(["arena", "--preset", preset, *quick]) == 130
    ((plan, _, _),) = asked
    assert "left out" not in capsys.readouterr().err
    assert len(plan.agents) >= 2 and plan.pairs >= 1
    for spec in plan.agents:
        make_agent(spec)
    assert all(isinstance(rules, Setup) for rules in plan.rules)
    assert build_parser().parse_args(["arena", "--preset", preset]).preset == preset


@pytest.mark.parametrize("preset", list(presets()))
def test_training_presets_as_shipped(preset):
    config = load_config(preset)
    assert config.steps >= 100_000 and config.setups()
    opponents = [*config.built_in(), *config.measured()]
    assert {"random", "greedy"} <= set(opponents)
    for spec in opponents:
        make_agent(spec)


SMALL = {
    "hidden": [16],
    "games": 16,
    "rollout": 256,
    "minibatch": 32,
    "epochs": 4,
    "threads": 1,
    "agents": ["random"],
    "baselines": ["random"],
    "evaluate_pairs": 2,
    "final_pairs": 2,
    "tensorboard": False,
}


def test_a_run_that_is_bound_by_time(tmp_path, monkeypatch):
    """By a clock of our own: a minute and a half pass with every update."""
    run = Run(from_table({**SMALL, "steps": 10**12, "minutes": 4}), tmp_path / "run", quiet=True)
    monkeypatch.setattr(Run, "elapsed", property(lambda self: 90.0 * self.trainer.updates))
    policy = run.train()
    assert run.trainer.updates == 3 and not run.interrupted and run.progress == 1
    assert policy.is_file() and run.history[-1]["winrates"]


def test_target_kl_ends_an_update_early():
    def steps(target):
        trainer = FastTrainer(from_table({**SMALL, "target_kl": target, "learning_rate": 0.01}))
        done = []
        real = trainer._gradient
        trainer._gradient = lambda *args: done.append(real(*args)) or done[-1]
        trainer.update(0)
        return [one["kl"] for one in done]

    whole, cut = steps(0.0), steps(0.002)
    assert len(cut) < len(whole) and cut == whole[: len(cut)]
    assert cut[-1] > 0.002 >= max(cut[:-1], default=0.0)
