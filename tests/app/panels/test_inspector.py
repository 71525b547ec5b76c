"""The inspector: facts as PyTorch prints them, reasons, covered gradients, and the editors of a line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QToolButton, QWidget
from support.panels import CTRL, child, click, clipboard, fact, id_of, settle

from chalkgrad.program import edits
from chalkgrad_app import steps
from chalkgrad_app.panels.inspector import InspectorPanel


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


def test_no_fact_is_cut_at_any_width(document, inspector):
    document.select([id_of(document, "y")])
    settle()
    value = child(inspector, "inspector.value")
    longest = max(map(value.fontMetrics().horizontalAdvance, value.text().split()))
    for width in range(longest + 60, 2 * longest, 9):
        inspector.resize(width, 160)
        settle()
        assert value.width() >= longest, f"{value.text()} at {width}"
