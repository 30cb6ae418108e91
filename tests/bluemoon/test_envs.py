"""Blue Moon in every environment: their own checkers, and what a finished game tells besides the result."""

import random
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import ka_env
from ka_env import RulesetError
from ka_env.bluemoon import ENVIRONMENTS
from ka_env.bluemoon.codes import NUM_ACTIONS
from ka_env.envs.vector import DuelVectorEnv

from ..envs.test_aec import finish, only_expected_warnings, play
from ..envs.test_vector import random_legal

GYMNASIUM_ID = "ka/BlueMoon-v0"


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_pettingzoo_api(name):
    with only_expected_warnings():
        api_test(pettingzoo.make("aec", name), num_cycles=200)
        api_test(pettingzoo.make("aec", name, frame="khind-buka"), num_cycles=100)


def test_pettingzoo_seed():
    with only_expected_warnings():
        seed_test(lambda: ka_env.env(ruleset="base"), num_cycles=100)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_ids_take_decks(name):
    env = pettingzoo.make("aec", name, frame="aqua-flit")
    env.reset(seed=1)
    game = env.unwrapped.game
    assert (game.ruleset, game.decks) == (ENVIRONMENTS[name]["ruleset"], ("Aqua", "Flit"))
    assert env.action_space("player_0").n == NUM_ACTIONS
    with pytest.raises(RulesetError, match="did you mean 'aqua-flit'"):
        pettingzoo.make("aec", name, frame="aqua-flitt")


@pytest.mark.parametrize("ruleset", ["base", "base+opt", "base/match"])
def test_pettingzoo_tells_the_crystals(ruleset):
    """Reward 1 and -1 for the game, or for the match; the winner of a game has its crystals."""
    env = ka_env.env(ruleset=ruleset)
    for seed in range(6):
        env.reset(seed=seed)
        assert "crystals" not in env.infos["player_0"]
        rng = random.Random(seed)
        play(env, rng)
        winner = int(env.rewards["player_1"] > 0)
        for agent in env.possible_agents:
            crystals = env.infos[agent]["crystals"]
            if ruleset == "base/match":
                assert crystals[winner] == 5 > crystals[1 - winner]
            else:
                assert 1 <= crystals[winner] <= 4 and crystals[1 - winner] == 0
        assert sorted(finish(env, rng).values()) == [-1, 1]


def test_gymnasium_checker():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for options in ({}, {"ruleset": "base+opt", "frame": "khind-buka", "opponent": "greedy"}):
            check_env(gymnasium.make(GYMNASIUM_ID, **options).unwrapped, skip_render_check=True)


def test_gymnasium_tells_the_crystals():
    env = gymnasium.make(GYMNASIUM_ID, opponent="greedy").unwrapped
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(3)
    over = False
    while not over:
        assert "crystals" not in info
        _, reward, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
    crystals = info["crystals"]
    assert (crystals[env.seat] > crystals[1 - env.seat]) == (reward > 0)


def test_vector_tells_the_crystals():
    env = DuelVectorEnv(16, "base", "random")
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    finished = 0
    while finished < 20:
        _, rewards, over, _, infos = env.step(random_legal(env.action_masks(), rng))
        if not over.any():
            continue
        crystals, seats = infos["final_info"]["crystals"], infos["final_info"]["seat"]
        assert not crystals[~over].any()
        for i in np.flatnonzero(over):
            assert (crystals[i, seats[i]] > 0) == (rewards[i] > 0)
        finished += int(over.sum())


def test_sb3_learns_on_it():
    maskable = pytest.importorskip("sb3_contrib")
    from ka_env.envs.sb3 import DuelVecEnv

    env = DuelVecEnv(8, "base", "random", seed=1)
    model = maskable.MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, device="cpu", seed=1)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(512)
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters()))
    assert model.ep_info_buffer and all(info["r"] in (-1, 1) for info in model.ep_info_buffer)


def test_openspiel_simulations():
    pyspiel = pytest.importorskip("pyspiel")
    import ka_env.envs.openspiel  # noqa: F401 (registers the games)

    for params in ({"ruleset": "base"}, {"ruleset": "base+opt", "frame": "khind-buka"}):
        game = pyspiel.load_game("python_ka_bluemoon", params)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
