"""Lines of a board in the terminal, and how long ones are broken: the same for every game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len


class Span(NamedTuple):
    """A piece of a line; `token` is what choosing it plays, if it may be chosen; `about` a card to ask about."""

    text: str
    style: str = ""  # words among: title red dim mark
    token: str = ""
    about: str = ""


Line = list[Span]


class Lines:
    """A board that is `width` cells wide."""

    width: int

    def wrapped(self, head: str, words: list[Line], gap: str = " ") -> list[Line]:
        """Words in as many lines as they need, below each other."""
        indent = cell_len(head) + 3
        lines: list[Line] = [[Span(f" {head}  ", "dim")]]
        used = indent
        for word in words:
            size = sum(cell_len(span.text) for span in word)
            if used > indent and used + len(gap) + size > self.width:
                lines.append([Span(" " * indent)])
                used = indent
            elif used > indent:
                lines[-1].append(Span(gap))
                used += len(gap)
            lines[-1] += word
            used += size
        return [line for row in lines for line in self.folded(row)]

    def folded(self, line: Line) -> Iterator[Line]:
        """A line cut where it leaves the board."""
        row: Line = []
        used = 0
        for span in line:
            text = ""
            for sign in span.text:
                if used + cell_len(sign) > self.width:
                    yield [*row, span._replace(text=text)]
                    row, used, text = [Span("   ")], 3, ""
                text += sign
                used += cell_len(sign)
            row.append(span._replace(text=text))
        yield row
