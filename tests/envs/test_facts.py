"""What the infos of a finished game tell besides the result: Blue Moon's crystals, of a game or of a match."""

import random

import gymnasium
import numpy as np
import pytest

import ka_env
from ka_env.envs.vector import DuelVectorEnv
from ka_env.registration import gymnasium_id

from .test_aec import finish, play
from .test_vector import random_legal


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


def test_gymnasium_tells_the_crystals():
    env = gymnasium.make(gymnasium_id("Blue Moon"), opponent="greedy").unwrapped
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
