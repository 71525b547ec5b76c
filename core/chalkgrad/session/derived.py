"""The gradient's own graph: what a backward with ``create_graph=True`` computes, operator by operator.

Nothing here is part of the program. A node of the trace that was recorded while a backward ran is *derived*: it belongs
to the backward node that was at work then, and so to the line of the program that made that one.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from chalkgrad.engine.graph import Node

Constants = tuple[tuple[str, bool | int | float], ...]
_number = attrgetter("number")


class DerivedNode(NamedTuple):
    """An operator that ran inside a backward: its node ``number`` in the trace, and the node ``of`` that was at work.

    ``call`` is the operator's name in the table OPS, ``constants`` the numbers it was given. It is there from
    ``position`` on. ``joins`` is true for the sum of gradients that come to ``of`` along several paths.
    """

    number: int
    of: int
    call: str
    constants: Constants
    position: int
    joins: bool = False


@dataclass(slots=True)
class GradientGraph:
    """What one backward recorded of itself.

    ``order`` is 1 for a first derivative, 2 for one taken through such a graph. ``roots`` are the objects it started
    from. ``gradients`` says of an object which node's gradient it is: the whole of what came to that node's output, by
    (node, output). People count the nodes of all graphs on: ``first`` is what the first one here is called, ``#5``; a
    line has the same in each pass.
    """

    statement: int
    pass_: int
    start: int
    roots: tuple[int | None, ...]
    order: int = 1
    first: int = 1
    nodes: list[DerivedNode] = field(default_factory=list)
    gradients: dict[int, tuple[int, int]] = field(default_factory=dict)

    def node(self, number: int) -> DerivedNode:
        """The operator whose node has this number in the trace."""
        return self.nodes[self._place(number)]

    def count_of(self, number: int) -> int:
        """What people call the node with this number in the trace."""
        return self.first + self._place(number)

    def _place(self, number: int) -> int:
        return bisect_left(self.nodes, number, key=_number)


def call_of(node: Node) -> tuple[str, Constants]:
    """Which operator a node was recorded for, and the numbers among what it was given."""
    kept = zip(node.constant_names, node.constants, strict=False)
    numbers = tuple([(name, value) for name, value in kept if isinstance(value, bool | int | float)])
    return ("" if node.record is None else node.record.name), numbers


class Derivations:
    """Collects gradient graphs while backwards run."""

    __slots__ = ("_began", "_firsts", "_joins", "at", "graph_of", "graphs")

    def __init__(self) -> None:
        self.graphs: list[GradientGraph] = []
        self.graph_of: dict[int, int] = {}
        """By the number of a derived node, which of ``graphs`` it is in."""
        self._firsts: dict[int, int] = {}
        self._began: GradientGraph | None = None
        self.at: int | None = None  # the node at work in a backward that records itself
        self._joins = False

    def backward_began(self, statement: int, pass_: int, position: int, roots: tuple[int | None, ...]) -> None:
        """A backward began; whether it records itself shows when its first node is at work."""
        self._began, self.at = GradientGraph(statement, pass_, position, roots), None

    def node_began(self, number: int, joins: bool) -> None:
        """What is recorded from now on belongs to node ``number``; ``joins``: it adds up what came to that node."""
        began = self._began
        if began is None:
            return
        if not self.graphs or self.graphs[-1] is not began:
            began.first = self._first(began.statement)
            self.graphs.append(began)
        self.at, self._joins = number, joins
        through = self.graph_of.get(number)
        if through is not None and self.graphs[through] is not began:
            began.order = max(began.order, self.graphs[through].order + 1)

    def _first(self, statement: int) -> int:
        """What the first node of a line's graph is called: as in an earlier pass, else one more than all before."""
        if statement not in self._firsts:
            self._firsts[statement] = max((graph.first + len(graph.nodes) for graph in self.graphs), default=1)
        return self._firsts[statement]

    def made(self, number: int, call: str, constants: Constants, position: int) -> None:
        """A node was recorded, perhaps by a backward."""
        if self.at is not None and self._began is not None:
            self.graph_of[number] = len(self.graphs) - 1
            self._began.nodes.append(DerivedNode(number, self.at, call, constants, position, self._joins))

    def came(self, number: int, node: int, output: int) -> None:
        """Object ``number`` is all the gradient that came to an output of ``node``."""
        if self.at is not None and self._began is not None:
            self._began.gradients.setdefault(number, (node, output))

    @property
    def is_recording(self) -> bool:
        """True inside a backward that records itself."""
        return self.at is not None

    def backward_ended(self) -> None:
        """The backward is over."""
        self._began = self.at = None
