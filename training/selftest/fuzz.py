"""Texts and bytes that went wrong: reading refuses them with one kind of error, or gives a game that can be played."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ka_env.engine.batch import BatchEngine
from ka_env.errors import IllegalMove, KaError, NotationError
from ka_env.games import all_rulesets, game_of
from ka_env.record import Record, Recorder
from ka_env.training.selftest.results import Result, Task

MOST_DECISIONS = 3000  # in a game that was read from a mutated text
MOST_MESSAGE = 5000
LETTERS = "0123456789AKQJTXshdcbux:+/*^&~>#@.,()=-\n\t \0²♥é\u2028\ufeff😀"
NUMBERS = ["0", "1", "-1", "31", "32", "54", "64", "99", "127", "128", "255", "256", "65536", str(2**63), "9" * 400]


# ---- texts to begin with --------------------------------------------------------------------------------------------


def played_records(rng: random.Random, count: int) -> list[tuple[str, Record]]:
    """Games of all rulesets, played at random: a position in the middle, and the record."""
    found = []
    for number in range(count):
        ruleset = all_rulesets()[number % len(all_rulesets())]
        about = game_of(ruleset)
        game = about.Game.deal(_setup(ruleset), rng.randrange(2**32))
        while game.setting_up:  # before the deal there is no position to write down
            game.step(rng.choice(game.legal_ids()))
        middle, moves = game.to_text(), 0
        recorder = Recorder(game, about.default_frame(ruleset), 1)
        while not game.over and moves < MOST_DECISIONS:
            recorder.step(rng.choice(game.legal_ids()))
            moves += 1
            if not game.over and rng.random() < 0.1:
                middle = game.to_text()
        found.append((middle, recorder.record()))
    return found


def _setup(ruleset: str) -> Any:
    from ka_env.games import Setup

    return Setup.of(ruleset)


# ---- mutations ------------------------------------------------------------------------------------------------------


def _line(text: str, other: str, rng: random.Random) -> str:
    """A line is dropped, doubled, moved, or taken from another text."""
    lines, theirs = text.splitlines(), other.splitlines()
    i = rng.randrange(len(lines))
    what = rng.randrange(4)
    if what == 0:
        del lines[i]
    elif what == 1:
        lines.insert(rng.randrange(len(lines)), lines[i])
    elif what == 2:
        lines[i] = rng.choice(theirs)
    else:
        j = rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines) + "\n"


def _word(text: str, other: str, rng: random.Random) -> str:
    """A word is dropped, doubled, exchanged, or taken from another text."""
    lines = text.splitlines()
    i = rng.randrange(len(lines))
    words = lines[i].split(" ")
    j = rng.randrange(len(words))
    what = rng.randrange(4)
    if what == 0:
        del words[j]
    elif what == 1:
        words.insert(j, rng.choice(words))
    elif what == 2:
        words[j] = rng.choice(other.split() or ["-"])
    else:
        words[j] = rng.choice(NUMBERS)
    lines[i] = " ".join(words)
    return "\n".join(lines) + "\n"


def _letter(text: str, other: str, rng: random.Random) -> str:
    i = rng.randrange(len(text))
    return rng.choice([text[:i] + text[i + 1 :], text[:i] + rng.choice(LETTERS) + text[i + rng.randrange(2) :]])


def _same_line(text: str, other: str, rng: random.Random) -> str:
    """A line says what the line of the same name says in another text."""
    lines = text.splitlines()
    i = rng.randrange(len(lines))
    name = lines[i].split(" ")[0]
    theirs = [line for line in other.splitlines() if line.split(" ")[0] == name]
    lines[i] = rng.choice(theirs) if theirs else lines[i]
    return "\n".join(lines) + "\n"


def _move_word(text: str, other: str, rng: random.Random) -> str:
    """A word goes to another place, mostly within its line; or two words change places."""
    lines = [line.split(" ") for line in text.splitlines()]
    i = rng.randrange(len(lines))
    j = i if rng.random() < 0.6 else rng.randrange(len(lines))
    a, b = rng.randrange(len(lines[i])), rng.randrange(len(lines[j]))
    if rng.random() < 0.5:
        lines[i][a], lines[j][b] = lines[j][b], lines[i][a]
    else:
        lines[j].insert(b, lines[i].pop(a))
    return "\n".join(" ".join(words) for words in lines) + "\n"


def _digit(text: str, other: str, rng: random.Random) -> str:
    """A number becomes another one."""
    places = [i for i, letter in enumerate(text) if letter.isdigit()]
    if not places:
        return text
    i = rng.choice(places)
    return text[:i] + rng.choice(NUMBERS) + text[i + 1 :]


def _cut(text: str, other: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text))] + (other[rng.randrange(len(other)) :] if rng.random() < 0.5 else "")


MUTATIONS: list[Callable[[str, str, random.Random], str]] = [
    *(_same_line, _same_line, _move_word, _move_word, _move_word, _move_word),
    *(_line, _word, _word, _letter, _letter, _digit, _cut),
]


def mutated(text: str, other: str, rng: random.Random) -> str:
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice(MUTATIONS)(text or "x\n", other or "x\n", rng) or "x\n"
    return text


# ---- the parts ------------------------------------------------------------------------------------------------------


def positions(task: Task, result: Result) -> None:
    """Mutated position texts: NotationError only, or a game that reads back and can be played to its end."""
    rng = task.rng("positions")
    texts = [text for text, _ in played_records(rng, 60)]
    for _ in task.tries(20_000):
        text = mutated(rng.choice(texts), rng.choice(texts), rng)
        with result.trying(f"position {text!r}", (NotationError,)):
            game = _read(text)
            again = type(game).from_text(game.to_text())
            result.expect(again.to_text() == game.to_text(), f"does not read back: {text!r}")
            _play_out(game, rng, result, text)


def _read(text: str) -> Any:
    from ka_env.games import game_of_text

    try:
        return game_of_text(text).Game.from_text(text)
    except KaError as error:
        if len(str(error)) > MOST_MESSAGE:
            raise RuntimeError(f"a message of {len(str(error))} characters") from None
        raise


def _play_out(game: Any, rng: random.Random, result: Result, text: str) -> None:
    for _ in range(MOST_DECISIONS):
        if game.over:
            return
        legal = game.legal_ids()
        if not legal:
            result.fail(f"nothing is legal: {text!r}")
            return
        game.step(rng.choice(legal))
    result.fail(f"never ends: {text!r}")


def records(task: Task, result: Result) -> None:
    """Mutated record files: NotationError and IllegalMove only, or a record that replays."""
    rng = task.rng("records")
    texts = [record.to_text() for _, record in played_records(rng, 40)]
    for _ in task.tries(4_000):
        text = mutated(rng.choice(texts), rng.choice(texts), rng)
        with result.trying(f"record {text!r}", (NotationError, IllegalMove)):
            Record.from_text(text).replay()


def states(task: Task, result: Result) -> None:
    """Game records with flipped bits, wrong bytes and -1s: refused, or positions that can be played to their end."""
    rng = np.random.default_rng(task.seed)
    chosen = task.rng("states")
    engines = [_engine_in_play(ruleset, chosen.randrange(2**32)) for ruleset in all_rulesets()]
    for number in task.tries(2_000):
        engine = engines[number % len(engines)]
        games = engine.games[int(rng.integers(engine.num_games))].reshape(1).copy()
        data = games.view(np.uint8)
        what = int(rng.integers(4))
        if what == 0:
            data[rng.integers(len(data))] ^= np.uint8(1 << rng.integers(8))
        elif what == 1:
            data[rng.integers(len(data), size=3)] = rng.integers(256, size=3)
        elif what == 2:
            data[rng.integers(len(data))] = 255  # -1, in a field of bytes
        else:
            data[:] = rng.integers(256, size=len(data))
        single = BatchEngine(*engine.setup[:2])
        with result.trying(f"record {data.tobytes().hex()}", (NotationError,)):
            single.restore({"games": games})
            _play_batch_out(single, rng, result, data)


def _engine_in_play(ruleset: str, seed: int) -> BatchEngine:
    engine = BatchEngine(ruleset, num_games=16, seed=seed)
    rng = np.arange(1, 17, dtype=np.uint64)
    for _ in range(25):
        engine.step(engine.random_actions(rng))
    engine.reset_done()
    return engine


def _play_batch_out(engine: BatchEngine, rng: np.random.Generator, result: Result, data: np.ndarray) -> None:
    states = rng.integers(2**64, size=1, dtype=np.uint64)
    for _ in range(MOST_DECISIONS):
        if engine.done[0]:
            return
        engine.observe()
        engine.step(engine.random_actions(states))
    result.fail(f"never ends: {data.tobytes().hex()}")
