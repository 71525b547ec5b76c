"""The main job without a display: build the course example, run backward, print the table, write the picture."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from chalkgrad import lessons
from chalkgrad.session.state import State, TensorState
from chalkgrad_app import steps
from chalkgrad_app.canvas import arrange
from chalkgrad_app.document import Document
from chalkgrad_app.export import image
from chalkgrad_app.keeping import REFUSALS, read_sheet, refusal

COLUMNS = ("name", "value", "is_leaf", "requires_grad", "grad", "grad_fn")


def main(paths: Sequence[str] = ()) -> int:
    """Do it for the course example, or for the document in ``paths``; the exit status."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # whatever is set: there is no display
    from chalkgrad_app.application import application

    application()
    try:
        document = _document(paths[0] if paths else None)
        sys.stdout.write(f"{table(document.state)}\n\n")
        picture = _write_picture(document)
    except REFUSALS as error:
        sys.stderr.write(f"chalkgrad: {refusal(paths[0] if paths else 'picture', error, 'en')}\n")
        return 2
    sys.stdout.write(f"No display was found, so no window was opened. The picture of the graph is in {picture}\n")
    return 0


def table(state: State) -> str:
    """The tensors of a state, one a row, as plain text."""
    rows = [COLUMNS, *(_row(name, tensor) for name, tensor in state.names.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _document(path: str | None) -> Document:
    if path is not None:
        document = Document(read_sheet(Path(path)), Path(path))
    else:
        document = Document(lessons.examples()[0].sheet)
        document.set_name("course-example")
        steps.run(document, steps.backward)
    document.finish()
    document.amend(arrange.place_missing(document.sheet, document.state))
    return document


def _write_picture(document: Document) -> Path:
    """Write the picture into the folder one is in, or among the temporary files where that isn't allowed."""
    folder = Path.cwd() if os.access(Path.cwd(), os.W_OK) else Path(tempfile.gettempdir())
    picture = folder / f"{document.name}.png"
    image.export_document(document, picture)
    return picture


def _row(name: str, tensor: TensorState) -> tuple[str, ...]:
    grad = "None" if tensor.grad is None else tensor.grad.text
    facts = (tensor.is_leaf, tensor.requires_grad, grad, tensor.grad_fn)
    return (name, tensor.text, *(str(fact) for fact in facts))
