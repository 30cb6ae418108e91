"""A slow, plain reference implementation of BlackPoker, for differential tests.

It shares no code with the engine.  Rules: blackpoker.md, blackpoker_pro.md; texts and tokens: notation.md.
"""

from .deal import deal
from .errors import RefIllegalMove, RefNotationError, RefSetupError
from .game import RefGame
from .match import RefMatch
from .positions import random_position

__all__ = ["RefGame", "RefIllegalMove", "RefMatch", "RefNotationError", "RefSetupError", "deal", "random_position"]
