"""Sheets that tests start from."""

from __future__ import annotations

from chalkgrad.program import edits
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Kind, Ref, Statement

FORWARD = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
y = a * b
"""
"""The course example as text."""
COURSE = f"{FORWARD}y.backward()\n"
"""The same with its backward."""

PLACES = {1: (0.0, 0.0), 2: (0.0, 160.0), 3: (256.0, 160.0), 4: (256.0, 0.0), 5: (512.0, 80.0)}


def course_sheet() -> Sheet:
    """``a = w + x; b = w + 1; y = a * b`` with w = [1.] (requires grad) and x = [2.], cards placed."""
    statements = [
        Statement(1, Kind.LEAF, "tensor", ("w",), ((1.0,),), (("requires_grad", True),)),
        Statement(2, Kind.LEAF, "tensor", ("x",), ((2.0,),)),
        Statement(3, Kind.OP, "add", ("a",), (Ref(1), Ref(2))),
        Statement(4, Kind.OP, "add", ("b",), (Ref(1), 1)),
        Statement(5, Kind.OP, "mul", ("y",), (Ref(3), Ref(4))),
    ]
    draft = Draft(Sheet())
    draft.apply(edits.insert(draft.program, statements))
    draft.apply(edits.place(draft.board, PLACES))
    return draft.sheet
