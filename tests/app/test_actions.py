"""The actions of the window: their table, the buttons that show their line, their keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from support.desk import CTRL, LEFT, PLAIN, SHIFT, answering, key, lines, press, press_tool, settle, tensor, type_into
from support.hands import Hands

from chalkgrad_app.actions import ACTIONS, BY_ID
from chalkgrad_app.canvas.gestures import menus as beside
from chalkgrad_app.main_window import MainWindow
from chalkgrad_app.menus import MENUS, SUBMENUS, TOOLBAR
from chalkgrad_app.widgets.code_font import code_font


class TestTables:
    def test_every_action_has_one_id_and_works(self, window):
        assert len(BY_ID) == len(ACTIONS)
        for action in ACTIONS:
            if action.target == "steps":
                from chalkgrad_app import steps

                assert callable(getattr(steps, action.method))
            else:
                assert callable(getattr(window._targets[action.target], action.method)), action.id

    def test_no_key_means_two_things(self):
        taken = {}
        for action in ACTIONS:
            for text in action.keys:
                sequence = QKeySequence(text).toString()
                assert sequence, (action.id, text)
                assert taken.setdefault(sequence, action.id) == action.id, text

    def test_menus_and_toolbar_name_what_there_is(self):
        cards = (*beside.CARD, *beside.CARD_WIRES, *beside.CARD_PLACE, *beside.CARD_END)
        others = (*beside.CANVAS, *beside.NODE, *beside.GRAPH, *beside.ALIGN)
        named = {id_ for _, _, ids in MENUS for id_ in ids} | {*TOOLBAR, *cards, *others}
        named |= {id_ for ids in SUBMENUS.values() for id_ in ids}
        assert {id_ for id_ in named if id_ != "-" and not id_.startswith("@")} <= set(BY_ID)

    def test_every_action_is_in_a_menu(self):
        in_menus = {id_ for ids in (*(ids for _, _, ids in MENUS), *SUBMENUS.values()) for id_ in ids}
        assert set(BY_ID) - in_menus - {"rename", "editValue", "textLarger", "textSmaller", "menus"} == set()


class TestButtons:
    def test_backward_shows_and_appends_its_line(self, course_window):
        assert course_window.bars.backward.line() == "y.backward()"
        press(course_window, "toolbar.backward")
        settle(course_window)
        assert lines(course_window)[-1] == "y.backward()"
        assert tensor(course_window, "w").grad.text == "tensor([5.])"
        assert tensor(course_window, "x").grad.text == "tensor([2.])"
        assert tensor(course_window, "a").grad is None

    def test_of_what_waits_for_a_port_it_says_what_to_do(self, window):
        hands = Hands(window.canvas)
        hands.drop("mul", QPoint(300, 200))
        settle(window)
        window.canvas.setFocus()
        key(window, Qt.Key.Key_B, CTRL)
        settle(window)
        assert "Line 1 is waiting" in window.status_words.text()

    def test_it_starts_from_the_selection(self, course_window):
        QTest.mouseClick(course_window.canvas, LEFT, PLAIN, course_window.canvas.node_rect("a").center())
        settle(course_window)
        assert course_window.bars.backward.line() == "a.backward()"

    def test_zero_grads_and_undo(self, course_window):
        press(course_window, "toolbar.backward")
        settle(course_window)
        press(course_window, "toolbar.zeroGrad")
        settle(course_window)
        assert lines(course_window)[-2:] == ["w.grad = None", "x.grad = None"]
        press_tool(course_window, "undo")
        settle(course_window)
        assert lines(course_window)[-1] == "y.backward()"
        press_tool(course_window, "redo")
        assert lines(course_window)[-1] == "x.grad = None"

    def test_cover_by_button_and_key(self, course_window):
        press_tool(course_window, "cover")
        assert course_window.document.is_covering
        assert course_window.actions_by_id["cover"].isChecked()
        course_window.canvas.setFocus()
        key(course_window, Qt.Key.Key_H)
        assert not course_window.document.is_covering
        assert not course_window.actions_by_id["cover"].isChecked()

    def test_zoom_typed(self, course_window):
        type_into(course_window.bars.zoom.lineEdit(), "150%")
        QTest.keyClick(course_window.bars.zoom, Qt.Key.Key_Return)
        course_window.canvas.glide.finish()
        assert round(course_window.canvas.zoom_percent) == 150
        assert course_window.bars.zoom.currentText() == "150%"

    def test_a_click_into_the_zoom_has_it_typed_over(self, course_window):
        field = course_window.bars.zoom.lineEdit()
        QTest.mouseClick(field, Qt.MouseButton.LeftButton)
        QTest.keyClicks(field, "75")
        QTest.keyClick(field, Qt.Key.Key_Return)
        course_window.canvas.glide.finish()
        assert round(course_window.canvas.zoom_percent) == 75
        assert course_window.canvas.hasFocus()


class TestCardMenu:
    def test_it_is_one_column_of_what_can_be_done_with_the_card(self, course_window):
        hands, seen = Hands(course_window.canvas), {}
        for name in ("w", "a"):
            menu, _ = hands.menu(hands.header(name))
            inner = [action.menu() for action in menu.actions() if action.menu()]
            settle(course_window)  # the actions follow the selection
            entries = [action for each in (menu, *inner) for action in each.actions() if not action.isSeparator()]
            assert [action.text() for action in entries if not action.isEnabled()] == []
            assert menu.sizeHint().height() < course_window.height()
            seen[name] = {action.objectName().removeprefix("action.") for action in entries}
        assert "toggleRequiresGrad" in seen["w"] - seen["a"]
        wanted = {"rename", "canvas.menu.backward", "changeOperator", "swapInputs", "pullOut", "frame", "delete"}
        assert wanted <= seen["a"]


class TestKeys:
    def test_page_keys_walk_the_lines_from_anywhere(self, course_window):
        for focus in (course_window.canvas, course_window.docks.palette, course_window.bars.zoom.lineEdit()):
            focus.setFocus()
            key(course_window, Qt.Key.Key_PageUp)
            assert course_window.document.is_past, focus
            assert course_window.area.band.isVisible()
            key(course_window, Qt.Key.Key_PageDown)
            assert not course_window.document.is_past, focus

    def test_letters_in_a_field_are_text(self, course_window):
        field = course_window.findChild(QLineEdit, "autograd.gradient")
        field.setFocus()
        QTest.keyClicks(field, "HLRAG1")
        settle(course_window)
        assert field.text() == "HLRAG1"
        assert not course_window.document.is_covering
        assert not course_window.document.is_modified

    def test_events_and_end(self, course_window):
        key(course_window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert course_window.document.is_past
        key(course_window, Qt.Key.Key_End)
        assert not course_window.document.is_past

    def test_what_an_undo_took_away_is_not_worked_on_by_the_next_key(self, course_window):
        press(course_window, "palette.tensor")
        key(course_window, Qt.Key.Key_Escape)
        course_window.canvas.setFocus()
        settle(course_window)
        document = course_window.document
        left, loop = lines(course_window)[:-1], course_window.actions_by_id["wrapLoop"]
        assert document.selected_statements
        assert loop.isEnabled()
        QTest.keyClick(course_window.canvas, Qt.Key.Key_Z, CTRL)
        assert loop.isEnabled()  # until this turn of the event loop is over
        QTest.keyClick(course_window.canvas, Qt.Key.Key_R, SHIFT)
        settle(course_window)
        assert lines(course_window) == left
        assert not document.program.blocks
        assert not loop.isEnabled()

    def test_back_to_now_in_the_band(self, course_window):
        key(course_window, Qt.Key.Key_PageUp)
        assert course_window.area.band.words.text() == "Looking at line 4 of 5. New lines go here."
        assert course_window.area.where.text() == "line 4 of 5"
        press(course_window, "pastBand.back")
        assert not course_window.document.is_past
        assert course_window.area.where.text() == "line 5 of 5 · now"

    def test_every_command_by_its_name(self, course_window):
        key(course_window, Qt.Key.Key_P, CTRL | Qt.KeyboardModifier.ShiftModifier)
        popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if popup is None:
            popup = course_window.findChild(object, "commandPalette")
        field = popup.findChild(QLineEdit)
        QTest.keyClicks(field, "run forward")
        QTest.keyClick(field, Qt.Key.Key_Return)
        settle(course_window)
        assert len(course_window.document.program) == 6
        assert course_window.document.program[course_window.document.program.order[-1]].call == "again"

    def test_the_list_of_keys(self, course_window):
        words = []

        def read(dialog):
            words.append(dialog.words.text())
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

        with answering(read):
            key(course_window, Qt.Key.Key_F1)
        assert "Ctrl+B" in words[0]
        assert "Tab" in words[0]


def test_a_window_hears_of_no_action_before_all_is_set(request, monkeypatch):
    had, retranslate = [], MainWindow.retranslate

    def counted(self):
        had.append(len(self.actions()) + len(self.canvas.actions()))
        retranslate(self)

    monkeypatch.setattr(MainWindow, "retranslate", counted)
    window = request.getfixturevalue("window")
    assert had == [0], "each change of an action would be an event for a window that has it"
    assert len(window.actions()) + len(window.canvas.actions()) == len(ACTIONS)


class TestSizes:
    @pytest.mark.parametrize("language", ["en", "zh_CN"])
    def test_every_menu_is_one_column_on_a_small_screen(self, course_window, looks, language):
        course_window.presenting.set_language(language)
        settle(course_window)
        for menu in course_window.findChildren(QMenu):
            menu.aboutToShow.emit()
            assert menu.sizeHint().height() <= 700, menu.objectName()
            assert len({menu.actionGeometry(action).left() for action in menu.actions()}) <= 1, menu.objectName()

    def test_the_menu_of_a_card_is_no_higher(self, course_window):
        hands = Hands(course_window.canvas)
        for name in "wxay":
            menu, _ = hands.menu(hands.header(name))
            assert 0 < menu.sizeHint().height() <= 600, name

    def test_lines_in_it_are_written_as_code(self, course_window):
        hands = Hands(course_window.canvas)
        menu, entries = hands.menu(hands.header("y"))
        menu.popup(course_window.mapToGlobal(QPoint(10, 10)))
        settle()
        line, words = entries["y.backward()"], entries["Rename"]
        assert line.font().families() != words.font().families()
        shown = menu.grab().toImage()
        menu.close()
        rows = [menu.actionGeometry(entries[text]) for text in ("y.backward()", "y.retain_grad()")]
        widths = [_ink_ends(shown, row) for row in rows]
        # each letter has the same width: what one line is longer in pixels it is in letters
        letter = QFontMetricsF(code_font()).horizontalAdvance("m")
        assert abs((widths[1] - widths[0]) - letter * 3) <= 2.0


def _ink_ends(image, row):
    """How far to the right something is written in a row of a picture of a menu."""
    paper = image.pixelColor(row.right() - 12, row.top() + 3)
    scale = image.devicePixelRatio()
    columns = range(round(row.right() * scale) - 40, 0, -1)
    heights = range(round((row.top() + 4) * scale), round((row.bottom() - 4) * scale))
    return next(x for x in columns if any(image.pixelColor(x, y) != paper for y in heights)) / scale
