"""Reading loops: ``for step in range(n):`` as a block, or its rounds written out where they differ.

A block has its lines once, and a reference in it means the object that was bound last. That is what Python does, too,
unless a name of before the loop is read in it and bound again later on: then each round reads another line's result,
and the rounds are written out. So are those of a loop whose variable is needed as a number that is known.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING

from chalkgrad.program.program import Block
from chalkgrad.program.statement import EMPTY, Counter, Ref
from chalkgrad.program.vocabulary import LOOP, MOST_ROUNDS
from chalkgrad.source.meaning import Meaning
from chalkgrad.source.problem import Unreadable, refuse

if TYPE_CHECKING:
    from chalkgrad.source.lines import Lines

MOST_LINES = 2000
"""Of more lines than this the rounds of a loop are not written out."""


class _CarriesOver(Exception):  # noqa: N818  not an error: the rounds are written out
    """A round reads what the one before it made."""


def read_loop(reader: Lines, node: ast.For, end: int) -> None:
    """Read a loop, after which the next line begins at row ``end``."""
    if node.orelse or not isinstance(node.target, ast.Name):
        raise refuse(node, "for")
    values = _values(reader, node.iter)
    if not values:
        if reader.lenient:
            _look_through(reader, node, node.target.id, end)
        return
    before = _Mark(reader)
    if isinstance(values, range) and values == range(len(values)) and not isinstance(reader.names.get("range"), Ref):
        try:
            _read_once(reader, node, node.target.id, len(values), end)
            return
        except (_CarriesOver, Unreadable) as error:
            before.put_back()
            if isinstance(error, Unreadable) and not _reads(node.body, node.target.id):
                raise
    _write_out(reader, node, node.target.id, values, end)


def _values(reader: Lines, node: ast.expr) -> Sequence[Meaning]:
    """What the loop goes through: whole numbers, or the members of a list."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        reader.calls.add(node)
        numbers = [reader.number(argument) for argument in node.args]
        if node.keywords or not 1 <= len(numbers) <= 3 or not all(type(number) is int for number in numbers):
            raise refuse(node, "for")
        try:
            values = range(*[int(number) for number in numbers])
        except ValueError as error:
            raise refuse(node, "arithmetic", message=str(error)) from None
        if len(values) > MOST_ROUNDS:
            raise refuse(node, "loop_too_long", most=MOST_ROUNDS)
        return values
    value = reader.operand(node)
    if not isinstance(value, tuple):
        raise refuse(node, "for")
    return value


def _look_through(reader: Lines, node: ast.For, name: str, end: int) -> None:
    """Read the body of a loop of no rounds, of which nothing is kept but that all of it could be read."""
    before = _Mark(reader)
    reader.names[name] = EMPTY
    reader.body(node.body, end)
    calls = reader.calls
    before.put_back()
    reader.calls = calls


def _read_once(reader: Lines, node: ast.For, name: str, rounds: int, end: int) -> None:
    """Read the body as a block of its own."""
    outer, names = reader.block, dict(reader.names)
    reader.block = reader.new_id()
    reader.blocks[reader.block] = Block(reader.block, LOOP, outer, rounds, name)
    reader.names[name] = Counter(reader.block)
    first = reader.next_id
    reader.body(node.body, end)
    reader.block = outer
    if rounds > 1 and _carries_over(reader, node, names, name, first):
        raise _CarriesOver


def _carries_over(reader: Lines, node: ast.For, names: dict[str, Meaning], variable: str, first: int) -> bool:
    """True when a later round means something else by a name than the first did."""
    for name, old in names.items():
        if name == variable or reader.names.get(name) == old:
            continue
        if not isinstance(old, Ref):
            if _reads(node.body, name):
                return True
            continue
        read = (ref for id_, statement in reader.made.items() if id_ >= first for ref in statement.refs())
        if any((ref.statement, ref.output) == (old.statement, old.output) for ref in read):
            return True
    return False


def _reads(body: Sequence[ast.stmt], name: str) -> bool:
    """True when the lines read a name."""
    found = (node for line in body for node in ast.walk(line) if isinstance(node, ast.Name) and node.id == name)
    return any(isinstance(node.ctx, ast.Load) for node in found)


def _write_out(reader: Lines, node: ast.For, name: str, values: Sequence[Meaning], end: int) -> None:
    """Read the body once for each value."""
    before = len(reader.made)
    for number, value in enumerate(values):
        reader.names[name] = value
        reader.body(node.body, end)
        written = len(reader.made) - before
        if written * len(values) > MOST_LINES * (number + 1):
            raise refuse(node, "loop_lines", most=MOST_LINES)


class _Mark:
    """What a reader had read, to go back to."""

    def __init__(self, reader: Lines) -> None:
        self._reader = reader
        self._kept = {key: copy(value) for key, value in vars(reader).items()}

    def put_back(self) -> None:
        """Have the reader be as it was."""
        vars(self._reader).update(self._kept)
