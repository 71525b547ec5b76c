"""Strips: what is long goes on beside itself, nothing overlaps, and what is added leaves what there was."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.test_rows import graphs, overlap, rects

from chalkgrad.layout import Beside, Brick, Edge, Group, in_rows, in_strips
from chalkgrad.stepwise import finished

HEIGHT = 220.0


def beside(count, after=400.0):
    return Beside(dict.fromkeys(range(1, count + 1), 190.0), 156.0, 380.0, after)


def chain(count):
    bricks = [Brick(id_, 200.0, HEIGHT, 60.0) for id_ in range(1, count + 1)]
    return bricks, [Edge(id_, id_ + 1, 0) for id_ in range(1, count)]


def extent(strips):
    return max(strips[-1].end / 1.4, max(strip.bottom for strip in strips))


def test_what_is_short_stands_in_one_strip_as_in_rows():
    bricks, edges = chain(5)
    places, strips = finished(in_strips(bricks, edges, [], beside(5)))
    assert len(strips) == 1
    assert places == finished(in_rows(bricks, edges))


@pytest.mark.parametrize(("count", "larger"), [(10, 1.6), (20, 2.2), (40, 2.5), (100, 3.0)])
def test_a_long_chain_is_seen_far_larger_in_strips(count, larger):
    bricks, edges = chain(count)
    places, strips = finished(in_strips(bricks, edges, [], beside(count)))
    assert count * (HEIGHT + 56) / extent(strips) > larger
    for strip in strips:
        assert len({places[id_][0] for id_ in strip.members}) == 1, "a column"
    reading = sorted(places, key=lambda id_: places[id_])
    assert reading == list(range(1, count + 1)), "from top to bottom, strip by strip"


def network(layers):
    """Layers of two operators, each with a leaf; all leaves come first."""
    count = 2 * layers
    bricks = [Brick(id_, 200.0, HEIGHT, 60.0) for id_ in range(1, 2 * count + 2)]
    edges = [Edge(1, count + 2, 0), *(Edge(id_, id_ + 1, 0) for id_ in range(count + 2, 2 * count + 1))]
    return bricks, [*edges, *(Edge(id_, id_ + count, 1) for id_ in range(2, count + 2))], count


@pytest.mark.parametrize("layers", [5, 8, 12])
def test_leaves_of_a_long_network_stand_near_their_readers(layers):
    bricks, edges, count = network(layers)
    places, _ = finished(in_strips(bricks, edges, [], beside(len(bricks))))
    for leaf in range(2, count + 2):
        (x, y), (left, top) = places[leaf], places[leaf + count]
        assert abs(x - left) < 500
        assert HEIGHT < top - y < 2 * HEIGHT


def test_leaves_of_a_short_network_stand_in_the_order_of_the_lines():
    bricks, edges, count = network(1)
    places, _ = finished(in_strips(bricks, edges, [], beside(len(bricks))))
    tops = [places[id_][1] for id_ in range(1, 2 * count + 2)]
    assert tops == sorted(tops)


def test_lines_that_are_added_leave_the_strips_before_as_they_are_nearly_always():
    changes, before = 0, {}
    for count in range(22, 60):
        bricks, edges = chain(count)
        places, _ = finished(in_strips(bricks, edges, [], beside(count)))
        changes += any(places[id_] != place for id_, place in before.items())
        before = places
    assert changes <= 3


@settings(deadline=None)
@given(graphs(), st.integers(0, 6))
def test_nothing_overlaps_not_even_what_stands_beside(graph, size):
    bricks, edges = graph
    members = frozenset(brick.id for brick in bricks[:size])
    places, strips = finished(in_strips(bricks, edges, [Group(99, members, 20.0, 24.0)], beside(len(bricks))))
    assert frozenset().union(*(strip.members for strip in strips)) == {brick.id for brick in bricks} == places.keys()
    boxes = rects(bricks, places)
    all_boxes = list(boxes.values())
    assert not any(overlap(box, other) for number, box in enumerate(all_boxes) for other in all_boxes[:number])
    for strip in strips:
        for id_ in strip.members:
            left, _, width, _ = boxes[id_]
            assert strip.left <= left
            assert left + width <= strip.right
    for strip, later in pairwise(strips):
        assert strip.end + 400 <= later.left
    for edge in edges:
        mine = next(strip for strip in strips if edge.target in strip.members)
        if edge.source in mine.members and not {edge.source, edge.target} <= members:
            _, y, _, height = boxes[edge.source]
            assert y + height < boxes[edge.target][1]
