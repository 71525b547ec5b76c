"""The first two minutes of README.md, done as they are told there."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from support.desk import calm, key, press, settle, type_into
from support.panels import CTRL, id_of, lines, tensor

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def steps():
    """What is told, step by step."""
    section = README.partition("## The first two minutes")[2].partition("!" + "[")[0]
    return re.findall(r"^\d+\. (.*)$", section, flags=re.MULTILINE)


def code_of(step):
    return re.findall(r"`([^`]+)`", step)


def click_card(window, name):
    calm(window)
    corner = window.canvas.node_rect(name).topLeft()
    QTest.mouseClick(window.canvas, LEFT, PLAIN, corner + QPoint(12, 8))
    settle(window)
    assert window.document.selection == {id_of(window.document, name)}


def test_the_first_two_minutes(window):
    type_it, select, backward, again, line, drawings = steps()
    document, docks = window.document, window.docks

    typed = code_of(type_it)[0]
    type_into(window.area.start.field, typed)
    key(window, Qt.Key.Key_Return)
    settle(window)
    assert set(document.state.names) >= {"x", "w", "a", "y"}

    name, letter, kept = code_of(select)
    click_card(window, "w")
    assert "tensor([1.], requires_grad=True)" in docks.inspector.text()
    click_card(window, name)
    key(window, getattr(Qt.Key, f"Key_{letter}"))
    settle(window)
    assert lines(document)[-1] == kept

    root, call = code_of(backward)
    for _ in range(2):  # undo takes it back
        click_card(window, root)
        button = docks.autograd.backward
        assert button.text() == call
        before = lines(document)
        press(window, button.objectName())
        settle(window)
        assert lines(document) == [*before, call]
        assert tensor(document, name).grad is not None
        if _ == 0:
            key(window, Qt.Key.Key_Z, CTRL)
            settle(window)
            assert lines(document) == before

    assert "second time" in again
    press(window, "autograd.backward")
    settle(window)
    assert lines(document)[-2:] == [call, call]
    (problem,) = document.state.problems
    assert "Trying to backward through the graph a second time" in docks.problems.text()
    assert problem.plain is not None

    assert "line number" in line
    rows = docks.program.list
    first = rows.visualRect(rows.model().index(0, 0))
    QTest.mouseClick(rows.viewport(), LEFT, PLAIN, QPoint(first.left() + 12, first.center().y()))
    settle(window)
    assert document.is_past
    assert document.cursor_line == document.program.order[0]

    digits = re.findall(r"Ctrl\+(\d)", drawings)
    shown = []
    for digit in digits:
        key(window, getattr(Qt.Key, f"Key_{digit}"), CTRL)
        calm(window)
        shown.append(document.board.drawing)
    assert shown == ["cards", "data", "autograd"]
