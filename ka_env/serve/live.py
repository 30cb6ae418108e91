"""Pages that change while one looks at them: a tournament under way, a training run, the analysis of a game.

A page asks for its body again and again (`live.js`); what it gets is made here, escaped, from the store, the run's
history or the job. Routes for `make_app(..., more=...)`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from ka_env import viewer
from ka_env.errors import KaError
from ka_env.record import UNKNOWN

SHOWN = 200  # games in the list, the newest pairs first
MOST_HISTORY = 64 << 20  # bytes of a history that is read
MOST_JOBS = 32  # analyses kept
BUDGET = 2000  # iterations per decision of an analysis: somebody waits for it
THREADS = max(1, (os.cpu_count() or 2) // 2)


def shell(title: str, body: str, language: str = "en") -> HTMLResponse:
    """A page whose body comes from the address `body`."""
    return HTMLResponse(
        f'<!DOCTYPE html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/live.css">'
        '<script src="/files/live.js" defer></script></head>'
        f'<body><main id="live" data-body="{escape(body)}"></main></body></html>\n'
    )


STYLE_HERE = """
progress { width: 100%; height: 14px; accent-color: var(--accent); } #list td { font-size: 13px; }
#live[data-state="lost"]::before { content: "no longer connected"; color: var(--warn); }
"""


def style(request: Request) -> Response:
    """That of the reports, whose parts these pages show."""
    from ka_env.training.arena.report import STYLE
    from ka_env.training.training_report import MORE_STYLE

    return Response(STYLE + MORE_STYLE + STYLE_HERE, media_type="text/css")


def live_routes(arena: str | Path | None = None, run: str | Path | None = None) -> list[BaseRoute]:
    """The pages of a store and of a run, where they are given."""
    routes = ArenaPages(arena).routes() if arena is not None else []
    return routes + (RunPages(run).routes() if run is not None else [])


# ---- a tournament ---------------------------------------------------------------------------------------------------


class ArenaPages:
    """Standings as games come in, and every game to look at."""

    def __init__(self, path: str | Path) -> None:
        from ka_env.training.arena.store import Store

        self.path = Path(path)
        with Store.read(self.path) as store:  # a wrong file is said now
            self.title = " – ".join(store.plan.agents[:2]) if len(store.plan.agents) == 2 else "Tournament"
        self._made: tuple[int, str] = (-1, "")  # number of games, and the body made of them

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/arena", lambda request: shell(self.title, "/arena/body")),
            Route("/arena/body", self._respond(self.body)),
            Route("/arena/games/{first:int}", self._respond(self.games, "first", framed=False)),
            Route("/arena/game/{game}", self._respond(self.game, "game")),
        ]

    def _respond(
        self, make: Callable[..., str], parameter: str | None = None, framed: bool = True
    ) -> Callable[[Request], Response]:
        """`framed`: the page is one of `ka view`, with its script inside."""

        def respond(request: Request) -> Response:  # not async: Starlette runs it in a thread
            from ka_env.serve.app import REPLAY_POLICY

            try:
                if parameter is None:
                    return HTMLResponse(make())
                page = make(request.path_params[parameter])
                return HTMLResponse(page, headers={"Content-Security-Policy": REPLAY_POLICY} if framed else None)
            except KaError as error:
                raise HTTPException(404, str(error)) from None

        return respond

    def body(self) -> str:
        from ka_env.training.arena.report import _ratings
        from ka_env.training.arena.standings import all_standings
        from ka_env.training.arena.store import Store

        with Store.read(self.path) as store:
            (games,) = store.query("SELECT COUNT(*) FROM games")[0]
            if games == self._made[0]:
                return self._made[1]
            wanted = 2 * store.plan.pairs * len(store.plan.lanes())
            state = "finished" if store.finished else "under way"
            parts = [
                f"<h1>{escape(self.title)}</h1>"
                f'<p class="soft"><b id="games">{games}</b> of {wanted} games, {state}</p>'
                f'<progress max="{wanted}" value="{games}"></progress>'
            ]
            if games:
                for one in all_standings(store):
                    parts += [f"<h2>{escape(one.label)}</h2>", _ratings(one)]
                parts.append(self._list(store))
            else:
                parts.append("<p>No games yet.</p>")
        self._made = (games, "".join(parts))
        return self._made[1]

    def games(self, first: int) -> str:
        """Further games of the list, on a page that stays as it is."""
        from ka_env.training.arena.store import Store

        with Store.read(self.path) as store:
            head = '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">'
            head += f'<title>{escape(self.title)}</title><link rel="stylesheet" href="/live.css"></head>'
            return f"{head}<body><main>{self._list(store, min(first, 1 << 31))}</main></body></html>"

    def _list(self, store: Any, first: int = 0) -> str:
        sql = f"""SELECT id, ruleset, frame, first, second, score, reason, turns, decisions FROM results
                  ORDER BY pair DESC, id LIMIT {SHOWN} OFFSET {first}"""
        rows = []
        shown = store.plan.rules[0].game.viewer is not None
        for name, ruleset, frame, first, second, score, reason, turns, decisions in store.query(sql):
            link = f'<a href="/arena/game/{escape(name)}">{escape(name)}</a>' if shown else escape(name)
            winner = "drawn" if score == 0.5 else f"{first if score == 1 else second} wins"
            cells = [link, f"{ruleset}/{frame}", first, second, winner, reason, f"{turns} turns, {decisions} decisions"]
            texts = [cells[0], *(escape(str(cell)) for cell in cells[1:])]
            rows.append("<tr>" + "".join(f'<td class="name">{text}</td>' for text in texts) + "</tr>")
        more = f'<p><a href="/arena/games/{first + SHOWN}">earlier games</a></p>' if len(rows) == SHOWN else ""
        table = f'<table id="list">{"".join(rows)}</table>'
        return f'<section class="card"><h3>Games, the latest first</h3>{table}{more}</section>'

    def game(self, name: str) -> str:
        from ka_env.training.arena.records import rebuild
        from ka_env.training.arena.store import Store

        with Store.read(self.path) as store:
            record = rebuild(store, store.game(name))[-1]  # of a match its last game
            if not store.finished:  # the seed would tell the deals to come
                record = replace(record, headers={**record.headers, "seed": UNKNOWN})
        return viewer.page(record)


# ---- a training run -------------------------------------------------------------------------------------------------


class RunPages:
    """The curves of a run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        config = self.path / "config.json"
        if not config.is_file():
            raise KaError(f"{path}: no run of ka train there (no config.json)")

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/run", lambda request: shell(self.path.name, "/run/body")),
            Route("/run/body", lambda request: HTMLResponse(self.body())),
        ]

    def history(self) -> list[dict[str, Any]]:
        """The updates so far; a line that is being written is left for later."""
        file = self.path / "history.jsonl"
        if not file.is_file():
            return []
        with file.open("rb") as lines:
            text = lines.read(MOST_HISTORY).decode(errors="replace")
        rows = []
        for line in text.splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict) and isinstance(row.get("steps"), int):
                rows.append(row)
        return rows

    def body(self) -> str:
        from ka_env.training.training_report import _CURVES, _one, _winrates

        rows = self.history()
        parts = [f"<h1>{escape(self.path.name)}</h1>"]
        if not rows:
            return parts[0] + "<p>No update yet.</p>"
        last = rows[-1]
        told = f'<b id="steps">{last["steps"]}</b> decisions, {len(rows)} updates'
        parts.append(f'<p class="soft">{told}{", finished" if last.get("final") else ""}</p>')
        measured = [row for row in rows if isinstance(row.get("winrates"), dict) and row["winrates"]]
        if measured:
            parts.append(_winrates(measured, False))
        if len(rows) > 1:
            known = {"rating": "Rating in the league", **_CURVES}
            parts += [_one(rows, key, title) for key, title in known.items() if all(key in row for row in rows)]
        return "".join(parts)


# ---- a game just played ---------------------------------------------------------------------------------------------


@dataclass
class Job:
    """An analysis under way."""

    done: int = 0
    total: int = 0
    page: str = ""
    failed: str = ""


@dataclass
class AnalysisPages:
    """The button after a game: its analysis, with progress, then the page."""

    jobs: dict[str, Job] = field(default_factory=dict)

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/live.css", style),
            Route("/analysis/{table}", self.begin),
            Route("/analysis/{table}/body", self.body),
            Route("/analysis/{table}/page", self.page),
        ]

    async def begin(self, request: Request) -> Response:
        table, room = self._table(request)
        if table.id not in self.jobs:
            while len(self.jobs) >= MOST_JOBS:
                self.jobs.pop(next(iter(self.jobs)))
            job = self.jobs[table.id] = Job()
            room.begin(room.think(_analyse, job, table.recorder.record(), table.language))
        return shell(f"Analysis · {table.game.about.title}", f"/analysis/{table.id}/body", table.language)

    async def body(self, request: Request) -> Response:
        job = self._job(request)
        if job.failed:
            return HTMLResponse(f'<p class="warn">{escape(job.failed)}</p>')
        if job.page:
            return HTMLResponse("", headers={"X-Go": f"/analysis/{request.path_params['table']}/page"})
        bar = f'<progress max="{max(1, job.total)}" value="{job.done}"></progress>'
        return HTMLResponse(f"<h1>{job.done} / {job.total or '…'}</h1>{bar}")

    async def page(self, request: Request) -> Response:
        from ka_env.serve.app import REPLAY_POLICY

        return HTMLResponse(self._job(request).page, headers={"Content-Security-Policy": REPLAY_POLICY})

    def _table(self, request: Request) -> tuple[Any, Any]:
        room = request.app.state.room
        try:
            table = room.lobby.table(request.scope["client_name"], request.path_params["table"])
            table.record_text()  # only when the game is over
        except KaError as error:
            raise HTTPException(404, str(error)) from None
        return table, room

    def _job(self, request: Request) -> Job:
        table, _ = self._table(request)
        if table.id not in self.jobs:
            raise HTTPException(404, "no analysis of this game has begun")
        return self.jobs[table.id]


def _analyse(job: Job, record: Any, language: str) -> None:
    from ka_env.training.study.analyse import analyse

    def after(done: int, total: int) -> None:
        job.done, job.total = done, total

    try:
        found = analyse(record, budget=BUDGET, threads=THREADS, after=after)
        job.page = viewer.page(record, language, found.to_json())
    except Exception as error:  # told on the page; the server goes on
        job.failed = str(error) if isinstance(error, KaError) else f"{type(error).__name__}: {error}"
