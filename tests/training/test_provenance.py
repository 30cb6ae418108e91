"""The commit on cards and in stores: with `-dirty` whenever the sources are not those of the commit."""

import subprocess

import pytest

from ka_env.training.arena import Plan, Store, play_tournament
from ka_env.training.provenance import described


@pytest.fixture
def checkout(tmp_path):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    git("init", "-q")
    (tmp_path / "rules.py").write_text("x = 1\n")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    git("tag", "v1")  # the number of the commit counts, not the nearest tag
    described.cache_clear()
    yield tmp_path
    described.cache_clear()


def test_a_clean_checkout_is_named_by_its_commit(checkout):
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=checkout, capture_output=True, text=True).stdout.strip()
    assert described(checkout) == head
    (checkout / "notes.txt").write_text("no source\n")
    described.cache_clear()
    assert described(checkout) == head


@pytest.mark.parametrize("name", ["rules.py", "new.py", "cards.csv"])
def test_changed_and_new_sources_are_told(checkout, name):
    (checkout / name).write_text("x = 2\n")
    assert described(checkout).endswith("-dirty")


def test_no_checkout_no_commit(tmp_path):
    assert described(tmp_path) is None


def test_stores_name_the_sources_and_the_command(tmp_path):
    plan = Plan(("random", "random#2"), pairs=1, seed=3, kind="gauntlet")
    play_tournament(plan, tmp_path / "s.sqlite", workers=0, quiet=True)
    with Store.read(tmp_path / "s.sqlite") as store:
        about = store.about()
    assert about["command"] == "ka arena gauntlet random 'random#2' --pairs 1 --on 8.0-lite/entry20 --seed 3"
    assert about["commit"] == described()
