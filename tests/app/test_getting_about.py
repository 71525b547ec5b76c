"""Getting about in the window: the zoom that can be typed, F6 from part to part, and Tab through all of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from support.desk import CTRL, SHIFT, key, settle
from support.sheets import course_sheet

Key = Qt.Key


@pytest.fixture
def course(window):
    window.document.begin(course_sheet())
    settle(window)
    window.canvas.setFocus()
    return window


def type_zoom(window, text: str) -> None:
    field = window.bars.zoom.lineEdit()
    field.setFocus()
    field.selectAll()
    if text.isascii():
        QTest.keyClicks(field, text)
    else:
        field.setText(text)
    QTest.keyClick(field, Key.Key_Return)
    window.canvas.glide.finish()
    settle()


@pytest.mark.parametrize(
    ("typed", "percent"), [("87", 87), ("87 %", 87), ("87%", 87), ("８７％", 87), ("33.3", 33.3), ("100000", 800)]
)
def test_a_zoom_can_be_typed(course, typed, percent):
    type_zoom(course, typed)
    assert course.canvas.zoom_percent == pytest.approx(percent)
    assert course.bars.zoom.currentText() == f"{round(percent)}%"
    assert course.focusWidget() is course.canvas


@pytest.mark.parametrize("typed", ["", "nonsense", "-5", "0", "nan", "inf"])
def test_what_is_no_zoom_changes_nothing(course, typed):
    before = course.canvas.zoom_percent
    type_zoom(course, typed)
    assert course.canvas.zoom_percent == before
    assert course.bars.zoom.currentText() == f"{round(before)}%"


def test_fit_can_be_typed_in_both_languages(course):
    canvas = course.canvas
    for language, word in (("en", "fit"), ("zh_CN", "适合")):
        course.presenting.set_language(language)
        canvas.set_zoom_percent(400)
        canvas.pan_by(5000, 0)
        type_zoom(course, word)
        assert canvas.rect().contains(canvas.node_rect("w"))
        assert canvas.rect().contains(canvas.node_rect("y"))
    course.presenting.set_language("en")


def part_of(window, widget: QWidget | None) -> str:
    if widget is window.canvas:
        return "canvas"
    return next((name for name, dock in window.docks.by_name.items() if dock.isAncestorOf(widget)), "elsewhere")


def test_f6_goes_round_the_parts_of_the_window(course):
    seen = [part_of(course, course.focusWidget())]
    for _ in range(12):
        key(course, Key.Key_F6)
        seen.append(part_of(course, course.focusWidget()))
        if seen[-1] == "canvas":
            break
    assert seen[0] == seen[-1] == "canvas"
    assert {"palette", "inspector", "autograd", "program", "output"} <= set(seen)
    back = ["canvas"]
    for _ in seen[1:]:
        key(course, Key.Key_F6, SHIFT)
        back.append(part_of(course, course.focusWidget()))
    assert back == seen[::-1]


def test_a_part_has_the_focus_where_it_had_it_last(course):
    field = course.docks.autograd.findChild(QWidget, "autograd.gradient")
    field.setFocus()
    course.canvas.setFocus()
    for _ in range(12):
        key(course, Key.Key_F6)
        if part_of(course, course.focusWidget()) == "autograd":
            break
    assert course.focusWidget() is field


def test_tab_reaches_every_panel_and_never_a_widget_that_is_not_seen(course):
    start = course.docks.palette.findChild(QWidget, "palette.search")
    start.setFocus()
    parts, seen, unnamed = set(), [], set()
    for _ in range(400):
        QTest.keyClick(course.focusWidget(), Key.Key_Tab)
        widget = course.focusWidget()
        assert widget.isVisible(), widget
        if not (widget.accessibleName() or getattr(widget, "text", str)()):
            unnamed.add(widget.objectName() or repr(widget))
        parts.add(part_of(course, widget))
        seen.append(widget)
        if widget is start:
            break
    assert seen[-1] is start
    assert not unnamed
    assert {"palette", "canvas", "inspector", "autograd", "program"} <= parts


def test_ctrl_0_and_f_and_home_glide(course):
    canvas = course.canvas
    canvas.set_zoom_percent(33)
    key(course, Key.Key_0, CTRL)
    assert canvas.glide.is_active
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(100)
    course.document.select([1])
    key(course, Key.Key_F)
    canvas.glide.finish()
    assert (canvas.node_rect("w").center() - canvas.rect().center()).manhattanLength() < 4
    key(course, Key.Key_0)
    canvas.glide.finish()
    assert canvas.rect().contains(canvas.node_rect("y"))
