"""What of a program is written inside the one line that uses it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from chalkgrad.engine.record import OPS
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import FACTORIES

if TYPE_CHECKING:
    from chalkgrad.program.program import Program

DEEPEST = 60
"""How many unnamed operators may stand inside each other in one line; past that one gets a line of its own."""


def inline_of(program: Program) -> frozenset[int]:
    """Ids of the unnamed operators and leaves that are written inside the one line that uses them."""
    if "" not in program.name_counts:
        return frozenset()
    unnamed = [statement for statement in program if "" in statement.targets]
    uses: dict[int, int] = {}
    whole: set[int] = set()
    for statement in program:
        for ref in statement.refs():
            uses[ref.statement] = uses.get(ref.statement, 0) + 1
        if statement.kind is Kind.PRINT:
            whole |= {id_ for operand in statement.operands if (id_ := all_of(program, operand)) is not None}
    depth: dict[int, int] = {}
    for statement in unnamed:
        wanted = len(statement.targets) if statement.id in whole else 1
        alone = statement.targets == ("",) * wanted and uses.get(statement.id) == wanted
        if alone and _can_move_in(program, statement):
            deepest = max((depth.get(ref.statement, 0) for ref in statement.refs()), default=0)
            if deepest < DEEPEST:
                depth[statement.id] = deepest + 1
    return frozenset(depth)


def line_of(program: Program, id_: int) -> int:
    """The statement whose line a statement stands in: its own, or that of the one that uses it inline."""
    while program.is_inline(id_):
        id_ = program.users[id_][0]
    return id_


def with_inline(program: Program, ids: Iterable[int]) -> list[int]:
    """Those of ``ids`` that are in the program, with all that is written inside their lines, in order."""
    found = {id_ for id_ in ids if id_ in program}
    stack = list(found)
    while stack:
        for ref in program[stack.pop()].refs():
            if program.is_inline(ref.statement) and ref.statement not in found:
                found.add(ref.statement)
                stack.append(ref.statement)
    return sorted(found, key=program.positions.__getitem__)


def all_of(program: Program, operand: Operand) -> int | None:
    """The statement whose outputs, which PyTorch returns in a tuple with names, ``operand`` lists in order."""
    first = operand[0] if isinstance(operand, tuple) and operand else None
    made = program.statements.get(first.statement) if isinstance(first, Ref) else None
    record = OPS.get(made.call) if made is not None and made.kind is Kind.OP else None
    if made is None or record is None or not record.returns:
        return None
    outputs = tuple(Ref(made.id, output) for output in range(len(made.targets)))
    return made.id if operand == outputs else None


def _can_move_in(program: Program, statement: Statement) -> bool:
    """True when the line that uses an unnamed statement may work it out itself."""
    if statement.kind not in (Kind.OP, Kind.LEAF) or program.writes(statement) or _makes_several(statement):
        return False
    user = program.statements[program.users[statement.id][0]]
    here, there = program.positions[statement.id], program.positions[user.id]
    if user.kind in (Kind.AGAIN, Kind.DELETE) or user.block != statement.block or here > there:
        return False
    between = (program.statements[id_] for id_ in program.order[here + 1 : there])
    draws = _draws(statement)
    return all(_minds_nothing(program, other) and not (draws and other.targets != ("",)) for other in between)


def _minds_nothing(program: Program, statement: Statement) -> bool:
    """True for a line that neither changes anything nor shows when it ran."""
    return statement.kind in (Kind.OP, Kind.LEAF, Kind.COMMENT) and not program.writes(statement)


def _makes_several(statement: Statement) -> bool:
    """True for an operator whose results come in a tuple, be it one: ``y, = x.split(2)``."""
    record = OPS.get(statement.call) if statement.kind is Kind.OP else None
    return record is not None and not record.outputs


def _draws(statement: Statement) -> bool:
    """True for a leaf drawn from the stream of random numbers that all share, so that order matters."""
    factory = FACTORIES.get(statement.call) if statement.kind is Kind.LEAF else None
    return factory is not None and factory.random and statement.option("seed") is None
