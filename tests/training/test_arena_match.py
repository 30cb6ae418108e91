"""Tournaments of matches: the result of a match counts; stored, verified, resumed, reported, exported."""

import itertools
import json
import random

import numpy as np
import pytest

from ka_env import KaError, cli
from ka_env.agents import Agent
from ka_env.games import Setup
from ka_env.match import MatchRecorder, check_follows, new_match, standing_after
from ka_env.match_batch import MatchBatch
from ka_env.record import Record, load, save
from ka_env.training.arena import ArenaError, Plan, Store, all_standings, export_games, play_tournament, write_report
from ka_env.training.arena.play import Cast, play_unit
from ka_env.training.arena.verify import verify

TWO = ("random", "random#2")
HALVES = Setup("6.1-lite", "half27")


@pytest.fixture(
    scope="module",
    params=[(HALVES, "best3"), (HALVES, "half27x2"), (Setup("base", "random"), "best3")],
    ids=lambda param: f"{param[0].ruleset} {param[1]}",
)
def finished(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("matches") / "store.sqlite"
    setup, match = request.param
    play_tournament(Plan(TWO, (setup,), pairs=3, match=match), path, workers=0, quiet=True)
    return path


def test_a_game_is_a_whole_match(finished):
    with Store.read(finished) as store:
        assert verify(store) == 6
        (found,) = all_standings(store)
        assert found.label == f"{store.plan.rules[0].label} {store.plan.match}"
        assert found.numbers()["match"] == store.plan.match
        for row in store.rows():
            assert row.score in (0, 0.5, 1) and row.reason == "normal"
            assert row.turns > 2 and row.margin in (0, 1, 2)
            used = json.loads(row.usage_first)
            assert ("one" in used or "two" in used) == (store.plan.match == "half27x2")


def test_a_pair_is_one_match_with_the_seats_swapped(finished, tmp_path):
    with Store.read(finished) as store:
        one, two = (load(path) for path in export_games(store, tmp_path, ["0.0.1.2", "0.1.0.2"]))
    assert one[0].headers["players"] == "random random#2" and two[0].headers["players"] == "random#2 random"
    assert one[0].headers["seed"] == two[0].headers["seed"]
    if one[0].headers["match"] == "best3":
        assert one[0].deal == two[0].deal


def test_exported_matches_replay_game_by_game(finished, tmp_path, capsys):
    with Store.read(finished) as store:
        rows = store.rows()
        written = export_games(store, tmp_path / "games")
        name = store.plan.match
    for path, row in zip(written, rows):
        records = load(path)
        assert [record.headers["game"] for record in records] == [str(n + 1) for n in range(len(records))]
        for before, record in itertools.pairwise(records):
            check_follows(before, record)
        for record in records:
            assert record.replay().over
            assert ("deck0" in record.headers) == (name == "half27x2")
        _, _, wins = standing_after(records[-1])
        assert row.margin == abs(wins[0] - wins[1])
        assert row.score == (0.5 if wins[0] == wins[1] else float(wins[0] > wins[1]))
    assert cli.main(["replay", str(written[0])]) == 0
    assert f"Match {name} after game {len(load(written[0]))}: " in capsys.readouterr().out
    assert cli.main(["replay", "--verify", *map(str, written)]) == 0
    assert cli.main(["view", str(written[0]), "--game", "2"]) == 0
    assert cli.main(["view", str(finished), "--game", "0.0.1.1.2", "-o", str(tmp_path / "two.html")]) == 0
    assert cli.main(["view", str(finished), "--game", "0.0.1.1.9"]) == 2
    assert "has no game 9: expected 1 to" in capsys.readouterr().err


def test_a_report_links_to_every_game_of_a_match(finished, tmp_path):
    with Store.read(finished) as store:
        text = write_report(store, tmp_path / "report.html").read_text(encoding="utf-8")
        assert f"6 matches ({store.plan.match}) in 3 pairs" in text and "Verified: all 6" in text
    written = list((tmp_path / "report-games").iterdir())
    assert all(f'href="report-games/{path.name}"' in text for path in written)
    assert sum(path.name.endswith("-2.html") for path in written) == sum(path.suffix == ".jsonl" for path in written)


def test_a_store_that_was_changed_is_found_out(finished, tmp_path):
    path = tmp_path / "copy.sqlite"
    path.write_bytes(finished.read_bytes())
    with Store.read(path) as store:
        store.query("UPDATE games SET score = 1 - score, hash = 'wrong' WHERE first = 0 AND pair = 1")
        with pytest.raises(ArenaError, match=r"0\.0\.1\.1: stored"):
            verify(store)


@pytest.mark.parametrize(("setup", "match"), [(HALVES, "half27x2"), (Setup("base", "random"), "best3")], ids=str)
def test_resumed_matches_are_those_of_one_sitting(tmp_path, setup, match):
    """More pairs go on where the store stops, and a seed gives the same matches."""
    for name, some in (("whole", (4,)), ("parts", (2, 4))):
        for pairs in some:
            plan = Plan(TWO, (setup,), pairs=pairs, match=match, seed=3)
            play_tournament(plan, tmp_path / name, workers=0, quiet=True)
    rows = []
    for name in ("whole", "parts"):
        with Store.read(tmp_path / name) as store:
            rows.append(store.rows())
    assert rows[0] == rows[1] and len(rows[0]) == 8
    with pytest.raises(ArenaError, match=f"match is {match} there, best5 here"):
        play_tournament(Plan(TWO, (setup,), pairs=4, match="best5", seed=3), tmp_path / "whole", workers=0, quiet=True)


@pytest.mark.parametrize("setup", [Setup("base", "deck"), Setup("8.0-std+rare", "full54")])
def test_every_game_has_matches(setup, tmp_path):
    """Blue Moon has none of its own; with a frame the choices before the deal are made in each game (R75)."""
    rules = (Setup.of(setup.ruleset),)
    play_tournament(Plan(("greedy", "random"), rules, pairs=1, match="best3"), tmp_path / "s", workers=0, quiet=True)
    with Store.read(tmp_path / "s") as store:
        assert verify(store) == 2
        (path, _) = export_games(store, tmp_path)
    assert len(load(path)) in (2, 3)


class Second(Agent):
    """Always the second deck, then the first legal action; notes what it is told."""

    def __init__(self):
        self.begun, self.rows = [], []

    def begin(self, games, seats, seeds):
        self.begun += zip(games.tolist(), seeds.tolist())

    def between(self, games, observations, masks, seeds):
        self.rows.append(observations.shape[1])
        return np.array([np.flatnonzero(mask)[-1] for mask in masks])

    def act(self, games, observations, masks, views=None):
        return masks.argmax(axis=1)


def test_agents_choose_decks_and_are_told_of_every_game():
    plan = Plan(("random", "policy"), (HALVES,), pairs=2, match="half27x2", seed=1)
    agent = Second()
    cast = Cast()
    cast.agent = lambda spec, unit: agent
    rows = play_unit(plan.unit(plan.lanes()[0], 0, 2), cast)
    assert len(rows) == 4
    assert all("two" in json.loads(row.usage_first) for row in rows)
    assert len(set(agent.begun)) == len(agent.begun)  # seeds of their own for each game and seat
    games = sum(1 for _ in agent.begun) / 2 - 4  # and once for each match, before its decks are chosen
    assert games >= 2 * 4
    match = new_match("half27x2", HALVES)
    assert set(agent.rows) == {match.observation_size()}


def test_matches_side_by_side_are_the_single_ones():
    batch = MatchBatch("half27x2", HALVES, [5, 6, 5])
    single = new_match("half27x2", HALVES, 5)
    rng = random.Random(2)
    while not single.over:
        assert batch.waits[0] == (single.game is None)
        action = rng.choice(single.legal_ids())
        batch.step(np.array([action, -1, action]))
        single.step(action)
        assert (batch.action_mask[0] == single.action_mask()).all()
        assert (batch.action_mask[0] == batch.action_mask[2]).all()
    assert batch.done.tolist() == [True, False, True]
    assert batch.matches[0].records().tobytes() == single.records().tobytes()
    assert "may choose one two" in str(batch.illegal(1, 0))


def test_a_match_is_written_down_game_by_game(tmp_path):
    recorder = MatchRecorder(new_match("best3", Setup.of("8.0-pro+strategy"), 4), seed=4, players="a b")
    rng = random.Random(3)
    while not recorder.match.over:
        recorder.step(rng.choice(recorder.match.legal_ids()))
    records = recorder.records()
    assert len(records) == len(recorder.match.finished)
    for record, game in zip(records, recorder.match.finished):
        assert record.replay().to_text() == game.to_text()
        assert "firsthand0" in record.headers and record.headers["match"] == "best3"
    save(tmp_path / "match.jsonl", records)
    assert load(tmp_path / "match.jsonl") == records
    records[1].headers["wins"] = "0 0"
    save(tmp_path / "match.jsonl", records)
    assert cli.main(["replay", "--verify", str(tmp_path / "match.jsonl")]) == 1


def test_headers_of_a_match_that_do_not_fit():
    recorder = MatchRecorder(new_match("best3", Setup.of("8.0-lite"), 4))
    recorder.step(recorder.match.legal_ids()[0])
    (record,) = recorder.records()
    assert standing_after(record) == ("best3", 1, [0, 0])
    wrong = Record(record.headers | {"wins": "many"}, record.deal, record.turns)
    with pytest.raises(KaError, match=r"needs the headers game and wins.*'many'"):
        standing_after(wrong)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--match", "best4"], "unknown match 'best4' of 8.0-lite: expected best<n> with an odd n"),
        (["--match", "half27x3"], "did you mean 'half27x2'"),
        (["--match", "half27x2", "--on", "base"], "unknown match 'half27x2' of base"),
        (["--match", "half27x2", "--on", "8.0-std+pack"], "unknown match 'half27x2' of 8.0-std+pack"),
        (["--match", "half27x2", "--on", "6.1-std/full54"], "is played with the frame 'half27', not 'full54'"),
    ],
)
def test_mistakes_in_the_command(words, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["arena", "gauntlet", *TWO, "--workers", "0", *words]) == 2
    assert message in capsys.readouterr().err


def test_the_command(tmp_path, capsys, monkeypatch):
    """The match tells the frame."""
    monkeypatch.chdir(tmp_path)
    words = ["arena", "gauntlet", *TWO, "--match", "half27x2", "--on", "6.1-lite", "--pairs", "2", "--workers", "0"]
    assert cli.main(words) == 0
    out = capsys.readouterr().out
    assert "6.1-lite/half27 half27x2" in out and "4 matches (half27x2)" in out
    assert "all games replayed and verified" in out
