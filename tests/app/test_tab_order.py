"""Tab goes through all of the window as it stands on the screen, and what has the focus is seen to have it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenuBar, QTabBar, QToolButton, QWidget
from support.desk import settle

from chalkgrad_app.widgets.tab_focus import in_reading_order

Key = Qt.Key
MOST = 400
TOUCHING = 4
SEEN = 60


def press(code: Qt.Key) -> QWidget:
    focused = QApplication.focusWidget()
    shift = Qt.KeyboardModifier.ShiftModifier if code == Key.Key_Backtab else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(focused, code, shift)
    return QApplication.focusWidget()


def place(window, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def part_of(window, widget: QWidget) -> QWidget:
    """The dock, bar or middle of the window that something is in; of the menu bar its corner."""
    while widget.parentWidget() is not window and not isinstance(widget.parentWidget(), QMenuBar):
        widget = widget.parentWidget()
    return widget


def comes_after(first: QRect, then: QRect) -> bool:
    """True where who reads comes from one to the other: that stands below it, or right of it."""
    return then.top() > first.bottom() - TOUCHING or then.left() > first.right() - TOUCHING


def walked(window, code: Qt.Key) -> list[QWidget]:
    """Once round from the canvas, each stop as the focus comes to it; that on cards left out."""
    found: list[QWidget] = []
    for _ in range(MOST):
        before = QApplication.focusWidget()
        stop = press(code)
        if stop is before is window.canvas:
            continue
        assert stop is not None
        assert stop is not before
        assert stop.isVisible()
        assert stop.isEnabled()
        assert window.rect().contains(place(window, stop).center()), stop
        pair = (before, stop) if code == Key.Key_Tab else (stop, before)
        if part_of(window, before) is part_of(window, stop) and not pair[0].isAncestorOf(pair[1]):
            assert comes_after(place(window, pair[0]), place(window, pair[1])), pair
        if stop is window.canvas:
            return found
        found.append(stop)
    raise AssertionError("Tab never comes back")


def wide(window):
    window.resize(1900, 1000)


def low(window):
    window.resize(1100, 440)


def all_open(window):
    for name in window.docks.by_name:
        window.docks.show_panel(name)


def few(window):
    for name in ("palette", "output", "problems", "inspector", "tensors"):
        window.docks.by_name[name].hide()


def side_by_side(window):
    docks = window.docks.by_name
    window.splitDockWidget(docks["program"], docks["tensors"], Qt.Orientation.Horizontal)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["autograd"])
    window.tabifyDockWidget(docks["palette"], docks["inspector"])


def floating(window):
    window.docks.by_name["inspector"].setFloating(True)
    window.docks.by_name["program"].setFloating(True)
    window.activateWindow()


def as_opened(window):
    assert window.isVisible()


@pytest.mark.parametrize("arrange", [as_opened, wide, low, all_open, few, side_by_side, floating])
def test_tab_goes_through_the_window_row_by_row_and_column_by_column(course_shown, arrange):
    arrange(course_shown)
    settle(course_shown)
    course_shown.canvas.setFocus()
    settle()
    found = walked(course_shown, Key.Key_Tab)
    parts = list(dict.fromkeys(part_of(course_shown, stop) for stop in found))
    corner = next(part for part in parts if part.objectName() == "corner")
    starts = parts.index(corner)
    from_top = parts[starts:] + parts[:starts]
    for first, then in pairwise(from_top):
        assert comes_after(place(course_shown, first), place(course_shown, then)), (first, then)
    tabs = [bar for bar in course_shown.findChildren(QTabBar) if course_shown.rect().intersects(bar.geometry())]
    assert set(tabs) == {stop for stop in found if isinstance(stop, QTabBar)}
    course_shown.canvas.setFocus()
    course_shown.document.clear_selection()
    assert walked(course_shown, Key.Key_Backtab) == found[::-1]


def test_a_panel_that_floats_is_gone_round_by_itself(course_shown):
    dock = course_shown.docks.by_name["autograd"]
    dock.setFloating(True)
    settle()
    dock.activateWindow()
    start = course_shown.docks.autograd.root
    start.setFocus()
    settle()
    found = [start]
    while (stop := press(Key.Key_Tab)) is not start:
        assert dock.isAncestorOf(stop)
        found.append(stop)
    names = [stop.objectName() for stop in found]
    assert names.index("autograd.inputs") == names.index("autograd.gradient") + 1
    assert "autograd.zeroGradZeros" in names


def test_all_buttons_of_the_toolbar_that_are_not_disabled_are_reached_and_pressed(course_shown):
    bars = course_shown.bars
    course_shown.document.select([1])
    QTest.keyClick(course_shown.canvas, Key.Key_Delete)
    settle(course_shown)
    undo = bars.toolbar.widgetForAction(course_shown.actions_by_id["undo"])
    buttons = {button for button in bars.toolbar.findChildren(QToolButton) if button.isVisible() and button.isEnabled()}
    reached = [stop for stop in walked(course_shown, Key.Key_Tab) if bars.toolbar.isAncestorOf(stop)]
    assert {bars.zoom, undo, bars.backward} <= set(reached)
    assert buttons <= set(reached)
    count = len(course_shown.document.program.order)
    course_shown.bars.lecture.setFocus()
    assert press(Key.Key_Tab) is undo
    QTest.keyClick(undo, Key.Key_Space)
    settle(course_shown)
    assert len(course_shown.document.program.order) > count
    assert not undo.isEnabled()
    redo = bars.toolbar.widgetForAction(course_shown.actions_by_id["redo"])
    assert QApplication.focusWidget() is redo  # the next one, not the first of all


def test_who_comes_back_to_the_canvas_goes_through_its_cards_anew(course_shown):
    canvas, ring = course_shown.canvas, course_shown.findChild(QWidget, "focusRing")
    order = course_shown.document.program.order
    walked(course_shown, Key.Key_Tab)  # round to the canvas again
    assert ring.isVisible()
    press(Key.Key_Tab)
    assert canvas.keyboard.card == order[0]
    assert not ring.isVisible()  # the card has one
    canvas.keyboard.focus(order[-1])
    beyond = press(Key.Key_Tab)
    assert beyond is not canvas
    assert press(Key.Key_Backtab) is canvas
    assert ring.isVisible()
    press(Key.Key_Backtab)
    assert canvas.keyboard.card == order[-1]
    press(Key.Key_Tab)
    press(Key.Key_Backtab)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert not ring.isVisible()


@pytest.mark.parametrize("name", ["light", "contrast"])
@pytest.mark.usefixtures("looks")
def test_what_tab_comes_to_is_seen_to_have_the_focus(course_shown, name):
    course_shown.presenting.set_theme(name)
    settle(course_shown)
    window, unseen = course_shown, []
    stops = walked(window, Key.Key_Tab)
    stop = press(Key.Key_Tab)
    while stop is window.canvas:  # from card to card
        stop = press(Key.Key_Tab)
    for _ in stops:
        shown = window.grab(place(window, stop)).toImage()
        then = press(Key.Key_Tab)
        plain = window.grab(place(window, stop)).toImage()
        spots = ((x, y) for y in range(plain.height()) for x in range(plain.width()))
        if sum(_differs(plain.pixelColor(*at), shown.pixelColor(*at)) for at in spots) < SEEN:
            unseen.append(stop)
        stop = then
    assert stop is window.canvas
    assert not unseen


def _differs(one, other) -> bool:
    return max(abs(one.red() - other.red()), abs(one.green() - other.green()), abs(one.blue() - other.blue())) > SEEN


@pytest.mark.parametrize(
    ("rects", "order"),
    [
        ([(0, 30, 10, 10), (20, 0, 10, 10), (0, 0, 10, 10)], [2, 1, 0]),  # rows
        ([(20, 0, 10, 40), (0, 20, 10, 15), (0, 0, 10, 15)], [2, 1, 0]),  # a column beside a high one
        ([(0, 0, 30, 26), (40, 2, 30, 22), (0, 24, 30, 26), (40, 26, 30, 22)], [0, 1, 2, 3]),  # rows that touch
        ([(0, 50, 80, 10), (50, 0, 30, 40), (0, 0, 40, 18), (0, 22, 40, 18)], [2, 3, 1, 0]),  # columns, then a row
        ([], []),
    ],
)
def test_reading_order(rects, order):
    assert in_reading_order([QRect(*rect) for rect in rects]) == order
