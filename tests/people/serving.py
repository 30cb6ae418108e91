"""A running server and clients of it, for tests: the real thing on a free port, with its own event loop in a thread."""

import asyncio
import json
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager

import uvicorn
from websockets.sync.client import connect

from ka_env.commands.serve import listen
from ka_env.serve.app import make_app
from ka_env.serve.limits import Limits
from ka_env.serve.lobby import Lobby
from tests import PATIENCE

TOKEN = "test-token"


class Served:
    """`lobby` and `room` are those of the server: look, don't touch, except by `on_loop`."""

    def __init__(self, limits=None, opponents=()):
        self.limits = limits or Limits()
        self._listener = listen("127.0.0.1", 0)
        self.port = self._listener.getsockname()[1]
        self.lobby = Lobby(self.limits, opponents)
        app = make_app(self.lobby, TOKEN, self.port)
        self.room = app.app.state.room
        config = uvicorn.Config(app, ws_max_size=self.limits.frame, ws="websockets-sansio", log_level="error")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.loop = None

    def _run(self):
        async def serve():
            self.loop = asyncio.get_running_loop()
            await self._server.serve([self._listener])

        asyncio.run(serve())

    def __enter__(self):
        self._thread.start()
        while not self._server.started:
            threading.Event().wait(0.01)
        return self

    def __exit__(self, *_):
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self):
        return f"{self.address}/?token={TOKEN}"

    def on_loop(self, work):
        """Run a coroutine function where the server runs."""
        return asyncio.run_coroutine_threadsafe(work(), self.loop).result(PATIENCE)

    def settle(self):
        """Until no agent thinks any longer, and what it said is dealt with."""

        async def wait():
            while self.room._tasks:
                await asyncio.gather(*self.room._tasks, return_exceptions=True)

        self.on_loop(wait)

    def drop_sockets(self):
        async def drop():
            for sitters in list(self.room.sitters.values()):
                for sitter in list(sitters):
                    await sitter.socket.close(1012)

        self.on_loop(drop)

    def get(self, path, cookie="", **headers):
        """Status, headers and text, redirects not followed."""
        if cookie:
            headers["Cookie"] = cookie
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            with urllib.request.build_opener(_Stay).open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def enter(self):
        """The cookies of a new client."""
        _, headers, _ = self.get(f"/?token={TOKEN}")
        return "; ".join(one.partition(";")[0] for one in headers.get_all("Set-Cookie"))

    @contextmanager
    def client(self, cookie=None):
        cookie = cookie or self.enter()
        address = f"ws://127.0.0.1:{self.port}/socket"
        with connect(address, origin=self.address, additional_headers={"Cookie": cookie}, max_size=None) as socket:
            yield Client(self, socket, cookie)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Client:
    """Speaks the protocol; keeps everything it was sent."""

    def __init__(self, served, socket, cookie):
        self.served, self.socket, self.cookie = served, socket, cookie
        self.heard = []

    def say(self, do, **fields):
        self.raw(json.dumps({"do": do, **fields}))

    def raw(self, data):
        self.socket.send(data)

    def hear(self, *kinds):
        """The next message, or the next of some kinds."""
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            self.heard.append(message)
            if not kinds or message["is"] in kinds:
                return message

    def ask(self, do, *kinds, **fields):
        self.say(do, **fields)
        return self.hear(*kinds)

    def play(self, ruleset="8.0-lite", opponent="random", seat="first", language="en", frame=None, **more):
        """Sit down at a new table; the first message of it."""
        from ka_env.games import game_of

        frame = frame or game_of(ruleset).default_frame(ruleset)
        fields = {"ruleset": ruleset, "frame": frame, "opponent": opponent, "seat": seat, "language": language}
        seated = self.ask("new", "seated", "error", **fields, **more)
        assert seated["is"] == "seated", seated
        return self.sit(seated["table"])

    def sit(self, table, **more):
        self.table = table
        return self.ask("sit", "table", table=table, **more)

    def until_asked(self, message):
        """On to the next question of this client, or the end."""
        while message["end"] == "running" and not message["options"]:
            message = self.hear("table", "error")
            assert message["is"] == "table", message
        return message

    def choose(self, message, *tokens):
        """Answer; the next message of the table."""
        return self.ask("choose", "table", at=message["number"], tokens=list(tokens))

    @property
    def server_table(self):
        """The table as the server has it, hidden cards and all."""
        return self.served.lobby._tables[self.table][1]
