"""The viewer's signs: as on every player; arrows never run over words."""

from pathlib import Path

from ka_env.record import Record
from ka_env.viewer import page as html_page
from tests.people.test_view import browser  # noqa: F401

GOLDEN = Path(__file__).parents[1] / "blackpoker" / "goldens" / "8.0-lite_entry20.ka"
LOOK = """() => {
  const shapes = (id) => document.querySelector(`#${id} path`).getAttribute("d").toLowerCase().split("z").length - 1;
  const request = document.createElement("div");
  request.className = "request";
  document.getElementById("stage").append(request);
  const [box, arrows] = [request, document.getElementById("arrows")].map((node) => getComputedStyle(node));
  return { play: shapes("play"), forward: shapes("forward"), back: shapes("back"), last: shapes("last"),
    level: box.zIndex, under: arrows.zIndex, paint: box.backgroundColor };
}"""


def test_signs_and_arrows(browser, tmp_path):  # noqa: F811
    path = tmp_path / "game.html"
    path.write_text(html_page(Record.from_text(GOLDEN.read_text(encoding="utf-8")), "en"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 400, "height": 800})
    page.goto(path.as_uri())
    found = page.evaluate(LOOK)
    page.close()
    assert (found["play"], found["back"], found["forward"], found["last"]) == (1, 2, 2, 3)  # ▶, then ones with bars
    assert (found["level"], found["under"]) == ("1", "auto"), "requests lie above the arrows"
    assert found["paint"].startswith("rgb("), "and what lies below them does not shine through"
