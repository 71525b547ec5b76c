"""What the tests of the panels do with mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
PLAIN = Qt.KeyboardModifier.NoModifier


def child(panel, name, kind=QWidget):
    """The widget of that name that is on the page now."""
    found = [widget for widget in panel.findChildren(kind, name) if widget.isVisibleTo(panel)]
    assert found, f"there is no {name} in {panel.objectName()}"
    return found[0]


def click(widget, at=None, keys=PLAIN):
    QTest.mouseClick(widget, LEFT, keys, at if at is not None else widget.rect().center())
    settle()


def press(widget, key, keys=PLAIN):
    QTest.keyClick(widget, key, keys)
    settle()


def type_over(field, text, end=Qt.Key.Key_Return):
    """Put other text into a field, as a person does, and press Enter."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)
    if end is not None:
        QTest.keyClick(field, end)
    settle()


def settle():
    for _ in range(3):
        QCoreApplication.processEvents()


def lines(document):
    """The program as it is shown, line by line."""
    from chalkgrad.source import emit

    return [emit.line(document.program, id_) for id_ in document.program.order if not document.program.is_inline(id_)]


def tensor(document, name):
    ref = document.program.named(name)
    return document.state.tensor(ref.statement, ref.output)


def id_of(document, name):
    return document.program.named(name).statement


def clipboard():
    return QApplication.clipboard().text()


def middle(view, row):
    """The middle of a row of a list, right of its gutter."""
    rect = view.visualRect(view.model().index(row, 0))
    return QPoint(rect.left() + min(rect.width() - 4, 200), rect.center().y())


def fact(panel, name):
    """What the inspector says of one fact."""
    return child(panel, f"inspector.{name}").text()
