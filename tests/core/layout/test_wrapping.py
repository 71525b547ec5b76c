"""A drawing that is far wider than a view goes on in rows below each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from tests.core.layout.drawings import graph, overlapping

from chalkgrad.layout import Node, Point, routes, tidy
from chalkgrad.layout.detours import touched
from chalkgrad.layout.wrapping import LARGEST, RATIO, WIDEST

WIDTH, HEIGHT = 176.0, 96.0


def large(nodes: list[Node]) -> list[Node]:
    """The same as large as cards are."""
    return [replace(node, width=WIDTH, height=HEIGHT) for node in nodes]


def chain(length: int, *more: tuple[int, ...]):
    """So many cards that each read the one before, and others."""
    nodes, edges = graph((), *[(id_,) for id_ in range(1, length)], *more)
    return large(nodes), edges


def rows(places: dict[int, Point], ids) -> list[list[int]]:
    """The cards of each row, from left to right, the upper row first."""
    tops = sorted({places[id_][1] for id_ in ids})
    return [sorted((id_ for id_ in ids if places[id_][1] == top), key=lambda id_: places[id_][0]) for top in tops]


def extent(places: dict[int, Point]) -> float:
    """The height of the smallest view in which cards of one size are seen."""
    across, down = (max(at[axis] for at in places.values()) for axis in (0, 1))
    return max((across + WIDTH) / RATIO, down + HEIGHT)


def test_a_long_chain_goes_on_in_rows_that_are_read_like_lines_of_text():
    nodes, edges = chain(14)
    places = tidy(nodes, edges)
    found = rows(places, range(1, 15))
    assert 2 <= len(found) <= 3
    assert [id_ for row in found for id_ in row] == list(range(1, 15))
    assert max(map(len, found)) - min(map(len, found)) <= 2
    assert extent(places) <= WIDEST / RATIO * 1.05
    assert overlapping(nodes, places) == []


def test_what_is_read_as_a_whole_anyway_stays_in_one_row():
    nodes, edges = chain(7)
    assert len(rows(tidy(nodes, edges), range(1, 8))) == 1


def test_where_many_wires_pass_it_is_not_cut():
    long = [(id_ - 3, id_ - 2, id_ - 1) for id_ in range(4, 15)]
    nodes, edges = graph((), (1,), (1, 2), *long)
    places = tidy(large(nodes), edges)
    columns = [places[id_][0] for id_ in range(1, 15)]
    assert columns == sorted(set(columns)), "from left to right to the end"


def test_wires_of_one_card_that_is_read_all_along_count_as_one():
    again = [(1, id_ - 1) if id_ % 5 == 0 else (id_ - 1,) for id_ in range(3, 29)]
    nodes, edges = graph((), (1,), *again)
    places = tidy(large(nodes), edges)
    assert len(rows(places, range(2, 29))) > 2
    assert extent(places) <= LARGEST
    assert overlapping(large(nodes), places) == []


def test_a_network_that_reads_three_leaves_in_each_of_its_steps_is_wrapped():
    """``a = x @ w; b = h @ u; c = a + b; d = c + bias; h = tanh(d)``, five times."""
    inputs, state = [(), (), (), ()], 4
    for _ in range(5):
        new = len(inputs) + 1
        inputs += [(), (new, 1), (state, 2), (new + 1, new + 2), (new + 3, 3), (new + 4,)]
        state = new + 5
    nodes, edges = graph(*inputs)
    places = tidy(large(nodes), edges)
    states = [places[id_] for id_ in range(10, 35, 6)]
    assert any(before[0] > after[0] for before, after in pairwise(states)), "it is wrapped"
    assert extent(places) <= LARGEST
    assert overlapping(large(nodes), places) == []


def test_what_no_view_shows_with_names_is_folded_into_full_rows():
    nodes, edges = chain(200)
    places = tidy(nodes, edges)
    *full, last = rows(places, range(1, 201))
    assert [id_ for row in [*full, last] for id_ in row] == list(range(1, 201))
    assert len({len(row) for row in full}) == 1
    assert len(last) <= len(full[0])
    across, down = (max(at[axis] for at in places.values()) for axis in (0, 1))
    assert 1.0 < across / down < 2.5, "about like a window"
    assert overlapping(nodes, places) == []


def test_what_is_added_at_the_end_leaves_the_rows_before_as_they_are():
    nodes, edges = chain(200)
    places = tidy(nodes, edges)
    longer, more = chain(203)
    after = tidy([replace(node, previous=places.get(node.id)) for node in longer], more)
    assert {id_: after[id_] for id_ in places} == places


def test_a_very_long_chain_is_folded_though_many_wires_lead_on_and_they_run_through_no_card():
    leaves = [() for _ in range(10)]
    links = [(10 + at, 1 + at % 10) if at % 3 else (10 + at, max(11, 6 + at)) for at in range(1, 160)]
    nodes, edges = graph(*leaves, (1, 2), *links)
    nodes = large(nodes)
    places = tidy(nodes, edges)
    chained = [places[id_] for id_ in range(11, 171)]
    begun = [after for before, after in pairwise(chained) if after[0] < before[0]]
    assert len(begun) > 2, "it is folded"
    assert [at[1] for at in begun] == sorted(at[1] for at in begun), "from top to bottom"
    assert overlapping(nodes, places) == []
    boxes = np.array([(*places[node.id], places[node.id][0] + WIDTH, places[node.id][1] + HEIGHT) for node in nodes])
    for edge, way in zip(edges, routes(nodes, edges, places), strict=True):
        crossed = {nodes[at].id for at in np.flatnonzero(touched(way, boxes))}
        assert crossed <= {edge.source, edge.target}


def test_a_leaf_goes_into_the_row_of_its_reader():
    leaves = [() for _ in range(12)]
    nodes, edges = graph(*leaves, (1,), *[(12 + id_, 1 + id_) for id_ in range(1, 12)])
    places = tidy(large(nodes), edges)
    computed = [places[id_] for id_ in range(13, 25)]
    assert any(before[0] > after[0] for before, after in pairwise(computed)), "it is wrapped"
    for leaf in range(2, 13):
        reader = places[12 + leaf]
        assert places[leaf][0] < reader[0]
        assert abs(places[leaf][1] - reader[1]) < 3 * HEIGHT


def test_a_drawing_with_a_pin_stays_as_somebody_has_it():
    nodes, edges = chain(14)
    nodes[3] = replace(nodes[3], pinned_at=(800.0, 40.0))
    assert len(rows(tidy(nodes, edges), range(1, 15))) == 1


def test_tidying_again_moves_nothing():
    nodes, edges = chain(14, (2, 9))
    places = tidy(nodes, edges)
    again = tidy([replace(node, previous=places[node.id]) for node in nodes], edges)
    assert again == places


def test_what_leads_to_other_rows_holds_nothing_apart_in_a_row():
    """A network of two layers, and a frame as high as all of its leaves that reads them, too."""
    nodes, edges = graph((), (), (), (), (), (1, 2), (6, 3), (7,), (8, 4), (9, 5), (10,), (11,), (2, 3, 4, 5))
    nodes = [replace(node, width=240.0, height=HEIGHT) for node in nodes]
    nodes[-1] = replace(nodes[-1], width=400.0, height=760.0, inputs=(100.0, 300.0, 500.0, 700.0))
    places = tidy(nodes, edges)
    last = [places[id_] for id_ in (9, 10, 11, 12)]
    assert len({top for _, top in last}) == 1
    assert last[0][1] > places[13][1] + 760.0
    assert max(left for left, _ in places.values()) + 240.0 <= WIDEST
    assert overlapping(nodes, places) == []
    again = tidy([replace(node, previous=places[node.id]) for node in nodes], edges)
    assert again == places


def test_it_stays_in_rows_where_cards_of_it_are_kept_in_place():
    nodes, edges = chain(14)
    places = tidy(nodes, edges)
    for kept in ({5}, {1, 7, 14}):
        pinned = [
            replace(node, previous=places[node.id], pinned_at=places[node.id] if node.id in kept else None)
            for node in nodes
        ]
        assert tidy(pinned, edges) == places


def test_what_is_kept_far_from_its_place_in_the_rows_stays_there_all_the_same():
    nodes, edges = chain(14)
    places = tidy(nodes, edges)
    away = {3: (4000.0, 40.0), 12: (-900.0, 1200.0)}
    pinned = [replace(node, previous=places[node.id], pinned_at=away.get(node.id)) for node in nodes]
    again = tidy(pinned, edges)
    assert {id_: again[id_] for id_ in away} == away
    assert not overlapping(nodes, again)
