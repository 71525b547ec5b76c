"""Ways of wires: from port to port, and clear of the cards in between."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.drawings import COURSE, card, ends, graph, graphs, network

from chalkgrad.layout import Box, Edge, Node, Router, Span, curve, routes, tidy
from chalkgrad.layout.detours import INFINITY, corners_round, touched
from chalkgrad.stepwise import finished


def points_on(path, steps=40):
    for at in range(0, len(path) - 1, 3):
        a, b, c, d = path[at : at + 4]
        for step in range(steps + 1):
            t = step / steps
            k = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
            yield tuple(k[0] * p + k[1] * q + k[2] * r + k[3] * s for p, q, r, s in zip(a, b, c, d, strict=True))


def cards_hit(nodes, edges, places):
    hit = []
    for edge, path in zip(edges, routes(nodes, edges, places), strict=True):
        for node in nodes:
            x, y = places[node.id]
            inside = any(x < px < x + node.width and y < py < y + node.height for px, py in points_on(path))
            if inside and node.id not in (edge.source, edge.target):
                hit.append((edge, node.id))
    return hit


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_ways_join_the_ports_and_run_clear(given_graph):
    nodes, edges = given_graph
    places = tidy(nodes, edges)
    paths = routes(nodes, edges, places)
    for path, (start, end) in zip(paths, ends(nodes, edges, places), strict=True):
        assert path[0] == start
        assert path[-1] == end
        assert len(path) % 3 == 1
    assert cards_hit(nodes, edges, places) == []


def test_no_wire_of_a_network_runs_through_a_card():
    for made in (COURSE, network(2, 2, 1), network(2, 4, 4, 1)):
        assert cards_hit(*made, tidy(*made)) == []


def test_a_card_put_in_the_way_by_hand_is_gone_round():
    nodes, edges = graph((), (1,), ())
    places = {1: (0.0, 0.0), 2: (600.0, 0.0), 3: (300.0, 0.0)}
    (path,) = routes(nodes, edges, places)
    assert len(path) > 4
    assert cards_hit(nodes, edges, places) == []
    assert len(routes(nodes, edges, {**places, 3: (300.0, 400.0)})[0]) == 4


def test_wires_through_one_gap_keep_apart_and_those_of_one_port_together():
    nodes = [card(1, 0), card(2, 0), *(card(id_, 2) for id_ in (3, 4, 5, 6))]
    places = {1: (0, 0), 2: (0, 100), 3: (300, -40), 4: (300, 100), 5: (700, 0), 6: (700, 110)}
    edges = [Edge(1, 5, 0), Edge(1, 6, 1), Edge(2, 5, 1)]
    first, same, other = routes(nodes, edges, places)
    assert len(first) > 4
    assert first[3][1] == same[3][1]
    assert abs(first[3][1] - other[3][1]) >= 5.9


@given(graphs(10), st.data())
@settings(max_examples=40, deadline=None)
def test_cards_put_anywhere_by_hand_are_gone_round(given_graph, data):
    nodes, edges = given_graph
    cells = data.draw(st.permutations(range(16)))
    places = {node.id: (400.0 * (at % 4), 320.0 * (at // 4)) for node, at in zip(nodes, cells, strict=False)}
    assert cards_hit(nodes, edges, places) == []
    for path, (start, end) in zip(routes(nodes, edges, places), ends(nodes, edges, places), strict=True):
        assert (path[0], path[-1]) == (start, end)


def test_a_wire_that_runs_back_goes_round_its_own_cards_too():
    nodes, edges = graph((), (1,))
    places = {1: (400.0, 0.0), 2: (0.0, 10.0)}
    (path,) = routes(nodes, edges, places)
    boxes = np.array([(400.0, 0.0, 576.0, 76.0), (0.0, 10.0, 176.0, 106.0)])
    assert not touched(path, boxes).any()


def test_a_wire_that_is_walled_in_has_a_way_all_the_same():
    nodes, edges = graph((), (1,), ())
    places = {1: (0.0, 0.0), 2: (600.0, 0.0), 3: (176.0, 0.0)}
    (path,) = routes(nodes, edges, places)
    assert (path[0], path[-1]) == ((176.0, 40.0), (600.0, 40.0))


def test_backward_wires_swing_out_where_they_have_the_room():
    for across, down in ((-100.0, 160.0), (-20.0, 50.0), (-300.0, 40.0)):
        start, one, two, end = curve((0.0, 0.0), (across, down))
        assert one[0] > start[0]
        assert two[0] < end[0]
        assert sharpest((start, one, two, end)) >= (2.0 if down > -across else 0.0)


def test_short_wires_without_the_room_for_a_curve_are_straight():
    for end in ((-100.0, 50.0), (-8.0, 4.0), (0.0, 20.0), (2.0, -14.0)):
        path = curve((0.0, 0.0), end)
        assert [round(x * end[1] - y * end[0], 9) for x, y in path] == [0.0] * 4


def test_a_wire_without_a_place_has_no_way():
    nodes = [Node(1, 10, 10), Node(2, 10, 10)]
    assert routes(nodes, [Edge(1, 2), Edge(1, 3)], {1: (0, 0)}) == [(), ()]


def test_a_wire_may_leave_at_another_row():
    nodes, _ = graph((), (1,))
    (path,) = routes(nodes, [Edge(1, 2, 0, start=64.0)], {1: (0, 0), 2: (300, 0)})
    assert path[0] == (176, 64.0)


def test_a_corner_that_is_cut_between_two_points_is_touched():
    path = curve((0.0, 0.0), (1200.0, 900.0))
    (x, y), *_ = [at for at in points_on(path, 1200) if at[0] > 700]
    for off, touches in ((-4.0, True), (4.0, False)):
        box = np.array([[x + off, y - 300.0, x + 400.0, y - off]])
        assert touched(path, box).tolist() == [touches]


def test_a_level_piece_runs_along_no_edge_of_a_frame():
    boxes = [Box(1, 0, 200, 100, 260), Box(2, 600, 0, 700, 60), Box(3, 300, 0, 400, 160)]
    span = Span(1, 2, (100.0, 230.0), (600.0, 30.0))
    free = Router(boxes).ways([span])[0]
    level = {start[1] for start, end in zip(free[0::3], free[3::3], strict=False) if start[1] == end[1]}
    assert len(level) == 1
    edge = Box(-1, 250, level.pop(), 450, 0)
    rail = edge._replace(bottom=edge.top)
    led = Router(boxes, [rail]).ways([span])[0]
    runs = {start[1] for start, end in zip(led[0::3], led[3::3], strict=False) if start[1] == end[1]}
    assert runs
    assert all(abs(height - rail.top) >= 6 for height in runs)


def level_runs(path):
    """The heights at which a way runs level for some while."""
    return {a[1] for a, b in zip(path[0::3], path[3::3], strict=False) if a[1] == b[1] and abs(a[0] - b[0]) > 40}


def test_a_wire_that_passes_over_a_card_to_what_lies_above_goes_up_once():
    boxes = [Box(0, 0, 100, 176, 196), Box(1, 240, 100, 416, 196), Box(2, 520, -20, 696, 76)]
    span = Span(0, 2, (176.0, 140.0), (520.0, 20.0))
    (path,) = Router(boxes).ways([span])
    assert level_runs(path) == {20.0}


def test_a_way_round_does_not_run_along_the_edge_of_a_frame():
    boxes = [Box(0, -100, -40, 0, 40), Box(1, -300, 160, -200, 240)]
    span = Span(0, 1, (0.0, 0.0), (-300.0, 200.0))
    plain = curve(span.start, span.end)
    (free,) = level_runs(Router(boxes).way_round(span, plain, 0))
    rail = Box(-1, -400, free + 1, 100, free + 1)
    led = Router(boxes, [rail]).way_round(span, plain, 0)
    assert (led[0], led[-1]) == (span.start, span.end)
    (level,) = level_runs(led)
    assert 9 <= abs(level - rail.top) <= 14


def test_a_way_round_does_not_run_along_the_side_of_a_frame():
    boxes = [Box(0, -100, -40, 0, 40), Box(1, -300, 160, -200, 240)]
    span = Span(0, 1, (0.0, 0.0), (-300.0, 200.0))
    plain = curve(span.start, span.end)
    free = max(x for x, _ in upright_runs(Router(boxes).way_round(span, plain, 0)))
    for beside in (-4.0, 1.0, 6.0):
        rail = Box(-1, free + beside, -100, free + beside, 400)
        led = Router(boxes, [rail]).way_round(span, plain, 0)
        assert (led[0], led[-1]) == (span.start, span.end)
        assert all(abs(x - rail.left) >= 9 for x, _ in upright_runs(led))


def upright_runs(path):
    """Where a way runs up or down for some while, and how far."""
    pairs = zip(path[0::3], path[3::3], strict=False)
    return [(a[0], abs(a[1] - b[1])) for a, b in pairs if a[0] == b[0] and abs(a[1] - b[1]) > 20]


def test_a_way_runs_along_the_side_of_a_frame_where_there_is_no_room_beside_it():
    boxes = [Box(0, 0, 0, 100, 80), Box(1, 118, -200, 218, 280), Box(2, -100, 160, 60, 240)]
    span = Span(0, 2, (100.0, 40.0), (-100.0, 200.0))
    rail = Box(-1, 109, -300, 109, 300)
    led = Router(boxes, [rail]).way_round(span, curve(span.start, span.end), 0)
    assert led
    assert not touched(led, np.array([box[1:] for box in boxes])).any()


def test_a_way_round_keeps_off_what_it_would_only_pass():
    """What lies a hair beside the straight line is no reason to run along its edge."""
    boxes = np.array([[100.0, 0.0, 200.0, 99.0], [300.0, 60.0, 400.0, 200.0]])
    corners = corners_round((0.0, 100.0), (600.0, 100.0), boxes)
    for (x, y), (x2, y2) in pairwise(corners[1:-1]):
        for left, top, right, bottom in boxes.tolist():
            beside = max(x, x2) <= left or min(x, x2) >= right
            assert beside or max(y, y2) <= top - 9 or min(y, y2) >= bottom + 9


def test_of_two_ways_of_one_length_the_one_is_taken_that_turns_where_it_begins():
    corners = corners_round((0.0, 0.0), (600.0, 400.0), np.zeros((0, 4)))
    assert [x for x, _ in corners] == [0.0, 14.0, 14.0, 600.0]


def test_a_way_round_many_cards_is_found_in_steps():
    boxes = [Box(at, 240.0 * at, at % 7, 240.0 * at + 160.0, 100.0 + at % 5) for at in range(60)]
    span = Span(50, 5, (12_160.0, 50.0), (1200.0, 50.0))
    router, plain = Router(boxes), curve(span.start, span.end)
    steps = router.finding_way_round(span, plain, 0)
    for _ in range(3):
        next(steps)
    assert finished(steps) == router.way_round(span, plain, 0)


def test_a_port_within_its_card_is_come_to_all_the_same():
    boxes = [Box(1, 0, 0, 100, 80), Box(2, 400, 300, 560, 380), Box(3, 200, 0, 300, 380)]
    span = Span(1, 2, (100.0, 40.0), (404.0, 340.0))
    router = Router(boxes)
    (path,) = router.ways([span])
    assert router.is_clear(span, path) or router.way_round(span, path, 0)
    back = Span(2, 1, (560.0, 340.0), (4.0, 40.0))
    assert router.way_round(back, curve(back.start, back.end), 0)


def test_a_card_that_begins_far_away_is_minded_where_it_reaches():
    boxes = [Box(1, 0, 0, 100, 60), Box(2, 900, 0, 1000, 60), Box(3, 300, 200, 400, 260), Box(4, 600, -300, 700, -200)]
    span = Span(1, 2, (100.0, 30.0), (900.0, 30.0))
    plain = curve(span.start, span.end)
    assert Router(boxes).is_clear(span, plain)
    wide = Router([*boxes, Box(5, -4000.0, 20.0, 500.0, 40.0)])
    assert not wide.is_clear(span, plain)


@given(graphs(10), st.data())
@settings(max_examples=40, deadline=None)
def test_in_which_order_cards_are_told_changes_no_way(given_graph, data):
    nodes, edges = given_graph
    cells = data.draw(st.permutations(range(16)))
    places = {node.id: (230.0 * (at % 4), 150.0 * (at // 4)) for node, at in zip(nodes, cells, strict=False)}
    shuffled = data.draw(st.permutations(nodes))
    assert routes(shuffled, edges, places) == routes(nodes, edges, places)


def test_a_column_of_many_cards_is_crossed_where_its_nearest_gap_is():
    wall = [Box(100 + at, 300.0, 100.0 * at, 400.0, 100.0 * at + (96 if at != 7 else 60)) for at in range(-20, 20)]
    boxes = [Box(1, 0, 0, 100, 60), Box(2, 700, 0, 800, 60), *wall]
    router = Router(boxes)
    for height, gap in ((30.0, (760.0, 800.0)), (-1900.0, (-INFINITY, -2000.0)), (1500.0, (1996.0, INFINITY))):
        span = Span(1, 2, (100.0, height), (700.0, height))
        (path,) = router.ways([span])
        level = {start[1] for start, end in zip(path[0::3], path[3::3], strict=False) if start[1] == end[1]}
        assert [gap[0] < at < gap[1] for at in level] == [True]
        assert router.is_clear(span, path)


def test_ways_are_found_in_many_steps():
    boxes = [Box(id_, 200.0 * id_, 0.0, 200.0 * id_ + 100.0, 60.0) for id_ in range(30)]
    spans = [Span(0, id_, (100.0, 30.0), (200.0 * id_, 30.0)) for id_ in range(2, 30)]
    steps = Router(boxes).finding_ways(spans)
    taken = sum(1 for _ in steps)
    assert taken > 2 * len(spans)
    assert finished(Router(boxes).finding_ways(spans)) == Router(boxes).ways(spans)


def test_a_wire_in_a_lane_crosses_all_columns_at_one_height_and_turns_once():
    rows = [Box(10 + at, 200.0 + 200.0 * at, 0.0, 300.0 + 200.0 * at, 100.0) for at in range(4)]
    boxes = [Box(1, 0.0, 300.0, 100.0, 400.0), Box(2, 1000.0, 0.0, 1100.0, 100.0), *rows]
    span = Span(1, 2, (100.0, 350.0), (1000.0, 20.0))
    assert levels(Router(boxes, lanes=True).ways([span])[0]) == {350.0}
    assert levels(Router(boxes).ways([span])[0]) != {350.0}


def test_lanes_of_several_wires_keep_apart_though_they_cross_other_columns():
    rows = [Box(10 + at, 200.0 + 200.0 * at, 0.0, 300.0 + 200.0 * at, 100.0 + 20 * at) for at in range(4)]
    ends = [Box(1, 0.0, 0.0, 100.0, 100.0), Box(2, 1000.0, 0.0, 1100.0, 200.0)]
    spans = [Span(1, 2, (100.0, 90.0), (1000.0, 80.0)), Span(3, 2, (130.0, 92.0), (1000.0, 100.0))]
    paths = Router([*ends, *rows], lanes=True).ways(spans)
    lanes = [
        max((end[0] - start[0], start[1]) for start, end in zip(path[0::3], path[3::3], strict=False)) for path in paths
    ]
    assert abs(lanes[0][1] - lanes[1][1]) >= 6


def test_a_wire_that_has_no_room_to_turn_between_two_columns_crosses_both_at_one_height():
    """A number at a port, a card right behind it: no step on the column of the card's edge."""
    boxes = [Box(1, 0, 0, 100, 160), Box(2, 500, 0, 600, 160), Box(3, 200, -60, 300, 90), Box(4, 166, 20, 196, 94)]
    span = Span(1, 2, (100.0, 60.0), (500.0, 50.0))
    (path,) = Router(boxes).ways([span])
    assert len(levels(path)) == 1
    assert sharpest(path) >= 8


def test_wires_turn_round_where_there_is_little_room():
    """Also past a number at another port of the card that they come to."""
    boxes = [Box(1, 0, 100, 100, 200), Box(2, 300, 0, 400, 90), Box(3, 272, 40, 296, 60), Box(4, 150, -60, 250, 110)]
    for start, end in (((100.0, 150.0), (300.0, 30.0)), ((100.0, 120.0), (300.0, 10.0))):
        span = Span(1, 2, start, end)
        (path,) = Router(boxes).ways([span])
        way = path if Router(boxes).is_clear(span, path) else Router(boxes).way_round(span, path, 0)
        assert sharpest(way) >= 4


def test_a_wire_is_led_round_no_card_where_a_narrow_gap_leads_there():
    boxes = [Box(1, 0, 0, 180, 96), Box(2, 160, -103, 340, -7)]
    span = Span(1, 2, (180.0, 40.0), (160.0, -40.0))
    way = Router(boxes).way_round(span, curve(span.start, span.end), 0)
    assert max(x for x, _ in way) < 220
    assert -40 <= min(y for _, y in way) <= max(y for _, y in way) <= 40


def test_wires_that_turn_in_one_narrow_place_turn_beside_each_other():
    leaves = [Box(at, 0, 120.0 * at, 100, 120.0 * at + 90) for at in range(2, 6)]
    wall = [Box(10, 152, -300, 300, 90), Box(11, 152, 130, 300, 900)]
    spans = [Span(at, 20 + at, (100.0, 120.0 * at + 40), (420.0, -400.0 - 40 * at)) for at in range(2, 6)]
    ways = Router([*leaves, *wall]).ways(spans)
    upright = [
        {start[0] for start, end in zip(way[0::3], way[3::3], strict=False) if abs(start[0] - end[0]) < 1e-6}
        for way in ways
    ]
    first = [min(found) for found in upright]
    assert first == sorted(first), "of wires that go up the upper one turns first"
    assert all(after - before >= 5 for before, after in pairwise(first))


def sharpest(path):
    """The smallest radius with which a way turns, 0 for a corner."""
    points = np.array(path)
    pieces = [points[at : at + 4] for at in range(0, len(points) - 1, 3)]
    t = np.linspace(0.02, 0.98, 49)[:, None]
    radii = []
    for a, b, c, d in pieces:
        first = 3 * ((1 - t) ** 2 * (b - a) + 2 * (1 - t) * t * (c - b) + t * t * (d - c))
        second = 6 * ((1 - t) * (c - 2 * b + a) + t * (d - 2 * c + b))
        speed = np.hypot(*first.T)
        turning = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
        radii.append((speed[speed > 1e-6] ** 3 / np.maximum(turning[speed > 1e-6], 1e-9)).min(initial=1e9))
    for (*_, near, joint), (_, after, *_) in pairwise(pieces):
        one, other = joint - near, after - joint
        lengths = np.hypot(*one) * np.hypot(*other)
        radii.append(0.0 if lengths and one @ other < 0.98 * lengths else 1e9)
    return min(radii)


def levels(path):
    """The heights at which a way runs level."""
    return {start[1] for start, end in zip(path[0::3], path[3::3], strict=False) if start[1] == end[1]}


def test_a_wire_that_runs_far_back_goes_round_where_nothing_is_in_its_way_too():
    boxes = [Box(1, 0.0, 0.0, 200.0, 80.0), Box(2, -400.0, 400.0, -200.0, 480.0)]
    span = Span(1, 2, (200.0, 40.0), (-400.0, 440.0))
    router = Router(boxes)
    (plain,) = router.ways([span])
    assert not router.is_clear(span, plain)
    path = router.way_round(span, plain, 0)
    assert router.is_clear(span, path)
    stops = [path[0], *path[3::3]]
    straight = [(one, other) for one, other in pairwise(stops) if 0.0 in (one[0] - other[0], one[1] - other[1])]
    assert sum(abs(one[0] - other[0]) + abs(one[1] - other[1]) for one, other in straight) > 600


def test_a_lane_that_has_to_turn_aside_goes_straight_to_its_end():
    """No step of a few pixels before the end."""
    boxes = [Box(1, 0.0, 0.0, 100.0, 100.0), Box(2, 900.0, 100.0, 1000.0, 200.0), Box(3, 200.0, 20.0, 700.0, 110.0)]
    span = Span(1, 2, (100.0, 50.0), (900.0, 130.0))
    (path,) = Router(boxes, lanes=True).ways([span])
    assert levels(path) <= {50.0, 130.0}
    assert Router(boxes).is_clear(span, path)


def test_a_wire_past_several_columns_makes_one_step_where_the_gaps_have_room_for_that():
    """No stairs from column to column."""
    columns = [Box(10 + at, 200.0 + 220.0 * at, 300.0, 300.0 + 220.0 * at, 360.0) for at in range(3)]
    boxes = [Box(1, 0.0, 0.0, 100.0, 80.0), Box(2, 900.0, 300.0, 1000.0, 380.0), *columns]
    span = Span(1, 2, (100.0, 40.0), (900.0, 350.0))
    router = Router(boxes)
    (path,) = router.ways([span])
    assert len(levels(path) - {40.0, 350.0}) == 1
    assert router.is_clear(span, path)
    low = [*boxes, Box(20, 640.0, 20.0, 740.0, 290.0)]
    (led,) = Router(low).ways([span])
    assert Router(low).is_clear(span, led)
