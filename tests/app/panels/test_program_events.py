"""The engine's events inside a backward, unfolded in the program list."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from support.panels import LEFT, PLAIN, id_of, middle, press, settle

from chalkgrad.program.statement import Ref
from chalkgrad.session.events import EventKind
from chalkgrad.session.state import Status
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.panels.program import ProgramPanel
from chalkgrad_app.panels.program_rows import Part
from chalkgrad_app.predicting import reveal

COURSE = """w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.])
a = w + x
b = w + 1
y = a * b
a.retain_grad()
y.backward(retain_graph=True)
y.backward()
z = w * 2
"""


@pytest.fixture
def course(from_text):
    return from_text(COURSE)


@pytest.fixture
def panel(course, show):
    return show(ProgramPanel(course), 700, 700)


def backward(document, number=0):
    return [s.id for s in document.program if s.call == "backward"][number]


def events(panel):
    return [panel.list.rows.text(row) for row in panel.list.rows.rows if row.part is Part.EVENT]


def press_arrow(panel, statement):
    row = panel.list.rows.row_of(statement)
    rect = panel.list.visualRect(panel.list.rows.index(row))
    place = panel.list.delegate.arrow_rect(rect, panel.list.rows.rows[row])
    QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, place.center())
    settle()


def row_with(panel, text):
    return next(n for n, row in enumerate(panel.list.rows.rows) if text in panel.list.rows.text(row))


def test_a_tensor_without_a_name_is_called_by_its_expression(from_text, show):
    document = from_text("w = torch.tensor([1., 2.], requires_grad=True)\n(w * w).sum().backward()\n")
    panel = show(ProgramPanel(document), 700, 700)
    press_arrow(panel, backward(document))
    assert events(panel)[0] == "backward begins at (w * w).sum() with 1."


def test_the_arrow_unfolds_what_the_engine_did_and_folds_it_again(course, panel):
    before = panel.text()
    press_arrow(panel, backward(course))
    assert events(panel) == [
        "backward begins at y with [1.]",
        "MulBackward0 of line 5 is ready",
        "MulBackward0 of line 5: [1.] → [2.], [3.]",
        "AddBackward0 of line 3 is ready",
        "AddBackward0 of line 4 is ready",
        "AddBackward0 of line 4: [3.] → [3.], None",
        "a.grad is made",
        "a.grad = [2.], kept by retain_grad",
        "AddBackward0 of line 3: [2.] → [2.], None",
        "paths join at AccumulateGrad (w): + [2.] = [5.]",
        "AccumulateGrad (w) is ready",
        "w.grad is made",
        "w.grad = [5.], the first",
        "backward ends",
        "the line has its result",
    ]
    assert course.undo_stack.isClean()
    press_arrow(panel, backward(course))
    assert panel.text() == before


def test_a_later_backward_adds_and_frees(course, panel):
    press_arrow(panel, backward(course, 1))
    assert "w.grad += [5.]" in events(panel)
    assert "MulBackward0 of line 5 frees other, self" in events(panel)
    assert events(panel).index("MulBackward0 of line 5: [1.] → [2.], [3.]") < events(panel).index(
        "MulBackward0 of line 5 frees other, self"
    )


def test_a_click_on_an_event_goes_there_and_marks_it(course, panel):
    press_arrow(panel, backward(course))
    course.select([id_of(course, "y")])
    row = row_with(panel, "a.grad = [2.]")
    QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, middle(panel.list, row))
    settle()
    event = course.session.trace.events[course.cursor - 1]
    assert event.kind is EventKind.RETAINED
    assert panel.list.delegate.is_here(panel.list.rows.rows[row])
    assert panel.list.rows.status(panel.list.rows.rows[row]) is Status.OK
    assert panel.list.rows.status(panel.list.rows.rows[row + 1]) is Status.TO_COME
    assert course.selection == {id_of(course, "y")}
    assert course.state.tensor(id_of(course, "a")).grad is not None
    assert course.state.tensor(id_of(course, "w")).grad is None


def test_right_and_left_unfold_enter_leave_and_fold(course, panel):
    line = backward(course)
    panel.list.setFocus()
    course.select([line])
    settle()
    panel.list.go_to(panel.list.rows.row_of(line))
    press(panel.list, Qt.Key.Key_Right)
    assert panel.list.rows.is_unfolded(line)
    press(panel.list, Qt.Key.Key_Right)
    assert course.session.trace.events[course.cursor - 1].kind is EventKind.BACKWARD_BEGAN
    press(panel.list, Qt.Key.Key_Down)
    assert course.session.trace.events[course.cursor - 1].kind is EventKind.NODE_READY
    press(panel.list, Qt.Key.Key_Left)
    assert panel.list.currentIndex().row() == panel.list.rows.row_of(line)
    press(panel.list, Qt.Key.Key_Left)
    assert not panel.list.rows.is_unfolded(line)
    assert course.selection == {line}


def test_what_is_no_backward_does_not_unfold(course, panel):
    panel.list.setFocus()
    panel.list.go_to(panel.list.rows.row_of(id_of(course, "a")))
    press(panel.list, Qt.Key.Key_Right)
    assert events(panel) == []


def test_it_stays_unfolded_through_edits_and_goes_with_its_line(course, panel):
    line = backward(course)
    press_arrow(panel, line)
    course.delete([id_of(course, "z")])
    settle()
    assert events(panel)
    course.delete([line])
    settle()
    assert events(panel) == []
    course.undo_stack.undo()
    course.finish()
    settle()
    assert course.program[line].call == "backward"


def test_delete_on_an_event_takes_no_line_out(course, panel):
    press_arrow(panel, backward(course))
    course.clear_selection()
    QTest.mouseClick(panel.list.viewport(), LEFT, PLAIN, middle(panel.list, row_with(panel, "a.grad")))
    panel.list.setFocus()
    press(panel.list, Qt.Key.Key_Delete)
    assert backward(course, 1) in course.program
    assert len(course.program) == 9


def test_covered_gradients_stay_covered(course, panel):
    press_arrow(panel, backward(course))
    course.cover(True)
    assert "w.grad = ?, the first" in events(panel)
    assert "MulBackward0 of line 5: ? → ?, ?" in events(panel)
    reveal(course, Question(Cover.GRADIENTS, Ref(id_of(course, "w"))))
    assert "w.grad = [5.], the first" in events(panel)


def test_a_line_dragged_among_events_goes_after_their_line(course, panel):
    line, moved = backward(course), id_of(course, "z")
    press_arrow(panel, line)
    panel.list.lines_dropped.emit([moved], row_with(panel, "a.grad"))
    settle()
    order = list(course.program.order)
    assert order.index(line) < order.index(moved) < order.index(backward(course, 1))


def test_a_failed_backward_shows_its_error_below_its_events(from_text, show):
    document = from_text("x = torch.tensor([2.], requires_grad=True)\ny = x * x\ny.backward()\ny.backward()\n")
    panel = show(ProgramPanel(document), 700, 500)
    press_arrow(panel, backward(document, 1))
    texts = panel.text().split("\n")
    assert texts[-1].startswith("RuntimeError")
    assert texts.index("MulBackward0 of line 2 is ready") < len(texts) - 1
    assert "✗" not in events(panel)


def test_only_what_is_seen_of_many_events_is_made(from_text, show, monkeypatch):
    body = "".join(f"a{n} = a{n - 1} * 1.5\n" for n in range(1, 400))
    document = from_text(f"a0 = torch.tensor([1.], requires_grad=True)\n{body}a399.backward()\n")
    panel = show(ProgramPanel(document), 700, 400)
    told = []
    text = panel.list.rows.words.text
    monkeypatch.setattr(panel.list.rows.words, "text", lambda event, in_brief=False: told.append(event) or text(event))
    press_arrow(panel, backward(document))
    assert panel.list.rows.rowCount() > 1500
    assert 4 <= len(told) < 100


def test_stepping_moves_the_mark_and_keeps_it_in_view(course, panel):
    panel.resize(700, 260)
    course.look_at_line(id_of(course, "y"))
    settle()
    for _ in range(12):
        panel.playing.step(1)
        settle()
        row = panel.list.rows.row_at(course.cursor_line, course.cursor)
        assert panel.list.viewport().rect().contains(panel.list.visualRect(panel.list.rows.index(row)).center())
    assert panel.list.rows.is_unfolded(backward(course))
    panel.list.viewport().grab()
    assert panel.list.rows.rows[row].part is Part.EVENT
    assert panel.list.visualRect(panel.list.rows.index(row)).contains(
        QPoint(5, panel.list.visualRect(panel.list.rows.index(row)).center().y())
    )


def test_the_moment_that_is_looked_at_stays_in_view_when_the_list_gets_smaller(course, panel):
    course.look_at(course.session.trace.events_of(backward(course)).start + 5)
    settle()
    for width, height in ((700, 180), (700, 700), (400, 160)):
        panel.resize(width, height)
        settle()
        here = panel.list.rows.row_at(course.cursor_line, course.cursor)
        rect = panel.list.visualRect(panel.list.rows.index(here))
        assert panel.list.viewport().rect().contains(rect)


def test_only_the_tensor_that_becomes_the_result_has_its_name(from_text, show):
    document = from_text(
        "x = torch.tensor(2., requires_grad=True)\n"
        "y = x ** 3\n"
        "g, = torch.autograd.grad(y, x, create_graph=True)\n"
        "h, = torch.autograd.grad(g, x, create_graph=True)\n"
    )
    panel = show(ProgramPanel(document), 700, 900)
    press_arrow(panel, id_of(document, "h"))
    made = [text.removesuffix(" is made") for text in events(panel) if text.endswith(" is made")]
    recorded = [text.split()[1] for text in events(panel) if text.endswith(" is recorded")]
    assert made.count("h") == 1
    assert made[-1] == "h"
    assert len(made) > 3
    assert [name for name in made if name != "a tensor"] == [name.strip("()") for name in recorded]


def test_where_there_is_no_room_shapes_stand_for_values_and_who_did_it_stays(from_text, show, monkeypatch):
    document = from_text(
        "x = torch.tensor([[1.25, 2.5], [3.75, 4.125]], requires_grad=True)\ny = x * x\ny.sum().backward()\n"
    )
    panel = show(ProgramPanel(document), 540, 700)
    press_arrow(panel, backward(document))
    written = []
    draw = panel.list.delegate._draw_code
    monkeypatch.setattr(
        panel.list.delegate,
        "_draw_code",
        lambda painter, at, text, *rest: written.append(text) or draw(painter, at, text, *rest),
    )
    panel.grab()
    row = row_with(panel, "MulBackward0 of line 2: ")
    whole = panel.list.rows.text(panel.list.rows.rows[row])
    assert "[[1.2500, 2.5000], [3.7500, 4.1250]]" in whole
    assert whole not in written
    assert "MulBackward0 of line 2: (2, 2) → (2, 2), (2, 2)" in written
    assert panel.list.rows.index(row).data(Qt.ItemDataRole.ToolTipRole) == whole
    panel.resize(300, 700)
    settle()
    written.clear()
    panel.grab()
    cut = next(text for text in written if text.startswith("MulBackward0 of line 2: "))
    assert cut.endswith("…")
