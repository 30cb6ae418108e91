"""Is machine code being made right now? Then a screen can say what it waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event


class _Watch(event.Listener):
    def __init__(self, began: Callable[[], object]) -> None:
        self._began = began
        self._told = False

    def on_start(self, ev: event.Event) -> None:
        if not self._told:
            self._told = True
            self._began()

    def on_end(self, ev: event.Event) -> None:
        pass


@contextmanager
def told_when_compiling(began: Callable[[], object]) -> Iterator[None]:
    """Within it `began` is called once, as soon as a kernel has to be compiled; in the thread that compiles."""
    watch = _Watch(began)
    event.register("numba:compile", watch)
    try:
        yield
    finally:
        event.unregister("numba:compile", watch)
