"""Random numbers: splitmix64, its state inside each game's record."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.engine.jit import INTERPRETED, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@kernel
def mix(x: Any) -> Any:
    """Scramble 64 bits."""
    x = (x ^ (x >> _S30)) * _MIX1
    x = (x ^ (x >> _S27)) * _MIX2
    return x ^ (x >> _S31)


@kernel
def stream(seed: Any, index: Any) -> Any:
    """The generator state of game `index` under `seed`."""
    return mix(mix(np.uint64(seed) + GOLDEN) + np.uint64(index) * GOLDEN)


@kernel
def advance(state: Any) -> Any:
    return state + GOLDEN


@kernel
def below(state: Any, n: int) -> Any:
    """A number 0..n-1 made from a generator state; the bias is below n / 2**32."""
    return np.int64(((mix(state) >> _S32) * np.uint64(n)) >> _S32)


if INTERPRETED:  # NumPy's scalars warn of the overflow that is wanted here
    mix = np.errstate(over="ignore")(mix)
    stream = np.errstate(over="ignore")(stream)
    advance = np.errstate(over="ignore")(advance)


@kernel
def roll(s: Any, n: int) -> Any:
    """A number 0..n-1 from the game's own generator."""
    s.rng = advance(s.rng)
    return below(s.rng, n)


mix_array = mix if INTERPRETED else mix.py_func  # type: ignore[attr-defined]
mix_array.__doc__ = "Scramble 64 bits each: the same on arrays, outside kernels."
