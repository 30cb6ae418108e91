"""A slow, plain reference implementation of Blue Moon, for differential tests.

It shares no code with the engine.  Rules: bluemoon.md; texts and tokens: bluemoon_notation.md.
"""

from .errors import IllegalMove, NotationError
from .game import Game

__all__ = ["Game", "IllegalMove", "NotationError"]
