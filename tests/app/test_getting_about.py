"""Getting about in the window: the zoom that can be typed, F6 from part to part, and Tab through all of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from support.desk import CTRL, PLAIN, SHIFT, key, settle

from chalkgrad_app.widgets.later import Later

Key = Qt.Key


def all_in_view(canvas) -> bool:
    return all(canvas.rect().contains(canvas.view_rect_of(id_)) for id_ in canvas.picture.ids)


def test_what_was_fitted_stays_so_in_a_smaller_window_until_the_view_is_moved(course_shown):
    canvas = course_shown.canvas
    canvas.setFocus()
    key(course_shown, Key.Key_Home)
    canvas.glide.finish()
    course_shown.resize(1000, 700)
    settle()
    assert all_in_view(canvas)
    QTest.keyClick(canvas, Key.Key_1)
    canvas.glide.finish()
    corner = canvas.to_scene(QPointF(0, 0))
    course_shown.resize(900, 640)
    settle()
    assert canvas.zoom_percent == 100
    assert canvas.to_scene(QPointF(0, 0)) == corner


def test_escape_ends_a_search_of_operators_and_then_goes_back_to_the_canvas(course_shown):
    key(course_shown, Key.Key_Slash)
    search = course_shown.docks.palette.search
    assert search.hasFocus()
    QTest.keyClicks(search, "exp")
    key(course_shown, Key.Key_Escape)
    assert (search.text(), search.hasFocus()) == ("", True)
    key(course_shown, Key.Key_Escape)
    assert course_shown.canvas.hasFocus()


def test_what_was_fitted_stays_so_with_larger_and_smaller_text(course_shown):
    canvas = course_shown.canvas
    canvas.setFocus()
    key(course_shown, Key.Key_Home)
    canvas.glide.finish()
    settle(course_shown)
    zoom = canvas.zoom_percent
    for percent in (200, 100):
        course_shown.presenting.set_text_size(percent)
        settle(course_shown)
        assert all_in_view(canvas)
    assert canvas.zoom_percent == pytest.approx(zoom)
    canvas.pan_by(-30, 0)
    course_shown.presenting.set_text_size(150)
    settle(course_shown)
    assert canvas.zoom_percent == pytest.approx(zoom)
    course_shown.presenting.set_text_size(100)


def test_code_that_could_not_be_read_takes_no_room_where_all_is_fitted(course_shown):
    key(course_shown, Key.Key_3, CTRL)
    settle(course_shown)
    picture, canvas = course_shown.canvas.picture, course_shown.canvas
    seen, lines = {}, {}
    for percent in (100, 200):
        course_shown.presenting.set_text_size(percent)
        settle(course_shown)
        canvas.setFocus()
        key(course_shown, Key.Key_Home)
        canvas.glide.finish()
        settle(course_shown)
        seen[percent], lines[percent] = canvas.scene_rect(), picture.lines.bounds()
    pixel = seen[200].width() / canvas.width()
    cards = picture.bounds(lines=False)
    shown = cards.united(canvas.far_names.extent(picture, 1 / pixel))
    course_shown.presenting.set_text_size(100)
    assert lines[100].left() < cards.left()
    assert seen[100].contains(lines[100])
    assert seen[200].contains(shown)
    margins = shown.left() - seen[200].left(), seen[200].right() - shown.right()
    assert margins[0] == pytest.approx(margins[1], abs=pixel)


def test_the_menus_outlive_a_walk_through_the_parts(course_shown):
    for id_ in course_shown.document.program.order:
        for _ in range(8):
            key(course_shown, Key.Key_F6, SHIFT)
        course_shown.document.select({id_})  # the inspector throws the page before away
        settle()
    for name in ("recent", "theme", "panels"):
        menu = course_shown.findChild(QMenu, f"menu.{name}")
        menu.aboutToShow.emit()
        assert menu.actions()


def test_who_has_lost_the_graph_is_led_back(course_shown):
    canvas, back = course_shown.canvas, course_shown.area.astray
    settle()
    assert not back.isVisible()
    canvas.pan_by(-5000, 300)
    settle()
    assert back.isVisible()
    assert canvas.rect().contains(back.geometry())
    QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    canvas.glide.finish()
    settle()
    assert all_in_view(canvas)
    assert not back.isVisible()
    assert course_shown.focusWidget() is canvas
    canvas.pan_by(0, 5000)
    settle()
    course_shown.document.delete([*course_shown.document.program.order, *course_shown.document.board.notes])
    settle(course_shown)
    assert not back.isVisible()  # an empty canvas has nothing to go back to


def test_what_f6_reaches_is_seen_to_have_the_focus_until_the_mouse_is_used(course_shown):
    ring = course_shown.findChild(QWidget, "focusRing")
    rings = {}
    for _ in range(8):
        key(course_shown, Key.Key_F6)
        rings[course_shown.focusWidget()] = ring.isVisible()
        if ring.isVisible():
            focused = course_shown.focusWidget()
            assert ring.geometry().topLeft() == focused.mapTo(course_shown, focused.rect().topLeft())
            assert ring.size() == focused.size()
    assert rings[course_shown.canvas]
    assert not rings[course_shown.docks.palette.search]  # a field shows by its own edge that it has the focus
    course_shown.canvas.setFocus()
    key(course_shown, Key.Key_F6)
    key(course_shown, Key.Key_F6, SHIFT)
    assert ring.isVisible()
    QTest.mouseClick(course_shown.docks.palette.search, Qt.MouseButton.LeftButton)
    assert not ring.isVisible()


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
    ("typed", "percent"), [("87", 87), ("87 %", 87), ("87%", 87), ("８７％", 87), ("33.3", 33.3), ("50,5", 50.5)]
)
def test_a_zoom_can_be_typed(course_shown, typed, percent):
    type_zoom(course_shown, typed)
    assert course_shown.canvas.zoom_percent == pytest.approx(percent)
    assert course_shown.bars.zoom.currentText() == f"{round(percent)}%"
    assert course_shown.focusWidget() is course_shown.canvas


ALLOWED = "2% to 800%, or fit"


@pytest.mark.parametrize("typed", ["nonsense", "-5", "0", "nan", "inf", "1,5", "1", "100000", "1.000,5"])
def test_what_is_no_zoom_changes_nothing_and_says_what_is(course_shown, typed):
    zoom, before = course_shown.bars.zoom, course_shown.canvas.zoom_percent
    type_zoom(course_shown, typed)
    assert course_shown.canvas.zoom_percent == before
    assert (zoom.currentText(), zoom.message.text()) == (typed, ALLOWED)
    assert zoom.message.isVisible()
    top = zoom.message.mapTo(course_shown, QPoint(0, 0))
    assert course_shown.rect().contains(QRect(top, zoom.message.size()))
    assert top.y() >= zoom.mapTo(course_shown, QPoint(0, zoom.height())).y()
    QTest.keyClick(zoom.lineEdit(), Key.Key_Escape)
    assert zoom.currentText() == f"{round(before)}%"
    assert not zoom.message.isVisible()


def test_a_number_that_no_zoom_is_says_so_as_it_is_typed(course_shown):
    zoom = course_shown.bars.zoom
    QTest.mouseClick(zoom.lineEdit(), Qt.MouseButton.LeftButton)
    shown = []
    for letter in "5000":
        QTest.keyClicks(zoom.lineEdit(), letter)
        shown.append(zoom.message.isVisible())
    assert shown == [False, False, False, True]
    QTest.mouseClick(course_shown.canvas, Qt.MouseButton.LeftButton)
    assert not zoom.message.isVisible()
    assert zoom.currentText() == f"{round(course_shown.canvas.zoom_percent)}%"


def test_what_is_wrong_with_a_zoom_stays_while_the_view_changes_by_itself(course_shown):
    zoom, canvas = course_shown.bars.zoom, course_shown.canvas
    key(course_shown, Key.Key_Home)
    canvas.glide.finish()
    fitted = canvas.zoom_percent
    type_zoom(course_shown, "1,5")
    course_shown.resize(900, 560)  # what was fitted is fitted anew
    settle()
    assert canvas.zoom_percent != fitted
    assert (zoom.currentText(), zoom.message.text(), zoom.message.isVisible()) == ("1,5", ALLOWED, True)
    QTest.keyClick(zoom.lineEdit(), Key.Key_Escape)
    assert zoom.currentText() == f"{round(course_shown.canvas.zoom_percent)}%"


def test_an_empty_zoom_is_what_it_was(course_shown):
    before = course_shown.canvas.zoom_percent
    type_zoom(course_shown, "")
    assert course_shown.bars.zoom.currentText() == f"{round(before)}%"
    assert course_shown.canvas.zoom_percent == before


def test_arrows_in_the_zoom_field_step_from_what_the_zoom_is_and_stay_in_it(course_shown):
    canvas, zoom = course_shown.canvas, course_shown.bars.zoom
    canvas.set_zoom_percent(110)
    zoom.setFocus(Qt.FocusReason.TabFocusReason)
    seen = []
    for code in (Key.Key_Down, Key.Key_Down, Key.Key_Up, Key.Key_Up, Key.Key_Up):
        key(course_shown, code)
        canvas.glide.finish()
        assert course_shown.focusWidget() is zoom
        seen.append(zoom.currentText())
    assert seen == ["150%", "200%", "150%", "100%", "75%"]
    assert canvas.zoom_percent == pytest.approx(75)


def test_down_opens_the_menu_of_a_button_that_has_one(course_shown):
    button = course_shown.bars.backward
    button.setFocus(Qt.FocusReason.TabFocusReason)
    seen = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        seen.append(menu is button.menu())
        menu.close()

    later = Later(button, look, 50)
    later.schedule()
    QTest.keyClick(button, Key.Key_Down)
    assert seen == [True]
    assert course_shown.focusWidget() is button


def test_f10_opens_the_menus_for_the_arrow_keys_and_escape_goes_back(course_shown):
    key(course_shown, Key.Key_F10)
    assert QApplication.activePopupWidget().objectName() == "menu.file"
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Right)
    assert QApplication.activePopupWidget().objectName() == "menu.edit"
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Escape)
    key(course_shown, Key.Key_Escape)  # the first one closes the menu, the second one leaves the bar
    assert QApplication.activePopupWidget() is None
    assert course_shown.focusWidget() is course_shown.canvas
    key(course_shown, Key.Key_F10)
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Right)
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Right)
    zoom = course_shown.canvas.zoom_percent
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Return)
    course_shown.canvas.glide.finish()
    assert course_shown.canvas.zoom_percent > zoom
    assert course_shown.focusWidget() is course_shown.canvas
    key(course_shown, Key.Key_F11)
    key(course_shown, Key.Key_F10)
    assert QApplication.activePopupWidget() is None
    key(course_shown, Key.Key_F11)


def test_fit_can_be_typed_in_both_languages(course_shown):
    canvas = course_shown.canvas
    for language, word in (("en", "fit"), ("zh_CN", "适合")):
        course_shown.presenting.set_language(language)
        canvas.set_zoom_percent(400)
        canvas.pan_by(5000, 0)
        type_zoom(course_shown, word)
        assert canvas.rect().contains(canvas.node_rect("w"))
        assert canvas.rect().contains(canvas.node_rect("y"))
    course_shown.presenting.set_language("en")


def part_of(window, widget: QWidget | None) -> str:
    if widget is window.canvas:
        return "canvas"
    return next((name for name, dock in window.docks.by_name.items() if dock.isAncestorOf(widget)), "elsewhere")


def test_f6_goes_round_the_parts_of_the_window(course_shown):
    seen = [part_of(course_shown, course_shown.focusWidget())]
    for _ in range(12):
        key(course_shown, Key.Key_F6)
        seen.append(part_of(course_shown, course_shown.focusWidget()))
        if seen[-1] == "canvas":
            break
    assert seen[0] == seen[-1] == "canvas"
    assert {"palette", "inspector", "autograd", "program", "output"} <= set(seen)
    assert seen == ["canvas", "inspector", "autograd", "program", "output", "palette", "canvas"]
    back = ["canvas"]
    for _ in seen[1:]:
        key(course_shown, Key.Key_F6, SHIFT)
        back.append(part_of(course_shown, course_shown.focusWidget()))
    assert back == seen[::-1]


def test_in_a_wide_window_f6_comes_to_the_program_where_it_stands(course_shown):
    course_shown.resize(1900, 1000)
    settle(course_shown)
    course_shown.canvas.setFocus()
    seen = []
    for _ in range(6):
        key(course_shown, Key.Key_F6)
        seen.append(part_of(course_shown, course_shown.focusWidget()))
    assert seen == ["program", "output", "inspector", "autograd", "palette", "canvas"]


def test_a_part_has_the_focus_where_it_had_it_last(course_shown):
    field = course_shown.docks.autograd.findChild(QWidget, "autograd.gradient")
    field.setFocus()
    course_shown.canvas.setFocus()
    for _ in range(12):
        key(course_shown, Key.Key_F6)
        if part_of(course_shown, course_shown.focusWidget()) == "autograd":
            break
    assert course_shown.focusWidget() is field


def test_tab_reaches_every_panel_and_never_a_widget_that_is_not_seen(course_shown):
    start = course_shown.docks.palette.findChild(QWidget, "palette.search")
    start.setFocus()
    parts, seen, unnamed = set(), [], set()
    for _ in range(400):
        QTest.keyClick(course_shown.focusWidget(), Key.Key_Tab)
        widget = course_shown.focusWidget()
        assert widget.isVisible(), widget
        assert part_of(course_shown, widget) != "tensors", "it lies behind the inspector"
        if not (widget.accessibleName() or getattr(widget, "text", str)()):
            unnamed.add(widget.objectName() or repr(widget))
        parts.add(part_of(course_shown, widget))
        seen.append(widget)
        if widget is start:
            break
    assert seen[-1] is start
    assert not unnamed
    assert {"palette", "canvas", "inspector", "autograd", "program"} <= parts


def test_ctrl_0_and_f_and_home_glide(course_shown):
    canvas = course_shown.canvas
    canvas.set_zoom_percent(33)
    key(course_shown, Key.Key_0, CTRL)
    assert canvas.glide.is_active
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(100)
    course_shown.document.select([1])
    key(course_shown, Key.Key_F)
    canvas.glide.finish()
    assert (canvas.node_rect("w").center() - canvas.rect().center()).manhattanLength() < 4
    key(course_shown, Key.Key_0)
    canvas.glide.finish()
    assert canvas.rect().contains(canvas.node_rect("y"))


def test_keys_zoom_to_the_pointer_else_to_the_card_with_the_focus_else_to_the_middle(course_shown):
    canvas = course_shown.canvas
    canvas.setFocus()
    away, over = course_shown.mapToGlobal(QPoint(30, 30)), QPoint(210, 160)
    middle = canvas.rect().center()

    def stays(at: QPoint, code: Qt.Key, keys: Qt.KeyboardModifier = PLAIN) -> bool:
        before, zoom = canvas.to_scene(QPointF(at)), canvas.zoom_percent
        key(course_shown, code, keys)
        canvas.glide.finish()
        assert canvas.zoom_percent != zoom
        return (canvas.to_view(before) - QPointF(at)).manhattanLength() < 3

    QCursor.setPos(canvas.mapToGlobal(over))
    settle()
    assert stays(over, Key.Key_Plus)
    assert stays(over, Key.Key_Minus)
    assert stays(over, Key.Key_Equal, CTRL)
    QCursor.setPos(away)
    settle()
    assert stays(middle, Key.Key_Minus)
    key(course_shown, Key.Key_Tab)
    canvas.glide.finish()
    card = canvas.view_rect_of(canvas.keyboard.card).center()
    assert (card - middle).manhattanLength() > 50
    assert stays(card, Key.Key_Plus)
    canvas.pan_by(5000, 0)
    assert stays(middle, Key.Key_Minus)  # the card is out of view
