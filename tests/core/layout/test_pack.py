"""Parts that no wire joins: how they are packed, and what of that a later tidying keeps."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.drawings import card, ends, graph, graphs, network, overlapping, settled

from chalkgrad.layout import GRID, Edge, Group, Node, Task, rough, tidied, tidy
from chalkgrad.layout.pack import RATIO, Part, packed
from chalkgrad.layout.tidying import bounds
from chalkgrad.stepwise import finished

lengths = st.integers(20, 1500).map(float)
places = st.none() | st.tuples(st.floats(-5e3, 5e3), st.floats(-5e3, 5e3), lengths, lengths)
parts = st.builds(Part, lengths, lengths, st.sampled_from([40.0, 56.0]), places)


def as_nodes(given_parts):
    return [Node(at, part.width, part.height) for at, part in enumerate(given_parts)]


def shape(nodes, found):
    _, _, width, height = bounds(nodes, found)
    return width / height


def several(*graphs):
    """Graphs side by side in one program, none joined to another."""
    operands = []
    for nodes, edges in graphs:
        first = len(operands)
        operands += [tuple(first + edge.source for edge in edges if edge.target == node.id) for node in nodes]
    return graph(*operands)


@given(st.lists(parts, max_size=30))
@settings(max_examples=60, deadline=None)
def test_parts_keep_their_gap_on_the_grid_wherever_they_lay(given_parts):
    corners = packed(given_parts)
    assert overlapping(as_nodes(given_parts), corners, gap=39.9) == []
    assert all(x % GRID == 0 and y % GRID == 0 for x, y in corners)
    assert packed(given_parts) == corners


@given(st.lists(parts, min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_packing_again_moves_nothing(given_parts):
    corners = packed(given_parts)
    lying = [
        part._replace(was=(*corner, part.width, part.height)) for part, corner in zip(given_parts, corners, strict=True)
    ]
    assert packed(lying) == corners


@given(st.lists(st.builds(Part, st.floats(100, 400), st.floats(50, 300), st.just(40.0)), min_size=30, max_size=90))
@settings(max_examples=40, deadline=None)
def test_the_whole_has_about_the_proportions_of_a_view(given_parts):
    nodes, corners = as_nodes(given_parts), packed(given_parts)
    assert RATIO / 1.6 < shape(nodes, corners) < RATIO * 1.6
    area = sum((part.width + 56) * (part.height + 40) for part in given_parts)
    _, _, width, height = bounds(nodes, dict(enumerate(corners)))
    assert width * height < 2 * area


def test_parts_of_one_height_share_a_row_and_rows_keep_the_order_of_the_program():
    given_parts = [Part(200.0, height, 40.0) for height in (80, 300, 80, 300, 300, 80)]
    corners = packed(given_parts)
    top = {at: y for at, (_, y) in enumerate(corners)}
    assert top[0] == top[2] == top[5] == 0.0 < min(top[1], top[3], top[4])
    assert corners[1][0] < corners[3][0] < corners[4][0]
    assert corners[0][0] < corners[2][0] < corners[5][0]


def test_what_comes_first_in_the_program_stands_above_what_is_higher_and_single_cards_below_both():
    single, forward, update = Part(200.0, 90.0, 40.0), Part(900.0, 300.0, 56.0), Part(900.0, 600.0, 56.0)
    (_, one), (_, two), (_, three) = packed([single, forward, update])
    assert two < three < one


@pytest.mark.parametrize("count", [12, 40, 150])
def test_cards_without_wires_fill_rows_in_their_order(count):
    nodes, edges = graph(*[()] * count)
    found = tidy(nodes, edges)
    assert 1.0 < shape(nodes, found) < 2.6
    assert sorted(found, key=lambda id_: (found[id_][1], found[id_][0])) == [node.id for node in nodes]


def test_examples_of_a_lecture_are_seen_at_one_look():
    nodes, edges = several(*[network(2, 2, 1)] * 3, *[graph((), (), (1, 2))] * 8, *[graph(())] * 5)
    found = tidy(nodes, edges)
    assert 1.0 < shape(nodes, found) < 2.6
    assert overlapping(nodes, found, gap=39.9) == []
    assert tidy(settled(nodes, found), edges) == found


def test_when_one_part_grows_the_others_stay_near():
    nodes, edges = several(*[graph((), (), (1, 2), (3,))] * 12)
    found = tidy(nodes, edges)
    grown = [*settled(nodes, found), card(1000, 0, (found[1][0], found[1][1] + 90.0))]
    after = tidy(grown, [*edges, *[edges[0]._replace(source=1000, port=1)]])
    far = [id_ for id_, (x, y) in found.items() if abs(after[id_][0] - x) + abs(after[id_][1] - y) > 150]
    assert len(far) <= len(nodes) / 6
    assert overlapping(grown, after) == []


def test_rows_that_a_person_made_are_kept():
    nodes, edges = graph(*[()] * 4)
    placed = {1: (0.0, 0.0), 2: (400.0, 0.0), 3: (0.0, 300.0), 4: (400.0, 300.0)}
    found = tidy(settled(nodes, placed), edges)
    assert found[1][1] == found[2][1] < found[3][1] == found[4][1]
    assert found[1][0] == found[3][0] < found[2][0] == found[4][0]


def test_a_frame_is_packed_as_one():
    nodes, edges = graph(*[()] * 20)
    frame = Group(900, frozenset({3, 9, 17}), 16.0, 24.0)
    drawing = tidied(Task(tuple(nodes), tuple(edges), (frame,)))
    left, top, width, height = drawing.rects[900]
    strangers = [node for node in nodes if node.id not in frame.members]
    found = {**drawing.places, 900: (left, top)}
    assert overlapping([*strangers, Node(900, width, height)], found, gap=39.9) == []


def test_rough_places_of_one_large_part_are_found_in_steps():
    nodes = [Node(number, 160.0, 100.0) for number in range(200)]
    edges = [Edge(number, number + 1, 0) for number in range(199)] + [Edge(0, number, 1) for number in range(50, 60)]
    parts = list(rough(nodes, edges))
    assert len(parts) > 3
    assert parts == sorted(parts)


@given(graphs())
@settings(max_examples=30, deadline=None)
def test_rough_places_are_proper_ones(given_graph):
    nodes, edges = given_graph
    found = finished(rough(nodes, edges))
    assert overlapping(nodes, found, gap=39.9) == []
    assert all(start[0] < end[0] for start, end in ends(nodes, edges, found))
    assert all(x % GRID == 0 and y % GRID == 0 for x, y in found.values())


def test_single_cards_of_unlike_heights_stand_in_the_order_of_the_program():
    heights = (60, 96, 56, 120, 56, 60, 140, 96, 56, 72)
    corners = packed([Part(200.0, float(height), 40.0) for height in heights])
    assert len({y for _, y in corners}) > 1
    assert sorted(corners, key=lambda corner: (corner[1], corner[0])) == corners
