"""The panel that shows the engine inside a backward."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
from support.panels import CTRL, child, click, clipboard, id_of, press, settle

from chalkgrad.program.sheet import Sheet
from chalkgrad.session.events import EventKind
from chalkgrad.source import read
from chalkgrad_app import settings
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.document import Document, PointedOut
from chalkgrad_app.panels.engine import EnginePanel
from chalkgrad_app.panels.engine_rows import MOST, Stage
from chalkgrad_app.picture.node_face import node_face

COURSE = """w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
y = a * b
y.backward(retain_graph=True)
y.backward()
"""


@pytest.fixture
def course(from_text):
    return from_text(COURSE)


@pytest.fixture
def panel(course, show):
    return show(EnginePanel(course))


def go(document, kind, number=0):
    """Look at the moment right after an event of a kind."""
    at = [index + 1 for index, event in enumerate(document.session.trace.events) if event.kind is kind]
    document.look_at(at[number])
    settle()


def shown(panel):
    """The rows as a person reads them, by stage."""
    found = {}
    for row in panel.list.rows.rows:
        if row.node is not None:
            found.setdefault(row.stage, []).append((row.title, row.came, [*row.details]))
    return found


def node_of(panel, stage, place=0):
    """The number of a node that is listed."""
    return [row.node for row in panel.list.rows.rows if row.stage is stage and row.node is not None][place]


def words(panel, name):
    return child(panel, f"engine.{name}", QLabel).text()


def row_middle(panel, node):
    index = panel.list.rows.index(panel.list.rows.row_of(node))
    return panel.list.visualRect(index).center()


def test_outside_of_a_backward_it_offers_to_step_into_one(course, panel):
    course.look_at_line(id_of(course, "a"))
    settle()
    assert not panel.list.isVisible()
    click(child(panel, "engine.enter", QAbstractButton))
    assert course.session.trace.events[course.cursor - 1].kind is EventKind.BACKWARD_BEGAN
    assert course.cursor_line == course.program.order[5]
    assert panel.list.isVisible()
    assert not course.is_modified


def test_without_a_backward_it_says_so(from_text, show):
    panel = show(EnginePanel(from_text("w = torch.tensor([1.], requires_grad=True)\n")))
    assert words(panel, "why").startswith("No backward has run yet")
    assert not [button for button in panel.findChildren(QAbstractButton, "engine.enter") if button.isVisible()]


def test_the_ready_queue_in_the_order_in_which_nodes_are_taken(course, panel):
    go(course, EventKind.NODE_READY, 2)
    found = shown(panel)
    assert found[Stage.NOW] == [
        ("MulBackward0 of line 5", "", ["gets [1.]", "[2.] → AddBackward0 of line 3", "[3.] → AddBackward0 of line 4"])
    ]
    assert found[Stage.READY] == [
        ("AddBackward0 of line 4", "1 / 1", ["[3.]"]),
        ("AddBackward0 of line 3", "1 / 1", ["[2.]"]),
    ]
    title, count, details = found[Stage.TO_COME][0]
    assert (title, count) == ("AccumulateGrad (w)", "0 / 2")
    assert details == ["needs 2: from AddBackward0 of line 3, AddBackward0 of line 4"]


def test_a_node_that_waits_says_for_whom_and_why(course, panel):
    go(course, EventKind.NODE_RAN, 1)
    title, count, details = shown(panel)[Stage.WAITING][0]
    assert (title, count) == ("AccumulateGrad (w)", "1 / 2")
    assert details == ["[3.]", "waits for 1 more: from AddBackward0 of line 3"]
    assert words(panel, "why").startswith("AccumulateGrad (w) has to wait for AddBackward0 of line 3")
    assert "topological order" in words(panel, "why")


def test_the_sum_is_made_before_the_eyes(course, panel):
    go(course, EventKind.SUMMED)
    assert words(panel, "title") == "paths join at AccumulateGrad (w): + [2.] = [5.]"
    assert shown(panel)[Stage.WAITING][0][2][0] == "[3.] + [2.] = [5.]"
    assert "come together" in words(panel, "why")
    course.step_event(-1)
    settle()
    assert shown(panel)[Stage.WAITING][0][2][0] == "[3.] + [2.]"


def test_why_order_matters_is_said_only_where_a_node_has_to_wait(course, panel):
    go(course, EventKind.NODE_RAN, 0)
    assert not [label for label in panel.findChildren(QLabel, "engine.why") if label.isVisible()]


def test_what_is_done_and_freed(course, panel):
    go(course, EventKind.BACKWARD_ENDED, 0)
    kept = shown(panel)[Stage.DONE]
    assert kept[-1] == ("MulBackward0 of line 5", "", ["[1.] → [2.], [3.]"])
    go(course, EventKind.BACKWARD_ENDED, 1)
    freed = shown(panel)[Stage.DONE]
    assert freed[0][0] == "AccumulateGrad (w)"
    assert freed[-1][2] == ["[1.] → [2.], [3.] · freed"]


def test_stepping_keeps_the_node_that_was_chosen(course, panel):
    go(course, EventKind.NODE_RAN, 0)
    leaf = node_of(panel, Stage.TO_COME)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=row_middle(panel, leaf))
    settle()
    assert course.selection == {id_of(course, "w")}
    go(course, EventKind.NODE_RAN, 1)
    assert panel.list.row(panel.list.currentIndex()).node == leaf


def test_a_node_under_the_pointer_and_those_it_waits_for_are_lit(course, panel):
    go(course, EventKind.NODE_RAN, 1)
    leaf = node_of(panel, Stage.WAITING)
    QTest.mouseMove(panel.list.viewport(), QPoint(5, panel.list.viewport().height() - 2))
    QTest.mouseMove(panel.list.viewport(), row_middle(panel, leaf))
    settle()
    w, a = id_of(course, "w"), id_of(course, "a")
    pointed = course.pointed_out
    assert (pointed.cards, pointed.links) == ((w, a), frozenset({(a, w)}))
    assert [course.session.trace.nodes[node].statement for node in pointed.nodes] == [w, a]
    panel.hide()
    settle()
    assert course.pointed_out == PointedOut()


def test_by_keys_alone(course, panel):
    go(course, EventKind.NODE_READY, 2)
    panel.focus_list()
    settle()
    assert panel.list.hasFocus()
    titles = [panel.list.row(panel.list.currentIndex()).title]
    while titles[-1:] != ["AddBackward0 of line 4"]:
        press(panel.list, Qt.Key.Key_Down)
        row = panel.list.row(panel.list.currentIndex())
        titles += [] if row is None else [row.title]
        assert len(titles) < 9
    assert titles[0] == "MulBackward0 of line 5"
    assert course.pointed_out.cards == (id_of(course, "b"),)
    press(panel.list, Qt.Key.Key_Space)
    assert course.selection == {id_of(course, "b")}
    QTest.keyClick(panel.list, Qt.Key.Key_C, CTRL)
    assert clipboard() == panel.text()
    assert "Ready queue (2)" in clipboard()


def test_covered_gradients_stay_covered(course, panel):
    course.cover(True)
    go(course, EventKind.SUMMED)
    assert shown(panel)[Stage.WAITING][0][2][0] == "? + ? = ?"
    assert "[5.]" not in panel.text()
    course.cover(False)
    settle()
    assert shown(panel)[Stage.WAITING][0][2][0] == "[3.] + [2.] = [5.]"


def test_of_many_nodes_the_first_are_listed_and_all_are_copied(from_text, show):
    most = MOST[Stage.TO_COME]
    lines = ["w = torch.tensor([1.], requires_grad=True)"]
    lines += [f"a{n} = {'w' if not n else f'a{n - 1}'} * 2" for n in range(3 * most)]
    document = from_text("\n".join([*lines, f"a{3 * most - 1}.backward()"]))
    panel = show(EnginePanel(document))
    go(document, EventKind.NODE_READY, 0)
    headings = [row.title.strip() for row in panel.list.rows.rows if row.node is None]
    assert f"and {2 * most} more" in headings
    assert len(shown(panel)[Stage.TO_COME]) == most
    assert panel.text().count("MulBackward0 of line") > 3 * most


def test_nodes_of_one_line_are_told_apart_as_on_the_canvas(from_text, show):
    lines = [
        "w = torch.tensor([2.], requires_grad=True)",
        "x = torch.ones(2, 3, requires_grad=True)",
        "y = ((w * 2) * (w * 3)).sum() + x[0:1, 0:1]",
        "y.backward()",
    ]
    document = from_text("\n".join(lines))
    panel = show(EnginePanel(document))
    go(document, EventKind.NODE_READY, 0)
    rows = panel.list.rows.rows
    names = [row.title for row in rows if row.node is not None]
    assert len(set(names)) == len(names)
    assert {"AddBackward0 of line 3", "MulBackward0 of w * 2, line 3"} <= {*names}
    assert {"SliceBackward0 of x[0:1, 0:1], line 3", "SliceBackward0 (2) of x[0:1, 0:1], line 3"} <= {*names}


def test_a_long_name_is_read_to_its_end(from_text, show):
    source = "w = torch.tensor([2.], requires_grad=True)\ny = (w * w * w * w * w).exp()\ny.backward()\n"
    document = from_text(source)
    panel = show(EnginePanel(document))
    go(document, EventKind.NODE_RAN, 1)
    row = next(at for at, row in enumerate(panel.list.rows.rows) if row.stage is Stage.NOW and row.node is not None)
    narrow = panel.list.visualRect(panel.list.rows.index(row)).height()
    panel.resize(900, 420)
    settle()
    assert panel.list.visualRect(panel.list.rows.index(row)).height() < narrow


def test_nodes_that_a_backward_recorded_are_called_as_on_the_canvas(from_text, show):
    lines = ["x = torch.tensor(2., requires_grad=True)", "y = torch.sin(x) * x"]
    lines += ["g, = torch.autograd.grad(y, x, create_graph=True)", "g.backward()"]
    document = from_text("\n".join(lines))
    panel = show(EnginePanel(document))
    go(document, EventKind.BACKWARD_BEGAN, 1)
    canvas = GraphCanvas(document)
    layer = canvas.picture.gradients
    faces = [node_face(canvas.picture, row) for row in range(len(layer))]
    functions = [document.state.nodes[face.number].name for face in faces]
    marks = [f"({face.gradient})" if face.gradient else face.mark for face in faces]
    called = {f"{function} {mark}" for function, mark in zip(functions, marks, strict=True)}
    listed = {row.title for row in panel.list.rows.rows if row.node is not None}
    assert len(called & listed) > 3
    assert "AddBackward0 (g)" in called & listed
    assert any("#" in name for name in called & listed)
    canvas.deleteLater()


def test_in_chinese(course, show, chinese):
    panel = show(EnginePanel(course))
    go(course, EventKind.NODE_RAN, 1)
    assert "还差 1 个" in panel.text()
    assert "拓扑顺序" in panel.text()


def test_a_screen_reader_reads_whole_rows(course, panel):
    go(course, EventKind.NODE_RAN, 1)
    rows = panel.list.rows
    leaf = rows.row_of(node_of(panel, Stage.WAITING))
    spoken = rows.data(rows.index(leaf), Qt.ItemDataRole.AccessibleTextRole)
    assert "AccumulateGrad (w)  1 / 2" in spoken
    assert "waits for 1 more" in spoken
    interface = QAccessible.queryAccessibleInterface(panel.list)
    assert interface.text(QAccessible.Text.Name) == "Nodes of the backward"


def test_an_edit_shows_the_new_run(course, panel):
    go(course, EventKind.NODE_RAN, 1)
    course.delete([course.program.order[6]])
    course.finish()
    settle()
    assert "AccumulateGrad (w)" in panel.text()
    course.delete(course.program.order)
    course.finish()
    settle()
    assert words(panel, "why").startswith("No backward has run yet")


def test_a_backward_recorded_in_brief_says_so(qapp, show):
    settings.MOST_EVENTS.set(30)
    document = Document(Sheet(read.read_source("import torch\n" + COURSE)))
    document.finish()
    panel = show(EnginePanel(document))
    go(document, EventKind.ACCUMULATED)
    assert words(panel, "why").startswith("Only what this backward came to was recorded")
    document.deleteLater()


def test_what_a_hook_prints_is_said_to_be_printed(from_text, show):
    source = "w = torch.tensor([2.], requires_grad=True)\nw.register_hook(print)\n(w * 3).backward()\n"
    document = from_text(source)
    panel = show(EnginePanel(document))
    go(document, EventKind.PRINTED)
    assert words(panel, "title") == "prints tensor([3.])"


def test_keys_go_from_node_to_node_and_never_to_a_heading(course, panel):
    go(course, EventKind.NODE_READY, 2)
    panel.focus_list()
    settle()
    assert panel.list.row(panel.list.currentIndex()) is not None
    for _ in range(4):
        press(panel.list, Qt.Key.Key_Down)
        assert panel.list.row(panel.list.currentIndex()) is not None


def test_only_nodes_of_earlier_rounds_are_told_with_their_round(from_text, show):
    lines = ["w = torch.tensor([2.], requires_grad=True)", "total = torch.zeros(1)", "for k in range(3):"]
    lines += ["    y = w * 3", "    total += y", "total.backward()"]
    document = from_text("\n".join(lines))
    panel = show(EnginePanel(document))
    go(document, EventKind.BACKWARD_BEGAN, 0)
    listed = {row.title for row in panel.list.rows.rows if row.node is not None and row.title.startswith("Mul")}
    assert listed == {"MulBackward0 of line 3", "MulBackward0 of line 3 (2)", "MulBackward0 of line 3 (1)"}
