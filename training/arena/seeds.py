"""Seeds. Each is a function of what it is for, so that no result depends on who plays it, when and beside what."""

from __future__ import annotations

import hashlib

import numpy as np

from ka_env.engine.rng import GOLDEN, mix_array


def seed_of(*parts: object) -> int:
    """63 bits (SQLite's integers have a sign) from a list of anything with a text."""
    text = "\0".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1


def streams(seeds: int | np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """One uint64 seed for each number under a seed (splitmix64). Either may be an array."""
    start = np.atleast_1d(np.asarray(seeds, np.uint64))
    return mix_array(mix_array(start + GOLDEN) + np.asarray(numbers, np.uint64) * GOLDEN)
