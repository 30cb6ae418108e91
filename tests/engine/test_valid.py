"""Records that come from outside, and processes that split."""

import copy
import os
import pickle
import re
import warnings

import numpy as np
import pytest

from ka_env import BatchEngine, NotationError
from ka_env.engine import jit
from ka_env.errors import MOST_MESSAGE, KaError, nearest
from ka_env.games import load_game
from ka_env.valid import check_records

RULES = [("8.0-lite", "entry20"), ("6.1-std", "full54"), ("8.0-std", "full54")]
RULES += [(ruleset, None) for ruleset in load_game("bluemoon").rulesets[:1]]


def played(ruleset="8.0-lite", frame="entry20", num_games=32, moves=40, threads=1):
    engine = BatchEngine(ruleset, frame, num_games=num_games, seed=4, threads=threads)
    rng = np.arange(1, num_games + 1, dtype=np.uint64)
    for _ in range(moves):
        engine.step(engine.random_actions(rng))
    return engine


@pytest.mark.parametrize(("ruleset", "frame"), RULES)
def test_every_record_of_play_is_fine(ruleset, frame):
    engine = BatchEngine(ruleset, frame, num_games=8, seed=1)
    rng = np.arange(1, 9, dtype=np.uint64)
    for _ in range(60):
        check_records(engine.about, engine.games)
        engine.step(engine.random_actions(rng))


@pytest.mark.parametrize(("ruleset", "frame"), RULES[::3])
def test_random_bytes_are_no_records(ruleset, frame):
    engine = BatchEngine(ruleset, frame, num_games=4)
    rng = np.random.default_rng(0)
    for _ in range(50):
        games = engine.games.copy()
        games.view(np.uint8).reshape(len(games), -1)[:] = rng.integers(256, size=(len(games), games.itemsize))
        with pytest.raises(NotationError, match="record 0"):
            check_records(engine.about, games)


def test_flipped_bits_are_found_or_make_another_position():
    """What is accepted can be played to its end."""
    engine = played("6.1-std", "full54")
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(400):
        games = engine.games[rng.integers(len(engine.games))].reshape(1).copy()
        data = games.view(np.uint8)
        data[rng.integers(len(data))] ^= 1 << rng.integers(8)
        single = BatchEngine("6.1-std", "full54")
        try:
            single.restore({"games": games})
        except NotationError:
            refused += 1
            continue
        states = np.array([7], np.uint64)
        for _ in range(3000):
            if single.done[0]:
                break
            single.step(single.random_actions(states))
        assert single.done[0]
    assert 250 < refused < 400


def test_restoring_takes_no_wrong_shapes():
    engine = played()
    for arrays in ({}, {"games": np.zeros(3)}, {"games": engine.games[:5]}, {"games": np.array(["x"])}):
        with pytest.raises(KaError, match="expected 32 of BlackPoker"):
            played(moves=1).restore(arrays)


def test_pickles_and_copies():
    engine = played()
    again, twin = pickle.loads(pickle.dumps(engine)), copy.deepcopy(engine)
    for other in (again, twin):
        assert other.games.tobytes() == engine.games.tobytes()
        assert np.array_equal(other.action_mask, engine.action_mask)
        rng = np.arange(32, dtype=np.uint64)
        other.step(other.random_actions(rng))
        assert other.games.tobytes() != engine.games.tobytes()
    data = pickle.dumps(engine)
    place = data.index(engine.games.tobytes())
    damaged = data[:place] + b"\xff" * 4000 + data[place + 4000 :]
    with pytest.raises(NotationError, match="record 0"):
        pickle.loads(damaged)


# ---- processes that split -------------------------------------------------------------------------------------------


def test_fork_after_threads():
    """OpenMP's threads don't survive a fork: the child plays the same games with one thread, and says so."""
    engine = played(num_games=512, threads=2)
    rng = np.arange(512, dtype=np.uint64)
    actions = engine.random_actions(rng.copy())
    expected = copy.deepcopy(engine)
    expected.step(actions)
    child = os.fork()
    if child == 0:
        try:
            engine.step(engine.random_actions(rng.copy()))
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                other = played(num_games=64, threads=2)
            if jit.threads_after_fork.lost != any("forked" in str(one.message) for one in told):
                os._exit(5)
            other.reset_done()
            os._exit(0 if engine.games.tobytes() == expected.games.tobytes() else 3)
        except BaseException:
            os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    engine.step(actions)
    assert engine.games.tobytes() == expected.games.tobytes()


# ---- messages -------------------------------------------------------------------------------------------------------


def test_messages_are_cut():
    error = NotationError("begin " + "x" * 10_000_000 + " end")
    assert len(str(error)) <= MOST_MESSAGE
    assert re.fullmatch(r"begin x+ … x+ end", str(error))
    assert nearest("random" * 1_000_000, ["random"]) == ""
