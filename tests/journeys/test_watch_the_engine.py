"""A backward is watched as it happens: by keys alone, and by dragging along the line under the program."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from support.desk import LEFT, PLAIN, SHIFT, choose, settle

from chalkgrad.session.events import EventKind

TWICE = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
y = a * b
y.backward()
y.backward()
"""
ALT = Qt.KeyboardModifier.AltModifier


def press(window, key, keys=PLAIN):
    QTest.keyClick(window.canvas, key, keys)
    settle(window)


def kind_here(document):
    return document.session.trace.events[document.cursor - 1].kind


def grad_of_w(document):
    ref = document.program.named("w")
    grad = document.state.tensor(ref.statement, ref.output).grad
    return None if grad is None else grad.short


def test_by_keyboard_alone(window, open_text):
    document = open_text(TWICE)
    program = window.docks.program
    press(window, Qt.Key.Key_F8, SHIFT)
    assert kind_here(document) is EventKind.FAILED
    assert window.document.state.problems
    press(window, Qt.Key.Key_F7, SHIFT)
    assert kind_here(document) is EventKind.ACCUMULATED
    assert grad_of_w(document) == "[5.]"
    assert "w.grad = [5.], the first" in program.text()
    press(window, Qt.Key.Key_Left, ALT)
    press(window, Qt.Key.Key_Left, ALT)
    assert grad_of_w(document) is None
    press(window, Qt.Key.Key_F9, SHIFT)
    assert kind_here(document) is EventKind.FREED
    press(window, Qt.Key.Key_F5)
    assert program.playing.is_playing
    press(window, Qt.Key.Key_F5)
    assert not program.playing.is_playing
    press(window, Qt.Key.Key_PageDown)
    assert program.where.text() == "line 6 of 7"
    press(window, Qt.Key.Key_End)
    assert not document.is_past
    assert not document.is_modified


def test_by_mouse(window, open_text):
    document = open_text(TWICE)
    scrubber = window.docks.program.time.scrubber
    line = document.program.order[5]
    inside = document.session.trace.events_of(line)

    def place(position):
        return QPoint(round(scrubber.x_of(position)), scrubber.height() // 2)

    QTest.mousePress(scrubber, LEFT, PLAIN, place(2))
    for position in (inside.start + 2, inside.stop - 1, inside.start + 4):
        QTest.mouseMove(scrubber, place(position))
        settle(window)
        assert abs(document.cursor - position) <= 1
        assert document.cursor_line == line
    QTest.mouseRelease(scrubber, LEFT, PLAIN, place(inside.start + 4))
    assert window.area.band.isVisible()
    choose(window, "steps", "moments", "nextAccumulation")
    assert grad_of_w(document) == "[5.]"
    choose(window, "steps", "backToNow")
    assert not document.is_past
