"""`ka play --plain`: the same game line by line, for pipes and screen readers."""

from __future__ import annotations

from collections.abc import Callable

from ka_env.screen.session import Session
from ka_env.screen.words import say

WIDTH = 80


class PlainGame:
    """Prints what happens and reads numbers."""

    def __init__(
        self, session: Session, read: Callable[[str], str] | None = None, write: Callable[[str], object] = print
    ):
        self.session = session
        self._read = read or input  # looked up now: whoever replaces `input` means this game
        self._write = write
        self._told = 0

    def run(self) -> None:
        """Until the game is over, the input ends, or the person quits."""
        session = self.session
        self.show_board()
        while not session.over:
            if not session.my_turn:
                session.opponent_plays(session.opponent_thinks())
                continue
            self.tell_news()
            if not self.ask():
                return
        self.tell_news()
        self.show_board()

    def say(self, key: str, **words: object) -> str:
        return say(self.session.language, key, **words)

    def tell_news(self) -> None:
        for line in self.session.log[self._told :]:
            self._write(line.text)
        self._told = len(self.session.log)

    def show_board(self) -> None:
        for line in self.session.board(WIDTH):
            self._write("".join(span.text for span in line).rstrip())

    def ask(self) -> bool:
        """One answer; False when the person leaves."""
        session = self.session
        choices = session.choices()
        if session.people.fresh(session.asked):
            self.show_board()
        self._write(session.question())
        for number, choice in enumerate(choices, 1):
            self._write(f"{number:3} {choice.label}")
        while True:
            try:
                text = self._read(self.say("choose")).strip().lower()
            except EOFError:
                return False
            if text == "q":
                return False
            if text.isdigit() and 1 <= int(text) <= len(choices):
                session.choose(choices[int(text) - 1].token)
                return True
            if text == "u":
                self._write(self.say("undone" if session.undo() else "no undo"))
                return True
            if text == "b":
                self.show_board()
            elif text == "h":
                token = session.hint(session.as_known())
                label = next(choice.label for choice in choices if choice.token == token)
                self._write(self.say("hint is", agent=session.hint_name, choice=label))
            else:
                self._write(session.about(text.upper()) or self.say("what", text=text))
