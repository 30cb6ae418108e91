"""The Gymnasium environment: a learner against an agent, one game at a time."""

import copy
import pickle
import random
import warnings

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ka_env
from ka_env import BatchEngine, RulesetError
from ka_env.agents import Agent, AgentError
from ka_env.envs.single import DuelEnv
from ka_env.registration import gymnasium_id


class Scribe(Agent):
    """Plays at random and writes down its moves."""

    def __init__(self):
        self.moves, self.rng = [], random.Random(0)

    def act_one(self, game, observation, mask, view):
        self.moves.append(int(self.rng.choice(np.flatnonzero(mask).tolist())))
        return self.moves[-1]


def play(env, rng, steps=10**9):
    """Random legal moves; returns the list of (observation, reward, over) and the moves."""
    found, moves = [], []
    for _ in range(steps):
        moves.append(int(rng.choice(np.flatnonzero(env.unwrapped.action_masks()).tolist())))
        observation, reward, over, cut, info = env.step(moves[-1])
        assert cut is False
        assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())
        found.append((observation.tobytes(), reward, over))
        if over:
            break
    return found, moves


def test_the_board_after_an_illegal_action(setup):
    env = DuelEnv(setup.ruleset, setup.frame, opponent="random", render_mode="ansi")
    env.reset(seed=1)
    illegal = int(np.flatnonzero(~env.action_masks().astype(bool))[0])
    _, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal_action"]) == (-1, True, True)
    assert "illegal action" in env.render() and "wins" not in env.render()


def test_gymnasium_checker(setup):
    name, ruleset = gymnasium_id(setup.game.title), setup.ruleset
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(name, ruleset=ruleset, frame=setup.frame, opponent="random", render_mode="ansi")
        check_env(env.unwrapped)
        plain = gymnasium.make(name, ruleset=ruleset)
        check_env(plain.unwrapped, skip_render_check=True)


def test_sb3_checker(one_setup):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(DuelEnv(*one_setup[:2]))


def test_made_by_id(setup):
    env = gymnasium.make(gymnasium_id(setup.game.title), ruleset=setup.ruleset, opponent="random", seat=1)
    observation, info = env.reset(seed=0)
    assert env.unwrapped.game.ruleset == setup.ruleset
    assert env.observation_space.contains(observation)
    assert env.action_space.n == setup.game.num_actions
    assert info["seat"] == 1
    assert env.unwrapped.game.player == 1
    assert np.array_equal(info["action_mask"], env.unwrapped.game.action_mask())


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_rewards_are_the_learners(setup, seat):
    """The learner's own result, in either seat, also when it loses during the opponent's move; 0 before the end."""
    scribe = Scribe()
    env = DuelEnv(*setup[:2], opponent=scribe, seat=seat)
    rng = random.Random(f"{setup.ruleset} {seat}")
    outcomes, seats = set(), set()
    for episode in range(60):
        env.reset(seed=episode)
        over = False
        while not over:
            before = len(scribe.moves)
            found, _ = play(env, rng, steps=1)
            _, reward, over = found[0]
            assert over or reward == 0
        learner = env.seat
        seats.add(learner)
        result = env.game.result
        assert reward == 2 * result[learner] - 1
        outcomes.add((learner, reward, len(scribe.moves) > before))
    assert seats == ({0, 1} if seat == "random" else {seat})
    for learner in seats:
        # lost and won, in the opponent's moves and by an own one
        assert {(learner, reward, theirs) for reward in (-1, 1) for theirs in (False, True)} <= outcomes


def test_the_same_game_as_elsewhere(setup):
    """With the same seed and moves: in Gymnasium, PettingZoo, the batch and `Game`."""
    scribe = Scribe()
    env = DuelEnv(*setup[:2], opponent=scribe, seat=1)
    for seed in range(3):
        scribe.moves.clear()
        observation, _ = env.reset(seed=seed)
        aec = ka_env.env(ruleset=setup.ruleset, frame=setup.frame)
        aec.reset(seed=seed)
        engine = BatchEngine(*setup[:2], seed=seed)
        game = setup.game.Game.deal(setup, seed)
        mine = random.Random(seed)
        used, over = 0, False
        while not game.over:
            if game.player == 1:
                assert np.array_equal(observation, game.observation(1))
                assert np.array_equal(aec.observe("player_1")["observation"], observation)
                assert env.game.to_text() == game.to_text()
                _, (action,) = play(env, mine, steps=1)
                observation, over = env._duels.observe()[0], env._duels.engine.done[0]
            else:
                action, used = scribe.moves[used], used + 1
            aec.step(action)
            engine.step(np.array([action]))
            game.step(action)
        assert over
        assert used == len(scribe.moves)
        assert env.game.to_text() == game.to_text() == engine.game(0).to_text() == aec.unwrapped.game.to_text()
        assert np.array_equal(observation, game.observation(1))
        assert engine.rewards[0, 1] == aec.rewards["player_1"] == env._duels.rewards()[0]


def test_illegal_actions_lose():
    env = DuelEnv(seat=0)
    for seed, wrong in enumerate((None, 198, -1, 10**6)):
        _, info = env.reset(seed=seed)
        action = int(np.flatnonzero(~info["action_mask"])[0]) if wrong is None else wrong
        observation, reward, over, cut, info = env.step(action)
        assert (reward, over, cut) == (-1.0, True, False)
        assert info["illegal_action"] is True
        assert env.observation_space.contains(observation)
        assert not info["action_mask"].any()
        assert env.step(action)[1:3] == (-1.0, True)  # still over
    _, info = env.reset()
    assert info["action_mask"].any()
    assert "illegal_action" not in info


def test_after_the_end():
    """A terminal mask is empty; the observation is the learner's, with the result."""
    env = DuelEnv("6.1-std", "half27", seat=0)
    env.reset(seed=1)
    found, _ = play(env, random.Random(1))
    assert not env.action_masks().any()
    assert found[-1][0] == env.game.observation(0).tobytes()


def test_seeds():
    """Seed 0 is a seed; without one the game goes on from the last; other games without any."""

    def episode(env, seed):
        start, info = env.reset(seed=seed)
        return start.tobytes(), info["seat"], play(env, random.Random(3))

    env, other = DuelEnv(), DuelEnv()
    for seed in (0, 7):
        assert episode(env, seed) == episode(other, seed)
        assert episode(env, None) == episode(other, None)
    assert episode(env, 0) != episode(env, 1)
    assert episode(DuelEnv(), None) != episode(DuelEnv(), None)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, "pickle", "cloudpickle"])
def test_copies_go_on_alike(duplicate):
    """In the middle of a game and into the next; the opponent's random numbers go along."""
    if isinstance(duplicate, str):
        module = {"pickle": pickle, "cloudpickle": cloudpickle}[duplicate]

        def duplicate(env):
            return module.loads(module.dumps(env))

    env = gymnasium.make(gymnasium_id("BlackPoker"), ruleset="6.1-std", frame="half27")
    env.reset(seed=5)
    play(env, random.Random(0), steps=12)
    twin = duplicate(env)
    before = env.unwrapped.game.to_text()
    found = play(twin, random.Random(1))
    assert env.unwrapped.game.to_text() == before
    assert play(env, random.Random(1)) == found
    assert env.reset()[0].tobytes() == twin.reset()[0].tobytes()
    assert play(env, random.Random(2)) == play(twin, random.Random(2))


def test_pools_of_opponents():
    class Named(Scribe):
        begun = 0

        def begin(self, games, seats, seeds):
            self.begun += 1

    pool = [Named(), Named()]
    env = DuelEnv(opponent=pool)
    for _ in range(30):
        env.reset()
    assert min(agent.begun for agent in pool) > 3


def test_wrong_options():
    with pytest.raises(RulesetError, match=r"8\.0-lite"):
        DuelEnv("8.0")
    with pytest.raises(RulesetError, match="did you mean 'full54'"):
        DuelEnv(frame="ful54")
    with pytest.raises(ValueError, match="unknown render_mode 'txt'"):
        DuelEnv(render_mode="txt")
    with pytest.raises(ValueError, match="unknown seat 2: expected 0, 1 or 'random'"):
        DuelEnv(seat=2)
    with pytest.raises(AgentError, match="did you mean 'random'"):
        DuelEnv(opponent="rando")
    with pytest.raises(ValueError, match="the pool of opponents is empty"):
        DuelEnv(opponent=[])


def test_rendering(capsys):
    env = gymnasium.make(gymnasium_id("BlackPoker"), render_mode="ansi")
    env.reset(seed=0)
    assert len(env.render().splitlines()) > 3
    picture = gymnasium.make(gymnasium_id("BlackPoker"), render_mode="rgb_array")
    picture.reset(seed=0)
    assert picture.render().shape[2] == 3
    human = DuelEnv(render_mode="human")
    human.reset(seed=0)
    play(human, random.Random(0), steps=1)
    assert capsys.readouterr().out.strip()
