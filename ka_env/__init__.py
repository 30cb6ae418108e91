"""ka_env: environments for card duels. An unofficial fan work of BlackPoker."""

from ka_env.blackpoker.game import Game
from ka_env.engine.batch import BatchEngine
from ka_env.engine.view import PlayerView
from ka_env.envs.aec import env, raw_env
from ka_env.errors import IllegalMove, KaError, NotationError, RulesetError
from ka_env.registration import register_all

__version__ = "0.1.0"
__all__ = [
    "BatchEngine",
    "Game",
    "IllegalMove",
    "KaError",
    "NotationError",
    "PlayerView",
    "RulesetError",
    "__version__",
    "env",
    "raw_env",
]

register_all()
