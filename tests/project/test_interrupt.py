"""Ctrl-C, as a terminal sends it: what is finished is kept, the command says how to go on, and it goes on."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest

from tests import PATIENCE


@pytest.fixture(autouse=True)
def ctrl_c_is_heard():
    """Where the tests run in the background of a script, Ctrl-C is ignored, and so it would be by what they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(words, folder, begun):
    """Start the command, wait until `begun` says so, press Ctrl-C; its exit code and what it said."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ka_env", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        until = time.monotonic() + PATIENCE
        while not begun():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert "Traceback" not in err
    return process.returncode, out, err


def run(words, folder):
    return subprocess.run(
        [sys.executable, "-m", "ka_env", *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE
    )


def games_in(store):
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as file:
        return file.execute("SELECT count(*) FROM games").fetchone()[0]
    return 0


def test_a_tournament_goes_on(tmp_path):
    """Twice: what the first session has played is there in the second."""
    play = "arena round-robin random rush --seed 1 --workers 1 --store s.sqlite --no-report --pairs 300000".split()
    kept = 0
    for _ in range(2):
        before = kept
        code, _, err = interrupted(play, tmp_path, lambda before=before: games_in(tmp_path / "s.sqlite") > before)
        kept = games_in(tmp_path / "s.sqlite")
        assert code == 130 and before < kept < 600_000
        assert "interrupted; what is finished is in s.sqlite, the same command goes on" in err


SETTINGS = (
    "hidden=16 games=16 rollout=256 minibatch=64 threads=1 agents=random baselines=random evaluate_pairs=2 "
    "final_pairs=2 evaluate_every=1000 tensorboard=false"
).split()


def test_a_training_goes_on(tmp_path):
    words = ["train", "--out", "run", "--set", "steps=1e12"]
    words += [word for setting in SETTINGS for word in ("--set", setting)]
    history = tmp_path / "run" / "history.jsonl"
    code, _, err = interrupted(words, tmp_path, lambda: history.exists() and history.stat().st_size > 0)
    assert code == 130
    assert "train: interrupted; go on with: ka train --resume run" in err
    updates = len(history.read_text(encoding="utf-8").splitlines())
    done = run(["train", "--resume", "run", "--set", "steps=2"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "win rate against random" in done.stdout and (tmp_path / "run" / "policy.npz").is_file()
    assert len(history.read_text(encoding="utf-8").splitlines()) >= updates
