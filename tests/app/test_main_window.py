"""The window: its regions, its buttons and keys, languages and sizes, and what it does in a lecture."""

import gc
import weakref
from collections import Counter, defaultdict

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from shiboken6 import delete
from support.desk import CTRL, LEFT, PLAIN, calm, choose, key, lines, press, settle, type_into

from chalkgrad.stepwise import finished
from chalkgrad_app import i18n, settings
from chalkgrad_app.picture.look import Level
from chalkgrad_app.style import theme

pytestmark = pytest.mark.usefixtures("looks")


def rect(window, name):
    dock = window.docks.by_name[name]
    return dock.rect().translated(dock.mapTo(window, QPoint(0, 0)))


class Styled(QObject):
    """Counts how often each widget is told that it looks otherwise."""

    def __init__(self, app):
        super().__init__()
        self.counted = Counter()
        app.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.StyleChange:
            self.counted[watched] += 1
        return False


class Painted(QObject):
    """Notes on what grounds widgets are painted."""

    def __init__(self, app):
        super().__init__()
        self.grounds = defaultdict(list)
        app.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            self.grounds[watched].append(watched.palette().color(QPalette.ColorRole.Window).name())
        return False


class TestCorner:
    def test_its_buttons_never_move(self, window):
        def places():
            settle()
            bars = window.bars
            buttons = (bars.smaller, bars.larger, bars.language, bars.lecture)
            return [(button.mapTo(window, QPoint(0, 0)).x(), button.width()) for button in buttons]

        before = places()
        for size in settings.TEXT_SIZES:
            window.presenting.set_text_size(size)  # the outer one: every widget is polished anew
            for language in i18n.LANGUAGES:
                window.presenting.set_language(language)
                assert places() == before
                for button in (window.bars.larger, window.bars.language, window.bars.lecture):
                    assert button.fontMetrics().horizontalAdvance(button.text()) < button.width()

    def test_another_look_styles_each_widget_once(self, course_window, qapp):
        for change in (
            lambda: course_window.presenting.set_theme("dark"),
            lambda: course_window.presenting.set_text_size(125),
        ):
            styled = Styled(qapp)
            change()
            qapp.removeEventFilter(styled)
            inside = course_window.findChildren(QWidget)
            assert all(styled.counted[widget] == 1 for widget in (course_window, *inside) if widget.isVisible())
            assert max(styled.counted.values()) == 1

    def test_nothing_is_painted_half_in_another_look(self, course_window, qapp):
        painted = Painted(qapp)
        course_window.presenting.set_theme("dark")
        settle(course_window)
        qapp.removeEventFilter(painted)
        for widget, grounds in painted.grounds.items():
            assert set(grounds) == {widget.palette().color(QPalette.ColorRole.Window).name()}
        assert {ground.upper() for ground in painted.grounds[course_window]} == {theme.load("dark").window}

    def test_menus_and_panels_that_are_closed_follow_another_look_a_little_later(self, course_window, qapp):
        course_window.docks.show_panel("memory")
        settle(course_window)
        dock = course_window.docks.by_name["memory"]
        dock.hide()
        menu = course_window.findChild(QMenu, "menu.show")
        settle(course_window)
        for name in ("dark", "light", "dark"):  # the first two are given up
            course_window.presenting.set_theme(name)
        settle(course_window)
        widgets = (course_window, menu, dock, *dock.findChildren(QWidget))
        followed = [widget.palette() for widget in widgets]
        theme.apply(qapp, theme.load("dark"))
        assert followed == [widget.palette() for widget in widgets]
        assert course_window.updatesEnabled()

    def test_the_cards_are_in_another_look_a_frame_after_all_else(self, course_window):
        canvas = course_window.canvas
        before = canvas.backing_pixmap.toImage()
        course_window.presenting.set_theme("dark")
        canvas.grab()
        assert canvas.backing_pixmap.toImage() == before
        settle(course_window)
        ground = canvas.backing_pixmap.toImage().pixelColor(3, canvas.height() // 2)
        assert abs(ground.lightness() - theme.load("dark").color("canvas").lightness()) < 12

    def test_the_strip_says_no_half_words(self, course_window):
        course_window.resize(1280, 800)
        where = course_window.area.where
        for size in settings.TEXT_SIZES[:3]:
            course_window.presenting.set_text_size(size)
            for language in i18n.LANGUAGES:
                course_window.presenting.set_language(language)
                settle(course_window)
                assert where.text()
                assert where.fontMetrics().horizontalAdvance(where.text()) <= where.width(), (size, language)

    def test_choices_are_as_high_as_their_text_asks_after_another_text_size(self, course_window):
        for size in (150, 100):
            course_window.presenting.set_text_size(size)
            settle(course_window)
        panel = course_window.docks.autograd
        for combo in (panel.root, panel.retain_graph):
            assert combo.height() == combo.sizeHint().height()

    def test_the_autograd_panel_has_its_height_again_after_another_text_size(self, course_window):
        course_window.resize(1280, 800)
        settle(course_window)
        panel, dock = course_window.docks.autograd, course_window.docks.by_name["autograd"]
        before = (panel.sizeHint().height(), dock.height())
        for size in (150, 100, 200, 100):
            course_window.presenting.set_text_size(size)
            settle(course_window)
        assert (panel.sizeHint().height(), dock.height()) == before
        assert dock.widget().verticalScrollBar().maximum() == 0

    def test_the_past_fits_a_projector_too(self, course_window):
        course_window.presenting.set_text_size(200)
        course_window.document.step_line(-1)
        for language in i18n.LANGUAGES:
            course_window.presenting.set_language(language)
            settle(course_window)
            assert course_window.area.band.isVisible()
            assert course_window.minimumSizeHint().width() <= 1280
            assert course_window.area.minimumSizeHint().width() <= 480
            caption, where = course_window.area.caption, course_window.area.where
            assert not (caption.isVisible() and caption.geometry().right() + 8 >= where.geometry().left())


def test_end_goes_back_to_now_from_the_program_but_not_from_a_field(course_window):
    course_window.document.step_line(-1)
    settle(course_window)
    course_window.docks.palette.search.setFocus()
    QTest.keyClicks(course_window.docks.palette.search, "sin")
    QTest.keyClick(course_window.docks.palette.search, Qt.Key.Key_Home)
    QTest.keyClick(course_window.docks.palette.search, Qt.Key.Key_End)
    assert course_window.docks.palette.search.cursorPosition() == 3
    assert course_window.document.is_past
    course_window.docks.program.list.setFocus()
    QTest.keyClick(course_window.docks.program.list, Qt.Key.Key_End)
    assert not course_window.document.is_past


def test_what_was_told_in_another_language_goes(course_window):
    course_window.document.told.emit("Copied the picture")
    assert course_window.status_words.text()
    course_window.presenting.toggle_language()
    settle(course_window)
    assert course_window.status_words.text() == ""


def test_what_was_told_about_one_moment_goes_with_it(course_window):
    course_window.canvas.setFocus()
    key(course_window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert course_window.status_words.text() == "There is no further error that way"
    course_window.document.step_line(-1)
    assert course_window.status_words.text() == ""


def test_what_was_told_about_a_run_goes_with_the_next_line(window, open_text):
    document = open_text("import torch\nw = torch.tensor([1.], requires_grad=True)\ny = w * 2\ny.backward()\n")
    document.select([document.program.named("w").statement])
    key(window, Qt.Key.Key_G)
    settle(window)
    key(window, Qt.Key.Key_G)
    settle(window)
    assert window.status_words.text() == "Ran again from line 1, 1 backward included"
    press(window, "toolbar.zeroGrad")
    settle(window)
    assert lines(window)[-1] == "w.grad = None"
    assert window.status_words.text() == ""


class TestLanguage:
    def test_switched_while_running_everywhere_and_back(self, course_window):
        press(course_window, "corner.language")
        assert i18n.language() == "zh_CN"
        assert settings.LANGUAGE.get() == "zh_CN"
        assert course_window.menuBar().actions()[0].text() == "文件"
        assert course_window.area.where.text().startswith("第")
        press(course_window, "corner.language")
        assert i18n.language() == "en"
        assert course_window.menuBar().actions()[0].text() == "File"

    def test_the_menu_of_examples_is_in_it(self, window):
        press(window, "corner.language")
        choose(window, "file", "examples", "example.course")
        assert not window.document.name.isascii()


class TestThemes:
    @pytest.mark.parametrize("name", settings.THEMES)
    def test_every_theme_at_once(self, course_window, name):
        from chalkgrad_app.style import theme

        choose(course_window, "show", "theme", f"theme.{name}")
        picture = course_window.grab().toImage()
        shown = picture.pixelColor(course_window.area.mapTo(course_window, QPoint(3, course_window.area.height() // 2)))
        expected = theme.load(name).color("canvas")
        assert abs(shown.lightness() - expected.lightness()) < 12

    def test_text_size_by_the_corner(self, course_window):
        before = course_window.menuBar().font().pixelSize()
        press(course_window, "corner.textLarger")
        assert settings.TEXT_SIZE.get() == 125
        assert course_window.menuBar().font().pixelSize() > before
        press(course_window, "corner.textSmaller")
        assert course_window.menuBar().font().pixelSize() == before

    def test_while_a_theme_is_followed_no_window_is_held(self, qapp):
        """One that is gone before its turn came is gone for Python, too."""
        window = QWidget()
        dialog = QWidget(window, Qt.WindowType.Dialog)
        window.show()
        following = theme.applying(qapp, theme.current(), theme.text_size())
        next(following)
        left = [weakref.ref(window), weakref.ref(dialog)]
        delete(window)
        del window, dialog
        gc.collect()
        assert [each() for each in left] == [None, None]
        finished(following)


class TestLecture:
    def test_only_canvas_program_and_output_larger(self, course_window):
        from chalkgrad_app.style import theme

        key(course_window, Qt.Key.Key_F11)
        shown = {name for name, dock in course_window.docks.by_name.items() if dock.isVisible()}
        assert shown == {"program"}, "an empty output takes no room"
        assert not course_window.bars.toolbar.isVisible()
        assert not course_window.menuBar().isVisible()
        assert not course_window.statusBar().isVisible()
        assert course_window.isFullScreen()
        assert theme.text_size() == 150
        assert course_window.canvas.viewport.scale > 1
        assert settings.TEXT_SIZE.get() == 100

    def test_what_was_fitted_stays_fitted(self, course_window):
        canvas = course_window.canvas
        key(course_window, Qt.Key.Key_Home)
        before = canvas.viewport.scale
        for _ in range(2):
            key(course_window, Qt.Key.Key_F11)
            calm(course_window)
            names = [statement.name for statement in course_window.document.program if statement.targets]
            assert all(canvas.rect().contains(canvas.node_rect(name)) for name in names)
            assert canvas.viewport.level is Level.NEAR
        assert canvas.viewport.scale == pytest.approx(before, rel=0.01)

    def test_the_output_comes_when_something_is_printed(self, course_window):
        key(course_window, Qt.Key.Key_F11)
        settle(course_window)
        output = course_window.docks.by_name["output"]
        assert not output.isVisible()
        QApplication.clipboard().setText("print(w)")
        key(course_window, Qt.Key.Key_V, CTRL)
        settle(course_window)
        assert output.isVisible()
        assert "tensor" in course_window.docks.output.view.toPlainText()
        key(course_window, Qt.Key.Key_Escape)
        assert output.isVisible()

    def test_escape_leaves_it_also_with_a_selection(self, course_window):
        from chalkgrad_app.style import theme

        before = {name: dock.isVisible() for name, dock in course_window.docks.by_name.items()}
        key(course_window, Qt.Key.Key_F11)
        QTest.mouseClick(course_window.canvas, LEFT, PLAIN, course_window.canvas.node_rect("a").center())
        key(course_window, Qt.Key.Key_Escape)
        assert not course_window.presenting.in_lecture
        assert not course_window.isFullScreen()
        assert {name: dock.isVisible() for name, dock in course_window.docks.by_name.items()} == before
        assert theme.text_size() == 100
        assert course_window.bars.toolbar.isVisible()
        assert course_window.menuBar().isVisible()

    def test_the_card_at_work_comes_into_view_as_one_steps(self, course_window, qtbot):
        canvas, document = course_window.canvas, course_window.document
        key(course_window, Qt.Key.Key_F11)
        canvas.set_zoom_percent(150)
        for id_ in [row.id for row in document.program if row.id in canvas.picture.index]:
            document.look_at_line(id_)
            settle(course_window)
            qtbot.waitUntil(lambda id_=id_: canvas.rect().contains(canvas.view_rect_of(id_)))  # it glides there

    def test_by_the_corner_and_back_by_its_key(self, course_window):
        press(course_window, "corner.lecture")
        assert course_window.presenting.in_lecture
        key(course_window, Qt.Key.Key_F11)
        assert not course_window.presenting.in_lecture

    def test_a_clicker_walks_the_lines(self, course_window):
        key(course_window, Qt.Key.Key_F11)
        key(course_window, Qt.Key.Key_PageUp)
        assert course_window.document.is_past
        key(course_window, Qt.Key.Key_Escape)

    def test_a_ring_goes_with_the_pointer(self, course_window):
        key(course_window, Qt.Key.Key_F11)
        at = course_window.canvas.rect().center() + QPoint(200, 150)
        before = course_window.canvas.grab().toImage()
        QTest.mouseMove(course_window.canvas, at)
        settle()
        assert course_window.canvas.grab().toImage() != before


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
        from chalkgrad_app.style import theme

        error = theme.current().color("error_ink").name()
        assert window.area.start.message.palette().windowText().color().name() == error
        assert error in {field.grab().toImage().pixelColor(0, y).name() for y in range(field.height())}
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

    @pytest.mark.parametrize("typed", ["a = x * 2", "a=x * 2", "abs(x)"])
    def test_a_lists_all_operators_and_may_begin_a_line_all_the_same(self, window, typed):
        window.canvas.setFocus()
        QTest.keyClicks(window.canvas, "a")
        quick = window.canvas.quick
        assert quick.isVisible()
        is_line = "=" in typed
        QTest.keyClicks(quick.field, typed[1:] if is_line else typed)
        assert quick.field.text() == typed
        QTest.keyClick(quick.field, Qt.Key.Key_Return)
        settle(window)
        assert not window.document.is_empty
        assert not is_line or window.document.program.named("a") is not None

    @pytest.mark.parametrize("name", ["g", "n", "t", "W"])
    def test_letters_typed_on_the_empty_canvas_go_into_it(self, window, name):
        window.canvas.setFocus()
        QTest.keyClicks(window.canvas, name)
        field = window.area.start.field
        assert field.hasFocus()
        assert window.canvas.quick.isHidden()
        QTest.keyClicks(field, " = x * 2")
        assert field.text() == f"{name} = x * 2"
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert not window.document.is_empty


def start_in_a_small_window(window, lang, percent):
    """What an empty canvas offers, all of it on the canvas."""
    i18n.set_language(lang)
    window.resize(1280, 800)
    while settings.TEXT_SIZE.get() < percent:
        press(window, "corner.textLarger")
    settle(window)
    assert window.canvas.rect().contains(window.area.start.geometry())
    return window.area.start


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_the_start_is_whole_in_a_small_window_with_large_text(window, lang):
    start = start_in_a_small_window(window, lang, 200)
    for part in (start.title, start.field, start.hint, start.example, start.open):
        assert start.rect().contains(part.geometry())
        room = part.fontMetrics().boundingRect(part.text()).width() if part is not start.field else 0
        assert part.width() >= room or part.wordWrap()
    window.resize(1600, 1000)
    while settings.TEXT_SIZE.get() > 100:
        press(window, "corner.textSmaller")
    settle(window)
    assert start.example.y() == start.open.y(), "beside each other again"


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_the_start_scrolls_where_the_largest_text_leaves_no_room_for_it(window, lang):
    start = start_in_a_small_window(window, lang, 300)
    start.field.setFocus()
    for part in (start.field, start.example, start.open):
        assert window.focusWidget() is part
        shown = QRect(part.mapTo(start, QPoint()), part.size())
        assert start.rect().contains(shown), part.objectName()
        assert part.width() >= part.minimumSizeHint().width()
        QTest.keyClick(part, Qt.Key.Key_Tab)
    QTest.keyClick(start.example, Qt.Key.Key_Space)
    assert not window.document.is_empty
