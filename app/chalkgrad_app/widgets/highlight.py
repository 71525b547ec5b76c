"""Python code coloured for display: which stretches of a line have which colour of the theme.

The lines are those that :mod:`chalkgrad.source.emit` writes, so one regular expression finds all that is in them, at a
small part of what a general lexer costs to import and to run.
"""

from __future__ import annotations

import re
from functools import lru_cache

Span = tuple[int, int, str]

TOKEN = re.compile(
    r"""
    (?P<code_comment>\#.*)
    | (?P<code_string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)
    | (?P<code_keyword>\b(?:with|as|del|import|from|try|except|is|not|in|for|if|else|None|True|False)\b)
    | (?P<code_number>(?<![\w.])(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    | (?P<code_call>[^\W\d]\w*(?=\())
    | [^\W\d]\w*
    """,
    re.VERBOSE,
)


@lru_cache(maxsize=20_000)
def spans(line: str) -> tuple[Span, ...]:
    """Start, length and the theme's role of every coloured stretch of one line of Python."""
    found = ((token.start(), token.end() - token.start(), token.lastgroup) for token in TOKEN.finditer(line))
    return tuple((start, length, role) for start, length, role in found if role is not None)
