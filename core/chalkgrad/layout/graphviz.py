"""A task in the language of Graphviz, and what its program answers with ``-Tplain``."""

from __future__ import annotations

from collections.abc import Iterator

from chalkgrad.layout.free import snapped
from chalkgrad.layout.graph import COLUMN_GAP, ROW_GAP, Point
from chalkgrad.layout.task import Drawing, Task
from chalkgrad.layout.tidying import packed

ARGUMENTS = ("-Tplain",)
INCH = 72.0
"""Canvas units in Graphviz's inch: its answer has five digits after the point."""


def can_draw(task: Task) -> bool:
    """True for what Graphviz can do as we want it: it knows no pins and doesn't keep groups in order."""
    return not task.groups and not any(node.pinned_at for node in task.nodes)


def written(task: Task) -> Iterator[str]:
    """The lines of the graph: cards are records whose fields are the ports."""
    yield f"digraph {{ rankdir=LR; nodesep={ROW_GAP / INCH:.3f}; ranksep={COLUMN_GAP / INCH:.3f};"
    yield "node [shape=record, fixedsize=true];"
    for node in task.nodes:
        ports = "|".join(f"<i{port}>" for port in range(len(node.inputs)))
        size = f"width={node.width / INCH:.4f}, height={node.height / INCH:.4f}"
        yield f'{node.id} [label="{{{{{ports}}}|<o>}}", {size}];'
    inputs = {node.id: len(node.inputs) for node in task.nodes}
    for edge in task.edges:
        if edge.source in inputs and edge.target in inputs:
            port = f":i{edge.port}:w" if edge.port < inputs[edge.target] else ":w"
            yield f"{edge.source}:o:e -> {edge.target}{port};"
    yield "}"


def read(text: str, task: Task) -> Drawing:
    """Where the answer has the cards, unconnected parts in rows, moved to where most of them lay. Raises ValueError.

    What is no answer, or lacks a card, is refused.
    """
    nodes = {node.id: node for node in task.nodes}
    places: dict[int, Point] = {}
    for line in text.splitlines():
        word, *fields = line.split()
        if word == "node":
            node = nodes[int(fields[0])]
            x, y = float(fields[1]) * INCH, -float(fields[2]) * INCH
            places[node.id] = snapped(x - node.width / 2, y - node.height / 2)
    if len(places) != len(nodes):
        raise ValueError(f"{len(places)} of {len(nodes)} cards")
    return Drawing(packed(task.nodes, task.edges, places), {})
