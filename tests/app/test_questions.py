"""The clicks that docs/questions.md tells for ten questions, done with its very lines; the answers are there."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMenu, QToolButton
from support.desk import choose, key, press, settle
from support.panels import CTRL, child, click, id_of, lines, tensor

from chalkgrad.session.events import EventKind
from chalkgrad.session.state import Saved
from chalkgrad_app.panels.difference_table import DifferenceTable
from chalkgrad_app.panels.pointer import Pointer

QUESTIONS = (Path(__file__).parents[2] / "docs" / "questions.md").read_text(encoding="utf-8")
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


def program(number):
    """The lines of one question."""
    section = re.split(r"^## \d+\. ", QUESTIONS, flags=re.MULTILINE)[number]
    return dedent("\n".join(line for line in section.splitlines() if line.startswith("    "))) + "\n"


@pytest.fixture
def ask(window):
    """Pastes the lines of a question onto the empty canvas."""

    def paste(number):
        QApplication.clipboard().setText(program(number))
        window.canvas.setFocus()
        key(window, Qt.Key.Key_V, CTRL)
        settle(window)
        assert len(lines(window.document)) >= 4
        return window

    return paste


def click_card(window, name):
    window.canvas.fit_all()
    settle()
    rect = window.canvas.node_rect(name)
    at = rect.topLeft()
    at.setX(at.x() + 12)
    at.setY(at.y() + 8)
    QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=at)
    settle(window)
    assert window.document.selection == {id_of(window.document, name)}


def answer(window, fact=""):
    """Press why? beside a fact; what is said then."""
    inspector, dot = window.docks.inspector, f".{fact}" if fact else ""
    button = child(inspector, f"inspector.askWhy{dot}", QToolButton)
    if not button.isChecked():
        click(button)
    return child(inspector, f"inspector.why{dot}").text()


def face(window, name):
    return window.canvas.picture.face(id_of(window.document, name))


def mend(window, entry):
    """Press Ctrl+. and choose an entry; what the menu said."""
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Period, CTRL)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    said = " ".join(label.text() for label in menu.findChildren(QLabel))
    action = next(action for action in menu.actions() if action.text() == entry)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    settle(window)
    return said


def panel_text(window, name):
    settle(window)
    panel = getattr(window.docks, name)
    assert panel.isVisible()
    for _ in range(300):
        settle()
        if panel.text() and not getattr(panel, "is_working", False):
            break
        QTest.qWait(10)
    return panel.text()


def test_1_why_is_grad_none(ask):
    window = ask(1)
    click_card(window, "a")
    assert "only leaves keep theirs" in answer(window)
    click(child(window.docks.inspector, "inspector.remedy.0"))
    settle(window)
    assert lines(window.document)[5] == "a.retain_grad()"
    assert face(window, "a").rows[0].grad.value is not None
    assert tensor(window.document, "a").grad.short == "[2.]"


def test_2_why_does_the_second_backward_fail(ask):
    window = ask(2)
    assert face(window, "y").foot.saved is Saved.FREED
    assert face(window, "s").foot.saved is Saved.NOTHING
    failed = [problem.statement for problem in window.document.state.problems]
    assert [window.document.program.lines[id_] for id_ in failed] == [7]
    click_card(window, "y")
    said = mend(window, "retain_graph=True in line 4")
    assert "Line 2 computed y" in said
    assert "Line 4 ran backward through it and freed them" in said
    assert "Line 7 goes the same way and finds nothing there" in said
    assert not window.document.state.problems


def test_3_why_zero_gradients(ask):
    window = ask(3)
    assert face(window, "w").rows[0].grad.times == 2
    click_card(window, "w")
    assert child(window.docks.inspector, "inspector.sum").text() == "3. (line 3) + 4. (line 5) = 7."
    window.document.look_at_line(window.document.program.order[2])
    settle(window)
    click(
        next(button for button in window.docks.autograd.findChildren(QToolButton) if button.text() == "w.grad = None")
    )
    settle(window)
    assert lines(window.document)[3] == "w.grad = None"
    window.canvas.setFocus()
    key(window, Qt.Key.Key_End)
    assert tensor(window.document, "w").grad.short == "[4.]"


def test_4_why_topological_order(ask):
    window = ask(4)
    key(window, Qt.Key.Key_PageUp)
    key(window, Qt.Key.Key_F4)
    trace = window.document.session.trace
    for _ in range(40):
        key(window, Qt.Key.Key_Right, ALT)
        cursor = window.document.cursor
        if cursor is not None and trace.events[cursor - 1].kind is EventKind.NODE_RAN:
            break
    said = panel_text(window, "engine")
    assert "MulBackward0 of line 2 has to wait for 2 × MulBackward0 of a * a, line 3" in said
    assert "pass on only a part of its gradient" in said
    for _ in range(40):
        if "[1.] + [2.] + [2.]" in panel_text(window, "engine"):
            return
        key(window, Qt.Key.Key_Right, ALT)
    raise AssertionError("the parts are not shown")


def test_5_who_changed_it_in_place(ask):
    window = ask(5)
    click_card(window, "a")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_V, SHIFT)
    said = panel_text(window, "versions")
    for part in ("Saver: a at v0, by MulBackward0", "Writer: a is written, v1", "needs v0, finds v1", "4  a.add_(1)"):
        assert part in said
    mend(window, "Out-of-place in line 4: add")
    assert not window.document.state.problems


def test_6_detach_data_no_grad(ask):
    window = ask(6)
    click_card(window, "d")
    assert "detach() in line 2" in answer(window, "requires_grad")
    click_card(window, "f")
    assert "under torch.no_grad()" in answer(window, "requires_grad")
    document = window.document
    ids = [id_ for id_ in document.program.order if document.program[id_].call == "add_"]
    document.look_at_line(ids[0])
    settle(window)
    assert face(window, "x").rows[0].version == 1
    key(window, Qt.Key.Key_End)
    assert face(window, "x").rows[0].version == 1
    assert tensor(document, "x").short == "[3.]"


def test_7_why_is_this_a_leaf(ask):
    window = ask(7)
    said = {}
    for name in "abcd":
        click_card(window, name)
        said[name] = answer(window, "is_leaf")
    assert "makes a by hand" in said["a"]
    assert "which requires grad" in said["b"]
    assert "there is nothing to record" in said["c"]
    assert "then asked for gradients" in said["d"]
    choose(window, "show", "predictFlags")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_P)
    assert window.canvas.asking.form.findChild(QComboBox, "guess.is_leaf").isVisible()


def test_8_what_is_kept_for_backward(ask):
    window = ask(8)
    key(window, Qt.Key.Key_PageUp)
    window.canvas.setFocus()
    key(window, Qt.Key.Key_M, SHIFT)
    said = panel_text(window, "memory")
    assert said.count("kept") == 3
    assert re.search(r"as it ran\s+8 B", said), "three times the same memory"
    window.canvas.setFocus()
    key(window, Qt.Key.Key_PageDown)
    said = panel_text(window, "memory")
    assert said.count("freed") == 3
    assert len(re.findall(r"\bline 4\b", said)) >= 3
    assert re.search(r"retain_graph=True\s+8 B", said)


def test_9_the_graph_of_a_second_derivative(ask):
    window = ask(9)
    assert len(window.canvas.picture.gradients.keys) >= 2
    assert not window.canvas.picture.gradients.bounds().isEmpty()
    assert tensor(window.document, "h").short == "18."
    click_card(window, "h")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Y)
    assert "18" in panel_text(window, "why")
    window.document.select([id_of(window.document, "g")])
    settle(window)
    window.docks.show_panel("inspector")
    settle(window)
    click(child(window.docks.inspector, "inspector.showDifferences", QToolButton))
    for _ in range(300):
        settle()
        table = window.docks.inspector.findChild(DifferenceTable)
        if table is not None and table.found is not None:
            break
        QTest.qWait(10)
    assert table.text().startswith("x 27 27 ✓")


def test_10_does_clone_copy_the_graph(ask):
    window = ask(10)
    click_card(window, "w")
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Y)
    said = panel_text(window, "why")
    assert "dy/dw = dy/dc * dc/dw" in said
    assert "d.grad" not in said
    assert tensor(window.document, "w").grad.short == "[2.]"
    path = window.docks.why.findChildren(Pointer)[0]
    path.setFocus()
    settle()
    names = {window.document.program[id_].name for id_ in window.document.pointed_out.cards}
    assert names == {"w", "c", "y"}


def test_a_remedy_is_that_of_the_program_that_is_there_when_it_is_pressed(ask):
    window = ask(1)
    document, told = window.document, []
    document.told.connect(told.append)
    click_card(window, "a")
    answer(window)
    remedy = child(window.docks.inspector, "inspector.remedy.0")
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Delete)  # the panel follows when this turn of the event loop is over
    left, steps, told[:] = lines(document), document.undo_stack.count(), []
    QTest.mouseClick(remedy, Qt.MouseButton.LeftButton)
    assert lines(document) == left
    assert document.undo_stack.count() == steps
    assert told == ["The program has changed: this no longer applies"]


def test_a_remedy_speaks_of_the_lines_as_they_are(ask):
    window = ask(1)
    document, inspector = window.document, window.docks.inspector
    document.look_at_line(id_of(document, "b"))
    press(window, "palette.tensor")
    key(window, Qt.Key.Key_Escape)
    document.back_to_now()
    click_card(window, "a")
    answer(window)
    assert child(inspector, "inspector.remedy.0").text() == "a.retain_grad() before line 7"
    key(window, Qt.Key.Key_Z, CTRL)
    settle(window)
    assert document.selection == {id_of(document, "a")}
    remedy = child(inspector, "inspector.remedy.0")
    assert remedy.text() == "a.retain_grad() before line 6"
    click(remedy)
    settle(window)
    assert lines(document)[5] == "a.retain_grad()"


CONSTANT = "w = torch.tensor(2., requires_grad=True)\ny = w * 3\ng, = torch.autograd.grad(y, w)\ng.backward()\n"


@pytest.mark.parametrize(("by", "is_offered"), [("3", False), ("w", True)])
def test_create_graph_is_offered_only_where_the_gradient_is_not_constant(window, by, is_offered):
    QApplication.clipboard().setText(CONSTANT.replace("3", by))
    window.canvas.setFocus()
    key(window, Qt.Key.Key_V, CTRL)
    settle(window)
    key(window, Qt.Key.Key_Period, CTRL)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    said = " ".join(label.text() for label in menu.findChildren(QLabel))
    offered = [action.text() for action in menu.actions() if "create_graph" in action.text()]
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert bool(offered) is is_offered
    assert ("it is constant, the same whatever the tensors are" in said) is not is_offered
