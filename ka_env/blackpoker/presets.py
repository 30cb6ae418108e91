"""Settings of `ka train` by name: long runs for one set of rules, or for the whole game."""

from __future__ import annotations

from typing import Any

LONG = {  # what pays in long runs: large updates, and more games against players than against itself
    "threads": 1,
    "rollout": 32768,
    "learning_rate_end": 2e-5,
    "self_share": 0.35,
    "past_share": 0.15,
    "agents": ["greedy", "rush", "wall"],
    "snapshot_every": 40,
    "checkpoint_every": 30,
    "evaluate_every": 60,
}
# told by greedy what it would do; one pass, and play that stays undecided for long: see docs/training.md
ADVISED = {"advised": True, "epochs": 1, "gae_lambda": 0.95, "entropy": 0.06, "entropy_end": 0.005, **LONG}

PRESETS: dict[str, dict[str, Any]] = {
    "lite-entry20": {"rules": ["8.0-lite/entry20"], "seed": 1, "steps": 50_000_000, **ADVISED},
    "std-full54": {"rules": ["6.1-std/full54"], "seed": 1, "steps": 110_000_000, **ADVISED},
    "blackpoker": {
        "rules": ["blackpoker"],
        "seed": 1,
        "steps": 90_000_000,
        "network": "entity",
        "hidden": [256, 128],
        **ADVISED,
    },
}
