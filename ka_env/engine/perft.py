"""Perft: how many lines of play of a given length a position has. Two engines that agree on many such numbers are
very likely to agree on the rules.

Counted are decision points: a forced decision is no node. A game that ends earlier counts as one line. After a chance
event the tree depends on the random numbers in the game's record: compare counts below one only between games with the
same seed.
"""

from __future__ import annotations

from ka_env.game import Game


def perft(game: Game, depth: int) -> int:
    """Lines of `depth` decisions from here."""
    if depth < 0:
        raise ValueError(f"depth must not be negative, but is {depth}")
    scratch = game.about.blank(depth + 1)
    scratch[depth] = game.state
    return int(game.about.kernels.perft(scratch, depth))


def breakdown(game: Game, depth: int) -> dict[str, int]:
    """The same for each move, by token in canonical order; empty when the game is over."""
    if depth < 1:
        raise ValueError(f"depth must be at least 1, but is {depth}")
    counts = {}
    for token in game.legal():
        after = game.copy()
        after.play(token)
        counts[token] = perft(after, depth - 1)
    return counts
