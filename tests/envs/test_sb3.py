"""The Stable-Baselines3 vector environment, and learning on it with MaskablePPO."""

import copy
import warnings
from collections import Counter

import cloudpickle
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
torch = pytest.importorskip("torch")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import VecMonitor  # noqa: E402

from ka_env import IllegalMove  # noqa: E402
from ka_env.blackpoker.knowledge.observe import OFFSET  # noqa: E402
from ka_env.envs.sb3 import DuelVecEnv  # noqa: E402
from ka_env.envs.vector import DuelVectorEnv  # noqa: E402
from tests.blackpoker.lists import LITE_AND_STD as RULESETS  # noqa: E402

from .test_vector import Counting, random_legal  # noqa: E402


def rollout(env, steps, seed=0):
    rng = np.random.default_rng(seed)
    given, episodes = [], []
    for _ in range(steps):
        observations, rewards, over, infos = env.step(random_legal(env.action_masks(), rng))
        given += [observations.tobytes(), rewards.tobytes(), over.tobytes()]
        for i in np.flatnonzero(over):
            given.append(infos[i]["terminal_observation"].tobytes())
            episodes.append((int(i), infos[i]["episode"]["r"], infos[i]["episode"]["l"], infos[i]["seat"]))
    return b"".join(given), episodes


@pytest.mark.parametrize("ruleset", RULESETS)
def test_interface(ruleset):
    env = DuelVecEnv(6, ruleset, "half27", seed=1)
    observations = env.reset()
    assert observations.shape == (6, *env.observation_space.shape)
    assert env.action_space.n == 198
    rng = np.random.default_rng(1)
    lengths, outcomes = np.zeros(6, int), Counter()
    for _ in range(150):
        seats = env.duels.seats.copy()
        observations, rewards, over, infos = env.step(random_legal(env.action_masks(), rng))
        lengths += 1
        assert all(env.observation_space.contains(row) for row in observations)
        assert (rewards.dtype, over.dtype, len(infos)) == (np.float32, np.bool_, 6)
        assert (env.action_masks().sum(axis=1) >= 2).all()
        assert not rewards[~over].any()
        for i, info in enumerate(infos):
            if not over[i]:
                assert info == {}
                continue
            final = info["terminal_observation"]
            won = final[OFFSET["result"] : OFFSET["result"] + 3].argmax()
            assert rewards[i] == (1, -1, 0)[won]
            assert info["seat"] == seats[i]
            assert info["TimeLimit.truncated"] is False
            assert (info["episode"]["r"], info["episode"]["l"]) == (rewards[i], lengths[i])
            assert info["episode"]["t"] >= 0
            outcomes[info["seat"], int(rewards[i])] += 1
            lengths[i] = 0
    assert {(seat, reward) for seat in (0, 1) for reward in (1, -1)} <= set(outcomes)
    env.close()


def test_same_games_as_in_gymnasium():
    """The same duels under both interfaces."""
    ours, theirs = DuelVecEnv(32, "6.1-std", seed=0), DuelVectorEnv(32, "6.1-std")
    ours.seed(7)
    assert np.array_equal(ours.reset(), theirs.reset(seed=7)[0])
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = random_legal(ours.action_masks(), rng)
        mine, his = ours.step(actions), theirs.step(actions)
        for a, b in zip(mine[:3], his[:3]):
            assert np.array_equal(a, b)
        for i in np.flatnonzero(mine[2]):
            assert np.array_equal(mine[3][i]["terminal_observation"], his[4]["final_obs"][i])
            assert mine[3][i]["episode"]["l"] == his[4]["episode"]["l"][i]


def test_seeds_and_threads():
    found = []
    for threads in (1, 1, 2):
        env = DuelVecEnv(48, opponent=["random", "random"], seed=0, threads=threads)
        start = env.reset()
        found.append((start.tobytes(), *rollout(env, 60)))
    assert found[0] == found[1] == found[2]
    other = DuelVecEnv(48, seed=1)
    assert other.reset().tobytes() != found[0][0]
    env.seed(0)
    zero = env.reset().tobytes()
    assert env.reset().tobytes() != zero
    env.seed(0)
    assert env.reset().tobytes() == zero


def test_masks_as_sb3_contrib_asks():
    env = DuelVecEnv(5, seed=0)
    env.reset()
    assert is_masking_supported(env)
    assert np.array_equal(get_action_masks(env), env.action_masks())
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        wrapped = VecMonitor(env)
    wrapped.reset()
    assert is_masking_supported(wrapped)
    assert np.array_equal(get_action_masks(wrapped), env.action_masks())
    assert np.array_equal(env.env_method("action_masks", indices=[1, 3]), env.action_masks()[[1, 3]])


def test_attributes_as_sb3_asks():
    env = DuelVecEnv(4, seed=0)
    assert env.get_attr("render_mode") == [None] * 4
    assert env.get_attr("num_envs", indices=[0, 2]) == [4, 4]
    assert env.has_attr("duels")
    assert not env.has_attr("nothing")
    assert env.env_is_wrapped(Monitor) == [True] * 4  # statistics come with the environment
    assert env.env_is_wrapped(VecMonitor, indices=0) == [False]
    env.set_attr("note", 3)
    assert env.note == 3
    with pytest.raises(ValueError, match="share their attributes"):
        env.set_attr("note", 3, indices=[0])
    env.env_method("set_opponents", Counting())
    assert isinstance(env.duels.opponents[0], Counting)


def test_opponents_can_be_changed():
    old, new = Counting(), Counting(last=True)
    env = DuelVecEnv(16, opponent=old, seed=0)
    env.reset()
    old.begun.clear()
    env.set_opponents([new, "random"], [1, 0])
    _, episodes = rollout(env, 60)
    assert not old.begun
    assert sum(new.begun.values()) >= len(episodes) > 16


def test_copies_go_on_alike():
    env = DuelVecEnv(8, "6.1-std", "half27", seed=3)
    env.reset()
    rollout(env, 20)
    for twin in (copy.deepcopy(env), cloudpickle.loads(cloudpickle.dumps(env))):
        ahead = rollout(copy.deepcopy(env), 40, seed=1)
        assert rollout(twin, 40, seed=1) == ahead


def test_wrong_options():
    env = DuelVecEnv(3, seed=0)
    env.reset()
    with pytest.raises(IllegalMove, match="game 0, action 197"):
        env.step(np.full(3, 197))
    for mode in ("human", "ansi", "nothing"):
        with pytest.raises(ValueError, match=f"unknown render_mode '{mode}'"):
            DuelVecEnv(3, render_mode=mode)
    with pytest.raises(ValueError, match="weights must be 1 numbers"):
        DuelVecEnv(3, weights=[1, 2])


def test_pictures():
    env = DuelVecEnv(2, seed=0, render_mode="rgb_array")
    env.reset()
    image = env.render()
    assert image.dtype == np.uint8
    assert image.shape[2] == 3


# ---- learning -------------------------------------------------------------------------------------------------------


def share_of_wins(model, seat, games=400):
    """Against random, with masks, from one seat."""
    env = DuelVecEnv(200, seat=seat, seed=1000 + seat)
    observations, results = env.reset(), []
    taken = np.zeros(200, int)
    while len(results) < games:
        actions, _ = model.predict(observations, action_masks=env.action_masks(), deterministic=False)
        observations, _, over, infos = env.step(actions)
        for i in np.flatnonzero(over):
            if taken[i] < games // 200:  # the same number from each row, so that short games don't count more
                results.append(infos[i]["episode"]["r"] > 0)
                taken[i] += 1
    return np.mean(results)


def test_ppo_learns_to_beat_random():
    torch.set_num_threads(1)
    env = DuelVecEnv(256, seed=0)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=32,
        batch_size=1024,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [64]},
        seed=0,
        device="cpu",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        untrained = [share_of_wins(model, seat) for seat in range(2)]
        model.learn(10 * 256 * 32)
    trained = [share_of_wins(model, seat) for seat in range(2)]
    assert model.ep_info_buffer, "episode statistics should reach SB3's logger"
    assert max(untrained) < 0.6
    assert min(trained) >= 0.75, f"from {untrained} to {trained}"


def test_ppo_runs_on_every_game(one_setup):
    env = DuelVecEnv(8, *one_setup[:2], seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, device="cpu", seed=1)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(1024)
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters()))
    assert model.ep_info_buffer
    assert all(info["r"] in (-1, 0, 1) for info in model.ep_info_buffer)
