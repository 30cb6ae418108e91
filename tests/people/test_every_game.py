"""Every command that people use, for every game: what one leaves behind the next one reads."""

from typing import NamedTuple

import pytest

from ka_env import cli
from ka_env.bluemoon.people.texts import about_card
from ka_env.record import load
from tests.conftest import ONE_OF_EACH_GAME


class Words(NamedTuple):
    """Of a game, as its pages and stories say them."""

    glossary: str
    japanese: str  # at the end of a story
    card: list[str]  # one that can be asked about


WORDS = {"blackpoker": Words("bulwark", "の勝ち", []), "bluemoon": Words("bluff", "クリスタル", ["K13"])}


@pytest.fixture
def ka(capsys):
    def run(*words):
        code = cli.main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert code == 0, err
        return out

    return run


@pytest.fixture
def deal(one_setup):
    return ["--ruleset", one_setup.ruleset, "--frame", one_setup.frame, "--seed", "3"]


def test_show_and_perft(ka, deal, one_setup, tmp_path):
    assert len(ka("show", *deal, "--moves", 4, "--viewer", 0).splitlines()) > 8
    picture = tmp_path / "board.png"
    ka("show", *deal, "--png", picture, "--scale", 0.3)
    assert picture.read_bytes().startswith(b"\x89PNG")
    options = len(one_setup.game.Game.deal(one_setup, 3).legal())
    counted = ka("perft", *deal, "--depth", 2).split()
    assert str(options) in counted


def test_a_game_is_played_saved_told_and_shown(ka, deal, one_setup, tmp_path):
    saved = tmp_path / f"game{one_setup.game.suffix}"
    told = ka("demo", *deal, "--save", saved)
    record = load(saved)[0]
    assert record.replay().over
    assert len(told.splitlines()) > 20
    assert ka("replay", saved)
    page = tmp_path / "game.html"
    ka("view", saved, "-o", page, "--lang", "ja")
    assert "makeTable" in page.read_text(encoding="utf-8")


def test_two_agents_are_watched(ka, deal, one_setup):
    out = ka("watch", "--plain", "greedy", "random", *deal, "--lang", "ja")
    assert WORDS[one_setup.game.name].japanese in out


def test_rules_and_glossary(ka, one_setup):
    assert one_setup.ruleset in ka("rules", one_setup.ruleset)
    assert WORDS[one_setup.game.name].glossary in ka("glossary", "--game", one_setup.game.name)


def test_a_person_plays_line_by_line(ka, deal, one_setup, tmp_path, monkeypatch):
    """Choices by their keys; a card where cards can be asked about, a board, and a word that is no choice."""
    card = WORDS[one_setup.game.name].card
    answers = iter(["v", *card, "what?", *"p1edfnxaybzcr" * 3000])  # of the letters a choice may have
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    path = tmp_path / f"game{one_setup.game.suffix}"
    out = ka("play", "--plain", *deal, "--seat", "first", "--opponent", "random", "--hint", "random", "--save", path)
    assert "not a choice: what?" in out
    assert all(about_card(code) in out for code in card)
    assert load(path)[0].replay().over


def test_every_game_is_here():
    assert {setup.game.name for setup in ONE_OF_EACH_GAME} == set(WORDS)
