"""Who is to blame for an error: the statements to light up beside the one that failed."""

from __future__ import annotations

from chalkgrad.engine import messages
from chalkgrad.engine.graph import Node, TensorBase
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.tables import Tables


def at_fault(error: Exception, tables: Tables, recorder: Recorder) -> tuple[int, ...]:
    """Statements at fault, nearest cause first.

    Who freed, overwrote or cut off what was needed, then who had saved it; where no node is to blame, who made the
    tensor that the error is about, and the one that it shows a part of.
    """
    node, tensor = getattr(error, "node", None), getattr(error, "tensor", None)
    found: dict[int, None] = {}
    if isinstance(node, Node):
        number = recorder.node_number(node)
        freed = tables.freed.get(number) if str(error) in messages.ABOUT_FREED else None
        if freed is not None:
            found[_during(tables, freed)] = None
        elif isinstance(tensor, TensorBase):
            found.update(_changer(error, tables, recorder, tensor))
        found[tables.nodes[number].statement] = None
    elif isinstance(tensor, TensorBase):
        for one in filter(recorder.knows, (tensor, _whole(tensor))):
            found[tables.made_by[recorder.number(one)]] = None
    found.pop(recorder.statement, None)
    return tuple(found)


def node_at_fault(error: Exception, recorder: Recorder) -> int | None:
    """The number of the backward node that could not do its part; None where the error is about no node."""
    node = getattr(error, "node", None)
    return recorder.node_number(node) if isinstance(node, Node) else None


def _during(tables: Tables, position: int) -> int:
    """The statement during which something happened."""
    run = tables.run_at(position)
    return 0 if run is None else tables.runs[run].statement


def _changer(error: Exception, tables: Tables, recorder: Recorder, tensor: TensorBase) -> dict[int, None]:
    """The statement that last wrote the memory of ``tensor``, or that cut ``tensor`` off, as the error says."""
    if str(error) == messages.DETACHED:
        known, number = tables.cutters, recorder.number(tensor)
    else:
        known, number = tables.writers, recorder.sharer(tensor)
    return {known[number]: None} if number in known else {}


def _whole(tensor: TensorBase) -> TensorBase:
    """The tensor whose memory ``tensor`` shows, itself where it is no view."""
    view = None if tensor.meta is None else tensor.meta.view
    return tensor if view is None else view.base
