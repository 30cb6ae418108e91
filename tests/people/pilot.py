"""Textual screens in tests: run an app at a size, press keys, read what is shown."""

import asyncio
import html
import re

from rich.cells import cell_len

from ka_env.screen.app import PlayApp

SIZE = (80, 24)
CELL = 12.2  # width of a sign in Textual's pictures


def screen(app):
    """The lines of the screen, as its picture shows them."""
    return lines(app.export_screenshot())


def lines(picture):
    rows = {}
    pattern = r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>'
    for x, y, text in re.findall(pattern, picture):
        line = rows.get(float(y), "")
        line += " " * (round(float(x) / CELL) - cell_len(line))
        rows[float(y)] = line + html.unescape(text).replace("\xa0", " ")
    return [rows[y] for y in sorted(rows)]


def run(app, script, size=SIZE):
    """Run an app on a small screen; `script` is given the pilot."""

    async def go():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            if isinstance(app, PlayApp):
                await settle(pilot)
            await script(pilot)

    asyncio.run(go())
    return app


async def settle(pilot):
    """Until nobody thinks any longer."""
    await pilot.pause()
    while pilot.app.workers._workers:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def press(pilot, *keys):
    """Keys one after another, each until all it set off is over."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)
