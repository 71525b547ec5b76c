"""The gradient's own graph in the trace: what create_graph records, what it belongs to, and which derivative it is."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad import torch
from chalkgrad.program.statement import Kind
from chalkgrad.session import Session
from chalkgrad.session.derived import GradientGraph
from chalkgrad.session.events import EventKind
from chalkgrad.source.read import read_source

CUBE = """
x = torch.tensor(3., requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
k, = torch.autograd.grad(h, x, create_graph=True)
"""
TWO_PATHS = """
w = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor([3.], requires_grad=True)
y = (w * w + b).sum()
y.backward(create_graph=True)
"""


def ran(text: str) -> Session:
    session = Session(read_source("import torch\n" + text))
    session.finish()
    assert not [problem for problem in session.trace.state().problems if not problem.warning]
    return session


def names(session: Session, graph: GradientGraph) -> list[str]:
    return [session.trace.nodes[node.number].name for node in graph.nodes]


def line(session: Session, number: int) -> int:
    return next(id_ for id_, found in session.program.lines.items() if found == number)


def test_each_derivative_is_a_graph_of_its_order():
    session = ran(CUBE)
    graphs = session.trace.gradient_graphs
    assert [graph.order for graph in graphs] == [1, 2, 3]
    assert [graph.statement for graph in graphs] == [line(session, 3), line(session, 4), line(session, 5)]
    assert names(session, graphs[0]) == ["PowBackward0", "MulBackward1", "MulBackward0"]
    assert [session.trace.nodes[node.of].name for node in graphs[0].nodes] == ["PowBackward0"] * 3
    assert {session.trace.nodes[node.of].statement for node in graphs[0].nodes} == {line(session, 2)}
    assert session.trace.state().names["k"].short == "6."


def test_operators_and_their_numbers_are_known():
    first = ran(CUBE).trace.gradient_graphs[0]
    assert [(node.call, node.constants) for node in first.nodes] == [
        ("pow_number", (("exponent", 2),)),
        ("mul_number", (("other", 3),)),
        ("mul", ()),
    ]


@pytest.mark.parametrize("option", ["", "retain_graph=True", "create_graph=False"])
def test_without_create_graph_there_is_nothing(option):
    session = ran(TWO_PATHS.replace("create_graph=True", option))
    assert not session.trace.gradient_graphs
    assert all(session.trace.graph_of(number) is None for number in range(len(session.trace.nodes)))


def test_what_an_operator_of_the_program_makes_of_a_gradient_is_not_derived():
    session = ran(TWO_PATHS + "z = (w.grad ** 2).sum()\nz.backward()\n")
    (graph,) = session.trace.gradient_graphs
    assert graph.statement == line(session, 4)
    made = [number for number, record in enumerate(session.trace.nodes) if record.statement == line(session, 5)]
    assert made
    assert all(session.trace.graph_of(number) is None for number in made)


def test_sums_of_paths_belong_to_the_node_where_they_meet():
    session = ran(TWO_PATHS)
    trace = session.trace
    (graph,) = trace.gradient_graphs
    joins = [node for node in graph.nodes if node.joins]
    assert [trace.nodes[node.number].name for node in joins] == ["AddBackward0"]
    assert trace.nodes[joins[0].of].name == "AccumulateGrad"
    assert trace.nodes[joins[0].of].statement == line(session, 1)


def test_the_whole_gradient_of_each_result_is_known():
    session = ran(TWO_PATHS)
    trace, state = session.trace, session.trace.state()
    (graph,) = trace.gradient_graphs
    by_leaf = {
        trace.nodes[node].inputs[0]: number
        for number, (node, _) in graph.gradients.items()
        if trace.nodes[node].name == "AccumulateGrad"
    }
    for name, value in (("w", [2.0, 4.0]), ("b", [2.0])):
        found = state.object(by_leaf[state.names[name].number])
        assert found is not None
        assert found.value is not None
        assert found.value.tolist() == value


def test_what_arrives_at_a_leaf_is_told_as_it_is_added():
    session = ran(TWO_PATHS)
    trace = session.trace
    told = [event for event in trace.events if event.kind is EventKind.ACCUMULATED]
    for event in told:
        owner = trace.state().object(event.tensors[0] or 0)
        assert owner is not None
        assert owner.grad is not None
        assert np.array_equal(event.incoming[0], owner.grad.value)


def test_objects_are_not_there_before_they_are_born():
    session = ran(CUBE)
    first = session.trace.gradient_graphs[0].nodes[0]
    made = session.trace.nodes[first.number].outputs[0]
    assert made is not None
    assert session.trace.state(first.position - 2).object(made) is None
    found = session.trace.state(first.position).object(made)
    assert found is not None
    assert found.short == "9."


def test_a_backward_that_fails_leaves_no_open_graph():
    text = TWO_PATHS.replace("(w * w + b).sum()", "w * w") + "v = w * 2\n"
    session = Session(read_source("import torch\n" + text))
    session.finish()
    assert session.trace.state().problems
    after = [number for number, record in enumerate(session.trace.nodes) if record.statement == line(session, 5)]
    assert after
    assert all(session.trace.graph_of(number) is None for number in after)


def test_the_edges_are_those_of_the_engine():
    session = ran(TWO_PATHS)
    state = session.trace.state()
    tensor = session.live(state.names["w"].number)
    assert isinstance(tensor, torch.Tensor)
    assert tensor.grad is not None
    pending, seen = [tensor.grad.grad_fn], 0
    while pending:
        node = pending.pop()
        record = session.record_of(node)
        assert [None if edge is None else session.trace.nodes[edge].name for edge in record.edges] == [
            None if edge is None else type(edge).__name__ for edge, _ in node.next_functions
        ]
        pending += [edge for edge, _ in node.next_functions if edge is not None]
        seen += 1
    assert seen > 3


def test_recording_does_not_change_the_program():
    session = ran(CUBE)
    assert [statement.kind for statement in session.program] == [Kind.LEAF, Kind.OP, Kind.GRAD, Kind.GRAD, Kind.GRAD]


def counts(graph: GradientGraph) -> list[int]:
    return [graph.count_of(node.number) for node in graph.nodes]


def test_nodes_are_counted_on_through_all_graphs():
    assert [counts(graph) for graph in ran(CUBE).trace.gradient_graphs] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


def test_each_pass_of_a_line_counts_alike():
    session = ran(
        "x = torch.tensor(3., requires_grad=True)\nfor i in range(3):\n    y = x ** 3\n"
        "    g, = torch.autograd.grad(y, x, create_graph=True)\n    h, = torch.autograd.grad(g, x, create_graph=True)\n"
    )
    assert [counts(graph) for graph in session.trace.gradient_graphs] == [[1, 2, 3], [4, 5, 6]] * 3
