"""The screen of `ka watch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import work
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Footer, Static

from ka_env.errors import KaError
from ka_env.screen.session import VIEWERS, Show
from ka_env.screen.widgets import Board, Log, Message
from ka_env.screen.words import say

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # moves per second


class WatchApp(App[None]):
    """Agents or a record: the board and the log, forward and back."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #about { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    #table { height: 1fr; }
    #status { height: auto; background: $primary-background; padding: 0 1; }
    """

    def __init__(self, show: Show, speed: float = 1.0) -> None:
        super().__init__()
        self.show_of = show
        self.speed = speed
        self.running = True
        self.viewer: int | None = None
        self.failure: KaError | None = None
        self._busy = False
        self._timer: Any = None

    def say(self, key: str, **words: object) -> str:
        return say(self.show_of.language, key, **words)

    def compose(self) -> ComposeResult:
        show = self.show_of
        about = self.say("between", ruleset=show.game.ruleset, name0=show.names[0], name1=show.names[1])
        yield Static(Content(about), id="about")
        with Horizontal(id="table"):
            yield Board(self.draw_board)
            yield Log()
        yield Static(id="status")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        for key, action, word, shown in (
            ("space", "pause", "pause", None),
            ("right,n", "step", "step", "→"),
            ("left,b", "backward", "back", "←"),
            ("plus,equals_sign", "faster(1)", "faster", "+"),
            ("minus", "faster(-1)", "slower", "-"),
            ("v", "hands", "hands", None),
            ("question_mark", "help", "help", "?"),
            ("q", "quit", "quit", None),
        ):
            self.bind(key, action, description=self.say(word), key_display=shown)
        self.bind("home", "first", show=False)
        self.bind("end", "last", show=False)
        self.bind("pageup", "scroll('Log', -1)", show=False)
        self.bind("pagedown", "scroll('Log', 1)", show=False)
        self.set_clock()
        self.refresh_table()

    def draw_board(self, width: int) -> Sequence[Sequence[Any]]:
        show = self.show_of
        lines = show.people.board(show.game, self.viewer, show.language, width, watching=True)
        return [[span._replace(token="") for span in line] for line in lines]

    def refresh_table(self) -> None:
        show = self.show_of
        self.query_one(Board).update()
        self.query_one(Log).show(show.log(self.viewer))
        state = self.say("running" if self.running else "paused")
        hands = self.say("all hands") if self.viewer is None else self.say("hands of", player=self.viewer)
        key = "status live" if show.count is None else "status"
        status = self.say(key, now=show.now, count=show.count, speed=self.speed, state=state, hands=hands)
        question = show.people.question(show.game, self.viewer, show.language, watching=True)
        self.query_one("#status", Static).update(Content.assemble((status, "bold"), f"\n{question}"))

    # ---- moving

    def set_clock(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_interval(1 / self.speed, self.tick)

    def tick(self) -> None:
        if self.running:
            self.action_step()

    def action_step(self) -> None:
        if not self._busy:
            self._busy = True
            self.move_on()

    @work(thread=True, exclusive=True)
    def move_on(self) -> None:
        """Agents may think for long, so not in the screen's own thread."""
        try:
            moved = self.show_of.forward()
        except KaError as error:
            self.failure = error
            self.call_from_thread(self.exit)
            return
        self.call_from_thread(self.moved_on, moved)

    def moved_on(self, moved: bool) -> None:
        self._busy = False
        if not moved:
            self.running = False
        self.refresh_table()

    def action_backward(self) -> None:
        self.running = False
        if not self._busy:
            self.show_of.back()
        self.refresh_table()

    def action_first(self) -> None:
        self.running = False
        if not self._busy:
            self.show_of.now = 0
        self.refresh_table()

    def action_last(self) -> None:
        if not self._busy:
            self.show_of.now = len(self.show_of.frames) - 1
        self.refresh_table()

    # ---- controls

    def action_pause(self) -> None:
        self.running = not self.running
        self.refresh_table()

    def action_faster(self, direction: int) -> None:
        faster = [s for s in SPEEDS if s > self.speed] or [SPEEDS[-1]]
        slower = [s for s in SPEEDS if s < self.speed] or [SPEEDS[0]]
        self.speed = faster[0] if direction > 0 else slower[-1]
        self.set_clock()
        self.refresh_table()

    def action_hands(self) -> None:
        self.viewer = VIEWERS[(VIEWERS.index(self.viewer) + 1) % len(VIEWERS)]
        self.refresh_table()

    def action_scroll(self, widget: str, direction: int) -> None:
        page = len(self.screen_stack) > 1  # over the table, read on with the same keys
        found = self.screen.query_one("VerticalScroll") if page else self.query_one(widget)
        found.scroll_relative(y=direction * max(1, found.size.height - 2), animate=False)

    def action_about(self, word: str) -> None:
        """What the card clicked on is."""
        show = self.show_of
        self.push_screen(Message(word, show.people.about(word, show.language), self.say("close")))

    def action_help(self) -> None:
        show = self.show_of
        lesson = show.people.lesson(show.game.ruleset, show.language)
        text = "\n\n".join([self.say("watch help"), show.people.LEGEND[show.language], lesson])
        self.push_screen(Message(self.say("help"), text, self.say("close")))
