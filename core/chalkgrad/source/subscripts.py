"""Indices between brackets: read into the text that a statement keeps, and written back."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from chalkgrad.ops.subscript import PLACE
from chalkgrad.program.statement import Empty, Operand, Statement
from chalkgrad.source.meaning import is_tensor
from chalkgrad.source.problem import refuse

READS = {False: "getitem", True: "getitem_at"}
WRITES = {False: "setitem_", True: "setitem_at_"}
"""The operators behind brackets, by whether tensors stand in them."""

Reader = Callable[[ast.expr], Operand]
"""Reads an expression as an operand."""


def read_index(node: ast.expr, read: Reader) -> tuple[str, tuple[Operand, ...]]:
    """The text of an index with a place for each tensor in it, and the tensors."""
    tensors: list[Operand] = []
    members = node.elts if isinstance(node, ast.Tuple) else [node]
    texts = [_step(member, read, tensors) for member in members]
    comma = "," if isinstance(node, ast.Tuple) and len(texts) == 1 else ""
    return ", ".join(texts) + comma, tuple(tensors)


def _step(node: ast.expr, read: Reader, tensors: list[Operand]) -> str:
    if isinstance(node, ast.Slice):
        start, stop, step = (_bound(part, read) for part in (node.lower, node.upper, node.step))
        return f"{start}:{stop}:{step}" if node.step is not None else f"{start}:{stop}"
    if isinstance(node, ast.Constant) and node.value is Ellipsis:
        return "..."
    value = read(node)
    if is_tensor(value):
        tensors.append(value)
        return PLACE
    if isinstance(value, tuple):
        return f"[{', '.join(_plain(node, member) for member in value)}]"
    return _plain(node, value)


def _bound(node: ast.expr | None, read: Reader) -> str:
    return "" if node is None else _plain(node, read(node))


def _plain(node: ast.expr, value: Operand) -> str:
    """A step that is no tensor; refused where Python would have to run something to know it."""
    if isinstance(value, Empty):
        return "0"
    if value is None or isinstance(value, bool | int):
        return repr(value)
    raise refuse(node, "not_constant")


def written_index(statement: Statement, names: Sequence[str]) -> str:
    """The index of a statement with ``names`` in the places of its tensors."""
    left = iter(names)
    return re.sub(rf"\b{PLACE}\b", lambda _: next(left, PLACE), str(statement.option("index", PLACE if names else "0")))


def tensors_of(statement: Statement) -> tuple[Operand, ...]:
    """The tensors in an index."""
    found = statement.operands[-1] if statement.call in (READS[True], WRITES[True]) else ()
    return found if isinstance(found, tuple) else (found,)
