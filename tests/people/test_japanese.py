"""Japanese for the games' own players: official words in the glossary, in what is said, and on the pages."""

import re
from pathlib import Path

import pytest

from ka_env.blackpoker.people import glossary as blackpoker
from ka_env.blackpoker.people import phrases, teaching
from ka_env.blackpoker.rulesets import EDITIONS
from ka_env.bluemoon.people import glossary as bluemoon
from ka_env.bluemoon.people import phrases as bluemoon_phrases
from ka_env.bluemoon.people import teaching as bluemoon_teaching

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.ja.md", *sorted((ROOT / "docs" / "ja").glob("*.md"))]
TERMS = [
    line.split()
    for line in (Path(__file__).parent / "official_terms.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
ACTIONS = {entry.word: entry.japanese for entry in blackpoker.SECTIONS["actions"]}
OTHERS = {
    entry.word: entry.japanese
    for section, entries in blackpoker.SECTIONS.items()
    if section != "actions"
    for entry in entries
}
# Words that were ours before the official ones were known, or that players of other games would expect.
UNOFFICIAL = ["霧", "起動", "壁", "魔術師", "装備品", "スタック", "山から", "ユニット"]


def test_the_list_of_terms_is_whole():
    """Every action of every edition is in it."""
    words = {word for word, _ in TERMS}
    official = {action.verb: action.official for edition in EDITIONS.values() for action in edition.actions}
    assert set(official) == set(ACTIONS) and set(ACTIONS) <= words
    assert len(TERMS) == len(words) > 60


@pytest.mark.parametrize(("word", "official"), TERMS)
def test_the_glossary_has_the_official_words(word, official):
    if word in ACTIONS:
        assert ACTIONS[word] == official
        assert phrases.verb_name(word, "ja") == official
    else:
        assert OTHERS[word.removesuffix("-unit").replace("-", " ")] == official


def bold(path):
    return set(re.findall(r"\*\*([^*]+?)。?\*\*", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(("name", "glossary"), [("game.md", blackpoker), ("bluemoon.md", bluemoon)])
def test_bold_words_are_those_of_the_glossary(name, glossary):
    """Both pages print terms in bold, and say so."""
    known = {entry.japanese for entry in glossary.ENTRIES}
    known |= {"開始", "交戦", "補充", "ブースターとサポート", "伏せて"} if glossary is bluemoon else set()
    found = bold(ROOT / "docs" / "ja" / name)
    assert found - known == set()
    assert len(found) > 30


def test_the_page_has_all_actions_up_to_mast():
    text = (ROOT / "docs" / "ja" / "game.md").read_text(encoding="utf-8")
    missing = [japanese for word, japanese in ACTIONS.items() if japanese not in text]
    assert set(missing) <= {"ドロー", "セットアップ"}  # drawing is told as a turn's first step; a variant


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_use_no_other_words(path):
    text = path.read_text(encoding="utf-8").replace("防壁", "")
    assert [word for word in UNOFFICIAL if word in text] == []


def test_what_is_said_uses_no_other_words():
    said = [*phrases.JAPANESE.values(), *teaching.JAPANESE.values()]
    text = "\n".join(said).replace("防壁", "")
    assert [word for word in UNOFFICIAL if word in text] == []


SHARED = "ドラゴン 撤退 看破 ブラフ 上陸 合計 キャラクター ブースター サポート リーダーシップ".split()


@pytest.mark.parametrize("word", [*SHARED, "船", "捨て札", "山札", "手札", "見送り"])
def test_blue_moon_says_its_words_alike_everywhere(word):
    """Glossary, screens or lessons, and the page."""
    assert word in {entry.japanese for entry in bluemoon.ENTRIES}
    said = [*bluemoon_phrases.JAPANESE.values(), *bluemoon_teaching.JAPANESE.values()]
    assert any(word in text for text in said)
    assert word in (ROOT / "docs" / "ja" / "bluemoon.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_of_the_two_languages_name_each_other(path):
    """And their links lead to files that are there."""
    text = path.read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (path.parent / link).is_file()] == []


def test_english_pages_lead_to_the_japanese_ones():
    for page in ("index", "game", "bluemoon", "play"):
        assert f"(ja/{page}.md)" in (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert "(README.ja.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
