"""Which nodes a backward comes to, found before the first one runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from chalkgrad.engine.graph import Node

_age, _edges = attrgetter("seq"), attrgetter("edges")


def gradients_awaited(roots: Iterable[Node]) -> dict[Node, int]:
    """The nodes that a backward from ``roots`` comes to, and how many gradients each waits for."""
    waiting: dict[Any, int] = {}
    found: list[Node] = []
    for root in roots:
        if root in waiting:
            waiting[root] += 1
        else:
            waiting[root] = 1
            found.append(root)
    for node in found:  # it grows on the way
        for edge in node.edges:  # None where nobody wants a gradient
            if edge in waiting:
                waiting[edge] += 1
            else:
                waiting[edge] = 1
                if edge is not None:
                    found.append(edge)
    waiting.pop(None, None)
    return waiting


def nodes_leading_to(ends: set[Node], nodes: Mapping[Node, object]) -> set[Node]:
    """Those of ``nodes`` from which an edge leads on to one of ``ends``, directly or through others."""
    inner = [node for node in nodes if node.edges]
    if _all_lead_to(ends, inner, nodes):
        return set(inner)
    needed, leading = set(ends), set[Node]()
    rest, grown = sorted(inner, key=_age), True
    while rest and grown:  # what edges lead to is older, except grad_fns that overwritten views got late
        left = []
        for node in rest:
            if needed.isdisjoint(node.edges):
                left.append(node)
            else:
                needed.add(node)
                leading.add(node)
        rest, grown = left, len(left) < len(rest)
    return leading


def _all_lead_to(leaves: set[Node], inner: list[Node], nodes: Mapping[Node, object]) -> bool:
    """True when ``leaves`` are all the ends there are, and each of the ``inner`` nodes leads on to one."""
    if len(inner) + len(leaves) != len(nodes) or not leaves <= nodes.keys():
        return False
    return all(leaf.accumulates and not leaf.edges for leaf in leaves) and all(map(any, map(_edges, inner)))
