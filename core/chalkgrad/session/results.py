"""What is written down in one piece: a plain result with its node, and a stretch of a backward.

Nearly all that operators bring forth is plain: one tensor, new memory or a view, with a node that was recorded for it.
All that a trace says of it, two or three events, the record of the node, the facts of the tensor and the saved values,
is made of this piece where somebody looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chalkgrad.engine.graph import Node
from chalkgrad.engine.observer import LET_GO, Notice
from chalkgrad.session.events import EventKind, NodeRecord, SavedName

# What happens by the thousand; looking such a kind up in its class takes as long as writing it down.
MADE, NODE_MADE, SAVED = EventKind.MADE, EventKind.NODE_MADE, EventKind.SAVED
NODE_READY, SUMMED, NODE_RAN = EventKind.NODE_READY, EventKind.SUMMED, EventKind.NODE_RAN
FREED, RAN, ENDED = EventKind.FREED, EventKind.RAN, EventKind.ENDED

Kept = tuple[np.ndarray | bool | int | float | None, ...]
"""What a node saved: of a tensor its memory, a number as it is, None for what it needn't keep."""


OVER: tuple[Any, ...] = ()
"""Stands after a result to which a line of the program came, and is over with that."""


class Result(NamedTuple):
    """A tensor that an operator made, and its node.

    It was made as object ``number`` right after ``position``, in memory that was written ``version`` times before.
    Its node has the number ``node``, is a ``node_class``, and has ``inputs``, ``edges`` and ``ports`` as its record
    does. ``kept`` is what it saved, if anything.
    """

    statement: int
    pass_: int
    position: int
    array: np.ndarray
    version: int
    number: int
    node: int
    node_class: type[Node]
    inputs: tuple[int | None, ...]
    edges: tuple[int | None, ...]
    ports: tuple[int, ...] | None
    kept: Kept

    def kinds(self) -> Sequence[EventKind]:
        """The kinds of its events."""
        return (MADE, NODE_MADE, SAVED) if self.kept else (MADE, NODE_MADE)

    def rows(self) -> list[tuple[Any, ...]]:
        """Its events, as rows of their fields."""
        statement, pass_, made = self.statement, self.pass_, (self.number,)
        found: list[tuple[Any, ...]] = [
            (MADE, statement, pass_, made, None, (), (), (), (), ""),
            (NODE_MADE, statement, pass_, made, self.node, self.inputs, (), (), (), ""),
        ]
        if self.kept:
            names = tuple([name for name, value in self._named() if value is not None])
            found.append((SAVED, statement, pass_, (), self.node, (), names, (), (), ""))
        return found

    @property
    def bound_at(self) -> int:
        """From which position on the line is bound to it that came to it, right after it was made."""
        return self.position + (4 if self.kept else 3)

    def over(self) -> list[tuple[Any, ...]]:
        """The events of the line that came to it and is over."""
        statement, pass_ = self.statement, self.pass_
        return [
            (RAN, statement, pass_, (self.number,), None, (), (), (), (), ""),
            (ENDED, statement, pass_, (), None, (), (), (), (), ""),
        ]

    def record(self) -> NodeRecord:
        """The record of its node."""
        by, made = (self.statement, self.pass_), (self.number,)
        return NodeRecord(self.node_class.__name__, *by, self.inputs, made, self.edges, self.ports or ())

    def saved(self) -> tuple[SavedName, ...]:
        """What its node saved."""
        record, found = self.node_class.record, list[SavedName]()
        assert record is not None
        for name, value in self._named():
            if isinstance(value, np.ndarray):
                number = self.inputs[record.inputs.index(name)] if name in record.inputs else self.number
                found.append(SavedName(name, number, 0, value))
            elif value is not None:  # PyTorch keeps it as a tensor without dimensions
                found.append(SavedName(name, None, 0, np.asarray(value)))
        return tuple(found)

    def _named(self) -> zip[tuple[str, np.ndarray | float | None]]:
        return zip(self.node_class.saved_names, self.kept, strict=False)


class Told(NamedTuple):
    """What happened in a stretch of a backward: to which nodes, and what, as observers are told.

    A gradient is None where it was not kept. ``marks`` are the numbers of the nodes, counted on from ``first``.
    """

    statement: int
    pass_: int
    first: int
    marks: Sequence[int]
    notices: Sequence[Notice]

    @property
    def nodes(self) -> list[int]:
        """The numbers of the nodes."""
        return [mark - self.first for mark in self.marks]

    def kinds(self) -> Sequence[EventKind]:
        """The kinds of its events."""
        return [_kind(notice) for notice in self.notices]

    def rows(self) -> list[tuple[Any, ...]]:
        """Its events, as rows of their fields."""
        by, found = (self.statement, self.pass_, ()), list[tuple[Any, ...]]()
        for node, notice in zip(self.nodes, self.notices, strict=True):
            if notice is None:
                found.append((NODE_READY, *by, node, (), (), (), (), ""))
            elif notice is LET_GO:
                found.append((FREED, *by, node, (), (), (), (), ""))
            elif isinstance(notice[1], list):
                found.append((NODE_RAN, *by, node, (), (), notice[:1], tuple(notice[1]), ""))
            else:
                found.append((SUMMED, *by, node, (), (), notice[:1], notice[1:], ""))
        return found


class Freed:
    """From which position on a node no longer has what it saved; of stretches of backwards that is read when asked."""

    __slots__ = ("_known", "_unread")

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._unread: list[tuple[int, Told]] = []

    def told(self, position: int, stretch: Told) -> None:
        """What a stretch of a backward that began at a position says of it."""
        self._unread.append((position, stretch))

    def at(self, node: int, position: int) -> None:
        """A node let go of it at a position; what it lost before stays lost."""
        self._read().setdefault(node, position)

    def get(self, node: int) -> int | None:
        """Since when a node has it no more; None while it has."""
        return self._read().get(node)

    def _read(self) -> dict[int, int]:
        known, unread = self._known, self._unread
        for start, stretch in unread:
            for place, (node, notice) in enumerate(zip(stretch.nodes, stretch.notices, strict=True), start + 1):
                if notice is LET_GO:
                    known.setdefault(node, place)
        unread.clear()
        return known


def _kind(notice: Notice) -> EventKind:
    if notice is None:
        return NODE_READY
    if notice is LET_GO:
        return FREED
    return NODE_RAN if isinstance(notice[1], list) else SUMMED
