"""What a diagram says of the graphs that backwards with ``create_graph=True`` recorded: nodes and edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chalkgrad.diagram.cards import COVERED
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import Program
from chalkgrad.session.derived import GradientGraph
from chalkgrad.session.state import State


@dataclass(frozen=True, slots=True)
class Node:
    """One node: its number in the trace, the lines of text on it, and what it reads: nodes and cards."""

    number: int
    rows: tuple[str, ...]
    nodes: tuple[int, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph of one backward: the line that asked for it, which derivative it is, and its nodes in order.

    ``ends`` are pairs of a node and the card where its result is kept: as ``.grad``, or as what the line returned.
    """

    line: int
    order: int
    nodes: tuple[Node, ...]
    ends: tuple[tuple[int, int], ...]

    @property
    def title(self) -> str:
        """``line 5, order 1``."""
        return f"line {self.line}, order {self.order}"


def graphs(program: Program, state: State | None) -> list[Graph]:
    """The graphs as far as they are there at the position of ``state``."""
    if state is None:
        return []
    made: dict[int, int] = {}
    last = {graph.statement: graph for graph in state.graphs if graph.start <= state.position}
    return [_graph(program, state, graph, made) for graph in last.values() if graph.statement in program]


def _graph(program: Program, state: State, graph: GradientGraph, made: dict[int, int]) -> Graph:
    nodes = []
    for derived in graph.nodes:
        if derived.position > state.position:
            break
        record = state.nodes[derived.number]
        given = [number for number in dict.fromkeys(record.inputs) if number is not None]
        outlets = [state.outlet(number) for number in given if number not in made]
        cards = [outlet[0] for outlet in outlets if outlet is not None and has_card(program, program[outlet[0]])]
        read = tuple(dict.fromkeys(made[number] for number in given if number in made))
        made.update((number, derived.number) for number in record.outputs if number is not None)
        rows = tuple(_rows(state, record.name, record.outputs))
        nodes.append(Node(derived.number, rows, read, tuple(dict.fromkeys(cards))))
    return Graph(program.lines[graph.statement], graph.order, tuple(nodes), tuple(_ends(program, state, graph, made)))


def _rows(state: State, name: str, outputs: tuple[int | None, ...]) -> Iterator[str]:
    number = outputs[0] if outputs else None
    tensor = None if number is None else state.object(number)
    called = "" if number is None else state.calling(number)[0]
    yield f"{called}: {name}" if called else name
    if tensor is not None:
        yield COVERED if state.covered is not None else tensor.short


def _ends(program: Program, state: State, graph: GradientGraph, made: dict[int, int]) -> Iterator[tuple[int, int]]:
    own = {node.number for node in graph.nodes}
    for id_ in program.order:
        for tensor in state.statement(id_).outputs if has_card(program, program[id_]) else ():
            if tensor is None:
                continue
            for number in (tensor.number, None if tensor.grad is None else tensor.grad.number):
                if number in made and made[number] in own:
                    yield made[number], id_
