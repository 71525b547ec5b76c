"""The autograd panel: what its buttons show is what they append."""

from __future__ import annotations

import gc
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyledItemDelegate, QWidgetItem
from support.panels import child, click, id_of, lines, press, settle, tensor

from chalkgrad.program.cards import CARDS
from chalkgrad.program.statement import EMPTY, Kind
from chalkgrad_app import i18n
from chalkgrad_app.canvas import wiring
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.panels import inputs_button
from chalkgrad_app.panels.autograd import LINES, AutogradPanel
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled


@pytest.fixture
def panel(document, show):
    return show(AutogradPanel(document), 304, 420)


def choose(combo, row):
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(row):
        QTest.keyClick(combo, Qt.Key.Key_Down)
    settle()


def check_input(panel, name):
    """Open the menu of inputs and click one of them."""
    panel.inputs.menu().aboutToShow.emit()
    action = next(a for a in panel.inputs.menu().actions() if a.text() == name)
    action.trigger()
    settle()


def test_of_what_is_placed_anew_pyside_holds_no_items(document, show):
    before = {id(item) for item in layout_items()}
    panel = show(AutogradPanel(document), 304, 420)
    held = [item.widget() for item in layout_items() if id(item) not in before]
    assert not {*panel.lines.values(), *panel.labels}.intersection(held)


def layout_items():
    """What PySide holds of layouts: it takes one for whatever else comes to lie where that was deleted."""
    gc.collect()
    return [thing for thing in gc.get_objects() if type(thing) is QWidgetItem]


def test_backward_from_the_last_result(document, panel):
    assert panel.backward.line() == "y.backward()"
    click(panel.backward)
    document.finish()
    assert lines(document)[-1] == "y.backward()"
    assert tensor(document, "w").grad.text == "tensor([5.])"
    document.undo_stack.undo()
    assert len(lines(document)) == 5


def test_the_fallback_is_not_called_a_selection(document, panel):
    assert panel.root.currentText() == "y (last result)"
    document.select([id_of(document, "y")])
    settle()
    assert panel.root.currentText() == "y (selection)"


def test_the_selection_is_the_root_unless_one_is_fixed(document, panel):
    document.select([id_of(document, "a")])
    settle()
    assert panel.root.currentText() == "a (selection)"
    assert panel.backward.line() == "a.backward()"
    choose(panel.root, 4)
    assert panel.root.currentText() == "b"
    assert panel.backward.line() == "b.backward()"
    click(panel.backward)
    assert lines(document)[-1] == "b.backward()"
    assert panel.root.currentIndex() == 0


def test_options_are_in_the_line_and_return_to_the_defaults(document, panel):
    choose(panel.retain_graph, 1)
    click(panel.create_graph, QPoint(6, panel.create_graph.height() // 2))
    check_input(panel, "w")
    assert panel.inputs.text() == "inputs [w]"
    shown = panel.backward.line()
    assert shown == "y.backward(retain_graph=True, create_graph=True, inputs=w)"
    click(panel.backward)
    assert lines(document)[-1] == shown
    assert panel.backward.line() == "y.backward()"
    assert (panel.retain_graph.currentText(), panel.create_graph.isChecked(), panel.inputs.text()) == (
        *("None", False),
        "inputs",
    )


def test_gradient_is_a_value_or_the_name_of_a_tensor(from_text, show):
    document = from_text("w = torch.tensor([1., 2.], requires_grad=True)\nv = torch.tensor([1., 10.])\ny = w * 3\n")
    panel = show(AutogradPanel(document), 304, 420)
    panel.gradient.field.setFocus()
    QTest.keyClicks(panel.gradient.field, "1,1")
    settle()
    assert panel.backward.line() == "y.backward(gradient=torch.tensor([1., 1.]))"
    press(panel.gradient.field, Qt.Key.Key_Return)
    document.finish()
    assert lines(document)[-1] == "y.backward(gradient=torch.tensor([1., 1.]))"
    assert tensor(document, "w").grad.text == "tensor([3., 3.])"
    QTest.keyClicks(panel.gradient.field, "v")
    settle()
    assert panel.backward.line() == "y.backward(gradient=v)"


@pytest.mark.parametrize(
    ("typed", "grad"),
    [
        ("torch.ones(2)", "tensor([3., 3.])"),
        ("torch.ones_like(y)", "tensor([3., 3.])"),
        ("2 * v + torch.ones_like(v)", "tensor([ 9., 63.])"),
        ("v.flip(0)", "tensor([30.,  3.])"),
        ("torch.tensor([1., 2.])", "tensor([3., 6.])"),
        ("torch.full((2,), math.pi * 0 + 2)", "tensor([6., 6.])"),
    ],
)
def test_gradient_is_an_expression_in_the_line(from_text, show, typed, grad):
    document = from_text("w = torch.tensor([1., 2.], requires_grad=True)\nv = torch.tensor([1., 10.])\ny = w * 3\n")
    panel = show(AutogradPanel(document), 304, 420)
    panel.gradient.field.setFocus()
    QTest.keyClicks(panel.gradient.field, typed)
    settle()
    line = panel.backward.line()
    if "pi" not in typed:
        assert line == f"y.backward(gradient={typed})"
    assert f"grad_outputs={line.removeprefix('y.backward(gradient=')}" in panel.grad.line()
    press(panel.gradient.field, Qt.Key.Key_Return)
    document.finish()
    assert len(lines(document)) == 4
    assert lines(document)[-1] == line
    assert tensor(document, "w").grad.text == grad
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert len(document.program) == 3


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("torch.ones_like(z)", "z"),
        ("torch.one(3)", "torch.one"),
        ("y.add_(1)", "tensor"),
        ("y.backward()", "tensor"),
        ("[1, y]", "tensor"),
        ("torch.ones(3", ""),
        ("v = 1", ""),
    ],
)
def test_a_gradient_that_is_no_tensor_is_said_clearly(document, panel, typed, said):
    before = lines(document)
    panel.gradient.field.setFocus()
    QTest.keyClicks(panel.gradient.field, typed)
    settle()
    message = child(panel, "autograd.gradient.message").text()
    assert message
    assert said in message
    press(panel.gradient.field, Qt.Key.Key_Return)
    assert lines(document) == before


def test_a_name_of_the_program_hides_that_of_math(from_text, show):
    document = from_text("w = torch.tensor(1., requires_grad=True)\ne = torch.tensor(5.)\ny = w * 3\n")
    panel = show(AutogradPanel(document), 304, 420)
    QTest.keyClicks(panel.gradient.field, "e")
    settle()
    assert panel.backward.line() == "y.backward(gradient=e)"


def test_what_is_wrong_with_the_gradient_has_the_whole_width(panel):
    QTest.keyClicks(panel.gradient.field, "nothing of this name")
    settle()
    message = child(panel, "autograd.gradient.message")
    assert message.width() > 1.5 * panel.gradient.field.width()


@pytest.mark.parametrize("width", [*range(138, 240, 12), *range(240, 330, 6)])
def test_no_option_is_cut_off_whatever_the_width(panel, width):
    panel.resize(width, 420)
    settle()
    for widget in (panel.create_graph, panel.retain_graph):
        assert widget.width() >= widget.minimumSizeHint().width()


def test_a_bad_gradient_is_said_at_the_field_and_appends_nothing(document, panel):
    before = lines(document)
    panel.gradient.field.setFocus()
    QTest.keyClicks(panel.gradient.field, "[1, [2]]")
    settle()
    message = child(panel, "autograd.gradient.message")
    assert message.text()
    press(panel.gradient.field, Qt.Key.Key_Return)
    click(panel.backward)
    click(panel.grad)
    assert lines(document) == before
    panel.gradient.field.clear()
    settle()
    assert not message.isVisible()


def test_what_pytorch_raises_on_is_not_greyed_out(document, panel):
    click(panel.backward)
    document.finish()
    assert panel.backward.isEnabled()
    click(panel.backward)
    document.finish()
    assert [problem.type for problem in document.state.problems] == ["RuntimeError"]


@pytest.mark.parametrize("id_", [id_ for id_, _, _ in LINES])
def test_each_button_appends_the_line_that_it_shows(document, panel, id_):
    document.select([id_of(document, "a")])
    settle()
    button = panel.lines[id_]
    shown = button.line()
    assert shown.startswith(("a.", "c = a."))
    assert shown in button.toolTip()
    click(button)
    assert lines(document)[-1] == shown


def test_autograd_grad_returns_gradients(document, panel):
    shown = panel.grad.line()
    assert shown == "gw, = torch.autograd.grad(y, w)"
    click(panel.grad)
    document.finish()
    assert lines(document)[-1] == shown
    assert tensor(document, "gw").text == "tensor([5.])"
    assert tensor(document, "w").grad is None


def test_zero_grads_writes_for_all_green_leaves(document, panel):
    assert panel.lines["zeroGrad"].line() == "w.grad = None"
    assert panel.lines["zeroGradZeros"].line() == "w.grad.zero_()"


def test_run_forward_again_and_start_over(document, panel):
    click(panel.backward)
    click(panel.words["runForward"])
    document.finish()
    assert len(lines(document)) == 7
    click(panel.words["startOver"])
    assert len(lines(document)) == 5


def test_an_empty_document_has_nothing_to_append(qapp, show):
    from chalkgrad_app.document import Document

    document = Document()
    panel = show(AutogradPanel(document), 304, 420)
    assert panel.backward.line() == "backward()"
    assert not panel.backward.isEnabled()
    click(panel.backward)
    assert len(document.program) == 0
    document.deleteLater()


def test_lines_are_code_in_both_languages(document, panel, chinese):
    settle()
    assert panel.backward.line() == "y.backward()"


def test_thousands_of_selected_lines_are_cut_short(from_text, show):
    text = "w = torch.tensor([1.], requires_grad=True)\na0 = w + 1\n"
    document = from_text(text + "".join(f"a{n} = a{n - 1} + 1\n" for n in range(1, 60)))
    panel = show(AutogradPanel(document), 304, 420)
    document.select_all()
    settle()
    assert panel.lines["retainGrad"].line().endswith("; ...")


def test_code_stays_code_when_the_text_size_changes(document, panel, qapp):
    from chalkgrad_app.style import theme

    widgets = (panel.root, panel.gradient.field, panel.retain_graph, panel.create_graph, panel.inputs, panel.backward)
    try:
        for name, size in (("light", 100), ("dark", 200), ("light", 100)):
            theme.apply(qapp, theme.load(name), size)
            settle()
            for widget in widgets:
                assert "DejaVu Sans Mono" in widget.font().families(), widget.objectName()
                assert abs(widget.font().pixelSize() - 12.5 * size / 100) <= size / 100, widget.objectName()
    finally:
        theme.apply(qapp, theme.load("light"), 100)


class Measured(QStyledItemDelegate):
    """Notes which rows are measured."""

    def __init__(self, parent):
        super().__init__(parent)
        self.rows = []

    def sizeHint(self, option, index):
        self.rows.append(index.row())
        return super().sizeHint(option, index)


def test_a_new_theme_measures_few_of_many_roots(from_text, show, qapp):
    from chalkgrad_app.style import theme

    lines = "".join(f"a{n} = a{n - 1} + 1\n" for n in range(1, 300))
    panel = show(AutogradPanel(from_text("import torch\na0 = torch.tensor(2.0)\n" + lines)), 304, 420)
    assert panel.root.count() == 301
    measured = Measured(panel.root)
    panel.root.setItemDelegate(measured)
    settle()
    measured.rows.clear()
    try:
        theme.apply(qapp, theme.load("dark"), 100)
        settle()
    finally:
        theme.apply(qapp, theme.load("light"), 100)
    assert len(measured.rows) < 30


def test_what_is_just_gone_is_no_root_and_no_input(document, panel):
    choose(panel.root, 4)
    check_input(panel, "w")
    assert panel.backward.line() == "b.backward(inputs=w)"
    document.delete([id_of(document, "b"), id_of(document, "w")])
    QTest.mouseClick(panel.backward, Qt.MouseButton.LeftButton)  # the panel has not followed yet
    assert [statement.call for statement in document.program if statement.kind is Kind.BACKWARD] in ([], ["backward"])
    assert all(ref.statement in document.program for statement in document.program for ref in statement.refs())


def test_an_input_that_goes_while_the_menu_is_open_is_not_chosen(document, panel):
    panel.inputs.menu().aboutToShow.emit()
    action = next(action for action in panel.inputs.menu().actions() if action.text() == "w")
    document.delete([id_of(document, "w")])
    action.trigger()
    assert panel.inputs.text() == "inputs"


def test_of_very_many_tensors_the_menu_offers_leaves_and_what_is_chosen_or_selected(document, panel, monkeypatch):
    monkeypatch.setattr(inputs_button, "MOST", 3)
    program = document.program
    named = [name for statement in program if statement.kind in CARDS for name in statement.targets]
    assert len(named) > 3

    def offered():
        panel.inputs.menu().aboutToShow.emit()
        return [action.text() for action in panel.inputs.menu().actions() if action.isEnabled()]

    leaves = [statement.name for statement in program if statement.kind is Kind.LEAF]
    assert offered() == leaves[:3]
    assert not panel.inputs.menu().actions()[-1].isEnabled(), "that there are more is seen"
    document.select([id_of(document, "y")])
    settle()
    assert offered() == ["y", *leaves[:2]]
    check_input(panel, "y")
    document.select([])
    settle()
    assert offered() == ["y", *leaves[:2]]
    assert panel.inputs.text() == "inputs [y]"


def test_a_backward_that_would_wait_is_not_what_to_press_next_and_says_which_line_waits(from_text, show):
    document = from_text("x = torch.tensor([1.], requires_grad=True)\ne = torch.sin(x)\nz = e * 2\n")
    panel = show(AutogradPanel(document), 304, 420)
    settle()
    assert panel.backward.property("primary")
    plug = Plug(id_of(document, "e"), 0)
    document.do(lambda sheet: wiring.set_value(sheet, plug, EMPTY), "take off")
    settle()
    waits = "Line 2 is waiting: one of its ports is open. Wire a tensor to it or type a number."
    assert panel.backward.line() == "z.backward()"
    assert not panel.backward.property("primary")
    assert panel.backward.toolTip().endswith(waits)
    assert panel.backward.accessibleDescription() == waits
    told = []
    document.told.connect(told.append)
    click(panel.backward)
    assert told == [waits]
    document.undo_stack.undo()
    document.undo_stack.undo()
    settle()
    assert panel.backward.property("primary")
    assert waits not in panel.backward.toolTip()


def test_tab_goes_through_its_fields_as_they_stand(course_window):
    """Line by line: what stands beside a field comes right after it."""
    panel = course_window.docks.autograd
    panel.root.setFocus()
    seen = []
    for _ in range(5):
        seen.append(course_window.focusWidget())
        QTest.keyClick(course_window.focusWidget(), Qt.Key.Key_Tab)
    assert seen == [panel.root, panel.gradient.field, panel.inputs, panel.retain_graph, panel.create_graph]


ATTENTION = """Wq = torch.randn(8, 8, requires_grad=True)
Wk = torch.randn(8, 8, requires_grad=True)
Wv = torch.randn(8, 8, requires_grad=True)
scores = (Wq @ Wk.T).sum() * Wv
loss = scores.sum()
"""


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
@pytest.mark.parametrize("percent, width", [(100, 304), (100, 280), (125, 340), (150, 360), (200, 370), (300, 450)])
@pytest.mark.parametrize("name", ["loss", "scores", "Wq", ""])
def test_no_button_is_cut(from_text, show, looks, qapp, language, percent, width, name):
    document = from_text(ATTENTION)
    i18n.set_language(language)
    theme.apply(qapp, theme.load("light"), percent)
    panel = show(AutogradPanel(document), width, 900)
    document.select([id_of(document, name)] if name else [])
    settle()
    settle()
    buttons = [panel.backward, panel.grad, *panel.lines.values()]
    for button in buttons:
        said = " ".join(button.text().split())
        line = button.line().partition("; ")
        whole = {button.line(), f"{line[0]}; …"}
        assert said.replace(" ", "") in {text.replace(" ", "") for text in whole}
        rows, metrics = button.text().split("\n"), button.fontMetrics()
        assert max(map(metrics.horizontalAdvance, rows)) <= button.width() - scaled(17), "Qt would elide it"
        assert len(rows) * metrics.height() <= button.height()
    rects = [button.geometry() for button in buttons]
    assert not [one for one, other in combinations(rects, 2) if one.intersects(other)]
    assert all(panel.rect().contains(rect) for rect in rects)
