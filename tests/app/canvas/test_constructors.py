"""Functions that make a tensor: quick-add offers them, and their fields are open at how large it is."""

import pytest
from PySide6.QtCore import QPointF, Qt
from support.hands import process

from chalkgrad_app.canvas.popover import Popover
from chalkgrad_app.editors.leaves import CONSTRUCTORS
from chalkgrad_app.style.operator_icons import icon_name

ENTER = Qt.Key.Key_Return


@pytest.mark.parametrize(
    ("call", "field", "typed", "line"),
    [
        ("zeros", "size", "2, 3", "torch.zeros(2, 3)"),
        ("ones", "size", "4", "torch.ones(4)"),
        ("full", "size", "2, 2", "torch.full((2, 2), 1.0)"),
        ("eye", "n", "2", "torch.eye(2)"),
        ("arange", "end", "12.", "torch.arange(12.0)"),
        ("linspace", "steps", "5", "torch.linspace(0.0, 1.0, 5)"),
        ("rand", "size", "2", "torch.rand(2,"),
        ("randn", "size", "2, 3", "torch.randn(2, 3,"),
        ("randint", "size", "2", "torch.randint(0, 10, (2,),"),
        ("randperm", "n", "4", "torch.randperm(4,"),
        ("empty", "size", "2", "torch.empty(2"),
    ],
)
def test_quick_add_makes_a_leaf_with_its_size_to_be_typed(hands, call, field, typed, line):
    hands.canvas.quick_add_at(QPointF(400, 300))
    hands.type(call)
    assert hands.offered()[0] == call
    hands.key(ENTER)
    process()
    assert hands.canvas.window().findChild(Popover).isVisible()
    assert hands.focused().objectName() == f"option.{field}"
    hands.type(typed)
    hands.key(ENTER)
    hands.document.finish()
    process()
    assert not hands.canvas.window().findChild(Popover).isVisible()
    assert hands.lines()[-1].startswith(f"x = {line}")


def test_a_wire_pulled_from_an_input_can_be_fed_by_one(course):
    course.canvas.adding.feed(next(iter(_plugs(course))), QPointF(60, 500))
    course.type("randn")
    assert course.offered()[0] == "randn"


def _plugs(hands):
    from chalkgrad_app.canvas.wiring import Plug

    yield Plug(hands.id("y"), 0)


def test_they_come_after_tensors_and_operators_where_nothing_is_typed(hands):
    hands.canvas.quick_add_at(QPointF(400, 300))
    assert hands.offered()[:2] == ["tensor", "tensor-grad"]
    assert hands.offered().index("zeros") > hands.offered().index("sum")


def test_each_has_an_icon_of_its_own():
    names = [icon_name(name) for name in ("tensor", "tensor-grad", *CONSTRUCTORS)]
    assert names == ["tensor", "tensor-grad", *CONSTRUCTORS]


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("zeros_like", "torch.zeros_like(a)"),
        ("ones_like", "torch.ones_like(a)"),
        ("full_like", "torch.full_like(a, 1.0)"),
        ("empty_like", "torch.empty_like(a)"),
        ("rand_like", "torch.rand_like(a,"),
        ("randn_like", "torch.randn_like(a,"),
    ],
)
def test_a_leaf_in_the_shape_of_what_is_selected(course, call, line):
    course.click(course.header("a"))
    course.canvas.quick_add_at(QPointF(400, 300))
    course.type(call)
    assert course.offered()[0] == call
    course.key(ENTER)
    assert line in course.lines()[-1]
    course.document.finish()
    made = course.document.program[course.document.selected_statements[0]]
    assert course.document.state.tensor(made.id).shape == (1,)


def test_without_a_selection_it_has_an_open_port(hands):
    hands.canvas.quick_add_at(QPointF(400, 300))
    hands.type("zeros_like")
    hands.key(ENTER)
    assert "torch.zeros_like(?)" in hands.lines()[-1]
