"""Who is to blame for an error: the statements to light up beside the one that failed."""

from __future__ import annotations

from chalkgrad.engine import messages
from chalkgrad.engine.graph import Node, TensorBase
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.tables import Tables


def at_fault(error: Exception, tables: Tables, recorder: Recorder) -> tuple[int, ...]:
    """Statements at fault, nearest cause first: who freed or overwrote what was needed, then who had saved it."""
    node, tensor = getattr(error, "node", None), getattr(error, "tensor", None)
    found: dict[int, None] = {}
    if isinstance(node, Node):
        number = recorder.node_number(node)
        if str(error) == messages.FREED and number in tables.liberators:
            found[tables.liberators[number]] = None
        elif isinstance(tensor, TensorBase):
            found.update(_writer(tables, recorder, tensor))
        found[tables.nodes[number].statement] = None
    found.pop(recorder.statement, None)
    return tuple(found)


def _writer(tables: Tables, recorder: Recorder, tensor: TensorBase) -> dict[int, None]:
    """The statement that last wrote the memory of ``tensor``."""
    number = recorder.sharer(tensor)
    return {tables.writers[number]: None} if number in tables.writers else {}
