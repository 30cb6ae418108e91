"""The PettingZoo environment."""

import contextlib
import copy
import io
import pickle
import random
import warnings

import cloudpickle
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as state_cycles
from pettingzoo.test.state_test import test_state_space as state_space

import ka_env
from ka_env import BatchEngine, Game, IllegalMove, RulesetError
from ka_env.games import packages

# What PettingZoo's own tests may say, and why; anything else fails.
EXPECTED = [
    # observations are dicts with a mask
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
]


@contextlib.contextmanager
def only_expected_warnings():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    unexpected = [str(w.message) for w in caught if str(w.message) not in EXPECTED]
    assert not unexpected


def id_of(setup):
    """The environment of a ruleset."""
    ids = {options["ruleset"]: name for package in packages() for name, options in package.ENVIRONMENTS.items()}
    return ids[setup.ruleset]


def mask_of(env, agent):
    return env.observe(agent)["action_mask"]


def play(env, rng, steps=10**9):
    """Random legal moves; returns the action ids."""
    moves = []
    while env.agents and not any(env.terminations.values()) and len(moves) < steps:
        moves.append(int(rng.choice(np.flatnonzero(mask_of(env, env.agent_selection)).tolist())))
        env.step(moves[-1])
    return moves


def finish(env, rng):
    """To the end of the iteration; the last rewards of both agents as `last()` gives them."""
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        action = None
        if not over and not cut:
            action = int(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        env.step(action)
    return rewards


# ---- PettingZoo's own tests -----------------------------------------------------------------------------------------


def test_pettingzoo_api(setup):
    with only_expected_warnings():
        api_test(ka_env.env(ruleset=setup.ruleset), num_cycles=300)
        api_test(pettingzoo.make("aec", id_of(setup), frame=setup.frame), num_cycles=50)


def test_pettingzoo_seed(setup):
    with only_expected_warnings():
        seed_test(lambda: ka_env.env(ruleset=setup.ruleset), num_cycles=200)
        seed_test(lambda: ka_env.raw_env(ruleset=setup.ruleset), num_cycles=200)


def test_pettingzoo_render():
    with only_expected_warnings(), contextlib.redirect_stdout(io.StringIO()) as printed:
        render_test(ka_env.env)
    assert printed.getvalue().strip()


def test_pettingzoo_state():
    env = ka_env.env()
    with only_expected_warnings():
        state_space(env)
        state_cycles(env, num_cycles=60)


def test_max_cycles_does_not_apply():
    """A game can't be cut short (R27), so there is no `max_cycles`, and the environment isn't parallelizable."""
    with pytest.raises(TypeError, match="max_cycles"):
        ka_env.env(max_cycles=4)
    assert ka_env.raw_env.metadata["is_parallelizable"] is False


# ---- ids and options ------------------------------------------------------------------------------------------------


def test_ids(setup):
    env = pettingzoo.make("aec", id_of(setup))
    env.reset(seed=1)
    assert env.unwrapped.game.ruleset == setup.ruleset
    assert env.unwrapped.engine.frame == setup.game.default_frame(setup.ruleset)
    other = pettingzoo.make("aec", id_of(setup), frame=setup.frame, render_mode="ansi")
    other.reset(seed=1)
    assert other.unwrapped.engine.frame == setup.frame
    assert other.render_mode == "ansi"


def test_ids_of_blue_moon_take_decks():
    env = pettingzoo.make("aec", "ka/bluemoon-opt-v0", frame="aqua-flit")
    env.reset(seed=1)
    assert env.unwrapped.game.decks == ("Aqua", "Flit")
    with pytest.raises(RulesetError, match="did you mean 'aqua-flit'"):
        pettingzoo.make("aec", "ka/bluemoon-base-v0", frame="aqua-flitt")


def test_wrapped_and_bare():
    assert isinstance(ka_env.env().unwrapped, ka_env.raw_env)
    assert type(ka_env.env()).__name__ == "OrderEnforcingWrapper"
    env = ka_env.raw_env()
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.action_space("player_0").n == 198
    assert env.observation_space("player_1")["observation"].shape == (env.engine.observation_size,)
    assert str(env) == "blackpoker_8.0-lite_v0"
    assert str(ka_env.raw_env(ruleset="6.1-std")) == "blackpoker_6.1-std_v0"


def test_wrong_options():
    with pytest.raises(RulesetError, match=r"8\.0-lite"):
        ka_env.env(ruleset="8.0-light")
    with pytest.raises(RulesetError, match="did you mean 'entry20'"):
        ka_env.env(frame="entry2")
    with pytest.raises(RulesetError, match="fixed deck list"):
        ka_env.env(frame="entry20", deck0="As 2s")
    with pytest.raises(ValueError, match="unknown render_mode 'text': expected one of ansi, human, rgb_array"):
        ka_env.env(render_mode="text")
    with pytest.raises(TypeError, match="rulset"):
        ka_env.env(rulset="8.0-lite")


def test_own_decks():
    deck = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks".split()
    env = ka_env.env(ruleset="6.1-std", frame="custom", deck0=deck, deck1=deck)
    env.reset(seed=0)
    lives = env.unwrapped.game.state.life_count
    assert lives.sum() == 26 - 7 - 7 - 1 - env.unwrapped.game.state.grave_count.sum()


# ---- observations and masks -----------------------------------------------------------------------------------------


def test_observations_and_masks(setup):
    """At every decision: in the space, equal to the game's own, from one source; zeros for who isn't deciding."""
    env = ka_env.raw_env(*setup[:2])
    rng = random.Random(setup.ruleset)
    nothing = np.zeros(setup.game.num_actions)
    for seed in range(3):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            game = env.game
            assert env.agent_selection == f"player_{game.player}"
            for p, agent in enumerate(env.possible_agents):
                seen = env.observe(agent)
                assert env.observation_space(agent).contains(seen)
                assert np.array_equal(seen["observation"], game.observation(p))
                mask = seen["action_mask"]
                assert mask.dtype == np.int8
                assert np.array_equal(mask, game.action_mask() if p == game.player else nothing)
                assert np.array_equal(mask, env.infos[agent]["action_mask"])
            play(env, rng, steps=1)
        for p, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert np.array_equal(seen["observation"], env.game.observation(p))
            assert not seen["action_mask"].any()
            assert not env.infos[agent]["action_mask"].any()
        assert env.game.over


def test_what_was_given_does_not_change_later():
    env = ka_env.raw_env(ruleset="6.1-std")
    env.reset(seed=3)
    seen, info = env.observe("player_0"), env.infos["player_0"]["action_mask"]
    kept = copy.deepcopy((seen, info))
    play(env, random.Random(1), steps=20)
    env.observe("player_0")
    assert np.array_equal(seen["observation"], kept[0]["observation"])
    assert np.array_equal(seen["action_mask"], kept[0]["action_mask"])
    assert np.array_equal(info, kept[1])


def test_each_look_is_an_array_of_its_own():
    env = ka_env.raw_env(ruleset="8.0-lite")
    env.reset(seed=3)
    rng = random.Random(1)
    for _ in range(20):
        play(env, rng, steps=1)
        agent = env.agent_selection
        expected = env.engine.observe()[0]
        looks = [env.observe(agent)["observation"] for _ in range(2)]
        assert all(np.array_equal(look, expected) for look in looks)
        assert not np.shares_memory(*looks)
        other = env.observe(env.possible_agents[1 - env.possible_agents.index(agent)])["observation"]
        assert not np.array_equal(other, expected)


def test_state_is_the_position():
    """Equal positions have equal states, whatever their random numbers; different ones don't."""
    env, other = ka_env.raw_env(), ka_env.raw_env()
    env.reset(seed=4)
    other.reset(seed=4)
    states = set()
    rng = random.Random(4)
    while not any(env.terminations.values()):
        assert env.state_space.contains(env.state())
        other.engine.games["rng"] += 1
        assert np.array_equal(env.state(), other.state())
        states.add(env.state().tobytes())
        for action in play(env, rng, steps=1):
            other.step(action)
    assert len(states) > 10


# ---- rewards --------------------------------------------------------------------------------------------------------


def test_rewards(setup):
    """1 to the winner and -1 to the loser, once, also when the game ends by the other's move."""
    endings = set()
    env = ka_env.env(ruleset=setup.ruleset)
    for seed in range(40):
        env.reset(seed=seed)
        rng = random.Random(seed)
        while not any(env.terminations.values()):
            assert set(env.rewards.values()) == {0}
            mover = env.agent_selection
            play(env, rng, steps=1)
        result = env.unwrapped.game.result
        expected = {a: float(2 * result[p] - 1) for p, a in enumerate(env.possible_agents)}
        assert env.rewards == expected
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        assert finish(env, rng) == expected
        endings.add((mover, result))
        assert env.agents == []
    both = {(mover, winner) for mover in ("player_0", "player_1") for winner in ((1, 0), (0, 1))}
    assert both <= endings, "every agent should win and lose, by its own move and by the other's"


def test_draws_give_nothing():
    """6.1: both lives at 0."""
    before = Game.from_text(
        "ka 1\nrules 6.1-lite\nturn 0\nchance 1\npassed 0\nlife0 -\nhand0 6h 7h\ngrave0 -\nfield0 0:s9h\n"
        "life1 -\nhand1 5d 6d 7d\ngrave1 -\nfield1 -\nstage 0:0.end\n"
    )
    env = ka_env.raw_env(ruleset="6.1-lite")
    env.reset(seed=0)
    env.engine.games[0] = before.state
    env.engine.action_mask[0] = before.action_mask()
    env.agent_selection = "player_1"
    env.step(0)
    assert env.game.result == (0.5, 0.5)
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert all(env.terminations.values())


# ---- illegal moves --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [0, 7, 20])
def test_illegal_moves_lose(steps):
    """As in PettingZoo's classic games: the game is over, -1 for who made the move, nothing for the other."""
    env = ka_env.env(ruleset="6.1-std")
    env.reset(seed=2)
    play(env, random.Random(2), steps=steps)
    agent = env.agent_selection
    other = env.possible_agents[1 - env.possible_agents.index(agent)]
    env.step(int(np.flatnonzero(mask_of(env, agent) == 0)[0]))
    assert env.rewards == {agent: -1.0, other: 0}
    assert all(env.terminations.values())
    assert finish(env, random.Random(0)) == {agent: -1.0, other: 0}
    env.reset(seed=2)
    assert not any(env.terminations.values())


def test_moves_out_of_range():
    env = ka_env.env()
    env.reset(seed=2)
    for action in (198, -1, None):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(action)


def test_bare_illegal_moves_change_nothing():
    env = ka_env.raw_env()
    env.reset(seed=2)
    before, agent = env.state(), env.agent_selection
    for action in (int(np.flatnonzero(mask_of(env, agent) == 0)[0]), 198, -5):
        with pytest.raises(IllegalMove, match="may choose"):
            env.step(action)
    assert np.array_equal(env.state(), before)
    assert env.agent_selection == agent


def test_bare_moves_must_be_numbers():
    env = ka_env.raw_env()
    env.reset(seed=2)
    before = env.state()
    with pytest.raises(IllegalMove):
        env.step(-1)  # a batch reads this as: leave the game alone
    with pytest.raises((TypeError, ValueError)):
        env.step(None)
    assert np.array_equal(env.state(), before)


# ---- order of calls -------------------------------------------------------------------------------------------------


def test_order_is_enforced():
    env = ka_env.env()
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    finish(env, random.Random(0))
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        env.step(None)  # PettingZoo warns, and nothing happens
    env.reset(seed=0)
    assert env.agents == ["player_0", "player_1"]


# ---- seeds ----------------------------------------------------------------------------------------------------------


def texts(env, count):
    found = []
    for _ in range(count):
        env.reset()
        found.append(env.unwrapped.game.to_text())
    return found


def test_seeds():
    """Seed 0 is a seed; resets without one go on from it; without any seed games differ."""
    env = ka_env.env()
    for seed in (0, 1, 2**40):
        env.reset(seed=seed)
        assert env.unwrapped.game.to_text() == Game.new("8.0-lite", "entry20", seed=seed).to_text()
        onward = texts(env, 3)
        env.reset(seed=seed)
        assert texts(env, 3) == onward
        assert len(set(onward)) == 3
    assert len(set(texts(ka_env.env(), 2) + texts(ka_env.env(), 2))) == 4


def test_same_game_in_env_batch_and_game(setup):
    """Same seed, same moves: the same game, also where decks are shuffled."""
    env = ka_env.env(ruleset=setup.ruleset, frame=setup.frame)
    for seed in range(3):
        engine = BatchEngine(*setup[:2], num_games=3, seed=seed)
        game = setup.game.Game.deal(setup, seed)
        env.reset(seed=seed)
        rng = random.Random(seed)
        while not game.over:
            assert env.unwrapped.game.to_text() == engine.game(0).to_text() == game.to_text()
            assert np.array_equal(env.observe("player_0")["observation"], game.observation(0))
            (action,) = play(env, rng, steps=1)
            engine.step(np.array([action, -1, -1]))
            game.step(action)
        assert env.unwrapped.game.result == engine.game(0).result == game.result


# ---- copies ---------------------------------------------------------------------------------------------------------


def pickled(env):
    return pickle.loads(pickle.dumps(env))


def cloudpickled(env):
    return cloudpickle.loads(cloudpickle.dumps(env))


@pytest.mark.parametrize("make", [ka_env.env, ka_env.raw_env], ids=["env", "raw_env"])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled, cloudpickled])
def test_copies_go_on_alike(make, duplicate):
    """In the middle of a game, into the next one without a seed; and the original stays where it was."""
    env = make(ruleset="6.1-std", frame="half27")
    env.reset(seed=9)
    play(env, random.Random(1), steps=25)
    before = env.state()
    twin = duplicate(env)
    rng = random.Random(2)
    moves = play(twin, rng)
    finish(twin, rng)
    twin.reset()
    assert np.array_equal(env.state(), before)
    for action in moves:
        env.step(action)
    finish(env, random.Random(0))
    env.reset()
    assert np.array_equal(env.state(), twin.state())
    assert np.array_equal(env.observe("player_1")["observation"], twin.observe("player_1")["observation"])


# ---- rendering ------------------------------------------------------------------------------------------------------


def test_render_modes(capsys):
    env = ka_env.env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert len(text.splitlines()) > 3
    picture = ka_env.env(render_mode="rgb_array")
    picture.reset(seed=1)
    image = picture.render()
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert image.shape[2] == 3
    assert image.std() > 0
    silent = ka_env.env()
    silent.reset(seed=1)
    assert silent.render() is None
    human = ka_env.env(render_mode="human")
    human.reset(seed=1)
    play(human, random.Random(0), steps=1)
    assert capsys.readouterr().out.strip()
