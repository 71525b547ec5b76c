"""Ways of wires: from port to port, and clear of the cards in between."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.drawings import COURSE, card, ends, graph, graphs, network

from chalkgrad.layout import Edge, Node, curve, routes, tidy
from chalkgrad.layout.detours import touched


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


def test_backward_wires_swing_out():
    start, one, two, end = curve((100.0, 0.0), (0.0, 50.0))
    assert one[0] > start[0]
    assert two[0] < end[0]


def test_a_wire_without_a_place_has_no_way():
    nodes = [Node(1, 10, 10), Node(2, 10, 10)]
    assert routes(nodes, [Edge(1, 2), Edge(1, 3)], {1: (0, 0)}) == [(), ()]


def test_a_wire_may_leave_at_another_row():
    nodes, _ = graph((), (1,))
    (path,) = routes(nodes, [Edge(1, 2, 0, start=64.0)], {1: (0, 0), 2: (300, 0)})
    assert path[0] == (176, 64.0)
