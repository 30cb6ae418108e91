"""The stack of a position: tasks are done at once, questions wait for an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .moves import GameEnds
from .state import State


class Question(NamedTuple):
    kind: str
    who: Callable[..., int]
    options: Callable[..., list[int]]
    answer: Callable[..., None]


TASKS: dict[str, Callable[..., None]] = {}
QUESTIONS: dict[str, Question] = {}


def task(function: Callable[..., None]) -> Callable[..., None]:
    TASKS[function.__name__] = function
    return function


def turn_player(s: State, *args: Any) -> int:
    assert s.turn is not None
    return s.turn


def opponent(s: State, *args: Any) -> int:
    return s.opponent


def named(s: State, player: int, *args: Any) -> int:
    """The first argument of the question is the player."""
    return player


def question(
    name: str,
    options: Callable[..., list[int]],
    answer: Callable[..., None],
    who: Callable[..., int] = turn_player,
    kind: str = "",
) -> None:
    QUESTIONS[name] = Question(kind or name, who, options, answer)


def run_tasks(s: State) -> None:
    """Does what is to be done up to the next question or the end."""
    while s.stack and s.stack[-1][0] in TASKS:
        do_task(s)


def do_task(s: State) -> None:
    name, *args = s.stack.pop()
    try:
        TASKS[name](s, *args)
    except GameEnds:
        if s.searching:
            raise


def asked(s: State) -> tuple[Question, list[Any]]:
    name, *args = s.stack[-1]
    return QUESTIONS[name], args


def who_decides(s: State) -> int:
    q, args = asked(s)
    return q.who(s, *args)


def raw_options(s: State) -> list[int]:
    """The options by all rules but completability, in canonical order."""
    q, args = asked(s)
    return sorted(q.options(s, *args))


def answer(s: State, action: int) -> None:
    name, *args = s.stack.pop()
    try:
        QUESTIONS[name].answer(s, action, *args)
    except GameEnds:
        if s.searching:
            raise
