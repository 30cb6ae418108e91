"""Search as a teacher: what it says, what is learned of it, and that a run with it can be kept."""

import json

import numpy as np
import pytest

pytest.importorskip("torch")
import torch

from ka_env import BatchEngine
from ka_env.agents import ask, make_agent
from ka_env.agents.nets import PolicyError
from ka_env.cli import main
from ka_env.errors import KaError
from ka_env.training.improver import Improver
from ka_env.training.networks import make_network, playable
from ka_env.training.ppo import FastTrainer
from ka_env.training.rollout import joined
from ka_env.training.run import Run
from tests.training.test_train import SMALL, small

SEARCH = {"search_share": 0.5, "search_iterations": 8}


def played(rules, games=24, moves=30):
    """Games in their middle."""
    engine = BatchEngine(rules, num_games=games, seed=3)
    rng = np.arange(games, dtype=np.uint64)
    for _ in range(moves):
        engine.step(engine.random_actions(rng))
        engine.reset_done()
    return engine


def improved(engine, config):
    games = np.arange(engine.num_games)
    torch.manual_seed(0)
    net = playable(make_network(config).arrays(), config)
    net.arrays["policy.bias"][:] = np.random.default_rng(1).normal(size=len(net.arrays["policy.bias"]))
    return Improver(config).improve(engine, games, net, games.astype(np.uint64))


@pytest.mark.parametrize("network", ["mlp", "entity"])
def test_policies_are_over_legal_actions_and_the_same_twice(network, one_setup):
    engine = played(one_setup.ruleset)
    before = engine.games.copy()
    found = [improved(engine, small(one_setup, network=network, **SEARCH)) for _ in range(2)]
    (actions, policies), (other_actions, other_policies) = found
    assert (policies[~engine.action_mask.astype(bool)] == 0).all() and (policies >= 0).all()
    np.testing.assert_allclose(policies.sum(axis=1), 1, rtol=1e-5)
    assert engine.action_mask[np.arange(len(actions)), actions].all()
    assert np.array_equal(actions, other_actions) and np.array_equal(policies, other_policies)
    assert (engine.games == before).all(), "the search changed the games"


def test_the_search_is_given_re_draws_not_the_games(monkeypatch, one_setup):
    """What it gets differs from the game in what the player can't know, and in nothing that the player sees."""
    engine = played(one_setup.ruleset, games=40)
    room = engine.about.room("search")
    given = []

    def spy(asked, *rest, real=room.improve_games):
        given.append(asked.roots.copy())
        real(asked, *rest)

    monkeypatch.setattr(room, "improve_games", spy)
    improved(engine, small(rules=[one_setup.ruleset], **SEARCH))
    (roots,) = given
    seen = np.empty((2, len(roots), engine.observation_size), np.float32)
    for i, records in enumerate((engine.games, roots)):
        engine.about.kernels.observe_games(records, 1, engine.to_play, seen[i])
    assert np.array_equal(*seen)
    theirs = np.empty_like(seen)
    for i, records in enumerate((engine.games, roots)):
        engine.about.kernels.observe_games(records, 1, (1 - engine.to_play).astype(np.int8), theirs[i])
    assert (theirs[0] != theirs[1]).any(axis=1).mean() > 0.5, "the opponent's hand was not drawn anew"


def test_only_games_for_the_search_are_searched():
    trainer = FastTrainer(small(**SEARCH))
    rows = trainer.players.collector.collect(trainer.player, 600)
    assert 0.25 < rows.searched.mean() < 0.75
    np.testing.assert_allclose(rows.improved[rows.searched].sum(axis=1), 1, rtol=1e-5)
    following = rows.next >= 0
    assert (rows.searched[following] == rows.searched[rows.next[following]]).all(), "a game is searched or not"
    plain = FastTrainer(small())
    unsearched = plain.players.collector.collect(plain.player, 600)
    assert unsearched.improved.shape == (len(unsearched), 0) and not unsearched.searched.any()


def weights(trainer, rows):
    facts = trainer.learn([rows], 0.0)
    return facts, np.concatenate([array.ravel() for array in trainer.net.arrays().values()])


def test_searched_decisions_have_no_part_in_the_ratio_but_in_policy_and_value():
    config = small(search_share=1.0, search_iterations=8)
    trainer = FastTrainer(config)
    rows = trainer.players.collector.collect(trainer.player, 300)
    assert rows.searched.all()
    facts, learned = weights(FastTrainer(config), rows)
    assert facts["policy_loss"] == 0 == facts["clipped"] and facts["search_kl"] > 0
    rows.logps -= 0.7
    assert np.array_equal(weights(FastTrainer(config), rows)[1], learned)
    rows.estimates += 0.5  # what the values should have been changes with them
    assert not np.array_equal(weights(FastTrainer(config), rows)[1], learned)
    rows.estimates -= 0.5
    rows.improved = np.where(rows.masks, 1 / rows.masks.sum(axis=1, keepdims=True), 0).astype(np.float32)
    assert not np.array_equal(weights(FastTrainer(config), rows)[1], learned)


def test_what_the_search_found_is_learned():
    trainer = FastTrainer(small(search_share=1.0, search_iterations=8, hidden=[64], epochs=4))
    rows = trainer.players.collector.collect(trainer.player, 400)
    facts = [weights(trainer, rows)[0] for _ in range(12)]
    assert facts[-1]["search_kl"] < 0.6 * facts[0]["search_kl"]
    assert facts[-1]["search_agreement"] > facts[0]["search_agreement"] + 0.1


def test_rows_of_several_players_keep_their_policies():
    trainer = FastTrainer(small(**SEARCH))
    parts = [trainer.players.collector.collect(trainer.player, 200) for _ in range(2)]
    both = joined(parts)
    assert both.searched.sum() == sum(part.searched.sum() for part in parts) > 0


def test_the_share_of_searched_games_may_change_within_a_run(tmp_path):
    config = small(steps=600, checkpoint_every=1)
    Run(config, tmp_path / "run", quiet=True).train()
    for share, steps in ((0.9, 4000), (0.0, 8000)):
        run = Run.resume(tmp_path / "run", {"search_share": share, "search_iterations": 4, "steps": steps}, quiet=True)
        run.train()
        assert ("searched" in run.history[-1]) == (share > 0)
    assert max(row.get("searched", 0) for row in run.history) > 0.3


def test_the_teacher_plays_too(tmp_path, one_setup):
    """The likeliest of the improved policy, whatever is played beside it, and nothing of what is hidden."""
    config = small(one_setup)
    path = playable(make_network(config).arrays(), config).save(tmp_path / "net.npz")
    spec = f"python:ka_env.training.improver:ImprovedAgent,{path},iterations=6,actions=3"
    engine, every = played(one_setup.ruleset), np.arange(24)
    found = {}
    for size in (24, 5):
        agent = make_agent(spec)
        agent.begin(every, np.zeros(24, np.int8), every.astype(np.uint64))
        parts = [every[i : i + size] for i in range(0, 24, size)]
        rows = [[ask(agent, engine, part, part.astype(np.uint64)) for part in parts] for _ in range(2)]
        found[size] = [np.concatenate(row) for row in rows]
    assert np.array_equal(found[24], found[5])
    assert engine.action_mask[every, found[24][0]].all()
    with pytest.raises(KaError, match="'search_iterations': expected 1 to 100000, not 0"):
        make_agent(spec.replace("=6", "=0"))


def test_a_teacher_of_another_game_is_refused():
    agent = make_agent("python:ka_env.training.improver:ImprovedAgent,lite-entry20")
    engine = BatchEngine("base", num_games=1, seed=0)
    with pytest.raises(PolicyError, match="trained on 812 numbers, this game shows"):
        ask(agent, engine, np.arange(1), np.zeros(1, np.uint64))


def test_ka_train_says_how_long_it_searched(tmp_path, capsys):
    settings = {**SMALL, **SEARCH, "steps": 1100}
    flat = [f"{k}={','.join(map(str, v)) if isinstance(v, list) else v}" for k, v in settings.items()]
    options = [word for text in flat for word in ("--set", text)]
    assert main(["train", *options, "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert "% searching" in capsys.readouterr().out
    row = json.loads((tmp_path / "run" / "history.jsonl").read_text().splitlines()[-1])
    assert 0 < row["seconds_searching"] < row["seconds_playing"] < row["seconds"]
    assert 0 < row["searched"] < 1 and row["search_kl"] > 0 and 0 <= row["search_agreement"] <= 1
