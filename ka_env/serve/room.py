"""The room where the tables stand: who sits where, agents that think in threads of their own, moves as they come."""

from __future__ import annotations

import asyncio
import os
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import WeakKeyDictionary

from ka_env.errors import KaError
from ka_env.serve.lobby import Lobby
from ka_env.serve.protocol import BadMessage
from ka_env.serve.table import Table

Message = dict[str, Any]


class Room:
    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.sitters: defaultdict[str, set[Any]] = defaultdict(set)  # connections by table
        self.connections: Counter[str] = Counter()  # by client
        self._threads = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "agent")
        self._locks: WeakKeyDictionary[Table, asyncio.Lock] = WeakKeyDictionary()
        self._advisers: WeakKeyDictionary[Table, asyncio.Lock] = WeakKeyDictionary()
        self._tasks: set[asyncio.Task] = set()

    async def think(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Outside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def begin(self, work: Any) -> None:
        """A task that nobody waits for."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- showing

    def show(self, table: Table) -> None:
        """Send the table to all who sit there, each with what it has not been told."""
        made: dict[int, Message] = {}
        for sitter in list(self.sitters[table.id]):
            told = min(sitter.told, len(table.log))
            if told not in made:
                made[told] = table.message(told)
            sitter.told = len(table.log)
            sitter.send(made[told])

    # ---- playing on

    def go_on(self, table: Table) -> None:
        """Show what has changed, then let the opponent answer."""
        self.show(table)
        if table.running and (table.quiet() or not table.asks):
            self.begin(self._advance(table))

    async def _advance(self, table: Table) -> None:
        """One at a time for a table: an agent is never asked twice at once."""
        lock = self._locks.setdefault(table, asyncio.Lock())
        async with lock:
            while table.running:
                token = table.quiet()
                if token:
                    table.pass_by(token)
                    self.show(table)
                elif table.asks:
                    return
                else:
                    await self._ask_opponent(table)

    async def _ask_opponent(self, table: Table) -> None:
        number = table.number
        try:
            token, reason = await self.think(table.opponent_thinks), ""
        except Exception as error:  # whatever an agent does, the others play on
            token, reason = "", _reason(error)
        if table.number != number:  # taken back or given up meanwhile
            return
        if reason:
            table.fail(reason)
        if reason or table.opponent_said(token) or table.asks or not table.running:
            self.show(table)

    async def advise(self, table: Table, sitter: Any) -> None:
        """A hint, for one who asked for it."""
        lock = self._advisers.setdefault(table, asyncio.Lock())
        if lock.locked():
            raise BadMessage("a hint is on its way")
        async with lock:
            number, game = table.number, table.as_known()
            try:
                token, weights = await self.think(table.advise, game)
            except Exception as error:
                sitter.send({"is": "error", "text": _reason(error)})
                return
            if table.number == number:
                sitter.send(table.hint_message(token, weights))


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, KaError) else f"{type(error).__name__}: {error}"
