"""The panels of a window: which there are at which size, and that none is squeezed, cut or brought forward unasked."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QTabBar, QWidget
from support.desk import LEFT, PLAIN, SHIFT, choose, key, press, settle

from chalkgrad_app import i18n, settings
from chalkgrad_app.panels.fact_rows import FactRows
from chalkgrad_app.style import theme

pytestmark = pytest.mark.usefixtures("looks")


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

    def test_a_wide_window_has_the_program_right_of_the_canvas(self, window):
        window.resize(1600, 1000)
        settle()
        assert rect(window, "program").top() >= window.area.geometry().bottom()
        assert window.area.geometry().width() > 1600 / 2
        window.resize(1880, 1000)
        settle()
        assert window.area.geometry().width() > 1880 / 2
        assert rect(window, "program").left() >= window.area.geometry().right()
        assert rect(window, "program").right() <= rect(window, "inspector").left()
        window.resize(1280, 800)
        settle()
        assert rect(window, "program").top() >= window.area.geometry().bottom()

    def test_where_there_is_little_height_the_panels_at_the_right_share_one_place(self, window):
        settle(window)
        choose(window, "show", "textSize", "textSize.200")
        choose(window, "show", "panels", "panel.why")
        settle(window)
        assert not window.docks.why.visibleRegion().isEmpty()
        assert window.docks.why.height() > window.docks.program.height()
        docks = window.docks.by_name
        assert docks["autograd"] in window.tabifiedDockWidgets(docks["why"])
        choose(window, "show", "textSize", "textSize.100")
        settle(window)
        assert rect(window, "autograd").top() >= rect(window, "why").bottom()

    @pytest.mark.parametrize("size", settings.TEXT_SIZES)
    def test_it_fits_a_projector_at_every_text_size(self, window, size):
        choose(window, "show", "textSize", f"textSize.{size}")
        settle()
        assert window.minimumSizeHint().width() <= 1280
        assert window.minimumSizeHint().height() <= 800
        assert (window.width(), window.height()) == (1280, 800)
        assert window.canvas.width() >= 400
        assert settings.TEXT_SIZE.get() == size

    @pytest.mark.parametrize("size", [100, 150, 200])
    def test_the_canvas_has_about_half_of_the_height_at_large_text_too(self, window, size):
        choose(window, "show", "textSize", f"textSize.{size}")
        settle(window)
        assert window.canvas.height() >= 800 * 0.47
        assert rect(window, "program").height() <= 800 * 0.22 + 4

    @pytest.mark.parametrize("size", [150, 200])
    def test_names_of_panels_are_whole_where_text_is_large(self, window, size):
        choose(window, "show", "textSize", f"textSize.{size}")
        settle(window)
        (bar,) = [bar for bar in window.findChildren(QTabBar) if bar.tabText(0) == "Inspector" and bar.isVisible()]
        assert bar.sizeHint().width() <= bar.width()

    @pytest.mark.parametrize("name", ["engine", "history", "memory", "training", "versions", "why"])
    def test_a_closed_panel_is_made_when_it_is_shown(self, window, name):
        assert window.findChild(QWidget, f"panel.{name}") is None
        choose(window, "show", "panels", f"panel.{name}")
        settle()
        panel = window.findChild(QWidget, f"panel.{name}")
        there = window.childAt(panel.mapTo(window, panel.rect().center()))
        assert there is panel or panel.isAncestorOf(there), "it is in front of the panels that share its place"
        choose(window, "show", "panels", f"panel.{name}")
        settle()
        assert not panel.isVisible()

    def test_a_hidden_panel_stays_hidden_at_another_width(self, window):
        window.docks.by_name["autograd"].hide()
        window.resize(1680, 1000)
        settle()
        assert not window.docks.autograd.isVisible()


def test_a_panel_behind_another_tab_computes_nothing_until_it_is_seen(course_window):
    press(course_window, "toolbar.backward")
    settle(course_window)
    assert course_window.docks.tensors.is_stale
    course_window.docks.show_panel("tensors")
    settle(course_window)
    assert not course_window.docks.tensors.is_stale


def test_a_panel_that_is_opened_again_works_nothing_out_where_nothing_has_happened(course_window, monkeypatch):
    docks = course_window.docks
    docks.show_panel("memory")
    settle(course_window)
    docks.by_name["memory"].hide()
    settle(course_window)
    followed = []
    monkeypatch.setattr(docks.memory, "follow", lambda: followed.append("memory"))
    docks.show_panel("memory")
    settle(course_window)
    assert followed == []
    docks.by_name["memory"].hide()
    course_window.document.step_line(-1)
    settle(course_window)
    docks.show_panel("memory")
    settle(course_window)
    assert followed == ["memory"]


def test_the_lines_of_the_course_are_shown_whole(course_window):
    panel, bars = course_window.docks.autograd, course_window.bars
    buttons = [panel.backward, panel.grad, *panel.lines.values(), bars.backward, bars.zero]
    assert panel.grad.line() == "gw, gx = torch.autograd.grad(y, [w, x])"
    assert [button.line() for button in buttons if button.text() != button.line()] == []


def test_no_dock_collapses_whatever_is_changed(course_window):
    def heights():
        settle(course_window)
        assert rect(course_window, "palette").width() >= 140
        assert rect(course_window, "inspector").width() >= 240
        assert rect(course_window, "program").width() >= 300
        for name in ("palette", "inspector", "autograd", "program"):
            assert rect(course_window, name).height() >= 60, name

    present = course_window.presenting
    changes = (
        present.toggle_language,
        lambda: present.set_theme("blackboard"),
        lambda: present.set_text_size(200),
        lambda: present.set_text_size(100),
        lambda: course_window.resize(1700, 900),
        lambda: course_window.resize(1280, 800),
        lambda: (present.lecture(True), settle(course_window), present.lecture(False)),
    )
    heights()
    for change in changes:
        change()
        heights()


@pytest.mark.parametrize("size", [(1280, 800), (1700, 1000)])
def test_after_a_lecture_panels_are_in_front_and_as_high_as_before(course_window, size):
    def seen():
        settle(course_window)
        docks = course_window.docks.by_name.items()
        current = [bar.tabText(bar.currentIndex()) for bar in course_window.findChildren(QTabBar)]
        return {name: dock.size() for name, dock in docks if dock.isVisible() and dock.windowTitle() in current}

    course_window.resize(*size)
    settle(course_window)
    key(course_window, Qt.Key.Key_T, SHIFT)
    before = seen()
    assert "training" in before
    key(course_window, Qt.Key.Key_F11)
    assert "training" not in seen()
    key(course_window, Qt.Key.Key_F11)
    after = seen()
    assert after.keys() == before.keys()
    for name in ("inspector", "training"):
        assert after[name] == before[name], name


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

    def test_a_new_error_comes_forward_in_its_colour(self, course_window):
        from chalkgrad_app.style import theme

        assert self.is_forward(course_window, "output")
        self.fail(course_window)
        assert self.is_forward(course_window, "problems")
        assert self.tab_colour(course_window) == theme.current().color("error_ink")
        course_window.presenting.set_theme("dark")
        settle(course_window)
        assert self.tab_colour(course_window) == theme.current().color("error_ink")
        course_window.undo()
        settle(course_window)
        assert self.tab_colour(course_window) != theme.current().color("error_ink")

    def test_walking_through_time_brings_nothing_forward(self, course_window):
        self.fail(course_window)
        course_window.docks.show_panel("output")
        course_window.document.step_line(-1)
        settle(course_window)
        course_window.document.back_to_now()
        settle(course_window)
        assert self.is_forward(course_window, "output")

    def test_a_warning_does_not(self, course_window):
        course_window.document.select([course_window.document.program.named("y").statement])
        course_window.actions_by_id["printGrad"].trigger()
        settle(course_window)
        assert course_window.docks.by_name["problems"].windowTitle() == "Problems 1"
        assert self.is_forward(course_window, "output")


def test_a_palette_squeezed_by_a_narrow_window_gets_its_room_back(window):
    window.resize(1280, 800)
    settle()
    before = window.docks.palette.width()
    window.resize(700, 800)
    settle()
    window.resize(1280, 800)
    settle()
    assert window.docks.palette.width() >= before


def differences(window, tmp_path):
    """The table of finite differences in the inspector, when they are found."""
    path = tmp_path / "square.py"
    path.write_text(
        "import torch\nw = torch.tensor([3.], requires_grad=True)\ny = w * w\ny.backward()\n", encoding="utf-8"
    )
    window.filing.load(path)
    settle(window)
    window.document.select([window.document.program.order[0]])
    settle(window)
    window.findChild(QAction, "action.differences").trigger()
    settle(window)
    table = window.docks.inspector.findChild(QWidget, "inspector.differences")
    for _ in range(100):
        if table is not None and table.found is not None:
            break
        settle(window)
        table = window.docks.inspector.findChild(QWidget, "inspector.differences")
    settle(window)
    return table


def test_finite_differences_get_the_room_that_they_need(window, tmp_path):
    table, docks = differences(window, tmp_path), window.docks
    assert docks.inspector.height() > docks.by_name["autograd"].height()
    assert table.visibleRegion().boundingRect().bottom() >= table.height() - 2


def test_finite_differences_that_grew_before_they_were_scrolled_to_come_into_view(window, tmp_path, qtbot):
    differences(window, tmp_path)
    inspector = window.docks.inspector
    bar = inspector.findChild(QScrollArea, "inspector.area").verticalScrollBar()
    inspector.findChild(FactRows).grown.emit()
    inspector._scroll_to_answer()
    bar.setValue(0)
    qtbot.waitUntil(lambda: bar.value() > 0)


class TestHeightAtTheRight:
    """The inspector has what the Autograd panel does not need, however high the window is."""

    @pytest.mark.parametrize("height", [760, 900, 1000])
    def test_nothing_is_empty_below_while_facts_are_cut_above(self, window, height):
        settle(window)
        window.resize(1600, height)
        settle(window)
        autograd = window.docks.autograd
        assert rect(window, "autograd").height() <= autograd.sizeHint().height() + 4
        assert rect(window, "inspector").height() >= 180

    def test_the_grad_fn_of_a_result_is_seen_at_first_start(self, course_window):
        window = course_window
        settle(window)
        window.document.select([window.document.program.named("y").statement])
        settle(window)
        label = window.docks.inspector.findChild(QLabel, "inspector.grad_fn")
        assert label.visibleRegion().boundingRect().height() == label.height()

    def test_widths_that_somebody_gave_stay_whatever_the_theme(self, window):
        settle(window)
        start = QPoint(rect(window, "inspector").left() - 2, 300)
        QTest.mousePress(window, LEFT, PLAIN, start)
        for dx in (20, 40, 60):
            QTest.mouseMove(window, start + QPoint(dx, 0))
            settle(window)
        QTest.mouseRelease(window, LEFT, PLAIN, start + QPoint(60, 0))
        settle(window)
        given = rect(window, "inspector").width()
        assert given < 280
        for name in ("dark", "contrast", "light"):
            choose(window, "show", "theme", f"theme.{name}")
            settle(window)
            assert rect(window, "inspector").width() == given
        choose(window, "show", "textSize", "textSize.150")
        settle(window)
        assert rect(window, "inspector").width() > given

    def test_what_somebody_shared_by_hand_stays(self, window):
        settle(window)
        window.resize(1280, 1000)
        settle(window)
        lower = rect(window, "autograd")
        start = QPoint(lower.center().x(), lower.top() - 2)
        QTest.mousePress(window, LEFT, PLAIN, start)
        for dy in (-20, -60, -100):
            QTest.mouseMove(window, start + QPoint(0, dy))
            settle(window)
        QTest.mouseRelease(window, LEFT, PLAIN, start + QPoint(0, -100))
        settle(window)
        shared = rect(window, "autograd").height()
        assert shared > lower.height() + 50
        window.resize(1280, 1040)
        settle(window)
        assert rect(window, "autograd").height() >= shared


@pytest.mark.parametrize("lang", list(i18n.LANGUAGES))
@pytest.mark.parametrize(("percent", "width"), [(300, 1280), (100, 427)])
def test_a_slim_window_leaves_the_canvas_most_of_its_width(course_window, looks, qapp, lang, percent, width):
    """The operators lie behind the panels at the right then, where a click on their tab, and /, find them."""
    window = course_window
    i18n.set_language(lang)
    theme.apply(qapp, theme.load("light"), percent)
    window.resize(width, 800)
    settle(window)
    window.resize(width, 800)
    settle(window)
    assert window.width() == width
    assert window.canvas.width() >= 0.6 * width
    for name in ("inspector", "tensors", "palette", "autograd"):
        window.docks.show_panel(name)
        settle()
        assert rect(window, name).width() >= 0.3 * width
        assert window.canvas.width() >= 0.6 * width
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Slash)
    settle()
    assert window.focusWidget() is window.docks.palette.search
    assert not window.docks.palette.search.visibleRegion().isEmpty()
    theme.apply(qapp, theme.load("light"), 100)
    window.resize(1280, 800)
    settle(window)
    assert rect(window, "palette").right() < window.canvas.mapTo(window, window.canvas.rect().topLeft()).x()
