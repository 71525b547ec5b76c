"""Graphs to lay out, and what is measured on a drawing."""

from dataclasses import replace
from itertools import combinations

from hypothesis import strategies as st

from chalkgrad.layout import Edge, Node


def card(id_, ports, previous=None, pinned_at=None):
    height = 76 if not ports else 96
    return Node(id_, 176, height, tuple(40.0 + 24 * port for port in range(ports)), 40.0, pinned_at, previous)


def graph(*operands):
    """Cards 1, 2 ... of which each reads those listed."""
    nodes = [card(id_, len(reads)) for id_, reads in enumerate(operands, 1)]
    edges = [Edge(source, id_, port) for id_, reads in enumerate(operands, 1) for port, source in enumerate(reads)]
    return nodes, edges


COURSE = graph((), (), (1, 2), (1,), (3, 4))


def network(*sizes):
    """The scalar graph of a small network: products summed one by one, then a function."""
    operands = [()] * sizes[0]

    def add(*reads):
        operands.append(reads)
        return len(operands)

    layer = list(range(1, sizes[0] + 1))
    for size in sizes[1:]:
        units = []
        for _ in range(size):
            total = add()
            for unit in layer:
                total = add(total, add(add(), unit))
            units.append(add(total))
        layer = units
    return graph(*operands)


@st.composite
def graphs(draw, most=24):
    count = draw(st.integers(1, most))
    operands = []
    for id_ in range(1, count + 1):
        ports = draw(st.integers(0, min(3, id_ - 1)))
        operands.append(tuple(draw(st.integers(1, id_ - 1)) for _ in range(ports)))
    nodes, edges = graph(*operands)
    sizes = st.sampled_from([(176.0, 52.0), (176.0, 96.0), (300.0, 221.0), (80.5, 33.3)])
    return [_sized(node, *draw(sizes)) for node in nodes], edges


def _sized(node, width, height):
    ports = len(node.inputs)
    inputs = tuple(height * (port + 1) / (ports + 1) for port in range(ports))
    return Node(node.id, width, height, inputs, height / 2)


def rect(node, places):
    x, y = places[node.id]
    return x, y, x + node.width, y + node.height


def overlapping(nodes, places, gap=0.0):
    found = []
    for one, other in combinations(nodes, 2):
        a, b = rect(one, places), rect(other, places)
        if a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap:
            found.append((one.id, other.id))
    return found


def ends(nodes, edges, places):
    by_id = {node.id: node for node in nodes}
    for edge in edges:
        source, target = by_id[edge.source], by_id[edge.target]
        start = (places[source.id][0] + source.width, places[source.id][1] + source.output)
        yield start, (places[target.id][0], places[target.id][1] + target.port(edge.port))


def crossings(nodes, edges, places):
    def turn(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return sum(
        turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
        for (a, b), (c, d) in combinations(ends(nodes, edges, places), 2)
    )


def settled(nodes, places):
    return [replace(node, previous=places[node.id]) for node in nodes]
