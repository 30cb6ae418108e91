"""What pages claim and what they must not."""

import re
from pathlib import Path

from ka_env.agents.nets import PolicyNet, trained_names

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / name for name in ("README.md", "CITATION.cff", "pyproject.toml", "mkdocs.yml", "CONTRIBUTING.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))


def test_no_page_claims_what_the_departures_deny():
    assert [page.name for page in PAGES if re.search(r"rules-exact|exact to the rules", page.read_text())] == []
    assert "departures" in (ROOT / "README.md").read_text() and "departures" in (ROOT / "docs" / "index.md").read_text()


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
