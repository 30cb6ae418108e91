"""The pages and the socket. Other rooms add pages of their own by `make_app(..., more=[Route(...)])`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from ka_env import viewer
from ka_env.errors import KaError
from ka_env.games import load_game
from ka_env.serve import __name__ as HERE
from ka_env.serve.connection import Connection
from ka_env.serve.guard import LOCAL, Guard
from ka_env.serve.live import AnalysisPages
from ka_env.serve.lobby import Lobby
from ka_env.serve.room import Room
from ka_env.serve.table import Table
from ka_env.serve.words import PAGE

FILES = {  # what browsers may ask for, and the package it lies in
    "pieces.js": viewer.__name__,
    "style.css": viewer.__name__,
    "socket.js": HERE,
    "lobby.js": HERE,
    "play.js": HERE,
    "play.css": HERE,
    "live.js": HERE,
}
KINDS = {"js": "text/javascript", "css": "text/css", "html": "text/html"}
REPLAY_POLICY = (  # a page of `ka view`: all of it stands in the page
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; sandbox allow-scripts"
)


def make_app(
    lobby: Lobby,
    token: str,
    port: int,
    hosts: tuple[str, ...] | None = LOCAL,
    language: str = "en",
    more: Sequence[BaseRoute] = (),
) -> ASGIApp:
    """The whole server. `more`: further routes, behind the same guard."""
    room = Room(lobby)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        room.close()

    pages = Pages(room, language)
    routes = [
        Route("/", pages.lobby),
        Route("/table/{table}", pages.table),
        Route("/record/{table}", pages.record),
        Route("/replay/{table}", pages.replay),
        Route("/files/{name}", pages.file),
        Route("/games/{game}/{name}", pages.game_file),
        WebSocketRoute("/socket", pages.socket),
        *AnalysisPages().routes(),
        *more,
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.room = room
    return Guard(app, token, port, hosts)


def text_of(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def filled(name: str, **parts: str) -> HTMLResponse:
    """A page; what is filled in is escaped by whoever gives it."""
    return HTMLResponse(Template(text_of(HERE, name)).substitute(parts))


def as_data(data: Any) -> str:
    """JSON that can stand in a page."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


class Pages:
    def __init__(self, room: Room, language: str) -> None:
        self.room, self.language = room, language

    def _table(self, request: Request) -> Table:
        return _found(self.room.lobby.table, request.scope["client_name"], request.path_params["table"])

    async def lobby(self, request: Request) -> Response:
        return filled("lobby.html", language=self.language, data=as_data({"words": PAGE, "language": self.language}))

    async def table(self, request: Request) -> Response:
        table = self._table(request)
        about = table.game.about
        return filled(
            "play.html",
            language=table.language,
            title=escape(f"{about.title} · {table.frame}"),
            game=about.name,
            table_html=text_of(table.viewer.__package__, "table.html"),
            data=as_data({"words": PAGE, "table": table.id, "language": table.language}),
        )

    async def record(self, request: Request) -> Response:
        table = self._table(request)
        text = _found(table.record_text)
        name = f"{table.id.strip('-_')}{table.game.about.suffix}"
        return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    async def replay(self, request: Request) -> Response:
        table = self._table(request)
        _found(table.record_text)
        page = await self.room.think(viewer.page, table.recorder.record(), table.language)
        return HTMLResponse(page, headers={"Content-Security-Policy": REPLAY_POLICY})

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            raise HTTPException(404)
        return _file(FILES[name], name)

    async def game_file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ("table.js", "table.css"):
            raise HTTPException(404)
        return _file(_found(load_game, request.path_params["game"]).room("viewer").__package__, name)

    async def socket(self, socket: WebSocket) -> None:
        await Connection(self.room, socket, socket.scope["client_name"]).run()


def _file(package: str, name: str) -> Response:
    return Response(text_of(package, name), media_type=KINDS[name.rpartition(".")[2]])


def _found(find: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return find(*arguments)
    except KaError as error:
        raise HTTPException(404, str(error)) from None
