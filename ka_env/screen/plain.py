"""`ka play --plain`: the same game line by line, for pipes and screen readers."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from ka_env.screen.compiling import told_when_compiling
from ka_env.screen.session import Choice, Session
from ka_env.screen.words import help_page, say

WIDTH = 80
GOALS = {"w": "event", "m": "turn"}  # what these commands wait for


def wrapped(text: str) -> str:
    """No line longer than the board is wide, where there are blanks to break it at."""
    return "\n".join(textwrap.fill(line, WIDTH, break_long_words=False) for line in text.split("\n"))


class PlainGame:
    """Prints what happens and reads the keys of choices."""

    def __init__(
        self, session: Session, read: Callable[[str], str] | None = None, write: Callable[[str], object] = print
    ):
        self.session = session
        self._read = read or input  # looked up now: whoever replaces `input` means this game
        self._write = write
        self._told = 0
        self._waiting = ""

    def run(self) -> bool:
        """Until the game is over, the input ends, or the person quits; true if a rematch is wanted."""
        session = self.session
        if not session.my_turn:  # else the first question shows it
            self.show_board()
        while not session.over:
            if not session.my_turn:
                session.opponent_plays(session.opponent_thinks())
                continue
            self.tell_news()
            if not self.waited_on() and not self.ask():
                return False
        self.tell_news()
        self.show_board()
        return self.read("again") == "r"

    def say(self, key: str, **words: object) -> str:
        return say(self.session.language, key, **words)

    def read(self, prompt: str) -> str | None:
        """A line; None at the end of the input."""
        try:
            return self._read(self.say(prompt)).strip().lower()
        except EOFError:
            return None

    def tell_news(self) -> None:
        for line in self.session.log[self._told :]:
            self._write(line.text)
        self._told = len(self.session.log)

    def show_board(self) -> None:
        for line in self.session.board(WIDTH):
            self._write("".join(span.text for span in line).rstrip())

    def waited_on(self) -> bool:
        """Pass, if that is what the person waits with."""
        token = self.session.waiting(self._waiting) if self._waiting else ""
        if token:
            self.session.choose(token)
        else:
            self._waiting = ""
        return bool(token)

    def ask(self) -> bool:
        """One answer; False when the person leaves."""
        session = self.session
        choices = {choice.key: choice for choice in session.choices()}
        if session.people.fresh(session.asked):
            self.show_board()
        self._write(session.question())
        for key, choice in choices.items():
            self._write(f"{key:>3} {choice.label}")
        while True:
            text = self.read("choose")
            if text is None or text == "q":
                return False
            if text in choices:
                session.choose(choices[text].token)
                return True
            if text == "u":
                self._write(self.say("undone" if session.undo() else "no undo"))
                return True
            if text in GOALS and session.can_wait:
                if self.begin_waiting(GOALS[text]):
                    return True
            else:
                self.answer(text, choices)

    def begin_waiting(self, goal: str) -> bool:
        session = self.session
        session.begin_waiting()
        able = bool(session.waiting(goal))
        session.begin_waiting()
        self._waiting = goal if able else ""
        if not able:
            self._write(self.say("no wait"))
        return able

    def answer(self, text: str, choices: dict[str, Choice]) -> None:
        """What is only asked about."""
        session = self.session
        if text == "v":
            self.show_board()
        elif text == "h":
            self._write(self.say("hint thinking", agent=session.hint_name))
            with told_when_compiling(lambda: self._write(self.say("hint compiling", agent=session.hint_name))):
                token = session.hint(session.as_known())
            label = next(choice.label for choice in choices.values() if choice.token == token)
            self._write(self.say("hint is", agent=session.hint_name, choice=label))
        elif text == "?":
            self._write(wrapped(help_page(session, " plain")))
            for key, choice in choices.items():
                self._write(f"{key:>3} {choice.label}\n    {session.effect(choice.token)}")
        elif text.startswith("?") and text[1:].strip() in choices:
            self._write(session.effect(choices[text[1:].strip()].token))
        else:
            self._write(session.about(text.upper()) or self.say("what", text=text))
