"""What is done to lines in the program panel: moved to another place, nudged up or down, wrapped in a block."""

from __future__ import annotations

from collections.abc import Callable, Collection

from chalkgrad.program import edits
from chalkgrad.program.change import Change
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.program import ProgramError
from chalkgrad.program.sheet import Sheet
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import sentence, translate
from chalkgrad_app.panels.program_rows import Part, ProgramRows, place_before


def move(document: Document, rows: ProgramRows, ids: Collection[int], row: int) -> None:
    """Move lines to before a row, or say why that can't be."""
    program = document.program
    moving = with_inline(program, ids)
    after = (r.statement for r in rows.rows.lines_from(row) if r.part is Part.FIRST)
    # The list follows a little later: a line below may be gone by now.
    following = next((id_ for id_ in after if id_ in program and id_ not in moving), None)
    at = len(program) if following is None else place_before(program, following)

    def moved(sheet: Sheet) -> Change:
        return edits.move(sheet.program, moving, at)

    _do(document, moved, translate("ProgramPanel", "Move lines"))


def nudge(document: Document, rows: ProgramRows, ids: Collection[int], by: int) -> None:
    """Move lines one line up (-1) or down (+1)."""
    firsts = [row.statement for row in rows.rows.lines if row.part is Part.FIRST]
    here = [number for number, id_ in enumerate(firsts) if id_ in ids]
    if not here:
        return
    there = here[0] - 1 if by < 0 else here[-1] + 2
    if 0 <= there <= len(firsts):
        following = firsts[there] if there < len(firsts) else None
        row = len(rows.rows) if following is None else rows.row_of(following)
        move(document, rows, ids, row or 0)


def wrap(document: Document, ids: Collection[int]) -> None:
    """Put lines into a block without gradients, or say why that can't be."""
    wrapping = with_inline(document.program, ids)

    def wrapped(sheet: Sheet) -> Change:
        return edits.wrap(sheet.program, wrapping)

    if wrapping:
        _do(document, wrapped, translate("ProgramPanel", "Wrap in no_grad"))


def _do(document: Document, edit: Callable[[Sheet], Change], words: str) -> None:
    try:
        document.do(edit, words)
    except ProgramError as error:
        document.told.emit(sentence(error))
