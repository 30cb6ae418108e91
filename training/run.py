"""A training run: updates, with snapshots, measurements, checkpoints and logs in between, and a report at the end.

A run lives in a directory: config.json, checkpoint.pt (and the one before, checkpoint.pt.previous), history.jsonl (one
line per update), policy.npz (the latest policy), report.html, and TensorBoard's files below tensorboard/.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ka_env import __version__
from ka_env.agents.nets import PolicyNet
from ka_env.agents.policy_agent import PolicyAgent
from ka_env.engine.jit import compile_notice
from ka_env.errors import KaError
from ka_env.training import checkpoint
from ka_env.training.arena.seeds import seed_of
from ka_env.training.checkpoint import CheckpointError
from ka_env.training.config import Config, ConfigError, check_agents, from_table
from ka_env.training.evaluate import pair_scores
from ka_env.training.networks import frozen
from ka_env.training.provenance import described
from ka_env.training.ratings import winrate_interval
from ka_env.training.training_report import write_training_report
from ka_env.training.watch import Watch

NEVER_CHANGES = (
    "rules",
    "seed",
    "network",
    "hidden",
    "width",
    "advised",
    "trainer",
    "auxiliary_weight",
    "games",
    "imitate",
    "threads",
    "workers",
)


def make_trainer(config: Config) -> Any:
    if config.trainer == "sb3":
        from ka_env.training.sb3 import Sb3Trainer

        return Sb3Trainer(config)
    from ka_env.training.ppo import FastTrainer

    return FastTrainer(config)


def refuse_taken(directory: Path, file: str = "config.json") -> None:
    if (directory / file).exists():
        raise ConfigError(
            f"{directory}: there is a run already; go on with it by --resume {directory}, or name "
            "another place by --out"
        )


class Run:
    """One run in its directory."""

    def __init__(self, config: Config, directory: str | Path, command: str = "", quiet: bool = False) -> None:
        """A new run. The directory may exist, but no run may be in it."""
        self.directory = Path(directory)
        refuse_taken(self.directory)
        if config.after:
            raise ConfigError(f"setting 'after': {config.after} has to be trained first: ka train does it")
        if config.exploiter:
            raise ConfigError("setting 'exploiter': it has to be trained first: ka train does it")
        check_agents(config)
        self._set_up(config, command, quiet)
        self.directory.mkdir(parents=True, exist_ok=True)
        self._write_settings()
        (self.directory / "history.jsonl").write_text("")

    def _set_up(self, config: Config, command: str, quiet: bool) -> None:
        self.config, self.command, self.quiet = config, command, quiet
        self.rules = config.setups()
        self.trainer = make_trainer(config)
        self.seconds = 0.0  # in earlier sessions
        self.history: list[dict[str, Any]] = []
        self._start_clock()
        self._stop = False
        self._kept_at = -1  # update of the latest checkpoint, if written by this session

    @classmethod
    def resume(cls, directory: str | Path, overrides: dict[str, Any] | None = None, quiet: bool = False) -> Run:
        """Go on with a run from its checkpoint, perhaps with other settings."""
        directory = Path(directory)
        try:
            kept = json.loads((directory / "config.json").read_text(encoding="utf-8"))
            table, command = kept["config"], kept["command"]
        except FileNotFoundError:
            raise CheckpointError(f"{directory}: no run of ka train there (no config.json)") from None
        except (json.JSONDecodeError, KeyError, TypeError, UnicodeDecodeError) as error:
            raise CheckpointError(f"{directory / 'config.json'} is damaged: {error}") from None
        fixed = [key for key in overrides or {} if key in NEVER_CHANGES and (overrides or {})[key] != table.get(key)]
        if fixed:
            raise ConfigError(f"--resume: {', '.join(map(repr, fixed))} can't change within a run")
        run = cls.__new__(cls)
        run.directory = directory
        path = directory / checkpoint.FILE
        facts, arrays, optimizer = checkpoint.load(path)
        config = from_table({**table, **(overrides or {})})
        own = {key: value for key, value in config.table.items() if key in NEVER_CHANGES}
        theirs = facts.get("config")
        if not isinstance(theirs, dict):
            raise CheckpointError(f"{path} is no checkpoint: it has no settings")
        theirs = {"auxiliary_weight": 0.0, "advised": False} | theirs  # a checkpoint from before these were settings
        foreign = [key for key in own if own[key] != theirs.get(key)]
        if foreign:
            told = ", ".join(f"{key} is {theirs.get(key)!r}, not {own[key]!r}" for key in foreign)
            raise CheckpointError(f"{path} belongs to another run: {told}")
        run._set_up(config, command, quiet)
        try:
            run.trainer.restore(facts["trainer"], arrays, optimizer)
            run.seconds, run.history = float(facts["seconds"]), [dict(row) for row in facts["history"]]
        except KaError as error:
            raise CheckpointError(f"{path}: {error}") from None
        except (LookupError, ValueError, RuntimeError, TypeError, AttributeError, OverflowError) as error:
            raise CheckpointError(f"{path} does not fit this version: {error!r}; start anew") from None
        lines = "".join(json.dumps(row) + "\n" for row in run.history)
        run._write("history.jsonl", lines)
        run._write_settings()  # what has changed stays so if the run is interrupted again
        return run

    # ---- the run

    def train(self, after_update: Callable[[Run], None] | None = None) -> Path:
        """Until the steps are done, the time is over or somebody interrupts. The path of the policy."""
        self._start_clock()
        watch = Watch(self.config, self.directory, self.trainer.steps, self.quiet)
        try:
            self._listen()
            while not self._done and not self._stop:
                row = self._update()
                watch.show(row, self.progress, self.elapsed)
                if after_update:
                    after_update(self)
            watch.pause()
            if self._kept_at != self.trainer.updates:
                self._keep()
            if not self._stop:
                self._final()
                watch.final(self.history[-1])
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, signal.default_int_handler)
            watch.close()
            self.trainer.close()
        return self.directory / "policy.npz"

    def _listen(self) -> None:
        """The first Ctrl-C ends the run after the update under way; a second one at once."""

        def stop(*_: Any) -> None:
            self._stop = True
            signal.signal(signal.SIGINT, signal.default_int_handler)

        if threading.current_thread() is threading.main_thread():  # signals are its business
            signal.signal(signal.SIGINT, stop)

    @property
    def interrupted(self) -> bool:
        return self._stop

    @property
    def elapsed(self) -> float:
        """Seconds in all sessions; compiling the rules does not count."""
        return self.seconds + time.monotonic() - self._began - (compile_notice.seconds - self._compiled)

    def _start_clock(self) -> None:
        self._began, self._compiled = time.monotonic(), compile_notice.seconds

    @property
    def progress(self) -> float:
        """From 0 to 1, by steps, or by time if there is a limit and it comes sooner."""
        config = self.config
        by_time = self.elapsed / (60 * config.minutes) if config.minutes else 0.0
        return min(1.0, max(self.trainer.steps / config.steps, by_time))

    @property
    def _done(self) -> bool:
        return self.progress >= 1

    def _update(self) -> dict[str, Any]:
        config, trainer = self.config, self.trainer
        facts = trainer.update(self.progress)
        if config.past_share and trainer.updates % config.snapshot_every == 0:
            trainer.add_snapshot(f"step {trainer.steps}")
        row = {"update": trainer.updates, "steps": trainer.steps, "time": round(self.elapsed, 2), **facts}
        if trainer.updates % config.evaluate_every == 0:
            row["winrates"] = self.measure(config.evaluate_pairs)
        self.history.append(row)
        with (self.directory / "history.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
        if trainer.updates % config.checkpoint_every == 0:
            self._keep()
        return row

    def measure(self, pairs: int) -> dict[str, list[float]]:
        """Win rates against the baselines with their intervals; over all rules together."""
        net = frozen(self.trainer.player)
        net.threads = self.config.threads
        player = PolicyAgent(net)
        found = {}
        for spec in self.config.measured():
            share = max(2, pairs // len(self.rules))
            scores = [
                pair_scores(player, spec, rules, share, seed_of(self.config.seed, rules.label)) for rules in self.rules
            ]
            found[spec] = list(winrate_interval(np.concatenate(scores))[:3])
        return found

    def _final(self) -> None:
        rates = self.measure(self.config.final_pairs)
        self.history.append(
            {**self.history[-1], "winrates": rates, "final": True} if self.history else {"winrates": rates}
        )
        self.save_policy(rates)
        write_training_report(self)

    # ---- keeping it

    def _keep(self) -> None:
        facts = {
            "config": self.config.table,
            "trainer": self.trainer.facts(),
            "seconds": self.elapsed,
            "history": self.history,
        }
        path = self.directory / checkpoint.FILE
        checkpoint.save(path, facts, self.trainer.arrays(), self.trainer.optimizer_state())
        self._kept_at = self.trainer.updates
        self.save_policy(next((row["winrates"] for row in self.history[::-1] if "winrates" in row), {}))

    def save_policy(self, rates: dict[str, list[float]]) -> Path:
        net: PolicyNet = frozen(self.trainer.player)
        net.card |= {
            "rules": [rules.label for rules in self.rules],
            "command": self.command,
            "seed": self.config.seed,
            "steps": self.trainer.steps,
            "updates": self.trainer.updates,
            "minutes": round(self.elapsed / 60, 1),
            "winrates": {name: [round(x, 4) for x in rate] for name, rate in rates.items()},
            "date": datetime.now(UTC).date().isoformat(),
            "ka_env": __version__,
            "commit": described(),
            "lead_temperature": self.config.lead_temperature,
            "config": self.config.table,
        }
        return net.save(self.directory / "policy.npz")

    def _write_settings(self) -> None:
        self._write("config.json", json.dumps({"config": self.config.table, "command": self.command}, indent=1) + "\n")

    def _write(self, name: str, text: str) -> None:
        part = self.directory / f"{name}.part"
        part.write_text(text, encoding="utf-8")
        os.replace(part, self.directory / name)
