"""What is wrong with a program before it runs: open ports, names that mean nothing, wires to lines that come later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Empty, Kind, Ref, Statement
from chalkgrad.text import Text

MAKERS = frozenset({Kind.LEAF, Kind.OP, Kind.GRAD, Kind.ALIAS})
"""Kinds whose result others use."""


class ProgramProblem(NamedTuple):
    """Something that keeps a statement from running as it stands, and what to do about it."""

    statement: int
    text: Text
    port: int | None = None


def problems(program: Program) -> list[ProgramProblem]:
    """All problems, in the order of the statements."""
    return [problem for statement in program for problem in _of(program, statement)]


def held_up(program: Program, failed: Iterable[int] = ()) -> frozenset[int]:
    """Ids of statements that can't run: those with an open port, and all that use what one of them was to make.

    With ``failed`` the same for lines that raise: what uses what they did not produce is held up (not they themselves).
    """
    missing = {id_ for id_ in failed if id_ in program and _makes(program, program[id_])}
    if not missing and not program.unready:
        return frozenset()
    found: set[int] = set()
    for statement in program:
        uses = missing and any(program.maker(ref).statement in missing for ref in statement.refs())
        if uses or statement.is_waiting:
            found.add(statement.id)
            if _makes(program, statement):
                missing.add(statement.id)
        elif program.writes(statement) and _makes(program, statement):
            missing.add(statement.id)  # it writes a number, and so makes nothing
    return frozenset(found)


def waits_for(program: Program, ids: Iterable[int]) -> int | None:
    """The statement with an open port that these, or what they use, wait for; None where they need not wait."""
    asked = list(ids) if program.unready else []
    seen = set(asked)
    while asked:
        statement = program[asked.pop()]
        if statement.is_waiting:
            return statement.id
        used = {program.maker(ref).statement for ref in statement.refs()} - seen
        asked += [id_ for id_ in used if id_ in program]
        seen |= used
    return None


def _makes(program: Program, statement: Statement) -> bool:
    """True where what others use is this statement's own; an in-place line hands on what it writes, if it has that."""
    writes = program.writes(statement) and bool(statement.operands) and isinstance(statement.operands[0], Ref)
    return statement.kind in MAKERS and not writes


def _of(program: Program, statement: Statement) -> Iterator[ProgramProblem]:
    for port, operand in enumerate(statement.ports()):
        if isinstance(operand, Empty):
            yield ProgramProblem(statement.id, Text("problem.open_port", line=program.lines[statement.id]), port)
    here = program.positions[statement.id]
    for ref in statement.refs():
        if ref.statement not in program:
            yield ProgramProblem(statement.id, Text("problem.gone"))
        elif program.positions[ref.statement] >= here:
            name = program[ref.statement].name
            yield ProgramProblem(
                statement.id, Text("problem.used_before", name=name, line=program.lines[ref.statement])
            )
        elif (deleted := _deleted(program, ref, here)) is not None:
            name = program[ref.statement].name
            yield ProgramProblem(statement.id, Text("problem.deleted", name=name, line=program.lines[deleted]))


def _deleted(program: Program, ref: Ref, before: int) -> int | None:
    """The ``del`` line that took away what ``ref`` means, or None."""
    made = program.maker(ref)
    for id_ in program.users.get(made.statement, ()):
        statement = program[id_]
        if statement.kind is Kind.DELETE and program.positions[id_] < before and _is_of(statement, made):
            return id_
    return None


def _is_of(statement: Statement, made: Ref) -> bool:
    return any((ref.statement, ref.output) == (made.statement, made.output) for ref in statement.refs())
