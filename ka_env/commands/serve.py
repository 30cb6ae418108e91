"""Play in the browser: a server for this machine, or with --host for everybody in the room who has the link.

--arena shows a tournament under way, --run a training: standings and curves as they come.
"""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import webbrowser
from threading import Thread
from typing import Any

from ka_env.errors import KaError
from ka_env.screen.session import agent_named
from ka_env.viewer.words import LANGUAGES

HELP = "play in the browser"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; default: this machine alone")
    parser.add_argument("--port", type=int, default=0, help="default: one that is free")
    parser.add_argument("--no-open", action="store_true", help="don't open the browser")
    parser.add_argument("--lang", choices=list(LANGUAGES), default="en", help="language of the lobby at first")
    parser.add_argument("--opponent", metavar="AGENT", action="append", default=[], help="one more to choose from")
    parser.add_argument("--arena", metavar="STORE", help="watch this tournament (.sqlite): standings, and every game")
    parser.add_argument("--run", dest="training", metavar="DIR", help="watch this training run: its curves")


def run(args: argparse.Namespace) -> int:
    return serve(
        args.host, args.port, not args.no_open, args.lang, args.opponent, arena=args.arena, training=args.training
    )


def serve(
    host: str,
    port: int,
    opens: bool,
    language: str,
    opponents: list[str],
    token: str | None = None,
    arena: str | None = None,
    training: str | None = None,
) -> int:
    import uvicorn

    from ka_env.serve.app import make_app
    from ka_env.serve.limits import Limits
    from ka_env.serve.live import live_routes
    from ka_env.serve.lobby import Lobby

    for spec in opponents:
        agent_named(spec)  # a wrong name is said now
    more = live_routes(arena, training)
    limits = Limits()
    listener = listen(host, port)
    port = listener.getsockname()[1]
    token = token or secrets.token_urlsafe(16)
    local = host in LOOPBACK
    app = make_app(Lobby(limits, opponents), token, port, LOOPBACK if local else None, language, more)
    start = "arena" if arena else "run" if training else ""
    link = f"http://{shown(host)}:{port}/{start}?token={token}"
    print(f"{'The table' if local else 'The table, for everybody with this link'}: {link}\nCtrl+C ends it.", flush=True)
    if opens:
        Thread(target=webbrowser.open, args=[link], daemon=True).start()
    os.environ["KA_QUIET"] = "1"
    settings: dict[str, Any] = {"ws_max_size": limits.frame, "ws_max_queue": 8, "log_level": "warning"}
    config = uvicorn.Config(app, **settings, server_header=False, access_log=False, ws="websockets-sansio")
    uvicorn.Server(config).run([listener])
    return 0


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)  # whoever comes early waits
    except (OSError, OverflowError) as error:
        listener.close()
        raise KaError(f"can't listen on {host}:{port}: {getattr(error, 'strerror', None) or error}") from None
    return listener


def shown(host: str) -> str:
    """The address for the link: of all addresses, the one others reach this machine by."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
