"""The inspector and the explanation of a backward node that is selected on the canvas."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from chalkgrad_app.panels.inspector import InspectorPanel
from chalkgrad_app.panels.node_facts import describe_node, next_functions
from chalkgrad_app.panels.why import WhyPanel

CUBE = """x = torch.tensor(3., requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
"""


@pytest.fixture
def cube(from_text):
    return from_text(CUBE)


def number(document, graph, node):
    return document.session.trace.gradient_graphs[graph].nodes[node].number


def facts(document):
    described = describe_node(document)
    assert described is not None
    return dict(described.facts)


def test_nothing_without_a_node(cube):
    assert describe_node(cube) is None


def test_a_node_of_the_gradients_graph(cube):
    cube.select_node(number(cube, 0, 2))
    described = describe_node(cube)
    assert described.name == "MulBackward0"
    assert described.origin == "1st derivative, line 3: made when PowBackward0 of line 2 ran"
    assert facts(cube)["#3"] == "dy/dy * ((x ** 2) * 3)"
    assert facts(cube)["value"] == "tensor(27., grad_fn=<MulBackward0>)"
    assert facts(cube)["requires_grad"] == "True"
    assert facts(cube)["next_functions"] == "((None, 0), (<MulBackward1>, 0))"
    assert facts(cube)["reads"] == "1., <MulBackward1>"


def test_a_node_of_the_second_derivative(cube):
    cube.select_node(number(cube, 1, 0))
    assert describe_node(cube).origin.startswith("2nd derivative, line 4")
    assert facts(cube)["reads"] == "x"


def test_a_node_that_an_operator_of_the_program_left_behind(cube):
    node = cube.state.names["y"].node
    cube.select_node(node)
    assert describe_node(cube).origin == "left behind by line 2"
    assert next_functions(cube.state, node) == "((<AccumulateGrad>, 0),)"


def test_before_it_ran_it_is_to_come(cube):
    cube.select_node(number(cube, 0, 2))
    cube.look_at_line(cube.program.order[1])
    assert facts(cube)["value"] == "to come"


def test_covered_gradients_stay_covered(cube):
    cube.select_node(number(cube, 0, 2))
    cube.cover(True)
    assert facts(cube)["value"] == "?"
    assert facts(cube)["#3"] == "dy/dy * ((x ** 2) * 3)"


def test_the_inspector_shows_it_and_goes_back_to_cards(cube, show):
    panel = show(InspectorPanel(cube))
    cube.select_node(number(cube, 0, 2))
    assert "MulBackward0" in panel.text()
    assert panel.findChild(QLabel, "inspector.next_functions").text() == "((None, 0), (<MulBackward1>, 0))"
    cube.select([cube.program.order[0]])
    assert "requires_grad=True" in panel.text()
    assert panel.findChild(QLabel, "inspector.origin") is None


def test_why_explains_the_step_in_which_it_was_made(cube, show, qtbot):
    panel = show(WhyPanel(cube))
    cube.select_node(number(cube, 0, 2))
    qtbot.waitUntil(lambda: "dy/dx = 3" in panel.text())
    assert "27" in panel.text()
    cube.cover(True)
    qtbot.waitUntil(lambda: "27" not in panel.text())
