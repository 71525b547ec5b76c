"""One way to mend an error: what its button says, and the edit that it makes."""

from __future__ import annotations

from typing import NamedTuple

from chalkgrad.program import edits
from chalkgrad.program.program import ProgramError
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Dtype, Operand
from chalkgrad.session.mending.case import Scene
from chalkgrad.session.mending.repairs import Edit
from chalkgrad.text import Text


class Remedy(NamedTuple):
    """One way to mend an error: what a button says, and the edit that it makes."""

    text: Text
    edit: Edit


def works(remedy: Remedy, sheet: Sheet) -> bool:
    """False for an edit that this program does not allow, such as a line moved before one that it needs."""
    try:
        change = remedy.edit(sheet)
        sheet.apply(change)
    except (ProgramError, LookupError):
        return False
    return bool(change)


def giving(case: Scene, id_: int, name: str, value: Operand) -> Remedy:
    """The remedy that gives a line a keyword argument."""
    shown = f"torch.{value.name}" if isinstance(value, Dtype) else repr(value)
    return Remedy(
        Text("remedy.set_option", option=f"{name}={shown}", line=case.line(id_)),
        lambda sheet: edits.put(sheet.program, sheet.program[id_].with_option(name, value)),
    )


def asking_floats(case: Scene, id_: int) -> Remedy:
    """The remedy that makes a leaf of whole numbers one of real numbers that requires grad."""
    return Remedy(
        Text("remedy.set_option", option="dtype=torch.float32, requires_grad=True", line=case.line(id_)),
        lambda sheet: edits.put(
            sheet.program,
            sheet.program[id_].with_option("dtype", Dtype("float32")).with_option("requires_grad", True),
        ),
    )


def dropping(case: Scene, id_: int, name: str, shown: str = "") -> Remedy:
    """The remedy that leaves a keyword argument out of a line; ``shown`` is what it is called there."""
    return Remedy(
        Text("remedy.drop_option", option=shown or name, line=case.line(id_)),
        lambda sheet: edits.put(sheet.program, sheet.program[id_].without_option(name)),
    )
