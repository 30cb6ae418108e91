"""What pages claim and what they must not."""

import re
from pathlib import Path

from ka_env.agents.nets import PolicyNet, trained_names

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / name
    for name in ("README.md", "README.ja.md", "CITATION.cff", "pyproject.toml", "mkdocs.yml", "CONTRIBUTING.md")
]
PAGES += sorted((ROOT / "docs").rglob("*.md"))


def test_no_page_claims_what_the_departures_deny():
    exact = r"rules-exact|exact to the rules|ルールどおり"
    assert [page.name for page in PAGES if re.search(exact, page.read_text(encoding="utf-8"))] == []
    for first in ("README.md", "README.ja.md", "docs/index.md", "docs/ja/index.md"):
        opening = (ROOT / first).read_text(encoding="utf-8").partition("![")[0]
        assert "departures" in opening, first


def test_the_first_lines_tell_of_both_games():
    names = {"README.md": "Blue Moon", "docs/index.md": "Blue Moon"}
    names |= {"README.ja.md": "ブルームーン", "docs/ja/index.md": "ブルームーン"}
    for first, moon in names.items():
        opening = (ROOT / first).read_text(encoding="utf-8").partition("\n\n![")[0]
        assert "BlackPoker" in opening and moon in opening, first


def test_what_is_to_be_installed_is_there():
    """No index has the package: a line to type installs the checkout; what stands behind it may say more."""
    for page in PAGES:
        for line in page.read_text(encoding="utf-8").splitlines():
            assert not re.search(r"""pip install [^#]*["']?ka_env\b""", line.partition("#")[0]), f"{page.name}: {line}"


def test_cards_that_name_no_clean_commit_say_that_they_cannot_be_made_again():
    for name in trained_names():
        card = PolicyNet.load(name).card
        assert card["commit"]
        if card["commit"].endswith("-dirty") or card["commit"].startswith("2a97ddb"):  # which lacks settings they have
            assert "not reproducible" in card["provenance"], name


def test_the_last_command_of_each_shipped_agent_is_its_cards():
    page = re.sub(r"[ \\]*\\\n *", " ", (ROOT / "docs" / "training.md").read_text(encoding="utf-8"))
    commands = [set(re.split(r"\s(?=--)", line.strip())) for line in page.splitlines() if line.startswith("ka train ")]
    for name in trained_names():
        words = set(re.split(r"\s(?=--)", PolicyNet.load(name).card["command"]))
        missing = [words - told for told in commands]
        assert set() in missing, f"{name}: {min(missing, key=len)} is on no page"


MEASURED = re.compile(r"\d % \(|\| *\d[\d.,]* [kM] *\||× \d|\d ± \d")
COMMIT = re.compile(r"\bcommits? [0-9a-f]{7}\b")


def sections(page):
    """Each with its heading and what stands before the first one: that is said of the whole page."""
    preface, *rest = re.split(r"^(?=##+ )", page.read_text(encoding="utf-8"), flags=re.M)
    return [preface, *(preface + section for section in rest)]


def test_what_was_measured_names_the_commit_that_it_is_of():
    """What nobody can date nobody can doubt: where a table has rates or speeds, the section names a commit."""
    measured = [
        (page.name, text, re.findall(r"^\|.*", text, re.M))
        for page in PAGES
        if page.suffix == ".md"
        for text in sections(page)
    ]
    measured = [(name, text) for name, text, rows in measured if any(map(MEASURED.search, rows))]
    assert len(measured) > 10
    assert [(name, text[-400:]) for name, text in measured if not COMMIT.search(text)] == []


def test_speeds_in_the_readme_are_on_the_page_of_speeds():
    told = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Speed\n")[2].partition("\n## ")[0]
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    numbers = re.findall(r"\d[\d.]* (?:[kM] \||s\b)|× \d[\d.]*", told)
    assert len(numbers) >= 15
    assert [number for number in numbers if f" {number.removesuffix(' |')}" not in page] == []
