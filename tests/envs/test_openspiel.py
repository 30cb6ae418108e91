"""The OpenSpiel adapter: OpenSpiel's own tests, the same games as `Game` plays, what players know, algorithms."""

# ruff: noqa: E402 (without the extra `openspiel`, the imports must not be tried)

import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr, tabular_qlearner
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.observation import make_observation

from ka_env import Game, RulesetError
from ka_env.blackpoker.knowledge.observe import SIZE as OBSERVATION_SIZE
from ka_env.blackpoker.text.tokens import action_id, token
from ka_env.envs.openspiel import SEED_BYTES, Position
from ka_env.games import game_of
from tests.blackpoker.lists import LITE_AND_STD as RULESETS

NAME = "python_ka_blackpoker"
SHUFFLING = {"ruleset": "8.0-lite", "frame": "full54"}  # Jokers, so that `search` comes up often
STARTS = [*({"ruleset": name} for name in RULESETS), SHUFFLING, {"ruleset": "6.1-std", "frame": "half27"}]
LOCKSTEP_SEED = 1
WIN_IN_ONE = """ka 1
rules 8.0-lite
turn 0
chance 0
life0 5s
hand0 Ks 2c Jh 3d Qd 6c
grave0 2s
field0 0:b7d 1:sTc/d
life1 Qd Td 3s
hand1 -
grave1 As
field1 0:b2s 1:s5c 2:s6c
"""

MOON_STARTS = [{"ruleset": "base"}, {"ruleset": "base+opt", "frame": "khind-buka"}]
each_start = pytest.mark.parametrize("start", STARTS, ids=lambda start: "-".join(start.values()))


def load(**params):
    return pyspiel.load_game(NAME, params)


def load_any(start):
    """The game of the ruleset."""
    return pyspiel.load_game(f"python_ka_{game_of(start['ruleset']).name}", start)


def draw_seed(state, seed):
    for byte in seed.to_bytes(SEED_BYTES):
        assert state.is_chance_node()
        state.apply_action(byte)


def dealt(game, seed=7):
    state = game.new_initial_state()
    draw_seed(state, seed)
    assert not state.is_chance_node()
    return state


def step_randomly(state, rng):
    state.apply_action(rng.choice(state.legal_actions()))


def walk(game, seed):
    """A random game: every state on its way, chance nodes and the end too. The state goes on when asked for more."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        step_randomly(state, rng)
        yield state


def decisions(game, seed):
    return (state for state in walk(game, seed) if not state.is_chance_node())


def state_of(game, text):
    state = game.new_initial_state()
    state.position = Position(Game.from_text(text))
    return state


def at_a_shuffle():
    """A state whose next chance event is the shuffle after a search, with several cards to shuffle."""
    for seed in range(50):
        for state in walk(load(**SHUFFLING), seed):
            if state.is_chance_node() and state.ka_game is not None:
                player = state.ka_game.player
                if state.ka_game.state.life_count[player] > 5:
                    return state
    raise AssertionError("no search in 50 games")


def tokens_played(state, tokens):
    for word in tokens.split():
        state.apply_action(action_id(word))
    return state


# ---- OpenSpiel's own tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [*STARTS, *MOON_STARTS], ids=lambda start: "-".join(start.values()))
def test_random_simulations(start):
    """Clones, masks, action strings, observations, serialisation and returns, as OpenSpiel checks them."""
    pyspiel.random_sim_test(load_any(start), num_sims=1, serialize=True, verbose=False)


def test_simulation_from_a_fixed_deal():
    pyspiel.random_sim_test(load(seed=3), num_sims=1, serialize=True, verbose=False)


def test_facts():
    game = load()
    assert NAME in pyspiel.registered_names()
    assert game.num_distinct_actions() == 198
    assert game.observation_tensor_shape() == game.information_state_tensor_shape() == [812]
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert game.max_game_length() == 1_000_000
    assert game.max_history_length() > game.max_game_length()
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_parameters():
    assert dealt(load(ruleset="6.1-lite")).ka_game == Game.new("6.1-lite", "full54", seed=7)
    assert dealt(load()).ka_game == Game.new("8.0-lite", "entry20", seed=7)
    assert load(seed=3, frame="half27").new_initial_state().ka_game == Game.new("8.0-lite", "half27", seed=3)
    assert load(seed=0).new_initial_state().ka_game == Game.new("8.0-lite", "entry20", seed=0)
    with pytest.raises(RulesetError, match=r"unknown ruleset '8\.0-lit'"):
        load(ruleset="8.0-lit")
    with pytest.raises(RulesetError, match="unknown frame"):
        load(frame="entry21")


def test_python_shuts_down_cleanly():
    """pyspiel holds on to the registered game longer than Python lives."""
    done = subprocess.run([sys.executable, "-c", "import ka_env.envs.openspiel"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- the same game --------------------------------------------------------------------------------------------------


@each_start
def test_same_moves_same_game(start):
    """Step by step beside a `Game`, which is told the shuffles; mask, tokens, tensors and result agree."""
    rng = random.Random(LOCKSTEP_SEED)
    state = dealt(load(**start), LOCKSTEP_SEED)
    game = state.ka_game
    shuffles = 0
    while not game.over:
        assert str(state) == game.to_text()
        assert state.current_player() == game.player
        assert state.legal_actions() == game.legal_ids()
        assert [state.action_to_string(a) for a in state.legal_actions()] == game.legal()
        assert state.returns() == [0, 0]
        for player in range(2):
            np.testing.assert_array_equal(state.observation_tensor(player), game.observation(player))
            np.testing.assert_array_equal(state.information_state_tensor(player), game.observation(player))
        action = rng.choice(game.legal_ids())
        state.apply_action(action)
        if state.is_chance_node():
            shuffles += 1
            draw_seed(state, rng.randrange(2**32))
            game.step_with_shuffle(action, state.ka_game.last_shuffle[1])
        else:
            game.step(action)
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.returns() == [2 * score - 1 for score in game.result]
    assert shuffles or start != SHUFFLING


def test_strings_say_what_is_left_to_chance():
    assert all(" shuffle " in at_a_shuffle().observation_string(player) for player in range(2))
    for state in walk(load_any({"ruleset": "8.0-mast+strategy"}), 0):
        if state.is_chance_node() and state.ka_game is not None:
            assert " deal " in state.observation_string(0)
            return
    raise AssertionError("nothing was dealt after the set-up")


def test_a_shuffle_is_a_chance_event():
    state = at_a_shuffle()
    before = state.ka_game
    lives = {}
    for seed in [1, 2, 2**31, 2**32 - 1]:
        after = state.clone()
        draw_seed(after, seed)
        assert not after.is_chance_node()
        player, life = after.ka_game.last_shuffle
        assert player == before.player
        lives[seed] = life
    assert len(set(lives.values())) == len(lives)
    assert len({frozenset(life) for life in lives.values()}) == 1
    assert len(life) == before.state.life_count[player] - 1
    again = state.clone()
    draw_seed(again, 2)
    assert again.ka_game.last_shuffle[1] == lives[2]


def test_the_history_leads_back_to_the_state():
    searched = at_a_shuffle()
    draw_seed(searched, 99)
    *_, ended = walk(load(ruleset="6.1-std"), 5)
    for state in (searched, ended):
        again = state.get_game().new_initial_state()
        for action in state.history():
            again.apply_action(action)
        assert str(again) == str(state)
        for player in range(2):
            assert again.information_state_string(player) == state.information_state_string(player)


def test_chance_outcomes():
    for state in (load().new_initial_state(), at_a_shuffle()):
        outcomes = state.chance_outcomes()
        assert sum(p for _, p in outcomes) == pytest.approx(1)
        outcomes.reverse()
        assert [outcome for outcome, _ in state.chance_outcomes()] == list(range(256))
        assert state.current_player() == pyspiel.PlayerId.CHANCE


# ---- copies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "twin_of",
    [
        lambda state: state.clone(),
        copy.deepcopy,
        lambda state: pickle.loads(pickle.dumps(state)),
        lambda state: pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1],
    ],
    ids=["clone", "deepcopy", "pickle", "serialize"],
)
@pytest.mark.parametrize("make", [lambda: dealt(load()), at_a_shuffle], ids=["decision", "shuffle"])
def test_copies_are_equal_and_independent(make, twin_of):
    def all_of(state):
        strings = [state.information_state_string(player) for player in range(2)]
        return str(state), strings, state.history(), state.legal_actions()

    start = make()
    before = all_of(start)
    twin, rng = twin_of(start), random.Random(1)
    assert all_of(twin) == before
    for _ in range(10):
        step_randomly(twin, rng)
    assert all_of(start) == before
    assert str(twin) != str(start)
    other, rng = twin_of(start), random.Random(1)
    for _ in range(10):
        step_randomly(other, rng)
    assert all_of(other) == all_of(twin)


def test_the_readable_game_is_a_copy():
    state = dealt(load())
    before = str(state)
    state.ka_game.step(state.legal_actions()[0])
    assert str(state) == before


# ---- what players know ----------------------------------------------------------------------------------------------


@each_start
def test_a_player_cannot_tell_a_resampled_state(start):
    rng = random.Random(2)
    changed = 0
    for state in decisions(load(**start), 2):
        for player in range(2):
            sample = state.resample_from_infostate(player, rng.random)
            assert sample.information_state_string(player) == state.information_state_string(player)
            assert sample.observation_string(player) == state.observation_string(player)
            assert sample.observation_tensor(player) == state.observation_tensor(player)
            assert sample.current_player() == state.current_player()
            if state.current_player() == player:
                assert sample.legal_actions() == state.legal_actions()
            assert sample.history() == []
            changed += str(sample) != str(state)
    assert changed > 10


def test_a_resampled_state_does_not_remember_for_the_opponent():
    """What player 1 has really seen would tell player 0's search something."""
    state = dealt(load())
    rng = random.Random(4)
    while b"" in state.position.past:
        step_randomly(state, rng)
    twin = tokens_played(dealt(load()), "pass pass")
    pasts = [s.resample_from_infostate(0, rng.random).position.past for s in (state, twin)]
    assert pasts[0][0] == state.position.past[0] != pasts[1][0] == twin.position.past[0]
    assert pasts[0][1] == pasts[1][1]
    assert state.position.past[1] != twin.position.past[1]


def test_resampling_is_the_callers_randomness():
    state = dealt(load())
    samples = [str(state.resample_from_infostate(0, lambda z=z: z)) for z in (0.25, 0.25, 0.75)]
    assert samples[0] == samples[1] != samples[2]


def test_no_resampling_in_the_middle_of_a_shuffle():
    with pytest.raises(ValueError, match="shuffle"):
        at_a_shuffle().resample_from_infostate(0, random.random)


def test_information_states_have_perfect_recall():
    """Passing and passing again changes nothing but what the players remember."""
    ways = [tokens_played(dealt(load()), line) for line in ("end", "pass pass end", "end")]
    assert len({str(state) for state in ways}) == 1
    for player in range(2):
        short, long, again = (state.information_state_string(player) for state in ways)
        assert short == again != long
        assert len({state.observation_string(player) for state in ways}) == 1


def test_decisions_of_the_opponent_are_not_counted():
    """Only the own decisions enter a player's past."""

    def past(state, player):
        return state.information_state_string(player).split("past:")[1]

    rng = random.Random(6)
    state = dealt(load())
    while not state.is_terminal():
        player = state.current_player()
        before = past(state, 0), past(state, 1)
        step_randomly(state, rng)
        assert past(state, player) != before[player]
        assert past(state, 1 - player) == before[1 - player]


def test_observers():
    state = dealt(load())
    game = state.get_game()
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    np.testing.assert_array_equal(observer.dict["observation"], state.ka_game.observation(1))
    assert observer.tensor.any()
    observer.set_from(game.new_initial_state(), 1)
    assert not observer.tensor.any()
    assert observer.string_from(state, 1) == state.information_state_string(1)
    only_public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert make_observation(game, only_public) is None
    with pytest.raises(ValueError, match="not supported"):
        make_observation(game, None, {"planes": True})


# ---- algorithms -----------------------------------------------------------------------------------------------------


def mcts_bot(game, simulations, seed):
    rng = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)


def ismcts_bot(game, simulations, seed, **options):
    rng = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=rng, **options)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    return bot


def ismcts_bot_on_observations(game, simulations, seed):
    return ismcts_bot(game, simulations, seed, use_observation_string=True, max_world_samples=3)


BOTS = [mcts_bot, ismcts_bot, ismcts_bot_on_observations]


def play_against_random(game, bot, seat, seed):
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            step_randomly(state, rng)
    return state


@pytest.mark.parametrize("make", BOTS)
def test_search_bots_play_whole_games(make):
    game = load()
    ends = [play_against_random(game, make(game, 3, seed=1), seat=0, seed=8) for _ in range(2)]
    assert sorted(ends[0].returns()) == [-1, 1]
    assert ends[0].history() == ends[1].history()


@pytest.mark.parametrize("make", BOTS)
def test_search_bots_find_the_win(make):
    """The next turn of player 1 is the last; `throw` with the king of spades wins now."""
    game = load()
    assert token(make(game, 120, seed=2).step(state_of(game, WIN_IN_ONE))) == "throw"


def test_ismcts_resamples_by_itself():
    game = load(ruleset="6.1-lite", frame="half27")
    rng = np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 1.4, 5, random_state=rng)
    state = dealt(game)
    policy = dict(bot.get_policy(state))
    assert set(policy) == set(state.legal_actions())
    assert sum(policy.values()) == pytest.approx(1)


def check_policy(policy, state):
    probabilities = policy.action_probabilities(state)
    assert set(probabilities) == set(state.legal_actions())
    assert sum(probabilities.values()) == pytest.approx(1)
    return probabilities


def test_outcome_sampling_mccfr():
    """On one fixed deal the first information state is met in every episode, so its policy is learnt."""
    np.random.seed(1)
    game = load(seed=7)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(5):
        solver.iteration()
    root = game.new_initial_state()
    probabilities = check_policy(solver.average_policy(), root)
    assert len(set(probabilities.values())) > 1


def test_outcome_sampling_mccfr_in_cpp():
    game = load(seed=7)
    solver = pyspiel.OutcomeSamplingMCCFRSolver(game, 0.6, 1)
    for _ in range(5):
        solver.run_iteration()
    probabilities = check_policy(solver.average_policy(), game.new_initial_state())
    assert len(set(probabilities.values())) > 1


def test_rl_environment():
    env = rl_environment.Environment(NAME, ruleset="6.1-lite", frame="half27", enable_legality_check=True)
    env.seed(5)
    actions = env.action_spec()["num_actions"]
    np.random.seed(5)
    agents = [tabular_qlearner.QLearner(0, actions, step_size=1.0), RandomAgent(1, actions)]
    for _ in range(3):
        step = env.reset()
        while not step.last():
            assert len(step.observations["info_state"][0]) == OBSERVATION_SIZE
            step = env.step([agents[step.current_player()].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == 0
    values = {value for actions in agents[0]._q_values.values() for value in actions.values()}
    assert {-1.0, 1.0} & values
