"""The screen of `ka play`."""

from __future__ import annotations

from typing import Any

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ka_env.errors import KaError
from ka_env.screen.session import Session
from ka_env.screen.widgets import Board, Log, Message
from ka_env.screen.words import say

CHOICE_KEYS = "1234567890abcdefgijklmnoprstvwxyz"  # without those of the commands: h q u


class PlayApp(App[None]):
    """A person's game: board, log, question, choices."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #about { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    #table { height: 1fr; }
    #question { height: auto; max-height: 3; background: $primary-background; padding: 0 1; }
    #choices { height: 7; border: none; padding: 0; scrollbar-size: 1 1; }
    #choices:focus { border: none; }
    """

    BINDINGS = [
        Binding("slash", "about", show=False, priority=True),
        Binding("pageup", "scroll('Log', -1)", show=False, priority=True),
        Binding("pagedown", "scroll('Log', 1)", show=False, priority=True),
        Binding("left_square_bracket", "scroll('Board', -1)", show=False),
        Binding("right_square_bracket", "scroll('Board', 1)", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.failure: KaError | None = None
        self._notice = ""  # below the question, until the next choice
        self._thinking = False

    def say(self, key: str, **words: object) -> str:
        return say(self.session.language, key, **words)

    # ---- the screen

    def compose(self) -> ComposeResult:
        session = self.session
        about = self.say("against", ruleset=session.game.ruleset, frame=session.frame, opponent=session.opponent.spec)
        yield Static(Content(about), id="about")
        with Horizontal(id="table"):
            yield Board(session.board)
            yield Log(session.seat)
        yield Static(id="question")
        yield OptionList(id="choices", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.title = "ka play"
        for key, action, word in (
            ("h", "hint", "hint"),
            ("u,backspace", "undo", "undo"),
            ("question_mark", "help", "help"),
            ("q", "leave", "quit"),
        ):
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
        keys = CHOICE_KEYS.ljust(len(choices))
        options.add_options([Option(f"{key} {choice.label}", id=choice.token) for key, choice in zip(keys, choices)])
        options.highlighted = 0 if choices else None
        self.show_question()

    def show_question(self) -> None:
        session = self.session
        question = self.say("game over") if session.over else session.question()
        words = [(question, "bold")]
        if session.draft:
            words.append((f"  {self.say('so far', choices=session.so_far())}", "$text-muted"))
        if self._notice:
            words.append((f"\n{self._notice}", "$text-warning"))
        self.query_one("#question", Static).update(Content.assemble(*words))

    def tell(self, notice: str) -> None:
        self._notice = notice
        self.show_question()

    # ---- playing

    def on_key(self, event: Any) -> None:
        choices = self.session.choices()
        place = CHOICE_KEYS.find(event.character or "\0")
        if len(self.screen_stack) == 1 and 0 <= place < len(choices):
            event.stop()
            self.action_choose(choices[place].token)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(str(event.option_id))

    def action_choose(self, token: str) -> None:
        if not self.session.my_turn or token not in self.session.asked.legal():
            return
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
        text = self.say("result", moves=session.moves, path=session.path)
        self.push_screen(Message(title, text, self.say("result keys"), yes="q"), self.leave_if)

    # ---- commands

    def action_undo(self) -> None:
        self._notice = self.say("undone" if self.session.undo() else "no undo")
        self.show()

    def action_hint(self) -> None:
        if not self.session.my_turn:
            self.tell(self.say("no hint"))
        elif not self._thinking:
            self._thinking = True
            self.tell(self.say("hint thinking", agent=self.session.hint_name))
            self.find_hint(self.session.as_known(), [*self.session.draft], self.session.moves)

    @work(thread=True, group="hint")
    def find_hint(self, game: Any, draft: list[str], moves: int) -> None:
        try:
            token = self.session.hint(game)
        except KaError as error:
            self.call_from_thread(self.show_hint, None, str(error), draft, moves)
            return
        self.call_from_thread(self.show_hint, token, "", draft, moves)

    def show_hint(self, token: str | None, complaint: str, draft: list[str], moves: int) -> None:
        """Point at the choice, unless the person has chosen meanwhile."""
        self._thinking = False
        session = self.session
        if (draft, moves) != (session.draft, session.moves):
            return
        if token is None:
            self.tell(complaint)
            return
        tokens = [choice.token for choice in session.choices()]
        label = next(choice.label for choice in session.choices() if choice.token == token)
        self.query_one(OptionList).highlighted = tokens.index(token)
        self.tell(self.say("hint is", agent=session.hint_name, choice=label))

    def action_about(self, word: str = "") -> None:
        """What a card is: the one clicked on, or that of the choice under the cursor."""
        choices = self.session.choices()
        place = self.query_one(OptionList).highlighted
        if not word and choices and place is not None:
            word = choices[place].token
        told = self.session.about(word) if word else ""
        if told:
            self.push_screen(Message(word, told, self.say("close")))

    def action_scroll(self, widget: str, direction: int) -> None:
        found = self.query_one(widget)
        found.scroll_relative(y=direction * max(1, found.size.height - 2), animate=False)

    def action_help(self) -> None:
        legend = self.session.people.LEGEND[self.session.language]
        self.push_screen(Message(self.say("help"), self.say("help text", legend=legend), self.say("close")))

    def action_leave(self) -> None:
        if self.session.over:
            self.exit()
            return
        text = self.say("quit?", path=self.session.path)
        self.push_screen(Message(self.say("quit"), text, self.say("quit keys")), self.leave_if)

    def leave_if(self, yes: bool | None) -> None:
        if yes:
            self.exit()
