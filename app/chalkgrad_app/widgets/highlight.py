"""Python code coloured for display: Pygments finds the tokens, the theme gives the colours."""

from __future__ import annotations

from functools import lru_cache

ROLES = {
    "Keyword": "code_keyword",
    "Name.Builtin": "code_name",
    "Name.Namespace": "code_name",
    "Literal.Number": "code_number",
    "Literal.String": "code_string",
    "Comment": "code_comment",
    "Operator": "code_operator",
}
"""Pygments' token types and the theme's role for each; what begins with one of them has its role."""

Span = tuple[int, int, str]


@lru_cache(maxsize=20_000)
def spans(line: str) -> tuple[Span, ...]:
    """Start, length and role of every coloured stretch of one line of Python."""
    from pygments.lexers import PythonLexer  # imported when used: it costs start-up time

    found = []
    for start, token, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens_unprocessed(line):
        role = _role(str(token).removeprefix("Token."))
        if role and text.strip():
            found.append((start, len(text), role))
    return tuple(found)


def _role(token: str) -> str:
    for name, role in ROLES.items():
        if token.startswith(name):
            return role
    return ""
