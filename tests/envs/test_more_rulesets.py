"""Every environment with the rulesets beyond lite and std: set-ups before the deal, larger observations."""

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import ka_env
from ka_env import BatchEngine
from ka_env.blackpoker import ENVIRONMENTS
from ka_env.envs.aec import raw_env
from ka_env.envs.vector import DuelVectorEnv
from ka_env.games import load_game
from ka_env.registration import gymnasium_id
from tests.blackpoker.lists import MORE
from tests.envs.test_aec import only_expected_warnings

each_ruleset = pytest.mark.parametrize("ruleset", MORE)
SOME = ["8.0-mast", "6.1-mast", "8.0-std+pack", "8.0-pro+strategy", "8.0-lite+setup"]
some_rulesets = pytest.mark.parametrize("ruleset", SOME)


def random_legal(masks, rng):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


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


@some_rulesets
def test_pettingzoo_checkers(ruleset):
    with only_expected_warnings():
        api_test(ka_env.env(ruleset=ruleset), num_cycles=100)
        seed_test(lambda: ka_env.raw_env(ruleset=ruleset), num_cycles=60)


@some_rulesets
def test_gymnasium(ruleset):
    env = gymnasium.make(gymnasium_id("BlackPoker"), ruleset=ruleset, opponent="greedy")
    check_env(env.unwrapped, skip_render_check=True)
    rng = np.random.default_rng(0)
    seen, info = env.reset(seed=1)
    over = False
    while not over:
        assert env.observation_space.contains(seen)
        seen, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    assert reward in (-1, 0, 1)


@some_rulesets
def test_vector_environments(ruleset):
    """The learner's rows are those of its games, also at choices before the deal; ends are told."""
    env = DuelVectorEnv(8, ruleset, opponent="greedy")
    observations, infos = env.reset(seed=0)
    rng = np.random.default_rng(0)
    ended = 0
    for number in range(400):
        assert env.observation_space.contains(observations)
        assert (infos["action_mask"].sum(axis=1) >= 2).all()
        if number % 50 == 0:
            for i in range(8):
                game = env.duels.engine.game(i)
                assert np.array_equal(observations[i], game.observation(game.player))
        observations, rewards, over, _, infos = env.step(random_legal(infos["action_mask"], rng))
        assert not rewards[~over].any()
        ended += int(over.sum())
    assert ended > 0
    env.close()


@some_rulesets
def test_sb3(ruleset):
    pytest.importorskip("stable_baselines3")
    from ka_env.envs.sb3 import DuelVecEnv

    env = DuelVecEnv(6, ruleset, seed=1)
    observations = env.reset()
    assert observations.shape == (6, load_game("blackpoker").observation_size(ruleset))
    rng = np.random.default_rng(1)
    results = []
    for _ in range(300):
        observations, rewards, over, infos = env.step(random_legal(env.action_masks(), rng))
        assert all(env.observation_space.contains(row) for row in observations)
        results += [(rewards[i], infos[i]["episode"]["r"]) for i in np.flatnonzero(over)]
    assert results and all(one == two for one, two in results)
    env.close()


@each_ruleset
def test_entities(ruleset):
    """By entity: the shapes that are told, whole numbers, the same for the batch and the single game."""
    engine = BatchEngine(ruleset, num_games=4, seed=3)
    shapes = {name: shape for name, (shape, _) in engine.about.entities_of(ruleset).items()}
    rng = np.random.default_rng(2)
    for _ in range(40):
        found = engine.observe_entities()
        assert {name: array.shape[1:] for name, array in found.items()} == shapes
        for i in np.flatnonzero(~engine.done):
            single = engine.game(i).entities(int(engine.to_play[i]))
            assert all(np.array_equal(found[name][i], single[name]) for name in shapes)
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else -1 for mask in engine.action_mask]
        engine.step(np.array(actions))


@some_rulesets
def test_openspiel(ruleset):
    pyspiel = pytest.importorskip("pyspiel")
    import ka_env.envs.openspiel  # noqa: F401

    game = pyspiel.load_game("python_ka_blackpoker", {"ruleset": ruleset})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
