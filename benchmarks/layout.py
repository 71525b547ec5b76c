"""Tidying: CPU seconds, crossings, wires through cards and how much moves after an edit.

    python benchmarks/layout.py [GRAPH ...] [--dot PROGRAM]

Graphs: ``mlp86``, the scalar graph of a network 2-4-3-1 with biases, which lecturers draw; ``mlp1000`` and ``mlp5000``,
larger ones; ``rand100`` ... ``rand20000``, 15% leaves, 40% unary, 45% binary operators whose operands lie up to three
columns back. Crossings are those of straight lines from port to port. With ``--dot`` Graphviz draws the same.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "core"), str(ROOT / "resources")]

import numpy as np  # noqa: E402

from chalkgrad.layout import Edge, Node, Task, graphviz, routes, tidy  # noqa: E402
from chalkgrad.layout.detours import touched  # noqa: E402

FAR = 40.0
"""A card that moved further than this after an edit has moved."""
ROUTED = 2000
"""Up to so many cards all wires are led."""


def graph(operands):
    """Cards 1, 2 ... of which each reads those listed."""
    nodes = [_card(id_, len(reads)) for id_, reads in enumerate(operands, 1)]
    edges = [Edge(source, id_, port) for id_, reads in enumerate(operands, 1) for port, source in enumerate(reads)]
    return nodes, edges


def network(*sizes):
    """Weights times inputs, added to a bias one by one, then tanh, but not at the end."""
    operands = [()] * sizes[0]

    def add(*reads):
        operands.append(reads)
        return len(operands)

    layer = list(range(1, sizes[0] + 1))
    for number, size in enumerate(sizes[1:], 2):
        units = []
        for _ in range(size):
            total = add()
            for unit in layer:
                total = add(total, add(add(), unit))
            units.append(add(total) if number < len(sizes) else total)
        layer = units
    return graph(operands)


def scattered(count):
    """A random graph of which card 1 has many readers."""
    rng = random.Random(count)
    back = 3 * max(8, round((count * 240 / 128 / 1.6) ** 0.5))
    operands = [()]
    for id_ in range(2, count + 1):
        reads = [rng.randint(max(1, id_ - back), id_ - 1) for _ in range(2)]
        if id_ % 97 == 0 and id_ < 1600:
            reads[0] = 1
        kind = rng.random()
        operands.append(() if kind < 0.15 else tuple(reads[:1]) if kind < 0.55 else tuple(reads))
    return graph(operands)


GRAPHS: dict[str, Callable] = {
    "mlp86": lambda: network(2, 4, 3, 1),
    "rand100": lambda: scattered(100),
    "mlp1000": lambda: network(8, 12, 12, 6, 1),
    "rand1000": lambda: scattered(1000),
    "mlp5000": lambda: network(20, 30, 25, 10, 1),
    "rand5000": lambda: scattered(5000),
    "rand20000": lambda: scattered(20000),
}


def ends(nodes, edges, places):
    """Rows ax, ay, bx, by: where the wires begin and end."""
    by_id = {node.id: node for node in nodes}
    rows = []
    for edge in edges:
        source, target = by_id[edge.source], by_id[edge.target]
        (ax, ay), (bx, by) = places[source.id], places[target.id]
        rows.append((ax + source.width, ay + source.output, bx, by + target.port(edge.port)))
    return np.array(rows)


def crossings(lines):
    """Pairs of straight lines that cross."""

    def side(a, b, c):
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])

    total = 0
    for at in range(len(lines) - 1):
        a, b, c, d = lines[at, :2], lines[at, 2:], lines[at + 1 :, :2], lines[at + 1 :, 2:]
        total += int(((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)).sum())
    return total


def overlaps(nodes, places):
    """Pairs of cards that overlap."""
    rects = [(*places[n.id], places[n.id][0] + n.width, places[n.id][1] + n.height) for n in nodes]
    return sum(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a, b in combinations(rects, 2))


def wires_through(nodes, edges, places):
    """Wires, as they are led, that run through a card which is not their own; and the seconds of leading them."""
    began = time.process_time()
    paths = routes(nodes, edges, places)
    seconds = time.process_time() - began
    corners = np.array([(*places[n.id], places[n.id][0] + n.width, places[n.id][1] + n.height) for n in nodes])
    index = {node.id: row for row, node in enumerate(nodes)}
    hit = 0
    for edge, path in zip(edges, paths, strict=True):
        found = touched(path, corners)
        found[[index[edge.source], index[edge.target]]] = False
        hit += bool(found.any())
    return hit, seconds


def moved_after_an_edit(nodes, edges, places):
    """Share of cards that move far when one is added: the mean of three."""
    shares = []
    for reads in (len(nodes) // 5, len(nodes) // 2, 4 * len(nodes) // 5):
        now = [replace(node, previous=places[node.id]) for node in nodes]
        after = tidy([*now, _card(len(nodes) + 1, 1)], [*edges, Edge(reads, len(nodes) + 1)])
        far = [id_ for id_, (x, y) in places.items() if np.hypot(after[id_][0] - x, after[id_][1] - y) > FAR]
        shares.append(len(far) / len(nodes))
    return sum(shares) / len(shares)


def by_graphviz(program, nodes, edges):
    """The drawing of Graphviz."""
    task = Task(tuple(nodes), tuple(edges))
    text = "\n".join(graphviz.written(task))
    done = subprocess.run([program, *graphviz.ARGUMENTS], input=text, capture_output=True, text=True, check=True)
    return graphviz.read(done.stdout, task).places


def main():
    """Print a line for each graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", help=", ".join(GRAPHS))
    parser.add_argument("--dot", metavar="PROGRAM")
    chosen = parser.parse_args()
    widths = {"graph": -10, "cards": 7, "wires": 7, "CPU s": 8, "cross": 9, "overlap": 9, "through": 9, "moved": 7}
    print("".join(word.ljust(-width) if width < 0 else word.rjust(width) for word, width in widths.items()))
    for name in chosen.graphs or GRAPHS:
        nodes, edges = GRAPHS[name]()
        began = time.process_time()
        places = tidy(nodes, edges)
        seconds = time.process_time() - began
        small = len(nodes) <= ROUTED
        cells = [f"{name:<10}{len(nodes):>7}{len(edges):>7}{seconds:>8.2f}{crossings(ends(nodes, edges, places)):>9}"]
        cells.append(f"{overlaps(nodes, places):>9}" if small else f"{'-':>9}")
        cells.append(f"{wires_through(nodes, edges, places)[0]:>9}" if small else f"{'-':>9}")
        cells.append(f"{moved_after_an_edit(nodes, edges, places):>7.0%}" if small else f"{'-':>7}")
        if chosen.dot:
            cells.append(f"   dot {crossings(ends(nodes, edges, by_graphviz(chosen.dot, nodes, edges)))}")
        print("".join(cells), flush=True)


def _card(id_, ports):
    height = 76 if not ports else 96
    return Node(id_, 176, height, tuple(40.0 + 24 * port for port in range(ports)), 40.0)


if __name__ == "__main__":
    main()
