"""ka_env: environments for trump-card duels. An unofficial fan work of BlackPoker."""

from ka_env.batch import BatchEngine
from ka_env.blackpoker.game import Game
from ka_env.env import env, raw_env
from ka_env.errors import IllegalMove, KaError, NotationError, RulesetError
from ka_env.registration import register_all
from ka_env.view import PlayerView

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
