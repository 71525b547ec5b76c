"""Editors open beside their card: neither it nor what reads it is hidden, however small the canvas is."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from support.desk import calm, settle
from support.desk import key as press_key

from chalkgrad_app.canvas.popover import Popover
from chalkgrad_app.editors.value_window import ValueWindow

E, V, ESC = Qt.Key.Key_E, Qt.Key.Key_V, Qt.Key.Key_Escape

LESSON = """import torch

x = torch.tensor([1.0])
w = torch.tensor([1.0], requires_grad=True)
m = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
a = x + w
b = w + 1
y = a * b
z = m.sum(dim=0)
"""


@pytest.fixture
def lesson(window, open_text, still):
    """The main window with two leaves that are read, a matrix and its sum."""
    window.resize(1400, 900)
    open_text(LESSON)
    calm(window)
    window.canvas.fit_all()
    calm(window)
    return window


def opened(window, name, key, kind):
    """What a key opens for the card of a name: its rectangle on the screen."""
    canvas = window.canvas
    at = canvas.node_rect(name)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(at.left() + 8, at.top() + 8))
    settle(window)  # what can be done with it follows
    press_key(window, key)
    settle(window)
    found = window.findChild(kind)
    assert found.isVisible()
    return QRect(found.mapToGlobal(QPoint(0, 0)), found.size())


def card(window, name):
    """Where a card is on the screen, as far as it is in view."""
    rect = window.canvas.node_rect(name).intersected(window.canvas.rect())
    assert not rect.isEmpty()
    return QRect(window.canvas.mapToGlobal(rect.topLeft()), rect.size())


CASES = [("x", E, Popover), ("w", E, Popover), ("z", E, Popover), ("x", V, ValueWindow), ("m", V, ValueWindow)]
READERS = {"x": "a", "w": "ab", "m": "z", "z": ""}


@pytest.mark.parametrize(("name", "key", "kind"), CASES)
def test_what_opens_hides_neither_its_card_nor_what_reads_it(lesson, name, key, kind):
    over = opened(lesson, name, key, kind)
    for seen in (name, *READERS[name]):
        assert not over.intersects(card(lesson, seen)), seen
    assert QRect(lesson.mapToGlobal(QPoint(0, 0)), lesson.size()).contains(over)


@pytest.mark.parametrize(("name", "key", "kind"), CASES)
def test_where_the_canvas_is_too_small_it_opens_over_the_panels(lesson, name, key, kind):
    lesson.presenting.set_text_size(200)
    lesson.resize(1280, 800)
    settle(lesson)
    lesson.canvas.fit_all()
    calm(lesson)
    over = opened(lesson, name, key, kind)
    assert over.height() > lesson.canvas.height() / 2  # there is no room for it beside the cards
    for seen in (name, *READERS[name]):
        assert not over.intersects(card(lesson, seen)), seen


def test_the_popover_follows_its_card_and_stays_in_the_window(lesson):
    before, place = opened(lesson, "x", E, Popover), card(lesson, "x")
    popover, canvas = lesson.findChild(Popover), lesson.canvas
    canvas.pan_by(0, -30)
    settle(lesson)
    moved = card(lesson, "x").topLeft() - place.topLeft()
    assert moved.y() == -30
    now = QRect(popover.mapToGlobal(QPoint(0, 0)), popover.size())
    assert now.topLeft() - before.topLeft() in (moved, QPoint(0, 0))
    assert lesson.rect().contains(popover.geometry())
    assert not now.intersects(card(lesson, "x"))


def test_the_window_with_numbers_is_as_large_as_they_are(lesson):
    one = opened(lesson, "x", V, ValueWindow).size()
    QTest.keyClick(lesson.findChild(ValueWindow).grid, ESC)
    more = opened(lesson, "m", V, ValueWindow).size()
    window = lesson.findChild(ValueWindow)
    assert one.height() <= more.height() < 220
    assert one.width() < more.width() < 600
    assert not window.grid.horizontalScrollBar().isVisible()
    assert not window.grid.verticalScrollBar().isVisible()


def test_it_grows_with_rows_that_come_and_with_what_is_said(lesson):
    opened(lesson, "m", V, ValueWindow)
    window = lesson.findChild(ValueWindow)
    before = window.height()
    for _ in range(3):
        window.grid.insert_row()
    settle(lesson)
    assert window.height() > before
    assert not window.grid.verticalScrollBar().isVisible()
    shown = window.grid.viewport().height()
    window.shape.setFocus()
    window.shape.selectAll()
    QTest.keyClicks(window.shape, "none")
    QTest.keyClick(window.shape, Qt.Key.Key_Return)
    settle(lesson)
    assert window.message.isVisible()
    assert window.grid.viewport().height() == shown
