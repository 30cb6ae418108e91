"""Seeds. Each is a function of what it is for, so that no result depends on who plays it, when and beside what."""

from __future__ import annotations

import hashlib

import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


def seed_of(*parts: object) -> int:
    """63 bits (SQLite's integers have a sign) from a list of anything with a text."""
    text = "\0".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1


def _mix(x: np.ndarray) -> np.ndarray:
    x = (x ^ (x >> np.uint64(30))) * _MIX1
    x = (x ^ (x >> np.uint64(27))) * _MIX2
    return x ^ (x >> np.uint64(31))


def streams(seeds: int | np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """One uint64 seed for each number under a seed (splitmix64). Either may be an array."""
    start = np.atleast_1d(np.asarray(seeds, np.uint64))
    return _mix(_mix(start + _GOLDEN) + np.asarray(numbers, np.uint64) * _GOLDEN)
