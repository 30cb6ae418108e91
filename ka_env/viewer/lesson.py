"""A lesson: a short position and the line of play that shows its idea. Games bring theirs as `viewer.LESSONS`."""

from __future__ import annotations

from typing import NamedTuple

Told = dict[str, str]  # by language


class Lesson(NamedTuple):
    name: str
    title: Told
    intro: Told  # what is asked
    nudge: Told  # said when another move is tried
    done: Told  # what was shown
    position: str  # a position text, with the learner to choose
    line: str  # all tokens to the end of the lesson, of both players
    seat: int = 0  # the learner's
