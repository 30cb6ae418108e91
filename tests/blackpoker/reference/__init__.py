"""A slow, plain reference implementation of BlackPoker, for differential tests.

It shares no code with the engine.  Rules: blackpoker.md; texts and tokens: notation.md.
"""

from .deal import deal
from .errors import RefIllegalMove, RefNotationError
from .game import RefGame
from .positions import random_position

__all__ = ["RefGame", "RefIllegalMove", "RefNotationError", "deal", "random_position"]
