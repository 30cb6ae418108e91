"""Random play of the engine's games, for the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ka_env.bluemoon import FRAMES, Game

from .positions import random_position

PAIRINGS = [frame for frame in FRAMES if frame != "random"]


def walk(game: Game, rng: random.Random, most: int = 4000) -> Iterator[Game]:
    """The game at every decision and at its end."""
    for _ in range(most):
        yield game
        if game.over:
            return
        game.step(rng.choice(game.legal_ids()))
    assert most < 4000, "the game does not end"


def position(rng: random.Random, seed: int = 0) -> Game:
    """A made-up position in which rare cards meet."""
    return Game.from_text(random_position(rng), seed=seed)


def many(seed: Any, games: int, positions: int) -> Iterator[Game]:
    """Decisions of whole games under all rulesets and of lines from made-up positions."""
    rng = random.Random(seed)
    for k in range(games):
        ruleset = ("base", "base", "base+opt", "base+opt/match")[k % 4]
        yield from walk(Game.new(ruleset, rng.choice(PAIRINGS), seed=rng.randrange(2**32)), rng)
    for k in range(positions):
        yield from walk(position(rng, k), rng, 40)


def body(game: Any) -> str:
    """The position text without the `pending` line, which is each engine's own."""
    return "\n".join(line for line in game.to_text().splitlines() if not line.startswith("pending"))


def seen(game: Any) -> tuple[Any, ...]:
    return body(game), game.player, game.decision, game.legal_ids(), game.result
