"""Python code coloured for display: Pygments finds the tokens, the theme has a colour for each role."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Span = tuple[int, int, str]

ROLES = (
    ("Keyword", "code_keyword"),
    ("Operator.Word", "code_keyword"),
    ("Literal.Number", "code_number"),
    ("Literal.String", "code_string"),
    ("Comment", "code_comment"),
)
"""Beginnings of Pygments' token types, and the theme's role for what has one of them."""
CALL = "code_call"
"""The role of a name that is called."""
COLOURED = frozenset({CALL, *(role for _, role in ROLES)})


@lru_cache(maxsize=1)
def _lexer() -> Lexer:
    from pygments.lexers.python import PythonLexer  # imported when used: it costs start-up time

    return PythonLexer(stripnl=False, stripall=False, ensurenl=False)


def make_ready() -> None:
    """Have what colours code: its first line takes a tenth of a second."""
    spans("x = 0")


DIGITS = str.maketrans("123456789", "000000000")


def spans(line: str) -> tuple[Span, ...]:
    """Start, length and the theme's role of every coloured stretch of one line of Python."""
    return _spans(line.translate(DIGITS))  # a17 = a16 * 2 is coloured as a00 = a00 * 0 is, which is known already


@lru_cache(maxsize=20_000)
def _spans(line: str) -> tuple[Span, ...]:
    found = []
    for start, token, text in _lexer().get_tokens_unprocessed(line):
        role = _role(str(token).removeprefix("Token."), line[start + len(text) : start + len(text) + 1])
        if role and text.strip():
            found.append((start, len(text), role))
    return tuple(_joined(found))


def _role(token: str, following: str) -> str:
    """The role of a token; a name that is called has one too, which Pygments does not tell."""
    for beginning, role in ROLES:
        if token.startswith(beginning):
            return role
    return CALL if token.startswith("Name") and following == "(" else ""


def _joined(spans: list[Span]) -> list[Span]:
    """Neighbours of one role as one: Pygments cuts a string at its quotes."""
    joined: list[Span] = []
    for start, length, role in spans:
        if joined and joined[-1][2] == role and sum(joined[-1][:2]) == start:
            joined[-1] = (joined[-1][0], joined[-1][1] + length, role)
        else:
            joined.append((start, length, role))
    return joined
