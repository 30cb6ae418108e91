"""Stored games played through once more, side by side: what happened in them, as arrays with a row for each game.

A game costs some hundred bytes here, however long it was. Only games that were played to their end count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from ka_env.engine.batch import BatchEngine
from ka_env.engine.loops import SKIP
from ka_env.games import KaGame, copy_records
from ka_env.training.arena.engines import record_hash
from ka_env.training.arena.faults import NORMAL, ArenaError
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.store import Store, game_id
from ka_env.training.arena.verify import by_lane, check_rows, lay_out
from ka_env.training.study.room import study_room

PARTS = 3  # of a game: its beginning, middle and end, by decisions


class Moment(NamedTuple):
    """Decisions with the same number in games side by side."""

    number: int  # from 1
    rows: np.ndarray  # which games (numbers in the list of rows)
    before: np.ndarray  # their records
    actions: np.ndarray
    turns: np.ndarray  # which turn it is, from 1
    engine: BatchEngine  # at this moment
    places: np.ndarray  # of the games in it


def walk(store: Store, rows: list[GameRow]) -> Iterator[Moment | tuple[np.ndarray, np.ndarray]]:
    """Games of one lane from the deal on: first the dealt records, then the moments, then the final records.

    Deals and ends come as (records, row numbers). Raises ArenaError for a game that does not come out as stored.
    """
    engine, places, moves, halves = lay_out(store.plan, rows)
    if not isinstance(engine, BatchEngine):
        raise ArenaError(f"{store.path} holds matches ({store.plan.match}): expected a tournament of single games")
    if halves:
        raise ArenaError(f"{store.path}: game {game_id(rows[halves[0]])}: half a move")
    order = np.arange(len(rows))
    yield copy_records(engine.games, places), order
    turns = np.ones(engine.num_games, np.int64)
    for number, actions in enumerate(moves, 1):
        active = np.flatnonzero(actions[places] != SKIP)
        if not active.size:
            break
        at = places[active]
        chosen = actions[at]
        fine = (chosen < engine.num_actions) & ~engine.done[at]
        fine &= engine.action_mask[at, np.where(fine, chosen, 0)]
        if not fine.all():
            wrong = rows[int(active[~fine][0])]
            raise ArenaError(f"{store.path}: game {game_id(wrong)}: move {number} is illegal")
        before = copy_records(engine.games, at)
        yield Moment(number, active, before, chosen, turns[at].copy(), engine, at)
        turn = engine.games["turn"].copy()
        engine.step(actions)
        turns += turn != engine.games["turn"]
    ends = copy_records(engine.games, places)
    for i, row in enumerate(rows):
        if record_hash(ends[i : i + 1]) != row.hash:
            raise ArenaError(f"{store.path}: game {game_id(row)} does not come out as stored")
    yield ends, order


@dataclass
class Games:
    """What happened, one row per game; `score` is that of seat 0."""

    first: np.ndarray  # agents by number
    second: np.ndarray
    deal: np.ndarray  # games with the same number have the same deal: together they are one observation
    score: np.ndarray
    starter: np.ndarray
    decisions: np.ndarray
    turns: np.ndarray
    uses: np.ndarray  # games x players x words
    parts: np.ndarray  # games x words x parts of the game
    hands: np.ndarray  # games x players x cards
    camps: np.ndarray  # games x players
    ending: np.ndarray
    asked: np.ndarray  # games x questions: how often
    chosen: np.ndarray  # how often the choice that matters was taken

    def __len__(self) -> int:
        return len(self.score)


def rows_of(store: Store, rules: int) -> list[GameRow]:
    """The games under these rules that were played to their end."""
    rows = store.rows("rules = ?", [rules])
    check_rows(store, rows)
    return [row for row in rows if row.reason == NORMAL]


def play_through(store: Store, rules: int) -> Games:
    rows = rows_of(store, rules)
    if not rows:
        raise ArenaError(f"{store.path}: no games of {store.plan.rules[rules].label} yet")
    found = [_one_lane(store, lane) for lane in by_lane(rows)]
    return Games(*(np.concatenate([getattr(one, field.name) for one in found]) for field in fields(Games)))


def _one_lane(store: Store, rows: list[GameRow]) -> Games:
    game = store.plan.rules[rows[0].rules].game
    tally = _Tally(game, rows)
    walked = walk(store, rows)
    deals, _ = next(walked)  # type: ignore[misc]
    tally.dealt(deals)
    for moment in walked:
        if isinstance(moment, Moment):
            tally.add(moment)
        else:
            tally.ended(moment[0])
    return tally.games()


class _Tally:
    """Counts of one lane's games."""

    def __init__(self, game: KaGame, rows: list[GameRow]) -> None:
        count, self.rows, self.room = len(rows), rows, study_room(game)
        self.words = {action: i for i, action in enumerate(game.words)}
        self._word = np.full(game.num_actions, -1)
        self._word[list(self.words)] = list(self.words.values())
        self._length = np.array([row.decisions for row in rows])
        self._uses = np.zeros((count, 2, len(self.words)), np.int16)
        self._parts = np.zeros((count, len(self.words), PARTS), np.int16)
        self._kinds = [list(game.kinds).index(ask.kind) for ask in self.room.QUESTIONS]
        ids = {word: action for action, word in game.words.items()}
        self._choices = [ids[ask.choice] for ask in self.room.QUESTIONS]
        self._asked = np.zeros((count, len(self._kinds)), np.int16)
        self._chosen = self._asked.copy()
        self._last, self._final = game.blank(count), np.zeros(count, np.int64)

    def dealt(self, deals: np.ndarray) -> None:
        nothing = np.zeros((len(deals), 2, 0), bool)
        self._starter = deals["turn"].astype(int)
        self._hands = self.room.first_hands(deals) if self.room.CARDS else nothing
        self._camps = self.room.camps(deals) if getattr(self.room, "CAMPS", ()) else np.zeros((len(deals), 0), int)

    def add(self, moment: Moment) -> None:
        rows, player = moment.rows, moment.before["player"].astype(int)
        word = self._word[moment.actions]
        said = word >= 0
        part = (moment.number - 1) * PARTS // self._length[rows]
        self._uses[rows[said], player[said], word[said]] += 1
        self._parts[rows[said], word[said], np.minimum(part, PARTS - 1)[said]] += 1
        for i, (kind, choice) in enumerate(zip(self._kinds, self._choices)):
            here = (moment.before["kind"] == kind) & offers(moment.before, choice)
            self._asked[rows[here], i] += 1
            self._chosen[rows[here & (moment.actions == choice)], i] += 1
        self._last[rows], self._final[rows] = moment.before, moment.actions

    def ended(self, ends: np.ndarray) -> None:
        none = np.zeros(len(ends), int)
        self._ending = self.room.endings(self._last, self._final, ends) if self.room.ENDINGS else none

    def games(self) -> Games:
        rows = self.rows
        lane = min(rows[0].first, rows[0].second) * 1000 + max(rows[0].first, rows[0].second)
        return Games(
            first=np.array([row.first for row in rows]),
            second=np.array([row.second for row in rows]),
            deal=np.array([row.pair for row in rows], np.int64) * 1_000_000 + lane,
            score=np.array([row.score for row in rows], float),
            starter=self._starter,
            decisions=self._length,
            turns=np.array([row.turns for row in rows]),
            uses=self._uses,
            parts=self._parts,
            hands=self._hands,
            camps=self._camps,
            ending=self._ending,
            asked=self._asked,
            chosen=self._chosen,
        )


def offers(records: np.ndarray, word: int) -> np.ndarray:
    """Is a plain word (an action id of the first word of `legal`) among the options of each record?"""
    return (records["legal"][:, 0] >> np.int64(word) & 1).astype(bool)
