"""The store: one SQLite file per tournament, one row per game. docs/arena.md tells the schema."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from ka_env import __version__
from ka_env.errors import KaError
from ka_env.training.arena.faults import ArenaError
from ka_env.training.arena.plan import SECRETS, Lane, Plan
from ka_env.training.arena.play import GameRow
from ka_env.training.provenance import described

FORMAT = 3
APPLICATION_ID = 0x6B616172  # "kaar": what kind of SQLite file this is
MAY_DIFFER = ("pairs", "date", "rules_hash", "commit")  # a tournament may be made longer
STOOD = "walls_stood"  # setting: what stood around third-party agents in every session, null before there was any

SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE agents (number INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE);
CREATE TABLE rules (number INTEGER PRIMARY KEY, ruleset TEXT NOT NULL, frame TEXT NOT NULL);
CREATE TABLE games (
    rules INTEGER NOT NULL REFERENCES rules,
    first INTEGER NOT NULL REFERENCES agents,
    second INTEGER NOT NULL REFERENCES agents,
    pair INTEGER NOT NULL,
    score REAL NOT NULL,
    reason TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    usage_first TEXT NOT NULL,
    usage_second TEXT NOT NULL,
    deal_seed INTEGER NOT NULL,
    actions BLOB NOT NULL,
    hash TEXT NOT NULL,
    margin REAL,
    error TEXT,
    starter INTEGER NOT NULL,
    side_first TEXT,
    side_second TEXT,
    facts TEXT,
    PRIMARY KEY (rules, first, second, pair)
);
CREATE VIEW results AS
    SELECT games.rules || '.' || first || '.' || second || '.' || pair AS id,
           ruleset, frame, a.spec AS first, b.spec AS second, pair, score, reason, decisions, turns, margin, error,
           starter, side_first, side_second, facts
    FROM games JOIN rules ON games.rules = rules.number
    JOIN agents AS a ON first = a.number JOIN agents AS b ON second = b.number;
"""


class Store:
    """An open store. Use `Store.open` for a tournament and `Store.read` for what it holds."""

    def __init__(self, path: str | Path, connection: sqlite3.Connection) -> None:
        self.path = Path(path)
        self._db = connection
        self.settings = self._read_settings()
        if self.settings.get("format") != FORMAT:
            raise ArenaError(f"{path}: the store has format {self.settings.get('format')}, expected {FORMAT}")
        try:
            self.plan = Plan.from_settings(self.settings)
        except KaError as error:
            raise ArenaError(f"{path}: {error}") from None
        self._check_tables()

    def _read_settings(self) -> dict[str, Any]:
        try:
            return {
                str(name): json.loads(value) for name, value in self._db.execute("SELECT name, value FROM settings")
            }
        except (TypeError, ValueError, RecursionError) as error:
            raise ArenaError(f"{self.path}: a setting can't be read: {error}") from None

    def _check_tables(self) -> None:
        """The tables, with the names and numbers that the settings tell."""
        agents = dict(self.query("SELECT number, spec FROM agents"))
        rules = {number: f"{ruleset}/{frame}" for number, ruleset, frame in self.query("SELECT * FROM rules")}
        told = dict(enumerate(self.plan.agents)), {i: setup.label for i, setup in enumerate(self.plan.rules)}
        if (agents, rules) != told:
            raise ArenaError(f"{self.path}: damaged: the tables agents and rules are not those of the settings")
        self.query(f"SELECT {', '.join(GameRow._fields)} FROM games LIMIT 0")

    @classmethod
    def open(cls, path: str | Path, plan: Plan) -> Store:
        """Make a store for this tournament, or go on with it. A store of another tournament is refused."""
        path = Path(path)
        with _readable(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, isolation_level=None, timeout=60)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            _create(connection, path, plan)
            store = cls(path, connection)
            store._adopt(plan)
        return store

    @classmethod
    def read(cls, path: str | Path) -> Store:
        if not Path(path).is_file():
            raise ArenaError(f"{path}: there is no such store")
        with _readable(path):
            connection = _connect_to_read(Path(path))
            if not _is_store(connection):
                raise ArenaError(f"{path}: no store of the arena")
            return cls(path, connection)

    def _adopt(self, plan: Plan) -> None:
        """Check that the plan is the one of the store, apart from its length; go on with the store's secrets."""
        plan = plan.with_secrets({name: getattr(self.plan, name) for name in SECRETS})
        there, here = self.settings, _settings(plan)
        different = [name for name in here if name not in MAY_DIFFER and there.get(name) != here[name]]
        if different:
            said = "; ".join(_difference(name, there.get(name), here[name]) for name in different)
            raise ArenaError(f"{self.path} holds another tournament: {said}. Choose another --store")
        if plan.pairs < self.plan.pairs:
            raise ArenaError(
                f"{self.path} holds a longer tournament: pairs is {self.plan.pairs} there, {plan.pairs} here"
            )
        self.set("pairs", plan.pairs)
        self.plan = plan

    def set(self, name: str, value: Any) -> None:
        """A setting."""
        with _readable(self.path):
            self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [name, json.dumps(value)])
        self.settings[name] = value

    def add_walls(self, walls: Sequence[str]) -> None:
        """What stands around third-party agents in this session; kept is what stood in every one."""
        before = self.settings.get(STOOD)
        self.set(STOOD, [wall for wall in walls if before is None or wall in before])

    def about(self) -> dict[str, Any]:
        """What was played, when and by which sources: for whoever writes down the results."""
        facts = {name: self.settings.get(name) for name in ("date", "ka_env", "commit")}
        return {"command": self.plan.command(), **facts}

    @property
    def files(self) -> tuple[str, ...]:
        """Everything SQLite keeps this store in."""
        return tuple(f"{self.path.resolve()}{end}" for end in ("", "-wal", "-shm"))

    @property
    def finished(self) -> bool:
        """Is everything played? A duel may be decided before."""
        games = self.query("SELECT COUNT(*) FROM games")[0][0]
        if games == 2 * self.plan.pairs * len(self.plan.lanes()):
            return True
        return self.settings.get("decided") is True

    @property
    def rules_changed(self) -> bool:
        """Have the sources of the rules changed since the tournament began?"""
        return self.settings.get("rules_hash") != self.plan.rules[0].game.rules_hash()

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- writing

    def add(self, rows: Iterable[GameRow]) -> None:
        """Store games, all or none."""
        places = ", ".join("?" * len(GameRow._fields))
        with _readable(self.path), self._transaction():
            self._db.executemany(f"INSERT OR IGNORE INTO games VALUES ({places})", rows)

    def write(self, sql: str, values: Sequence[Any] = ()) -> None:
        """For tables of others beside the tournament's own, such as a study's."""
        with _readable(self.path), self._transaction():
            self._db.execute(sql, values)

    def drop_after(self, pair: int, rules: int) -> None:
        """Forget pairs that were played after the decision of a duel: pairs count in order, then rules."""
        with _readable(self.path), self._transaction():
            self._db.execute("DELETE FROM games WHERE pair > ? OR (pair = ? AND rules > ?)", [pair, pair, rules])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # a full disk has rolled back already
                self._db.execute("ROLLBACK")
            raise

    # ---- reading

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _readable(self.path):
            return self._db.execute(sql, values).fetchall()

    def done(self) -> dict[Lane, list[int]]:
        """The pairs played so far, both games of them."""
        found: dict[Lane, list[int]] = {}
        sql = """SELECT rules, MIN(first, second) AS one, MAX(first, second) AS two, pair FROM games
                 GROUP BY 1, 2, 3, 4 HAVING COUNT(*) = 2 ORDER BY 1, 2, 3, 4"""
        for rules, one, two, pair in self.query(sql):
            found.setdefault(Lane(rules, one, two), []).append(pair)
        return found

    def rows(self, where: str = "1", values: Sequence[Any] = ()) -> list[GameRow]:
        """Games in the order of their keys."""
        columns = ", ".join(GameRow._fields)
        sql = f"SELECT {columns} FROM games WHERE {where} ORDER BY rules, first, second, pair"
        return [GameRow(*row) for row in self.query(sql, values)]

    def columns(self, *names: str, rules: int | None = None) -> list[np.ndarray]:
        """Some columns as arrays, games in the order of their keys."""
        where, values = ("1", []) if rules is None else ("rules = ?", [rules])
        sql = f"SELECT {', '.join(names)} FROM games WHERE {where} ORDER BY rules, first, second, pair"
        found = self.query(sql, values)
        return [np.array(column) for column in zip(*found)] if found else [np.zeros(0, np.int64) for _ in names]

    def game(self, game_id: str) -> GameRow:
        """A game by its id, `rules.first.second.pair`."""
        try:
            key = [int(part) for part in game_id.split(".")]
            (row,) = self.rows("rules = ? AND first = ? AND second = ? AND pair = ?", key)
        except (ValueError, OverflowError):
            raise ArenaError(f"{self.path}: there is no game {game_id[:60]!r}: ids look like 0.0.1.12") from None
        return row


def game_id(row: GameRow) -> str:
    return f"{row.rules}.{row.first}.{row.second}.{row.pair}"


# ---- making one -----------------------------------------------------------------------------------------------------


def _settings(plan: Plan) -> dict[str, Any]:
    rules_hash = plan.rules[0].game.rules_hash()
    about = {"format": FORMAT, "ka_env": __version__, "date": date.today().isoformat(), "rules_hash": rules_hash}
    return {**about, "commit": described(), **plan.to_settings()}


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """SQLite wants to write beside a store in WAL mode; where nothing can be written, nobody else writes either."""
    place = path.resolve().as_uri()
    connection = sqlite3.connect(place, uri=True, isolation_level=None, timeout=60)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        connection = sqlite3.connect(f"{place}?immutable=1", uri=True, isolation_level=None)
    return connection


def _is_store(connection: sqlite3.Connection) -> bool:
    return connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID


def _create(connection: sqlite3.Connection, path: Path, plan: Plan) -> None:
    """Fill an empty file."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        empty = not connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        if not empty and not _is_store(connection):
            raise ArenaError(f"{path}: an SQLite file, but no store of the arena")
        if empty:
            for statement in SCHEMA.split(";\n"):
                connection.execute(statement)
            values = [(name, json.dumps(value)) for name, value in _settings(plan).items()]
            connection.executemany("INSERT INTO settings VALUES (?, ?)", values)
            connection.executemany("INSERT INTO agents VALUES (?, ?)", enumerate(plan.agents))
            connection.executemany(
                "INSERT INTO rules VALUES (?, ?, ?)", [(i, *r[:2]) for i, r in enumerate(plan.rules)]
            )
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _readable(path: str | Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning, OSError, UnicodeDecodeError) as error:
        raise ArenaError(f"{path}: {error}") from None


def _difference(name: str, there: Any, here: Any) -> str:
    if name in SECRETS:
        return f"{name} is another there"  # and nobody's business
    return f"{name} is {_show(there)} there, {_show(here)} here"


def _show(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return " ".join(f"{name} {part}" for name, part in value.items())
    return "not set" if value is None else str(value)
