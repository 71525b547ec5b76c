"""The program panel: the one list of code, order, status and time."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLayout, QMenu
from support.panels import CTRL, LEFT, PLAIN, child, click, clipboard, id_of, middle, press, settle

from chalkgrad.program import building, edits
from chalkgrad.program.statement import Array, Kind, Ref, Statement
from chalkgrad.session.state import Status
from chalkgrad.source import literals
from chalkgrad_app import steps
from chalkgrad_app.panels.program import ProgramPanel
from chalkgrad_app.panels.program_rows import Part


@pytest.fixture
def panel(document, show):
    return show(ProgramPanel(document), 700, 320)


def rows(panel):
    return panel.text().split("\n")


def click_row(panel, row, keys=PLAIN):
    QTest.mouseClick(panel.list.viewport(), LEFT, keys, middle(panel.list, row))
    settle()


def click_number(panel, row):
    rect = panel.list.visualRect(panel.list.rows.index(row))
    QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, QPoint(rect.left() + 12, rect.center().y()))
    settle()


def test_it_shows_the_pytorch_text_with_its_numbers(panel):
    assert rows(panel) == [
        "w = torch.tensor([1.], requires_grad=True)",
        "x = torch.tensor([2.])",
        "a = torch.add(w, x)",
        "b = torch.add(w, 1)",
        "y = torch.mul(a, b)",
    ]
    assert [row.number for row in panel.list.rows.rows] == [1, 2, 3, 4, 5]
    assert panel.where.text() == "line 5 of 5"


def test_selection_goes_both_ways(document, panel):
    click_row(panel, 2)
    assert document.selection == {id_of(document, "a")}
    click_row(panel, 4, CTRL)
    assert document.selection == {id_of(document, "a"), id_of(document, "y")}
    document.select([id_of(document, "w")])
    settle()
    assert panel.selected() == [id_of(document, "w")]
    document.clear_selection()
    settle()
    assert panel.selected() == []


def test_a_click_on_a_number_looks_at_the_moment_after_that_line(document, panel):
    click_number(panel, 2)
    assert document.is_past
    assert document.cursor_line == id_of(document, "a")
    assert document.selection == frozenset()
    assert panel.where.text() == "line 3 of 5"
    assert panel.list.rows.status(panel.list.rows.rows[4]) is Status.TO_COME
    click_number(panel, 4)
    assert not document.is_past


def test_page_keys_and_buttons_walk_through_time(document, panel):
    panel.list.setFocus()
    press(panel.list, Qt.Key.Key_PageUp)
    assert panel.where.text() == "line 4 of 5"
    press(panel.list, Qt.Key.Key_PageUp)
    press(panel.list, Qt.Key.Key_PageDown)
    assert panel.where.text() == "line 4 of 5"
    click(child(panel, "program.first"))
    assert panel.where.text() == "line 1 of 5"
    click(child(panel, "program.next"))
    assert panel.where.text() == "line 2 of 5"
    click(child(panel, "program.previous"))
    assert panel.where.text() == "line 1 of 5"
    click(child(panel, "program.now"))
    assert not document.is_past


def test_inside_a_backward_it_counts_events(document, panel):
    steps.run(document, steps.backward)
    document.finish()
    document.step_event(-1)
    document.step_event(-1)
    settle()
    assert panel.where.text().startswith("line 6, event ")


def test_delete_takes_lines_out_and_undo_brings_them_back(document, panel):
    steps.run(document, steps.backward)
    settle()
    click_row(panel, 5)
    press(panel.list, Qt.Key.Key_Delete)
    assert rows(panel)[-1] == "y = torch.mul(a, b)"
    document.undo_stack.undo()
    settle()
    assert rows(panel)[-1] == "y.backward()"


def test_a_deleted_line_leaves_an_open_port(document, panel):
    click_row(panel, 3)
    press(panel.list, Qt.Key.Key_Backspace)
    assert rows(panel)[3].startswith("# y = torch.mul(a, ")
    assert panel.list.rows.status(panel.list.rows.rows[3]) is Status.WAITING


def test_an_error_stands_under_its_line(document, panel):
    for _ in range(2):
        steps.run(document, steps.backward)
    document.finish()
    settle()
    error = panel.list.rows.rows[-1]
    assert error.part is Part.ERROR
    assert error.text.startswith("RuntimeError: Trying to backward through the graph a second time")
    assert panel.list.rows.status(panel.list.rows.rows[-2]) is Status.FAILED
    document.look_at_line(id_of(document, "y"))
    settle()
    assert panel.list.rows.rows[-1].part is Part.FIRST


def test_another_number_leaves_the_rows_as_they_are(document, panel):
    resets = []
    panel.list.rows.modelReset.connect(lambda: resets.append(panel.text()))
    change_number(document, "w", 7.0)
    assert rows(panel)[0] == "w = torch.tensor([7.], requires_grad=True)"
    document.undo_stack.undo()
    assert rows(panel)[0] == "w = torch.tensor([1.], requires_grad=True)"
    assert resets == []
    change_number(document, "b", 5, port=1)
    assert rows(panel)[3] == "b = torch.add(w, 5)"
    document.append(building.again(Ref(id_of(document, "y"))))
    panel.catch_up()
    change_number(document, "b", 6, port=1)
    assert [row for row in rows(panel) if row.endswith("torch.add(w, 6)")] == [rows(panel)[3], rows(panel)[6]]


def change_number(document, name, number, port=0):
    statement = document.program[id_of(document, name)].with_port(port, number)
    document.do(edits.put(document.program, statement), "number")
    document.finish()


def test_a_jump_in_time_paints_the_list_once(document, panel):
    steps.run(document, steps.backward)
    document.finish()
    settle()
    painted = []

    class Painted(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint:
                painted.append(event.region().boundingRect())
            return False

    watching = Painted()
    panel.list.viewport().installEventFilter(watching)
    for position in (3, len(document.session.trace) - 4, 9):
        document.look_at(position)
        settle()
        assert len(painted) == 1
        painted.clear()


def test_a_line_that_runs_others_again_shows_them(document, panel):
    document.append(building.again(Ref(id_of(document, "y"))))
    document.finish()
    settle()
    assert rows(panel)[5:] == ["a = torch.add(w, x)", "b = torch.add(w, 1)", "y = torch.mul(a, b)"]
    assert [row.number for row in panel.list.rows.rows[5:]] == [6, None, None]
    click_row(panel, 7)
    assert panel.selected() == [document.program.order[-1]]
    assert {index.row() for index in panel.list.selectionModel().selectedIndexes()} == {5, 6, 7}


def open_menu(panel, row):
    panel.list.customContextMenuRequested.emit(middle(panel.list, row))
    settle()
    return panel.findChild(QMenu, "program.menu")


def choose(menu, name):
    action = next(action for action in menu.actions() if action.objectName() == name)
    assert action.isEnabled()
    action.trigger()
    menu.close()
    settle()


def test_lines_are_copied_as_code(document, panel):
    click_row(panel, 2)
    click_row(panel, 3, CTRL)
    press(panel.list, Qt.Key.Key_C, CTRL)
    assert clipboard() == "a = torch.add(w, x)\nb = torch.add(w, 1)"
    choose(open_menu(panel, 2), "program.menu.copyLine")
    assert clipboard() == "a = torch.add(w, x)\nb = torch.add(w, 1)"
    choose(open_menu(panel, 2), "program.menu.copyAll")
    assert clipboard().startswith("import torch\n")


def test_a_line_of_many_numbers_is_shown_in_brief_and_copied_whole(document, panel, monkeypatch):
    whole = []
    monkeypatch.setattr(literals, "_array_text", lambda array: whole.append(array.size) or "0.")
    leaf = Statement(0, Kind.LEAF, "tensor", ("m",), (Array.of(np.zeros((300, 400), np.float32)),))
    document.build(lambda sheet, at: building.append(sheet, leaf, at), "m")
    document.finish()
    settle()
    assert rows(panel)[-1].count("...") == 7, "three rows, dots, three rows, with dots in each"
    panel.grab()
    assert max(whole) == 1, "no line that is only looked at is written whole"
    click_row(panel, len(rows(panel)) - 1)
    monkeypatch.undo()
    press(panel.list, Qt.Key.Key_C, CTRL)
    assert clipboard().count("0.") == 120_000


def test_a_double_click_goes_to_the_card(document, panel):
    steps.run(document, steps.backward)
    settle()
    opened = []
    panel.line_opened.connect(opened.append)
    for row in (2, 5):
        QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, middle(panel.list, row))
        QTest.mouseDClick(panel.list.viewport(), LEFT, PLAIN, middle(panel.list, row))
    assert opened == [id_of(document, "a"), id_of(document, "y")]


def test_an_edit_in_the_middle_says_when_it_ran_again(document, panel):
    from dataclasses import replace

    from chalkgrad.program import edits

    assert panel.ran.text() == ""
    leaf = document.program[1]
    document.do(lambda sheet: edits.put(sheet.program, replace(leaf, operands=((3.0,),))), "edit")
    document.finish()
    settle()
    assert panel.ran.text().startswith("ran again ")


def test_in_a_narrow_panel_the_words_give_way_in_the_order_of_their_worth(document, panel):
    from dataclasses import replace

    from chalkgrad.program import edits

    document.do(lambda sheet: edits.put(sheet.program, replace(document.program[1], operands=((3.0,),))), "edit")
    document.finish()
    document.look_at_line(id_of(document, "x"))
    settle()
    panel.layout().setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    panel.setMinimumSize(0, 0)
    shown = []
    for width in range(panel.width() + 200, 20, -10):
        panel.resize(width, panel.height())
        settle()
        shown.append((panel.ran.isVisible(), panel.title.isVisible()))
        for label in (panel.ran, panel.title, panel.where):
            if shown[-1] != (False, False):
                assert not label.isVisible() or label.width() >= label.sizeHint().width()
    assert list(dict.fromkeys(shown)) == [(True, True), (False, True), (False, False)]


def test_an_arrow_says_where_one_is(document, panel):
    document.look_at_line(id_of(document, "x"))
    settle()
    here = [panel.list.delegate.is_here(row) for row in panel.list.rows.rows]
    assert here == [False, True, False, False, False]


def test_it_paints_in_every_theme_and_size(document, panel, qapp):
    from chalkgrad_app.style import theme

    steps.run(document, steps.backward)
    steps.run(document, steps.backward)
    document.finish()
    pictures = set()
    try:
        for name in theme.NAMES:
            for size in (100, 200):
                theme.apply(qapp, theme.load(name), size)
                settle()
                pictures.add(panel.grab().toImage().pixelColor(panel.list.geometry().center()).name())
                assert panel.list.visualRect(panel.list.rows.index(0)).height() >= 15 * size // 100
        assert len(pictures) > 1
    finally:
        theme.apply(qapp, theme.load("light"), 100)


def test_five_thousand_lines_are_no_burden(from_text, show):
    text = "w = torch.tensor([1.], requires_grad=True)\na0 = w + 1\n"
    document = from_text(text + "".join(f"a{n} = a{n - 1} + 1\n" for n in range(1, 5000)))
    panel = show(ProgramPanel(document), 700, 170)
    began = time.process_time()
    for id_ in document.program.order[1000:1010]:
        document.look_at_line(id_)
        settle()
        panel.list.viewport().repaint()
    assert (time.process_time() - began) / 10 < 0.1
    assert panel.list.visualRect(panel.list.rows.index(1009)).intersects(panel.list.viewport().rect())


def test_a_line_that_is_just_gone_can_not_be_opened(document, panel, qtbot):
    opened = []
    panel.line_opened.connect(opened.append)
    y = id_of(document, "y")
    at = middle(panel.list, panel.list.rows.row_of(y))
    QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, at)
    document.delete([y])
    with qtbot.captureExceptions() as raised:
        QTest.mouseDClick(panel.list.viewport(), LEFT, PLAIN, at)
    assert not raised
    assert opened == []


def test_wrapped_lines_are_indented_under_their_with_line(document, panel):
    click_row(panel, 3)
    menu = open_menu(panel, 3)
    choose(menu, "program.menu.wrap")
    assert rows(panel)[3:5] == ["with torch.no_grad():", "b = torch.add(w, 1)"]
    assert [row.indent for row in panel.list.rows.rows[3:5]] == [0, 1]
    document.finish()
    assert not document.state.tensor(id_of(document, "b")).requires_grad


def test_wrapping_what_can_not_stand_together_is_refused(from_text, show):
    document = from_text("w = torch.tensor([1.])\na = w + 1\nb = a + 1\nc = b + 1\n")
    panel = show(ProgramPanel(document), 700, 320)
    told = []
    document.told.connect(told.append)
    click_row(panel, 1)
    click_row(panel, 3, CTRL)
    choose(open_menu(panel, 3), "program.menu.wrap")
    assert told == ["A line between them needs one of these and is needed by another."]
    assert not document.program.blocks


class TestNoLineIsCut:
    """The list begins and ends with whole lines, however high it is and however it is scrolled."""

    @pytest.fixture(params=[300, 307, 313])
    def long(self, from_text, show, request):
        text = "".join(f"a{number} = torch.tensor([{number}.])\n" for number in range(60))
        panel = show(ProgramPanel(from_text(text)), 700, request.param)
        settle()
        return panel

    def shown(self, panel):
        """Which rows are seen, the first and the last of them as far as they are."""
        view = panel.list.viewport()
        height = panel.list.visualRect(panel.list.rows.index(0)).height()
        tops = [panel.list.visualRect(panel.list.rows.index(row)).top() for row in range(60)]
        seen = [row for row, top in enumerate(tops) if top + height > 0 and top < view.height()]
        assert all(0 <= tops[row] <= view.height() - height for row in seen)
        return seen

    def test_by_wheel(self, long):
        view = long.list.viewport()
        at = QPointF(200, 40)
        first = self.shown(long)[0]
        for _ in range(7):
            event = QWheelEvent(
                at,
                QPointF(view.mapToGlobal(at.toPoint())),
                QPoint(),
                QPoint(0, 40),
                Qt.MouseButton.NoButton,
                PLAIN,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(view, event)
            settle()
            self.shown(long)
        assert self.shown(long)[0] < first

    def test_by_keys_to_the_last_line(self, long):
        click_row(long, self.shown(long)[0])
        press(long.list, Qt.Key.Key_End, CTRL)
        assert self.shown(long)[-1] == 59
        press(long.list, Qt.Key.Key_Up)
        self.shown(long)
        press(long.list, Qt.Key.Key_Home, CTRL)
        assert self.shown(long)[0] == 0

    def test_at_another_height(self, long):
        for height in (290, 273, 341):
            long.resize(700, height)
            settle()
            self.shown(long)

    def test_the_end_stays_in_view_in_a_smaller_list(self, long):
        for height in (700, 290, 180, 400):
            long.resize(700, height)
            settle()
            assert self.shown(long)[-1] == 59

    def test_who_looks_at_the_beginning_stays_there_in_a_smaller_list(self, long):
        press(long.list, Qt.Key.Key_Home, CTRL)
        for height in (400, 180, 290):
            long.resize(700, height)
            settle()
            assert self.shown(long)[0] == 0
