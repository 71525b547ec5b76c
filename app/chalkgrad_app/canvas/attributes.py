"""The rows of a tensor's attributes and the lines of the program, with the mouse: what a click on one does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalkgrad.program.statement import Kind
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.picture.node_arrays import NODE

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


def click(canvas: GraphCanvas, hit: Hit, extend: bool) -> bool:
    """Select the node that a ``grad_fn`` is, or the statement of a line; False for anything else."""
    document = canvas.document
    if hit.kind is HitKind.LINE and hit.id is not None:
        canvas.select_wire(None)
        document.select({hit.id}, extend)
        canvas.keyboard.focus(hit.id if hit.id in canvas.picture.index else None, select=False)
        return True
    if hit.kind is not HitKind.ATTRIBUTE or hit.part != "grad_fn" or hit.id is None or extend:
        return False
    tensor = document.state.tensor(hit.id, hit.port)
    if tensor is None or tensor.node is None:
        return False
    canvas.select_wire(None)
    canvas.nodes.choose((NODE, tensor.node), show=False)
    return True


def double_click(canvas: GraphCanvas, hit: Hit) -> bool:
    """Switch ``requires_grad`` in the line of a leaf by its row; False for anything else."""
    program = canvas.document.program
    if hit.kind is not HitKind.ATTRIBUTE or hit.part != "requires_grad" or hit.id is None:
        return False
    if program[hit.id].kind is not Kind.LEAF:
        return False
    canvas.document.select({hit.id})
    canvas.toggle_requires_grad()
    return True
