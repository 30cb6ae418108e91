"""A game of another package is analysed, studied and compared as ours are."""

import json

import pytest

from ka_env.cli import main
from ka_env.games import Setup, game_of
from ka_env.record import Recorder, save
from ka_env.training.arena import play_tournament
from ka_env.training.arena.store import Store
from ka_env.training.study.analyse import analyse
from ka_env.training.study.figures import all_figures
from ka_env.training.study.study import make_plan


@pytest.fixture(autouse=True)
def known(kuhn):
    return kuhn


def last_hand(token):
    """With the best card, called upon to answer a bet in the last hand: to pass loses, to bet wins."""
    recorder = Recorder(game_of("kuhn").Game.from_text("kuhn JK chips 0 left 0 turn 0 at 1 answer"))
    recorder.play(token)
    return recorder.record()


def test_a_blunder_with_known_chances():
    game = game_of("kuhn").Game.from_text("kuhn JK chips 0 left 0 turn 0 at 1 answer")
    fold, call = game.legal()
    (decision,) = analyse(last_hand(fold), budget=64).decisions
    assert (decision.before, decision.after, decision.mark) == (1, 0, 20)
    (decision,) = analyse(last_hand(call), budget=64).decisions
    assert (decision.before, decision.after, decision.mark) == (1, 1, 0)


def test_the_commands(tmp_path, capsys):
    save(
        tmp_path / "game.kuhn",
        [last_hand(game_of("kuhn").Game.from_text("kuhn JK chips 0 left 0 turn 0 at 1 answer").legal()[0])],
    )
    assert main(["analyse", str(tmp_path / "game.kuhn"), "--json", "--quiet", "--budget", "64"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][1]["average_loss"] == 1
    options = ["--on", "kuhn/short", "--games", "20", "--budget", "64", "--judge", "4", "--workers", "0", "--quiet"]
    assert main(["study", *options, "--agents", "honest", "random", "--store", str(tmp_path / "s.sqlite")]) == 0
    assert main(["compare", "honest", "random", *options, "--store", str(tmp_path / "c.sqlite")]) == 0
    assert "they disagree on" in capsys.readouterr().out


def test_without_a_room_what_all_share_is_told(tmp_path):
    path = tmp_path / "s.sqlite"
    play_tournament(make_plan([Setup.of("kuhn", "short")], ("honest", "random"), 40, 0), path, workers=0, quiet=True)
    with Store.read(path) as store:
        (one,) = all_figures(store)["rules"]
    assert one["games"] == 40 and one["start"]["n"] == 40
    assert one["cards"] == one["endings"] == one["questions"] == [] and one["camps"] is None
