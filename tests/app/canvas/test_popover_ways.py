"""The popover in the window: Tab goes round in it, Ctrl+A is the field's, and it keeps its gap to the card."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.desk import CTRL, calm, key, lines, settle

from chalkgrad_app.canvas.popover import Popover
from chalkgrad_app.widgets.message_edit import FieldMessage

SOURCE = """import torch
x = torch.tensor([1., 2.])
y = x * 2
z = y.softmax(dim=0)
m = torch.ones(2, 3)
s = torch.sum(m, dim=1, keepdim=True)
r = torch.reshape(m, (3, 2))
v = torch.diagonal(m, offset=0, dim1=0, dim2=1)
q = torch.sum(m, dim=-1)
"""
TAB = Qt.Key.Key_Tab


@pytest.fixture
def opened(window, tmp_path, still):
    """Opens the popover of a card that lies at a part of the canvas."""

    def at(name: str, across: float = 0.4, down: float = 0.4) -> Popover:
        path = tmp_path / "options.py"
        path.write_text(SOURCE, encoding="utf-8")
        window.filing.load(path)
        calm(window)
        canvas = window.canvas
        canvas.zoom_100()
        middle = canvas.node_rect(name).center()
        canvas.pan_by(across * canvas.width() - middle.x(), down * canvas.height() - middle.y())
        window.document.select([window.document.program.named(name).statement])
        settle(window)
        canvas.setFocus()
        key(canvas, Qt.Key.Key_E)
        calm(window)
        popover = window.findChild(Popover)
        assert popover.isVisible()
        return popover

    return at


def focused() -> str:
    return QApplication.focusWidget().objectName()


def press(window, key_: Qt.Key) -> str:
    """Press a key where the focus is; where it is then."""
    QTest.keyClick(QApplication.focusWidget(), key_)
    calm(window)
    return focused()


def line_of(window, name: str) -> str:
    """The line of a card."""
    return next(line for line in lines(window) if line.startswith(f"{name} ="))


def gap(window, popover: Popover, name: str) -> int:
    """How far the popover is from its card."""
    card = window.canvas.node_rect(name)
    card.moveTopLeft(window.canvas.mapTo(window, card.topLeft()))
    place: QRect = popover.geometry()
    across = max(place.left() - card.right(), card.left() - place.right(), 0)
    return max(across, place.top() - card.bottom(), card.top() - place.bottom())


def test_tab_goes_round_through_all_that_can_be_edited(window, opened):
    opened("x")
    names = ["factory", "data", "shape", "dtype", "requires_grad"]
    around = [*(f"option.{name}" for name in names), "canvas.popover.grid"]
    assert focused() == around[0]
    assert [press(window, TAB) for _ in around] == [*around[1:], around[0]]
    assert [press(window, Qt.Key.Key_Backtab) for _ in around] == around[::-1]


def test_tab_after_another_factory_goes_to_its_first_argument(window, opened):
    opened("x")
    press(window, Qt.Key.Key_Down)
    assert press(window, TAB) == "option.size"
    statement = window.document.program[window.document.program.order[0]]
    assert statement.call == "zeros"
    assert press(window, TAB) == "option.dtype"


def test_ctrl_a_is_for_the_fields_and_selects_no_cards(window, opened):
    opened("x")
    chosen = window.document.selection
    for _ in range(6):
        press(window, TAB)
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_A, CTRL)  # through the shortcuts
        settle(window)
        field = QApplication.focusWidget()
        assert window.document.selection == chosen, focused()
        assert not hasattr(field, "selectedText") or field.selectedText() == field.text()


@pytest.mark.parametrize("at", [(0.5, 0.4), (0.95, 0.95), (0.95, 0.5), (0.95, 0.1)])
def test_it_keeps_its_gap_to_the_card_whatever_is_said(window, opened, at):
    popover = opened("z", *at)
    near = gap(window, popover, "z")
    assert 0 < near < 30
    heights = {popover.height()}
    for text, end in (("7", Qt.Key.Key_Shift), ("7", Qt.Key.Key_Return), ("0", Qt.Key.Key_Shift), ("0", TAB)):
        field = QApplication.focusWidget()
        field.selectAll()
        QTest.keyClicks(field, text)
        press(window, end)
        heights.add(popover.height())
        assert gap(window, popover, "z") == near, text
        assert popover.isVisible()
    assert len(heights) > 1, "else nothing was said"


@pytest.mark.parametrize(("name", "typed"), [("s", "7"), ("r", "(4, 2)")])
def test_all_of_a_message_is_seen_while_one_types(window, opened, name, typed):
    popover = opened(name)
    QTest.keyClicks(QApplication.focusWidget(), typed)
    calm(window)
    said = next(label for label in popover.findChildren(FieldMessage) if label.isVisible())
    assert said.text()
    assert said.height() >= said.heightForWidth(said.width())
    assert popover.rect().contains(QRect(said.mapTo(popover, QPoint(0, 0)), said.size()))


def test_stepping_ends_where_pytorch_would_refuse_and_is_one_undo_step(window, opened):
    opened("s")
    count = window.document.undo_stack.count()
    for way, last in ((Qt.Key.Key_Down, "-2"), (Qt.Key.Key_Up, "1"), (Qt.Key.Key_Down, "-2")):
        for _ in range(5):
            press(window, way)
        assert QApplication.focusWidget().text() == last
        assert f"dim={last}," in line_of(window, "s")
    assert window.document.undo_stack.count() == count + 1
    key(window, Qt.Key.Key_Escape)
    window.document.undo_stack.undo()
    assert "dim=1," in line_of(window, "s")


def test_steps_in_another_field_are_a_step_of_their_own(window, opened):
    opened("v")
    count = window.document.undo_stack.count()
    press(window, Qt.Key.Key_Down)
    press(window, TAB)
    press(window, Qt.Key.Key_Down)  # past -1, which is dim2 as well
    assert line_of(window, "v") == "v = torch.diagonal(m, offset=-1, dim1=-2, dim2=1)"
    assert window.document.undo_stack.count() == count + 2


def test_a_dimension_that_may_be_none_is_emptied_and_what_then_fails_is_said_at_once(window, opened):
    popover = opened("s")
    press(window, Qt.Key.Key_Delete)
    said = next(label for label in popover.findChildren(FieldMessage) if label.isVisible())
    assert said.text().startswith("sum() received an invalid combination")
    assert line_of(window, "s") == "s = torch.sum(m, dim=1, keepdim=True)"
    QTest.keyClicks(QApplication.focusWidget(), "0")
    assert not said.text()
    press(window, Qt.Key.Key_Escape)
    window.document.select([window.document.program.named("q").statement])
    settle(window)
    key(window.canvas, Qt.Key.Key_E)
    press(window, Qt.Key.Key_Delete)
    press(window, Qt.Key.Key_Return)
    assert line_of(window, "q") == "q = torch.sum(m)"
