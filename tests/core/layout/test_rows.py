"""Rows: nothing overlaps, what is read stands above, chains are columns, groups stay together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chalkgrad.layout import Brick, Edge, in_rows
from chalkgrad.layout.task import Group
from chalkgrad.stepwise import finished

BASES = st.sampled_from([0.0, 80.0])


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 24))
    bricks = [
        Brick(id_, draw(st.sampled_from([96.0, 216.0])), draw(st.sampled_from([120.0, 260.0])), draw(BASES))
        for id_ in range(1, count + 1)
    ]
    edges = [
        Edge(draw(st.integers(1, target - 1)), target, port)
        for target in range(2, count + 1)
        for port in range(draw(st.integers(0, 2)))
    ]
    return bricks, edges


def rects(bricks, places):
    return {brick.id: (*places[brick.id], brick.width, brick.height) for brick in bricks}


def overlap(one, other):
    x, y, w, h = one
    a, b, c, d = other
    return x < a + c and a < x + w and y < b + d and b < y + h


@given(graphs())
def test_nothing_overlaps_and_what_is_read_stands_above(graph):
    bricks, edges = graph
    found = rects(bricks, finished(in_rows(bricks, edges)))
    assert found.keys() == {brick.id for brick in bricks}
    boxes = list(found.values())
    assert not any(overlap(box, other) for number, box in enumerate(boxes) for other in boxes[:number])
    for edge in edges:
        _, y, _, height = found[edge.source]
        assert y + height < found[edge.target][1]


@given(graphs(), st.integers(2, 6))
def test_a_group_has_no_stranger_within(graph, size):
    bricks, edges = graph
    members = frozenset(brick.id for brick in bricks[:size])
    found = rects(bricks, finished(in_rows(bricks, edges, [Group(99, members, 20.0, 24.0)])))
    left, top = min(found[id_][0] for id_ in members), min(found[id_][1] for id_ in members)
    right = max(found[id_][0] + found[id_][2] for id_ in members)
    bottom = max(found[id_][1] + found[id_][3] for id_ in members)
    around = (left, top, right - left, bottom - top)
    assert not any(overlap(around, box) for id_, box in found.items() if id_ not in members)


@given(graphs())
def test_the_order_of_the_lines_is_that_from_top_to_bottom(graph):
    bricks, edges = graph
    places = finished(in_rows(bricks, edges))
    lines = [places[brick.id][1] + brick.base for brick in bricks]
    assert lines == sorted(lines)


@given(graphs(), st.sets(st.integers(1, 24)))
def test_what_stands_apart_shares_no_row(graph, apart):
    bricks, edges = graph
    bricks = [brick._replace(apart=brick.id in apart) for brick in bricks]
    places = finished(in_rows(bricks, edges))
    lines = [places[brick.id][1] + brick.base for brick in bricks]
    assert lines == sorted(lines)
    for brick, line in zip(bricks, lines, strict=True):
        assert not brick.apart or lines.count(line) == 1


def test_a_wire_that_passes_a_row_has_a_lane_through_it():
    bricks = [Brick(id_, 100.0, 100.0) for id_ in range(1, 5)]
    bricks.append(Brick(5, 100.0, 100.0, apart=True))
    places = finished(in_rows(bricks, [Edge(1, 2), Edge(2, 3), Edge(2, 4), Edge(2, 5)]))
    lane = places[2][0] + 50.0
    assert places[5][0] + 50.0 == lane
    assert places[3][0] + 100.0 < lane < places[4][0]


def test_a_leaf_goes_down_to_its_reader_as_far_as_the_lines_let_it():
    bricks = [Brick(id_, 100.0, 100.0) for id_ in range(1, 6)]
    edges = [Edge(1, 3), Edge(3, 4), Edge(4, 5), Edge(2, 5, 1)]
    places = finished(in_rows(bricks, edges))
    assert places[2][1] == places[3][1]


def test_a_chain_is_a_column_and_its_leaves_stand_beside():
    bricks = [Brick(id_, 100.0, 100.0) for id_ in range(1, 8)]
    places = finished(
        in_rows(bricks, [Edge(1, 3), Edge(2, 3, 1), Edge(3, 5), Edge(4, 5, 1), Edge(5, 7), Edge(6, 7, 1)])
    )
    assert {places[id_][0] for id_ in (1, 3, 5, 7)} == {0.0}
    assert places[4][1] == places[3][1]
    assert places[6][1] == places[5][1]
    assert places[4][0] > places[3][0]


def test_operands_keep_their_order():
    bricks = [Brick(id_, 100.0, 100.0) for id_ in range(1, 6)]
    places = finished(in_rows(bricks, [Edge(1, 3), Edge(2, 3, 1), Edge(1, 4), Edge(3, 5), Edge(4, 5, 1)]))
    assert places[1][0] < places[2][0]
    assert places[3][0] < places[4][0]


def test_groups_inside_groups():
    bricks = [Brick(id_, 100.0, 100.0) for id_ in range(1, 6)]
    edges = [Edge(1, 2), Edge(2, 3), Edge(3, 4), Edge(4, 5)]
    inner, outer = Group(8, frozenset({3}), 10.0, 20.0), Group(9, frozenset({2, 3, 4}), 10.0, 20.0)
    places = finished(in_rows(bricks, edges, [inner, outer]))
    assert sorted(places) == [1, 2, 3, 4, 5]
    tops = [places[id_][1] for id_ in range(1, 6)]
    assert tops == sorted(tops)
    assert places[3][1] - places[2][1] > places[2][1] - places[1][1] - 40.0


def test_leaves_stand_in_the_order_of_what_reads_them_beside_one_that_all_read():
    """``q = x @ wq``, ``k = x @ wk``, ``v = x @ wv``: no wire of a weight crosses that of another."""
    bricks = [Brick(id_, 200.0, 160.0) for id_ in range(1, 8)]
    edges = [edge for at in range(3) for edge in (Edge(1, 5 + at, 0), Edge(2 + at, 5 + at, 1))]
    places = finished(in_rows(bricks, edges))
    assert places[2][0] < places[3][0] < places[4][0]
    assert places[5][0] < places[6][0] < places[7][0]
