"""Seeds. Each is a function of what it is for, so that no result depends on who plays it, when and beside what.

A tournament has two secrets of 256 bits. From `secret` come the deals, from `agent_seeds` everything that agents are
given: seeds for their own chances, and the re-draws inside views. The two are independent, and keyed hashes can't be
turned round: nothing an agent is given tells it anything of a deal.
"""

from __future__ import annotations

import hashlib
import os

import numpy as np

from ka_env.engine.rng import GOLDEN, mix_array

SECRET_BYTES = 32
LEAST_BYTES, MOST_BYTES = 16, 64  # of a secret that is given: 128 bits; what BLAKE2b takes as a key


def seed_of(*parts: object, secret: str = "") -> int:
    """63 bits (SQLite's integers have a sign) from a list of anything with a text, under a secret (hex) if given."""
    text = "\0".join(map(str, parts))
    return (
        int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8, key=bytes.fromhex(secret)).digest(), "little") >> 1
    )


def new_secret() -> str:
    return os.urandom(SECRET_BYTES).hex()


def public_secret(seed: int, what: str) -> str:
    """In place of a secret for whoever wants the same games again from a number: anybody can compute it."""
    return hashlib.blake2b(f"{what} of seed {seed}".encode(), digest_size=SECRET_BYTES).hexdigest()


def is_secret(text: str) -> bool:
    """Can it serve as one: hex digits, enough of them?"""
    try:
        return LEAST_BYTES <= len(bytes.fromhex(text)) <= MOST_BYTES
    except (TypeError, ValueError):
        return False


def streams(seeds: int | np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """One uint64 seed for each number under a seed (splitmix64). Either may be an array."""
    start = np.atleast_1d(np.asarray(seeds, np.uint64))
    return mix_array(mix_array(start + GOLDEN) + np.asarray(numbers, np.uint64) * GOLDEN)
