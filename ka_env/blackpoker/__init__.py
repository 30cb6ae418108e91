"""BlackPoker: rules, notation, records."""

from ka_env.blackpoker.decisions import action_id, token
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.rulesets import RULESETS

__all__ = ["RULESETS", "Game", "action_id", "token"]
