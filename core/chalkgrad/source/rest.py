"""A text that can't all be read: what of it can, without the lines that can't and those that hang on them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from chalkgrad.source.prepare import Prepared, prepare
from chalkgrad.source.problem import SourceError
from chalkgrad.text import Text

MOST_ROWS = 500
"""Longer texts are not gone through again for each line that can't be read."""
ACTING = frozenset({"backward", "step", "zero_grad", "manual_seed", "eval", "train"})
"""Calls after which tensors or gradients are others, besides those whose name ends in an underscore."""


class LeftOut(NamedTuple):
    """A line that is left out: its number, its text, and why; without a reason it hangs on one before it."""

    row: int
    text: str
    why: Text | None


class Rest(NamedTuple):
    """What can be read of a text, each line where it stood, and what is left out of it."""

    text: str
    left_out: tuple[LeftOut, ...]


def rest_of(text: str, read: Callable[[str], object]) -> Rest | None:
    """What of ``text`` the function ``read`` takes, which raises SourceError; None where nothing worth having is."""
    prepared = prepare(text)
    if len(prepared.rows) > MOST_ROWS:
        return None
    try:
        tree = prepared.parse()
    except SourceError:
        return None
    reasons: dict[int, Text] = {}
    while True:
        hanging = _Hanging(set(reasons))
        hanging.go_through(tree.body)
        gone = hanging.gone
        shortened = _without(prepared, tree, gone)
        try:
            read(shortened)
        except SourceError as error:
            found = _innermost(tree.body, error.line)
            if found is None or found.lineno in gone:
                return None
            reasons[found.lineno] = error.text
        else:
            break
    if not any(_says_something(line) for line in _kept(tree.body, gone)):
        return None
    rows = dict.fromkeys(line.lineno for line in _left_out(tree.body, gone))
    left_out = tuple(LeftOut(row, prepared.rows[row - 1].strip(), reasons.get(row)) for row in rows)
    return Rest(shortened, left_out)


class _Hanging:
    """Goes through lines in their order and finds those that hang on others that are left out.

    Names that those bind are not known until they are bound again; after one that writes into tensors, or runs a
    backward, nothing is as it was. Lines are known by the row they begin in: what shares a row goes with it.
    """

    def __init__(self, refused: set[int]) -> None:
        self.gone = refused
        self._unknown: set[str] = set()
        self._acting: set[str] = set()
        self._is_over = False

    def go_through(self, body: Sequence[ast.stmt]) -> None:
        """The lines of a text or of a block."""
        for line in body:
            if self._is_over or line.lineno in self.gone or self._hangs(line):
                self._leave_out(line)
            elif isinstance(line, ast.For):
                self._loop(line)
            elif isinstance(line, ast.With):
                self.go_through(line.body)
            else:
                self._unknown -= _bound(line)

    def _hangs(self, line: ast.stmt) -> bool:
        """True for a line, or the head of a block, that reads what is not known."""
        parts: Iterable[ast.AST] = (line,)
        if isinstance(line, ast.For):
            parts = (line.iter,)
        elif isinstance(line, ast.With):
            parts = line.items
        return not self._unknown.isdisjoint(name for part in parts for name in _read(part))

    def _loop(self, line: ast.For) -> None:
        """A round begins with what the one before left; a loop that acts otherwise than it should goes as a whole."""
        found: tuple[int, set[str]] | None = None
        while found != (len(self.gone), self._unknown) and not self._is_over:
            found = len(self.gone), set(self._unknown)
            self.go_through(line.body)
        if self._is_over:
            self._leave_out(line)

    def _leave_out(self, line: ast.stmt) -> None:
        self.gone.add(line.lineno)
        self._unknown |= _bound(line)
        if isinstance(line, ast.FunctionDef | ast.ClassDef):
            if any(map(_acts, line.body)):
                self._acting.add(line.name)
        else:
            self._is_over |= _acts(line) or not self._acting.isdisjoint(_read(line))


def _bound(line: ast.stmt) -> set[str]:
    """The names that a line gives a meaning to."""
    found: set[str] = set()
    for node in ast.walk(line):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.partition(".")[0])
    return found


def _read(part: ast.AST) -> Iterator[str]:
    """The names that are read there; ``x += 1`` reads x."""
    for node in ast.walk(part):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _acts(line: ast.stmt) -> bool:
    """True for what changes tensors or gradients that were there before."""
    for node in ast.walk(line):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in ACTING or _is_in_place(name):
                return True
            case ast.keyword(arg="out") | ast.AugAssign():
                return True
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                return True
    return False


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


def _kept(body: Sequence[ast.stmt], gone: set[int]) -> Iterator[ast.stmt]:
    """The lines that are not left out, those in loops and blocks, too; not the heads of these."""
    for line in body:
        if isinstance(line, ast.For | ast.With) and line.lineno not in gone:
            yield from _kept(line.body, gone)
        elif line.lineno not in gone:
            yield line


def _innermost(body: Sequence[ast.stmt], row: int) -> ast.stmt | None:
    """The line that a row belongs to; a whole block where the row is of its head."""
    found = next((line for line in body if line.lineno <= row <= (line.end_lineno or line.lineno)), None)
    if isinstance(found, ast.For | ast.With):
        return _innermost(found.body, row) or found
    return found


def _says_something(line: ast.stmt) -> bool:
    is_bare = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
    return not is_bare and not isinstance(line, ast.Pass | ast.Import | ast.ImportFrom)


def _without(prepared: Prepared, tree: ast.Module, gone: set[int]) -> str:
    """The text with nothing in the place of what is left out, so that all else stays in its row."""
    rows = list(prepared.rows)
    for line in _left_out(tree.body, gone):
        first, end = prepared.rows[line.lineno - 1], line.end_lineno or line.lineno
        indent = first[: len(first) - len(first.lstrip())]
        rows[line.lineno - 1 : end] = [f"{indent}pass", *[""] * (end - line.lineno)]
    return "\n".join(rows) + "\n"


def _left_out(body: Sequence[ast.stmt], gone: set[int]) -> Iterator[ast.stmt]:
    """The lines that are left out; those in a block that is left out go with it."""
    for line in body:
        if line.lineno in gone:
            yield line
        elif isinstance(line, ast.For | ast.With):
            yield from _left_out(line.body, gone)
