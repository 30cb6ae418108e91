"""The pictures of the documentation: `python -m ka_env.serve.pictures docs/images docs/positions` (needs Playwright).

Lobby and tables in a Chromium (KA_CHROMIUM, or one that is installed), on positions that never change.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from ka_env.agents.levels import default_hint, default_opponent
from ka_env.commands.serve import listen
from ka_env.errors import KaError
from ka_env.games import Setup, game_of_text
from ka_env.record import Recorder
from ka_env.serve.app import make_app
from ka_env.serve.lobby import Lobby
from ka_env.serve.table import Table

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FLAGS = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking".split()
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "is_mobile": True, "has_touch": True}
TABLES: list[tuple[str, str, dict[str, Any], int]] = [  # picture, position, window, choices made before it
    ("serve_table", "answer", DESKTOP, 5),
    ("serve_bluemoon", "bluemoon_fight", DESKTOP, 2),
    ("serve_phone", "fight", PHONE, 3),
]


@contextmanager
def served(lobby: Lobby) -> Iterator[tuple[str, int]]:
    """The link and the port of a server in a thread."""
    import uvicorn

    listener = listen("127.0.0.1", 0)
    port, token = listener.getsockname()[1], secrets.token_urlsafe(8)
    server = uvicorn.Server(uvicorn.Config(make_app(lobby, token, port), ws="websockets-sansio", log_level="error"))
    thread = Thread(target=server.run, args=[[listener]], daemon=True)
    thread.start()
    while not server.started:
        Event().wait(0.01)
    yield f"http://127.0.0.1:{port}/?token={token}", port
    server.should_exit = True
    thread.join(10)


def table_of(text: str) -> Table:
    """A table at a position, with whoever decides there as the person."""
    game = game_of_text(text).Game.from_text(text, 1)
    setup = Setup.of(game.ruleset)
    opponent, hint = default_opponent(*setup[:2]), default_hint(*setup[:2])
    return Table(Recorder(game), int(game.player or 0), opponent, setup, "en", hint)


def take(browser: Any, link: str, port: int, lobby: Lobby, images: Path, positions: Path) -> None:
    page = browser.new_context(**DESKTOP).new_page()
    page.goto(link)
    page.wait_for_selector("#levels button")
    page.screenshot(path=images / "serve_lobby.png")
    for picture, position, window, choices in TABLES:
        context = browser.new_context(reduced_motion="reduce", **window)
        page = context.new_page()
        page.goto(link)
        name = next(one["value"] for one in context.cookies() if one["name"] == f"ka_name_{port}")
        table = lobby.place(name, table_of((positions / f"{position}.txt").read_text(encoding="utf-8")))
        page.goto(f"{link.partition('?')[0]}table/{table.id}")
        for _ in range(choices):
            hint(page)
            before = page.locator("html").get_attribute("data-number")
            page.click("#choices .hinted")
            page.wait_for_selector(f'html:not([data-number="{before}"])')
        hint(page)
        page.mouse.move(640, 795)
        page.screenshot(path=images / f"{picture}.png")


def hint(page: Any) -> None:
    """Wait for a question and ask what to play."""
    page.wait_for_selector('html[data-asked="true"]')
    page.click("#hint")
    page.wait_for_selector("#choices .hinted")


def main(arguments: list[str]) -> int:
    from playwright.sync_api import sync_playwright

    images, positions = map(Path, arguments)
    found = os.environ.get("KA_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise KaError(f"no Chromium here: expected one of {', '.join(BROWSERS)}, or KA_CHROMIUM")
    lobby = Lobby()
    with served(lobby) as (link, port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        take(browser, link, port, lobby, images, positions)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
