"""The screen of `ka play`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Resize
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ka_env.errors import KaError
from ka_env.screen.compiling import told_when_compiling
from ka_env.screen.session import Choice, Session
from ka_env.screen.widgets import Board, Log, Message
from ka_env.screen.words import commands_to_look, help_page, say

NUMBERS = "1234567890"
LETTERS = "abcdefgijklnoprstxyz"  # without those of the commands: h m q u v w


def screen_keys(choices: Sequence[Choice]) -> list[str]:
    """A sign for each choice: its letter, else a digit, else a letter that is free; blank when they are used up."""
    fixed = {choice.key for choice in choices}
    signs = NUMBERS + "".join(letter for letter in LETTERS if letter not in fixed)
    return [
        choice.key if not choice.key.isdigit() else signs.ljust(int(choice.key))[int(choice.key) - 1]
        for choice in choices
    ]


class PlayApp(App[None]):
    """A person's game: board, log, question, choices, what the choice under the cursor brings."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #about { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    #table { height: 1fr; }
    #question { height: auto; max-height: 3; background: $primary-background; padding: 0 1; }
    #choices { height: auto; max-height: 50%; border: none; padding: 0; scrollbar-size: 1 1; }
    #choices:focus { border: none; }
    #effect { height: auto; min-height: 2; max-height: 3; color: $text-muted; text-style: italic; padding: 0 1; }
    """

    BINDINGS = [
        Binding("slash", "about", show=False, priority=True),
        Binding("escape", "stop", show=False),
        Binding("pageup", "scroll('Log', -1)", show=False, priority=True),
        Binding("pagedown", "scroll('Log', 1)", show=False, priority=True),
        Binding("left_square_bracket", "scroll('Board', -1)", show=False),
        Binding("right_square_bracket", "scroll('Board', 1)", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.failure: KaError | None = None
        self.rematch = False  # asked for at the end
        self._notice = ""  # below the question, until the next choice
        self._thinking = ""  # what the hint-giver is busy with
        self._waiting = ""  # for what choices are passed on

    def say(self, key: str, **words: object) -> str:
        return say(self.session.language, key, **words)

    # ---- the screen

    def compose(self) -> ComposeResult:
        session = self.session
        about = self.say("against", ruleset=session.game.ruleset, frame=session.frame, opponent=session.opponent_title)
        yield Static(Content(about), id="about")
        with Horizontal(id="table"):
            yield Board(session.board)
            yield Log(session.seat)
        yield Static(id="question")
        yield OptionList(id="choices", markup=False)
        yield Static(id="effect")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.title = "ka play"
        waits = [("w", "wait('event')", "wait"), ("m", "wait('turn')", "to my turn")] if self.session.can_wait else []
        for key, action, word in [
            ("h", "hint", "hint"),
            *waits,
            ("u,backspace", "undo", "undo"),
            ("question_mark", "help", "help"),
            ("q", "leave", "quit"),
        ]:
            self.bind(key, action, description=self.say(word), key_display="?" if word == "help" else None)
        self.query_one(OptionList).focus()
        self.show()
        self.go_on()

    def show(self) -> None:
        """Draw everything anew."""
        session = self.session
        self.query_one(Board).update()
        self.query_one(Log).show(session.log)
        choices = session.choices()
        options = self.query_one(OptionList)
        options.clear_options()
        shown = zip(screen_keys(choices), choices)
        options.add_options([Option(f"{key} {choice.label}", id=choice.token) for key, choice in shown])
        options.highlighted = 0 if choices else None
        self.show_question()
        self.show_effect()
        self.make_room()

    def on_resize(self, event: Resize) -> None:
        self.make_room()

    def make_room(self) -> None:
        """Choices get half of the screen, and whatever rows the board leaves empty."""
        options, board = self.query("#choices"), self.query(Board)
        if options and board:
            taken = 1 + 2 + 2 + 1 + board.first().lines  # about, question, effect, footer
            options.first().styles.max_height = max(self.size.height // 2, self.size.height - taken)

    def show_question(self) -> None:
        session = self.session
        question = self.say("game over") if session.over else session.question()
        words = [(question, "bold")]
        if session.draft:
            words.append((f"  {self.say('so far', choices=session.so_far())}", "$text-muted"))
        for notice in (self._notice, self._thinking):
            if notice:
                words.append((f"\n{notice}", "$text-warning"))
        self.query_one("#question", Static).update(Content.assemble(*words))

    def show_effect(self) -> None:
        choice = self.highlighted()
        self.query_one("#effect", Static).update(Content(self.session.effect(choice.token) if choice else ""))

    def highlighted(self) -> Choice | None:
        place = self.query_one(OptionList).highlighted
        choices = self.session.choices()
        return choices[place] if place is not None and place < len(choices) else None

    def tell(self, notice: str) -> None:
        self._notice = notice
        self.show_question()

    # ---- playing

    def on_key(self, event: Any) -> None:
        if len(self.screen_stack) > 1 or not event.character:
            return
        if self.session.over and event.character == "r":
            event.stop()
            self.end("r")
        choices = self.session.choices()
        keys = screen_keys(choices)
        if event.character in keys and event.character.strip():
            event.stop()
            self.action_choose(choices[keys.index(event.character)].token)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(str(event.option_id))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.show_effect()

    def action_choose(self, token: str) -> None:
        if not self.session.my_turn or token not in self.session.asked.legal():
            return
        self._waiting = ""
        self.play(token)

    def play(self, token: str) -> None:
        self._notice = ""
        self.guarded(lambda: self.session.choose(token))
        self.show()
        self.go_on()

    def guarded(self, do: Any) -> None:
        """A game that can't be saved goes on."""
        try:
            do()
        except OSError as error:
            self._notice = self.say("not saved", path=self.session.path, reason=error.strerror or error)

    def go_on(self) -> None:
        """Whose move is it?"""
        if self.session.over:
            self.show_result()
        elif not self.session.my_turn:
            self.let_opponent_think()
        elif self._waiting:
            self.wait_on()

    @work(thread=True, group="opponent")
    def let_opponent_think(self) -> None:
        try:
            token = self.session.opponent_thinks()
        except KaError as error:
            self.failure = error
            self.call_from_thread(self.exit)
            return
        self.call_from_thread(self.opponent_plays, token)

    def opponent_plays(self, token: str) -> None:
        self._notice = ""
        self.guarded(lambda: self.session.opponent_plays(token))
        self.show()
        self.go_on()

    def show_result(self) -> None:
        session = self.session
        score = session.game.result[session.seat]
        title = self.say("won" if score == 1 else "lost" if score == 0 else "drawn")
        commands = "\n".join(commands_to_look(session.language))
        text = self.say("result", moves=session.moves, path=session.path, commands=commands)
        self.push_screen(Message(title, text, self.say("result keys"), others="qr"), self.end)

    def end(self, answer: str | None) -> None:
        """After the game: leave, play again, or look at the board."""
        self.rematch = answer == "r"
        if answer != "no":
            self.exit()

    # ---- passing on

    def action_wait(self, goal: str) -> None:
        self._waiting = goal
        self.session.begin_waiting()
        if self.session.my_turn and not self.session.draft and self.session.waiting(goal):
            self.session.begin_waiting()
            self.wait_on()
        elif self.session.my_turn:
            self._waiting = ""
            self.tell(self.say("no wait"))

    def wait_on(self) -> None:
        token = self.session.waiting(self._waiting)
        if token:
            self.play(token)
        else:
            self._waiting = ""

    def action_stop(self) -> None:
        self._waiting = ""

    # ---- commands

    def action_undo(self) -> None:
        self._waiting = ""
        self._notice = self.say("undone" if self.session.undo() else "no undo")
        self.show()

    def action_hint(self) -> None:
        self._waiting = ""
        if not self.session.my_turn:
            self.tell(self.say("no hint"))
        elif not self._thinking:
            self._thinking = self.say("hint thinking", agent=self.session.hint_name)
            self.tell("")
            self.find_hint(self.session.as_known(), [*self.session.draft], self.session.moves)

    @work(thread=True, group="hint")
    def find_hint(self, game: Any, draft: list[str], moves: int) -> None:
        try:
            with told_when_compiling(lambda: self.call_from_thread(self.tell_compiling)):
                token = self.session.hint(game)
        except KaError as error:
            self.call_from_thread(self.show_hint, None, str(error), draft, moves)
            return
        self.call_from_thread(self.show_hint, token, "", draft, moves)

    def tell_compiling(self) -> None:
        self._thinking = self.say("hint compiling", agent=self.session.hint_name)
        self.show_question()

    def show_hint(self, token: str | None, complaint: str, draft: list[str], moves: int) -> None:
        """Point at the choice, unless the person has chosen meanwhile."""
        self._thinking = ""
        session = self.session
        if token is None:
            self.tell(complaint)
            return
        if (draft, moves) != (session.draft, session.moves):
            self.tell(self.say("hint late"))
            return
        tokens = [choice.token for choice in session.choices()]
        label = next(choice.label for choice in session.choices() if choice.token == token)
        self.query_one(OptionList).highlighted = tokens.index(token)
        self.tell(self.say("hint is", agent=session.hint_name, choice=label))

    def action_about(self, word: str = "") -> None:
        """What a card is: the one clicked on, or that of the choice under the cursor."""
        choice = self.highlighted()
        word = word or (choice.token if choice else "")
        told = self.session.about(word) if word else ""
        if told:
            self.push_screen(Message(word, told, self.say("close")))

    def action_scroll(self, widget: str, direction: int) -> None:
        page = len(self.screen_stack) > 1  # over the table, read on with the same keys
        found = self.screen.query_one("VerticalScroll") if page else self.query_one(widget)
        found.scroll_relative(y=direction * max(1, found.size.height - 2), animate=False)

    def action_help(self) -> None:
        self._waiting = ""
        self.push_screen(Message(self.say("help"), help_page(self.session), self.say("close")))

    def action_leave(self) -> None:
        self._waiting = ""
        if self.session.over:
            self.exit()
            return
        text = self.say("quit?", path=self.session.path)
        self.push_screen(Message(self.say("quit"), text, self.say("quit keys")), self.leave_if)

    def leave_if(self, answer: str | None) -> None:
        if answer == "yes":
            self.exit()
