"""How far a tournament (or a study) is: a bar on a terminal, now and then a line elsewhere. On stderr."""

from __future__ import annotations

import sys
import time
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from ka_env.engine.jit import compile_notice

WORDS = "{task.fields[words]}"


class CompilingColumn(ProgressColumn):
    """What is being compiled, while it is: a bar that stands still says why."""

    def render(self, task: Task) -> Text:
        return Text(f"compiling {compile_notice.now} ..." if compile_notice.now else "")


class Meter:
    """Call `show` after every unit."""

    EVERY = 10.0  # seconds between two plain lines

    def __init__(self, total: int, done: int, quiet: bool = False, name: str = "arena", unit: str = "games") -> None:
        """In games, or what the unit is; `done` of them are left from an earlier run."""
        self._total, self._before, self._name, self._unit = total, done, name, unit
        self._began = self._said = time.monotonic()
        self._bar: Progress | None = None
        self._task: Any = None
        self._quiet = quiet
        if not quiet and sys.stderr.isatty():
            columns = [TextColumn("{task.description}"), BarColumn(), CompilingColumn(), TextColumn(WORDS)]
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(name, total=total, completed=done, words="")
            self._bar.start()

    def show(self, done: int, seconds_left: float | None, note: str = "", last: bool = False) -> None:
        now = time.monotonic()
        rate = (done - self._before) / max(now - self._began, 1e-9)
        words = f"{done} of {self._total} {self._unit}, {rate:.{0 if rate >= 10 else 2}f} {self._unit}/s"
        if seconds_left is None and rate > 0 and self._name != "arena":
            seconds_left = (self._total - done) / rate
        if seconds_left is not None and not last:
            words += f", {duration(seconds_left)} left"
        words += f", {note}" if note else ""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, words=words)
        elif not self._quiet and (last or now - self._said >= self.EVERY):
            self._said = now
            print(f"{self._name}: {words}", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
