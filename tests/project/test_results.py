"""Recorded results: pages hold what the files say, and the files hold what the arena's own functions say."""

import json
import re
import shutil

import pytest

from ka_env.errors import KaError
from ka_env.training import plots_docs, results_docs
from ka_env.training.results_docs import PAGES, RESULTS, ROOT, rate_of, with_results

FILES = sorted(RESULTS.glob("*.json"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages_hold_the_tables_of_the_files(page):
    text = page.read_text(encoding="utf-8")
    assert "<!-- results " in text
    assert text == with_results(text), "run python -m ka_env.training.results_docs"


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_files_say_who_made_them_and_their_intervals_are_the_arenas(file):
    result = json.loads(file.read_text(encoding="utf-8"))
    assert result["command"].startswith("ka arena ") and result["commit"] and result["date"]
    for standing in result["standings"]:
        for pairing in standing["pairings"]:
            rate = rate_of(pairing)
            assert pairing["win_rate"] == pytest.approx(rate[:3], abs=5e-5)
            pairs = re.search(r"--pairs (\d+)", result["command"])
            times = 1 if "/" in standing["rules"] else len(result["standings"]) - 1  # all rules together
            assert pairs is None or rate.pairs == times * int(pairs[1])


def test_every_file_is_on_a_page():
    used = {
        name for page in PAGES for found in results_docs.MARK.finditer(page.read_text()) for name in found[3].split()
    }
    assert used == {file.stem for file in FILES}


def test_a_changed_number_is_noticed():
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    assert with_results(text.replace("(98.6 to 99.7)", "(99.0 to 99.7)", 1)) == text
    with pytest.raises(KaError, match="did you mean 'ladder'"):
        with_results("<!-- results ladder lader -->\n<!-- /results -->")


def test_no_win_rate_has_a_plus_minus():
    """Intervals of win rates are not symmetric: `81.2 % ± 17.9` would reach beyond 99 %."""
    pages = [*ROOT.glob("README*.md"), *(ROOT / "docs").rglob("*.md")]
    assert [page.name for page in pages if re.search(r"\d %\s*±", page.read_text(encoding="utf-8"))] == []


def test_plots_show_what_was_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(plots_docs, "CURVES", tmp_path / "training")
    run = tmp_path / "quick"
    run.mkdir()
    (run / "config.json").write_text('{"command": "ka train"}')
    rows = [{"time": 60.0, "steps": 5}, {"time": 90.0, "steps": 9, "winrates": {"greedy": [0.5, 0.4, 0.6]}}]
    (run / "history.jsonl").write_text("\n".join(map(json.dumps, rows)))
    kept = json.loads(plots_docs.keep_run(run).read_text())
    assert plots_docs.over_time(kept, "greedy") == [(1.5, 0.5, 0.4, 0.6)]
    shutil.copytree(run, run / "before")
    kept = json.loads(plots_docs.keep_run(run).read_text())
    assert [(point["minutes"], point["steps"]) for point in kept["points"]] == [(1.5, 9), (3.0, 18)]
    shutil.copytree(run / "before", run / "before" / "before")
    kept = json.loads(plots_docs.keep_run(run).read_text())
    assert [point["steps"] for point in kept["points"]] == [9, 18, 27]
    shutil.copytree(run / "before" / "before", run / "before" / "exploiter")  # takes its time, and is not drawn
    kept = json.loads(plots_docs.keep_run(run).read_text())
    assert [(point["minutes"], point["steps"]) for point in kept["points"]] == [(1.5, 9), (4.5, 27), (6.0, 36)]
    with pytest.raises(KaError, match="expected the directory of a training run"):
        plots_docs.keep_run(tmp_path / "nosuch")
    counts = {"ismcts:iterations=300": [0, 0, 2, 0, 8], "ismcts:iterations=30,net=none": [8, 0, 2, 0, 0]}
    pairings = [{"agent": "policy:x", "opponent": spec, "pairs": pairs} for spec, pairs in counts.items()]
    pairings[1] = {"agent": pairings[1]["opponent"], "opponent": "policy:x", "pairs": pairings[1]["pairs"][::-1]}
    result = {"standings": [{"agents": ["policy:x", *counts], "pairings": pairings}]}
    ((where, rate, low, high),) = plots_docs.over_budget(result, with_net=True)
    assert (where, rate) == (300, pytest.approx(0.1)) and 0 < low < rate < high < 0.5
    assert [point[:2] for point in plots_docs.over_budget(result, with_net=False)] == [(30, pytest.approx(0.9))]
    plots_docs.draw(tmp_path / "p.png", {"one": [(where, rate, low, high)]}, "title", "iterations", logarithmic=True)
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
