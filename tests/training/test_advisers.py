"""Advised networks: they are told what the game's first rules-based player would do."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from ka_env.agents import make_agent
from ka_env.agents.ask import ask
from ka_env.agents.nets import PolicyNet
from ka_env.agents.policy_agent import PolicyAgent
from ka_env.cli import main
from ka_env.errors import KaError
from ka_env.training.config import ConfigError
from ka_env.training.networks import frozen
from ka_env.training.ppo import FastTrainer
from ka_env.training.run import Run

from .test_train import small


@pytest.mark.parametrize("network", ["mlp", "entity"])
def test_an_advised_network_is_told_what_the_first_style_would_do(network, one_setup, tmp_path):
    trainer = FastTrainer(small(one_setup, network=network, advised=True))
    (rows,) = trainer.players.collect(trainer.player, 300)
    assert (rows.heeded >= 0).all() and rows.masks[np.arange(len(rows)), rows.heeded].all()
    last = rows.features[rows.starts[1:] - 1].astype(int)  # after the features of the columns
    assert (last == trainer.net.body.coding.features - rows.masks.shape[1] + rows.heeded).all()
    assert (rows.actions == rows.heeded).mean() > 0.6  # at first it mostly follows


@pytest.mark.parametrize("network", ["mlp", "entity"])
def test_an_advised_policy_plays_from_its_file_as_it_learned(network, one_setup, tmp_path):
    trainer = FastTrainer(small(one_setup, network=network, advised=True))
    trainer.update(0)
    engine = trainer.players.collector.tables[0].engine
    seen, masks, every = engine.observe(), engine.action_mask, np.arange(engine.num_games)
    style = one_setup.game.room("styles").STYLES[0]
    advice = ask(make_agent(style), engine, every, np.arange(1, len(every) + 1, dtype=np.uint64))
    net = PolicyNet.load(frozen(trainer.player).save(tmp_path / "advised.npz"))
    assert net.advised and net.card["network"]["advised"] is True
    ours = trainer.player.judged_and_kept(seen, masks, advice)[:3]
    for one, other in zip(ours, net.legal_logits(seen, masks, advice)):
        np.testing.assert_allclose(one, other, atol=1e-4)
    other_advice = np.where(advice == masks.argmax(axis=1), advice, masks.argmax(axis=1))
    assert not np.allclose(net.forward(seen, advice)[1], net.forward(seen, other_advice)[1])
    agent = PolicyAgent(net)
    assert agent.needs_views
    seeds = np.arange(1, len(every) + 1, dtype=np.uint64)
    agent.begin(every, np.zeros(len(every), np.int8), seeds)
    legal, logits, _ = net.legal_logits(seen, masks, advice)
    chosen = ask(agent, engine, every, seeds)
    assert chosen.tolist() == legal[every, logits.argmax(axis=1)].tolist()
    with pytest.raises(KaError, match="what its adviser would do"):
        net.forward(seen)
    for odd in (advice[1:], advice[:, None], advice + masks.shape[1], advice - masks.shape[1]):
        with pytest.raises(KaError, match="advice: expected an action"):
            net.forward(seen, odd)


def test_a_search_tells_an_advised_network_what_its_guide_would_do(one_setup, tmp_path):
    """One that heeds nothing but the advice looks first where the guide would go."""
    trainer = FastTrainer(small(one_setup, advised=True))
    for array in trainer.net.arrays().values():
        array[...] = 0
    trainer.net.arrays()["skip"][...] = 30
    path = frozen(trainer.player).save(tmp_path / "advised.npz")
    engine = trainer.players.collector.tables[0].engine
    every = np.arange(engine.num_games)
    seeds = np.arange(1, len(every) + 1, dtype=np.uint64)
    advice = ask(make_agent(one_setup.game.room("styles").STYLES[0]), engine, every, seeds)
    search = make_agent(f"ismcts:iterations=3,net={path},doubt=0")
    search.begin(every, np.zeros(len(every), np.int8), seeds)
    assert (ask(search, engine, every, seeds) == advice).mean() > 0.9


def test_an_advised_run_goes_on_as_if_it_had_not_stopped(tmp_path):
    config = small(advised=True, steps=1500, past_share=0.2, snapshot_every=1)
    whole = Run(config, tmp_path / "whole", quiet=True)
    whole.train()
    parts = Run(config, tmp_path / "parts", quiet=True)
    parts.train(lambda run: setattr(run, "_stop", run.trainer.updates == 1))
    again = Run.resume(tmp_path / "parts", quiet=True)
    again.train()
    assert again.trainer.updates == whole.trainer.updates > 1
    for name, array in whole.trainer.net.arrays().items():
        np.testing.assert_array_equal(array, again.trainer.net.arrays()[name])


def test_a_network_does_not_begin_with_one_that_sees_more(tmp_path, capsys):
    words = ["exploit", "policy:blackpoker", "--start", "blackpoker", "--on", "6.1-std/full54", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "blackpoker was trained on rules that show" in capsys.readouterr().err


def test_an_advised_network_does_not_begin_with_one_that_is_not(tmp_path):
    path = frozen(FastTrainer(small()).player).save(tmp_path / "plain.npz")
    with pytest.raises(ConfigError, match=r"another network \(advised=False\)"):
        FastTrainer(small(advised=True, start=str(path)))
