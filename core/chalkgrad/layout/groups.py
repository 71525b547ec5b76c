"""Tidying with frames and blocks: each is laid out by itself and stands in the drawing around it as one large card."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from chalkgrad.layout.free import Rect
from chalkgrad.layout.graph import Edge, Node, Point
from chalkgrad.layout.order import Report, silent
from chalkgrad.layout.task import Drawing, Group, Task
from chalkgrad.layout.tidying import bounds, tidy


def tidied(task: Task, report: Report = silent) -> Drawing:
    """The drawing of a task. A group that overlaps another without lying inside it is disregarded."""
    nodes = {node.id: node for node in task.nodes}
    edges = list(task.edges)
    inside: dict[int, dict[int, Point]] = {}
    laid: list[tuple[Group, Rect]] = []
    for group in nested(task.groups, nodes):
        members = [node for id_, node in nodes.items() if id_ in group.members or _within(id_, inside, group)]
        chosen = {node.id for node in members}
        inner = [edge for edge in edges if edge.source in chosen and edge.target in chosen]
        places = tidy(members, inner)
        rect = _around(bounds(members, places), group)
        laid.append((group, rect))
        inside[group.id] = places
        card, edges = _as_card(group.id, rect, members, places, edges)
        nodes = _with_card(nodes, chosen, card)
    places = tidy(list(nodes.values()), edges, report)
    return _unfolded(places, laid, inside)


def _with_card(nodes: Mapping[int, Node], members: Collection[int], card: Node) -> dict[int, Node]:
    """The nodes with a group's card instead of its members, where the first of these was."""
    first = next(id_ for id_ in nodes if id_ in members)
    kept = (card if id_ == first else node for id_, node in nodes.items() if id_ == first or id_ not in members)
    return {node.id: node for node in kept}


def nested(groups: Sequence[Group], known: Collection[int]) -> list[Group]:
    """The groups that have members and lie inside or beside all others, inner ones first."""
    kept: list[Group] = []
    for group in groups:
        members = group.members & set(known)
        if members and all(_fits(members, other.members) for other in kept):
            kept.append(group._replace(members=members))
    return sorted(kept, key=lambda group: len(group.members))


def _fits(one: frozenset[int], other: frozenset[int]) -> bool:
    """True when one lies inside the other, or beside it."""
    return one <= other or other <= one or one.isdisjoint(other)


def _within(id_: int, inside: Mapping[int, Mapping[int, Point]], group: Group) -> bool:
    """True for an inner group that was laid out before: it has members of ``group``."""
    return id_ in inside and any(_within(one, inside, group) or one in group.members for one in inside[id_])


def _around(inner: Rect, group: Group) -> Rect:
    x, y, width, height = inner
    margin = group.margin
    return x - margin, y - margin - group.title, width + 2 * margin, height + 2 * margin + group.title


def _as_card(
    id_: int, rect: Rect, members: Sequence[Node], places: Mapping[int, Point], edges: Sequence[Edge]
) -> tuple[Node, list[Edge]]:
    """A laid out group as one node, with a port for every wire into it, and the wires that are left."""
    x, y, width, height = rect
    within = {node.id: node for node in members}
    ports: list[float] = []
    found: list[Edge] = []
    for edge in edges:
        source, target = within.get(edge.source), within.get(edge.target)
        if source is not None and target is not None:
            continue
        if source is not None:
            start = source.output if edge.start is None else edge.start
            edge = edge._replace(source=id_, start=places[source.id][1] + start - y)
        if target is not None:
            ports.append(places[target.id][1] + target.port(edge.port) - y)
            edge = edge._replace(target=id_, port=len(ports) - 1)
        found.append(edge)
    stays = (x, y) if any(node.pinned_at for node in members) else None
    before = (x, y) if any(node.previous for node in members) else None
    return Node(id_, width, height, tuple(ports), height / 2, stays, before), found


def _unfolded(
    places: Mapping[int, Point], laid: Sequence[tuple[Group, Rect]], inside: Mapping[int, Mapping[int, Point]]
) -> Drawing:
    """Members moved along with their group, outer groups first."""
    found = dict(places)
    rects: dict[int, Rect] = {}
    for group, (x, y, width, height) in reversed(laid):
        left, top = found.pop(group.id)
        rects[group.id] = (left, top, width, height)
        for id_, (inner_x, inner_y) in inside[group.id].items():
            found[id_] = (inner_x + left - x, inner_y + top - y)
    return Drawing(found, rects)
