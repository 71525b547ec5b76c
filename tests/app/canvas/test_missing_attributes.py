"""Operators that PyTorch wants an argument for: however they are placed, its field is open and tells of it."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLabel
from support.hands import CTRL, process

from chalkgrad.session.state import Status
from chalkgrad_app.canvas.popover import Popover

ENTER, ESC, C = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_C


def popover_of(hands):
    hands.document.finish()
    process()
    found = hands.canvas.window().findChild(Popover)
    return found if found is not None and found.isVisible() else None


def said_at(hands, name):
    labels = popover_of(hands).findChildren(QLabel, f"option.{name}.message")
    return next((label.text() for label in labels if label.isVisible()), "")


def quickly(hands, typed, key=Qt.KeyboardModifier.NoModifier):
    hands.canvas.quick_add_at(QPointF(500, 420))
    hands.type(typed)
    hands.key(ENTER, key)


@pytest.mark.parametrize(("name", "field"), [("softmax", "dim"), ("reshape", "shape"), ("unsqueeze", "dim")])
def test_quick_add_opens_the_field_of_what_is_lacking_and_enter_closes_it(course, name, field):
    course.click(course.header("x"))
    quickly(course, name)
    assert popover_of(course) is not None
    assert course.focused().objectName() == f"option.{field}"
    assert f'required positional arguments: "{field}"' in said_at(course, field)
    course.type("0" if field == "dim" else "1, 1")
    course.key(ENTER)
    assert popover_of(course) is None
    (made,) = course.document.selected_statements
    assert course.document.state.statement(made).status is Status.OK
    assert course.focused() is course.canvas


def test_of_two_that_are_lacking_enter_leads_to_the_second(course):
    course.click(course.header("x"))
    quickly(course, "transpose")
    course.type("0")
    course.key(ENTER)
    assert popover_of(course) is not None
    assert course.focused().objectName() == "option.dim1"
    assert said_at(course, "dim0") == ""
    assert "dim1" in said_at(course, "dim1")


def test_a_drop_and_a_drop_on_a_wire_ask_for_it_too(course):
    course.drop("softmax", course.free(400, 560))
    assert popover_of(course) is not None
    assert course.focused().objectName() == "option.dim"
    course.key(ESC)
    start, end = course.port("b", "value"), course.port("y", 1)
    course.drop("softmax", (start + end) / 2)
    assert popover_of(course) is not None
    assert course.focused().objectName() == "option.dim"


def test_a_change_of_the_operator_asks_for_it(course):
    course.click(course.header("a"))
    course.key(C)
    course.type("log_softmax")
    course.key(ENTER)
    assert popover_of(course) is not None
    assert course.focused().objectName() == "option.dim"


def test_what_lacks_nothing_opens_nothing(course):
    course.click(course.header("x"))
    quickly(course, "sum")
    assert popover_of(course) is None


def test_going_on_waits_for_what_is_lacking(course):
    course.click(course.header("x"))
    quickly(course, "softmax", CTRL)
    assert popover_of(course) is not None
    assert not course.canvas.quick.isVisible()
