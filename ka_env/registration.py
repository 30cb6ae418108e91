"""Ids: `ka/blackpoker-8.0-lite-v0` and the like for PettingZoo, `ka/BlackPoker-v0` for Gymnasium."""

from __future__ import annotations

import gymnasium
import pettingzoo

from ka_env.blackpoker.rulesets import RULESETS

AEC_IDS = {ruleset: f"ka/blackpoker-{ruleset}-v0" for ruleset in RULESETS}
GYMNASIUM_ID = "ka/BlackPoker-v0"


def register_all() -> None:
    for ruleset, name in AEC_IDS.items():
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point="ka_env.env:env", kwargs={"ruleset": ruleset})
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="ka_env.single:DuelEnv",
            vector_entry_point="ka_env.vector:DuelVectorEnv",
        )
