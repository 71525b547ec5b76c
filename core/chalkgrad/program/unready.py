"""What of a program can't run as it stands, whatever else there is: carried over from one program to the next."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from chalkgrad.program.statement import Kind, Ref, Statement

if TYPE_CHECKING:
    from chalkgrad.program.program import Program


def is_unready(statement: Statement) -> bool:
    """True for a line with an open port, and for one that writes into a number, and so makes nothing."""
    if statement.call.endswith("_") and statement.kind is Kind.OP:
        return statement.is_waiting or not (statement.operands and isinstance(statement.operands[0], Ref))
    return statement.is_waiting


def unready_of(program: Program) -> frozenset[int]:
    """Ids of all such statements."""
    return frozenset([statement.id for statement in program if is_unready(statement)])


def unready_after(before: Program, program: Program, touched: Collection[int]) -> frozenset[int]:
    """The same where only statements ``touched`` differ from a program of which it is known."""
    now = (program.statements[id_] for id_ in touched if id_ in program)
    return before.unready.difference(touched).union([statement.id for statement in now if is_unready(statement)])
