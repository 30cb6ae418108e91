"""Keeping watch over a training run: a progress bar or lines on stderr, and TensorBoard's files."""

from __future__ import annotations

import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from ka_env.training.arena.progress import WORDS, CompilingColumn, duration
from ka_env.training.arena.tables import with_interval
from ka_env.training.config import Config


class Watch:
    """Call `show` after every update."""

    EVERY = 10.0  # seconds between two plain lines

    def __init__(self, config: Config, directory: Path, steps: int, quiet: bool) -> None:
        self._quiet, self._config = quiet, config
        self._latest: deque[tuple[int, float]] = deque(maxlen=30)  # steps and time of the last updates
        self._said = 0.0
        self._writer: Any = None
        if config.tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(directory / "tensorboard"), purge_step=steps)
        self._bar: Progress | None = None
        if not quiet and sys.stderr.isatty():
            columns = [TextColumn("{task.description}"), BarColumn(), CompilingColumn(), TextColumn(WORDS)]
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("train", total=1.0, words="")
            self._bar.start()

    def show(self, row: dict[str, Any], progress: float, seconds: float) -> None:
        self._log(row)
        if self._quiet:
            return
        self._latest.append((row["steps"], seconds))
        words = f"{row['steps'] / 1e6:.2f} M steps"
        (steps, since), config = self._latest[0], self._config
        if seconds > since:  # the first update also compiles
            rate = (row["steps"] - steps) / (seconds - since)
            left = (config.steps - row["steps"]) / max(rate, 1e-9)
            left = min(left, 60 * config.minutes - seconds) if config.minutes else left
            words += f", {rate:,.0f} steps/s, {duration(max(0.0, left))} left"
        rates = row.get("winrates", {})
        told = words + "".join(f", {name} {with_interval(value)}" for name, value in rates.items())
        if self._bar is not None:
            self._bar.update(self._task, completed=progress, words=words)
            if rates:
                self._bar.console.print(f"train: {told}")
        elif rates or time.monotonic() - self._said >= self.EVERY:
            self._said = time.monotonic()
            print(f"train: {told}", file=sys.stderr, flush=True)

    def final(self, row: dict[str, Any]) -> None:
        self._log(row)

    def _log(self, row: dict[str, Any]) -> None:
        if self._writer is None or "steps" not in row:
            return
        for key, value in row.items():
            if isinstance(value, int | float) and key not in ("steps", "update", "time", "final"):
                self._writer.add_scalar(f"train/{key}", value, row["steps"])
        for name, rate in row.get("winrates", {}).items():
            self._writer.add_scalar(f"winrate/{name}", rate[0], row["steps"])

    def pause(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def close(self) -> None:
        self.pause()
        if self._writer is not None:
            self._writer.close()
