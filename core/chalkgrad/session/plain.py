"""Plain lines: operators on results and numbers, which make up most of a large program, read once for all runs.

What can be said of a line without running it stays the same from run to run as long as its statement does. To find it
out anew in each run took twice as long as the operators themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from chalkgrad.engine.record import OPS
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.session.calls import Way, way

Key = tuple[int, int]


class PlainLine(NamedTuple):
    """An operator that stands in no block and gets results as they are, numbers, words and None.

    ``operands`` are where a result lies in the scope, or None and the value itself; ``makers`` are the statements that
    made the results; ``way`` is how it is called when none of those is None. ``single`` says that it comes to one
    value, which is bound as it is.
    """

    way: Way
    operands: tuple[tuple[Key | None, object], ...]
    options: Mapping[str, object]
    makers: frozenset[int]
    single: bool


class PlainLines:
    """The plain lines among the statements that were asked about."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Statement, PlainLine | None]] = {}

    def of(self, statement: Statement) -> PlainLine | None:
        """What is known of a statement; None where it is not a plain line."""
        known = self._known.get(statement.id)
        if known is None or known[0] is not statement:
            known = self._known[statement.id] = statement, _read(statement)
        return known[1]


def _read(statement: Statement) -> PlainLine | None:
    record = OPS.get(statement.call)
    if statement.kind is not Kind.OP or statement.block is not None or record is None or record.writes is not None:
        return None
    operands, options = statement.operands, dict(statement.options)
    if not all(_is_result(value) or _is_plain(value) for value in operands):
        return None
    if not all(_is_plain(value) for value in options.values()):
        return None
    return PlainLine(
        way(statement.call, statement.style, tuple(value is None for value in operands), tuple(options)),
        tuple(((each.statement, each.output), None) if isinstance(each, Ref) else (None, each) for each in operands),
        options,
        frozenset(value.statement for value in operands if isinstance(value, Ref)),
        len(statement.targets) <= 1 and bool(record.outputs),
    )


def _is_result(value: Operand) -> bool:
    return isinstance(value, Ref) and not value.path


def _is_plain(value: Operand) -> bool:
    return value is None or isinstance(value, bool | int | float | str)
