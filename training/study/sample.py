"""Decisions of stored games judged by search: at most one of a game for each question, so that they are independent.

Which ones is a function of the games' numbers: more of them later are these and others. What is judged stays in the
store, and the same command goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ka_env.engine.rng import mix_array
from ka_env.games import KaGame
from ka_env.training.arena.faults import ArenaError
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.store import Store
from ka_env.training.arena.verify import by_lane
from ka_env.training.study.judge import Judge, Judgement, Question
from ka_env.training.study.played import Moment, offers, rows_of, walk
from ka_env.training.study.room import study_room

ANY = "any"  # the sample of all decisions
WORDS = "words"  # of decisions in which a plain word was played; rare words as often as frequent ones
SCHEMA = """CREATE TABLE IF NOT EXISTS judged (
    rules INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL, pair INTEGER NOT NULL,
    sample TEXT NOT NULL, agent TEXT NOT NULL, budget INTEGER NOT NULL, seed INTEGER NOT NULL,
    move INTEGER NOT NULL, turn INTEGER NOT NULL, player INTEGER NOT NULL, kind TEXT NOT NULL, played INTEGER NOT NULL,
    best REAL NOT NULL, best_error REAL NOT NULL, chance REAL NOT NULL, chance_error REAL NOT NULL,
    loss REAL NOT NULL, loss_error REAL NOT NULL, options TEXT NOT NULL, facts TEXT NOT NULL, score REAL NOT NULL,
    PRIMARY KEY (rules, first, second, pair, sample))"""


class Judged(NamedTuple):
    """A row: whose decision, its judgement, and the score of the decider in the end."""

    rules: int
    first: int
    second: int
    pair: int
    sample: str
    agent: str  # what judged
    budget: int
    seed: int
    move: int
    turn: int
    player: int
    kind: str
    played: int
    best: float
    best_error: float
    chance: float
    chance_error: float
    loss: float
    loss_error: float
    options: str  # JSON: [action, chance, error, visits] of each
    facts: str  # JSON: what the question sorts by
    score: float

    @property
    def deal(self) -> int:
        """As `Games.deal`."""
        return self.pair * 1_000_000 + min(self.first, self.second) * 1000 + max(self.first, self.second)


class Picked(NamedTuple):
    row: GameRow
    move: int
    turn: int
    record: np.ndarray
    action: int
    facts: dict[str, int]


def judged_rows(store: Store, rules: int, sample: str) -> list[Judged]:
    if not store.query("SELECT 1 FROM sqlite_master WHERE name = 'judged'"):
        return []
    columns = ", ".join(Judged._fields)
    sql = f"SELECT {columns} FROM judged WHERE rules = ? AND sample = ? ORDER BY rules, first, second, pair"
    return [Judged(*row) for row in store.query(sql, [rules, sample])]


def samples_of(store: Store, rules: int) -> list[str]:
    """All decisions together, then each question of the game."""
    return [ANY, WORDS, *(ask.kind for ask in study_room(store.plan.rules[rules].game).QUESTIONS)]


def draw(row: GameRow, salt: int) -> int:
    """A number made of a game's own."""
    key = ((row.pair * 64 + row.first) * 64 + row.second) * 64 + salt
    return int(mix_array(np.array([key], np.uint64))[0] >> np.uint64(16))


def pick(store: Store, rules: int, sample: str, count: int) -> list[Picked]:
    """One decision from each of `count` games, or of as many as have one."""
    rows = sorted(rows_of(store, rules), key=lambda row: (draw(row, 0), row[:4]))
    found: list[Picked] = []
    step = count if sample in (ANY, WORDS) else 2 * count
    for start in range(0, len(rows), max(1, step)):
        found += _among(store, rows[start : start + step], sample)
        if len(found) >= count:
            break
    return sorted(found, key=lambda one: (draw(one.row, 0), one.row[:4]))[:count]


def _among(store: Store, rows: list[GameRow], sample: str) -> Iterator[Picked]:
    game = store.plan.rules[rows[0].rules].game
    ask = next((one for one in study_room(game).QUESTIONS if one.kind == sample), None)
    for lane in by_lane(rows):
        seen: dict[int, list[Picked]] = {}
        moves = np.array([_move(row, sample, game) for row in lane]) if ask is None else None
        for moment in walk(store, lane):
            if isinstance(moment, Moment):
                here = moves[moment.rows] == moment.number if moves is not None else _asked(moment, ask, game)
                for row, one in _picked(moment, here, lane, ask):
                    seen.setdefault(row, []).append(one)
        for several in seen.values():
            yield several[draw(several[0].row, 2) % len(several)]


def _move(row: GameRow, sample: str, game: KaGame) -> int:
    """Which decision of a game is taken, from 1; 0 for none."""
    if sample == ANY:
        return draw(row, 1) % row.decisions + 1
    actions = np.frombuffer(row.actions, "u1" if game.num_actions <= 256 else "<u2")
    said = [action for action in game.words if (actions == action).any()]
    if not said:
        return 0
    places = np.flatnonzero(actions == said[draw(row, 4) % len(said)])
    return int(places[draw(row, 5) % len(places)]) + 1


def _asked(moment: Moment, ask: Any, game: KaGame) -> np.ndarray:
    choice = next(action for action, word in game.words.items() if word == ask.choice)
    return (moment.before["kind"] == list(game.kinds).index(ask.kind)) & offers(moment.before, choice)


def _picked(moment: Moment, here: np.ndarray, lane: list[GameRow], ask: Any) -> Iterator[tuple[int, Picked]]:
    records = moment.before[here]
    facts = ask.facts(records) if ask is not None and len(records) else {}
    for i, k in enumerate(np.flatnonzero(here)):
        told = {name: int(values[i]) for name, values in facts.items()}
        turn, action = int(moment.turns[k]), int(moment.actions[k])
        row = int(moment.rows[k])
        yield row, Picked(lane[row], moment.number, turn, records[i : i + 1].copy(), action, told)


def judge_sample(
    store: Store, rules: int, sample: str, count: int, judge: Judge, threads: int, after: Callable[[], None]
) -> int:
    """Judge what is missing of a sample, and return how many there are."""
    store.write(SCHEMA)
    rows = judged_rows(store, rules, sample)
    others = {row[5:8] for row in rows} - {(judge.name, judge.budget, judge.seed)}
    if others:
        agent, budget, seed = sorted(others)[0]
        raise ArenaError(
            f"{store.path} holds judgements by {agent} with budget {budget} and seed {seed}, not by {judge.name} with "
            f"{judge.budget} and {judge.seed}: choose the same, or another --store"
        )
    there = {row[:4] for row in rows}
    picked = pick(store, rules, sample, count)
    missing = [one for one in picked if one.row[:4] not in there]
    for _ in range(len(picked) - len(missing)):
        after()
    questions = [Question(one.record, one.action, draw(one.row, 3)) for one in missing]
    for one, found in zip(missing, judge.judge_all(questions, threads)):
        places = ", ".join("?" * len(Judged._fields))
        store.write(f"INSERT OR REPLACE INTO judged VALUES ({places})", _row(one, sample, judge, found))
        after()
    return len(picked)


def _row(one: Picked, sample: str, judge: Judge, found: Judgement) -> Judged:
    row, player = one.row, int(one.record["player"][0])
    options: list[Any] = [[o.action, round(o.chance, 5), round(o.error, 5), o.visits] for o in found.options]
    return Judged(
        *row[:4],
        sample=sample,
        agent=judge.name,
        budget=judge.budget,
        seed=judge.seed,
        move=one.move,
        turn=one.turn,
        player=player,
        kind=judge.game.kinds[int(one.record["kind"][0])],
        played=one.action,
        best=round(found.best.chance, 6),
        best_error=round(found.best.error, 6),
        chance=round(found.played.chance, 6),
        chance_error=round(found.played.error, 6),
        loss=round(found.loss, 6),
        loss_error=round(found.loss_error, 6),
        options=json.dumps(options),
        facts=json.dumps(one.facts),
        score=row.score if player == 0 else 1 - row.score,
    )
