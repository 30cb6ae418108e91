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

# going on from what that makes: rates begin lower and end lower
MORE = {**ADVISED, "seed": 2, "learning_rate": 5e-4, "learning_rate_end": 1e-5, "entropy": 0.02, "entropy_end": 0.003}
# and from that: a policy that has made up its mind is made to doubt again
AGAIN = {**ADVISED, "seed": 5, "learning_rate": 7e-4, "learning_rate_end": 1e-5, "entropy_end": 0.004}
# and once more, with somebody nearly as strong among the opponents who plays otherwise,
STRANGER = {**MORE, "entropy_end": 0.004, "agents": ["greedy", "rush", "wall", "policy:blackpoker"]}
# or with those who have learned to beat it, too
CHALLENGED = {**STRANGER, "entropy": 0.05}
LITE, STD = {"rules": ["8.0-lite/entry20"]}, {"rules": ["6.1-std/full54"]}

PRESETS: dict[str, dict[str, Any]] = {
    "lite-entry20-first": {**LITE, "seed": 1, "steps": 50_000_000, **ADVISED},
    "lite-entry20-second": {**LITE, "after": "lite-entry20-first", "steps": 150_000_000, **MORE},
    "lite-entry20-third": {**LITE, "after": "lite-entry20-second", "steps": 130_000_000, **AGAIN, "entropy": 0.12},
    "lite-entry20-fourth": {
        **LITE,
        "after": "lite-entry20-third",
        "exploiter": 45_000_000,
        "steps": 60_000_000,
        **CHALLENGED,
        "seed": 11,
        "hardness": 1.0,
    },
    "lite-entry20": {
        **LITE,
        "after": "lite-entry20-fourth",
        "exploiter": 100_000_000,
        "steps": 66_000_000,
        **CHALLENGED,
        "seed": 12,
        "hardness": 0.25,
        "self_share": 0.3,
        "past_share": 0.1,
    },
    "std-full54-first": {**STD, "seed": 1, "steps": 110_000_000, **ADVISED},
    "std-full54-second": {
        **STD,
        "after": "std-full54-first",
        "hidden": [256, 256],
        "steps": 110_000_000,
        **MORE,
        "self_share": 0.45,
        "past_share": 0.2,
    },
    "std-full54-third": {
        **STD,
        "after": "std-full54-second",
        "hidden": [512, 256],
        "steps": 90_000_000,
        **AGAIN,
        "self_share": 0.5,
        "past_share": 0.25,
    },
    "std-full54": {
        **STD,
        "after": "std-full54-third",
        "hidden": [512, 256],
        "steps": 70_000_000,
        **STRANGER,
        "seed": 6,
        "gae_lambda": 0.92,
        "entropy": 0.04,
        "hardness": 0.5,
        "lead_temperature": 2.0,
        "self_share": 0.4,
        "past_share": 0.2,
    },
    "blackpoker": {
        "rules": ["blackpoker"],
        "seed": 1,
        "steps": 90_000_000,
        "network": "entity",
        "hidden": [256, 128],
        **ADVISED,
    },
}
