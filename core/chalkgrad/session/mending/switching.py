"""Lines that took requires_grad away from a tensor, such as ``detach_()``, and what can be done about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from chalkgrad.program import edits
from chalkgrad.program.removing import remove
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.mending.case import Case, Scene, above
from chalkgrad.session.mending.remedy import Remedy
from chalkgrad.text import Text

SETTING = frozenset({"requires_grad_", "requires_grad", "detach_"})
"""Methods and attributes that say anew whether a tensor requires grad."""


def switched_off(case: Case, root: Ref) -> Iterator[tuple[Statement, int]]:
    """The tensors above ``root`` that once required grad, newest first, each with the line that took that away."""
    setting = _setting(case)
    for made in above(case, root) if setting else ():
        outputs = case.state.statement(made.id).outputs
        if any(tensor is not None and not tensor.requires_grad for tensor in outputs):
            line = next((line for line in reversed(setting[made.id]) if _came_before(case, line)), None)
            if line is not None and _switches_off(case.program[line]):
                yield made, line


def taking_out(case: Scene, line: int, failed: int | None) -> Iterator[Remedy]:
    """The line that switched it off goes, or comes after the backward ``failed`` that needs it on."""
    yield Remedy(Text("remedy.take_out", line=case.line(line)), lambda sheet: remove(sheet, [line]).change)
    if failed is not None and case.program.positions[line] < case.program.positions[failed]:
        yield Remedy(
            Text("remedy.move_after", line=case.line(line), after=case.line(failed)),
            lambda sheet: edits.move(sheet.program, [line], sheet.program.positions[failed] + 1),
        )


def _setting(case: Case) -> defaultdict[int, list[int]]:
    """The lines that say whether a tensor requires grad, in their order, by the line that made it."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for line in case.program:
        if line.kind in (Kind.ATTRIBUTE, Kind.ASSIGN) and line.call in SETTING:
            made = _meant(case, line.operands[0])
            if made is not None:
                found[made].append(line.id)
    return found


def _meant(case: Case, operand: object) -> int | None:
    """The line that made the tensor that an operand means, by whatever name."""
    while isinstance(operand, Ref) and not operand.path:
        made = case.program.maker(operand).statement
        statement = case.program[made]
        if statement.kind is not Kind.ALIAS:
            return made
        operand = statement.operands[0]
    return None


def _came_before(case: Case, line: int) -> bool:
    """True for a line that ran before the one that failed: it stands above, or in the same loop."""
    program, failed = case.program, case.statement
    if program.positions[line] < program.positions[failed.id]:
        return True
    around = [set(program.chain(program[id_].block)) for id_ in (line, failed.id)]
    return any(program.blocks[block].is_loop for block in set.intersection(*around))


def _switches_off(line: Statement) -> bool:
    return line.call == "detach_" or (len(line.operands) > 1 and line.operands[1] is False)
