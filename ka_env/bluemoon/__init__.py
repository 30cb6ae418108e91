"""Blue Moon, Reiner Knizia's two-player card game: an unofficial fan implementation. Cards are facts and codes only."""

from __future__ import annotations

from ka_env.bluemoon.game import Game

__all__ = ["Game"]
