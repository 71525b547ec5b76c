"""The trace as JSON lines, one object for each event; docs/trace.md describes them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import numpy as np

from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.session import Session
from chalkgrad.session.trace import Trace

VERSION = 1
LARGEST = 1000
"""Values with more elements are left out; their shape is there."""

VALUED = frozenset({EventKind.MADE, EventKind.WRITE})
GIVES = frozenset({EventKind.ACCUMULATED, EventKind.RETAINED})

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def trace_lines(session: Session) -> Iterator[str]:
    """A header, then every event of ``session``, which has run as far as one wants to see."""
    lines = session.program.lines
    yield _written({"format": "chalkgrad-trace", "version": VERSION, "events": len(session.trace)})
    for index, event in enumerate(session.trace.events):
        position = index + 1
        line = session.trace.line_at(position)
        found: dict[str, Json] = {"position": position, "line": None if line is None else lines.get(line)}
        yield _written(found | _event(session.trace, event, position))


def _event(trace: Trace, event: Event, position: int) -> dict[str, Json]:
    found: dict[str, Json] = {"event": str(event.kind), "statement": event.statement, "pass": event.pass_}
    if event.tensors:
        found["tensors"] = list(event.tensors)
    if event.node is not None:
        found |= {"node": event.node, "name": trace.nodes[event.node].name}
    if event.inputs:
        found["inputs"] = list(event.inputs)
    if event.names:
        found["names"] = list(event.names)
    if event.kind in VALUED:
        found |= _tensor(trace, event.tensors[0], position)
    if event.kind in GIVES:
        found["gradient"] = values(event.incoming[0])
    elif event.incoming:
        found["incoming"] = [values(gradient) for gradient in event.incoming]
    if event.outgoing:
        found["outgoing"] = [values(gradient) for gradient in event.outgoing]
    if event.text:
        found["text"] = event.text
    return found


def _tensor(trace: Trace, number: int | None, position: int) -> dict[str, Json]:
    value = None if number is None else trace.value(number, position)
    if value is None:
        return {}
    return {"shape": [int(size) for size in value.shape], "dtype": value.dtype.name, "value": values(value)}


def values(array: np.ndarray | None) -> Json:
    """An array as nested lists; infinities and NaN as strings. None for none, and for a large one."""
    if array is None or array.size > LARGEST:
        return None
    return _plain(array.tolist())


def _plain(value: object) -> Json:
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value  # type: ignore[return-value]


def _written(found: dict[str, Json]) -> str:
    return json.dumps(found, ensure_ascii=False, allow_nan=False)
