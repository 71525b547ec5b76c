"""Cards with several outputs, through real events: wires, undo, copies, the list at the pointer, diagrams."""

import pytest
from PySide6.QtCore import QPoint, Qt
from support.hands import CTRL, Hands, discard, open_host

from chalkgrad.diagram.dot import to_dot
from chalkgrad.diagram.mermaid import to_mermaid
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.emit import program_text
from chalkgrad.source.read import read_source

X = "x = torch.tensor([[1., 5., 3.], [4., 2., 6.]], requires_grad=True)"
MAX = [X, "values, indices = x.max(dim=1)"]
PRINTED = "torch.return_types.max(\nvalues=tensor([5., 6.], grad_fn=<MaxBackward0>),\nindices=tensor([1, 2]))"


@pytest.fixture
def largest(qapp):
    """Hands at ``values, indices = x.max(dim=1)``, laid out."""
    host = open_host(Sheet(read_source("\n".join(["import torch", *MAX]))))
    host.canvas.tidy()
    host.canvas.zoom_100()
    yield Hands(host.canvas)
    discard(host)


def outputs(hands, name):
    return hands.document.state.statement(hands.id(name)).outputs


def port(hands, name, number):
    """Where the value port of an output lies."""
    made = hands.id(name)
    picture = hands.canvas.picture
    at = next(p for p in picture.ports(made) if p.kind == "value" and p.index == number)
    return hands.at_scene(at.x, at.y)


def test_each_output_has_a_port_to_draw_a_wire_from(largest):
    largest.drop("sum", QPoint(700, 60))
    largest.drop("neg", QPoint(700, 400))
    before = largest.lines()
    largest.drag(port(largest, "values", 0), largest.port("a", 0))
    largest.drag(port(largest, "values", 1), largest.port("b", 0))
    assert largest.lines() == [*MAX, "a = values.sum()", "b = -indices"]
    wired = largest.lines()
    stack = largest.document.undo_stack
    stack.undo()
    stack.undo()
    assert largest.lines() == before
    stack.redo()
    stack.redo()
    assert largest.lines() == wired


def test_deleting_one_reader_leaves_the_other(largest):
    largest.drop("sum", QPoint(700, 60))
    largest.drag(port(largest, "values", 0), largest.port("a", 0))
    largest.drop("neg", QPoint(700, 400))
    largest.drag(port(largest, "values", 1), largest.port("b", 0))
    whole = largest.lines()
    largest.click(largest.header("a"))
    largest.key(Qt.Key.Key_Delete)
    assert largest.lines() == [*MAX, "b = -indices"]
    largest.document.finish()
    assert [tensor.short for tensor in outputs(largest, "values")] == ["[5., 6.]", "[1, 2]"]
    largest.document.undo_stack.undo()
    assert largest.lines() == whole


def test_the_list_at_the_pointer_makes_both_outputs(hands):
    hands.document.finish()
    hands.drop("tensor-grad", QPoint(120, 100))
    hands.key(Qt.Key.Key_Return)
    hands.double_click(QPoint(500, 400))
    hands.type("a, b = w.max(dim=0)")
    hands.key(Qt.Key.Key_Return)
    hands.document.finish()
    assert hands.lines()[-1] == "a, b = w.max(dim=0)"
    assert [tensor.short for tensor in outputs(hands, "a")] == ["1.", "0"]
    hands.undo_all()
    assert hands.lines() == []


@pytest.mark.parametrize("draw", [to_dot, to_mermaid])
def test_a_diagram_names_both_outputs(largest, draw):
    assert "values, indices" in draw(largest.document.program, largest.document.state)


def test_a_printed_tuple_has_pytorchs_names(qapp):
    program = read_source("\n".join(["import torch", X, "print(x.max(dim=1))"]))
    assert program_text(program).splitlines()[-1] == "print(x.max(dim=1))"
    host = open_host(Sheet(program))
    assert [line.text for line in host.canvas.document.state.output] == [PRINTED]
    (made,) = [s.id for s in program if s.targets == ("", "")]
    assert host.canvas.picture.face(made).name == ""
    discard(host)


def test_a_tuple_of_named_tensors_stays_a_plain_one(qapp):
    program = read_source("\n".join(["import torch", *MAX, "print((values, indices))"]))
    host = open_host(Sheet(program))
    said = "(tensor([5., 6.], grad_fn=<MaxBackward0>), tensor([1, 2]))"
    assert [line.text for line in host.canvas.document.state.output] == [said]
    discard(host)


def test_copied_and_pasted_with_names_of_their_own(window):
    hands = Hands(window.canvas)
    hands.drop("tensor-grad", QPoint(120, 100))
    hands.key(Qt.Key.Key_Return)
    hands.double_click(QPoint(300, 300))
    hands.type("a, b = w.max(dim=0)")
    hands.key(Qt.Key.Key_Return)
    hands.document.select([hands.id("a")])
    window.canvas.setFocus()
    hands.key(Qt.Key.Key_C, CTRL)
    hands.key(Qt.Key.Key_V, CTRL)
    hands.document.finish()
    pasted = [s for s in hands.document.program if s.call == "max_dim"]
    assert len(pasted) == 2
    assert len({name for s in pasted for name in s.targets}) == 4
    hands.key(Qt.Key.Key_Z, CTRL)
    assert hands.lines()[1:] == ["a, b = w.max(dim=0)"]
