"""One socket: what its client says is read, checked and done; whatever is wrong gets an error and changes nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ka_env.errors import KaError
from ka_env.serve.limits import Bucket
from ka_env.serve.protocol import BadMessage, read
from ka_env.serve.room import Room
from ka_env.serve.table import Table

Message = dict[str, Any]
TOO_MANY, TOO_BIG = 1008, 1009  # why a socket was closed


class Connection:
    def __init__(self, room: Room, socket: WebSocket, client: str) -> None:
        self.room, self.socket, self.client = room, socket, client
        self.told = 0  # lines of the story that this client knows
        self.table: Table | None = None
        limits = room.lobby.limits
        self._out: asyncio.Queue[str | None] = asyncio.Queue(limits.waiting)
        self._bucket = Bucket(limits.burst, limits.per_second)
        self._refused = 0

    # ---- sending

    def send(self, message: Message) -> None:
        """In order, without waiting; a client that doesn't read is left."""
        try:
            self._out.put_nowait(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
        except asyncio.QueueFull:
            self._leave()
            self.room.begin(self.socket.close(TOO_MANY))

    async def _write(self) -> None:
        while (text := await self._out.get()) is not None:
            await self.socket.send_text(text)

    # ---- receiving

    async def run(self) -> None:
        limits = self.room.lobby.limits
        if self.room.connections[self.client] >= limits.connections:
            await self.socket.close(TOO_MANY, f"{limits.connections} connections are open already")
            return
        self.room.connections[self.client] += 1
        await self.socket.accept()
        writer = asyncio.get_running_loop().create_task(self._write())
        try:
            while self._refused < limits.refused:
                await self._receive()
            self._out.put_nowait(None)
            await asyncio.wait_for(writer, 5)  # what was said before the end arrives
            await self.socket.close(TOO_MANY)
        except (WebSocketDisconnect, RuntimeError, TimeoutError, asyncio.QueueFull):  # gone, or doesn't read
            pass
        finally:
            self._leave()
            writer.cancel()
            self.room.connections[self.client] -= 1
            if not self.room.connections[self.client]:
                del self.room.connections[self.client]

    async def _receive(self) -> None:
        event = await self.socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1000))
        text = event.get("text")
        try:
            self._bucket.take()
            message = read(event.get("bytes") or b"" if text is None else text, self.room.lobby.limits.message)
            await self._do(message)
            self._refused = 0
        except KaError as error:
            self._refused += 1
            self.send({"is": "error", "text": str(error), "kind": type(error).__name__})

    def _leave(self) -> None:
        if self.table is not None:
            self.room.sitters[self.table.id].discard(self)
            if not self.room.sitters[self.table.id]:
                del self.room.sitters[self.table.id]
            self.table = None

    # ---- doing

    async def _do(self, message: Message) -> None:
        await getattr(self, f"_do_{message['do']}")(message)

    async def _do_lobby(self, message: Message) -> None:
        self.send(self.room.lobby.offers(self.client, message["language"]))

    async def _do_opponents(self, message: Message) -> None:
        lobby = self.room.lobby
        self.send(await self.room.think(lobby.opponents, message["ruleset"], message["frame"], message["language"]))

    async def _do_new(self, message: Message) -> None:
        self.room.lobby.check_room(self.client)
        self._seat(await self.room.think(self.room.lobby.make, message))

    _do_lesson = _do_new

    async def _do_rematch(self, message: Message) -> None:
        table = self._sitting()
        self.room.lobby.check_room(self.client)
        self._seat(await self.room.think(self.room.lobby.rematch, table))

    def _seat(self, table: Table) -> None:
        self.room.lobby.place(self.client, table)
        self.send({"is": "seated", "table": table.id})

    async def _do_sit(self, message: Message) -> None:
        table = self.room.lobby.table(self.client, message["table"])
        self._leave()
        if "language" in message:
            table.speak(message["language"])
        self.table, self.told = table, len(table.log)
        self.room.sitters[table.id].add(self)
        self.send(table.hello())
        if table.running and (table.quiet() or not table.asks):
            self.room.begin(self.room._advance(table))

    def _sitting(self, at: int | None = None) -> Table:
        """The table sat at; `at`: the change that the client has seen last."""
        if self.table is None:
            raise BadMessage("you sit at no table: expected `sit` first")
        if at is not None and at != self.table.number:
            raise BadMessage(f"the table has changed: you have seen {at}, it is at {self.table.number}")
        return self.table

    async def _do_choose(self, message: Message) -> None:
        table = self._sitting(message["at"])
        table.answer(message["tokens"])
        self.room.go_on(table)

    async def _do_undo(self, message: Message) -> None:
        table = self._sitting(message["at"])
        table.take_back()
        for sitter in self.room.sitters[table.id]:
            sitter.told = min(sitter.told, len(table.log))
        self.room.go_on(table)

    async def _do_hint(self, message: Message) -> None:
        table = self._sitting(message["at"])
        if not table.asks:
            raise BadMessage("not your turn: hints are for your own choices")
        self.room.begin(self.room.advise(table, self))

    async def _do_resign(self, message: Message) -> None:
        table = self._sitting()
        table.resign()
        self.room.show(table)

    async def _do_passing(self, message: Message) -> None:
        table = self._sitting()
        table.passing = message["mode"]
        self.room.go_on(table)
