"""Lessons: what ships with Chalkgrad to learn from."""

from chalkgrad.lessons.lesson import Example, example, examples

__all__ = ["Example", "example", "examples"]
