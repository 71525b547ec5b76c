"""The memory of the backward graph: rows, sums, selection, sorting, copying."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTableView, QToolButton
from support.panels import CTRL, LEFT, PLAIN, child, click, clipboard, id_of, press, settle

from chalkgrad.engine.record import OPS
from chalkgrad.program import building, edits
from chalkgrad.program.statement import Dtype, Ref
from chalkgrad.session import retained
from chalkgrad.stepwise import Work
from chalkgrad_app.panels.memory import MemoryPanel
from chalkgrad_app.panels.memory_rows import letters

PROGRAM = """w = torch.ones(4, requires_grad=True)
a = w * w
v = a.view(2, 2)
y = (v * v).sum()
y.backward()
b = w.exp()
"""


@pytest.fixture
def document(from_text):
    return from_text(PROGRAM)


@pytest.fixture
def memory(document, show):
    return show(MemoryPanel(document), 700, 420)


def column(panel, title):
    at = panel.model.TITLES.index(title)
    return [panel.model.text(row, at) for row in range(panel.model.rowCount())]


def look_at(document, line):
    document.look_at_line(document.program.order[line - 1])
    settle()


def cell(panel, row, title):
    return panel.table.visualRect(panel.model.index(row, panel.model.TITLES.index(title))).center()


def shown(panel, name):
    return child(panel, f"memory.{name}", QLabel).text()


def test_a_row_says_who_saved_what_under_which_name_and_what_became_of_it(memory):
    assert column(memory, "grad_fn") == ["MulBackward0"] * 4 + ["ExpBackward0"]
    assert sorted(column(memory, "saved as")) == ["other", "other", "result", "self", "self"]
    assert column(memory, "tensor") == ["w", "w", "v", "v", "b"]
    assert column(memory, "line") == ["2", "2", "4", "4", "6"]
    assert column(memory, "bytes") == ["16"] * 5
    assert column(memory, "shape") == ["[4]", "[4]", "[2, 2]", "[2, 2]", "[4]"]
    assert column(memory, "state") == ["○ freed"] * 4 + ["● kept"]
    assert column(memory, "until") == ["line 5"] * 4 + [""]
    tip = memory.model.data(memory.model.index(0, 1), Qt.ItemDataRole.ToolTipRole)
    assert tip == "A backward has used and freed it (line 5)"


def test_the_same_memory_has_the_same_letter(memory):
    w, _, v, _, b = column(memory, "storage")
    assert len({w, v, b}) == 3
    assert column(memory, "storage")[:4] == [w, w, v, v]
    memory.choice.button(1).click()
    settle()
    assert dict(zip(column(memory, "storage"), column(memory, "tensors"), strict=True))[v] == "a, v"


def test_the_past_shows_what_was_kept_then(document, memory):
    look_at(document, 2)
    assert column(memory, "state") == ["● kept"] * 2
    assert shown(memory, "now.AS_IT_RAN") == "16 B"
    look_at(document, 4)
    assert column(memory, "state") == ["● kept"] * 4
    assert shown(memory, "now.AS_IT_RAN") == "32 B"
    document.back_to_now()
    settle()
    assert shown(memory, "now.AS_IT_RAN") == "16 B"


def test_what_retain_graph_would_mean_stands_beside_it(memory):
    assert shown(memory, "title.ALWAYS") == "retain_graph=True"
    assert shown(memory, "now.ALWAYS") == "48 B"
    assert shown(memory, "now.NEVER") == "16 B"
    assert "nothing ran for it" in child(memory, "memory.now.ALWAYS").toolTip()


def test_the_peak_says_when_it_was_and_goes_there(document, memory):
    assert shown(memory, "peak.AS_IT_RAN") == "32 B"
    button = child(memory, "memory.goToPeak", QToolButton)
    assert button.text() == "most: line 4"
    click(button)
    assert document.cursor_line is not None
    assert document.program.lines[document.cursor_line] == 4
    assert shown(memory, "now.AS_IT_RAN") == "32 B"


def test_a_click_selects_the_card_of_the_function_and_points_at_the_tensor(document, memory):
    QTest.mouseClick(memory.table.viewport(), LEFT, PLAIN, cell(memory, 0, "grad_fn"))
    assert document.selection == {id_of(document, "a")}
    assert set(document.pointed_out.cards) == {id_of(document, "a"), id_of(document, "w")}
    document.select([id_of(document, "b")])
    settle()
    assert {index.row() for index in memory.table.selectionModel().selectedRows()} == {4}
    memory.hide()
    assert not document.pointed_out.cards


def test_keys_go_through_the_rows_and_select_their_cards(document, memory):
    memory.focus_table()
    passed = []
    for _ in range(5):
        press(memory.table, Qt.Key.Key_Down)
        passed.append(document.program.lines[next(iter(document.selection))])
        assert len(memory.table.selectionModel().selectedRows()) == 1
    assert passed == [2, 4, 4, 6, 6]  # the focus had come to the first row


def test_a_heading_sorts_and_a_third_click_takes_that_back(from_text, show):
    document = from_text("w = torch.ones(9, requires_grad=True)\nb = w[:2].exp()\nc = w[:5].exp()\nd = w[:1].exp()\n")
    memory = show(MemoryPanel(document), 900, 420)
    header = memory.table.horizontalHeader()
    at = memory.model.TITLES.index("bytes")
    place = QPoint(header.sectionViewportPosition(at) + 5, header.height() // 2)

    def click_heading():
        QTest.mouseClick(header.viewport(), LEFT, PLAIN, place)
        settle()
        return column(memory, "bytes")

    assert column(memory, "bytes") == ["8", "20", "4"]
    assert click_heading() == ["4", "8", "20"]
    assert click_heading() == ["20", "8", "4"]
    assert click_heading() == ["8", "20", "4"]


def test_only_what_is_kept_where_that_is_wanted(memory):
    click(memory.kept_only, QPoint(8, memory.kept_only.height() // 2))
    assert memory.kept_only.isChecked()
    assert column(memory, "tensor") == ["b"]


def test_copy_gives_sums_and_rows_as_text(document, memory):
    memory.focus_table()
    press(memory.table, Qt.Key.Key_C, CTRL)
    sums, rows = clipboard().split("\n\n")
    assert sums.splitlines()[1] == "as it ran\t16 B\t32 B"
    assert rows.splitlines()[0].split("\t")[:3] == ["tensor", "state", "grad_fn"]
    assert len(rows.splitlines()) == 6
    document.select([id_of(document, "b")])
    settle()
    click(child(memory, "memory.copy"))
    assert len(clipboard().split("\n\n")[1].splitlines()) == 2


def test_a_number_that_was_saved_is_shown_as_itself_and_a_lost_graph_as_dropped(from_text, show):
    memory = show(MemoryPanel(from_text("w = torch.ones(2, requires_grad=True)\ny = w * 3\ny = w.exp()\n")), 900, 420)
    assert column(memory, "tensor") == ["3", "y"]
    assert column(memory, "state") == ["◌ dropped", "● kept"]
    assert column(memory, "until") == ["line 3", ""]
    faint = memory.model.data(memory.model.index(0, 0), Qt.ItemDataRole.ForegroundRole)
    assert faint is not None
    assert memory.model.data(memory.model.index(1, 0), Qt.ItemDataRole.ForegroundRole) is None


def test_it_speaks_chinese(chinese, memory):
    assert column(memory, "state")[0] == "○ 已释放"
    assert column(memory, "until")[0] == "第 5 行"
    assert shown(memory, "title.AS_IT_RAN") == "实际运行"
    assert memory.kept_only.text() == "只看保留的"


def test_storages_run_through_the_alphabet():
    assert [letters(number) for number in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_an_edit_is_followed(document, memory):
    document.delete([id_of(document, "b")])
    document.finish()
    settle()
    assert column(memory, "grad_fn") == ["MulBackward0"] * 4


def test_a_run_from_the_start_shows_the_same_rows_anew(document, memory):
    leaf = document.program[document.program.order[0]]
    changed = edits.put(document.program, leaf.with_option("dtype", Dtype("float64")))
    document.do(changed, "another dtype")
    document.finish()
    settle()
    assert column(memory, "bytes") == ["32"] * 5
    assert set(column(memory, "dtype")) == {"float64"}


def test_a_selected_node_has_its_rows_and_a_row_of_a_gradients_graph_selects_its_node(from_text, show):
    text = "w = torch.ones(2, requires_grad=True)\ny = (w * w * w).sum()\n"
    document = from_text(text + "g, = torch.autograd.grad(y, w, create_graph=True)\n")
    memory = show(MemoryPanel(document), 900, 420)
    node = memory.model.rows[0].node
    document.select_node(node)
    settle()
    chosen = {index.row() for index in memory.table.selectionModel().selectedRows()}
    assert chosen == {row for row, entry in enumerate(memory.model.rows) if entry.node == node}
    last = memory.model.rowCount() - 1
    QTest.mouseClick(memory.table.viewport(), LEFT, PLAIN, cell(memory, last, "grad_fn"))
    settle()
    assert document.node == memory.model.rows[last].node
    assert document.session.trace.graph_of(document.node) is not None


def test_tab_goes_from_above_to_below(memory):
    child(memory, "memory.goToPeak").setFocus()
    passed = []
    for _ in range(4):
        press(memory.focusWidget(), Qt.Key.Key_Tab)
        passed.append(memory.focusWidget().objectName())
    assert passed == ["memory.showSaved", "memory.keptOnly", "memory.copy", "memory.saved"]


def test_arrow_keys_choose_the_table(memory):
    child(memory, "memory.showSaved").setFocus()
    press(memory.focusWidget(), Qt.Key.Key_Right)
    assert memory.focusWidget().objectName() == "memory.showStorages"
    assert memory.table.objectName() == "memory.storages"
    assert column(memory, "tensors")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_what_matters_most_is_read_without_scrolling(request, document, show, language):
    if language == "zh_CN":
        request.getfixturevalue("chinese")
    memory = show(MemoryPanel(document), 304, 420)  # as wide as the dock is at first
    settle()
    heads, table = memory.model.TITLES, memory.table
    assert heads[:5] == ("tensor", "state", "grad_fn", "bytes", "storage")
    assert all(table.visualRect(memory.model.index(0, at)).right() < table.viewport().width() for at in range(5))
    whole = {heads[at] for at in range(5) if table.columnWidth(at) >= table.sizeHintForColumn(at)}
    assert whole >= {"tensor", "state", "bytes", "storage"}


def test_the_name_of_the_grad_fn_gets_what_room_there_is_until_somebody_sets_its_width(memory):
    at, table = memory.model.TITLES.index("grad_fn"), memory.table
    assert table.columnWidth(at) >= table.sizeHintForColumn(at)
    memory.resize(304, 420)
    settle()
    narrow = table.columnWidth(at)
    assert narrow < table.sizeHintForColumn(at)
    header = table.horizontalHeader()
    edge = QPoint(header.sectionViewportPosition(at) + narrow - 1, header.height() // 2)
    QTest.mousePress(header.viewport(), LEFT, PLAIN, edge)
    QTest.mouseMove(header.viewport(), edge + QPoint(60, 0))
    QTest.mouseRelease(header.viewport(), LEFT, PLAIN, edge + QPoint(60, 0))
    assert table.columnWidth(at) > narrow + 40
    chosen = table.columnWidth(at)
    memory.resize(310, 420)
    settle()
    assert table.columnWidth(at) == chosen


def one_step(work, _milliseconds):
    """Go on by one step, however short a time it takes."""
    try:
        next(work._steps)
    except StopIteration as end:
        work.result = end.value
    return work.result is not None


def add_exp(document):
    """Append another ``b.exp()``."""
    source = Ref(document.program.named("b").statement)
    document.do(lambda sheet: building.operator(sheet, OPS["exp"], [source], len(sheet.program)).change, "exp")


def test_what_happens_while_a_long_run_is_read_is_waited_for(from_text, show, qtbot, monkeypatch):
    """A line that is added meanwhile runs at once: what was read so far is of a shorter run."""
    monkeypatch.setattr(retained, "AT_ONCE", 4)
    monkeypatch.setattr(Work, "advance", one_step)
    document = from_text(PROGRAM)
    panel = show(MemoryPanel(document), 700, 420)
    seen = []
    for turns in range(1, 16):
        for _ in range(turns):
            QApplication.processEvents()
        seen.append(panel.model.rowCount())
        add_exp(document)
        document.finish()
    qtbot.waitUntil(lambda: panel.model.rowCount() == 20)
    assert seen[0] == 0, "it is read in slices"
    assert column(panel, "grad_fn") == ["MulBackward0"] * 4 + ["ExpBackward0"] * 16


def test_of_rows_that_nobody_sees_none_is_measured(memory, document, monkeypatch):
    """Hidden, Qt would measure all rows there are; they are measured when they are shown."""
    measured = []
    hint = QTableView.sizeHintForColumn
    monkeypatch.setattr(
        type(memory.table), "sizeHintForColumn", lambda table, n: measured.append(n) or hint(table, n), raising=False
    )
    memory.hide()
    add_exp(document)
    document.finish()
    assert "ExpBackward0" in memory.text()
    assert measured == []
    memory.show()
    settle()
    assert {*measured} == {*range(memory.model.columnCount())}
