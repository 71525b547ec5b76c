"""The inspector: facts as PyTorch prints them, reasons, covered gradients, and the editors of a line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QToolButton, QWidget
from support.panels import CTRL, child, click, clipboard, id_of, lines, press, settle, tensor, type_over

from chalkgrad.program import edits
from chalkgrad.program.optimizers import NAMES
from chalkgrad.source import emit, read
from chalkgrad_app import steps
from chalkgrad_app.panels.inspector import InspectorPanel


@pytest.fixture
def inspector(document, show):
    return show(InspectorPanel(document), 320, 900)


def fact(panel, name):
    return child(panel, f"inspector.{name}").text()


def backward(document, times=1):
    for _ in range(times):
        options = steps.BackwardOptions(document.program.named("y"), retain_graph=True)
        document.append_all(steps.backward(document, options), "y.backward()")
        document.finish()
    settle()


def test_facts_are_printed_as_pytorch_prints_them(document, inspector):
    document.select([id_of(document, "y")])
    settle()
    assert fact(inspector, "code") == "y = torch.mul(a, b)"
    assert fact(inspector, "name") == "y"
    assert fact(inspector, "kind") == "intermediate"
    assert fact(inspector, "value") == "tensor([6.], grad_fn=<MulBackward0>)"
    assert fact(inspector, "shape") == "torch.Size([1])"
    assert fact(inspector, "dtype") == "torch.float32"
    assert fact(inspector, "is_leaf") == "False"
    assert fact(inspector, "requires_grad") == "True"
    assert fact(inspector, "grad") == "None"
    assert fact(inspector, "grad_fn") == "<MulBackward0>"
    assert fact(inspector, "retains_grad") == "False"
    assert fact(inspector, "_version") == "0"
    assert fact(inspector, "saved").endswith("kept")
    backward_once = steps.backward(document)
    document.append_all(backward_once, "y.backward()")
    document.finish()
    settle()
    assert fact(inspector, "saved").endswith("freed")


def test_a_field_of_a_line_that_was_just_deleted_does_nothing(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    kind = child(inspector, "option.dtype", QComboBox)
    kind.setFocus()
    document.delete([id_of(document, "x")])
    sheet = document.sheet
    QTest.keyClick(kind, Qt.Key.Key_Down)
    click(child(inspector, "option.requires_grad", QCheckBox))
    assert document.sheet == sheet


def test_what_is_deleted_before_it_was_added_is_left_out(document, inspector):
    document.select(document.program.order)
    inspector.catch_up()
    assert len(inspector.findChildren(QWidget, "inspector.code")) < len(document.program.order), "added in turns"
    document.delete(document.program.order)
    settle()
    assert child(inspector, "inspector.hint").isVisible()


def test_a_page_whose_texts_alone_change_stays(document, inspector):
    w = id_of(document, "w")
    document.select([w])
    settle()
    value, field = child(inspector, "inspector.value"), child(inspector, "option.data")
    document.do(edits.put(document.program, replace(document.program[w], operands=((3.0,),))), "Change number")
    document.finish()
    settle()
    assert child(inspector, "inspector.value") is value
    assert child(inspector, "option.data") is field
    assert value.text() == "tensor([3.], requires_grad=True)"
    assert fact(inspector, "code") == "w = torch.tensor([3.], requires_grad=True)"
    assert field.text() == "[3.]"
    assert inspector.text().count("tensor([3.]") == 2
    document.undo_stack.undo()
    document.finish()
    settle()
    assert value.text() == "tensor([1.], requires_grad=True)"
    assert field.text() == "[1.]"


def test_a_page_with_other_rows_is_made_anew(document, inspector):
    document.select([id_of(document, "w")])
    settle()
    assert inspector.findChild(QLabel, "inspector.sum") is None
    backward(document, 2)
    assert fact(inspector, "sum")
    document.undo_stack.undo()
    document.finish()
    settle()
    assert "10" not in fact(inspector, "grad")


def test_an_accumulated_gradient_lists_its_sum_by_line(document, inspector):
    document.select([id_of(document, "w")])
    backward(document)
    assert fact(inspector, "grad") == "tensor([5.])"
    backward(document)
    assert fact(inspector, "grad") == "tensor([10.])"
    assert fact(inspector, "sum") == "5. (line 6) + 5. (line 7) = 10."


W = "w = torch.tensor([1.], requires_grad=True)\n"
V = "v = torch.tensor([1.], requires_grad=True)\n"


@pytest.mark.parametrize(
    "text, name, said",
    [
        ("x = torch.tensor([1.])\n", "x", "doesn't require grad"),
        (W, "w", "No backward has run"),
        (W + "a = w * 2\na.backward()\n", "a", "intermediate"),
        (W + V + "a = w * 2\na.backward()\n", "v", "isn't computed from v"),
        (W + "a = w * 2\na.backward()\nw.grad = None\n", "w", "line 4 set it to None"),
        (W + V + "a = w * v\na.backward(inputs=[v])\n", "w", "inputs="),
        (W + "a = w * 2\nb = a * 3\nb.backward()\na.retain_grad()\n", "a", "line 5 came after"),
        (W + V + "c = w.detach()\na = c * v\na.backward()\n", "w", "detach() in line 3"),
    ],
)
def test_why_says_why_there_is_no_gradient(from_text, show, text, name, said):
    document = from_text(text)
    panel = show(InspectorPanel(document), 320, 900)
    document.select([id_of(document, name)])
    settle()
    assert fact(panel, "grad") == "None"
    click(child(panel, "inspector.askWhy"))
    assert said in fact(panel, "why")
    click(child(panel, "inspector.askWhy"))
    assert [label for label in panel.findChildren(QLabel, "inspector.why") if label.isVisibleTo(panel)] == []


def test_a_covered_gradient_is_revealed_by_a_click(document, inspector):
    backward(document)
    document.cover(True)
    document.select([id_of(document, "w")])
    settle()
    assert "5." not in inspector.text().split("grad  ")[1].splitlines()[0]
    assert child(inspector, "inspector.reveal").text() == "?"
    click(child(inspector, "inspector.reveal"))
    assert fact(inspector, "grad") == "tensor([5.])"


def test_a_failed_line_shows_message_and_what_led_to_it(document, show, chinese):
    panel = show(InspectorPanel(document), 320, 900)
    for _ in range(2):
        steps.run(document, steps.backward)
    document.finish()
    document.select([document.program.order[-1]])
    settle()
    assert fact(panel, "problem").startswith("RuntimeError: Trying to backward through the graph a second time")
    assert any("\u4e00" <= letter <= "\u9fff" for letter in fact(panel, "story"))


def test_several_selected_are_summed_up(document, inspector):
    document.select(document.program.order)
    settle()
    text = inspector.text()
    assert [name for name in "wxaby" if f"\n{name}  " in text] == list("wxaby")
    assert "_version" not in text


def test_in_the_past_it_shows_the_past(document, inspector):
    backward(document)
    document.select([id_of(document, "w")])
    document.look_at_line(id_of(document, "y"))
    settle()
    assert fact(inspector, "grad") == "None"
    document.back_to_now()
    settle()
    assert fact(inspector, "grad") == "tensor([5.])"


def test_everything_copies_as_text(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    click(child(inspector, "inspector.copy"))
    assert "value  tensor([2.])" in clipboard()
    inspector.setFocus()
    QTest.keyClick(inspector, Qt.Key.Key_C, CTRL)
    assert clipboard() == inspector.text()


def test_nothing_is_worked_out_while_hidden(document, show, monkeypatch):
    panel = show(InspectorPanel(document))
    panel.hide()
    called = []
    monkeypatch.setattr(type(panel), "follow", lambda self: called.append(self))
    document.select([1])
    settle()
    assert called == []
    panel.show()
    settle()
    assert called == [panel]


# ------------------------------------------------------------ editors


def option(panel, name, kind=QLineEdit):
    return child(panel, f"option.{name}", kind)


def choose(combo, text):
    """Choose from a list by its keys, as Qt's own popup does."""
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(combo.findText(text)):
        QTest.keyClick(combo, Qt.Key.Key_Down)
    QTest.keyClick(combo, Qt.Key.Key_Return)
    settle()


def test_an_attribute_is_edited_and_checked_at_its_field(from_text, show):
    document = from_text("x = torch.tensor([[1., 2.], [3., 4.]])\ns = torch.sum(x)\n")
    panel = show(InspectorPanel(document), 320, 900)
    document.select([id_of(document, "s")])
    settle()
    type_over(option(panel, "dim"), "0")
    document.finish()
    assert lines(document)[1] == "s = torch.sum(x, dim=0)"
    assert tensor(document, "s").short == "[4., 6.]"
    type_over(option(panel, "dim"), "nonsense")
    assert lines(document)[1] == "s = torch.sum(x, dim=0)"
    assert child(panel, "option.dim.message").text()
    type_over(option(panel, "dim"), "")
    assert lines(document)[1] == "s = torch.sum(x)"
    check = child(panel, "option.keepdim")
    click(check, QPoint(6, check.height() // 2))
    assert lines(document)[1] == "s = torch.sum(x, keepdim=True)"
    document.undo_stack.undo()
    settle()
    assert not child(panel, "option.keepdim").isChecked()


def test_a_dimension_that_is_not_there_fails_as_in_pytorch(from_text, show):
    document = from_text("x = torch.tensor([1., 2.])\ns = torch.sum(x)\n")
    panel = show(InspectorPanel(document), 320, 900)
    document.select([id_of(document, "s")])
    settle()
    type_over(option(panel, "dim"), "5")
    document.finish()
    settle()
    assert fact(panel, "problem").startswith("IndexError: Dimension out of range")


def test_a_leaf_is_made_another_way(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    choose(option(inspector, "factory", QComboBox), "zeros")
    assert lines(document)[1] == "x = torch.zeros(1)"
    type_over(option(inspector, "size"), "2, 3")
    document.finish()
    assert lines(document)[1] == "x = torch.zeros(2, 3)"
    assert tensor(document, "x").shape == (2, 3)
    type_over(option(inspector, "size"), "1.5")
    assert child(inspector, "option.size.message").text() == "Sizes are whole numbers: 2, 3"
    assert lines(document)[1] == "x = torch.zeros(2, 3)"
    choose(option(inspector, "factory", QComboBox), "tensor")
    assert lines(document)[1] == "x = torch.tensor([[0., 0., 0.], [0., 0., 0.]])"


def test_a_list_is_stepped_and_typed_through_before_anything_is_chosen(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    before = lines(document)
    combo = option(inspector, "factory", QComboBox)
    combo.setFocus()
    QTest.keyClicks(combo, "randn")
    settle()
    assert combo.currentText() == "randn"
    assert lines(document) == before
    QTest.keyClick(combo, Qt.Key.Key_Escape)
    assert combo.currentText() == "tensor"
    for _ in range(3):
        QTest.keyClick(combo, Qt.Key.Key_Down)
        settle()
    assert lines(document) == before
    chosen = combo.currentText()
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    settle()
    assert f"x = torch.{chosen}(" in lines(document)[1]
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert lines(document) == before


def test_a_list_left_because_its_line_is_gone_chooses_nothing(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    combo = option(inspector, "factory", QComboBox)
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    document.delete([id_of(document, "x")])
    settle()
    assert not any(line.startswith("x =") for line in lines(document))
    assert document.undo_stack.count() == 1


def test_two_numbers_of_an_optimiser_are_a_tuple(from_text, show):
    document = from_text("w = torch.ones(2, requires_grad=True)\no = torch.optim.Adam([w], lr=0.1)\n")
    panel = show(InspectorPanel(document), 320, 900)
    document.select([id_of(document, "o")])
    settle()
    assert option(panel, "betas").text() == "(0.9, 0.999)"
    type_over(option(panel, "betas"), "(0.8, 0.99)")
    written = "o = torch.optim.Adam([w], lr=0.1, betas=(0.8, 0.99))"
    assert lines(document)[-1] == written
    settle()
    assert option(panel, "betas").text() == "(0.8, 0.99)"
    again = read.read_source("import torch\n" + "\n".join(lines(document)))
    assert emit.line(again, again.order[-1]) == written


def test_random_leaves_own_a_seed(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    choose(option(inspector, "factory", QComboBox), "randn")
    assert "torch.randn(1" in lines(document)[1]
    type_over(option(inspector, "seed"), "7")
    assert "manual_seed(7)" in lines(document)[1]


def test_value_dtype_and_requires_grad_of_a_leaf(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    type_over(option(inspector, "data"), "[1 2; 3 4]")
    assert lines(document)[1] == "x = torch.tensor([[1., 2.], [3., 4.]])"
    type_over(option(inspector, "data"), "[1, [2]]")
    assert child(inspector, "option.data.message").text()
    choose(option(inspector, "dtype", QComboBox), "torch.float64")
    document.finish()
    assert tensor(document, "x").dtype == "float64"
    check = child(inspector, "option.requires_grad")
    click(check, QPoint(6, check.height() // 2))
    document.finish()
    assert tensor(document, "x").requires_grad


def test_the_focus_stays_in_the_field_after_an_edit(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    type_over(option(inspector, "data"), "3")
    assert option(inspector, "data").hasFocus()
    press(option(inspector, "data"), Qt.Key.Key_Escape)


def test_typing_on_in_a_field_whose_line_was_just_deleted(from_text, show):
    document = from_text("x = torch.ones(2, 3)\ny = x.sum(dim=0)\n")
    panel = show(InspectorPanel(document), 320, 900)
    document.select([id_of(document, "y")])
    settle()
    field = child(panel, "option.dim", QLineEdit)
    field.setFocus()
    QTest.keyClicks(field, "1")
    document.delete(document.selection)  # what the panel shows follows a moment later
    QTest.keyClicks(field, "2")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle()
    assert lines(document) == ["x = torch.ones(2, 3)"]


@pytest.mark.parametrize("fact_asked", ["", ".is_leaf", ".requires_grad"])
def test_an_answer_that_opens_is_in_view(document, show, fact_asked):
    panel = show(InspectorPanel(document), 320, 220)
    document.select([id_of(document, "y")])
    settle()
    question = child(panel, f"inspector.askWhy{fact_asked}", QToolButton)
    question.click()
    settle()
    answer = child(panel, f"inspector.why{fact_asked}Answer", QWidget)
    question = child(panel, f"inspector.askWhy{fact_asked}", QToolButton)
    for widget in (question, answer):
        top = widget.mapTo(panel, QPoint()).y()
        assert top >= 0
        assert top + widget.height() <= panel.height()


def test_an_answer_is_of_the_card_that_was_asked(document, inspector):
    def has_answer():
        return inspector.findChild(QWidget, "inspector.why.is_leafAnswer") is not None

    for name in "ya":
        document.select([id_of(document, name)])
        settle()
        assert not has_answer()
        click(child(inspector, "inspector.askWhy.is_leaf", QToolButton))
        settle()
        assert has_answer()
        backward(document)
        assert has_answer()
    document.select([id_of(document, "y")])
    settle()
    assert not has_answer()


def test_a_matrix_keeps_its_rows_and_long_code_is_broken(from_text, show):
    document = from_text("m = torch.randn(3, 3, generator=torch.Generator().manual_seed(7))\n")
    panel = show(InspectorPanel(document), 304, 600)
    document.select([id_of(document, "m")])
    settle()
    value, code = child(panel, "inspector.value"), child(panel, "inspector.code")
    widest = max(map(value.fontMetrics().horizontalAdvance, value.text().split("\n")))
    assert value.width() >= widest
    assert code.height() >= 2 * code.fontMetrics().lineSpacing()
    assert child(panel, "inspector.area").horizontalScrollBar().maximum() == 0


def test_the_fields_of_every_optimiser_fit(from_text, show):
    document = from_text("w = torch.ones(2, requires_grad=True)\no = torch.optim.Adam([w], lr=0.1)\n")
    panel = show(InspectorPanel(document), 304, 600)
    document.select([id_of(document, "o")])
    settle()
    for name in NAMES:
        choose(option(panel, "optimizer", QComboBox), name)
        settle()
        assert lines(document)[-1] == f"o = torch.optim.{name}([w], lr=0.1)"
        assert child(panel, "inspector.area").horizontalScrollBar().maximum() == 0


def test_no_fact_is_cut_at_any_width(document, inspector):
    document.select([id_of(document, "y")])
    settle()
    value = child(inspector, "inspector.value")
    longest = max(map(value.fontMetrics().horizontalAdvance, value.text().split()))
    for width in range(longest + 60, 2 * longest, 9):
        inspector.resize(width, 160)
        settle()
        assert value.width() >= longest, f"{value.text()} at {width}"
