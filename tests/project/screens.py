"""Pictures of `ka play` for the pages. `python -m tests.project.screens` draws docs/images/play.svg and play_ja.svg."""

import asyncio
import re
import tempfile
from pathlib import Path

from ka_env.games import DEFAULT_RULESET
from ka_env.screen.app import PlayApp
from ka_env.screen.session import Session

from .docs import DOCS

SIZE = (96, 28)
KEYS = "b 1 s 1 1 w down down".split()  # a bulwark, a soldier; the cursor on the attack
FONT = "DejaVu Sans Mono, Noto Sans Mono CJK JP, Menlo, Consolas, monospace"


async def settle(pilot):
    await pilot.pause()
    while pilot.app.workers._workers:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def picture(language, folder):
    path = folder / f"{language}.ka"
    app = PlayApp(Session.new(DEFAULT_RULESET, None, None, path, "first", 11, language=language))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for key in KEYS:
            await pilot.press(key)
            await settle(pilot)
        return tidy(app.export_screenshot(title="ka play"))


def tidy(svg):
    """Without fonts of other servers, and the same for the same screen."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+-", "t-", svg)
    svg = svg.replace("font-family: Fira Code, monospace;", f"font-family: {FONT};")
    return re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for language, name in (("en", "play.svg"), ("ja", "play_ja.svg")):
            drawn = asyncio.run(picture(language, Path(folder)))
            (DOCS / "images" / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
