"""Somebody asks why a gradient is what it is: by key, by mouse, with covered gradients, step by step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QTableWidget, QToolButton
from support.asking import pointers, worked_out
from support.desk import choose, key, settle
from support.panels import CTRL, click, clipboard, id_of

from chalkgrad.session.events import EventKind
from chalkgrad_app import i18n
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.formula_row import FormulaRow

COURSE = """import torch
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.], requires_grad=True)
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
y.backward()
"""
HIGHER = """import torch
x = torch.tensor(3., requires_grad=True)
y = torch.sin(x) * x
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
k, = torch.autograd.grad(h, x)
"""
VECTOR = """import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = x ** 2
y.backward(torch.tensor([1., 0.5]))
"""


def weighted(window):
    """What is said below the Jacobians that are open."""
    return [found.text() for found in window.docks.why.findChildren(QLabel, "why.weighted") if found.isVisible()]


def framed(window, at):
    """True where the dashes of a frame begin or go on to the right of ``at``."""
    image, ink = window.canvas.grab().toImage(), theme.current().color("ink")
    return any(image.pixelColor(at + QPoint(step, 0)) == ink for step in range(18))


def test_by_key_and_then_along_the_paths_with_tab(opened_at):
    window = opened_at(COURSE, "w")
    assert window.docks.by_name["why"].isHidden()
    key(window, Qt.Key.Key_Y)
    text = worked_out(window)
    assert text.startswith("dy/dw = dy/da * da/dw + dy/db * db/dw\n= 2 * 1 + 3 * 1\n= 5\n")
    assert [pointer.accessibleName() for pointer in pointers(window)] == [
        "path 1: w → a → y, gives 2",
        "path 2: w → b → y, gives 3",
    ]
    key(window, Qt.Key.Key_Tab)
    assert pointers(window)[0].hasFocus()
    ids = [id_of(window.document, name) for name in "yaw"]
    assert window.document.pointed_out.cards == tuple(ids)
    rect = window.canvas.view_rect_of(ids[1])
    here = QPoint(rect.center().x(), rect.top() - round(5 * window.canvas.viewport.scale))
    assert framed(window, here)
    key(window, Qt.Key.Key_Tab)
    assert pointers(window)[1].hasFocus()
    assert not framed(window, here)


def test_the_mouse_over_a_path_points_at_it(opened_at):
    window = opened_at(COURSE, "w")
    choose(window, "steps", "reasons", "why")
    worked_out(window)
    second = pointers(window)[1]
    at = QPointF(second.rect().center())
    second.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    QApplication.sendEvent(second, QEnterEvent(at, at, QPointF(second.mapToGlobal(at.toPoint()))))
    assert len(window.document.pointed_out.links) == 2
    second.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    QApplication.sendEvent(second, QEvent(QEvent.Type.Leave))
    assert not window.document.pointed_out.cards


def test_another_selection_is_explained_and_an_edit_too(opened_at):
    window = opened_at(COURSE, "w")
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    window.document.select([id_of(window.document, "a")])
    settle(window)
    assert "a is an intermediate" in worked_out(window)
    window.document.select([id_of(window.document, "x")])
    settle(window)
    assert worked_out(window).startswith("dy/dx = dy/da * da/dx\n= 2 * 1\n= 2")
    window.document.delete([id_of(window.document, "y")])
    settle(window)
    assert "dy/dx" not in worked_out(window)
    window.document.undo_stack.undo()
    window.document.select([id_of(window.document, "x")])
    settle(window)
    assert worked_out(window).startswith("dy/dx")


def test_a_jacobian_is_shown_with_weights_and_their_sum(opened_at):
    window = opened_at(VECTOR, "x")
    key(window, Qt.Key.Key_Y)
    assert "v^T * dy/dx" in worked_out(window)
    button = next(found for found in window.docks.why.findChildren(QToolButton, "why.jacobian") if found.isVisible())
    assert button.text() == "Jacobian, 2 × 2"
    click(button)
    table = window.docks.why.findChild(QTableWidget)
    rows = [[table.item(row, column).text() for column in range(3)] for row in range(3)]
    assert rows == [["1", "2", "0"], ["0.5", "0", "4"], ["", "2", "2"]]
    (words,) = weighted(window)
    assert words.startswith("v are the weights that the backward was given. ")
    assert words.endswith("added up column by column: that is the gradient of x.")
    click(button)
    assert not table.isVisible()


def test_every_jacobian_on_the_way_is_weighted_with_the_gradient_that_arrived(opened_at):
    window = opened_at(VECTOR.replace("y = x", "a = x * 3\nb = a * a * a\ny = b"), "x")
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    buttons = window.docks.why.findChildren(QToolButton, "why.jacobian")
    click(next(found for found in buttons if found.isVisible() and found.accessibleName().endswith(": da/dx")))
    table = window.docks.why.findChild(QTableWidget)
    heads = [table.verticalHeaderItem(row).text() for row in range(3)]
    assert heads == ["a[0]", "a[1]", "vᵀ J"]
    sums = [float(table.item(2, column).text()) for column in (1, 2)]
    assert sums == pytest.approx(window.document.state.names["x"].grad.value, 1e-3)
    weights = [float(table.item(row, 0).text()) for row in range(2)]
    assert weights == pytest.approx([found / 3 for found in sums], 1e-3)
    assert weighted(window)[0].startswith("v is the gradient that arrived at a. ")


def test_a_matrix_is_set_in_rows_and_scrolled_where_it_is_too_wide(opened_at):
    rows = ", ".join(f"[{a}.1234, -{a}.234e-9, -{a}.1e-9]" for a in range(1, 5))
    window = opened_at(
        f"import torch\nX = torch.tensor([{rows}])\nW = torch.ones(4, 3, requires_grad=True)\n"
        "for i in range(30):\n    loss = (W * X * 0.0001).sum()\n    loss.backward()\n",
        "W",
    )
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    row = window.docks.why.findChild(FormulaRow)
    matrices = [term for term in row.terms if term.cells]
    assert len(matrices) == 8
    assert row.plain().count("[[") == 8
    assert all(r"\begin{bmatrix}" in term.latex for term in matrices)
    area = window.docks.why.findChild(QScrollArea, "why.area")
    assert row.width() >= row.minimumWidth() > 0
    assert area.horizontalScrollBar().isVisible()
    reach = area.viewport().width() + area.horizontalScrollBar().maximum()
    assert reach >= row.mapTo(area.widget(), QPoint(row.minimumWidth(), 0)).x()


def test_a_tensor_of_three_dimensions_is_set_slice_under_slice_and_its_elements_are_called_by_their_places(opened_at):
    window = opened_at(
        "import torch\nx = torch.arange(8.).reshape(2, 2, 2).requires_grad_()\ny = x ** 2\ny.sum().backward()\n", "x"
    )
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    rows = [row for row in window.docks.why.findChildren(FormulaRow) if row.terms[-1].cells]
    assert {row.terms[-1].plain for row in rows} == {"[[[0, 2], [4, 6]], [[8, 10], [12, 14]]]"}
    buttons = window.docks.why.findChildren(QToolButton, "why.jacobian")
    click(next(found for found in buttons if found.isVisible() and found.accessibleName().endswith(": dy/dx")))
    table = window.docks.why.findChild(QTableWidget)
    heads = [table.horizontalHeaderItem(column).text() for column in range(table.columnCount())]
    assert heads[-2:] == ["x[1, 1, 0]", "x[1, 1, 1]"]
    assert table.verticalHeaderItem(3).text() == "y[0, 1, 1]"


def test_covered_gradients_stay_covered_until_revealed(opened_at):
    window = opened_at(COURSE, "w")
    window.document.cover(True)
    key(window, Qt.Key.Key_Y)
    assert worked_out(window) == "It is covered: guess first."
    assert not window.docks.why.findChild(QToolButton, "why.copyText").isEnabled()
    click(window.docks.why.findChild(QToolButton, "why.reveal"))
    assert worked_out(window).startswith("dy/dw")


def test_inside_a_backward_the_step_is_explained(opened_at):
    window = opened_at(COURSE, "w")
    key(window, Qt.Key.Key_Y)
    events = window.document.session.trace.events
    first = next(index for index, event in enumerate(events) if event.kind is EventKind.NODE_RAN)
    window.document.look_at(first + 1)
    settle()
    assert worked_out(window).splitlines() == [
        "g = 1",
        "dy/da = b = 2",
        "g * dy/da = 2",
        "dy/db = a = 3",
        "g * dy/db = 3",
    ]
    window.document.cover(True)
    settle()
    assert "2" not in worked_out(window)


def test_copied_as_text_and_as_latex(opened_at):
    window = opened_at(COURSE, "w")
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    key(window, Qt.Key.Key_C, CTRL)
    assert clipboard().startswith("dy/dw = dy/da * da/dw")
    click(window.docks.why.findChild(QToolButton, "why.copyLatex"))
    assert clipboard().startswith(r"\frac{\partial y}{\partial w} = \, \frac{\partial y}{\partial a}")


def test_from_the_inspector(opened_at):
    window = opened_at(COURSE, "w")
    link = window.docks.inspector.findChild(QToolButton, "inspector.explain")
    click(link)
    assert window.docks.by_name["why"].isVisible()
    assert worked_out(window).startswith("dy/dw")


def test_formulas_are_pictures_in_the_end_and_words_follow_the_language(opened_at):
    window = opened_at(COURSE, "w")
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    assert all("<img" in row.text() for row in window.docks.why.findChildren(FormulaRow) if row.isVisible())
    i18n.set_language("zh_CN")
    settle(window)
    worked_out(window)
    captions = [found.text() for found in window.docks.why.findChildren(QLabel, "why.caption") if found.isVisible()]
    i18n.set_language("en")
    assert captions == ["2 条路径相加", "局部导数"]


def test_nothing_selected_asks_for_a_tensor(opened_at):
    window = opened_at(COURSE, "w")
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    window.document.clear_selection()
    settle(window)
    assert worked_out(window) == "Select a tensor to see why its gradient is what it is."


def test_results_of_autograd_grad_are_explained_each(opened_at):
    window = opened_at(COURSE.replace("y.backward()", "gw, gx = torch.autograd.grad(y, [w, x])"), "gw")
    key(window, Qt.Key.Key_Y)
    text = worked_out(window)
    assert text.startswith("dy/dw = dy/da * da/dw + dy/db * db/dw")
    assert "\n\ndy/dx = dy/da * da/dx" in text
    assert window.docks.why.findChild(QLabel, "why.title").text() == "gw, gx"


def lit_nodes(window):
    """The counts of the nodes around which a line is drawn."""
    canvas, trace = window.canvas, window.document.session.trace
    found = set()
    for kind, number in canvas.picture.gradients.keys:
        rect = canvas.nodes.rect((kind, number)).adjusted(-5, -5, 5, 5)
        at = canvas.viewport.rect_to_view(rect).topLeft().toPoint() + QPoint(3, 0)
        if framed(window, at):
            found.add(trace.graph_of(number).count_of(number))
    return found


@pytest.mark.parametrize("drawing", ["drawAsCards", "drawAsData", "drawAsAutograd"])
def test_a_path_through_the_gradients_own_graph_is_lit_node_by_node(opened_at, drawing):
    window = opened_at(HIGHER, "k")
    choose(window, "show", "drawAs", drawing)
    window.canvas.fit_all()
    settle(window)
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    first = pointers(window)[0]
    assert first.accessibleName().startswith("path 1: x → dy/dsin(x) → #6 → #10 → #12 → h, gives")
    first.setFocus()
    settle(window)
    assert lit_nodes(window) == {2, 6, 10, 12, 15}
    last = pointers(window)[-1]
    assert last.accessibleName().startswith("#14 = dg/dsin(x) * (cos x)")
    last.setFocus()
    settle(window)
    assert lit_nodes(window) == {14}


def test_a_path_through_a_folded_graph_lights_its_title(opened_at):
    window = opened_at(HIGHER, "k")
    window.canvas.nodes.fold()
    window.canvas.fit_all()
    settle(window)
    window.canvas.setFocus()
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    pointers(window)[0].setFocus()
    settle(window)
    for band in window.canvas.picture.gradients.bands:
        assert band.folded
        at = window.canvas.viewport.rect_to_view(band.rect.adjusted(-5, -5, 5, 5)).topLeft().toPoint()
        assert framed(window, at + QPoint(3, 0))


def test_only_the_wire_from_the_grad_row_is_lit_where_the_path_takes_that(opened_at):
    window = opened_at(
        "import torch\nx = torch.tensor(2., requires_grad=True)\ny = x ** 3\ny.backward(create_graph=True)\n"
        "z = x.grad * x\nx.grad = None\nz.backward()\n",
        "x",
    )
    window.canvas.fit_all()
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    x, z = id_of(window.document, "x"), id_of(window.document, "z")
    lit = []
    for pointer in pointers(window)[:2]:
        pointer.setFocus()
        settle(window)
        shown = window.document.pointed_out
        lit.append(((z, x) in shown.links, (("card", z), ("grad", x)) in shown.edges))
    assert lit == [(False, True), (True, False)]


def test_of_many_rounds_the_last_are_told_apart(opened_at):
    window = opened_at(
        "import torch\nw = torch.tensor([1., 2.], requires_grad=True)\nfor i in range(40):\n    y = (w * w).sum()\n"
        "    y.backward()\n",
        "w",
    )
    key(window, Qt.Key.Key_Y)
    worked_out(window)
    said = [found.text() for found in window.docks.why.findChildren(QLabel, "why.line") if found.isVisible()]
    assert said[0] == "34 earlier backwards, added up:"
    assert said[1] == "Line 3 (35): y.backward()"
    assert said[-1] == "Line 3 (40): y.backward()"
    assert len(window.docks.why.findChild(FormulaRow).terms) == 8, "the sum breaks between its terms"
