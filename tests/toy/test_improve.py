"""Improved policies, where it is plain what is better: the last hand of Kuhn poker."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")
from ka_env import BatchEngine
from ka_env.agents.nets import MlpNet, make_card
from ka_env.engine import improve
from ka_env.games import Setup, game_of
from ka_env.training.config import ConfigError, load_config
from ka_env.training.improver import Improver
from ka_env.training.run import Run
from tests.toy.test_toy import TRAINING

PASS, BET = range(2)


@pytest.fixture(autouse=True)
def known(kuhn):
    return kuhn


def opinion(bet=0.0, value=0.0):
    """A network that likes betting so much everywhere, and expects so much of every position."""
    net = MlpNet({}, make_card("kuhn", {"kind": "mlp", "hidden": [4]}))
    net.arrays = {name: np.zeros(shape, np.float32) for name, shape in net.shapes().items()}
    net.arrays["policy.bias"][BET], net.arrays["value.bias"][0] = bet, value
    return net


def at(*texts):
    """An engine with these positions."""
    engine = BatchEngine("kuhn", "short", num_games=len(texts))
    records = [game_of("kuhn").Game.from_text(f"kuhn {text}", 0).records() for text in texts]
    engine.restore({"games": np.concatenate(records)})
    return engine


def improved(engine, net, seeds=None, **settings):
    table = {"rules": ["kuhn"], "search_share": 1.0, "threads": 1, **settings}
    games = np.arange(engine.num_games)
    seeds = games.astype(np.uint64) + 5 if seeds is None else seeds
    return Improver(load_config(overrides=table)).improve(engine, games, net, seeds)


SURE = "KJ chips 0 left 0 turn 1 at 0 answer"  # the king is called, or the game is lost
LOST = "JK chips 0 left 0 turn 1 at 0 answer"
EVEN = "QK chips 0 left 0 turn 1 at 0 answer"  # to call wins against a jack, half of the re-draws


@pytest.mark.parametrize("bet", [0.0, -3.0, 2.0])
def test_what_wins_becomes_likelier_than_the_network_says(bet):
    actions, policies = improved(at(*[SURE] * 50), opinion(bet))
    before = 1 / (1 + np.exp(-bet))
    assert (policies[:, BET] > before).all() and np.allclose(policies.sum(axis=1), 1)
    np.testing.assert_allclose(np.log(policies[:, BET] / policies[:, PASS]), bet + 10, rtol=1e-4)  # the sharpness
    assert (actions == BET).all()


def test_what_makes_no_difference_stays_as_likely():
    _, policies = improved(at(LOST), opinion(1.5))
    np.testing.assert_allclose(np.log(policies[:, BET] / policies[:, PASS]), 1.5, rtol=1e-4)


def test_chances_are_what_the_re_draws_say():
    """A jack on half of them: worth half a win more than to fold."""
    _, policies = improved(at(*[EVEN] * 100), opinion(), search_iterations=64)
    gain = np.log(policies[:, BET] / policies[:, PASS]) / 10
    assert 0.45 < gain.mean() < 0.55 and gain.std() < 0.12


def test_options_never_tried_have_what_the_others_have():
    """Only one is tried, which always loses: so does the other, as far as anybody knows."""
    _, policies = improved(at(*[SURE] * 20), opinion(-30.0, value=-1.0), search_actions=1)
    np.testing.assert_allclose(np.log(policies[:, BET] / policies[:, PASS]), -30.0, rtol=1e-3)


def test_actions_are_drawn_by_the_network_where_nothing_is_at_stake():
    """The noise chooses: 400 lost positions, betting three times as likely."""
    actions, _ = improved(at(*[LOST] * 400), opinion(np.log(3.0)))
    assert 0.68 < (actions == BET).mean() < 0.82


def test_nothing_hidden_is_known():
    """The same seeds give the same policies, whatever the other one holds."""
    seeds = np.arange(60, dtype=np.uint64)
    found = [
        improved(at(*[f"{cards} chips 0 left 1 turn 0 at 0 open"] * 60), opinion(), seeds) for cards in ("QJ", "QK")
    ]
    assert np.array_equal(found[0][0], found[1][0]) and np.array_equal(found[0][1], found[1][1])
    assert len(np.unique(found[0][1][:, 0])) > 5


def test_a_race_of_many():
    """Options 0 to 8; the scores say who leaves."""
    scores, racing = np.array([3.0, 1, 4, 1.5, 9, 2, 6, 5, 8]), np.ones(9, np.bool_)
    plain = getattr(improve.drop_worst, "py_func", improve.drop_worst)
    for _ in range(5):
        plain(scores, racing, 9)
    assert np.flatnonzero(racing).tolist() == [4, 6, 7, 8]
    best = getattr(improve.best_of, "py_func", improve.best_of)
    assert best(scores, racing, 9) == 4 and best(-scores, racing, 9) == 7


def test_who_left_the_race_is_judged_by_the_rounds_it_was_in():
    """Option 1 left after a lucky phase, 0.1 behind the winner, whose luck ended: it is 0.1 behind still."""
    complete = getattr(improve.complete, "py_func", improve.complete)
    tree = np.zeros(4, improve.NODE)
    tree["prior"][1:], tree["visits"][1:] = [0.5, 0.25, 0.25], [4, 2, 0]
    means, values = np.array([[0.9, 0.8, 0.0], [0.4, 0.0, 0.0]]), np.zeros(3)
    complete(tree.view(np.recarray), 3, 0, 0.7, np.array([1, 0, -1]), means, values)
    average = (0.7 + 6 * (0.5 * 0.4 + 0.25 * 0.3) / 0.75) / 7
    np.testing.assert_allclose(values, [0.4, 0.3, average])


def test_training_with_a_search_learns(tmp_path):
    settings = {**TRAINING, "steps": 60_000, "search_share": 0.5, "search_iterations": 16, "search_actions": 2}
    run = Run(load_config(overrides=settings), tmp_path / "run", quiet=True)
    run.train()
    assert run.history[-1]["winrates"]["random"][1] > 0.6
    row = run.history[-1]
    assert 0.3 < row["searched"] < 0.9 and 0 <= row["search_kl"] < 1 and 0.5 < row["search_agreement"] <= 1


def test_a_game_without_search(monkeypatch):
    about = game_of("kuhn")
    bare = replace(about, search=None)
    monkeypatch.setattr(Setup, "game", property(lambda self: bare))
    assert Setup.of("kuhn").game.search is None
    with pytest.raises(ConfigError, match="'search_share': Kuhn poker brings no search"):
        load_config(overrides={"rules": ["kuhn"], "search_share": 0.1})
