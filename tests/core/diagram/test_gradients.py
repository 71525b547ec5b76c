"""Graphs of gradients in diagrams: nodes, edges and where they end, in each of the texts."""

import json

import pytest

from chalkgrad import diagram
from chalkgrad.cli import main
from chalkgrad.diagram.gradients import graphs
from chalkgrad.session import Session
from chalkgrad.source.read import read_source

TWICE = """import torch
x = torch.tensor([2.], requires_grad=True)
y = x ** 3
y.backward(create_graph=True)
g, = torch.autograd.grad(x.grad, x, create_graph=True)
"""


@pytest.fixture
def ran():
    session = Session(read_source(TWICE))
    session.finish()
    return session


def lines(session):
    return {line: id_ for id_, line in session.program.lines.items()}


def test_each_graph_with_its_nodes(ran):
    first, second = graphs(ran.program, ran.trace.state())
    assert (first.line, first.order, second.line, second.order) == (3, 1, 4, 2)
    assert [node.rows for node in first.nodes] == [
        ("PowBackward0", "[4.]"),
        ("MulBackward1", "[12.]"),
        ("MulBackward0", "[12.]"),
        ("x.grad: CopyBackwards", "[12.]"),
    ]
    assert [node.nodes for node in first.nodes[1:]] == [(node.number,) for node in first.nodes[:3]]
    assert first.nodes[0].cards == (lines(ran)[1],)
    assert first.ends == ((first.nodes[3].number, lines(ran)[1]),)
    assert second.ends == ((second.nodes[-1].number, lines(ran)[4]),)


def test_what_is_to_come_is_left_out(ran):
    state = ran.trace.state(ran.trace.end_of(lines(ran)[2]))
    assert not graphs(ran.program, state)
    assert not graphs(ran.program, None)


def test_covered_values_stay_covered(ran):
    state = ran.trace.state()
    hidden = type(state)(**{**vars(state), "covered": lambda number: True})
    assert {node.rows[1] for graph in graphs(ran.program, hidden) for node in graph.nodes} == {"?"}


def tikz(program, state):
    return diagram.to_tikz(program, None, state).replace("{-}", "-")


@pytest.mark.parametrize("write", [diagram.to_dot, diagram.to_mermaid, tikz])
def test_texts_hold_every_node_and_edge(ran, write):
    text = write(ran.program, ran.trace.state())
    for graph in graphs(ran.program, ran.trace.state()):
        assert graph.title in text
        for node in graph.nodes:
            assert f"g{node.number}" in text
            assert node.rows[0].split(": ")[-1] in text


def test_json_has_them_where_there_are_some(ran):
    found = json.loads(diagram.to_json(ran.program, ran.trace.state()))
    assert [graph["order"] for graph in found["gradients"]] == [1, 2]
    assert "gradients" not in json.loads(diagram.to_json(ran.program))


@pytest.mark.parametrize(
    ("ending", "sign"),
    [("dot", "cluster3"), ("mmd", "subgraph s3"), ("json", '"gradients"'), ("tex", "line 3, order 1")],
)
def test_export_runs_a_program_that_records_gradients(tmp_path, ending, sign):
    script, out = tmp_path / "twice.py", tmp_path / f"twice.{ending}"
    script.write_text(TWICE, encoding="utf-8")
    assert main(["export", str(script), "-o", str(out)]) == 0
    assert sign in out.read_text(encoding="utf-8")
    script.write_text(TWICE.split("y.backward")[0], encoding="utf-8")
    assert main(["export", str(script), "-o", str(out)]) == 0
    assert sign not in out.read_text(encoding="utf-8")
