"""Policy files and the agent that plays them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from ka_env.agents import AgentError, make_agent
from ka_env.agents.nets import PolicyError, PolicyNet, checked, choose, make_card, trained_names, uniforms
from ka_env.agents.policy_agent import PolicyAgent
from ka_env.engine.batch import BatchEngine
from ka_env.games import Setup
from ka_env.training.evaluate import pair_scores

HIDDEN = [24, 17]  # 17: no multiple of what vector instructions take


def some_net(seed=0, **card):
    rng = np.random.default_rng(seed)
    facts = make_card("8.0-lite", {"kind": "mlp", "hidden": HIDDEN}, **card)
    shapes = PolicyNet.kinds["mlp"]({}, facts).shapes()
    arrays = {name: (rng.standard_normal(shape) * 0.2).astype(np.float32) for name, shape in shapes.items()}
    return checked(arrays, facts, "test")


def positions(count=64, decisions=20):
    engine = BatchEngine("8.0-lite", num_games=count, seed=1)
    rng = np.arange(1, count + 1, dtype=np.uint64)
    for _ in range(decisions):
        engine.step(engine.random_actions(rng))
        engine.reset_done()
    return engine.observe(), engine.action_mask.copy()


def test_forward_is_the_plain_network():
    net, (seen, masks) = some_net(), positions()
    w = net.arrays
    hidden = np.maximum(seen @ w["first.weight"] + w["first.bias"], 0)
    hidden = np.maximum(hidden @ w["hidden.0.weight"] + w["hidden.0.bias"], 0)
    expected = hidden @ w["policy.weight"].T + w["policy.bias"]
    logits, values = net.forward(seen)
    np.testing.assert_allclose(logits, expected, atol=1e-4)
    np.testing.assert_allclose(values, hidden @ w["value.weight"][0] + w["value.bias"], atol=1e-4)
    legal, some, _ = net.legal_logits(seen, masks)
    for i in range(len(seen)):
        actions = np.flatnonzero(masks[i])
        assert legal[i, : len(actions)].tolist() == actions.tolist() and (legal[i, len(actions) :] == -1).all()
        np.testing.assert_allclose(some[i, : len(actions)], expected[i, actions], atol=1e-4)


@pytest.mark.parametrize("threads", [1, 2])
def test_observations_are_compressed_while_they_are_judged(threads):
    net, (seen, masks) = some_net(), positions()
    seen, masks = np.tile(seen, (64, 1)), np.tile(masks, (64, 1))  # enough for two threads
    net.threads = threads
    *judged, kept = net.judged_and_kept(seen, masks)
    for one, other in zip(judged, net.legal_logits(seen, masks)):
        np.testing.assert_array_equal(one, other)
    again = np.zeros_like(seen)
    again[np.repeat(np.arange(len(seen)), np.diff(kept.starts)), kept.features] = kept.amounts
    np.testing.assert_array_equal(again, seen)
    assert kept.features.dtype == np.uint16 and (kept.amounts != 0).all()


def test_a_file_holds_weights_and_card(tmp_path):
    net = some_net(rules=["8.0-lite/entry20"], steps=12)
    again = PolicyNet.load(net.save(tmp_path / "one.npz"))
    assert again.card == net.card
    assert all(np.array_equal(net.arrays[name], again.arrays[name]) for name in net.arrays)
    assert len(net.arrays) == len(again.arrays)


def test_wrong_files_are_refused_with_the_reason(tmp_path):
    path = tmp_path / "one.npz"
    net = some_net()

    def saved(arrays, card):
        text = np.frombuffer(json.dumps(card).encode(), np.uint8)
        np.savez(path, card=text, **arrays)
        return path

    def refused(reason):
        with pytest.raises(PolicyError, match=reason):
            PolicyNet.load(path)

    path.write_bytes(b"not a file of ours")
    refused("is no policy file")
    whole = net.save(path).read_bytes()
    path.write_bytes(whole[:-300])
    refused("is no policy file")
    np.savez(path, a=np.zeros(3))
    refused("is no policy file")
    saved(net.arrays, {**net.card, "format": "other"})
    refused("its format is 'other'")
    saved(net.arrays, {**net.card, "layout": "0" * 16})
    refused("another layout")
    saved(net.arrays, {**net.card, "meaning": "0" * 16})
    refused("numbers meant something else")
    saved(net.arrays, {key: fact for key, fact in net.card.items() if key != "meaning"})
    refused("the card lacks meaning")
    saved(net.arrays, {**net.card, "observation_size": 5})
    refused("trained on 5 observed numbers")
    saved(net.arrays, {**net.card, "network": {"kind": "mlpp", "hidden": HIDDEN}})
    refused("did you mean 'mlp'")
    for temperature in (0, -1.0, "warm", True, None, math.inf, math.nan, 10**400):
        saved(net.arrays, {**net.card, "lead_temperature": temperature})
        refused("lead_temperature is .*, expected a number from 0.01 to 100")
    saved({**net.arrays, "first.bias": np.zeros(3, np.float32)}, net.card)
    refused("damaged: first.bias")
    saved({**net.arrays, "first.bias": net.arrays["first.bias"] * np.nan}, net.card)
    refused("no numbers")
    saved({**net.arrays, "first.bias": np.array([object()] * HIDDEN[0])}, net.card)
    refused("is no policy file")  # pickles are not read
    path.unlink()
    refused("no such file")


def test_names_are_looked_up_among_the_shipped_ones():
    with pytest.raises(PolicyError, match="unknown policy 'nobody'"):
        make_agent("policy:nobody")
    with pytest.raises(AgentError, match="temprature"):
        make_agent("policy:nobody,temprature=1")
    for name in trained_names():
        card = make_agent(f"policy:{name}").net.card
        assert {"rules", "command", "seed", "steps", "minutes", "winrates", "commit", "network"} <= set(card)


STRENGTH = {  # the mean score of a pair of games, of 2; docs/strength.md has the win rates
    "blackpoker": [
        ("8.0-lite/half27", "random", 1.9),
        ("8.0-lite/entry20", "greedy", 1.1),
        ("8.0-mast+rare", "greedy", 1.3),
    ],
    "lite-entry20": [("8.0-lite/entry20", "random", 1.9), ("8.0-lite/entry20", "greedy", 1.4)],
    "bluemoon": [("base/random", "random", 1.9), ("base/random", "greedy", 1.02)],
    "std-full54": [("6.1-std/full54", "random", 1.9), ("6.1-std/full54", "greedy", 1.02)],
}


@pytest.mark.parametrize("name", trained_names())
def test_shipped_policies_are_strong(name):
    """Weights, layout, meaning of the observation and masks all have to fit for this."""
    for rules, opponent, least in STRENGTH[name]:
        assert pair_scores(f"policy:{name}", opponent, Setup.parse(rules), 100, seed=15).mean() >= least, opponent


def test_there_are_shipped_policies():
    assert set(trained_names()) == set(STRENGTH)


def test_what_is_played_depends_on_the_game_and_its_seed_alone():
    agent, (seen, masks) = PolicyAgent(some_net(), temperature=1.0), positions()
    games = np.arange(len(seen))
    seeds = np.arange(len(seen), dtype=np.uint64) * 77
    agent.begin(games, games % 2, seeds)
    together = [agent.act(games, seen, masks) for _ in range(3)]
    assert any((a != b).any() for a, b in pairwise(together))
    agent.net.threads = 2
    agent.begin(games, games % 2, seeds)
    for expected in together:
        for i in (slice(40, 64), slice(0, 1), slice(1, 40)):
            assert np.array_equal(agent.act(games[i], seen[i], masks[i]), expected[i])


def test_notes_are_the_probabilities_of_the_latest_decision():
    net, (seen, masks) = some_net(), positions()
    agent = PolicyAgent(net)
    one = np.array([5])
    agent.begin(one, one * 0, one.astype(np.uint64))
    action = int(agent.act(one, seen[5:6], masks[5:6])[0])
    notes = agent.notes(5)
    assert set(notes) == set(np.flatnonzero(masks[5])) and sum(notes.values()) == pytest.approx(1, abs=1e-3)
    assert notes[action] == max(notes.values())
    assert agent.notes(6) is None


def test_draws_follow_the_probabilities():
    rng = np.random.default_rng(0).integers(2**64, size=20_000, dtype=np.uint64)
    uniform, _ = uniforms(rng)
    assert uniform.min() >= 0 and uniform.max() < 1
    legal = np.tile(np.array([3, 7, 9, -1], np.int16), (len(rng), 1))
    logits = np.tile(np.log(np.array([0.2, 0.5, 0.3, 1e-38], np.float32)), (len(rng), 1))
    logits[:, 3] = -3e38
    places, logp = choose(legal, logits, uniform)
    share = np.bincount(places, minlength=4) / len(rng)
    np.testing.assert_allclose(share, [0.2, 0.5, 0.3, 0], atol=0.02)
    np.testing.assert_allclose(np.exp(logp), np.array([0.2, 0.5, 0.3])[places], atol=1e-5)
    assert (choose(legal, logits, uniform, 0.0)[0] == 1).all()
    sharp = np.bincount(choose(legal, logits, uniform, 0.5)[0], minlength=3) / len(rng)
    np.testing.assert_allclose(sharp[:3], np.array([0.04, 0.25, 0.09]) / 0.38, atol=0.02)


def test_the_last_number_below_one_never_draws_an_illegal_action():
    legal = np.array([[3, 7, -1, -1]], np.int16)
    logits = np.array([[0.0, -80.0, -3e38, -3e38]], np.float32)
    highest = np.array([np.nextafter(np.float32(1), np.float32(0))])
    assert choose(legal, logits, highest)[0][0] in (0, 1)


def test_playing_needs_neither_torch_nor_sb3(tmp_path):
    path = some_net().save(tmp_path / "one.npz")
    code = (
        "import sys\n"
        "for name in ('torch', 'stable_baselines3', 'sb3_contrib'): sys.modules[name] = None\n"
        "import numpy as np\n"
        "from ka_env.engine.batch import BatchEngine\n"
        "from ka_env.agents import make_agent\n"
        f"agent = make_agent('policy:{path}')\n"
        "engine = BatchEngine(num_games=4)\n"
        "agent.begin(np.arange(4), np.zeros(4), np.arange(4, dtype=np.uint64))\n"
        "print(agent.act(np.arange(4), engine.observe(), engine.action_mask))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_a_policy_plays_whole_games_in_the_arena():
    scores = pair_scores(PolicyAgent(some_net(), 1.0), "random", Setup.parse("6.1-std"), 4)
    assert scores.shape == (4,)
