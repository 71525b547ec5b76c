"""What is to be tidied and what comes of it, as values that can be sent to another process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from chalkgrad.layout.free import Rect
from chalkgrad.layout.graph import Edge, Node, Point


class Group(NamedTuple):
    """Nodes that stay together with no stranger between them.

    ``members`` has all of them, those of inner groups too. ``margin`` is kept free round them, ``title`` above that.
    """

    id: int
    members: frozenset[int]
    margin: float = 0.0
    title: float = 0.0


class Task(NamedTuple):
    """Cards and wires to be laid out, with the groups that stay together."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where everything lies: nodes by their top left corners, and the rectangles of groups."""

    places: Mapping[int, Point]
    rects: Mapping[int, Rect]


def written(task: Task) -> Iterator[str]:
    """A task as lines of text."""
    for n in task.nodes:
        yield json.dumps(("node", n.id, n.width, n.height, n.inputs, n.output, n.pinned_at, n.previous))
    for e in task.edges:
        yield json.dumps(("edge", e.source, e.target, e.port, e.start))
    for g in task.groups:
        yield json.dumps(("group", g.id, sorted(g.members), g.margin, g.title))


def read(text: str) -> Task:
    """The task that was written as ``text``."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    groups: list[Group] = []
    for line in text.splitlines():
        word, *fields = json.loads(line)
        if word == "node":
            id_, width, height, inputs, output, pin, was = fields
            nodes.append(Node(id_, width, height, tuple(inputs), output, _point(pin), _point(was)))
        elif word == "edge":
            edges.append(Edge(*fields))
        else:
            id_, members, margin, title = fields
            groups.append(Group(id_, frozenset(members), margin, title))
    return Task(tuple(nodes), tuple(edges), tuple(groups))


def encode_drawing(drawing: Drawing) -> str:
    """A drawing as a line of text."""
    return json.dumps([list(drawing.places.items()), list(drawing.rects.items())])


def decode_drawing(text: str, task: Task) -> Drawing:
    """The drawing of ``task`` that was written as ``text``. Raises ValueError for what is none."""
    places, rects = json.loads(text)
    drawing = Drawing({id_: (x, y) for id_, (x, y) in places}, {id_: tuple(rect) for id_, rect in rects})
    if drawing.places.keys() != {node.id for node in task.nodes}:
        raise ValueError("not the cards of the task")
    return drawing


def _point(value: list[float] | None) -> Point | None:
    return None if value is None else (value[0], value[1])
