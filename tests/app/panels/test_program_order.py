"""The order of the lines, changed in the program panel: by dragging, by keys, into a block."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from support.panels import LEFT, PLAIN, id_of, lines, middle, press, settle

from chalkgrad_app.panels.program import ProgramPanel


@pytest.fixture
def panel(document, show):
    return show(ProgramPanel(document), 700, 320)


def rows(panel):
    return panel.text().split("\n")


def click_row(panel, row, keys=PLAIN):
    QTest.mouseClick(panel.list.viewport(), LEFT, keys, middle(panel.list, row))
    settle()


def drop_data(panel, data, at):
    """Drag something over the list and let it go, with the events that Qt's own drag sends; True when it was taken."""
    view, move = panel.list.viewport(), Qt.DropAction.MoveAction
    QApplication.sendEvent(view, QDragEnterEvent(at, move, data, LEFT, PLAIN))
    QApplication.sendEvent(view, QDragMoveEvent(at, move, data, LEFT, PLAIN))
    event = QDropEvent(QPointF(at), move, data, LEFT, PLAIN)
    event.ignore()
    QApplication.sendEvent(view, event)
    settle()
    return event.isAccepted()


def drop_lines(panel, ids, row):
    """Drag lines to before a row."""
    data = panel.list.rows.mimeData([panel.list.rows.index(panel.list.rows.row_of(id_)) for id_ in ids])
    count = panel.list.rows.rowCount()
    rect = panel.list.visualRect(panel.list.rows.index(min(row, count - 1)))
    assert drop_data(panel, data, QPoint(60, rect.bottom() - 1 if row >= count else rect.top() + 1))


def test_a_line_dragged_before_one_it_needs_is_refused_with_the_reason(document, panel):
    told = []
    document.told.connect(told.append)
    before = lines(document)
    drop_lines(panel, [id_of(document, "y")], 2)
    assert lines(document) == before
    assert told == ["A line can't stand before one that it needs."]


def test_the_reason_is_told_in_the_language_of_the_window(document, panel, chinese):
    told = []
    document.told.connect(told.append)
    drop_lines(panel, [id_of(document, "y")], 2)
    assert told == ["一行不能排在它所依赖的行之前。"]


def test_lines_can_be_dragged_to_another_place(document, panel):
    drop_lines(panel, [id_of(document, "b")], 2)
    assert [line[0] for line in lines(document)] == ["w", "x", "b", "a", "y"]
    drop_lines(panel, [id_of(document, "x")], 0)
    assert [line[0] for line in lines(document)] == ["x", "w", "b", "a", "y"]
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert [line[0] for line in lines(document)] == ["w", "x", "a", "b", "y"]


def test_alt_and_the_arrows_move_the_selected_lines(document, panel):
    document.select([id_of(document, "b")])
    panel.catch_up()
    press(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    panel.catch_up()
    assert [line[0] for line in lines(document)] == ["w", "x", "b", "a", "y"]
    press(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    panel.catch_up()
    assert [line[0] for line in lines(document)] == ["w", "x", "a", "b", "y"]
    assert document.undo_stack.count() == 2
    press(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)  # y needs b
    assert [line[0] for line in lines(document)] == ["w", "x", "a", "b", "y"]


def test_a_line_takes_what_is_written_inside_it_along(from_text, show):
    document = from_text(
        "w = torch.tensor([1.], requires_grad=True)\nx = torch.tensor([2.])\n"
        "a = torch.add(w.detach(), 1)\nb = torch.add(w, 1)\n"
    )
    panel = show(ProgramPanel(document), 700, 320)
    assert len(document.program) == 5
    drop_lines(panel, [id_of(document, "a")], 4)
    assert rows(panel)[2:] == ["b = torch.add(w, 1)", "a = torch.add(w.detach(), 1)"]
    click_row(panel, 3)
    press(panel.list, Qt.Key.Key_Delete)
    assert len(document.program) == 3


def test_something_foreign_is_not_taken(document, panel):
    other = ProgramPanel(document)
    other.catch_up()
    text = QMimeData()
    text.setText("y = 1")
    for data in (text, other.list.rows.mimeData([other.list.rows.index(4)])):
        assert not drop_data(panel, data, QPoint(60, 10))
    other.deleteLater()
    assert [line[0] for line in lines(document)] == ["w", "x", "a", "b", "y"]


def test_lines_dropped_before_one_that_is_just_gone_go_before_the_next(document, panel):
    row, b = panel.list.rows.row_of(id_of(document, "a")), id_of(document, "b")
    document.delete([id_of(document, "a")])
    drop_lines(panel, [b], row)  # the list has not followed yet
    assert [statement.name for statement in document.program] == ["w", "x", "b", "y"]
