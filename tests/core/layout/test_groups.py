"""Frames and blocks in a tidy drawing, and tasks that are sent elsewhere."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.layout.drawings import graph, graphs, network, overlapping, rect

from chalkgrad.layout import Group, Node, Task, graphviz, task, tidied, tidy
from chalkgrad.layout.groups import nested


@given(graphs(16), st.data())
@settings(max_examples=30, deadline=None)
def test_members_lie_in_their_group_and_strangers_do_not(given_graph, data):
    nodes, edges = given_graph
    ids = [node.id for node in nodes]
    cut = sorted(data.draw(st.lists(st.integers(0, len(ids)), min_size=4, max_size=4)))
    outer, inner = frozenset(ids[cut[0] : cut[3]]), frozenset(ids[cut[1] : cut[2]])
    groups = (Group(101, outer, 20.0, 40.0), Group(102, inner, 10.0, 30.0))
    drawing = tidied(Task(tuple(nodes), tuple(edges), groups))
    assert overlapping(nodes, drawing.places) == []
    for group in groups:
        if not group.members:
            assert group.id not in drawing.rects
            continue
        left, top, width, height = drawing.rects[group.id]
        for node in nodes:
            x, y, right, bottom = rect(node, drawing.places)
            within = left <= x and right <= left + width and top <= y and bottom <= top + height
            beside = right <= left or x >= left + width or bottom <= top or y >= top + height
            assert within if node.id in group.members else beside


def test_groups_that_overlap_are_disregarded_but_for_the_first():
    groups = (
        Group(11, frozenset({1, 2})),
        Group(12, frozenset({2, 3})),
        Group(13, frozenset({2})),
        Group(14, frozenset()),
    )
    assert [group.id for group in nested(groups, {1, 2, 3})] == [13, 11]


def test_a_group_with_a_pinned_card_stays_where_that_is():
    nodes, edges = graph((), (1,), (2,))
    pinned = Node(2, 176, 96, (40.0,), 40.0, (800.0, 400.0), (800.0, 400.0))
    drawing = tidied(Task((nodes[0], pinned, nodes[2]), tuple(edges), (Group(11, frozenset({1, 2}), 16.0),)))
    assert drawing.places[2] == (800.0, 400.0)
    assert overlapping(nodes, drawing.places) == []


def test_another_process_draws_the_same():
    nodes, edges = network(2, 2, 1)
    wanted = Task(tuple(nodes), tuple(edges), (Group(900, frozenset({1, 2}), 16.0, 24.0),))
    lines = list(task.written(wanted))
    assert task.read("\n".join(lines)) == wanted
    done = subprocess.run(
        [sys.executable, "-m", "chalkgrad.layout"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert task.decode_drawing(done.stdout, wanted) == tidied(wanted)
    told = [int(word) for word in done.stderr.split()]
    assert told == sorted(told)
    assert told[-1] == 100


def test_graphviz_is_told_ports_and_read_back():
    nodes, edges = graph((), (), (1, 2))
    wanted = Task(tuple(nodes), tuple(edges))
    text = "\n".join(graphviz.written(wanted))
    assert "1:o:e -> 3:i0:w;" in text
    assert "2:o:e -> 3:i1:w;" in text
    assert graphviz.can_draw(wanted)
    drawing = graphviz.read("graph 1 9 9\nnode 1 1 5 2 1 x\nnode 2 1 3 2 1 x\nnode 3 5 4 2 1 x\nstop\n", wanted)
    assert drawing.places[1][1] < drawing.places[3][1] < drawing.places[2][1]
    assert drawing.places[3][0] - drawing.places[1][0] == 288.0


@pytest.mark.parametrize("answer", ["", "node 1 1 1 1 1 x", "node 7 1 1 1 1 x", "node 1 a b 1 1 x", "node"])
def test_an_answer_without_all_cards_is_none(answer):
    nodes, edges = graph((), (1,))
    with pytest.raises((ValueError, KeyError, IndexError)):
        graphviz.read(answer, Task(tuple(nodes), tuple(edges)))


def test_graphviz_is_not_asked_for_what_it_cannot_keep():
    nodes, edges = graph((), (1,))
    pinned = (Node(1, 176, 96, (), 40.0, (0.0, 0.0)), nodes[1])
    assert not graphviz.can_draw(Task(pinned, tuple(edges)))
    assert not graphviz.can_draw(Task(tuple(nodes), tuple(edges), (Group(9, frozenset({1})),)))


def test_progress_of_the_whole_is_told():
    nodes, edges = graph((), (1,), (), (3,))
    told = []
    tidy(nodes, edges, told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
