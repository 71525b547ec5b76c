"""Ways of wires between cards that lie very near one another: short, without loops and without kinks."""

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.core.layout.drawings import card, ends, graph
from tests.core.layout.test_routes import points_on, sharpest

from chalkgrad.layout import Box, Edge, Node, Router, Span, curve, routes
from chalkgrad.layout.detours import LEFT, RIGHT, corners_round, detour, finding_detour, walling_in
from chalkgrad.layout.rooms import Room
from chalkgrad.layout.routes import LONG, LONG_BY
from chalkgrad.stepwise import finished

SIZES = ((176.0, 76.0), (176.0, 96.0), (128.0, 60.0), (240.0, 120.0))
GAPS = (0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 11.0, 15.0, 24.0, 40.0, 64.0)
EDGE = 1.0
"""So little within a card is on its edge."""


@st.composite
def crowds(draw, most=6):
    """Cards of which none lies on another, each placed beside one before it; and two of them."""
    boxes = [(0.0, 0.0, *draw(st.sampled_from(SIZES)))]
    for _ in range(draw(st.integers(1, most - 1))):
        left, top, right, bottom = draw(st.sampled_from(boxes))
        width, height = draw(st.sampled_from(SIZES))
        gap, along = draw(st.sampled_from(GAPS)), float(draw(st.integers(-200, 200)))
        side = draw(st.integers(0, 3))
        x = (right + gap, left - gap - width, left + along, left + along)[side]
        y = (top + along, top + along, bottom + gap, top - gap - height)[side]
        box = (x, y, x + width, y + height)
        if not any(x < b[2] and b[0] < box[2] and y < b[3] and b[1] < box[3] for b in boxes):
            boxes.append(box)
    assume(len(boxes) > 1)
    return boxes, draw(st.permutations(range(len(boxes))))[:2], float(draw(st.integers(10, 50)))


def way_between(boxes, source, target, down=40.0):
    """The way from the right side of one box to the left side of another."""
    nodes = [
        Node(number, right - left, bottom - top, (down,), 40.0)
        for number, (left, top, right, bottom) in enumerate(boxes)
    ]
    (path,) = routes(nodes, [Edge(source, target, 0)], {number: box[:2] for number, box in enumerate(boxes)})
    return path


def entered(path, boxes):
    """The boxes into which a way runs."""
    points = np.array(list(points_on(path)))
    return [
        number
        for number, (left, top, right, bottom) in boxes.items()
        if (
            (points[:, 0] > left + EDGE)
            & (points[:, 0] < right - EDGE)
            & (points[:, 1] > top + EDGE)
            & (points[:, 1] < bottom - EDGE)
        ).any()
    ]


def walls(path, boxes):
    """The boxes that stand so near to a port that no way leads between."""
    found = walling_in(np.array(boxes), path[0], RIGHT) | walling_in(np.array(boxes), path[-1], LEFT)
    return set(np.flatnonzero(found).tolist())


def crosses_itself(path):
    points = np.array(list(points_on(path, 20)))
    points = points[np.concatenate(([True], np.abs(np.diff(points, axis=0)).sum(axis=1) > 1e-9))]
    starts, stops = points[:-1], points[1:]

    def side(a, b, c):
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])

    one, other = starts[:, None], stops[:, None]
    crossed = side(one, other, starts) * side(one, other, stops) < -1e-9
    return bool((crossed & crossed.T).any())


def length_of(path):
    return float(np.hypot(*np.diff(np.array(list(points_on(path, 20))), axis=0).T).sum())


@given(crowds())
@settings(max_examples=150, deadline=None)
@example(([(0.0, 0.0, 176.0, 96.0), (154.0, 96.0, 330.0, 192.0)], [0, 1], 40.0))
@example(([(0.0, 0.0, 176.0, 76.0), (182.0, 0.0, 358.0, 76.0)], [0, 1], 27.0))
@example(([(0.0, 0.0, 176.0, 76.0), *((x, 0.0, x + 176, 76.0) for x in (176.0, 352.0, 532.0))], [0, 3], 10.0))
@example(([(0.0, 0.0, 176.0, 96.0), (187.0, -60.0, 363.0, 36.0)], [0, 1], 40.0))
@example(([(0.0, 0.0, 176.0, 76.0), (176.0, 0.0, 304.0, 60.0), (-300.0, 200.0, -124.0, 276.0)], [0, 2], 40.0))
def test_a_way_between_near_cards_is_short_and_has_no_loops_and_no_kinks(crowd):
    boxes, (source, target), down = crowd
    path = way_between(boxes, source, target, down)
    foreign = {number: box for number, box in enumerate(boxes) if number not in (source, target)}
    shut_in = walls(path, boxes)
    assert not set(entered(path, foreign)) - shut_in
    if len(path) > 4:
        assert not set(entered(path, dict(enumerate(boxes)))) - shut_in
    assert not crosses_itself(path)
    assert sharpest(path) >= 1.2
    direct = abs(path[0][0] - path[-1][0]) + abs(path[0][1] - path[-1][1])
    beside = sum(right - left + bottom - top for left, top, right, bottom in foreign.values())
    assert length_of(path) <= LONG * direct + LONG_BY + beside


def test_cards_that_lie_on_one_another_are_joined_by_a_straight_line():
    for across, down in ((-120.0, 10.0), (-60.0, -20.0), (-120.0, 40.0)):
        boxes = [(0.0, 0.0, 176.0, 76.0), (176.0 + across, down, 352.0 + across, 76.0 + down)]
        path = way_between(boxes, 0, 1)
        assert path == curve((176.0, 40.0), (176.0 + across, down + 40.0))
        assert not crosses_itself(path)


def test_a_way_round_makes_no_step_to_keep_a_little_further_from_a_card():
    boxes = np.array([[261.0, 224.0, 437.0, 300.0], [28.0, 208.0, 204.0, 304.0], [343.0, 88.0, 519.0, 186.0]])
    corners = corners_round((437.0, 264.0), (28.0, 248.0), boxes)
    assert len({y for _, y in corners[1:-1]} - {264.0, 248.0}) == 1


def test_wires_of_one_port_go_round_together():
    nodes, _ = graph((), (1,), (1,), ())
    edges = [Edge(1, 2, 0), Edge(1, 3, 0), Edge(4, 2, 0)]
    places = {1: (600.0, 0.0), 2: (0.0, 300.0), 3: (-400.0, 300.0), 4: (600.0, 900.0)}
    one, other, _ = routes(nodes, edges, places)
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    assert shared > 9, "right, down and far left"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=6, unique=True), st.data())
@settings(max_examples=40, deadline=None)
def test_wires_that_join_the_same_ports_have_one_way(cells, data):
    nodes = [card(number, 1) for number in range(len(cells))]
    places = {number: (200.0 * x, 110.0 * y) for number, (x, y) in enumerate(cells)}
    source, target = data.draw(st.permutations(range(len(cells))))[:2]
    one, other = routes(nodes, [Edge(source, target, 0), Edge(source, target, 0)], places)
    assert one == other
    assert [(one[0], one[-1])] == list(ends(nodes, [Edge(source, target, 0)], places))


def test_a_way_round_passes_beside_a_frame_with_which_it_has_nothing_to_do():
    boxes = [Box(1, 0, 0, 176, 96), Box(2, 240, -20, 416, 116), Box(3, 20, 232, 600, 300), Box(4, 640, 232, 800, 300)]
    span = Span(1, 4, (176.0, 40.0), (640.0, 272.0))
    frame = Room(0.0, 190.0, 616.0, 316.0, frozenset({3}))
    router = Router([*boxes, Box(5, 500, -300, 600, 180)], rooms=[frame])
    (path,) = router.ways([span])
    assert not router.is_clear(span, path)
    way = router.way_round(span, path, 0)
    assert not entered(way, {0: frame[:4]})
    assert entered(Router(boxes).way_round(span, path, 0), {0: frame[:4]})


def test_ways_of_different_ports_share_no_line_where_there_is_little_room():
    """Neither has the room to keep further from the wall than a first one does."""
    boxes = np.array([[0.0, 0.0, 100.0, 80.0], [140.0, 0.0, 240.0, 80.0], [-200.0, 120.0, 400.0, 200.0]])
    begin, end = (100.0, 40.0), (0.0, 50.0)
    plain = curve(begin, end)
    lines = [{y for _, y in finished(finding_detour(plain, boxes, apart))[3::3]} for apart in (0.0, 5.0, 10.0, 15.0)]
    levels = [min(lines[at], key=lambda y: abs(y - 100.0)) for at in range(4)]
    assert len(set(levels)) == 4


def test_an_edge_that_would_keep_far_off_comes_no_nearer_than_another_where_it_has_no_room():
    boxes = np.array([[0.0, 0.0, 100.0, 80.0], [140.0, 0.0, 240.0, 80.0], [-200.0, 120.0, 400.0, 200.0]])
    plain = curve((100.0, 40.0), (0.0, 50.0))
    first, other = (np.array(detour(plain, boxes, apart)[3::3])[:, 1] for apart in (0.0, 27.0))
    assert min(first[first > 81]) == min(other[other > 81])


def test_a_way_that_has_to_pass_a_narrow_place_keeps_off_cards_elsewhere():
    """Between the first two cards there are 14 units; below and beside the third there is plenty of room."""
    boxes = np.array([[0.0, 0.0, 100.0, 200.0], [114.0, 0.0, 214.0, 200.0], [-100.0, 400.0, 120.0, 500.0]])
    corners = corners_round((100.0, 60.0), (-100.0, 450.0), boxes)
    assert all(106 <= x <= 108 for x, _ in corners[1:3]), "in the middle of the gap"
    assert {y for _, y in corners[2:4]} <= {214.0, 386.0}
    assert {x for x, _ in corners[3:5]} == {-114.0}
    way = finished(finding_detour(curve((100.0, 60.0), (-100.0, 450.0)), boxes))
    assert sharpest(way) > 4


def test_ways_in_a_narrow_gap_keep_apart_and_from_its_edges():
    boxes = np.array([[0.0, 0.0, 100.0, 200.0], [124.0, 0.0, 224.0, 200.0], [-100.0, 400.0, 120.0, 500.0]])
    plain = curve((100.0, 60.0), (-100.0, 450.0))
    ways = [finished(finding_detour(plain, boxes, apart)) for apart in (0.0, 5.0, 10.0, 15.0)]
    xs = [next(x for x, y in points_on(path) if 100 < y < 180) for path in ways]
    assert len(set(xs)) == 4
    assert min(xs) >= 108.0
    assert max(xs) <= 116.0
