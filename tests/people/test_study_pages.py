"""The pages of analysis, study and comparison, and the live ones of `ka serve`, in a real Chromium."""

import json
import re
import subprocess
import sys

import pytest

from ka_env.agents.match import record_game
from ka_env.games import Setup
from ka_env.training.arena import Plan, play_tournament
from ka_env.training.arena.store import Store
from ka_env.training.study.analyse import analyse
from ka_env.training.study.figures import all_figures
from ka_env.training.study.judge import Judge
from ka_env.training.study.report import write_study
from ka_env.training.study.sample import judge_sample, samples_of
from ka_env.training.study.study import make_plan
from ka_env.viewer import page as html_page
from tests import PATIENCE
from tests.people.serving import Served
from tests.people.test_view import DESKTOP, PHONE, browser  # noqa: F401  (a fixture)
from tests.training.test_study import blunder


@pytest.fixture
def look(browser, tmp_path):  # noqa: F811
    """Open a page of one's own or an address; at the end of the test nothing may have gone wrong in it."""
    troubles, contexts = [], []

    def open_page(where, options=DESKTOP, home="file:"):
        contexts.append(browser.new_context(reduced_motion="reduce", **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith(home) or troubles.append(f"net: {request.url}"))
        page.goto(where)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


# ---- an analysis in the viewer --------------------------------------------------------------------------------------


def written(tmp_path, record, language="en", budget=64):
    found = analyse(record, budget=budget, threads=2).to_json()
    path = tmp_path / "game.html"
    path.write_text(html_page(record, language, found), encoding="utf-8")
    return path.as_uri(), found


def test_a_mark_in_the_list_and_on_the_curve(look, tmp_path):
    address, found = written(tmp_path, blunder(), budget=200)
    page = look(f"{address}#0")
    mark = page.locator('#moves [data-at="1"] .slip')
    assert mark.text_content() == "??" and mark.get_attribute("data-mark") == "20"
    (decision,) = found["decisions"]
    assert page.locator("#choices li").first.get_attribute("data-token") == "u1"
    shown = [float(node.get_attribute("data-chance")) for node in page.locator("#choices li").all()]
    assert shown == [option["chance"] for option in decision["options"]]
    assert page.locator("#curve rect.dot[data-mark='20']").count() == 1
    page.keyboard.press("ArrowRight")
    points = f"{100 * decision['loss']:.0f} points thrown away"
    assert points in page.locator("#chances").text_content()
    assert "± " in page.locator("#chances").text_content()


def test_the_curve_follows_the_game(look, tmp_path):
    record = record_game(["greedy", "random"], "8.0-lite", seed=4)
    address, found = written(tmp_path, record)
    page = look(address)
    lines = page.locator("#curve polyline")
    assert lines.count() == 2
    for judge in range(2):
        own = [point for point in found["curve"] if point["judged_by"] == judge]
        drawn = page.locator(f'#curve polyline[data-judge="{judge}"]').get_attribute("points").split()
        assert len(drawn) == len(own) + 1  # and the result
        heights = [float(point.split(",")[1]) for point in drawn]
        assert heights[:-1] == pytest.approx([142 - 134 * point["chance"] for point in own], abs=0.06)
    picture = page.locator("#curve svg")
    box = picture.bounding_box()
    picture.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    steps = len(found["decisions"])
    assert abs(int(page.locator("html").get_attribute("data-at")) - steps / 2) <= 1
    told = page.locator("#curve p").text_content()
    for player, facts in enumerate(found["players"]):
        assert f"Player {player} lost {100 * facts['average_loss']:.1f} points per decision" in told


def test_a_view_shows_only_its_own_judgements(look, tmp_path):
    record = record_game(["greedy", "random"], "8.0-lite", seed=4)
    address, found = written(tmp_path, record)
    marked = {
        player: [d["move"] for d in found["decisions"] if d["mark"] and d["player"] == player] for player in (0, 1)
    }
    assert marked[1], "the random player errs"
    page = look(address)
    page.keyboard.press("v")  # player 0's eyes
    assert [line.get_attribute("data-judge") for line in page.locator("#curve polyline").all()] == ["0"]
    visible = page.locator(".slip:visible").evaluate_all(
        "nodes => nodes.map((n) => Number(n.closest('[data-at]').dataset.at))"
    )
    assert visible == marked[0]
    page.locator(f'#moves [data-at="{marked[1][0]}"]').dispatch_event("click")
    assert page.locator("#chances").is_hidden()


def test_a_page_without_an_analysis_is_as_before(look, tmp_path):
    path = tmp_path / "plain.html"
    path.write_text(html_page(blunder()), encoding="utf-8")
    page = look(path.as_uri())
    assert page.locator("#curve").is_hidden() and page.locator("#chances").is_hidden()
    assert page.locator(".slip").count() == 0


@pytest.mark.parametrize(("language", "options"), [("ja", DESKTOP), ("en", PHONE)])
def test_other_languages_and_phones(look, tmp_path, language, options):
    address, _ = written(tmp_path, blunder(), language)
    page = look(address, options)
    assert page.locator("#curve").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert ("勝算" in page.locator("#curve h2").text_content()) == (language == "ja")


# ---- reports --------------------------------------------------------------------------------------------------------


def test_the_report_of_a_study(look, tmp_path):
    path = tmp_path / "study.sqlite"
    setups = [Setup.of("8.0-lite"), Setup.of("8.0-lite", "half27")]
    play_tournament(make_plan(setups, ("greedy", "random"), 60, 3), path, workers=0, quiet=True)
    with Store.read(path) as store:
        for rules in range(2):
            for name in samples_of(store, rules):
                judge_sample(store, rules, name, 24, Judge(setups[rules], budget=64), 2, lambda: None)
        figures = all_figures(store)
    page = look(write_study(figures, tmp_path / "study.html").as_uri())
    assert json.loads(page.locator("#numbers").text_content()) == figures
    assert page.locator("h2").all_text_contents() == ["8.0-lite/entry20", "8.0-lite/half27"]
    for rules, shown in zip(figures["rules"], page.locator("#start").all_text_contents()):
        start = rules["start"]
        assert shown == f"{100 * start['value']:.1f} % ({100 * start['low']:.1f} % to {100 * start['high']:.1f} %)"
    charts = page.locator("svg")
    assert charts.count() > 8
    assert all(box["height"] > 20 for box in (chart.bounding_box() for chart in charts.all()))
    cards = page.locator("section:has(h3:text('first hand'))").first
    for one in figures["rules"][0]["cards"]:
        assert f"n {one['won']['n']}" in cards.text_content()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---- live -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def served():
    """`ka serve` with some options; the link it prints."""
    running = []

    def start(*options):
        command = [sys.executable, "-m", "ka_env", "serve", "--no-open", *map(str, options)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        line = running[-1].stdout.readline()
        found = re.search(r"http\S+", line)
        assert found, line + running[-1].stdout.read()
        return found[0]

    yield start
    for process in running:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def tournament(pairs):
    return Plan(("greedy", "random"), (Setup.of("8.0-lite"),), pairs, seed=1)


def test_a_tournament_under_way(look, served, tmp_path):
    path = tmp_path / "arena.sqlite"
    play_tournament(tournament(4), path, workers=0, quiet=True)
    with Store.open(path, tournament(10)):  # longer, and not yet played
        pass
    link = served("--arena", path)
    page = look(link, home=link.split("/arena")[0])
    page.wait_for_selector("#games")
    assert page.locator("#games").text_content() == "8"
    assert "of 20 games, under way" in page.locator("#live").text_content()
    assert page.locator(".ratings tbody tr").count() == 2 and "±" in page.locator(".ratings").text_content()
    play_tournament(tournament(10), path, workers=0, quiet=True)
    page.wait_for_selector("#games:text-is('20')")
    assert page.locator("#list tr").count() == 20
    page.locator("#list a").first.click()
    page.wait_for_selector("#moves li")
    assert page.locator("#board").is_visible()


def test_the_seed_of_a_running_tournament_stays_secret(look, served, tmp_path):
    path = tmp_path / "arena.sqlite"
    play_tournament(Plan(("greedy", "random"), (Setup.of("8.0-lite"),), 2), path, workers=0, quiet=True)
    with Store.read(path) as store:
        seed, secret = str(store.rows()[0].deal_seed), store.plan.secret
    with Store.open(path, Plan(("greedy", "random"), (Setup.of("8.0-lite"),), 5)):
        pass
    link = served("--arena", path)
    page = look(link, home=link.split("/arena")[0])
    page.wait_for_selector("#list a")
    page.locator("#list a").first.click()
    page.wait_for_selector("#moves li")
    assert seed not in page.content() and secret not in page.content()


def test_a_training_under_way(look, served, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    row = {"rating": 5.0, "entropy": 1.0, "kl": 0.01, "value_loss": 0.4, "explained_variance": 0.2}
    rows = [{"steps": 1000 * i, **row} for i in (1, 2)]
    rows[1]["winrates"] = {"<b>random": [0.6, 0.5, 0.7]}
    history = tmp_path / "history.jsonl"
    history.write_text("".join(json.dumps(one) + "\n" for one in rows) + '{"steps": 30')  # a line being written
    link = served("--run", tmp_path)
    page = look(link, home=link.split("/run")[0])
    page.wait_for_selector("#steps")
    assert page.locator("#steps").text_content() == "2000"
    assert (
        "<b>random" in page.locator("#live").text_content() and "50.0 to 70.0 %" in page.locator("#live").text_content()
    )
    assert page.locator("svg").count() == 6
    history.write_text("".join(json.dumps(one) + "\n" for one in [*rows, {"steps": 3000, **row}]))
    page.wait_for_selector("#steps:text-is('3000')")


def test_the_button_after_a_game():
    with Served() as server, server.client() as client:
        message = client.until_asked(client.play())
        address = f"/analysis/{client.table}"
        status, _, text = server.get(address, client.cookie)
        assert status == 404 and "still running" in text  # a record tells all cards
        for _ in range(3):
            message = client.until_asked(client.choose(message, message["options"][0]["token"]))
        client.say("resign")
        while client.hear("table")["end"] == "running":
            pass
        assert server.get(address, client.cookie)[0] == 200
        while not (found := server.get(f"{address}/body", client.cookie))[1].get("X-Go"):
            assert "<progress" in found[2]
        page = server.get(f"{address}/page", client.cookie)[2]
        assert '"format":"ka-analysis-1"' in page and 'id="curve"' in page
        with server.client() as stranger:
            assert server.get(f"{address}/page", stranger.cookie)[0] == 404


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--arena", "nowhere.sqlite"], "nowhere.sqlite: there is no such store"),
        (["--run", "nowhere"], "nowhere: no run of ka train there"),
    ],
)
def test_nothing_to_watch(options, told):
    command = [sys.executable, "-m", "ka_env", "serve", "--no-open", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") == 1
