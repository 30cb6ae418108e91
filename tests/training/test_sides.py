"""What the players bring with them: stored with every game, verified, compared, told on the page, in JSON and CSV."""

import csv
import json
import sqlite3

import numpy as np
import pytest

from ka_env import cli
from ka_env.bluemoon.cards import DECKS
from ka_env.games import Setup
from ka_env.training.arena import ArenaError, Plan, Store, play_tournament, write_report
from ka_env.training.arena.sides import side_tables
from ka_env.training.arena.verify import verify

PEOPLES = Setup("base", "random")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("sides") / "store.sqlite"
    play_tournament(Plan(("random", "random#2"), (PEOPLES,), pairs=400, seed=2), path, workers=0, quiet=True)
    return path


def test_every_game_has_its_sides_and_facts(finished):
    with Store.read(finished) as store:
        rows = store.rows()
        assert verify(store) == len(rows) == 800
    for row in rows:
        assert {row.side_first, row.side_second} <= set(DECKS)
        crystals = json.loads(row.facts)["crystals"]
        assert crystals[0 if row.score == 1 else 1] >= 1 > crystals[1 if row.score == 1 else 0]


def test_the_table_counts_pairs_by_side(finished):
    with Store.read(finished) as store:
        (table,) = side_tables(store)
        rows = store.rows()
    assert table.names == tuple(DECKS)
    assert table.pairs.sum() == 2 * 400
    i, j = np.unravel_index(int(table.pairs.argmax()), table.pairs.shape)
    one, two = DECKS[i], DECKS[j]
    scores = [row.score for row in rows if (row.side_first, row.side_second) == (one, two)]
    scores += [1 - row.score for row in rows if (row.side_first, row.side_second) == (two, one)]
    assert table.rate[i, j] == pytest.approx(np.mean(scores))
    assert table.low[i, j] < table.rate[i, j] < table.high[i, j]
    others = ~np.eye(9, dtype=bool)
    assert np.allclose((table.rate + table.rate.T)[others], 1)
    own = [json.loads(row.facts)["crystals"][0] for row in rows if row.side_first == one]
    own += [json.loads(row.facts)["crystals"][1] for row in rows if row.side_second == one]
    assert table.facts["crystals"][i] == pytest.approx(np.mean(own))
    first = [row.score for row in rows if row.side_first == one]
    assert table.as_first[i] == pytest.approx(np.mean(first))
    begun = [row.score if row.starter == 0 else 1 - row.score for row in rows]
    assert table.starter.rate == pytest.approx(np.mean(begun))
    assert 300 < sum(row.starter for row in rows) < 500  # either seat
    assert table.nash is not None
    assert table.nash.mix.sum() == pytest.approx(1)
    assert (table.nash.mix @ (np.nan_to_num(table.rate, nan=0.5) - 0.5) >= -1e-6).all()  # nobody gains against it


def test_page_json_and_csv(finished, tmp_path, capsys):
    page, figures, rows = tmp_path / "page.html", tmp_path / "figures.json", tmp_path / "sides.csv"
    words = ["arena", "report", str(finished), "--report", str(page), "--json", str(figures), "--sides", str(rows)]
    assert cli.main(words) == 0
    assert "base/random by people" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert "<h3>By people</h3>" in text
    assert text.count('class="heat sides"') == 1
    assert all(text.count(f"<th>{name}</th>") == 1 for name in DECKS)
    assert "crystals per game" in text
    (told,) = json.loads(figures.read_text(encoding="utf-8"))["standings"]
    assert told["people"]["sides"] == DECKS
    assert len(told["people"]["nash"]) == 9
    table = list(csv.DictReader(rows.read_text(encoding="utf-8").splitlines()))
    assert len(table) == 72
    one = next(row for row in table if (row["side"], row["against"]) == ("Khind", "Buka"))
    other = next(row for row in table if (row["side"], row["against"]) == ("Buka", "Khind"))
    assert float(one["win_rate"]) + float(other["win_rate"]) == pytest.approx(1)
    assert float(one["low"]) <= float(one["win_rate"]) <= float(one["high"])


@pytest.mark.parametrize(
    ("column", "value", "complaint"),
    [
        ("side_first", "Hoax", "stored with side_first 'Hoax', replayed with"),
        ("starter", -1, "stored with starter -1, replayed with"),
        ("facts", '{"crystals": [9, 9]}', "stored with facts"),
        ("facts", "[", "damaged: a game with facts"),
        ("side_second", "Hoaxes", "damaged: a game with side_second 'Hoaxes'"),
    ],
)
def test_a_false_side_is_found(finished, tmp_path, column, value, complaint):
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(finished) as source, sqlite3.connect(copy) as target:
        source.backup(target)
        target.execute(f"UPDATE games SET {column} = ? WHERE pair < 3", [value])
    with Store.read(copy) as store, pytest.raises(ArenaError, match=complaint):
        write_report(store, tmp_path / "page.html")


def test_games_without_sides_have_none(tmp_path):
    plan = Plan(("random", "random#2"), (Setup("8.0-lite", "entry20"),), pairs=2, seed=1)
    play_tournament(plan, tmp_path / "store.sqlite", workers=0, quiet=True)
    with Store.read(tmp_path / "store.sqlite") as store:
        assert side_tables(store) == []
        assert {(row.side_first, row.side_second, row.facts) for row in store.rows()} == {(None, None, None)}
        assert "heat sides" not in write_report(store, tmp_path / "page.html").read_text(encoding="utf-8")


def test_two_sides_make_a_small_table(tmp_path):
    plan = Plan(("random", "random#2"), (Setup("base", "khind-buka"),), pairs=4, seed=1)
    play_tournament(plan, tmp_path / "store.sqlite", workers=0, quiet=True)
    with Store.read(tmp_path / "store.sqlite") as store:
        (table,) = side_tables(store)
    assert table.names == ("Khind", "Buka")
    assert table.pairs.tolist() == [[0, 4], [4, 0]]
    assert np.isnan(table.first[1, 0])
