"""Training: the league, rollouts, learning, checkpoints, commands."""

from __future__ import annotations

import io
import json
import shutil
import sys
from dataclasses import fields, replace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from ka_env.agents import make_agent, sparse
from ka_env.agents.ask import ask
from ka_env.agents.nets import Compressed, PolicyNet, choose, legal_lists
from ka_env.agents.policy_agent import PolicyAgent
from ka_env.cli import main
from ka_env.engine.batch import BatchEngine
from ka_env.engine.view import PlayerViews
from ka_env.errors import KaError
from ka_env.games import Setup
from ka_env.training import checkpoint, pairings
from ka_env.training.checkpoint import CheckpointError
from ka_env.training.config import ConfigError, from_table, load_config, presets
from ka_env.training.evaluate import pair_scores, winrate
from ka_env.training.league import LEARNER, League
from ka_env.training.masked import LeanCategorical
from ka_env.training.mixed import MixedEngine
from ka_env.training.networks import Entity, _First, _Parted, frozen, make_network, playable
from ka_env.training.ppo import FastTrainer
from ka_env.training.ratings import winrate_interval
from ka_env.training.rollout import Collector, Rows, advantages, joined, outlooks
from ka_env.training.run import Run, make_trainer

SMALL = {
    "hidden": [16, 16],
    "games": 32,
    "rollout": 512,
    "minibatch": 128,
    "threads": 1,
    "agents": ["random"],
    "baselines": ["random"],
    "evaluate_pairs": 4,
    "final_pairs": 8,
    "snapshot_every": 1,
    "evaluate_every": 2,
    "tensorboard": False,
}


def small(setup=None, /, **more):
    """A tiny training, of what is usual or of this."""
    return from_table({**SMALL, **({"rules": [setup.label]} if setup else {}), **more})


# ---- settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["stepz=5"], "did you mean 'steps'"),
        (["steps=many"], "'steps': expected a whole number, not 'many'"),
        (["steps=0"], "'steps': expected at least 1, not 0"),
        (["gamma=1.5"], "'gamma': expected 0 to 1, not 1.5"),
        (["network=mpl"], "did you mean 'mlp'"),
        (["trainer=sb2"], "did you mean 'sb3'"),
        (["hidden="], "'hidden': expected a list of whole numbers"),
        (["rules=8.0-light"], "did you mean '8.0-lite'"),
        (["rules=8.0-lite/entry2"], "'rules':"),
        (["agents=gredy"], "did you mean 'greedy'"),
        (["baselines=randon"], "did you mean 'random'"),
        (["self_share=0.8", "past_share=0.4"], "together at most 1, not 1.2"),
        (["minibatch=100000"], "'minibatch': at most 'rollout'"),
        (["tensorboard=perhaps"], "expected true or false"),
        (["steps"], "expected key=value"),
        (["trainer=sb3", "imitate=greedy"], "'imitate': only for the trainer 'fast'"),
        (["trainer=sb3", "advised=true"], "'advised': only for the trainer 'fast'"),
        (["trainer=sb3", "workers=2"], "'workers': only for the trainer 'fast'"),
        (["trainer=sb3", "search_share=0.1"], "'search_share': only for the trainer 'fast'"),
        (["search_share=1.5"], "'search_share': expected 0 to 1, not 1.5"),
        (["search_iterations=0"], "'search_iterations': expected 1 to 100000, not 0"),
        (["after=quik"], "did you mean 'quick'"),
        (["after=quick", "start=lite-entry20"], "'after' and 'start': only one of them"),
        (["trainer=sb3", "network=entity"], "'network': 'entity' is only for the trainer 'fast'"),
    ],
)
def test_bad_settings_are_refused_with_a_hint(overrides, said):
    with pytest.raises(ConfigError) as error:
        load_config(overrides=overrides)
    assert said in str(error.value)


def test_agents_with_several_options_stay_whole_in_a_list():
    config = load_config(overrides=["agents=greedy,ismcts:iterations=40,net=none, rush", "hidden=8,4"])
    assert config.agents == ("greedy", "ismcts:iterations=40,net=none", "rush")
    assert config.hidden == (8, 4)


def test_settings_come_from_preset_file_and_command_line_in_this_order(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('preset = "quick"\nsteps = 5000\nepochs = 2\nrules = ["8.0-lite", "6.1-std/full54"]\n')
    config = load_config(None, file, ["epochs=5", "learning_rate=1e-3", "steps=1e6"])
    assert (config.hidden, config.steps, config.epochs) == ((64, 64), 1_000_000, 5)
    assert config.rules == ("8.0-lite", "6.1-std/full54")
    with pytest.raises(ConfigError, match="did you mean 'quick'"):
        load_config("quik")
    file.write_text("steps = ")
    with pytest.raises(ConfigError, match=r"mine\.toml"):
        load_config(None, file)


@pytest.mark.parametrize("preset", presets())
def test_presets_are_valid_and_can_be_written_and_read(preset):
    config = load_config(preset)
    assert from_table(json.loads(json.dumps(config.table))) == config


# ---- league ---------------------------------------------------------------------------------------------------------


def test_the_pool_draws_hard_opponents_more_often():
    config = small(agents=["random", "greedy"], self_share=0.5, past_share=0.25)
    league = League(config)
    net = playable(make_network(config).arrays(), config)
    for label in "ab":
        league.add_snapshot(frozen(net), label, set())
    league.record(0, 95, 100)  # random is easy
    league.record(1, 20, 100)  # greedy is hard
    league.record(2, 90, 100)
    league.record(3, 30, 100)
    rng = np.random.default_rng(0)
    league.choose_active(rng)
    assert set(league.active) == {2, 3}
    numbers, counts = np.unique(league.draw(20_000, rng), return_counts=True)
    share = dict(zip(numbers.tolist(), counts / 20_000))
    assert share[LEARNER] == pytest.approx(0.5, abs=0.02)
    assert share[2] + share[3] == pytest.approx(0.25, abs=0.02)
    assert share[3] > 5 * share[2] > 0
    assert share[1] > 5 * share[0] > 0


def test_the_easiest_snapshot_leaves_a_full_pool_unless_it_is_in_play():
    config = small(pool_size=2)
    league = League(config)
    net = playable(make_network(config).arrays(), config)
    league.add_snapshot(frozen(net), "a", set())
    league.add_snapshot(frozen(net), "b", set())
    league.record(1, 9, 10)
    league.add_snapshot(frozen(net), "c", set())
    assert [m.label for m in league.snapshots] == ["b", "c"]
    league.record(2, 10, 10)
    league.add_snapshot(frozen(net), "d", {2})
    assert [m.label for m in league.snapshots] == ["b", "d"]


def test_the_league_tells_win_rates_with_the_intervals_of_the_arena():
    league = League(small(agents=["random", "greedy"]))
    assert league.members[0].overall is None
    for _ in range(20):
        league.record(0, 9, 10)
        league.record(1, 4.5, 10)
        league.forget()
    assert league.members[0].overall == winrate_interval([2.0] * 180 + [0.0] * 20)
    assert league.members[1].overall.rate == pytest.approx(0.45)
    assert league.members[1].overall.low < 0.4 < 0.5 < league.members[1].overall.high
    assert not {"rating", "elo"} & {key.lower() for row in league.facts()["members"] for key in row}


# ---- rollouts -------------------------------------------------------------------------------------------------------


def collected(config, count=2000):
    torch.manual_seed(0)
    collector = Collector(config, League(config), seed=3)
    net = playable(make_network(config).arrays(), config)
    return collector, net, collector.collect(net, count)


def test_both_seats_are_rewarded_with_their_own_result(one_setup):
    """In self-play each game ends one trajectory with 1 and one with -1, and nothing else is rewarded."""
    config = small(one_setup, self_share=1.0, past_share=0.0)
    collector, _, rows = collected(config)
    ends = (rows.next < 0) & ~rows.open
    assert collector.finished > 5
    assert set(rows.rewards[ends]) <= {-1.0, 1.0}
    assert (rows.rewards[~ends] == 0).all()
    # every finished game had both seats deciding, so wins and losses are equal in number
    assert (rows.rewards == 1).sum() == (rows.rewards == -1).sum() == collector.finished


@pytest.mark.parametrize("self_share", [0.0, 1.0])
def test_the_last_row_of_each_seat_has_the_reward_the_engine_says_of_that_seat(monkeypatch, self_share, one_setup):
    """Against others the learner's seat alone has rows; in self-play both have."""
    expected, told = {}, []

    def end(self, table, over, real=Collector._end):
        for game in over:
            for seat in range(2):
                row = int(table.last[game, seat])
                assert row < 0 or self_share or seat == table.seats[game]
                if row >= 0:
                    expected[row] = table.engine.rewards[game, seat]
            if not self_share:
                told.append((table.engine.rewards[game, table.seats[game]] + 1) / 2)
        real(self, table, over)

    monkeypatch.setattr(Collector, "_end", end)
    collector, _, rows = collected(small(one_setup, self_share=self_share, past_share=0.0))
    assert len(expected) > 10 and {-1.0, 1.0} <= set(expected.values())
    assert {int(row): rows.rewards[row] for row in np.flatnonzero((rows.next < 0) & ~rows.open)} == expected
    results = collector.results()
    assert sum(score for _, score, _ in results) == sum(told)
    assert sum(games for _, _, games in results) == len(told) == (0 if self_share else collector.finished)


def test_an_open_trajectory_goes_on_in_the_next_batch(one_setup):
    config = small(one_setup, self_share=1.0, past_share=0.0)
    collector, net, rows = collected(config, 300)
    assert rows.open.any()
    again = collector.collect(net, 300)
    kept = rows.take(np.flatnonzero(rows.open))
    lent = int(rows.open.sum())
    assert sorted(again.actions[:lent]) == sorted(kept["actions"])
    assert sorted(again.logps[:lent]) == sorted(kept["logps"])
    assert (again.next[:lent] >= lent).sum() > lent // 2


@pytest.mark.parametrize("network", ["mlp", "entity"])
def test_rows_hold_what_was_played(network, one_setup):
    """The trainer sees in its rows what the player saw in the game."""
    trainer = FastTrainer(small(one_setup, self_share=1.0, past_share=0.0, network=network))
    (rows,) = trainer.players.collect(trainer.player, 300)
    every = np.arange(len(rows))
    assert rows.masks[every, rows.actions].all()
    legal = legal_lists(rows.masks)
    with torch.no_grad():
        logits, values, _ = trainer.net.judge(trainer.net.body.leaves(), rows, every, legal)
    np.testing.assert_allclose(values, rows.estimates, atol=1e-5)
    chosen = (legal == rows.actions[:, None]).argmax(axis=1)
    logp = torch.log_softmax(logits, 1).numpy()[every, chosen]
    np.testing.assert_allclose(logp, rows.logps, atol=1e-5)


def test_one_network_learns_rules_whose_players_see_more_or_less():
    trainer = FastTrainer(small(rules=["8.0-lite/entry20", "8.0-pro", "6.1-std/full54"], network="entity"))
    trainer.update(0)
    player = PolicyAgent(frozen(trainer.player))
    for table in trainer.players.collector.tables:
        engine = table.engine
        games = np.arange(engine.num_games)
        player.begin(games, games * 0, games.astype(np.uint64))
        actions = player.act(games, engine.observe(), engine.action_mask)
        assert engine.action_mask[games, actions].all()
    with pytest.raises(ConfigError, match="see different things"):
        small(rules=["8.0-lite", "base"])
    with pytest.raises(ConfigError, match="only for the trainer 'fast'"):
        small(rules=["8.0-lite", "8.0-pro"], trainer="sb3")


@pytest.mark.parametrize("rules", [["8.0-lite", "6.1-std"], ["base/khind-buka", "base/random"]], ids=" ".join)
def test_several_rules_share_the_games(rules):
    config = small(rules=rules)
    collector, _, rows = collected(config)
    (table,) = collector.tables  # their players see equally much
    numbers = [one.game.ruleset_index(one.ruleset) for one in config.setups()]
    assert table.engine.games["ruleset"].tolist() == np.repeat(numbers, 16).tolist()
    assert len(rows) > 2000


def test_a_mixed_batch_plays_the_games_of_its_setups():
    setups = [Setup.parse(text) for text in ("8.0-lite/entry20", "6.1-std/half27", "8.0-lite/deck40")]
    counts = [3, 5, 4]
    mixed = MixedEngine(setups, counts, seed=7)
    firsts = np.cumsum([0, *counts])
    apart = [
        BatchEngine(one.ruleset, one.frame, count, seed=7, first_game=int(first))
        for one, count, first in zip(setups, counts, firsts)
    ]
    over = 0
    for decision in range(400):
        for engine, low, high in zip(apart, firsts, firsts[1:]):
            for name, array in engine.snapshot():
                assert np.array_equal(array, getattr(mixed, name)[low:high])
        luck = np.arange(12, dtype=np.uint64) + np.uint64(100 * decision)
        for engine, low, high in zip(apart, firsts, firsts[1:]):
            engine.step(engine.random_actions(luck[low:high].copy()))
        mixed.step(mixed.random_actions(luck))
        over += int(mixed.done.sum())
        for engine in (mixed, *apart):
            engine.reset_done()
    assert over > 12


def test_a_search_in_a_mixed_batch_takes_the_network_of_each_ruleset():
    setups = [Setup.parse(text) for text in ("8.0-lite/entry20", "6.1-std/full54")]
    seeds, games = np.arange(6, dtype=np.uint64), np.arange(6)
    mixed = MixedEngine(setups, [3, 3], seed=7)
    agent = make_agent("ismcts:iterations=30")
    agent.begin(games, games % 2, seeds)
    together = ask(agent, mixed, games, seeds)
    for first, setup in zip((0, 3), setups):
        alone, some = MixedEngine([setup], [3], seed=0), slice(first, first + 3)
        alone.games[:] = mixed.games[some]
        alone.to_play[:], alone.action_mask[:] = mixed.to_play[some], mixed.action_mask[some]
        agent = make_agent(f"ismcts:iterations=30,net={setup.label.split('-')[1].replace('/', '-')}")
        agent.begin(games[:3], games[some] % 2, seeds[some])
        assert ask(agent, alone, games[:3], seeds[some]).tolist() == together[some].tolist()


def test_a_games_name_stands_for_all_its_rules():
    setups = small(rules=["blackpoker"], network="entity").setups()
    assert {one.ruleset for one in setups} == set(setups[0].game.rulesets)
    assert {"8.0-lite/entry20", "6.1-std/full54", "8.0-mast+rare/deck40"} <= {one.label for one in setups}
    assert not any(one.frame == "custom" for one in setups)
    assert len(setups) == len(set(setups))


def by_hand(**columns):
    """A trajectory of three rows, 0, 2 and 3, that has ended, and one of two rows, 1 and 4, that goes on."""
    unused = {field.name: np.zeros(0) for field in fields(Rows)} | {"actions": np.zeros(5)}
    links = {
        "next": np.array([2, 4, 3, -1, -1]),
        "open": np.array([False, False, False, False, True]),
        "rounds": np.array([0, 2, 3, 5]),
    }
    return Rows(**unused | links | columns)


def test_advantages_match_the_definition():
    rows = by_hand(
        estimates=np.array([0.5, 0.1, 0.2, -0.3, 0.4], np.float32),
        rewards=np.array([0, 0, 0, 1, 0], np.float32),
    )
    gain, targets = advantages(rows, 1.0, 0.5)
    last = 1 - (-0.3)
    middle = (-0.3 - 0.2) + 0.5 * last
    first = (0.2 - 0.5) + 0.5 * middle
    np.testing.assert_allclose(gain, [first, 0.4 - 0.1, middle, last, 0], atol=1e-6)
    np.testing.assert_allclose(targets[:4], gain[:4] + rows.estimates[:4], atol=1e-6)


def test_outlooks_match_the_definition():
    """Two trajectories by hand: one that ends in its second turn, one that goes on."""
    rows = by_hand(
        standing=np.array([[0.1], [0.5], [0.2], [0.3], [0.6]], np.float32),
        turns=np.array([0, 0, 0, 1, 1], np.int8),
        rewards=np.zeros(5, np.float32),
    )
    final = np.array([[0], [0], [0], [0.9], [0]], np.float32)
    unknown = np.nan
    expected = [[0.3, 0.9], [0.6, unknown], [0.3, 0.9], [0.9, 0.9], [unknown, unknown]]
    np.testing.assert_array_equal(outlooks(rows, final), np.array(expected, np.float32))


def test_what_is_foreseen_is_how_games_really_end(monkeypatch):
    expected = {}

    def end(self, table, over, real=Collector._end):
        for game in over:
            lives = table.engine.games["life_count"][game]
            for seat in np.flatnonzero(table.last[game] >= 0):
                expected[int(table.last[game, seat])] = [lives[seat] / 20, lives[1 - seat] / 20]
        real(self, table, over)

    monkeypatch.setattr(Collector, "_end", end)
    _, _, rows = collected(small(auxiliary_weight=1.0, rules=["8.0-lite/entry20"]))
    assert len(expected) > 10
    for row, lives in expected.items():
        np.testing.assert_allclose(rows.outlook[row, 4:6], lives, rtol=1e-6)
        np.testing.assert_allclose(rows.outlook[row, :2], lives, rtol=1e-6)
    known = rows.outlook[np.isfinite(rows.outlook)]
    assert known.min() >= 0 and known.max() <= 1 and len(set(known)) > 10


def test_auxiliary_targets_are_learned_and_no_part_of_the_policy():
    config = small(auxiliary_weight=1.0, rules=["8.0-lite/entry20"], rollout=2048, minibatch=256)
    trainer = FastTrainer(config)
    losses = [trainer.update(0.0)["auxiliary_loss"] for _ in range(6)]
    assert losses[-1] < losses[0] / 2
    assert trainer.player.arrays.keys() == FastTrainer(small()).player.arrays.keys()
    with pytest.raises(ConfigError, match="does not tell how a game stands"):
        small(auxiliary_weight=1.0, rules=["base"])


# ---- learning -------------------------------------------------------------------------------------------------------


def dense(net, rows, which, legal):
    """The network in plain torch, from the definition: what `judge` should find, the slow way."""
    body, coding = net.body, net.body.coding
    named, verb, thing, zone, card, chooser, step = coding.things
    weight = body.first.weight[coding.column]
    if isinstance(body, Entity):
        root = body.facts.bias.numel() ** 0.5
        known = torch.relu(torch.from_numpy(coding.facts) @ body.facts.weight + body.facts.bias) / root
        choice = np.arange(coding.features) - coding.base[coding.column]
        shared = [
            known[card[thing[f]] + choice[f] * step[thing[f]]] @ body.zones[zone[f]]
            if thing[f] >= 0
            else torch.zeros(16)
            for f in range(coding.features)
        ]
        weight = weight + torch.stack(shared)
    full = np.zeros((len(which), coding.features), np.float32)
    for b, i in enumerate(which):
        part = slice(rows.starts[i], rows.starts[i + 1])
        full[b, rows.features[part]] = rows.amounts[part]
    full = torch.from_numpy(full)
    hidden = body.rest(full @ weight + body.first.bias)
    logits = net.policy(hidden).gather(1, torch.from_numpy(coding.policy_row[legal.clip(0)]))
    added = torch.zeros(legal.shape)
    for b, n in np.argwhere(legal >= 0):
        t = named[legal[b, n]]
        if t < 0:
            continue
        tells = np.flatnonzero(thing == t)
        row = card[t] + (rows.chosen[which[b], chooser[t]] * step[t] if chooser[t] >= 0 else 0)
        key = known[row] @ body.keys.weight + body.keys.bias + full[b, tells] @ body.states[zone[tells]]
        query = body.query(hidden[b]).view(coding.verbs, -1)[verb[legal[b, n]]] / root
        added = added.index_put((torch.tensor(b), torch.tensor(n)), torch.relu(key) @ query)
    return logits + added, net.value(hidden)[:, 0]


@pytest.mark.parametrize("network", ["mlp", "entity"])
def test_gradients_are_those_of_dense_torch(network, one_setup):
    trainer = FastTrainer(small(one_setup, network=network, width=8))
    if network == "entity":
        torch.nn.init.normal_(trainer.net.body.query.weight)
    (rows,) = trainer.players.collect(trainer.player, 200)
    which = np.flatnonzero(~rows.open)[:40]
    legal = legal_lists(rows.masks[which])
    weights = torch.randn(legal.shape) * torch.from_numpy(legal >= 0)
    parameters = list(trainer.net.parameters())
    judged = (
        trainer.net.judge(trainer.net.body.leaves(), rows, which, legal)[:2],
        dense(trainer.net, rows, which, legal),
    )
    for ours, theirs in zip(*judged):
        there = torch.from_numpy(legal >= 0) if ours.dim() == 2 else slice(None)
        torch.testing.assert_close(ours[there], theirs[there], atol=1e-3, rtol=1e-3)
    ours, theirs = (
        torch.autograd.grad((logits.clamp(min=-1e6) * weights).sum() + values.sum(), parameters)
        for logits, values in judged
    )
    for a, b in zip(ours, theirs):
        torch.testing.assert_close(a, b, atol=2e-3, rtol=2e-3)


@pytest.mark.parametrize("network", ["mlp", "entity"])
def test_the_learner_plays_as_its_file_will(network, one_setup):
    """It judges many rows as gradient steps do, a policy file row by row."""
    trainer = FastTrainer(small(one_setup, network=network))
    trainer.update(0)
    engine = trainer.players.collector.tables[0].engine
    seen, masks = engine.observe(), engine.action_mask
    legal, *ours, _ = trainer.player.judged_and_kept(seen, masks)
    same, *theirs = frozen(trainer.player).legal_logits(seen, masks)
    np.testing.assert_array_equal(legal, same)
    for one, other in zip(ours, theirs):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_a_step_follows_the_gradient_through_what_is_shared(one_setup):
    """Facts, zones and keys are learned through the weights made of them."""
    trainer = FastTrainer(small(one_setup, network="entity"))
    before = {name: array.copy() for name, array in trainer.net.arrays().items()}
    trainer.update(0)
    for name, array in trainer.net.arrays().items():
        assert np.array_equal(array, before[name]) == (name == "usual"), name


def test_an_entity_network_grows_out_of_an_mlp(tmp_path):
    mlp = FastTrainer(small())
    path = frozen(mlp.player).save(tmp_path / "mlp.npz")
    grown = FastTrainer(small(network="entity", start=str(path)))
    seen = mlp.players.collector.tables[0].engine.observe()
    for ours, theirs in zip(grown.player.forward(seen), mlp.player.forward(seen)):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)
    assert grown.player.net.usual.any()  # and the rows are shorter


def test_training_learns_to_beat_random(one_setup):
    config = small(one_setup, hidden=[64], games=128, rollout=4096, minibatch=512, learning_rate=2e-3, steps=80_000)
    trainer = FastTrainer(config)
    before = winrate(PolicyAgent(frozen(trainer.player), 1.0), "random", one_setup, 100).rate
    while trainer.steps < config.steps:
        trainer.update(trainer.steps / config.steps)
    after = winrate(PolicyAgent(trainer.player), "random", one_setup, 100).rate
    assert after >= 0.8 > before + 0.1


def test_a_teacher_is_followed_until_its_advice_has_faded(one_setup):
    larger = {"hidden": [64], "games": 128, "rollout": 4096, "minibatch": 256}
    config = small(one_setup, imitate="greedy", imitate_steps=60_000, **larger)
    trainer = FastTrainer(config)
    untaught = FastTrainer(replace(config, learning_rate=0.0)).update(0)["agreement"]
    for _ in range(7):
        taught = trainer.update(0)["agreement"]
    assert taught > 0.7 > untaught + 0.1
    assert trainer.advice_weight == pytest.approx(1 - trainer.steps / 60_000)
    trainer.steps = config.imitate_steps
    assert "agreement" not in trainer.update(0)
    assert trainer.players.collector.teacher is None


@pytest.mark.parametrize("count", [0, 1, 40])
def test_the_first_layer_is_a_product_of_matrices(count):
    """Whichever features are common: the one way to compute it and the other, forwards and backwards."""
    rng = np.random.default_rng(count)
    chances = np.array([1.0, 0.6, 0.3, 0.2, 0.05, 0.0, 0.1])
    seen = (rng.random((60, 7)) < chances) * rng.normal(size=(60, 7))
    seen[7] = 0  # a row with nothing in it
    where = [np.flatnonzero(row) for row in seen]
    starts, features = np.cumsum([0, *map(len, where)]), np.concatenate(where).astype(np.uint16)
    none = np.full(60, -1)
    rows = Compressed(starts, features, seen[seen != 0].astype(np.float32), np.zeros((60, 0), np.int64), none)
    which = rng.integers(60, size=count)
    x = torch.from_numpy(seen[which].astype(np.float32))
    weight = torch.randn(7, 5, requires_grad=True)
    bias = torch.randn(5, requires_grad=True)
    pull = torch.randn(count, 5)
    out = _First.apply(weight, bias, rows, which)
    assert torch.allclose(out, x @ weight + bias, atol=1e-5)
    (out * pull).sum().backward()
    assert torch.allclose(weight.grad, x.T @ pull, atol=1e-5) and torch.allclose(bias.grad, pull.sum(0), atol=1e-5)
    parted = _Parted(rows, which, 7)
    if count == 40:
        assert 2 <= len(parted.common) <= 4 and len(parted.rest[1]) > 0  # both ways were gone


def test_rows_without_advice_are_not_pushed_anywhere(one_setup):
    """Games under way when a run is resumed with a longer `imitate_steps` have such rows."""
    trainer = FastTrainer(small(one_setup))
    rows = trainer.players.collector.collect(trainer.player, 200)
    which = np.flatnonzero(~rows.open)[:50]
    legal = np.empty((50, 1 + int(rows.masks.sum(axis=1).max())), np.int16)
    sparse.list_legal(rows.masks, which, legal)
    about = (trainer.net.body.leaves(), rows, which, legal, np.ones(50, np.float32), np.zeros(50, np.float32), 0.01)
    assert trainer._loss(*about, 1.0)[0].item() == trainer._loss(*about, 0.0)[0].item()
    rows.advice[:] = rows.actions
    assert trainer._loss(*about, 1.0)[0].item() > trainer._loss(*about, 0.0)[0].item()


def test_advice_is_what_the_teacher_would_play(one_setup):
    config = small(one_setup, imitate="greedy", agents=["greedy"], self_share=0.0, past_share=0.0)
    collector = Collector(config, League(config), 3)
    expected = []

    def learner(table, games, observations, net, real=collector._learner):
        for game in games:  # one by one, by an agent of its own
            record = table.engine.game(int(game)).records()
            views = PlayerViews(record, record["player"].astype(np.int8), np.zeros(1, np.uint64), table.engine.about)
            mask = table.engine.action_mask[game][None]
            expected.append(int(make_agent("greedy").act(np.zeros(1, np.int64), None, mask, views)[0]))
        return real(table, games, observations, net)

    collector._learner = learner
    rows = collector.collect(FastTrainer(config).player, 400, True)
    assert rows.advice.tolist() == expected and len(set(expected)) > 10
    assert (collector.collect(FastTrainer(config).player, 400).advice[-50:] == -1).all()


@pytest.mark.parametrize("kind", ["fast", "sb3"])
def test_rates_go_straight_to_their_end(kind):
    """What is told, and what the weights are moved by."""
    rates = {"learning_rate": 0.01, "learning_rate_end": 0.002, "entropy": 0.02, "entropy_end": 0.01}
    trainer = make_trainer(small(trainer=kind, **rates))
    used = []
    if kind == "fast":
        step = trainer.adam.step
        trainer.adam.step = lambda rate: used.append(rate) or step(rate)
    for progress, rate, entropy in ((0.0, 0.01, 0.02), (0.25, 0.008, 0.0175), (1.0, 0.002, 0.01)):
        told = trainer.update(progress)
        assert (told["learning_rate"], told["entropy_weight"]) == pytest.approx((rate, entropy))
        if kind == "sb3":
            used = [group["lr"] for group in trainer.model.policy.optimizer.param_groups]
        assert used == pytest.approx([rate] * len(used)) and used
        used.clear()


# ---- runs and checkpoints -------------------------------------------------------------------------------------------


def curve(run):
    skipped = ("seconds", "time")
    skipped += tuple(f"seconds_{what}" for what in ("playing", "searching", "forward", "backward", "env"))
    return [{key: value for key, value in row.items() if key not in skipped} for row in run.history]


@pytest.mark.parametrize(
    ("trainer", "network", "threads", "search"),
    [("fast", "mlp", 1, 0.0), ("fast", "entity", 2, 0.0), ("fast", "entity", 1, 0.4), ("sb3", "mlp", 1, 0.0)],
)
def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path, trainer, network, threads, search, one_setup):
    settings = {
        "auxiliary_weight": 0.5 if threads > 1 and one_setup.game.standing else 0.0,
        "search_share": search,
        "search_iterations": 6,
        "trainer": trainer,
        "network": network,
        "threads": threads,
        "steps": 4 * 512 + 1,
        "checkpoint_every": 2,
        "self_share": 0.4,
        "past_share": 0.4,
    }
    config = small(one_setup, **settings, agents=["random", "greedy"])
    whole = Run(config, tmp_path / "whole", quiet=True)
    whole.train()

    part = Run(config, tmp_path / "part", quiet=True)

    def stop_after_two(run):
        if run.trainer.updates == 2:
            run._stop = True

    part.train(stop_after_two)
    assert part.interrupted and part.trainer.updates == 2
    again = Run.resume(tmp_path / "part", quiet=True)
    again.train()
    assert curve(again) == curve(whole)
    for name, array in whole.trainer.player.arrays.items():
        assert np.array_equal(array, again.trainer.player.arrays[name]), name
    lines = (tmp_path / "part" / "history.jsonl").read_text().splitlines()
    assert [json.loads(line)["update"] for line in lines] == list(range(1, whole.trainer.updates + 1))


def test_baselines_may_change_within_a_run(tmp_path):
    """The report tells of the latest ones, from where they were first measured."""
    Run(small(steps=600, checkpoint_every=1, evaluate_every=1), tmp_path / "run", quiet=True).train()
    run = Run.resume(tmp_path / "run", {"steps": 1700, "baselines": ["greedy"]}, quiet=True)
    run.train()
    assert set(run.history[0]["winrates"]) == {"random"} and set(run.history[-1]["winrates"]) == {"greedy"}
    page = (tmp_path / "run" / "report.html").read_text().split("<script")[0]
    assert '<td class="name">greedy</td>' in page and '<td class="name">random</td>' not in page.split("League")[0]
    again = Run.resume(tmp_path / "run", quiet=True).config
    assert (again.steps, again.baselines) == (1700, ("greedy",)), "what changed once stays so"


def test_a_run_leaves_policy_report_and_history(tmp_path, one_setup):
    config = small(one_setup, steps=1100, tensorboard=True, lead_temperature=2.5)
    run = Run(config, tmp_path / "run", "ka train --set x=1", quiet=True)
    policy = run.train()
    card = PolicyNet.load(policy).card
    assert card["steps"] == run.trainer.steps and card["command"] == "ka train --set x=1"
    assert card["lead_temperature"] == PolicyNet.load(policy).lead_temperature == 2.5
    assert card["rules"] == [one_setup.label] and set(card["winrates"]) == {"random"}
    page = (tmp_path / "run" / "report.html").read_text()
    assert "<svg" in page and "Win rate against the baselines" in page
    assert "learner wins" in page and "Elo" not in page, "the league is told by win rates with intervals"
    assert list((tmp_path / "run" / "tensorboard").iterdir())
    assert not list((tmp_path / "run").glob("*.part"))
    with pytest.raises(ConfigError, match="there is a run already"):
        Run(small(), tmp_path / "run")


def test_damaged_and_foreign_checkpoints_are_refused(tmp_path):
    run = Run(small(steps=600), tmp_path / "one", quiet=True)
    run.train()
    file = tmp_path / "one" / checkpoint.FILE
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CheckpointError, match="damaged"):
        Run.resume(tmp_path / "one")
    torch.save({"weights": torch.zeros(3)}, file)
    with pytest.raises(CheckpointError, match="no checkpoint of this version"):
        Run.resume(tmp_path / "one")
    file.write_bytes(whole)
    other = Run(small(steps=600, hidden=[8]), tmp_path / "other", quiet=True)
    other.train()
    (tmp_path / "other" / checkpoint.FILE).write_bytes(whole)
    with pytest.raises(CheckpointError, match="belongs to another run: hidden is"):
        Run.resume(tmp_path / "other")
    with pytest.raises(CheckpointError, match="no run of ka train"):
        Run.resume(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="'hidden' can't change"):
        Run.resume(tmp_path / "one", {"hidden": [9]})


@pytest.fixture(scope="module")
def trained(tmp_path_factory, one_setup):
    """A run with two checkpoints, of two updates each."""
    path = tmp_path_factory.mktemp("trained") / "run"
    config = small(one_setup, steps=4 * 512 + 1, checkpoint_every=2, past_share=0.4, self_share=0.4)
    Run(config, path, quiet=True).train()
    return path


@pytest.fixture
def run_copy(trained, tmp_path):
    shutil.copytree(trained, tmp_path / "run")
    return tmp_path / "run"


def test_flipped_bits_never_go_unnoticed(run_copy):
    """Every one is found, and the checkpoint before takes its place."""
    rng = np.random.default_rng(0)
    file = run_copy / checkpoint.FILE
    whole = file.read_bytes()
    for _ in range(60):
        damaged = bytearray(whole)
        for place in rng.integers(len(whole), size=rng.integers(1, 20)):
            damaged[place] ^= 1 << rng.integers(8)
        file.write_bytes(damaged)
        with pytest.raises(CheckpointError):
            checkpoint.read(file)


def test_the_checkpoint_before_is_used(run_copy, capsys, trained):
    file = run_copy / checkpoint.FILE
    file.write_bytes(file.read_bytes()[:-100])
    again = Run.resume(run_copy, quiet=True)
    assert "going on from the checkpoint before" in capsys.readouterr().err
    assert again.trainer.updates < Run.resume(trained, quiet=True).trainer.updates
    again.train()
    file.unlink()  # killed between two renames
    Run.resume(run_copy, quiet=True)
    file.write_bytes(b"nothing")
    checkpoint.previous(file).write_bytes(b"nothing either")
    with pytest.raises(CheckpointError, match="and the one before"):
        Run.resume(run_copy)


def changed(path, change):
    """A whole checkpoint, as a villain would write it: the hash is right."""
    facts, arrays, optimizer = checkpoint.read(path)
    arrays = {name: array.copy() for name, array in arrays.items()}
    facts = change(facts, arrays) or facts
    checkpoint.save(path, facts, arrays, optimizer)
    checkpoint.previous(path).unlink()


def _random_records(facts, arrays):
    games = arrays["player.0.table.0.games"]
    games[:] = np.random.default_rng(1).integers(256, size=games.shape)


def _one_byte(facts, arrays):
    arrays["player.0.table.0.games"][3, 200:260] ^= 64


def _columns(facts, arrays):
    arrays["player.0.kept.features"][:] = -1


def _fewer_records(facts, arrays):
    arrays["player.0.table.0.games"] = arrays["player.0.table.0.games"][:-1]


def _standings(facts, arrays):
    arrays["player.0.kept.standing"] = np.zeros((len(arrays["player.0.kept.standing"]), 2), np.float32)


def _seats(facts, arrays):
    arrays["player.0.table.0.seats"][:] = 5


def _opponents(facts, arrays):
    arrays["player.0.table.0.opponents"][:] = 77


@pytest.mark.parametrize(
    "change",
    [
        _random_records, _one_byte, _columns, _fewer_records, _standings, _seats, _opponents,
        lambda facts, arrays: [1], lambda facts, arrays: {**facts, "config": 3},
        lambda facts, arrays: {**facts, "history": 3}, lambda facts, arrays: {**facts, "seconds": "x"},
        lambda facts, arrays: {**facts, "trainer": {**facts["trainer"], "rng": 7}},
        lambda facts, arrays: {**facts, "trainer": {**facts["trainer"], "league": []}},
    ],
)  # fmt: skip
def test_checkpoints_that_no_run_has_written_are_refused(run_copy, change):
    changed(run_copy / checkpoint.FILE, change)
    with pytest.raises(CheckpointError):
        Run.resume(run_copy, quiet=True)


def test_a_checkpoint_from_before_auxiliary_targets_can_be_resumed(run_copy):
    def older(facts, arrays):
        del arrays["player.0.kept.turns"], arrays["player.0.kept.standing"]
        del facts["config"]["auxiliary_weight"]

    changed(run_copy / checkpoint.FILE, older)
    again = Run.resume(run_copy, {"steps": 5 * 512}, quiet=True)
    before = again.trainer.updates
    again.train()
    assert again.trainer.updates > before


def test_a_checkpoint_that_holds_code_is_not_executed(tmp_path):
    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "evil"), "w"))

    body = io.BytesIO()
    torch.save({"facts": Evil(), "arrays": {}, "optimizer": {}}, body)
    (tmp_path / checkpoint.FILE).write_bytes(checkpoint._head(body.getvalue()) + body.getvalue())
    with pytest.raises(CheckpointError, match="is no checkpoint"):
        checkpoint.load(tmp_path / checkpoint.FILE)
    assert not (tmp_path / "evil").exists()


def test_training_goes_on_from_a_policy(tmp_path, one_setup):
    policy = Run(small(one_setup, steps=600), tmp_path / "one", quiet=True).train()
    trainer = make_trainer(small(one_setup, start=str(policy)))
    net = PolicyNet.load(policy)
    assert all(np.array_equal(array, trainer.player.arrays[name]) for name, array in net.arrays.items())
    with pytest.raises(ConfigError, match="another network"):
        make_trainer(small(one_setup, start=str(policy), hidden=[8]))


@pytest.mark.parametrize("advised", [False, True])
def test_a_wider_network_begins_as_the_smaller_one_plays(tmp_path, advised):
    narrow = FastTrainer(small(hidden=[16, 8], advised=advised))
    narrow.update(0)
    path = frozen(narrow.player).save(tmp_path / "narrow.npz")
    wide = FastTrainer(small(hidden=[24, 20], advised=advised, start=str(path)))
    engine = narrow.players.collector.tables[0].engine
    advice = engine.action_mask.argmax(axis=1)
    for ours, theirs in zip(
        wide.player.forward(engine.observe(), advice), narrow.player.forward(engine.observe(), advice)
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
    before = wide.player.arrays["first.weight"][:, 16:].copy()
    wide.update(0)
    wide.update(0)
    assert (wide.player.arrays["policy.weight"][:, 8:] != 0).any()  # now the new units are listened to
    assert (wide.player.arrays["first.weight"][:, 16:] != before).any()  # and learn
    for sizes in ([24, 4], [24, 20, 8]):
        with pytest.raises(ConfigError, match="another network"):
            FastTrainer(small(hidden=sizes, advised=advised, start=str(path)))


# ---- Ray ------------------------------------------------------------------------------------------------------------


def test_ray_actors_play_and_a_run_with_them_can_be_resumed(tmp_path):
    ray = pytest.importorskip("ray")
    config = small(workers=2, steps=1100, checkpoint_every=1, past_share=0.4, self_share=0.4, search_share=0.3)
    try:
        whole = Run(config, tmp_path / "whole", quiet=True)
        whole.train()
        part = Run(config, tmp_path / "part", quiet=True)

        def stop(run):
            run._stop = True

        part.train(stop)
        again = Run.resume(tmp_path / "part", quiet=True)
        again.train()
    finally:
        ray.shutdown()
    assert curve(again) == curve(whole)
    assert whole.trainer.steps >= 1100 and sum(row["games"] for row in whole.history) > 10
    assert all(row["searched"] > 0.1 and row["seconds_searching"] > 0 for row in whole.history)


def test_rows_of_several_players_are_learned_from_together():
    config = small()
    _, _, first = collected(config, 200)
    _, _, second = collected(small(seed=1, games=16), 100)
    both = joined([first, second])
    assert len(both) == len(first) + len(second) and both.starts[-1] == len(both.features)
    last, own = both.take(np.array([len(both) - 1])), second.take(np.array([len(second) - 1]))
    assert all(np.array_equal(last[name], own[name]) for name in own)
    trainer = FastTrainer(config)
    facts = trainer.learn([first, second], 0.0)
    assert trainer.steps == (~both.open).sum() and np.isfinite(facts["value_loss"])


def test_without_ray_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"\[ray\]"):
        make_trainer(small(workers=1))


# ---- SB3 ------------------------------------------------------------------------------------------------------------


def test_the_exported_policy_is_the_sb3_policy(tmp_path, one_setup):
    trainer = make_trainer(small(one_setup, trainer="sb3"))
    trainer.update(0)
    net = PolicyNet.load(frozen(trainer.player).save(tmp_path / "policy.npz"))
    observations = trainer.tables[0].duels.observe()
    masks = trainer.tables[0].action_masks()
    logits, values = net.forward(observations)
    policy = trainer.model.policy
    with torch.no_grad():
        features = policy.extract_features(torch.from_numpy(observations))
        theirs, their_values = policy.action_net(features).numpy(), policy.value_net(features).numpy()[:, 0]
    np.testing.assert_allclose(logits, theirs, atol=1e-4)
    np.testing.assert_allclose(values, their_values, atol=1e-4)
    actions, _ = trainer.model.predict(observations, action_masks=masks, deterministic=True)
    legal, logits, _ = net.legal_logits(observations, masks)
    places, _ = choose(legal, logits, np.zeros(len(legal), np.float32), 0.0)
    assert np.array_equal(legal[np.arange(len(legal)), places], actions)


def test_the_lean_distribution_is_the_usual_one():
    torch.manual_seed(0)
    logits = [(3 * torch.randn(64, 20)).requires_grad_() for _ in range(2)]
    logits[1].data[:] = logits[0].data
    masks = np.random.default_rng(0).random((64, 20)) < 0.3
    masks[:, 5] = True
    actions, found = torch.full((64,), 5), []
    for one, dist in zip(logits, (LeanCategorical(20), MaskableCategoricalDistribution(20))):
        dist.proba_distribution(one).apply_masking(masks)
        found.append((dist.log_prob(actions), dist.entropy()))
        (found[-1][0] + 0.3 * found[-1][1]).sum().backward()
    for ours, theirs in (*zip(*found), (logits[0].grad, logits[1].grad)):
        assert torch.allclose(ours, theirs, atol=1e-6)


def test_the_lean_distribution_draws_legal_actions_as_often_as_it_says():
    dist = LeanCategorical(5).proba_distribution(torch.tensor([[0.0, 1.0, 2.0, 0.0, 5.0]]).repeat(20_000, 1))
    dist.apply_masking(np.array([[True, False, True, True, False]]).repeat(20_000, 0))
    drawn = np.bincount(dist.sample(), minlength=5) / 20_000
    np.testing.assert_allclose(drawn, np.array([1, 0, np.e**2, 1, 0]) / (2 + np.e**2), atol=0.02)
    assert drawn[1] == drawn[4] == 0
    assert (dist.get_actions(deterministic=True) == 2).all()


@pytest.mark.parametrize("rules", [["8.0-lite", "6.1-std"], ["base/khind-buka", "base/random"]], ids=" ".join)
def test_sb3_plays_several_rules_and_the_league(rules):
    trainer = make_trainer(small(trainer="sb3", rules=rules, rollout=1024))
    trainer.update(0)
    trainer.add_snapshot("first")
    facts = trainer.update(0.5)
    assert trainer.steps == 2048 and np.isfinite(facts["value_loss"])
    assert {m.label for m in trainer.league.members.values()} == {"random", "first"}


# ---- measuring ------------------------------------------------------------------------------------------------------


def test_evaluation_is_paired_and_repeatable(one_setup):
    first = pair_scores("greedy", "random", one_setup, 40, seed=1)
    assert np.array_equal(first, pair_scores("greedy", "random", one_setup, 40, seed=1))
    assert set(first) <= {0.0, 0.5, 1.0, 1.5, 2.0} and first.mean() > 1.6
    mirrored = pair_scores("greedy", "greedy", one_setup, 40, seed=1)
    assert np.array_equal(mirrored, np.ones(40))  # the same player on both sides of a deal


def test_a_game_that_is_too_long_is_a_draw(monkeypatch, one_setup):
    monkeypatch.setattr("ka_env.training.evaluate.MOST_DECISIONS", 3)
    assert np.array_equal(pair_scores("greedy", "random", one_setup, 4), np.ones(4))


def test_pairings_tell_how_each_deck_fares(monkeypatch, capsys, tmp_path):
    names = pairings.names_of("base")
    assert len(names) == 9 and "khind" in names
    with pytest.raises(KaError, match="expected a ruleset with a frame for each pair"):
        pairings.pairings("greedy", "random", "8.0-lite", 1)
    monkeypatch.setattr(pairings, "names_of", lambda ruleset: ["khind", "buka"])
    path = str(frozen(FastTrainer(small(rules=["base"], network="entity")).player).save(tmp_path / "policy.npz"))
    pairings.main(["greedy", "random", "--on", "base", "--pairs", "4", "--card", path])
    told = capsys.readouterr().out
    assert "| khind |" in told and "greedy against random" in told
    table = np.array(PolicyNet.load(path).card["pairings"]["random"]["winrates"])
    assert table.shape == (2, 2) and table.mean() > 0.7


# ---- commands -------------------------------------------------------------------------------------------------------


def test_ka_train_says_where_everything_is(tmp_path, capsys, monkeypatch, one_setup):
    monkeypatch.chdir(tmp_path)
    flat = [f"{k}={','.join(map(str, v)) if isinstance(v, list) else v}" for k, v in SMALL.items()]
    options = [word for text in [*flat, "steps=600"] for word in ("--set", text)]
    assert main(["train", "--on", one_setup.label, *options, "--out", "mine", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "policy  mine/policy.npz" in said and "report  mine/report.html" in said
    assert "decisions/s; " in said
    ruleset, frame = one_setup.label.split("/")
    assert f"ka play --ruleset {ruleset} --frame {frame} --opponent policy:mine/policy.npz" in said
    assert f"ka arena duel policy:mine/policy.npz random --on {one_setup.label}" in said
    assert main(["train", "--preset", "quik"]) == 2
    assert "did you mean 'quick'" in capsys.readouterr().err
    assert main(["train", "--resume", "mine", "--preset", "quick"]) == 2
    assert main(["train", "--resume", "mine", "--set", "steps=1200", "--quiet"]) == 0
    assert main(["train", "--settings", "--preset", "quick"]) == 0
    assert "learning_rate" in capsys.readouterr().out


@pytest.mark.parametrize("trainer", ["fast", "sb3"])
@pytest.mark.parametrize("rules", ["8.0-mast/full54", "8.0-std+pack/full54"])
def test_ka_train_on_rulesets_beyond_std(tmp_path, capsys, rules, trainer):
    """Their observations have more sections; the policy knows its rules and plays by them."""
    flat = [f"{k}={','.join(map(str, v)) if isinstance(v, list) else v}" for k, v in SMALL.items()]
    options = [word for text in [*flat, "steps=600", f"trainer={trainer}"] for word in ("--set", text)]
    out = tmp_path / "run"
    assert main(["train", "--on", rules, *options, "--out", str(out), "--quiet"]) == 0
    assert f"--on {rules}" in capsys.readouterr().out
    agent = f"policy:{out / 'policy.npz'}"
    scores = pair_scores(agent, "random", Setup.parse(rules), 2, seed=1)
    assert set(scores) <= {0.0, 0.5, 1.0, 1.5, 2.0}


def exploit(agent, setup, out, *more):
    words = ["exploit", agent, "--on", setup.label, "--out", str(out), "--quiet", *more]
    for text in ("hidden=64", "games=128", "rollout=4096", "minibatch=512", "threads=1", "tensorboard=false"):
        words += ["--set", text]
    return main(words)


@pytest.mark.parametrize("kind", ["random", "policy"])
def test_a_short_best_response_beats_a_bad_agent(tmp_path, capsys, one_setup, kind):
    """A policy that has learned nothing always prefers the same: easier to beat than chance."""
    path = frozen(FastTrainer(small(one_setup)).player).save(tmp_path / "untaught.npz")
    agent = {"random": "random", "policy": f"policy:{path}"}[kind]
    assert exploit(agent, one_setup, tmp_path / "run", "--steps", "60000", "--pairs", "60") == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{agent} on {one_setup.label}: after 0.06 million decisions")
    low = float(said.split("exploitability at least ")[1].split("(")[1].split(" to ")[0])
    assert low > 0.2, said


def test_a_best_response_meets_the_agent_alone(tmp_path, capsys, one_setup):
    """Against a good agent a tiny budget finds nothing, and says so."""
    assert exploit("greedy", one_setup, tmp_path / "run", "--steps", "1", "--pairs", "20") == 0
    said = capsys.readouterr().out
    assert "found no way to exploit the agent; 20 pairs" in said and "exploitability" not in said
    config = Run.resume(tmp_path / "run", quiet=True).config
    assert (config.agents, config.baselines, config.past_share) == (("greedy",), ("greedy",), 0)
    winrates = PolicyNet.load(tmp_path / "run" / "policy.npz").card["winrates"]
    assert set(winrates) == {"greedy"}


@pytest.mark.parametrize(("low", "told"), [(0.49, "found no way"), (0.51, "exploitability at least")])
def test_what_could_be_luck_exploits_nobody(tmp_path, capsys, monkeypatch, low, told):
    monkeypatch.setattr(Run, "train", lambda run: run.history.append({"winrates": {"random": (0.55, low, 0.6)}}))
    assert main(["exploit", "random", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ([], 2_000_000),
        (["--steps", "300"], 300),
        (["--minutes", "60"], 10**15),
        (["--minutes", "1", "--steps", "9"], 9),
    ],
)
def test_with_minutes_given_a_best_response_learns_as_long(tmp_path, monkeypatch, words, steps):
    seen = []
    monkeypatch.setattr(
        Run, "train", lambda run: seen.append(run) or run.history.append({"winrates": {"random": (1, 1, 1)}})
    )
    assert main(["exploit", "random", *words, "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert seen[0].config.steps == steps and ("--steps" in seen[0].command) == ("--steps" in words)


def test_a_best_response_that_begins_with_a_policy_doubts_it(tmp_path, one_setup):
    path = frozen(FastTrainer(small(one_setup)).player).save(tmp_path / "own.npz")
    words = ["exploit", f"policy:{path}", "--on", one_setup.label, "--start", str(path), "--out", str(tmp_path / "run")]
    words += ["--steps", "1", "--pairs", "2", "--quiet"]
    for text in ("games=128", "rollout=4096", "threads=1", "tensorboard=false", "entropy=0.1"):
        words += ["--set", text]
    assert main(words) == 0
    config = Run.resume(tmp_path / "run", quiet=True).config
    assert (config.start, config.epochs, config.self_share) == (str(path), 1, 0.2)
    assert (config.entropy, config.entropy_end, config.rollout) == (0.1, 0.003, 4096), "what is set by hand counts"


def test_exploiting_nobody(capsys):
    assert main(["exploit", "randon"]) == 2
    assert "did you mean 'random'" in capsys.readouterr().err


def test_the_page_tells_the_settings_there_are():
    from ka_env.training.settings_docs import PAGE, with_tables

    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page), "run python -m ka_env.training.settings_docs"
    assert "| `learning_rate` | `0.001` |" in page
