"""Lessons."""

from ka_env.viewer.lesson import Lesson

LESSONS: list[Lesson] = []
