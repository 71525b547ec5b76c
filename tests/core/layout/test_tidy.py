"""Tidying: what holds for every graph, and the drawings of small ones that people know."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.drawings import COURSE, card, crossings, ends, graph, graphs, network, overlapping, settled

from chalkgrad.layout import GRID, Edge, Node, free_place, routes, tidy
from chalkgrad.layout.graph import ROW_GAP


@given(graphs())
@settings(max_examples=30, deadline=None)
def test_nothing_overlaps_and_wires_run_forward_or_down_to_another_row_on_the_grid(given_graph):
    nodes, edges = given_graph
    places = tidy(nodes, edges)
    assert set(places) == {node.id for node in nodes}
    assert overlapping(nodes, places, gap=ROW_GAP - 0.01) == []
    assert all(start[0] < end[0] or start[1] < end[1] for start, end in ends(nodes, edges, places))
    assert all(x % GRID == 0 and y % GRID == 0 for x, y in places.values())
    assert tidy(nodes, edges) == places


@given(graphs(), st.data())
@settings(max_examples=40, deadline=None)
def test_pinned_cards_stay_and_nothing_lies_on_them(given_graph, data):
    nodes, edges = given_graph
    at = st.tuples(st.integers(-800, 800).map(float), st.integers(-800, 800).map(float))
    chosen = data.draw(st.sets(st.sampled_from([node.id for node in nodes]), max_size=3))
    nodes = [replace(node, pinned_at=data.draw(at)) if node.id in chosen else node for node in nodes]
    places = tidy(nodes, edges)
    pinned = {node.id: node.pinned_at for node in nodes if node.pinned_at}
    assert {id_: places[id_] for id_ in pinned} == pinned
    assert all(set(pair) <= set(pinned) for pair in overlapping(nodes, places))


@given(graphs(12), st.data())
@settings(max_examples=40, deadline=None)
def test_any_previous_places_give_a_proper_drawing(given_graph, data):
    nodes, edges = given_graph
    at = st.none() | st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
    nodes = [replace(node, previous=data.draw(at)) for node in nodes]
    places = tidy(nodes, edges)
    assert overlapping(nodes, places) == []
    assert all(start[0] < end[0] or start[1] < end[1] for start, end in ends(nodes, edges, places))


def test_course_example_is_drawn_as_on_the_board():
    places = tidy(*COURSE)
    w, x, a, b, y = (places[id_] for id_ in range(1, 6))
    assert w[0] == x[0] < a[0] == b[0] < y[0]
    assert w[1] < x[1]
    assert b[1] < y[1] < a[1]
    assert crossings(*COURSE, places) == 1


@pytest.mark.parametrize(
    "operands",
    [
        ((), (), (1, 2), (3,)),
        ((), (), (), (2, 3), (1, 4)),
        ((), (), (), (), (1, 2), (3, 4), (5, 6)),
        ((), (), (2, 1)),
        ((), (1,), (2,), (3, 1)),
        ((), (), (1,), (2,), (4, 3)),
    ],
)
def test_operands_in_port_order_do_not_cross(operands):
    nodes, edges = graph(*operands)
    assert crossings(nodes, edges, tidy(nodes, edges)) == 0


@pytest.mark.parametrize("made", [COURSE, network(2, 2, 1), network(2, 4, 4, 1)])
def test_tidying_twice_moves_nothing(made):
    nodes, edges = made
    places = tidy(nodes, edges)
    assert tidy(settled(nodes, places), edges) == places


def test_a_new_card_moves_few():
    nodes, edges = network(2, 4, 4, 1)
    places = tidy(nodes, edges)
    moved = []
    for reader_of in (5, 40, 80, 100):
        new = [*settled(nodes, places), card(1000, 1)]
        after = tidy(new, [*edges, Edge(reader_of, 1000, 0)])
        far = [id_ for id_, (x, y) in places.items() if abs(after[id_][0] - x) + abs(after[id_][1] - y) > 40]
        moved.append(len(far) / len(nodes))
    assert sum(moved) / len(moved) < 0.3


def test_leaves_stand_right_before_their_reader():
    nodes, edges = graph((), (1,), (2,), (), (3, 4))
    places = tidy(nodes, edges)
    assert places[4][0] == places[3][0]


def test_parts_are_stacked_and_an_unknown_wire_is_disregarded():
    nodes, edges = graph((), (1,), (), (3,), ())
    places = tidy(nodes, [*edges, Edge(99, 1, 0), Edge(2, 2, 0)])
    assert places[1][0] == places[3][0] == places[5][0]
    assert places[1][1] < places[3][1] < places[5][1]
    assert overlapping(nodes, places) == []


def test_a_circle_is_drawn_too():
    nodes, _ = graph((), (), ())
    places = tidy(nodes, [Edge(1, 2, 0), Edge(2, 3, 0), Edge(3, 1, 0)])
    assert overlapping(nodes, places) == []


def test_nothing_to_tidy():
    assert tidy([], []) == {}
    assert routes([], [], {}) == []


def test_deep_chain_needs_no_recursion():
    nodes, edges = graph((), *(((id_,)) for id_ in range(1, 3000)))
    places = tidy(nodes, edges)
    assert len({x for x, _ in places.values()}) * len({y for _, y in places.values()}) >= 3000


def test_the_network_that_lecturers_draw():
    nodes, edges = network(2, 4, 3, 1)
    places = tidy(nodes, edges)
    assert overlapping(nodes, places) == []
    assert crossings(nodes, edges, places) <= 35


@given(
    st.lists(st.tuples(*[st.integers(-300, 300)] * 2, *[st.integers(8, 200)] * 2), max_size=40),
    st.tuples(st.floats(-300, 300), st.floats(-300, 300)),
)
@settings(deadline=None)
def test_free_place_is_free_and_near(rects, wanted):
    x, y = free_place(rects, wanted, (176, 96))
    assert x % GRID == 0
    assert y % GRID == 0
    nodes = [Node(0, 176, 96), *(Node(at, w, h) for at, (_, _, w, h) in enumerate(rects, 1))]
    places = {0: (x, y), **{at: (left, top) for at, (left, top, _, _) in enumerate(rects, 1)}}
    assert not [pair for pair in overlapping(nodes, places, ROW_GAP - 0.01) if 0 in pair]


def test_free_place_is_the_wish_where_that_is_free():
    assert free_place([(500, 500, 100, 100)], (13, 18), (176, 96)) == (16, 16)
    assert free_place([(0, 0, 176, 96)], (0, 0), (176, 96)) == (0, 136)
