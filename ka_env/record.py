"""Game records of every game: writing a game down, reading it back, replaying and verifying it.

A record is headers, the deal and the tokens, one turn per line. What chance brings stands right after the token that
caused it, so replaying needs no random numbers. The first word of the deal says which game it is; its `Game` class says
which headers there are and how chance events are written.

After the moves, comment lines like `# notes 12 end=620 attack=380` keep how the decider of move 12 weighed its choices:
visits of a search, probabilities of a policy, or any other numbers. Whoever doesn't know them reads over them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import IO, Any, NamedTuple

from ka_env.errors import IllegalMove, KaError, NotationError, limit_text, nearest
from ka_env.game import Event, Game
from ka_env.games import game_of_text, packages
from ka_env.hints import install_extra

UNKNOWN = "-"
MOST_RECORD = 16 << 20  # characters, or bytes in a file: notes of long games included
MOST_PARQUET = 4 << 30  # bytes of a Parquet file when it is unpacked
RESULTS = ["1 0", "0 1", "0.5 0.5", UNKNOWN]  # "-": the record stops before the end of the game

_HASH = re.compile("[0-9a-f]{16}")
_NOTES = re.compile(r"#\s*notes\s+(\d{1,9})((?:\s+[^\s=]+=[^\s=]+)+)\s*")

Notes = dict[str, float]  # by token


def position_hash(game: Game) -> str:
    """The first 16 hex digits of the SHA-256 of the position text."""
    return hashlib.sha256(game.to_text().encode()).hexdigest()[:16]


def result_text(game: Game) -> str:
    return " ".join(f"{score:g}" for score in game.result) if game.result else UNKNOWN


class Step(NamedTuple):
    """One move of a replayed record."""

    number: int  # from 1; chance events are not counted
    line: int  # index of its line in `Record.turns`
    token: str
    chance: list[Event]  # what chance brought
    before: Any  # a Game
    after: Any


@dataclass
class Record:
    """One game written down. Headers that are not known are `-`."""

    headers: dict[str, str]
    deal: str
    turns: list[str] = field(default_factory=list)  # tokens and chance events
    notes: dict[int, Notes] = field(default_factory=dict)  # by number of the move, from 1

    def __post_init__(self) -> None:
        self.deal = "".join(line + "\n" for line in _lines(self.deal))
        self.headers = _checked_headers(self.headers, self.game)
        moves = "\n".join(self.turns)
        self.turns = _lines(moves, comment=_is_comment)
        self.notes = {**_read_notes(moves, self.game), **self.notes}

    @property
    def game(self) -> type[Game]:
        """The class of the game it is a record of."""
        return game_of_text(self.deal).Game

    # ---- text

    def to_text(self, comments: Sequence[Iterable[str]] = ()) -> str:
        """The text of a record file. `comments[i]`: lines of explanation above turn i."""
        lines = [f"[{key} {value}]" for key, value in self.headers.items()]
        lines += ["", *self.deal.splitlines(), ""]
        for i, turn in enumerate(self.turns):
            lines += [f"# {comment}" for comment in comments[i]] if i < len(comments) else []
            lines.append(turn)
        return "\n".join(lines + self._notes_lines()) + "\n"

    def _notes_lines(self) -> list[str]:
        return [
            f"# notes {number} " + " ".join(f"{token}={value:.6g}" for token, value in notes.items())
            for number, notes in sorted(self.notes.items())
        ]

    @classmethod
    def from_text(cls, text: str) -> Record:
        """Read the text of a record file. Whether it replays is another question: see `replay`."""
        limit_text(text, MOST_RECORD, "record")
        headers: dict[str, str] = {}
        deal: list[str] = []
        begins_moves: Callable[[str], bool] = bool
        lines = deque(enumerate(text.splitlines(), 1))
        while lines:
            number, line = lines[0][0], lines[0][1].strip()
            if line.startswith("[") and not deal:
                _read_header(line, number, headers)
            elif deal and (not line or begins_moves(line)):
                break
            elif line and not line.startswith("#"):
                deal.append(line)
                if len(deal) == 1:
                    begins_moves = game_of_text(line).Game.begins_moves
            lines.popleft()
        if not deal:
            raise NotationError("record: the deal (a position text after the headers) is missing")
        return cls(headers, "\n".join(deal), [line for _, line in lines])

    # ---- rows of many games

    def to_row(self) -> dict[str, str]:
        """The same content as one flat row."""
        return {**self.headers, "deal": self.deal, "moves": "\n".join(self.turns + self._notes_lines())}

    @classmethod
    def from_row(cls, row: object) -> Record:
        if not isinstance(row, Mapping):
            raise NotationError("record: expected an object with the columns deal, moves and the headers")
        for name, value in row.items():
            if not isinstance(value, str):
                raise NotationError(f"record: column {name!r} holds {type(value).__name__}, expected text")
        limit_text("".join(row.values()), MOST_RECORD, "record")
        for name in ("deal", "moves"):
            if name not in row:
                raise NotationError(f"record: the column {name!r} is missing")
        game = game_of_text(row["deal"]).Game
        headers = [*game.HEADERS, *game.SOMETIMES]
        for name in row:
            if name not in (*headers, "deal", "moves"):
                raise NotationError(f"record: unknown column {name!r}{nearest(name, [*headers, 'deal', 'moves'])}")
        return cls({key: row[key] for key in headers if key in row}, row["deal"], [row["moves"]])

    @classmethod
    def from_json(cls, line: str) -> Record:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"record: no JSON: {error}") from None
        return cls.from_row(row)

    # ---- replaying

    def start(self) -> Any:
        """The game as it was dealt."""
        try:
            game = self.game.from_text(self.deal)
        except ValueError as error:
            raise NotationError(f"record: deal: {error}") from None
        for key, value in game.headers().items():
            if key in self.game.NEEDED_HEADERS and self.headers[key] != value:
                raise NotationError(f"record: the header says {key} {self.headers[key]}, but the deal says {value}")
        game.check_headers(self.headers)
        return game

    def steps(self) -> Iterator[Step]:
        """Every move with the game before and after it; at the end the result and the hash are verified."""
        game = self.start()
        words = deque((i, word) for i, turn in enumerate(self.turns) for word in turn.split())
        number = 0
        while words:
            number += 1
            line, word = words.popleft()
            after = game.copy()
            try:
                chance = _play(after, word, words)
            except KaError as error:
                raise type(error)(f"move {number}: {error}") from None
            yield Step(number, line, word, chance, game, after)
            game = after
        self._check_end(game, number)

    def replay(self) -> Any:
        """Play it all, verify it, and return the game after the last move."""
        game = self.start()
        for step in self.steps():
            game = step.after
        return game

    def _check_end(self, game: Game, number: int) -> None:
        said, result = self.headers["result"], result_text(game)
        if said != result and not game.over:
            raise IllegalMove(
                f"move {number + 1} is missing: the record says result {said}, but player {game.player} is still at "
                f"{game.decision!r} and may choose {' '.join(game.legal())}"
            )
        if said != result:
            raise IllegalMove(f"move {number}: the record says result {said}, but the game ends here with {result}")
        for key, value in game.headers().items():
            if self.headers.get(key, UNKNOWN) not in (value, UNKNOWN):
                raise IllegalMove(
                    f"move {number}: the record says {key} {self.headers[key]}, but the game ends here with {value}"
                )
        if self.headers["hash"] not in (position_hash(game), UNKNOWN):
            raise IllegalMove(
                f"move {number}: the record says hash {self.headers['hash']}, "
                f"but the position after its last move has {position_hash(game)}"
            )


def _play(game: Game, word: str, rest: deque[tuple[int, str]]) -> list[Event]:
    """Play a token; what chance brought is taken from the words that follow."""
    if game.is_chance(word):
        raise IllegalMove(f"{word!r} belongs right after the token that causes it; {_expected(game)}")
    return game.step_with_words(game.action_id(word), rest)


def _expected(game: Game) -> str:
    if game.over:
        return f"the game is over ({result_text(game)})"
    return f"player {game.player} is at {game.decision!r} and may choose {' '.join(game.legal())}"


# ---- reading the parts ----------------------------------------------------------------------------------------------


def _clean(line: str) -> str:
    """Single blanks, and nothing that could not be written to a text file."""
    line = " ".join(line.split())
    if not line.isprintable():
        raise NotationError(f"record: {line!r} contains characters that can't be printed")
    return line


def _is_comment(line: str) -> bool:
    """Among the moves `#0` is a token, so a comment's `#` is not followed by a digit."""
    return line.startswith("#") and not line[1:2].isdigit()


def _lines(text: str, comment: Callable[[str], bool] = lambda line: line.startswith("#")) -> list[str]:
    stripped = (line.strip() for line in text.splitlines())
    return [_clean(line) for line in stripped if line and not comment(line)]


def _read_notes(moves: str, game: type[Game]) -> dict[int, Notes]:
    """The notes among the comments. A line that only looks like one is a comment like any other."""
    found: dict[int, Notes] = {}
    for match in filter(None, map(_NOTES.fullmatch, map(str.strip, moves.splitlines()))):
        words = [word.split("=") for word in match[2].split()]
        try:
            notes = {token: float(value) for token, value in words if game.is_token(token)}
        except ValueError:
            continue
        if len(notes) == len(words) and all(map(isfinite, notes.values())):
            found[int(match[1])] = notes
    return found


def _read_header(line: str, number: int, headers: dict[str, str]) -> None:
    key, _, value = line[1:-1].strip().partition(" ")
    if not line.endswith("]") or not value.strip():
        raise NotationError(f"record: line {number}: can't read header {line!r}: expected [key value]")
    if key in headers:
        raise NotationError(f"record: line {number}: the header {key!r} occurs twice")
    headers[key] = value


def _checked_headers(given: Mapping[str, str], game: type[Game]) -> dict[str, str]:
    """All headers in their order."""
    known = [*game.HEADERS, *(key for key in game.SOMETIMES if key in given)]
    for key in given:
        if key not in known:
            raise NotationError(f"record: unknown header {key!r}: expected {', '.join(known)}{nearest(key, known)}")
    for key in game.NEEDED_HEADERS:
        if key not in given:
            raise NotationError(f"record: the header {key!r} is missing")
    headers = {key: _clean(str(given.get(key, UNKNOWN))) or UNKNOWN for key in known}
    for key, choices in game.header_choices().items():
        _choose(key, headers[key], [*choices] if key in game.NEEDED_HEADERS else [*choices, UNKNOWN])
    _choose("result", headers["result"], RESULTS)
    if not _HASH.fullmatch(headers["hash"]) and ("hash" in game.NEEDED_HEADERS or headers["hash"] != UNKNOWN):
        raise NotationError(f"record: hash {headers['hash']!r}: expected 16 hex digits")
    if headers["date"] != UNKNOWN:
        _check_date(headers["date"])
    return headers


def _choose(key: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise NotationError(f"record: {key} {value!r} is none of {', '.join(choices)}{nearest(value, choices)}")


def _check_date(value: str) -> None:
    try:
        date.fromisoformat(value)
    except ValueError:
        raise NotationError(f"record: date {value!r}: expected year-month-day") from None


# ---- recording ------------------------------------------------------------------------------------------------------


class Recorder:
    """Plays a game and writes it down: play through it instead of the game, then take `record()`."""

    def __init__(
        self,
        game: Game,
        frame: str = UNKNOWN,
        seed: int | str = UNKNOWN,
        players: str = UNKNOWN,
        date: str = UNKNOWN,
        more: Mapping[str, str] | None = None,
    ) -> None:
        """`more`: further headers, such as those of a match."""
        self.game = game
        self._about = {"frame": frame, "seed": str(seed), "players": players, "date": date, **(more or {})}
        self._deal = "" if game.setting_up else game.deal_text()
        self._turns: list[list[str]] = [[]]
        self._notes: dict[int, Notes] = {}
        self._moves = 0

    def copy(self) -> Recorder:
        """All as it is now, with a copy of the game, to go back to."""
        other = copy(self)
        other.game = self.game.copy()
        other._turns, other._notes = [list(turn) for turn in self._turns], dict(self._notes)
        return other

    def play(self, tokens: str) -> None:
        """Play tokens separated by blanks, all or none."""
        words = tokens.split()
        if len(words) > 1:
            self.game.copy().play(tokens)  # raises if any is illegal
        for word in words:
            self.step(self.game.action_id(word))

    def step(
        self, action: int, chance: Sequence[Event] | None = None, notes: Mapping[int, float] | None = None
    ) -> None:
        """Play one action id. `chance`: the events that come of it; without, the game draws them.

        `notes`: how the player weighed the action ids.
        """
        game, turn = self.game, self.game.turn
        token = game.token(int(action)) if 0 <= int(action) < game.about.num_actions else str(action)
        weighed = {game.token(int(choice)): float(value) for choice, value in (notes or {}).items()}
        if chance is None:
            game.step(action)
        else:
            game.step_with(action, chance)
        if not self._deal:  # choices before the deal stand in the headers
            self._deal = "" if game.setting_up else game.deal_text()
            return
        self._moves += 1
        if weighed:
            self._notes[self._moves] = weighed
        self._turns[-1].append(token)
        for event in game.last_random:
            self._turns[-1] += game.chance_words(event)
        if game.turn != turn:
            self._turns.append([])

    def record(self) -> Record:
        """What has been played so far."""
        ending = {"result": result_text(self.game), "hash": position_hash(self.game)}
        headers = {**self._about, **self.game.headers(), **ending}
        known = {key: headers[key] for key in (*self.game.HEADERS, *self.game.SOMETIMES) if key in headers}
        return Record(known, self._deal, [" ".join(turn) for turn in self._turns], dict(self._notes))


# ---- files ----------------------------------------------------------------------------------------------------------

MANY = (".jsonl", ".parquet")  # files of many records


def suffixes() -> list[str]:
    """How the names of record files end."""
    return [*(package.SUFFIX for package in packages()), *MANY]


def names_of_files() -> str:
    """The same, for help texts."""
    *others, last = suffixes()
    return f"{', '.join(others)} or {last}"


class Entry(NamedTuple):
    """A record in a file, not yet read."""

    where: str  # "game 3", or empty in a file of one game
    read: Callable[[], Record]


def entries(path: str | Path) -> Iterator[Entry]:
    """The records of a file of one game, `.jsonl` or `.parquet`, so that one bad record doesn't hide the others."""
    path = Path(path)
    suffix = _suffix(path)
    if suffix not in MANY:
        yield Entry("", lambda: Record.from_text(_read_text(path)))
    elif suffix == ".jsonl":
        with path.open("rb") as file:
            for number, line in enumerate(_long_lines(file), 1):
                yield Entry(f"game {number}", partial(_read_json, line))
    else:
        for number, row in enumerate(_read_parquet(path), 1):
            yield Entry(f"game {number}", partial(Record.from_row, row))


def load(path: str | Path) -> list[Record]:
    """All records of a file."""
    records = []
    for entry in entries(path):
        try:
            records.append(entry.read())
        except KaError as error:
            raise type(error)(": ".join(filter(None, [str(path), entry.where, str(error)]))) from None
    return records


def save(path: str | Path, records: Iterable[Record]) -> None:
    """Write records to a file; its suffix says how. A game's own kind of file holds one."""
    path = Path(path)
    suffix = _suffix(path)
    games = list(records)
    if suffix not in MANY:
        if len(games) != 1:
            raise NotationError(f"{path}: a {suffix} file holds one game, not {len(games)}; use {' or '.join(MANY)}")
        path.write_bytes(games[0].to_text().encode())
    elif suffix == ".jsonl":
        path.write_bytes("".join(json.dumps(game.to_row(), ensure_ascii=False) + "\n" for game in games).encode())
    else:
        _write_parquet(path, games)


def _suffix(path: Path) -> str:
    if path.suffix not in suffixes():
        raise NotationError(f"{path}: unknown kind of file: expected a name that ends with {', '.join(suffixes())}")
    return path.suffix


def _long_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Lines that aren't empty; of one that is too long only the beginning, which is too long as well."""
    while line := file.readline(2 * MOST_RECORD):
        whole = line.endswith(b"\n")
        if line.strip():
            yield line
        while not whole and (rest := file.readline(MOST_RECORD)):
            whole = rest.endswith(b"\n")


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotationError(f"record: no UTF-8 text: {error.reason} at byte {error.start}") from None


def _read_text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_RECORD + 1)
    limit_text(data.decode("latin-1"), MOST_RECORD, "record")
    return _decode(data)


def _read_json(line: bytes) -> Record:
    return Record.from_json(_decode(line))


def _arrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise NotationError(f"Parquet files need pyarrow: {install_extra('parquet')}") from None


def _read_parquet(path: Path) -> Iterator[dict[str, Any]]:
    arrow, parquet = _arrow()
    with path.open("rb") as file:
        try:
            content = parquet.ParquetFile(file)
            size = sum(content.metadata.row_group(i).total_byte_size for i in range(content.num_row_groups))
            if size > MOST_PARQUET:
                raise NotationError(f"record: {size} bytes when unpacked: expected at most {MOST_PARQUET}")
            for batch in content.iter_batches(batch_size=256):
                yield from batch.to_pylist()
        except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise NotationError(f"record: no Parquet file: {error}") from None


def _write_parquet(path: Path, games: list[Record]) -> None:
    arrow, parquet = _arrow()
    rows = [game.to_row() for game in games]
    columns = dict.fromkeys(name for row in rows for name in row)
    schema = arrow.schema([(name, arrow.string()) for name in columns])
    parquet.write_table(arrow.Table.from_pylist(rows, schema), path)
