"""The window: its regions, its buttons and keys, languages and sizes, and what it does in a lecture."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTabBar
from support.desk import CTRL, LEFT, PLAIN, answering, choose, key, lines, press, press_tool, settle, tensor, type_into

from chalkgrad_app import i18n, settings
from chalkgrad_app.actions import ACTIONS, BY_ID, CANVAS_MENU, CARD_MENU
from chalkgrad_app.menus import MENUS, SUBMENUS, TOOLBAR


@pytest.fixture(autouse=True)
def put_back(qapp):
    yield
    from chalkgrad_app.style import theme

    i18n.set_language("en")
    theme.apply(qapp, theme.load("light"), 100)


@pytest.fixture
def course(window):
    press(window, "start.example")
    settle(window)
    window.canvas.setFocus()
    return window


def rect(window, name):
    dock = window.docks.by_name[name]
    return dock.rect().translated(dock.mapTo(window, QPoint(0, 0)))


class TestRegions:
    def test_four_at_first_start(self, window):
        settle(window)
        assert (window.width(), window.height()) == (1280, 800)
        assert window.menuBar().height() == 28
        assert window.bars.toolbar.height() == 40
        assert abs(rect(window, "palette").width() - 176) <= 4
        assert abs(rect(window, "inspector").width() - 304) <= 4
        assert abs(rect(window, "program").height() - 170) <= 4
        assert rect(window, "autograd").top() >= rect(window, "inspector").bottom()
        assert window.docks.inspector.isVisible()
        assert window.docks.tensors.visibleRegion().isEmpty()
        assert window.docks.output.isVisible()

    def test_from_1600_on_the_program_stands_right_of_the_canvas(self, window):
        window.resize(1680, 1000)
        settle()
        assert rect(window, "program").left() >= window.area.geometry().right()
        assert rect(window, "program").right() <= rect(window, "inspector").left()
        window.resize(1280, 800)
        settle()
        assert rect(window, "program").top() >= window.area.geometry().bottom()

    @pytest.mark.parametrize("size", settings.TEXT_SIZES)
    def test_it_fits_a_projector_at_every_text_size(self, window, size):
        choose(window, "show", "textSize", f"textSize.{size}")
        settle()
        assert window.minimumSizeHint().width() <= 1280
        assert window.minimumSizeHint().height() <= 800
        assert (window.width(), window.height()) == (1280, 800)
        assert window.canvas.width() >= 400
        assert settings.TEXT_SIZE.get() == size

    def test_a_hidden_panel_stays_hidden_at_another_width(self, window):
        window.docks.by_name["autograd"].hide()
        window.resize(1680, 1000)
        settle()
        assert not window.docks.autograd.isVisible()


def test_a_panel_behind_another_tab_computes_nothing_until_it_is_seen(course):
    press(course, "toolbar.backward")
    settle(course)
    assert course.docks.tensors.is_stale
    course.docks.show_panel("tensors")
    settle(course)
    assert not course.docks.tensors.is_stale


def test_the_lines_of_the_course_are_shown_whole(course):
    panel, bars = course.docks.autograd, course.bars
    buttons = [panel.backward, panel.grad, *panel.lines.values(), bars.backward, bars.zero]
    assert panel.grad.line() == "gw, gx = torch.autograd.grad(y, [w, x])"
    assert [button.line() for button in buttons if button.text() != button.line()] == []


def test_no_dock_collapses_whatever_is_changed(course):
    def heights():
        settle(course)
        assert rect(course, "palette").width() >= 140
        assert rect(course, "inspector").width() >= 240
        assert rect(course, "program").width() >= 300
        for name in ("palette", "inspector", "autograd", "program"):
            assert rect(course, name).height() >= 60, name

    present = course.presenting
    changes = (
        present.toggle_language,
        lambda: present.set_theme("blackboard"),
        lambda: present.set_text_size(200),
        lambda: present.set_text_size(100),
        lambda: course.resize(1700, 900),
        lambda: course.resize(1280, 800),
        lambda: (present.lecture(True), settle(course), present.lecture(False)),
    )
    heights()
    for change in changes:
        change()
        heights()


class TestCorner:
    def test_its_buttons_never_move(self, window):
        def places():
            settle()
            bars = window.bars
            buttons = (bars.smaller, bars.larger, bars.language, bars.lecture)
            return [(button.mapTo(window, QPoint(0, 0)).x(), button.width()) for button in buttons]

        before = places()
        for language in i18n.LANGUAGES:
            window.presenting.set_language(language)
            for size in settings.TEXT_SIZES:
                window.presenting.set_text_size(size)
                assert places() == before
                for button in (window.bars.larger, window.bars.language, window.bars.lecture):
                    assert button.fontMetrics().horizontalAdvance(button.text()) < button.width()

    def test_the_past_fits_a_projector_too(self, course):
        course.presenting.set_text_size(200)
        course.document.step_line(-1)
        for language in i18n.LANGUAGES:
            course.presenting.set_language(language)
            settle(course)
            assert course.area.band.isVisible()
            assert course.minimumSizeHint().width() <= 1280
            assert course.area.minimumSizeHint().width() <= 480
            caption, where = course.area.caption, course.area.where
            assert not (caption.isVisible() and caption.geometry().right() + 8 >= where.geometry().left())


class TestProblems:
    def is_forward(self, window, name):
        title = window.docks.by_name[name].windowTitle()
        return title in [bar.tabText(bar.currentIndex()) for bar in window.findChildren(QTabBar)]

    def fail(self, window):
        for _ in range(2):
            window.actions_by_id["backward"].trigger()
            settle(window)

    def tab_colour(self, window):
        title = window.docks.by_name["problems"].windowTitle()
        for bar in window.findChildren(QTabBar):
            for index in range(bar.count()):
                if bar.tabText(index) == title:
                    return bar.tabTextColor(index)
        return None

    def test_a_new_error_comes_forward_in_its_colour(self, course):
        from chalkgrad_app.style import theme

        assert self.is_forward(course, "output")
        self.fail(course)
        assert self.is_forward(course, "problems")
        assert self.tab_colour(course) == theme.current().color("error_ink")
        course.presenting.set_theme("dark")
        settle(course)
        assert self.tab_colour(course) == theme.current().color("error_ink")
        course.undo()
        settle(course)
        assert self.tab_colour(course) != theme.current().color("error_ink")

    def test_walking_through_time_brings_nothing_forward(self, course):
        self.fail(course)
        course.docks.show_panel("output")
        course.document.step_line(-1)
        settle(course)
        course.document.back_to_now()
        settle(course)
        assert self.is_forward(course, "output")

    def test_a_warning_does_not(self, course):
        course.document.select([course.document.program.named("y").statement])
        course.actions_by_id["printGrad"].trigger()
        settle(course)
        assert course.docks.by_name["problems"].windowTitle() == "Problems 1"
        assert self.is_forward(course, "output")


def test_end_goes_back_to_now_from_the_program_but_not_from_a_field(course):
    course.document.step_line(-1)
    settle(course)
    course.docks.palette.search.setFocus()
    QTest.keyClicks(course.docks.palette.search, "sin")
    QTest.keyClick(course.docks.palette.search, Qt.Key.Key_Home)
    QTest.keyClick(course.docks.palette.search, Qt.Key.Key_End)
    assert course.docks.palette.search.cursorPosition() == 3
    assert course.document.is_past
    course.docks.program.list.setFocus()
    QTest.keyClick(course.docks.program.list, Qt.Key.Key_End)
    assert not course.document.is_past


def test_what_was_told_in_another_language_goes(course):
    course.document.told.emit("Copied the picture")
    assert course.status_words.text()
    course.presenting.toggle_language()
    settle(course)
    assert course.status_words.text() == ""


def test_what_was_told_about_one_moment_goes_with_it(course):
    course.canvas.setFocus()
    key(course, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert course.status_words.text() == "There is no further error that way"
    course.document.step_line(-1)
    assert course.status_words.text() == ""


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
        named = {id_ for _, _, ids in MENUS for id_ in ids} | {*TOOLBAR, *CARD_MENU, *CANVAS_MENU}
        assert {id_ for id_ in named if id_ != "-" and not id_.startswith("@")} <= set(BY_ID)

    def test_every_action_is_in_a_menu(self):
        in_menus = {id_ for ids in (*(ids for _, _, ids in MENUS), *SUBMENUS.values()) for id_ in ids}
        assert set(BY_ID) - in_menus - {"rename", "editValue", "textLarger", "textSmaller"} == set()


class TestButtons:
    def test_backward_shows_and_appends_its_line(self, course):
        assert course.bars.backward.line() == "y.backward()"
        press(course, "toolbar.backward")
        settle(course)
        assert lines(course)[-1] == "y.backward()"
        assert tensor(course, "w").grad.text == "tensor([5.])"
        assert tensor(course, "x").grad.text == "tensor([2.])"
        assert tensor(course, "a").grad is None

    def test_it_starts_from_the_selection(self, course):
        QTest.mouseClick(course.canvas, LEFT, PLAIN, course.canvas.node_rect("a").center())
        settle(course)
        assert course.bars.backward.line() == "a.backward()"

    def test_zero_grads_and_undo(self, course):
        press(course, "toolbar.backward")
        settle(course)
        press(course, "toolbar.zeroGrad")
        settle(course)
        assert lines(course)[-2:] == ["w.grad = None", "x.grad = None"]
        press_tool(course, "undo")
        settle(course)
        assert lines(course)[-1] == "y.backward()"
        press_tool(course, "redo")
        assert lines(course)[-1] == "x.grad = None"

    def test_cover_by_button_and_key(self, course):
        press_tool(course, "cover")
        assert course.document.is_covering
        assert course.actions_by_id["cover"].isChecked()
        course.canvas.setFocus()
        key(course, Qt.Key.Key_H)
        assert not course.document.is_covering
        assert not course.actions_by_id["cover"].isChecked()

    def test_zoom_typed(self, course):
        type_into(course.bars.zoom.lineEdit(), "150%")
        QTest.keyClick(course.bars.zoom, Qt.Key.Key_Return)
        course.canvas.glide.finish()
        assert round(course.canvas.zoom_percent) == 150
        assert course.bars.zoom.currentText() == "150%"


class TestKeys:
    def test_page_keys_walk_the_lines_from_anywhere(self, course):
        for focus in (course.canvas, course.docks.palette, course.bars.zoom.lineEdit()):
            focus.setFocus()
            key(course, Qt.Key.Key_PageUp)
            assert course.document.is_past, focus
            assert course.area.band.isVisible()
            key(course, Qt.Key.Key_PageDown)
            assert not course.document.is_past, focus

    def test_letters_in_a_field_are_text(self, course):
        field = course.findChild(QLineEdit, "autograd.gradient")
        field.setFocus()
        QTest.keyClicks(field, "HLRAG1")
        settle(course)
        assert field.text() == "HLRAG1"
        assert not course.document.is_covering
        assert not course.document.is_modified

    def test_events_and_end(self, course):
        key(course, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert course.document.is_past
        key(course, Qt.Key.Key_End)
        assert not course.document.is_past

    def test_back_to_now_in_the_band(self, course):
        key(course, Qt.Key.Key_PageUp)
        assert course.area.band.words.text() == "Looking at line 4 of 5. New lines go here."
        assert course.area.where.text() == "line 4 of 5"
        press(course, "pastBand.back")
        assert not course.document.is_past
        assert course.area.where.text() == "line 5 of 5 · now"

    def test_every_command_by_its_name(self, course):
        key(course, Qt.Key.Key_P, CTRL | Qt.KeyboardModifier.ShiftModifier)
        popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if popup is None:
            popup = course.findChild(object, "commandPalette")
        field = popup.findChild(QLineEdit)
        QTest.keyClicks(field, "run forward")
        QTest.keyClick(field, Qt.Key.Key_Return)
        settle(course)
        assert len(course.document.program) == 6
        assert course.document.program[course.document.program.order[-1]].call == "again"

    def test_the_list_of_keys(self, course):
        words = []

        def read(dialog):
            words.append(dialog.words.text())
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

        with answering(read):
            key(course, Qt.Key.Key_F1)
        assert "Ctrl+B" in words[0]
        assert "Tab" in words[0]


class TestLanguage:
    def test_switched_while_running_everywhere_and_back(self, course):
        press(course, "corner.language")
        assert i18n.language() == "zh_CN"
        assert settings.LANGUAGE.get() == "zh_CN"
        assert course.menuBar().actions()[0].text() == "文件"
        assert course.area.where.text().startswith("第")
        press(course, "corner.language")
        assert i18n.language() == "en"
        assert course.menuBar().actions()[0].text() == "File"

    def test_the_menu_of_examples_is_in_it(self, window):
        press(window, "corner.language")
        choose(window, "file", "examples", "example.course")
        assert not window.document.name.isascii()


class TestThemes:
    @pytest.mark.parametrize("name", settings.THEMES)
    def test_every_theme_at_once(self, course, name):
        from chalkgrad_app.style import theme

        choose(course, "show", "theme", f"theme.{name}")
        picture = course.grab().toImage()
        shown = picture.pixelColor(course.area.mapTo(course, QPoint(3, course.area.height() // 2)))
        expected = theme.load(name).color("canvas")
        assert abs(shown.lightness() - expected.lightness()) < 12

    def test_text_size_by_the_corner(self, course):
        before = course.menuBar().font().pixelSize()
        press(course, "corner.textLarger")
        assert settings.TEXT_SIZE.get() == 125
        assert course.menuBar().font().pixelSize() > before
        press(course, "corner.textSmaller")
        assert course.menuBar().font().pixelSize() == before


class TestLecture:
    def test_only_canvas_program_and_output_larger(self, course):
        from chalkgrad_app.style import theme

        key(course, Qt.Key.Key_F11)
        shown = {name for name, dock in course.docks.by_name.items() if dock.isVisible()}
        assert shown == {"program", "output"}
        assert not course.bars.toolbar.isVisible()
        assert not course.menuBar().isVisible()
        assert not course.statusBar().isVisible()
        assert course.isFullScreen()
        assert theme.text_size() == 150
        assert 11 * course.canvas.viewport.scale >= 20
        assert settings.TEXT_SIZE.get() == 100

    def test_escape_leaves_it_also_with_a_selection(self, course):
        from chalkgrad_app.style import theme

        before = {name: dock.isVisible() for name, dock in course.docks.by_name.items()}
        key(course, Qt.Key.Key_F11)
        QTest.mouseClick(course.canvas, LEFT, PLAIN, course.canvas.node_rect("a").center())
        key(course, Qt.Key.Key_Escape)
        assert not course.presenting.in_lecture
        assert not course.isFullScreen()
        assert {name: dock.isVisible() for name, dock in course.docks.by_name.items()} == before
        assert theme.text_size() == 100
        assert course.bars.toolbar.isVisible()
        assert course.menuBar().isVisible()

    def test_by_the_corner_and_back_by_its_key(self, course):
        press(course, "corner.lecture")
        assert course.presenting.in_lecture
        key(course, Qt.Key.Key_F11)
        assert not course.presenting.in_lecture

    def test_a_clicker_walks_the_lines(self, course):
        key(course, Qt.Key.Key_F11)
        key(course, Qt.Key.Key_PageUp)
        assert course.document.is_past
        key(course, Qt.Key.Key_Escape)

    def test_a_ring_goes_with_the_pointer(self, course):
        key(course, Qt.Key.Key_F11)
        at = course.canvas.rect().center() + QPoint(200, 150)
        before = course.canvas.grab().toImage()
        QTest.mouseMove(course.canvas, at)
        settle()
        assert course.canvas.grab().toImage() != before


class TestStart:
    def test_an_expression_gives_its_graph(self, window):
        assert window.area.start.isVisible()
        field = window.area.start.field
        type_into(field, "y = (x + w) * (w + 1)")
        QTest.keyClick(field, Qt.Key.Key_Return)
        settle(window)
        assert [line.split(" = ")[0] for line in lines(window)] == ["x", "w", "a", "b", "y"]
        assert not window.area.start.isVisible()
        assert window.focusWidget() is window.canvas

    def test_a_bad_one_is_said_under_the_field(self, window):
        field = window.area.start.field
        type_into(field, "y = (x +")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert window.area.start.message.isVisible()
        assert window.document.is_empty
        QTest.keyClicks(field, " w)")
        assert not window.area.start.message.isVisible()

    def test_it_stands_in_the_middle(self, window):
        start, canvas = window.area.start, window.canvas
        assert abs(start.geometry().center().x() - canvas.rect().center().x()) <= 2
        window.resize(1500, 900)
        settle()
        assert abs(start.geometry().center().y() - canvas.rect().center().y()) <= 2

    def test_undone_to_empty_it_is_offered_again(self, window):
        field = window.area.start.field
        type_into(field, "y = x * 2")
        QTest.keyClick(field, Qt.Key.Key_Return)
        window.undo()
        settle(window)
        assert window.area.start.isVisible()

    def test_letters_typed_on_the_empty_canvas_go_into_it(self, window):
        window.canvas.setFocus()
        QTest.keyClicks(window.canvas, "g")
        field = window.area.start.field
        assert field.hasFocus()
        QTest.keyClicks(field, " = x * 2")
        assert field.text() == "g = x * 2"
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert not window.document.is_empty
