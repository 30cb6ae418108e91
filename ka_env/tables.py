"""Tables in the terminal, plain or in Markdown, and on pages that the code writes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], markdown: bool) -> None:
    """Without colours; cells are folded only on a narrow terminal."""
    if markdown:
        print(markdown_table(head, rows), end="")
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


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", r"\|") for cell in line) + " |" for line in lines) + "\n"


def write_tables(path: Path, tables: Mapping[str, Callable[[], str]]) -> None:
    """Make anew what stands on a page between the markers of each name."""
    page = path.read_text(encoding="utf-8")
    for name, make in tables.items():
        before, begin, rest = page.partition(f"<!-- {name} -->")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise ValueError(f"the page has no markers <!-- {name} --> and <!-- /{name} -->")
        page = f"{before}{begin}\n\n{make().strip()}\n\n{end}{after}"
    path.write_text(page, encoding="utf-8")
