"""A tensor's versions: the history, the failing case, and the ways to its moments."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from support.panels import CTRL, LEFT, PLAIN, child, click, clipboard, id_of, middle, press, settle

from chalkgrad_app.covering import Cover
from chalkgrad_app.panels.row_list import ROW
from chalkgrad_app.panels.versions import VersionsPanel
from chalkgrad_app.pointing import Part

PROGRAM = """w = torch.tensor([1., 2.], requires_grad=True)
a = w * 2
v = a.view(2, 1)
y = a * a
s = y.sum()
s.backward(retain_graph=True)
v.add_(1)
s.backward()
"""


@pytest.fixture
def document(from_text):
    return from_text(PROGRAM)


@pytest.fixture
def versions(document, show):
    document.select([id_of(document, "a")])
    return show(VersionsPanel(document), 360, 640)


def words(panel):
    return [row.words for row in panel.rows.rows]


def line_of_cursor(document):
    return None if document.cursor_line is None else document.program.lines[document.cursor_line]


def parts(document):
    lines = document.program.lines
    return [(played.part, lines[played.card], played.words) for played in document.pointed_out.parts]


def test_the_history_says_who_wrote_saved_and_read(versions):
    assert words(versions) == [
        "a is made",
        "v shares its memory and its counter",
        "MulBackward0 saves other, self at v0",
        "MulBackward0 reads other, self and finds v0, as saved",
        "v is written: v0 → v1",
        "MulBackward0 finds v1 where it had saved v0: error",
    ]
    assert [row.line for row in versions.rows.rows] == ["2", "3", "4", "6", "7", "8"]
    assert versions.text().splitlines()[:2] == ["a  v1", "One counter with v"]


def test_views_have_the_same_history(document, versions):
    told = words(versions)
    document.select([id_of(document, "v")])
    settle()
    assert words(versions) == told
    assert versions.text().splitlines()[:2] == ["v  v1", "One counter with a"]


def test_the_failing_case_points_at_saver_writer_and_reader(document, versions):
    said = [child(versions, f"versions.{part}").text() for part in ("saver", "writer", "reader")]
    assert said[:2] == ["Saver: a at v0, by MulBackward0", "Writer: v is written, v1"]
    assert said[2] == "Reader: MulBackward0 needs v0, finds v1"
    assert parts(document) == [
        (Part.SAVER, 4, "Saver: v0"),
        (Part.WRITER, 7, "Writer: v1"),
        (Part.READER, 4, "Reader: v0 ≠ v1"),
    ]


@pytest.mark.parametrize(("part", "line", "card"), [("saver", 4, 4), ("writer", 7, 7), ("reader", 8, 5)])
def test_each_part_has_a_button_that_goes_there_and_the_history_stays(document, versions, part, line, card):
    told = words(versions)
    moved = []
    versions.chosen.connect(moved.append)
    click(child(versions, f"versions.goTo.{part}", QToolButton))
    assert (line_of_cursor(document) or 8) == line
    assert [document.program.lines[id_] for id_ in document.selected_statements] == [card]
    assert moved == [document.selected_statements]
    assert words(versions) == told
    assert child(versions, "versions.writer").isVisible()


def test_without_a_selection_the_last_conflict_is_told(document, versions):
    document.clear_selection()
    settle()
    assert versions.text().startswith("a  v1")
    document.select([document.program.order[-1]])  # the backward that failed
    settle()
    assert versions.text().startswith("a  v1")


def test_nothing_is_pointed_at_by_a_panel_that_nobody_sees(document, versions):
    versions.hide()
    assert not document.pointed_out.parts


def test_what_is_to_come_is_there_and_faint(document, versions):
    document.look_at_line(document.program.order[3])
    settle()
    assert [row.is_to_come for row in versions.rows.rows] == [False] * 3 + [True] * 3
    assert versions.text().startswith("a  v0")
    assert versions.list.currentIndex().row() == 2


def test_a_click_and_enter_go_to_the_moment_of_a_row(document, versions):
    QTest.mouseClick(versions.list.viewport(), LEFT, PLAIN, middle(versions.list, 2))
    settle()
    assert line_of_cursor(document) == 4
    versions.focus_list()
    press(versions.list, Qt.Key.Key_Down)
    press(versions.list, Qt.Key.Key_Return)
    assert line_of_cursor(document) == 6
    assert document.state.inside  # at the node that reads, not at the end of the backward


def test_a_write_past_the_counter_is_marked(from_text, show):
    document = from_text(
        "w = torch.tensor([1.], requires_grad=True)\ny = (w * w).sum()\nw.data.add_(1)\ny.backward()\n"
    )
    document.select([id_of(document, "w")])
    panel = show(VersionsPanel(document), 360, 500)
    assert words(panel)[-4:] == [
        ".data shows its memory, but has a counter of its own",
        "written past the counter: still v0",
        "MulBackward0 reads other, self and finds v0, as saved, but other values: nobody notices",
        "MulBackward0 frees other, self",
    ]
    assert not document.pointed_out.parts


def test_nothing_selected_says_what_to_do_and_copies_nothing(from_text, show):
    panel = show(VersionsPanel(from_text("w = torch.ones(2)\n")), 360, 400)
    assert panel.text() == "Select a tensor to see who wrote it, and who saved which version."
    assert not child(panel, "versions.copy").isEnabled()
    assert not panel.list.isVisible()


def test_copy_gives_all_of_it(versions):
    versions.focus_list()
    press(versions.list, Qt.Key.Key_C, CTRL)
    assert clipboard() == versions.text()
    assert "v1  v is written: v0 → v1  (7  v.add_(1))" in clipboard()


def test_rows_are_read_out_whole(versions):
    index = versions.rows.index(4)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == index.data(ROW).text()


def test_mending_takes_the_conflict_away(document, versions):
    document.delete([document.program.order[6]])
    document.finish()
    document.select([id_of(document, "a")])
    settle()
    assert not [words for words in versions.text().splitlines() if words.startswith("Writer")]
    assert not document.pointed_out.parts


def test_it_speaks_chinese(chinese, versions):
    assert words(versions)[4] == "v 被改写：v0 → v1"
    assert child(versions, "versions.writer").text().startswith("改写者")


def test_a_failure_that_is_to_be_predicted_is_not_given_away(document, versions):
    document.covers.toggle_asking(Cover.OUTCOMES)
    settle()
    assert words(versions)[-1] == "MulBackward0 saves other, self at v0"
    assert not document.pointed_out.parts
    document.covers.toggle_asking(Cover.OUTCOMES)
    settle()
    assert "error" in words(versions)[-1]


def test_tab_goes_from_above_to_below(versions):
    child(versions, "versions.copy").setFocus()
    passed = []
    for _ in range(4):
        press(versions.focusWidget(), Qt.Key.Key_Tab)
        passed.append(versions.focusWidget().objectName())
    assert passed == [
        *("versions.goTo.saver", "versions.goTo.writer", "versions.goTo.reader"),
        "versions.list",
    ]


def test_a_selected_node_tells_of_what_it_saved(document, versions):
    nodes = document.session.trace.nodes
    document.select_node(max(number for number, node in enumerate(nodes) if node.name == "MulBackward0"))
    settle()
    assert versions.text().startswith("a  v1")


def test_rows_that_just_fit_do_not_wrap_to_and_fro(versions):
    rows = versions.list
    rows.setMinimumHeight(1)
    heights = set()
    for width in range(150, 420, 6):
        versions.resize(width, 640)
        settle()
        needed = sum(rows.sizeHintForRow(row) for row in range(rows.model().rowCount()))
        heights.add(needed)
        for spare in (0, -1, 1):  # with the bar, and without it
            rows.resize(rows.width(), needed + spare)
            settle()
            assert sum(rows.sizeHintForRow(row) for row in range(rows.model().rowCount())) == needed
            assert rows.verticalScrollBar().maximum() == max(0, -spare)
    assert len(heights) > 3
