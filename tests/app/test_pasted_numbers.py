"""Numbers on the clipboard are the same tensor wherever they are pasted: canvas, field of a card, quick-add, grid."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.desk import CTRL, calm, key, lines, settle, tensor
from support.hands import Hands
from support.value_window import open_window

from chalkgrad import torch
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.clipboard import Clipboard
from chalkgrad_app.editors import tables
from chalkgrad_app.editors.value_window import ValueWindow

SQUARE = "[[1., 2.], [3., 4.]]"
NUMBERS = [
    ("[[1,2],[3,4]]", SQUARE),
    ("[1,2]", "[1., 2.]"),
    ("3.14", "3.14"),
    ("0.5, 0.6", "[0.5, 0.6]"),
    ("tensor([[1., 2.],\n        [3., 4.]])", SQUARE),
    ("tensor([[1., 2.],\n        [3., 4.]], grad_fn=<MulBackward0>)", SQUARE),
    ("[[1. 2.]\n [3. 4.]]", SQUARE),
    ("array([[1., 2.],\n       [3., 4.]])", SQUARE),
    ("1\t2\n3\t4", SQUARE),
    ("1\t2\r\n3\t4\r\n", SQUARE),
    ("1,5\t2,5", "[1.5, 2.5]"),
    ("1,5\t2,5\n3,5\t4,5", "[[1.5, 2.5], [3.5, 4.5]]"),
    ("1, 2,\n3, 4,", SQUARE),
    ("tensor(2.)", "2."),
    ("[nan, inf]", "[float('nan'), float('inf')]"),
]
WRONG = [
    ("a\tb\n1\t2", "The first row holds no numbers (a b): copy those below it"),
    ("1\t2\n3", "Row 2 has length 1, the first has length 2"),
]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("array([1, 2], dtype=uint8)", "torch.tensor([1, 2], dtype=torch.uint8)"),
        ("np.array([1., 2.], dtype=np.float64)", "torch.tensor([1., 2.], dtype=torch.float64)"),
        ("array([ True, False])", "torch.tensor([True, False])"),
        ("[[True, False], [False, True]]", "torch.tensor([[True, False], [False, True]])"),
        ("array([1, 2])", "torch.tensor([1., 2.])"),
    ],
)
def test_a_dtype_that_numbers_say_is_kept(hands, window, text, made):
    paste(window, text)
    assert lines(window)[-1].endswith(f" = {made}")


@pytest.fixture
def hands(window, still):
    """A window with the leaf ``x`` of two numbers, and the keys on the canvas."""
    window.document.begin(Sheet(read_source("import torch\nx = torch.tensor([5., 6.])\n")))
    window.lodging.place_missing()
    calm(window)
    window.canvas.setFocus()
    return Hands(window.canvas)


def paste(window, text):
    QApplication.clipboard().setText(text)
    key(window, Qt.Key.Key_V, CTRL)
    settle(window)


def edit_value(window, hands):
    QTest.mouseDClick(window.canvas, Qt.MouseButton.LeftButton, pos=hands.value("x"))
    settle(window)
    field = QApplication.focusWidget()
    field.selectAll()
    return field


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_on_the_canvas_they_are_a_leaf(window, hands, text, value):
    paste(window, text)
    assert len(lines(window)) == 2
    assert tensor(window, "x1").text.replace("\n       ", "") == shown(window, value)


def shown(window, value):
    """How PyTorch prints a list."""
    return str(torch.tensor(eval(value))).replace("\n       ", "")


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_the_field_of_a_card_reads_them_alike(window, hands, text, value):
    field = edit_value(window, hands)
    paste(window, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(window)
    assert tensor(window, "x").text.replace("\n       ", "") == shown(window, value)


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_quick_add_reads_them_alike(window, hands, text, value):
    key(window, Qt.Key.Key_A)
    assert window.canvas.quick.field.hasFocus()
    paste(window, text)
    key(window, Qt.Key.Key_Return)
    settle(window)
    assert tensor(window, "x1").text.replace("\n       ", "") == shown(window, value)


@pytest.mark.parametrize("place", ["canvas", "field", "quick-add", "grid"])
@pytest.mark.parametrize(("text", "words"), WRONG)
def test_what_is_wrong_with_a_table_is_said_everywhere(window, hands, text, words, place):
    told = []
    window.document.told.connect(told.append)
    if place == "field":
        edit_value(window, hands)
    elif place == "quick-add":
        key(window, Qt.Key.Key_A)
    elif place == "grid":
        hands.click(hands.header("x"))
        settle(window)
        open_window(hands, "x", Qt.Key.Key_V)
    if place == "grid":
        grid = window.findChild(ValueWindow)
        QApplication.clipboard().setText(text)
        QTest.keyClick(grid.grid, Qt.Key.Key_V, CTRL)
        said = grid.message.text()
    else:
        paste(window, text)
        said = {"field": window.canvas.editor.message, "quick-add": window.canvas.quick.message}.get(place)
        said = said.text() if said is not None else told[-1].removeprefix("Can't paste this: ")
    assert said == words
    assert lines(window) == ["x = torch.tensor([5., 6.])"]


def test_a_tensor_that_pytorch_prints_says_more_than_its_numbers(window, hands):
    paste(window, "tensor([1, 2])")
    paste(window, "tensor([1., 2.], dtype=torch.float64, requires_grad=True)")
    made = ["x1 = torch.tensor([1, 2])", "x2 = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)"]
    assert lines(window)[1:] == made


def test_a_long_list_on_one_line_is_read_in_slices(window, hands):
    text = "[" + ", ".join(["0.25"] * 50_000) + "]"
    assert len(text) > tables.LONG
    paste(window, text)
    window.findChild(Clipboard).pasting.finish()
    settle(window)
    assert tensor(window, "x1").shape == (50_000,)


def test_an_expression_that_nothing_is_bound_to_is_built_or_refused(window, hands, qtbot):
    paste(window, "x * 2")
    assert len(lines(window)) == 2
    with qtbot.waitSignal(window.document.told):
        paste(window, "x.grad")


def test_the_leaf_comes_to_the_pointer_and_the_step_has_its_name(window, hands):
    canvas = window.canvas
    at = QPoint(canvas.width() * 3 // 4, canvas.height() // 4)
    QCursor.setPos(canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas, QEnterEvent(QPointF(at), QPointF(at), QPointF(canvas.mapToGlobal(at))))
    hands.move(at, buttons=Qt.MouseButton.NoButton)
    settle(window)
    paste(window, "1\t2")
    calm(window)
    assert canvas.node_rect("x1").contains(at)
    assert window.document.undo_stack.undoText() == "Paste x1"
