"""Memory in kernels: asking for a record before it is needed, and arrays that are not counted.

Most of a step's time is waiting for memory, unless the batch is small.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ka_env.engine.jit import INTERPRETED, kernel

CACHE_LINE = 64
AHEAD = 4  # games; much more would push each other out of the cache
SMALL = 512  # a batch of so few games stays in the cache anyway

if INTERPRETED:

    def prefetch(games: Any, i: int) -> None:
        """Nothing to gain without compiling."""

    def uncounted(array: Any) -> Any:
        return array

else:

    def _without_owner(context: Any, builder: Any, typ: Any, value: Any) -> Any:
        if isinstance(typ, types.BaseTuple):
            parts = zip(typ.types, cgutils.unpack_tuple(builder, value))  # type: ignore[attr-defined]
            return context.make_tuple(builder, typ, [_without_owner(context, builder, *part) for part in parts])
        if not isinstance(typ, types.Array):
            return value
        made = context.make_array(typ)(context, builder, value)
        for name in ("meminfo", "parent"):
            setattr(made, name, cgutils.get_null_value(getattr(made, name).type))
        return made._getvalue()

    @intrinsic
    def uncounted(typingctx: Any, held: Any) -> Any:
        """The same array (or all arrays of a tuple), whose holders Numba doesn't count.

        Counting is atomic, and rows are passed on all the time. Only for as long as the caller holds the array itself.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _without_owner(context, builder, held, args[0])

        return held(held), codegen

    @intrinsic
    def prefetch(typingctx: Any, games: Any, i: Any) -> Any:
        """Start loading record i, if there is one, into the cache."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(games)(context, builder, args[0])
            size = context.get_abi_sizeof(context.get_data_type(games.dtype))
            index = context.cast(builder, args[1], i, types.intp)
            count = cgutils.unpack_tuple(builder, array.shape)[0]
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, *[ir.IntType(32)] * 3])
            load = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            with builder.if_then(builder.icmp_signed("<", index, count)):
                start = builder.bitcast(array.data, cgutils.voidptr_t)
                record = builder.gep(start, [builder.mul(index, ir.Constant(index.type, size))])
                for offset in range(0, size, CACHE_LINE):
                    line = builder.gep(record, [ir.Constant(index.type, offset)])
                    builder.call(load, [line, *(ir.Constant(ir.IntType(32), x) for x in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(games, i), codegen


@kernel
def look_ahead(games: Any) -> int:
    """How many games ahead to prefetch: beyond the last one where it doesn't pay."""
    return AHEAD if games.size > SMALL else games.size
