"""The documentation site builds without a warning, its links lead somewhere, its tables and pictures are of today."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from ka_env.blackpoker import RULESETS
from ka_env.games import game_of_text
from tests import PATIENCE
from tests.project.docs import DOCS, between_markers, rules_markdown

ROOT = Path(__file__).parents[2]
SOURCE_FILE = re.compile(r"`((?:ka_env|agents|training|tests|notebooks)/[\w./]*\.(?:py|txt|ipynb))`")


class Page(HTMLParser):
    """Ids of a page, and what it links to."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value and tag != "link":
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert built.returncode == 0, built.stdout + built.stderr
    return {path.relative_to(folder).as_posix(): Page(path) for path in folder.glob("**/*.html")}, folder


def test_every_page_is_built(site):
    pages, _ = site
    assert {page.relative_to(DOCS).with_suffix(".html").as_posix() for page in DOCS.glob("**/*.md")} <= set(pages)


def test_no_link_is_broken(site):
    pages, folder = site
    broken = []
    for name, page in pages.items():
        for link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc or name == "404.html":  # that page doesn't know where it is shown
                continue
            target = (folder / name).parent / unquote(url.path) if url.path else folder / name
            target = target.resolve() / "index.html" if target.is_dir() else target.resolve()
            there = target.relative_to(folder.resolve()).as_posix()
            if not target.is_file() or (url.fragment and there in pages and url.fragment not in pages[there].ids):
                broken.append(f"{name}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(site):
    pages, _ = site
    loads = re.compile(r"<(?:script|img|iframe)[^>]+src=\"(?:https?:)?//")
    assert [name for name in pages if loads.search((site[1] / name).read_text(encoding="utf-8"))] == []


def test_api_has_the_public_names(site):
    import ka_env

    pages, _ = site
    ids = pages["api.html"].ids
    public = [getattr(ka_env, name) for name in ka_env.__all__ if not name.startswith("__")]
    assert [thing for thing in public if f"{thing.__module__}.{thing.__qualname__}" not in ids] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rules_page_is_of_today(ruleset):
    assert between_markers(ruleset, "rules.md") == rules_markdown(ruleset), "run python -m tests.project.docs"


@pytest.mark.parametrize("path", sorted(DOCS.glob("positions/*.txt")), ids=lambda path: path.stem)
def test_positions_of_the_pictures(path):
    text = path.read_text(encoding="utf-8")
    game = game_of_text(text).Game.from_text(text)
    assert not game.over
    assert (DOCS / "images" / f"{path.stem}.png").is_file()
    assert f"docs/positions/{path.name}" in (ROOT / "Makefile").read_text(encoding="utf-8"), "make pictures draws it"


def test_files_named_on_pages_exist():
    made_up = {"ka_env/blackpoker/actions/drill.py"}
    pages = [*DOCS.glob("*.md"), ROOT / "CONTRIBUTING.md"]
    named = {file for page in pages for file in SOURCE_FILE.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 10
    assert [file for file in sorted(named - made_up) if not (ROOT / file).is_file()] == []
