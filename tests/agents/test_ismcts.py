"""The search: finds what a few moves decide, is deterministic, and keeps trees only where that is sound."""

import itertools

import numpy as np
import pytest

from ka_env import BatchEngine, Game, PlayerView
from ka_env.agents import make_agent
from ka_env.agents.ismcts_agent import CHUNK, Advice, IsmctsAgent, root_options
from ka_env.agents.match import record_game
from ka_env.agents.nets import PolicyNet, checked, make_card
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.players import search
from ka_env.blackpoker.text.tokens import TOKENS, action_id
from ka_env.engine.ismcts import COVERED, MAX_DEPTH, NODE, How, Search
from ka_env.engine.net import NO_NET, mind
from ka_env.engine.view import PlayerViews
from ka_env.errors import KaError

LETHAL = """ka 1
rules 8.0-lite
turn 0
chance 0
life0 2h 3h 4h
hand0 5s 2c 9d
grave0 -
field0 -
life1 5s 6s 7s 8s
hand1 -
grave1 -
field1 0:s2d
"""


def choose(agent, text, seed=0):
    game = Game.from_text(text)
    agent.begin(np.array([0]), np.array([game.player]), np.array([seed], np.uint64))
    views = PlayerViews(game._games.copy(), np.array([game.player], np.int8), np.array([1], np.uint64), game.about)
    return TOKENS[int(agent.act(np.array([0]), None, game.action_mask()[None], views)[0])]


def play_match(agents, games, seed=0, ruleset="8.0-lite", frame="entry20"):
    """Both agents by seat; the score of the first."""
    engine = BatchEngine(ruleset, frame, num_games=games, seed=seed)
    rng = np.random.default_rng(seed)
    everyone = np.arange(games)
    for seat, agent in enumerate(agents):
        agent.begin(everyone, np.full(games, seat), rng.integers(2**63, size=games))
    actions = np.full(games, -1)
    while not engine.done.all():
        actions[:] = -1
        for seat, agent in enumerate(agents):
            mine = np.flatnonzero((engine.to_play == seat) & ~engine.done)
            if mine.size:
                views = engine.views(mine, rng.integers(2**63, size=mine.size).astype(np.uint64))
                actions[mine] = agent.act(mine, None, engine.action_mask[mine], views)
        engine.step(actions)
    return (engine.rewards[:, 0].mean() + 1) / 2


@pytest.mark.parametrize("net", ["none", "auto"])
def test_finds_a_lethal_throw(net):
    assert choose(make_agent(f"ismcts:iterations=400,net={net}"), LETHAL) == "throw"


def test_beats_random_from_both_seats():
    ismcts, other = make_agent("ismcts:iterations=100,net=none"), make_agent("random")
    assert play_match([ismcts, other], 24) >= 0.85
    assert play_match([other, ismcts], 24) <= 0.15


def test_the_same_seed_gives_the_same_search():
    visits = []
    for _ in range(2):
        agent = IsmctsAgent(iterations=300)
        choose(agent, Game.new("6.1-std", "full54", seed=4).to_text(), seed=9)
        visits.append(agent.visits[0])
    assert (visits[0] == visits[1]).all()
    assert 100 < visits[0].sum() <= 300


def test_only_legal_actions_are_visited():
    for seed in range(5):
        game = Game.new("8.0-std", "full54", seed=seed)
        agent = IsmctsAgent(iterations=200)
        choose(agent, game.to_text())
        assert not agent.visits[0][~game.action_mask()].any()


def test_children_are_told_apart_and_every_option_of_the_root_has_one():
    agent = IsmctsAgent(iterations=200, net=None)
    game = Game.new("6.1-std", "full54", seed=4)
    choose(agent, game.to_text())
    _, _, tree = agent._last[0]
    _, options = root_options(tree)
    assert sorted(options) == list(np.flatnonzero(game.action_mask()))
    for node in range(len(tree)):
        keys = []
        child = tree[node]["child"]
        while child:
            keys.append(tree[child]["key"])
            child = tree[child]["sibling"]
        assert len(set(keys)) == len(keys)


def test_threads_search_alike(one_setup):
    games = 6
    engine = BatchEngine(*one_setup[:2], num_games=games, seed=1)
    found = []
    for threads in (1, 2):
        agent = IsmctsAgent(iterations=150, threads=threads)
        agent.begin(np.arange(games), engine.to_play, np.arange(games))
        agent.act(
            np.arange(games),
            None,
            engine.action_mask,
            engine.views(np.arange(games), np.arange(games, dtype=np.uint64)),
        )
        found.append(np.array([agent.visits[i] for i in range(games)]))
    assert (found[0] == found[1]).all()
    assert not found[0][~engine.action_mask].any()
    assert (found[0].sum(axis=1) > 1).all()


REQUEST = """ka 1
rules 8.0-lite
turn 0
chance 0
life0 2s 3s 4s
hand0 4h 6h 9d Kh
grave0 -
field0 0:s5c 1:bKd
life1 5s 6s 7s
hand1 -
grave1 -
field1 -
"""


@pytest.mark.parametrize(("verb", "kept"), [("up", True), ("soldier", False)])
def test_the_tree_is_kept_only_when_nothing_hidden_came_up(verb, kept):
    """`up` asks for a discard next; `soldier` turns a life card up (its L) before it asks for the key."""
    before = Game.from_text(REQUEST)
    after = before.copy()
    after.play(verb)
    assert after.player == before.player
    root = PlayerView(after, after.player, 1)._sample
    assert IsmctsAgent()._foreseen(before._games, action_id(verb), root._games, root.about) == kept


def test_a_kept_tree_may_hold_what_is_not_legal_here(monkeypatch):
    """Two re-draws are a sample: options that only a third one allows must not be chosen."""
    game = Game.from_text(LETHAL)
    foreign = action_id("counter")
    assert not game.action_mask()[foreign]

    def regraft(agent, search, number, root, tree, views):
        tree[0]["child"], tree[0]["visits"] = 1, 100_000
        tree[1]["key"] = foreign + (int(root[0].kind) << 8) + (int(root[0].player) << 16)
        tree[1]["visits"] = tree[1]["open"] = 100_000
        return 2

    monkeypatch.setattr(IsmctsAgent, "_regraft", regraft)
    assert choose(IsmctsAgent(iterations=50), LETHAL) in game.legal()


def test_another_position_is_not_the_one_foreseen():
    before = Game.from_text(REQUEST)
    other = before.copy()
    other.play("up 4h")
    assert not IsmctsAgent()._foreseen(before._games, action_id("up"), other._games, other.about)


def searched(roots, iterations, later=0):
    """Trees, their sizes and the visits of each action after a search without a network."""
    n = len(roots)
    trees, used = np.zeros((n, 8 * iterations), NODE), np.ones(n, np.int64)
    paths, rng = np.zeros((n, MAX_DEPTH), np.int64), np.arange(1, n + 1, dtype=np.uint64)
    state = (roots, roots["player"].astype(np.int8), trees, used, rng, paths, roots.copy(), mind(NO_NET, n))
    search.search_games(Search(*state), 0, n, How(iterations, later, 1.0, 2, NO_NET))
    visits = np.zeros((n, 198), np.int64)
    search.root_visits(roots, trees, visits)
    return trees, used, visits


def test_stopping_when_the_choice_is_clear_changes_no_choice():
    engine = BatchEngine("6.1-std", "full54", num_games=24, seed=8)
    rng = np.arange(24, dtype=np.uint64)
    for _ in range(40):
        engine.step(engine.random_actions(rng))
    roots = engine.games[~engine.done]
    *_, soon = searched(roots, 300)
    *_, late = searched(roots, 300, later=1 << 40)
    assert (late.sum(axis=1) == 300).all()
    assert (soon.argmax(axis=1) == late.argmax(axis=1)).all()
    assert soon.sum() < 0.9 * late.sum()


def test_what_the_enemy_lays_face_down_is_one_node_for_all_cards():
    roots = BatchEngine("8.0-lite", "entry20", num_games=4, seed=5).games
    trees, used, _ = searched(roots, 800)
    owners = set()
    for root, tree, count in zip(roots, trees, used):
        keys = tree["key"][1:count]
        lays = keys[(keys >> 8 & 255) == KINDS.index("bulwark_card")]
        own = lays >> 16 == root["player"]
        assert set((lays[~own] & 255).tolist()) <= {COVERED}
        assert COVERED not in lays[own] & 255
        owners |= set(own.tolist())
    assert owners == {True, False}


def test_spent_counts_iterations():
    agent = IsmctsAgent(iterations=100)
    choose(agent, LETHAL)
    assert 0 < agent.spent <= 100


def test_graft_keeps_the_subtree():
    trees, used, visits = searched(Game.new("8.0-lite", "entry20", seed=2)._games, 500)
    action = int(visits[0].argmax())
    out = np.zeros(4002, NODE)
    size = search.graft(trees[0], action, out)
    assert 1 < size < used[0]
    child = out[0]["child"]
    below = 0
    while child:
        below += out[child]["visits"]
        child = out[child]["sibling"]
    assert 0 < below <= visits[0, action]


def saved_net(path, values=None, kind="mlp", ruleset="8.0-lite"):
    """A policy file with random weights, or with a constant value and no opinion about actions."""
    rng = np.random.default_rng(3)
    card = make_card(ruleset, {"kind": kind, "hidden": [24, 17, 9], **({"width": 5} if kind == "entity" else {})})
    shapes = PolicyNet.kinds[kind]({}, card).shapes()
    arrays = {name: (rng.standard_normal(shape) * 0.3).astype(np.float32) for name, shape in shapes.items()}
    if values is not None:
        arrays = {name: np.zeros_like(array) for name, array in arrays.items()}
        arrays["value.bias"][0] = values
    return str(checked(arrays, card, "test").save(path))


@pytest.mark.parametrize(("kind", "ruleset"), [("mlp", "8.0-lite"), ("entity", "8.0-lite"), ("entity", "8.0-pro")])
def test_one_iteration_with_a_net_plays_what_the_net_likes_best(tmp_path, kind, ruleset):
    """Also with one that may see more than this ruleset shows."""
    net = saved_net(tmp_path / "net.npz", kind=kind, ruleset=ruleset)
    searcher, player = make_agent(f"ismcts:iterations=1,net={net}"), make_agent(f"policy:{net}")
    games = np.arange(200)
    engine = BatchEngine("6.1-std", "full54", num_games=len(games), seed=2)
    rng = np.arange(1, 1 + len(games), dtype=np.uint64)
    for agent in (searcher, player):
        agent.begin(games, engine.to_play, games)
    for _ in range(25):
        engine.step(engine.random_actions(rng))
        engine.reset_done()
    mask = engine.action_mask
    found = searcher.act(games, None, mask, engine.views(games, rng))
    assert (found == player.act(games, engine.observe(), mask)).mean() > 0.99  # sums in another order


def test_leaves_are_judged_by_the_net(tmp_path):
    agent = make_agent(f"ismcts:iterations=50,net={saved_net(tmp_path / 'net.npz', values=0.5)}")
    game = Game.new("6.1-std", "full54", seed=1)
    choose(agent, game.to_text())
    tree = agent._last[0][2]
    assert tree[0].visits == 50
    leaves = tree[tree["visits"] == 1]
    assert len(leaves) > 5
    # 0.75 for whoever decides at the leaf, so 0.25 for the other one
    assert set(leaves["score"].round(3).tolist()) <= {0.25, 0.75}


def test_adding_up_what_changed_gives_the_same_search(tmp_path):
    """An MLP that seems to have things is computed anew for every position."""
    net = PolicyNet.load(saved_net(tmp_path / "net.npz")).net
    engine = BatchEngine("6.1-std", "full54", num_games=6, seed=3)
    rng = np.arange(1, 7, dtype=np.uint64)
    for _ in range(20):
        engine.step(engine.random_actions(rng))
        engine.reset_done()
    found = []
    for one in (net, net._replace(keys=np.zeros((0, 1), np.float32))):
        agent, trees = IsmctsAgent(), np.zeros((6, 2000), NODE)
        advice = Advice("net", one, 1.0)
        state = agent.prepare(
            advice, engine.about, engine.games, engine.to_play, trees, np.ones(6, np.int64), rng.copy()
        )
        agent.search_on(advice, search, state, 0, 6, 100)
        found.append((trees, state.mind))
    (quick, by_change), (slow, anew) = found
    assert by_change.based.all(axis=1).any() and not anew.based.any()
    assert (quick["key"] == slow["key"]).all() and (quick["visits"] == slow["visits"]).all()
    np.testing.assert_allclose(quick["score"], slow["score"], atol=1e-3)
    np.testing.assert_allclose(quick["prior"], slow["prior"], atol=1e-4)


def test_a_card_says_how_mildly_the_network_leads_a_search(tmp_path):
    paths = [str(tmp_path / f"{name}.npz") for name in ("plain", "mild")]
    saved_net(paths[0])
    plain = PolicyNet.load(paths[0])
    assert plain.lead_temperature == 1.0
    checked(plain.arrays, {**plain.card, "lead_temperature": 4}, "test").save(paths[1])
    first = Game.new("8.0-lite", "entry20", seed=1).to_text()

    def visits(**options):
        agent = IsmctsAgent(iterations=200, **options)
        choose(agent, first)
        return agent.visits[0]

    told = visits(net=paths[0], temperature=4)
    assert (visits(net=paths[1]) == told).all() and (visits(net=paths[0]) != told).any()
    assert (visits(net=paths[1], temperature=1) == visits(net=paths[0])).all(), "an option counts more than the card"


@pytest.mark.parametrize("kind", ["mlp", "entity"])
def test_temperature_and_doubt_make_the_priors_milder(tmp_path, kind):
    net = PolicyNet.load(saved_net(tmp_path / "net.npz", kind=kind))
    game = Game.new("8.0-lite", "entry20", seed=1)
    legal = np.flatnonzero(game.action_mask())
    logits = net.forward(game.observation(game.player)[None])[0][0, legal]
    for temperature, doubt in ((1.0, 0.0), (4.0, 0.0), (1.0, 0.25), (1.0, 1.0)):
        agent = IsmctsAgent(iterations=1, net=str(tmp_path / "net.npz"), temperature=temperature, doubt=doubt)
        choose(agent, game.to_text())
        tree = agent._last[0][2]
        nodes, actions = root_options(tree)
        found = dict(zip(actions.tolist(), tree["prior"][nodes].tolist()))
        expected = np.exp(logits / temperature) / np.exp(logits / temperature).sum()
        expected = (1 - doubt) * expected + doubt / legal.size
        np.testing.assert_allclose([found[int(a)] for a in legal], expected, rtol=1e-4)


def test_trust_mixes_the_network_with_playing_on(tmp_path):
    """At a leaf worth 0.75 or 0.25 to the network, half of the result is what playing on says."""
    net = saved_net(tmp_path / "net.npz", values=0.5)
    found = {}
    for trust in (1.0, 0.5, 0.0):
        agent = IsmctsAgent(iterations=1, net=net, trust=trust)
        choose(agent, QUIET)
        found[trust] = float(agent._last[0][2][0]["score"])
    assert found[1.0] in (0.25, 0.75) and found[0.0] not in (0.25, 0.75)
    assert found[0.5] == pytest.approx((found[1.0] + found[0.0]) / 2, abs=1e-6)


QUIET = """ka 1
rules 6.1-std
turn 0
chance 0
life0 2h 3h 4h 5h 6h 7h 8h 9h
hand0 3s
grave0 -
field0 0:s2d
life1 2h 3h 4h 5h 6h 7h 8h 9h
hand1 3s
grave1 -
field1 0:s2d
"""


@pytest.mark.parametrize(
    ("line", "better"),
    [
        ("life0 2h 3h 4h 5h 6h 7h 8h 9h", "life0 2h 3h 4h 5h 6h 7h 8h 9h 2c 3c 4c 5c"),
        ("hand0 3s", "hand0 3s 4s"),
        ("field0 0:s2d", "field0 0:s9d"),
        ("field0 0:s2d", "field0 0:s2d 1:b2c"),
        ("field1 0:s2d", "field1 -"),
    ],
)
def test_leaves_are_judged_by_how_both_stand(line, better):
    def chances(text):
        agent = make_agent("ismcts:iterations=300,net=none")
        choose(agent, text)
        root = agent._last[0][2][0]
        return root.score / root.visits

    assert line in QUIET
    assert 0 < chances(QUIET) < chances(QUIET.replace(line, better)) < 1


@pytest.mark.parametrize("options", ["iterations=0", "iterations=many", "turns=-2"])
def test_bad_options_by_name_are_errors_of_ours(options):
    with pytest.raises(KaError, match=f"agent 'ismcts:{options}'"):
        make_agent(f"ismcts:{options}")


@pytest.mark.parametrize(
    ("rules", "net"),
    [("8.0-lite/entry20", "lite-entry20"), ("6.1-std/full54", "std-full54"), ("8.0-lite/custom", None), ("base", None)],
)
def test_by_itself_it_takes_the_shipped_net_that_fits(rules, net):
    """That of Blue Moon is below the plain search; own decks fit none."""
    ruleset, _, frame = rules.partition("/")
    advice = make_agent("ismcts").advice(ruleset, frame or None)
    assert advice.name == net
    assert advice.exploration == (1.0 if net else 2.5)
    assert make_agent("ismcts:exploration=3").advice(ruleset, frame or None).exploration == 3.0
    plain = make_agent("ismcts:net=none").advice(ruleset, frame or None)
    assert plain.name is None and plain.net is NO_NET and plain.exploration == 2.5


def test_each_game_has_the_net_of_its_rules():
    """One agent in two kinds of games plays what two agents, with these nets by name, would play."""
    both = make_agent("ismcts:iterations=60")
    for number, (ruleset, net) in enumerate([("8.0-lite", "lite-entry20"), ("6.1-std", "std-full54")]):
        engine = BatchEngine(ruleset, num_games=3, seed=5)
        visits = []
        for agent in (both, make_agent(f"ismcts:iterations=60,net={net}"), make_agent("ismcts:iterations=60,net=none")):
            games = np.arange(3) + 3 * number
            agent.begin(games, engine.to_play, np.arange(3))
            agent.act(games, None, engine.action_mask, engine.views(np.arange(3), np.arange(3, dtype=np.uint64)))
            visits.append(np.array([agent.visits[int(g)] for g in games]))
        assert (visits[0] == visits[1]).all() and (visits[0] != visits[2]).any()


def test_records_say_which_net_was_used():
    agent = make_agent("ismcts:iterations=2#one")
    assert agent.called("8.0-lite", "entry20") == "ismcts:iterations=2,net=lite-entry20#one"
    assert agent.called("base") == "ismcts:iterations=2#one"
    assert make_agent("ismcts").called("6.1-std") == "ismcts:net=std-full54"
    for name in ("ismcts:net=none", "ismcts:net=std-full54", "greedy"):
        assert make_agent(name).called("6.1-std") == name
    record = record_game(["greedy", "ismcts:iterations=2"], "8.0-lite", seed=1)
    assert record.headers["players"] == "greedy ismcts:iterations=2,net=lite-entry20"


def test_a_net_that_the_search_cannot_use(tmp_path):
    with pytest.raises(KaError, match=r"no such file"):
        make_agent("ismcts:net=missing.npz")
    with pytest.raises(KaError, match="unknown policy"):
        make_agent("ismcts:net=nobody")
    with pytest.raises(KaError, match="did you mean 'std-full54'"):
        make_agent("ismcts:net=std-full45")
    with pytest.raises(KaError, match=r"net 'bluemoon' was trained on another game or another ruleset than 8.0-lite"):
        choose(make_agent("ismcts:net=bluemoon"), LETHAL)


def test_milliseconds(monkeypatch):
    """By a clock that goes on by ten milliseconds whenever it is read: the search ends when the time is up."""
    spent = []
    for milliseconds in (15, 45, 200):
        clock = itertools.count(0.0, 0.01)
        monkeypatch.setattr("ka_env.agents.ismcts_agent.time.perf_counter", lambda clock=clock: next(clock))
        agent = IsmctsAgent(milliseconds=milliseconds)
        assert choose(agent, LETHAL) in Game.from_text(LETHAL).legal()
        spent.append(agent.spent)
    assert spent == [1 + CHUNK, 1 + 4 * CHUNK, 1 + 19 * CHUNK]


@pytest.mark.parametrize(
    "options",
    [
        {"iterations": 0}, {"milliseconds": -1}, {"exploration": -0.1}, {"turns": -1}, {"net": None, "trust": 0.5},
        {"net": "lite-entry20", "temperature": 0}, {"net": "lite-entry20", "trust": 1.1},
        {"net": "lite-entry20", "doubt": -0.1},
    ],
)  # fmt: skip
def test_bad_options(options):
    with pytest.raises(ValueError, match="ismcts"):
        IsmctsAgent(**options)


# ---- nothing for nothing --------------------------------------------------------------------------------------------

AT_THE_END = """ka 1
rules 8.0-lite
turn 0
chance 1
passed 0
used -
life0 Jh Ah 6c 5s Ac 7d Qd As
hand0 Tc
grave0 9h 3d 4s 2s Ad 8h Td
field0 0:bKc 1:s5c
fog0 3s>- Th>-
life1 {life}
hand1 {hand}
grave1 Kc 4s
field1 0:bAs 1:s5s 2:b3d
fog1 -
stage 0:0.end
known0 Kc@grave
known1 2s@grave 4s@grave 8h@grave 9h@grave Ad@grave 3d@grave
"""
LEFT = "2s 3s Ah 8h 9h Th Jh Ad 7d Td Qd 5c 6c Ac Tc".split()


@pytest.mark.parametrize(
    ("hand", "wasted"),
    [
        ("Ad 7d Td Qd Ac 6c Tc", "twist"),
        ("Ad 7d Td", "twist"),
        ("Ah 8h", "up"),
        ("Ah 8h 9h Th 6c", "up"),
        ("2s 3s 6c", "down"),
        ("Ah 2s Ad 7d 8h 3s 6c", "twist"),
    ],
)
@pytest.mark.parametrize("net", ["none", "auto"])
def test_cards_are_not_thrown_away_at_the_end_of_the_enemys_turn(hand, wasted, net):
    """The enemy ends the turn: whatever is cast now costs two cards and changes nothing worth them."""
    text = AT_THE_END.format(hand=hand, life=" ".join(card for card in LEFT if card not in hand.split()))
    assert {"pass", wasted} <= set(Game.from_text(text).legal())
    agent = make_agent(f"ismcts:iterations=500,net={net}")
    assert [choose(agent, text, seed) for seed in range(8)] == ["pass"] * 8


def test_the_guide_has_a_say_between_two_options():
    """Else a search with few iterations tries both alike, and luck decides in positions that are all but won."""
    text = AT_THE_END.format(hand="Ad 7d", life=" ".join(card for card in LEFT if card not in ("Ad", "7d")))
    agent = IsmctsAgent(iterations=64, net=None)
    choose(agent, text)
    _, _, tree = agent._last[0]
    priors = {TOKENS[int(node["key"]) & 255]: float(node["prior"]) for node in tree[1:] if node["key"] >> 16 == 1}
    assert priors["pass"] > 1.5 * priors["twist"] > 0
