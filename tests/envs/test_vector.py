"""The Gymnasium vector environment: many duels in one process."""

import copy
import pickle
from collections import Counter

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ka_env import IllegalMove, RulesetError
from ka_env.agents import Agent, AgentError
from ka_env.envs.vector import DuelVectorEnv
from ka_env.registration import gymnasium_id


def random_legal(masks, rng):
    """A random legal action in each row."""
    return (masks * (0.1 + rng.random(masks.shape))).argmax(axis=1)


def rollout(env, steps, seed=0, reset=True):
    """All that a learner is given in some steps of random play, as one byte string, and the number of episodes."""
    rng = np.random.default_rng(seed)
    given = [env.reset(seed=seed)[0].tobytes()] if reset else []
    episodes = 0
    for _ in range(steps):
        observations, rewards, over, _, infos = env.step(random_legal(env.action_masks(), rng))
        given += [observations.tobytes(), rewards.tobytes(), over.tobytes(), infos["action_mask"].tobytes()]
        for i in np.flatnonzero(over):
            given.append(infos["final_obs"][i].tobytes())
        episodes += int(over.sum())
    return b"".join(given), episodes


class Counting(Agent):
    """Plays the first or last legal action, and counts its games and moves."""

    needs_observations = False

    def __init__(self, last=False):
        self.last, self.begun, self.asked = last, Counter(), Counter()

    def begin(self, games, seats, seeds):
        self.begun.update(games.tolist())

    def act_one(self, game, observation, mask, view):
        self.asked[game] += 1
        return int(np.flatnonzero(mask)[-1 if self.last else 0])


class Peeking(Counting):
    """Decides by re-draws of its views, from a seed of its own."""

    needs_views = True

    def act_one(self, game, observation, mask, view):
        sample = view.sample(len(view.legal()))
        return sorted(view.sample(game).legal_ids() + sample.legal_ids())[0]


# ---- the interface --------------------------------------------------------------------------------------------------


def test_spaces_and_shapes(setup):
    env = DuelVectorEnv(5, *setup[:2])
    observations, infos = env.reset(seed=0)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.observation_space.contains(observations)
    assert observations.shape == (5, *env.single_observation_space.shape)
    assert env.action_space.shape == (5,)
    assert infos["action_mask"].shape == (5, setup.game.num_actions)
    rng = np.random.default_rng(0)
    for _ in range(60):
        observations, rewards, over, cut, infos = env.step(random_legal(infos["action_mask"], rng))
        assert env.observation_space.contains(observations)
        assert (rewards.dtype, over.dtype, cut.dtype) == (np.float64, np.bool_, np.bool_)
        assert rewards.shape == over.shape == cut.shape == (5,)
        assert not cut.any()
        assert (infos["action_mask"].sum(axis=1) >= 2).all(), "the learner always has a choice"
        for i in range(5):
            game = env.duels.engine.game(i)
            assert game.player == env.duels.seats[i]
            assert np.array_equal(observations[i], game.observation(game.player))
            assert np.array_equal(infos["action_mask"][i], game.action_mask())
    env.close()


def test_made_by_id():
    env = gymnasium.make_vec(
        gymnasium_id("BlackPoker"),
        num_envs=3,
        vectorization_mode="vector_entry_point",
        ruleset="6.1-std",
        opponent="random",
    )
    assert isinstance(env.unwrapped, DuelVectorEnv)
    assert env.unwrapped.duels.engine.ruleset == "6.1-std"
    observations, _ = env.reset(seed=1)
    assert observations.shape[0] == 3
    single = gymnasium.make_vec(gymnasium_id("BlackPoker"), num_envs=2, vectorization_mode="sync")
    assert single.reset(seed=1)[0].shape[0] == 2


def test_many_games_in_one_process():
    env = DuelVectorEnv(1024, opponent=["random", "random"])
    given, episodes = rollout(env, 40)
    assert len(given) > 1024 * 40 * env.single_observation_space.shape[0]
    assert episodes > 1024


# ---- the end of episodes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_ends_of_episodes(setup, seat):
    """Final observations, rewards and statistics belong to the game that ended; the row goes on with a new one."""
    n = 16
    env = DuelVectorEnv(n, *setup[:2], seat=seat)
    result = next(section.offset for section in setup.game.sections(setup.ruleset) if section.name == "result")
    _, infos = env.reset(seed=3)
    rng = np.random.default_rng(3)
    lengths, seats = np.zeros(n, int), env.duels.seats.copy()
    outcomes = Counter()
    for _ in range(240):
        before = [env.duels.engine.game(i) for i in range(n)]
        actions = random_legal(infos["action_mask"], rng)
        observations, rewards, over, _, infos = env.step(actions)
        lengths += 1
        assert over.any() == ("final_obs" in infos)
        assert not rewards[~over].any()
        for i in np.flatnonzero(over):
            assert infos["_final_obs"][i]
            assert infos["_episode"][i]
            assert infos["_final_info"][i]
            final = infos["final_obs"][i]
            assert final[result + (1, -1, 0).index(int(rewards[i]))] == 1
            assert infos["episode"]["r"][i] == rewards[i]
            assert infos["episode"]["l"][i] == lengths[i]
            assert infos["episode"]["t"][i] >= 0
            assert infos["final_info"]["seat"][i] == seats[i]
            assert env.duels.engine.game(i).result is None
            assert not np.array_equal(final, observations[i])
            # a game that ends at once by the learner's move has the very reward of that game
            game = before[i]
            game.step(int(actions[i]))
            if game.over:
                assert rewards[i] == 2 * game.result[seats[i]] - 1
                assert np.array_equal(final, game.observation(int(seats[i])))
            outcomes[int(seats[i]), int(rewards[i]), game.over] += 1
            lengths[i] = 0
            seats[i] = env.duels.seats[i]
        for i in np.flatnonzero(~over):
            if "final_obs" in infos:
                assert infos["final_obs"][i] is None
                assert not infos["_episode"][i]
    for learner in (0, 1) if seat == "random" else (seat,):
        for reward in (1, -1):
            assert outcomes[learner, reward, True], "by the learner's own move"
            assert outcomes[learner, reward, False], "during the opponent's moves"


def test_seats():
    for seat, expected in ((0, {0}), (1, {1}), ("first", {0}), ("second", {1}), ("random", {0, 1}), (None, {0, 1})):
        env = DuelVectorEnv(64, seat=seat)
        env.reset(seed=0)
        assert set(env.duels.seats.tolist()) == expected
    share = DuelVectorEnv(2000, seat="random")
    share.reset(seed=0)
    assert 880 < share.duels.seats.sum() < 1120


# ---- seeds and threads ----------------------------------------------------------------------------------------------


def test_same_seed_same_rollout(setup):
    ruleset = setup.ruleset
    options = {"frame": setup.frame, "opponent": ["random", "random"], "weights": [1, 2]}
    first = DuelVectorEnv(64, ruleset, **options)
    given, episodes = rollout(first, 60)
    assert episodes > 20
    assert rollout(first, 60)[0] == given, "a second time in the same environment"
    assert rollout(DuelVectorEnv(64, ruleset, **options), 60)[0] == given
    assert rollout(first, 60, seed=1)[0] != given


def test_threads_roll_out_alike():
    one, two = (DuelVectorEnv(64, "6.1-std", "half27", threads=threads) for threads in (1, 2))
    assert rollout(one, 60)[0] == rollout(two, 60)[0]


def test_same_seed_same_rollout_with_views():
    """Agents that look at re-drawn games play the same again, too."""
    envs = [DuelVectorEnv(8, "6.1-std", "half27", opponent=Peeking(), threads=t) for t in (1, 1, 2)]
    given = [rollout(env, 30)[0] for env in envs]
    assert given[0] == given[1] == given[2]


def test_seed_zero_and_no_seed():
    env = DuelVectorEnv(4)
    zero = env.reset(seed=0)[0].tobytes()
    onward = env.reset()[0].tobytes()
    assert zero != onward
    assert (env.reset(seed=0)[0].tobytes(), env.reset()[0].tobytes()) == (zero, onward)
    assert DuelVectorEnv(4).reset()[0].tobytes() != DuelVectorEnv(4).reset()[0].tobytes()


# ---- opponents ------------------------------------------------------------------------------------------------------


def test_one_opponent_per_game():
    """A pool: each game draws one by the weights and keeps it to its end."""
    pool = [Counting(), Counting(last=True), Counting()]
    env = DuelVectorEnv(300, opponent=pool, weights=[3, 1, 0])
    owner, kept = {}, 0

    def note_new_games():
        for agent in pool:
            owner.update(dict.fromkeys(agent.begun, agent))
            agent.begun.clear()
            agent.asked.clear()

    note_new_games()
    env.reset(seed=1)
    begun = [sum(agent.begun.values()) for agent in pool]
    assert 180 < begun[0] < 280
    assert begun[1] > 30
    assert begun[2] == 0
    rng = np.random.default_rng(1)
    for _ in range(25):
        note_new_games()
        _, _, over, _, _ = env.step(random_legal(env.action_masks(), rng))
        for agent in pool:
            going_on = [game for game in agent.asked if not over[game]]
            assert all(owner[game] is agent for game in going_on)
            kept += len(going_on)
    assert kept > 1000


def test_opponents_can_be_changed():
    """Games under way keep theirs; games that begin get one of the new pool."""
    old, new = Counting(), Counting(last=True)
    env = DuelVectorEnv(40, opponent=old)
    _, infos = env.reset(seed=0)
    rng = np.random.default_rng(0)
    old.begun.clear()
    env.set_opponents(new)
    assert env.duels.opponents == [new]
    finished = set()
    for _ in range(80):
        old.asked.clear()
        new.asked.clear()
        running = set(range(40)) - finished
        _, _, over, _, infos = env.step(random_legal(infos["action_mask"], rng))
        assert set(old.asked) <= running
        finished |= set(np.flatnonzero(over).tolist())
        assert set(new.asked) <= finished
    assert not old.begun
    assert set(new.begun) == finished
    assert len(finished) == 40
    # pools that are no longer used are dropped
    for _ in range(5):
        env.set_opponents("random")
        rollout(env, 60, reset=False)
    assert len(env.duels._opponents) <= 3


def test_changing_opponents_does_not_touch_running_games():
    """Until its first game ends, a batch plays on as if the pool had not been changed."""
    envs = [DuelVectorEnv(8, "6.1-std", opponent="random", seat=0) for _ in range(2)]
    for env in envs:
        env.reset(seed=2)
    envs[1].set_opponents([Counting(), Counting(last=True)], [1, 5])
    rng = np.random.default_rng(1)
    compared, over = 0, np.zeros(8, bool)
    while not over.any():
        actions = random_legal(envs[0].action_masks(), rng)
        (one, _, over, *_), (other, *_) = (env.step(actions) for env in envs)
        assert np.array_equal(one[~over], other[~over])
        compared += 1
    assert compared > 5


# ---- wrong use ------------------------------------------------------------------------------------------------------


def test_illegal_actions_are_refused():
    """A vector environment has no game to lose on its own: nothing changes, and the error names the game."""
    env = DuelVectorEnv(4)
    _, infos = env.reset(seed=0)
    good = infos["action_mask"].argmax(axis=1)
    before = env.duels.engine.games.tobytes()
    for wrong in (197, 198, -1, -2):
        actions = good.copy()
        actions[2] = wrong
        with pytest.raises(IllegalMove, match=f"game 2, action {wrong}"):
            env.step(actions)
    with pytest.raises(ValueError, match=r"shape \(4,\)"):
        env.step(good[:3])
    assert env.duels.engine.games.tobytes() == before
    assert not env.duels.lengths.any()


def test_wrong_options():
    with pytest.raises(ValueError, match="at least 1"):
        DuelVectorEnv(0)
    with pytest.raises(ValueError, match="at least 1"):
        DuelVectorEnv(2, threads=0)
    with pytest.raises(RulesetError, match=r"6\.1-std"):
        DuelVectorEnv(2, "6.1-standard")
    with pytest.raises(RulesetError, match="unknown frame"):
        DuelVectorEnv(2, frame="entry21")
    with pytest.raises(ValueError, match="unknown render_mode 'human': expected one of ansi, rgb_array"):
        DuelVectorEnv(2, render_mode="human")
    with pytest.raises(ValueError, match="unknown seat 'third'"):
        DuelVectorEnv(2, seat="third")
    with pytest.raises(AgentError, match="unknown agent"):
        DuelVectorEnv(2, opponent=["random", "nobody"])
    with pytest.raises(ValueError, match="pool of opponents is empty"):
        DuelVectorEnv(2).set_opponents([])
    for weights in ([1], [1, -1], [0, 0], [1, float("nan")], [1, float("inf")]):
        with pytest.raises(ValueError, match="weights must be 2 numbers"):
            DuelVectorEnv(2, opponent=["random", "random"], weights=weights)


@pytest.mark.parametrize("module", [pickle, cloudpickle, copy], ids=["pickle", "cloudpickle", "deepcopy"])
def test_copies_go_on_alike(module):
    env = DuelVectorEnv(12, "6.1-std", "half27", opponent=["random", Counting()])
    rollout(env, 25)
    twin = copy.deepcopy(env) if module is copy else module.loads(module.dumps(env))
    before = env.duels.engine.games.tobytes()
    ahead = rollout(twin, 60, seed=5, reset=False)
    assert env.duels.engine.games.tobytes() == before
    assert rollout(env, 60, seed=5, reset=False) == ahead
    assert ahead[1] > 5


def test_rendering():
    env = DuelVectorEnv(3, render_mode="ansi")
    env.reset(seed=0)
    boards = env.render()
    assert len(boards) == 3
    assert all(isinstance(board, str) for board in boards)
    assert DuelVectorEnv(3).render() is None
