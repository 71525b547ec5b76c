"""A leaf lost by an update, ``w = w - lr * w.grad``: the name means an intermediate from then on, or a new leaf."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from chalkgrad.engine.record import OPS
from chalkgrad.program import edits
from chalkgrad.program.change import Change, together
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.session.mending.case import MODES_OFF, Scene, above
from chalkgrad.session.mending.remedy import Remedy
from chalkgrad.session.mending.repairs import whole_line
from chalkgrad.text import Text


class Lost(NamedTuple):
    """A leaf, and the lines that gave its name to what they computed from it, in their order."""

    leaf: Statement
    updates: tuple[int, ...]


def lost_leaf(case: Scene, made: int) -> Lost | None:
    """The leaf that had the name of what line ``made`` computed, where updates by its gradient took that away."""
    program, name = case.program, case.program[made].name
    if name not in program.repeated_names:
        return None
    leaf = made
    while leaf in program and program[leaf].kind is Kind.OP and _is_update(program, program[leaf], name):
        leaf = _first(program, program[leaf])
    if leaf == made or program[leaf].kind is not Kind.LEAF or program[leaf].option("requires_grad") is not True:
        return None
    known, found = {leaf}, []
    for line in program:
        if line.kind is Kind.OP and _is_update(program, line, name) and _first(program, line) in known:
            known.add(line.id)
            found.append(line.id)
    return Lost(program[leaf], tuple(found))


def lost_above(case: Scene, root: Ref | None) -> Lost | None:
    """The same of the first tensor above ``root`` that is such a result."""
    made = above(case, root) if root is not None and case.program.repeated_names else ()
    return next((lost for line in made if (lost := lost_leaf(case, line.id)) is not None), None)


def in_place(case: Scene, lost: Lost) -> Iterator[Remedy]:
    """Write what the updates come to into the leaf, where nothing is recorded."""
    yield Remedy(
        Text("remedy.update_in_place", name=lost.leaf.name, line=case.lines(lost.updates)),
        lambda sheet: _written(sheet, lost),
    )


def _is_update(program: Program, line: Statement, name: str) -> bool:
    """True for ``w = w - 0.1 * w.grad``: it reads a gradient, and its result gets the name of what it reads first."""
    first = line.operands[0] if line.operands else None
    if not name or line.name != name or f"{line.call}_" not in OPS or not isinstance(first, Ref) or first.path:
        return False
    if program[program.maker(first).statement].name != name:
        return False
    return any("grad" in ref.path for part in whole_line(program, line.id) for ref in program[part].refs())


def _first(program: Program, line: Statement) -> int:
    first = line.operands[0]
    assert isinstance(first, Ref)
    return program.maker(first).statement


def _written(sheet: Sheet, lost: Lost) -> Change:
    draft, program, leaf = Draft(sheet), sheet.program, Ref(lost.leaf.id)
    updates = frozenset(lost.updates)

    def renewed(ref: Ref) -> Operand:
        return replace(leaf, path=ref.path) if program.maker(ref).statement in updates else ref

    changes = []
    for id_ in program.order[program.positions[lost.updates[0]] :]:  # in one go: there may be hundreds
        line = program[id_].map_refs(renewed)
        if id_ in updates:
            line = replace(line, call=f"{line.call}_", targets=(), operands=(leaf, *line.operands[1:]))
        changes.append(edits.put(program, line))
    draft.apply(together(changes))
    recorded = [id_ for id_ in lost.updates if MODES_OFF.isdisjoint(program.modes(program[id_].block))]
    draft.apply(edits.wrap_each(draft.program, recorded, draft.new_id()))
    return draft.change
