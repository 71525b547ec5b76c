"""What of a program is drawn as a card, carried over from one program to the next."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from chalkgrad.engine.record import OPS
from chalkgrad.program.statement import Kind, Ref, Statement

if TYPE_CHECKING:
    from chalkgrad.program.program import Program

CARDS = frozenset({Kind.LEAF, Kind.OP, Kind.GRAD, Kind.ALIAS})
"""Kinds of statements that are drawn as cards, unless they are tags on a wire or marks on a card."""

PASSED_ON = frozenset({"detach", "clone"})
"""Operators that, like views, pass their one tensor on: written inline they are a tag on its wire."""


def has_card(program: Program, statement: Statement) -> bool:
    """True for what is drawn as a card: tensors and operators, also unnamed ones.

    The others are tags on a wire (``.detach()``), marks on a card (``w.grad.zero_()``), a tensor written out in a line
    that has no card itself (``gradient=torch.ones(2)``), or lines of the program alone.
    """
    if statement.kind not in CARDS or _writes_gradient(program, statement):
        return False
    if not program.is_inline(statement.id):
        return True
    if statement.kind is Kind.LEAF:
        return has_card(program, program[program.users[statement.id][0]])
    return not is_tag(program, statement)


def is_tag(program: Program, statement: Statement) -> bool:
    """True for an operator that is drawn as a tag on the wire that goes through it."""
    record = OPS.get(statement.call) if statement.kind is Kind.OP else None
    if record is None or not (record.view or record.name in PASSED_ON) or not program.is_inline(statement.id):
        return False
    return len(list(statement.refs())) == 1 and isinstance(statement.operands[0], Ref)


def cards_of(program: Program) -> frozenset[int]:
    """Ids of all statements that have a card."""
    return frozenset([statement.id for statement in program if has_card(program, statement)])


def cards_after(before: Program, program: Program, touched: Collection[int]) -> frozenset[int]:
    """The same where only statements ``touched`` differ from a program of which it is known."""
    asked = (program.inline ^ before.inline).union(touched)
    # Whether a leaf written inside a line has a card hangs on that line.
    asked |= {id_ for id_ in program.inline if program[id_].kind is Kind.LEAF}
    had, statements = before.cards, program.statements
    turned = {i for i in asked if (i in had) != (i in statements and has_card(program, statements[i]))}
    return had ^ turned if turned else had


def _writes_gradient(program: Program, statement: Statement) -> bool:
    """True for ``w.grad.zero_()`` and its kin: a mark on the tensor, no card."""
    if not program.writes(statement):
        return False
    first = statement.operands[0] if statement.operands else None
    return isinstance(first, Ref) and "grad" in first.path
