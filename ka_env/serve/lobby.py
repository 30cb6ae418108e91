"""All tables and whose they are; what can be played; making new tables within the limits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from ka_env.agents.levels import Level, default_opponent, opponents
from ka_env.errors import KaError, nearest
from ka_env.games import DEFAULT_RULESET, KaGame, Setup, game_of, load_game, packages
from ka_env.serve.lesson import LessonTable
from ka_env.serve.limits import Limits, TooMuch
from ka_env.serve.protocol import BadMessage
from ka_env.serve.table import Table

Message = dict[str, Any]


def _playable(about: KaGame) -> bool:
    """Does a game bring a table to sit at?"""
    return about.viewer is not None and hasattr(about.viewer(), "table_data")


class Lobby:
    def __init__(self, limits: Limits | None = None, more_opponents: Iterable[str] = ()) -> None:
        """`more_opponents`: agents that may be chosen beside those that the package knows."""
        self.limits = limits or Limits()
        self._more = [Level("", spec, "other") for spec in more_opponents]
        self._tables: OrderedDict[str, tuple[str, Table]] = OrderedDict()  # the longest untouched first

    # ---- what can be played

    def offers(self, client: str, language: str) -> Message:
        games = [self._offer(package, language) for package in packages() if _playable(package.GAME)]
        mine = [self._card(table) for owner, table in self._tables.values() if owner == client]
        return {"is": "lobby", "games": games, "default": DEFAULT_RULESET, "tables": mine[::-1]}

    def _offer(self, package: Any, language: str) -> Message:
        about: KaGame = package.GAME
        room = about.room("viewer")
        rulesets = [
            {
                "name": ruleset,
                "frame": about.default_frame(ruleset),
                "frames": [[frame, decks] for frame, decks in room.frames(ruleset).items()],
            }
            for ruleset in about.rulesets
        ]
        lessons = [lesson.title[language] for lesson in room.LESSONS]
        return {
            "name": about.name,
            "title": about.title,
            "signs": room.SIGNS,
            "rulesets": rulesets,
            "lessons": lessons,
        }

    def _card(self, table: Table) -> Message:
        words = [table.game.about.title, table.game.ruleset, table.frame]
        return {"table": table.id, "about": words, "opponent": table.opponent_words(), "running": table.running}

    def opponents(self, ruleset: str, frame: str, language: str) -> Message:
        """Whom one can play against, with a word on each."""
        self._frame(ruleset, frame)
        usual = game_of(ruleset).default_frame(ruleset)
        own = frame if game_of(ruleset).room("viewer").frames(ruleset)[frame] != "must" else usual
        found = [
            {"spec": one.spec, "word": one.word, "title": one.title(language), "strength": one.strength(language)}
            for one in [*opponents(ruleset, own), *self._more]
        ]
        default = default_opponent(ruleset, own)
        return {"is": "opponents", "ruleset": ruleset, "frame": frame, "opponents": found, "default": default}

    def _frame(self, ruleset: str, frame: str) -> str:
        """What this frame says of decks."""
        known = game_of(ruleset).room("viewer").frames(ruleset)
        if frame not in known:
            raise BadMessage(
                f"{ruleset} has no frame {frame!r}: expected one of {', '.join(known)}{nearest(frame, known)}"
            )
        return known[frame]

    # ---- tables

    def make(self, message: Message) -> Table:
        """Deal what a message asks for; nothing of the lobby changes, so this may run in a thread of its own."""
        if message["do"] == "lesson":
            return LessonTable.open(load_game(message["game"]), message["number"], message["language"])
        ruleset, frame = message["ruleset"], message["frame"]
        decks = self._frame(ruleset, frame)
        if decks == "no" and ("deck" in message or "their_deck" in message):
            raise BadMessage(f"the frame {frame!r} brings its own decks: expected no deck lists")
        offered = self.opponents(ruleset, frame, message["language"])["opponents"]
        specs = [one["spec"] for one in offered]
        if message["opponent"] not in specs:
            raise BadMessage(
                f"no opponent {message['opponent']!r} here: expected one of {', '.join(specs)}"
                f"{nearest(message['opponent'], specs)}"
            )
        mine, theirs = message.get("deck"), message.get("their_deck")
        setup = Setup.of(ruleset, frame, mine, theirs)
        other = Setup.of(ruleset, setup.game.room("viewer").mirrored(frame), theirs, mine)
        return Table.deal(setup, other, message["opponent"], message["seat"], message["language"])

    def rematch(self, table: Table) -> Table:
        """The same game with the seats swapped: whoever began is second now, decks stay with their players."""
        if table.running or isinstance(table, LessonTable):
            raise BadMessage("a rematch comes after a game")
        mine, theirs = (table.setup, table.mirrored) if table.seat == 0 else (table.mirrored, table.setup)
        seat = "second" if table.began else "first"
        return Table.deal(mine, theirs, table.opponent.spec, seat, table.language)

    def check_room(self, client: str) -> None:
        """May this client have one more table?"""
        mine = [table for owner, table in self._tables.values() if owner == client]
        if sum(table.running for table in mine) >= self.limits.games:
            raise TooMuch(f"{self.limits.games} games are running already: end one of them first")

    def place(self, client: str, table: Table) -> Table:
        """The oldest one makes room, if there are too many."""
        self.check_room(client)
        while len(self._tables) >= self.limits.tables:
            self._tables.popitem(last=False)
        self._tables[table.id] = (client, table)
        return table

    def table(self, client: str, name: str) -> Table:
        """A table of this client; somebody else's is as if it were not there."""
        owner, table = self._tables.get(name, ("", None))
        if table is None or owner != client:
            raise KaError(f"there is no table {name!r} of yours")
        self._tables.move_to_end(name)
        return table

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def running(self) -> int:
        return sum(table.running for _, table in self._tables.values())
