"""Load and fuzz of a server of its own: `python -m ka_env.serve.stress --games 50 --seconds 20`.

Load: so many games at once, a person's choice every `--pause` seconds in each; measured is the time from a choice to
the server's answer to it, before the opponent thinks. Fuzz: as long again odd messages of `--fuzzers` clients, while
one game goes on beside them; whatever they say, the server must answer and their tables must stay as they are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from ka_env.errors import KaError
from ka_env.games import packages
from ka_env.serve.protocol import SAYINGS

OPPONENTS = 2  # of each ruleset, the weakest first: agents that think long are not what is measured
PATIENCE = 600  # seconds for an answer; a ruleset may have to be compiled first
Message = dict[str, Any]


class Server:
    """`ka serve` in a process of its own."""

    def __enter__(self) -> Server:
        command = [sys.executable, "-m", "ka_env", "serve", "--no-open"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http\S+", self.process.stdout.readline())
        if found is None:
            raise KaError("ka serve did not begin: expected its link")
        self.link = found[0]
        self.host = urlsplit(self.link).netloc
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(20)

    def cpu_seconds(self) -> float:
        """Computing time of the server so far; not a number where the system doesn't tell it."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def cookie(self) -> str:
        """A new visitor's."""

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_: Any) -> None:
                return None

        try:
            urllib.request.build_opener(Stay).open(self.link, timeout=PATIENCE)
        except urllib.error.HTTPError as answer:
            return "; ".join(one.partition(";")[0] for one in answer.headers.get_all("Set-Cookie") or [])
        raise KaError("the link of ka serve leads nowhere: expected a redirect with cookies")

    def connect(self, cookie: str) -> Any:
        from websockets.asyncio.client import connect

        headers = {"Cookie": cookie}
        return connect(f"ws://{self.host}/socket", origin=f"http://{self.host}", additional_headers=headers)  # type: ignore[arg-type]


class Visitor:
    """Speaks the protocol over one socket."""

    def __init__(self, socket: Any, rng: random.Random) -> None:
        self.socket, self.rng = socket, rng

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, *kinds: str) -> Message:
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            if message["is"] in kinds:
                return message

    async def sit_down(self) -> Message:
        """At a new table: any game, any ruleset's usual decks, a quick opponent."""
        about = self.rng.choice([package.GAME for package in packages()])
        ruleset = self.rng.choice(list(about.rulesets))
        frame = about.default_frame(ruleset)
        await self.say(do="opponents", ruleset=ruleset, frame=frame, language="en")
        offered = (await self.hear("opponents"))["opponents"]
        opponent = self.rng.choice(offered[:OPPONENTS])["spec"]
        language = self.rng.choice(["en", "ja"])
        await self.say(do="new", ruleset=ruleset, frame=frame, opponent=opponent, seat="random", language=language)
        seated = await self.hear("seated", "error")
        if seated["is"] == "error":
            raise KaError(f"no table: {seated['text']}")
        self.table = seated["table"]
        await self.say(do="sit", table=self.table)
        return await self.hear("table")

    async def until_asked(self, message: Message) -> Message:
        while message["end"] == "running" and not message["options"]:
            message = await self.hear("table")
        return message

    async def choose(self, message: Message) -> tuple[Message, float]:
        """Any choice; the answer to it, and how long it took in milliseconds."""
        option = self.rng.choice(message["options"])
        began = time.perf_counter()
        await self.say(do="choose", at=message["number"], tokens=[option["token"]])
        answer = await self.hear("table")
        return answer, 1000 * (time.perf_counter() - began)


# ---- load -----------------------------------------------------------------------------------------------------------


async def play_on(
    server: Server, cookie: str, seed: int, until: asyncio.Event, pause: float, seated: asyncio.Semaphore
) -> list[float]:
    """Games one after the other until the time is over, a choice at least; how long each answer took."""
    rng = random.Random(seed)
    took: list[float] = []
    async with server.connect(cookie) as socket:
        visitor = Visitor(socket, rng)
        message = await visitor.sit_down()
        seated.release()
        while not until.is_set() or not took:
            message = await visitor.until_asked(message)
            if message["end"] != "running":
                message = await visitor.sit_down()
                continue
            await asyncio.sleep(pause * rng.uniform(0.5, 1.5))
            message, time_ = await visitor.choose(message)
            took.append(time_)
    return took


async def load(server: Server, games: int, seconds: float, pause: float) -> None:
    cookies = [server.cookie() for _ in range(games)]
    over, seated = asyncio.Event(), asyncio.Semaphore(0)
    players = [asyncio.create_task(play_on(server, one, i, over, pause, seated)) for i, one in enumerate(cookies)]
    for _ in players:  # everybody sits, and compiled code is loaded, before the clock runs
        await seated.acquire()
    before = server.cpu_seconds()
    await asyncio.sleep(seconds)
    over.set()
    took = np.array([time_ for some in await asyncio.gather(*players) for time_ in some])
    spent = server.cpu_seconds() - before
    p50, p95, most = np.percentile(took, [50, 95, 100])
    print(
        f"load: {games} games at once, {seconds:g} s, {took.size} choices ({took.size / seconds:.0f}/s), "
        f"{os.cpu_count()} cores under a load of {os.getloadavg()[0]:.1f}: answer p50 {p50:.1f} ms, p95 {p95:.1f} ms, "
        f"max {most:.1f} ms; the server computed {1000 * spent / took.size:.1f} ms for each choice, agents included"
    )


# ---- fuzz -----------------------------------------------------------------------------------------------------------


def odd_message(rng: random.Random) -> str | bytes:
    """Anything but what the protocol knows, or only just."""
    values: list[Any] = [
        None,
        True,
        -1,
        0,
        1 << 40,
        0.5,
        "",
        "pass",
        "\0",
        "x" * 300,
        [],
        ["pass"] * 9,
        [["pass"]],
        {},
        "🂡",
        "en",
    ]
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(64))
    if kind == 1:
        return "".join(chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x3000, 0x3100)])) for _ in range(40))
    if kind == 2:
        return rng.choice(["[", '{"do":']) * rng.randrange(1, 3000)
    if kind == 3:
        return json.dumps({"do": "sit", "table": "x" * rng.randrange(8_000, 60_000)})
    do = rng.choice([*SAYINGS, "dance", ""])
    fields = {name: rng.choice(values) for name in SAYINGS.get(do, {}) if rng.random() < 0.9}
    text = json.dumps({"do": do, **fields, **({"more": 1} if rng.random() < 0.1 else {})})
    return text if kind == 4 else text[: rng.randrange(len(text))]


async def pester(server: Server, cookie: str, seed: int, until: asyncio.Event, heard: Counter[str]) -> None:
    from websockets.exceptions import ConnectionClosed

    rng = random.Random(seed)
    async with server.connect(cookie) as socket:
        visitor = Visitor(socket, rng)
        before = await visitor.until_asked(await visitor.sit_down())
    rounds = 0
    while not (rounds and until.is_set()):
        rounds += 1
        async with server.connect(cookie) as socket:
            try:
                for _ in range(50):
                    heard["sent"] += 1
                    await socket.send(odd_message(rng))
                    heard[json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["is"]] += 1
                    await asyncio.sleep(0.055)  # below the rate that is refused as such
            except ConnectionClosed:
                heard["closed"] += 1
    async with server.connect(cookie) as socket:
        visitor = Visitor(socket, rng)
        await visitor.say(do="sit", table=before["table"])
        after = await visitor.hear("table")
        heard["tables changed"] += any(after[key] != before[key] for key in ("number", "position", "options"))


async def fuzz(server: Server, fuzzers: int, seconds: float) -> None:
    over, heard = asyncio.Event(), Counter[str]()
    cookies = [server.cookie() for _ in range(fuzzers + 1)]
    beside = asyncio.create_task(play_on(server, cookies[0], 0, over, 0.2, asyncio.Semaphore(0)))
    pests = [asyncio.create_task(pester(server, one, i, over, heard)) for i, one in enumerate(cookies[1:])]
    await asyncio.sleep(seconds)
    over.set()
    await asyncio.gather(*pests)
    moves = await beside
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(heard.items()) if kind != "sent")
    print(f"fuzz: {fuzzers} clients, {seconds:g} s, {heard['sent']} odd messages: {told}; {len(moves)} choices beside")
    if heard["tables changed"] or not moves or not server.alive:
        raise KaError("fuzz: the server did not stand: see the line above")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m ka_env.serve.stress", description=__doc__)
    parser.add_argument("--games", type=int, default=50, help="at once")
    parser.add_argument("--seconds", type=float, default=20, help="of load, and of fuzz")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds that a person thinks, on average")
    parser.add_argument("--fuzzers", type=int, default=8, help="clients that send odd messages")
    args = parser.parse_args(arguments)

    async def run() -> None:
        with Server() as server:
            await load(server, args.games, args.seconds, args.pause)
            await fuzz(server, args.fuzzers, args.seconds)

    asyncio.run(run())
    return 0


if __name__ == "__main__":
    sys.exit(main())
