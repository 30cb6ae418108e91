"""Random numbers that don't tell of each other: what agents are given says nothing of the deals."""

from __future__ import annotations

import hashlib
import secrets

import numpy as np

from ka_env.errors import whole_number


def fresh_seed() -> int:
    """A seed nobody can guess, 63 bits."""
    return secrets.randbits(63)


def separate_seed(seed: int | None, purpose: str) -> int:
    """128 bits for one purpose: a hash of the seed, which can't be turned round; without a seed drawn for itself."""
    if seed is None:
        return secrets.randbits(128)
    return int.from_bytes(
        hashlib.blake2b(f"{purpose} of seed {whole_number(seed, 'seed')}".encode(), digest_size=16).digest(), "little"
    )


def separate_rng(seed: int | None, purpose: str) -> np.random.Generator:
    return np.random.default_rng(separate_seed(seed, purpose))
