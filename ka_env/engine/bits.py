"""Sets of cards, slots and tokens are the bits of one int64; these are the operations on them."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ka_env.engine.jit import INTERPRETED, kernel

BIT = np.left_shift(np.int64(1), np.arange(63, dtype=np.int64))  # BIT[i]: the set that holds only i


if INTERPRETED:

    def count(bits: int) -> int:
        return int(bits).bit_count()

    def lowest(bits: int) -> int:
        return (int(bits) & -int(bits)).bit_length() - 1

    def highest(bits: int) -> int:
        return int(bits).bit_length() - 1

else:

    def _one_instruction(emit: Any) -> Any:
        def define(typingctx: Any, bits: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                wide = context.cast(builder, args[0], signature.args[0], types.int64)
                return emit(builder, wide)

            return types.int64(bits), codegen

        return intrinsic(define)

    _NONZERO = ir.Constant(ir.IntType(1), 1)  # callers promise a set that isn't empty

    _count = _one_instruction(lambda builder, value: builder.ctpop(value))
    _lowest = _one_instruction(lambda builder, value: builder.cttz(value, _NONZERO))
    _leading = _one_instruction(lambda builder, value: builder.ctlz(value, _NONZERO))

    @kernel
    def count(bits: int) -> int:
        """How many members."""
        return _count(bits)

    @kernel
    def lowest(bits: int) -> int:
        """The smallest member of a set that isn't empty."""
        return _lowest(bits)

    @kernel
    def highest(bits: int) -> int:
        """The largest member of a set that isn't empty."""
        return 63 - _leading(bits)


@kernel
def without_lowest(bits: int) -> int:
    return bits & (bits - 1)


@kernel
def nth(bits: int, n: int) -> int:
    """The n-th smallest member, counting from 0."""
    for _ in range(n):
        bits = bits & (bits - 1)
    return lowest(bits)
