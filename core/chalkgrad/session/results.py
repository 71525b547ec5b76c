"""What is written down in one piece: a plain result with its node, a plain line's end, a node's work in a backward.

Nearly all that operators bring forth is plain: one tensor that shows memory of its own, with a node that was recorded
for it. All that a trace says of it, two or three events, the record of the node, the facts of the tensor and the saved
values, is made of this piece where somebody looks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chalkgrad.engine.graph import Node
from chalkgrad.session.events import EventKind, Gradients, NodeRecord, SavedName

# What happens by the thousand; looking such a kind up in its class takes as long as writing it down.
MADE, NODE_MADE, SAVED = EventKind.MADE, EventKind.NODE_MADE, EventKind.SAVED
NODE_RAN, FREED, RAN, ENDED = EventKind.NODE_RAN, EventKind.FREED, EventKind.RAN, EventKind.ENDED

Kept = tuple[tuple[int, np.ndarray] | bool | int | float | None, ...]
"""What a node saved: of a tensor its number and memory, a number as it is, None for what it needn't keep."""


class Result(NamedTuple):
    """A tensor that an operator made, and its node.

    It was made as object ``number`` right after ``position``. Its node has the number ``node``, is a ``node_class``,
    and has ``inputs``, ``edges`` and ``ports`` as its record does. ``kept`` is what it saved, if anything.
    """

    statement: int
    pass_: int
    position: int
    array: np.ndarray
    number: int
    node: int
    node_class: type[Node]
    inputs: tuple[int | None, ...]
    edges: tuple[int | None, ...]
    ports: tuple[int, ...] | None
    kept: Kept

    def rows(self) -> list[tuple[Any, ...]]:
        """Its events, as rows of their fields."""
        statement, pass_, made = self.statement, self.pass_, (self.number,)
        found: list[tuple[Any, ...]] = [
            (MADE, statement, pass_, made, None, (), (), (), (), ""),
            (NODE_MADE, statement, pass_, made, self.node, self.inputs, (), (), (), ""),
        ]
        if self.kept:
            names = self.node_class.saved_names[: len(self.kept)]
            if None in self.kept:
                names = tuple([name for name, value in self._named() if value is not None])
            found.append((SAVED, statement, pass_, (), self.node, (), names, (), (), ""))
        return found

    def record(self) -> NodeRecord:
        """The record of its node."""
        by, made = (self.statement, self.pass_), (self.number,)
        return NodeRecord(self.node_class.__name__, *by, self.inputs, made, self.edges, self.ports or ())

    def saved(self) -> tuple[SavedName, ...]:
        """What its node saved."""
        found: list[SavedName] = []
        for name, value in self._named():
            if isinstance(value, tuple):
                number, array = value
                found.append(SavedName(name, number, 0, array))
            elif value is not None:  # PyTorch keeps it as a tensor without dimensions
                found.append(SavedName(name, None, 0, np.asarray(value)))
        return tuple(found)

    def _named(self) -> zip[tuple[str, tuple[int, np.ndarray] | float | None]]:
        return zip(self.node_class.saved_names, self.kept, strict=False)


class Work(NamedTuple):
    """What a node did with the gradient that came; ``frees``: then it let go of what it had saved."""

    statement: int
    pass_: int
    node: int
    incoming: np.ndarray | None
    outgoing: Gradients
    frees: bool

    def rows(self) -> list[tuple[Any, ...]]:
        """Its events, as rows of their fields."""
        statement, pass_, node = self.statement, self.pass_, self.node
        ran = (NODE_RAN, statement, pass_, (), node, (), (), (self.incoming,), self.outgoing, "")
        return [ran, (FREED, statement, pass_, (), node, (), (), (), (), "")] if self.frees else [ran]


class Line(NamedTuple):
    """A line of the program came to one object and is over."""

    statement: int
    pass_: int
    numbers: tuple[int]

    def rows(self) -> list[tuple[Any, ...]]:
        """Its events, as rows of their fields."""
        statement, pass_ = self.statement, self.pass_
        return [
            (RAN, statement, pass_, self.numbers, None, (), (), (), (), ""),
            (ENDED, statement, pass_, (), None, (), (), (), (), ""),
        ]
