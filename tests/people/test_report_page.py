"""The arena's report in a real Chromium: nothing of the ratings is cut off, on a desk or on a phone."""

import pytest

from ka_env.training.arena import Plan, Store, play_tournament, write_report
from tests.people.test_view import browser  # noqa: F401

AGENTS = ("random", "random#with_a_rather_long_name_as_policies_have", "random#3", "random#4", "random#5")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    play_tournament(Plan(AGENTS, pairs=3, seed=1), folder / "s.sqlite", workers=0, quiet=True)
    with Store.read(folder / "s.sqlite") as store:
        return write_report(store, folder / "s.html", unverified=True)


@pytest.mark.parametrize("width", [1280, 400])
def test_the_ratings_are_not_cut(browser, report, width):  # noqa: F811
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(report.as_uri())
    card = page.locator("section.card").first
    assert card.locator("h3").text_content() == "Ratings"
    assert card.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cells = page.locator(".ratings td.elo")
    assert cells.count() == len(AGENTS)
    for cell in cells.all():
        box = cell.bounding_box()
        assert "±" in cell.text_content() and cell.is_visible()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
    rates = page.locator(".payoff td:not(.soft)")
    assert all(" to " in rate.text_content() for rate in rates.all()) and rates.count() == 20
    page.close()
