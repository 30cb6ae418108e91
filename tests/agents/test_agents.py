"""The registry of agents, the random agent, and what agents are given."""

import random
import sys
from collections import Counter

import numpy as np
import pytest

from ka_env import BatchEngine, Game, IllegalMove, KaError, PlayerView
from ka_env.agents import Agent, AgentError, agent_names, ask, make_agent, register, registry
from ka_env.agents.random_agent import RandomAgent
from ka_env.envs.duel import Duels
from tests.blackpoker.knowledge import parse, view
from tests.blackpoker.lists import LITE_AND_STD as RULESETS


class First(Agent):
    """The first legal action."""

    def __init__(self, side="low", depth=1):
        self.side, self.depth = side, depth

    def act_one(self, game, observation, mask, view):
        legal = np.flatnonzero(mask)
        return int(legal[0] if self.side == "low" else legal[-1])


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})
    register("first", First)


# ---- names and options ----------------------------------------------------------------------------------------------


def test_unknown_agents():
    with pytest.raises(AgentError, match=r"unknown agent 'randm': expected one of .*random.*; did you mean 'random'\?"):
        make_agent("randm")
    assert issubclass(AgentError, ValueError)


def test_names_and_options(registered):
    assert {"first", "random"} <= set(agent_names())
    assert agent_names() == sorted(agent_names())
    agent = make_agent("first:side=high,depth=3")
    assert (agent.side, agent.depth, agent.name) == ("high", 3, "first:side=high,depth=3")
    assert make_agent("first:high").side == "high"
    assert make_agent(agent) is agent
    assert isinstance(make_agent(" random "), RandomAgent)


def test_values_of_options():
    name, words, options = registry.parse_spec("x:weights.pt,a=1,b=0.5,c=true,d=none,e=text")
    assert (name, words) == ("x", ["weights.pt"])
    assert options == {"a": 1, "b": 0.5, "c": True, "d": None, "e": "text"}


def test_a_tag_makes_another_name_for_the_same_agent():
    assert registry.parse_spec("ismcts:iterations=5#slow") == ("ismcts", [], {"iterations": 5})
    twin = make_agent("random#2")
    assert isinstance(twin, RandomAgent) and twin.name == "random#2"
    assert not registry.is_third_party("random#2")


def test_wrong_options(registered):
    with pytest.raises(AgentError, match=r"its options are side, depth; did you mean 'depth'\?"):
        make_agent("first:deph=3")
    with pytest.raises(AgentError, match="its options are none"):
        make_agent("random:seed=3")
    with pytest.raises(AgentError, match="too many positional arguments"):
        make_agent("first:low,2,3")


def test_own_agents_replace_and_add(registered):
    register("random", First)
    assert isinstance(make_agent("random"), First)


def test_entry_points(tmp_path, monkeypatch):
    """Another package offers an agent by the entry point `ka_env.agents`."""
    (tmp_path / "their_agents.py").write_text(
        "from ka_env.agents import Agent\n"
        "class Theirs(Agent):\n    def __init__(self, level=1):\n        self.level = level\n"
    )
    info = tmp_path / "their_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-agents\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ka_env.agents]\ntheirs = their_agents:Theirs\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "theirs" in agent_names()
    assert make_agent("theirs:level=4").level == 4
    with pytest.raises(AgentError, match="did you mean 'theirs'"):
        make_agent("theris")
    sys.modules.pop("their_agents")


def test_agents_must_act():
    class Idle(Agent):
        pass

    with pytest.raises(TypeError, match="Idle must define act_one or act"):
        Idle().act(np.array([0]), None, np.ones((1, 198), bool))


# ---- the random agent -----------------------------------------------------------------------------------------------


def moves_of_random(seeds, split):
    """What `random` plays in games that are shared out to its calls in parts of `split`."""
    n = len(seeds)
    engine = BatchEngine("6.1-std", "half27", num_games=n, seed=4)
    agent = make_agent("random")
    for part in np.array_split(np.arange(n), max(1, n // split)):
        agent.begin(part, np.zeros(len(part), int), np.asarray(seeds, np.uint64)[part])
    played = []
    while not engine.done.all():
        actions = np.full(n, -1)
        running = np.flatnonzero(~engine.done)
        for part in np.array_split(running, max(1, len(running) // split)):
            if len(part):
                actions[part] = agent.act(part, None, engine.action_mask[part])
        played.append(actions)
        engine.step(actions)
    return np.array(played)


def test_random_depends_on_its_seed_only():
    seeds = list(range(40, 64))
    together = moves_of_random(seeds, 24)
    assert np.array_equal(together, moves_of_random(seeds, 24))
    assert np.array_equal(together, moves_of_random(seeds, 5))
    assert np.array_equal(together, moves_of_random(seeds, 1))
    other = moves_of_random([seed + 1000 for seed in seeds], 24)
    assert together.shape != other.shape or not np.array_equal(together, other)


def test_random_is_uniform_over_legal_actions():
    n = 20000
    agent = make_agent("random")
    agent.begin(np.arange(n), np.zeros(n, int), np.arange(n))
    mask = np.zeros(198, bool)
    mask[[3, 50, 51, 120, 197]] = True
    counts = Counter(agent.act(np.arange(n), None, np.tile(mask, (n, 1))).tolist())
    assert set(counts) == {3, 50, 51, 120, 197}
    assert all(abs(count - n / 5) < 5 * (n * 0.16) ** 0.5 for count in counts.values())


# ---- what agents are given ------------------------------------------------------------------------------------------


class Witness(First):
    """Compares what it is given with the true game."""

    needs_views = True

    def __init__(self, truth):
        super().__init__()
        self.truth, self.asked, self.begun = truth, 0, []

    def begin(self, games, seats, seeds):
        self.begun += list(zip(games.tolist(), seats.tolist()))

    def act(self, games, observations, masks, views=None):
        engine = self.truth()
        assert len(games) == len(observations) == len(masks) == len(views)
        for i, number in enumerate(games):
            game = engine.game(int(number))
            assert (int(number), game.player) in self.begun
            assert np.array_equal(observations[i], game.observation(game.player))
            assert np.array_equal(masks[i], game.action_mask())
            assert views[i].player == game.player
            assert views[i].legal() == game.legal()
            assert views[i].decision == game.decision
            assert np.array_equal(views[i].action_mask(), masks[i])
            assert np.array_equal(views[i].observation(), observations[i])
            for name, array in views[i].entities().items():
                assert np.array_equal(array, game.entities(game.player)[name])
            sample = views[i].sample(number)
            assert view(sample.to_text(), game.player) == view(game.to_text(), game.player)
            self.asked += 1
        with pytest.raises(IndexError):
            views[len(games)]
        assert len(list(views)) == len(games)
        assert views[-1].legal() == game.legal()
        return super().act(games, observations, masks, views)


def test_agents_see_their_own_side():
    found = []
    agent = Witness(lambda: found[0].engine)
    duels = Duels.__new__(Duels)
    found.append(duels)
    duels.__init__(6, agent, seed=3, ruleset="8.0-std", frame="half27")
    rng = np.random.default_rng(1)
    for _ in range(40):
        legal = duels.action_mask
        duels.step(np.array([rng.choice(np.flatnonzero(row)) for row in legal]))
        duels.deal_finished()
    assert agent.asked > 100


def test_opponents_must_play_legal_moves():
    """Also -1, by which a batch leaves a game alone, is no move."""

    class Wrong(Agent):
        answer = 197

        def act_one(self, game, observation, mask, view):
            return self.answer

    with pytest.raises(IllegalMove, match="action 197"):
        Duels(4, Wrong(), seat=0, seed=0)
    Wrong.answer = -1
    with pytest.raises(IllegalMove, match="action -1"):
        Duels(4, Wrong(), seat=0, seed=0)


# ---- views ----------------------------------------------------------------------------------------------------------


def played(ruleset, frame, seed, steps):
    game = Game.new(ruleset, frame, seed=seed)
    rng = random.Random(seed)
    while steps and not game.over:
        trial = game.copy()
        trial.step(rng.choice(trial.legal_ids()))
        if trial.over:
            break
        game, steps = trial, steps - 1
    return game


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_view_holds_nothing_of_the_hidden_truth(ruleset):
    """Two games that look alike to a player give the same view, byte by byte, under the same seed."""
    searched = 0
    for seed in range(12):
        game = played(ruleset, "full54" if seed % 2 else "deck40", seed, 10 * seed)
        for p in range(2):
            other = game.determinize(p, 1)
            assert other != game
            mine, theirs = PlayerView(game, p, 2), PlayerView(other, p, 2)
            assert mine._sample == theirs._sample
            assert mine.sample(3) == theirs.sample(3)
            assert PlayerView(game, p, 4).sample(3) == mine.sample(3)
            assert mine._sample.last_shuffle is None
            assert mine._sample != game
        searched += game.last_shuffle is not None
    assert searched, "no life was ever shuffled: nothing to hide there"


def test_views_are_redraws_of_all_that_could_be():
    """Each card that may be in the enemy's hand is there with the same frequency, the true ones too; the same for
    the top of both lives."""
    game = Game.new("8.0-lite", "entry20", seed=5)
    p, q = game.player, 1 - game.player
    truth = parse(game.to_text())
    n = 4000
    hands, tops, own_tops = Counter(), Counter(), Counter()
    for seed in range(n):
        found = parse(PlayerView(game, p, seed)._sample.to_text())
        hands.update(found[f"hand{q}"])
        tops[found[f"life{q}"][0]] += 1
        own_tops[found[f"life{p}"][0]] += 1
    hidden = set(hands)
    assert set(truth[f"hand{q}"]) <= hidden
    assert set(tops) == hidden
    assert len(hidden) == len(truth[f"hand{q}"]) + len(truth[f"life{q}"]) + 1  # and the bulwark
    assert set(own_tops) == set(truth[f"life{p}"])
    for counts, draws in ((hands, len(truth[f"hand{q}"])), (tops, 1)):
        share = draws / len(hidden)
        spread = 5 * (n * share * (1 - share)) ** 0.5
        assert all(abs(count - n * share) < spread for count in counts.values())
    share = 1 / len(own_tops)
    assert all(abs(count - n * share) < 5 * (n * share * (1 - share)) ** 0.5 for count in own_tops.values())


def test_the_view_of_who_is_not_deciding():
    game = Game.new("8.0-lite", "entry20", seed=5)
    waiting = PlayerView(game, 1 - game.player, 0)
    assert waiting.legal() == []
    assert not waiting.action_mask().any()
    assert np.array_equal(waiting.observation(), game.observation(1 - game.player))
    assert not hasattr(waiting, "__dict__")


def test_rules_based_players_without_some_actions():
    """What it shall do without it never begins; the rest is as ever. Words that no game has are told at once."""
    never = {"bulwark", "attack"}
    engine = BatchEngine("8.0-lite", num_games=4, seed=1)
    agents = [make_agent("greedy"), make_agent("greedy:without=bulwark+attack")]
    begun = [set(), set()]
    words = engine.about.words
    for _ in range(60):
        which = np.flatnonzero(~engine.done)
        for number, agent in enumerate(agents):
            chosen = ask(agent, engine, which, np.arange(len(which), dtype=np.uint64))
            assert engine.action_mask[which, chosen].all()
            begun[number] |= {words.get(int(action)) for action in chosen}
        actions = np.full(4, -1)
        actions[which] = chosen
        engine.step(actions)
    assert never <= begun[0] and not never & begun[1]
    with pytest.raises(KaError, match="no game has the action 'atack'; did you mean 'attack'"):
        make_agent("greedy:without=atack")
    moon = BatchEngine("base", num_games=1, seed=1)
    with pytest.raises(KaError, match="Blue Moon"):
        ask(agents[1], moon, np.arange(1), np.zeros(1, np.uint64))
