"""The parts that both screens have: the board, the log, boxes with a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import RichLog, Static

from ka_env.screen.lines import Span

STYLES = {"title": "bold reverse", "red": "$text-error", "dim": "dim", "mark": "italic $text-warning"}
PLAYER_STYLES = ("cyan", "yellow")
KEPT = 300  # lines of the log that can be scrolled back to


def span_content(span: Span) -> Content:
    """A piece of the board; what may be chosen is underlined and can be clicked."""
    content = Content(span.text)
    for word in span.style.split():
        content = content.stylize(STYLES[word])
    if span.about and not span.token:
        content = content.stylize(Style.from_meta({"@click": f"app.about('{span.about}')"}))
    if span.token:
        content = content.stylize("bold underline").stylize(Style.from_meta({"@click": f"app.choose('{span.token}')"}))
    return content


def log_text(line: Any, first: int) -> Text:
    """Player `first` has the first colour."""
    if line.heading or line.player is None:
        return Text(line.text, "bold")
    return Text(line.text, PLAYER_STYLES[line.player != first])


class Board(VerticalScroll, can_focus=False):
    """The table as the game draws it, as wide as there is room."""

    DEFAULT_CSS = "Board { width: 1fr; height: 100%; scrollbar-size: 1 1; } Board Static { width: 100%; }"

    def __init__(self, draw: Callable[[int], Sequence[Sequence[Any]]]) -> None:
        super().__init__()
        self._draw = draw
        self.lines = 0  # that the table needs

    def compose(self) -> ComposeResult:
        table = Static()
        table.auto_links = False  # choices have a style of their own
        yield table

    def on_resize(self) -> None:
        self.update()

    def update(self) -> None:
        width = self.scrollable_content_region.width
        if width > 0:
            lines = [Content.assemble(*map(span_content, line)) for line in self._draw(width)]
            self.lines = len(lines)
            self.query_one(Static).update(Content("\n").join(lines))


class Log(RichLog, can_focus=False):
    """What happened, the latest at the bottom."""

    DEFAULT_CSS = """
    Log {
        width: 45%; min-width: 31; max-width: 64; height: 100%;
        background: $background; border-left: solid $surface; padding: 0 0 0 1;
        overflow-x: hidden; overflow-y: scroll; scrollbar-size: 1 1; scrollbar-background: $background;
    }
    """

    def __init__(self, first: int = 0) -> None:
        super().__init__(wrap=True, min_width=1)
        self._first = first
        self._shown: list[Any] = []

    @on(Resize)
    def rewrap(self) -> None:
        lines, self._shown = self._shown, []
        self.clear()
        self.show(lines)

    def show(self, lines: Sequence[Any]) -> None:
        """Add what is new; a log that is not longer than before is written anew."""
        known = len(self._shown)
        if list(lines[:known]) != self._shown:
            known = 0
            self.clear()
        for line in lines[max(known, len(lines) - KEPT) :]:
            self.write(log_text(line, self._first), scroll_end=True)
        self._shown = list(lines)


class Message(ModalScreen[str]):
    """A box over the table, answered with yes, no, or one of some further keys."""

    DEFAULT_CSS = """
    Message { align: center middle; }
    Message > Vertical {
        width: 90; max-width: 96%; height: auto; max-height: 96%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    Message .title { text-style: bold; width: 100%; content-align-horizontal: center; }
    Message .keys { color: $text-muted; width: 100%; content-align-horizontal: center; padding: 1 0 0 0; }
    Message VerticalScroll { height: auto; max-height: 75vh; }
    """
    BINDINGS = [
        Binding("enter,y", "answer('yes')", show=False),
        Binding("escape,n", "answer('no')", show=False),
    ]

    def __init__(self, title: str, text: str, keys: str, others: str = "") -> None:
        """`others`: further keys that answer, each with itself."""
        super().__init__()
        self._parts = (title, text, keys)
        self._others = others

    def compose(self) -> ComposeResult:
        title, text, keys = self._parts
        with Vertical():
            yield Static(Content(title), classes="title")
            with VerticalScroll():
                yield Static(Content(text))
            yield Static(Content(keys), classes="keys")

    def on_key(self, event: Any) -> None:
        if event.character and event.character in self._others:
            event.stop()
            self.dismiss(event.character)

    def action_answer(self, answer: str) -> None:
        self.dismiss(answer)
