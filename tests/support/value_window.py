"""The window with a tensor's numbers, as hands at a canvas open it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from support.hands import process

from chalkgrad.program import building, edits
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad_app.editors.value_window import ValueWindow

ENTER, TAB, ESC, V = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_V


def leaf(hands, value, *options):
    """A leaf ``m`` with these numbers and its sum ``s``."""
    document = hands.document
    made = Statement(0, Kind.LEAF, "tensor", ("m",), (value,), options)
    id_ = document.build(lambda sheet, at: building.append(sheet, made, at), "m")[0]
    total = Statement(0, Kind.OP, "sum", ("s",), (Ref(id_),), (), "method")
    other = document.build(lambda sheet, at: building.append(sheet, total, at), "s")[0]
    document.do(edits.place(document.board, {id_: (0.0, 0.0), other: (300.0, 0.0)}), "place")
    document.finish()
    document.undo_stack.clear()
    hands.canvas.ensure_visible([id_])
    process()
    return id_


def open_window(hands, name="m", key=ENTER):
    """The window that a key opens for the tensor of a name."""
    hands.canvas.setFocus()
    hands.document.select([hands.id(name)])
    QTest.keyClick(hands.canvas, key)
    process()
    window = hands.canvas.window().findChild(ValueWindow)
    assert window.isVisible()
    return window


def cell(window):
    """The field in the cell that is edited, or None."""
    found = [field for field in window.grid.findChildren(QLineEdit, "valueEditor.cell") if field.isVisible()]
    return found[-1] if found else None


def value(hands, name="m"):
    """The numbers that a tensor has now."""
    return hands.document.state.tensor(hands.id(name)).value.tolist()
