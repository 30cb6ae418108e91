"""Every environment with the rulesets beyond lite and std: set-ups before the deal, larger observations."""

import gymnasium
import numpy as np
import pettingzoo
import pytest

from ka_env.blackpoker import ENVIRONMENTS
from ka_env.envs.aec import raw_env
from ka_env.registration import gymnasium_id
from tests.blackpoker.lists import MORE

each_ruleset = pytest.mark.parametrize("ruleset", MORE)
SOME = ["8.0-mast", "8.0-pro+strategy"]


@each_ruleset
def test_pettingzoo(ruleset):
    env = raw_env(ruleset)
    env.reset(seed=2)
    rng = np.random.default_rng(1)
    while not all(env.terminations.values()):
        agent = env.agent_selection
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert seen["action_mask"].sum() >= 2
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(env.rewards.values()) in ([-1, 1], [0, 0])
    assert env.game.over and env.game.ruleset == ruleset


def test_ids_have_no_plus_sign():
    assert len(ENVIRONMENTS) == 4 + len(MORE)
    for name, options in ENVIRONMENTS.items():
        assert "+" not in name
        if options["ruleset"] in MORE:
            env = pettingzoo.make("aec", name)
            assert env.unwrapped.engine.ruleset == options["ruleset"]


@pytest.mark.parametrize("ruleset", SOME)
def test_gymnasium(ruleset):
    env = gymnasium.make(gymnasium_id("BlackPoker"), ruleset=ruleset, opponent="greedy")
    rng = np.random.default_rng(0)
    seen, info = env.reset(seed=1)
    over = False
    while not over:
        assert env.observation_space.contains(seen)
        seen, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    assert reward in (-1, 0, 1)


@pytest.mark.parametrize("ruleset", SOME)
def test_openspiel(ruleset):
    pyspiel = pytest.importorskip("pyspiel")
    import ka_env.envs.openspiel  # noqa: F401

    game = pyspiel.load_game("python_ka_blackpoker", {"ruleset": ruleset})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
