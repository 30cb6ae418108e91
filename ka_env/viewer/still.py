"""A game to be looked at many times: what its record says as plain attributes, since reading a NumPy record is slow."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class Still:
    """Stands in for a game where only Python reads it; kernels need the game itself."""

    def __init__(self, game: Any) -> None:
        record = game.records()[0]
        self._game = game
        self.state = SimpleNamespace(**{name: record[name] for name in record.dtype.names})
        self.player, self.turn, self.ruleset = game.player, game.turn, game.ruleset
        self.over, self.result = game.over, game.result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)
