"""Tables in the terminal, plain or in Markdown."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], markdown: bool) -> None:
    """Without colours; cells are folded only on a narrow terminal."""
    if markdown:
        for row in (head, ["---"] * len(head), *rows):
            print(f"| {' | '.join(row)} |")
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in head:
        table.add_column(name)
    for row in rows:
        table.add_row(*row)
    width = None if sys.stdout.isatty() else 200
    console = Console(color_system=None, highlight=False, markup=False, emoji=False, width=width)
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_list(points: Sequence[str]) -> None:
    print("\n" + "\n".join(f"- {point}" for point in points))
