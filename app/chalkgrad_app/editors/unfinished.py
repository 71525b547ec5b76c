"""Whether what Python can't read may be the beginning of something: what is typed is judged while it is typed."""

from __future__ import annotations

import ast
import keyword
import re

from chalkgrad.program.names import narrow
from chalkgrad.source.problem import SourceError

UNFINISHED = "source.syntax"
GOING_ON = ("", "_", " _", "=_", "_: _", ": _", " _ in _: _", " in _: _", "0", '"', "'")
"""What may follow: an operand, what is assigned, the rest of a ``with`` or ``for``, a digit, the end of a string."""
OPENING = {"(": ")", "[": "]", "{": "}"}


def is_unfinished(error: ValueError, typed: str) -> bool:
    """True where what was typed may only be the beginning of an expression."""
    return isinstance(error, SourceError) and error.text.key == UNFINISHED and may_go_on(typed)


def may_go_on(typed: str) -> bool:
    """True where Python can read what was typed, or could once more is typed behind it."""
    text = narrow(typed).strip()
    last = re.search(r"[a-z]+$", text)
    if last and any(word.startswith(last[0]) for word in keyword.kwlist) and _can_follow(text[: last.start()].rstrip()):
        return True
    return _can_follow(text)


def _can_follow(text: str) -> bool:
    """True where one of the endings makes Python of it, once its brackets are closed."""
    closing = _closing(text)
    return any(_reads(text + more + end) for more in GOING_ON for end in dict.fromkeys((closing, closing + ": _")))


def _closing(text: str) -> str:
    """The brackets that close those that are open."""
    closing = ""
    for sign in text:
        if sign in OPENING:
            closing = OPENING[sign] + closing
        elif closing and sign == closing[0]:
            closing = closing[1:]
    return closing


def _reads(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
