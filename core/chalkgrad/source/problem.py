"""What a text may not say: the error with its place, and the sentence for each construct."""

from __future__ import annotations

import ast

from chalkgrad.errors import ChalkgradError
from chalkgrad.text import Text

CONSTRUCTS: dict[type[ast.AST], str] = {
    ast.For: "for",
    ast.AsyncFor: "for",
    ast.While: "while",
    ast.If: "if",
    ast.IfExp: "if",
    ast.Match: "if",
    ast.FunctionDef: "function",
    ast.AsyncFunctionDef: "function",
    ast.Lambda: "function",
    ast.ClassDef: "class",
    ast.JoinedStr: "f_string",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.With: "with",
    ast.AsyncWith: "with",
    ast.ListComp: "comprehension",
    ast.SetComp: "comprehension",
    ast.DictComp: "comprehension",
    ast.GeneratorExp: "comprehension",
    ast.Subscript: "subscript",
    ast.BoolOp: "logic",
    ast.Dict: "dict",
    ast.Set: "dict",
    ast.Starred: "star",
    ast.NamedExpr: "walrus",
    ast.Assert: "assert",
    ast.Raise: "raise",
}
"""The key (after ``source.``) of the sentence for each construct that is not read."""


class SourceError(ChalkgradError):
    """A text that can't be read; ``line`` and ``column`` count from 1, ``text`` says it in every language."""

    def __init__(self, text: Text, line: int, column: int) -> None:
        super().__init__(text)
        self.message = str(self)
        self.line = line
        self.column = column
        self.filename = "<text>"


class Unreadable(Exception):  # noqa: N818  becomes a SourceError once the place in the original text is known
    """A construct that is not read, with the node it stands at."""

    def __init__(self, node: ast.AST, text: Text) -> None:
        super().__init__(text)
        self.node = node
        self.text = text


def refuse(node: ast.AST, key: str, **values: object) -> Unreadable:
    """The error to raise at ``node`` with the sentence ``source.<key>``."""
    return Unreadable(node, Text(f"source.{key}", **values))


def refuse_construct(node: ast.AST) -> Unreadable:
    """The error to raise for a construct that is not read at all."""
    key = CONSTRUCTS.get(type(node))
    if key is None:
        return refuse(node, "construct", construct=type(node).__name__)
    return refuse(node, key)


def only_argument(node: ast.Call, name: str) -> ast.expr:
    """The one argument of a call of ``name``; refused where it has none, or more."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    if len(values) != 1:
        raise refuse(node, "argument_count", name=name)
    return values[0]
