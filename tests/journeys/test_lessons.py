"""What a lecturer shows, through the real window: each journey is one lesson."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from support.desk import CTRL, LEFT, PLAIN, choose, key, lines, press, settle, tensor

from chalkgrad_app import i18n


@pytest.fixture
def lecturer(window):
    """Opens an example and clicks cards."""
    yield window
    i18n.set_language("en")


def open_example(window, id_):
    choose(window, "file", "examples", f"example.{id_}")
    settle(window)
    window.canvas.setFocus()


def click(window, name):
    rect = window.canvas.node_rect(name)
    at = QPoint(rect.right() - 30, rect.top() + round(14 * window.canvas.viewport.scale))
    QTest.mouseClick(window.canvas, LEFT, PLAIN, at)
    settle(window)


def grad(window, name):
    found = tensor(window, name).grad
    return None if found is None else found.text


def test_an_intermediate_keeps_its_grad_only_when_asked(lecturer):
    open_example(lecturer, "course")
    key(lecturer, Qt.Key.Key_B, CTRL)
    settle(lecturer)
    assert (grad(lecturer, "w"), grad(lecturer, "a")) == ("tensor([5.])", None)
    key(lecturer, Qt.Key.Key_Z, CTRL)
    click(lecturer, "a")
    key(lecturer, Qt.Key.Key_R)
    assert lines(lecturer)[-1] == "a.retain_grad()"
    click(lecturer, "y")
    key(lecturer, Qt.Key.Key_B, CTRL)
    settle(lecturer)
    assert grad(lecturer, "a") == "tensor([2.])"


def test_a_second_backward_fails_and_says_why(lecturer):
    open_example(lecturer, "course")
    for _ in range(2):
        key(lecturer, Qt.Key.Key_B, CTRL)
        settle(lecturer)
    (problem,) = lecturer.document.state.problems
    assert problem.message.startswith("Trying to backward through the graph a second time")
    assert grad(lecturer, "w") == "tensor([5.])"
    assert lecturer.docks.by_name["problems"].windowTitle() == "Problems 1"


def test_freed_buffers(lecturer):
    open_example(lecturer, "freed_buffers")
    settle(lecturer)
    failed = [problem for problem in lecturer.document.state.problems if not problem.warning]
    assert lines(lecturer)[-1] == "z.backward()"
    assert [problem.type for problem in failed] == ["RuntimeError"]


def test_second_derivative(lecturer):
    open_example(lecturer, "second_derivative")
    settle(lecturer)
    assert not lecturer.document.state.problems
    assert tensor(lecturer, "g").text == "tensor(27., grad_fn=<MulBackward0>)"
    assert tensor(lecturer, "h").text == "tensor(18., grad_fn=<MulBackward0>)"
    assert tensor(lecturer, "k").text == "tensor(6.)"


def test_a_line_in_no_grad(lecturer):
    open_example(lecturer, "course")
    click(lecturer, "b")
    choose(lecturer, "graph", "wrapNoGrad")
    settle(lecturer)
    assert not tensor(lecturer, "b").requires_grad
    click(lecturer, "y")
    key(lecturer, Qt.Key.Key_B, CTRL)
    settle(lecturer)
    assert lines(lecturer)[-1] == "y.backward()"
    assert [p.message for p in lecturer.document.state.problems] == []
    assert grad(lecturer, "w") == "tensor([2.])"


def test_going_back_in_time_by_the_line_numbers(lecturer):
    open_example(lecturer, "course")
    key(lecturer, Qt.Key.Key_B, CTRL)
    settle(lecturer)
    rows = lecturer.docks.program.list
    index = rows.model().index(2, 0)
    QTest.mouseClick(rows.viewport(), LEFT, PLAIN, rows.visualRect(index).topLeft() + QPoint(24, 8))
    settle(lecturer)
    assert lecturer.document.program.lines[lecturer.document.cursor_line] == 3
    assert grad(lecturer, "w") is None
    assert lecturer.area.band.isVisible()
    press(lecturer, "pastBand.back")
    assert grad(lecturer, "w") == "tensor([5.])"


def test_a_lecture_in_chinese(lecturer):
    open_example(lecturer, "course")
    press(lecturer, "corner.language")
    key(lecturer, Qt.Key.Key_F11)
    assert lecturer.presenting.in_lecture
    key(lecturer, Qt.Key.Key_B, CTRL)
    settle(lecturer)
    assert lines(lecturer)[-1] == "y.backward()"
    key(lecturer, Qt.Key.Key_Escape)
    assert not lecturer.presenting.in_lecture
