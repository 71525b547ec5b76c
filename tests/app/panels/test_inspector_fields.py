"""The inspector's fields: attributes, values and kinds of a line are edited where they are read."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from support.desk import type_into
from support.panels import child, click, fact, id_of, lines, press, settle, tensor, type_over

from chalkgrad.program.optimizers import NAMES
from chalkgrad.source import emit, read
from chalkgrad_app.panels.inspector import InspectorPanel


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
    assert combo.accessibleDescription() == ""
    for _ in range(3):
        QTest.keyClick(combo, Qt.Key.Key_Down)
        settle()
    assert lines(document) == before
    assert combo.accessibleDescription() == "Enter takes it, Esc goes back"
    chosen = combo.currentText()
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    settle()
    assert f"x = torch.{chosen}(" in lines(document)[1]
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert lines(document) == before


def test_an_entry_that_is_only_shown_looks_otherwise_than_one_that_is_chosen(document, inspector):
    document.select([id_of(document, "x")])
    settle()
    combo = option(inspector, "factory", QComboBox)
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    waiting = combo.grab().toImage()
    combo.setCurrentIndex(combo._before)
    known = combo.grab().toImage()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert combo.grab().toImage() == waiting
    combo._before = None
    assert combo.grab().toImage() != waiting
    assert combo.grab().toImage() != known


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


@pytest.mark.parametrize(
    ("card", "field", "typed"),
    [("s", "dim", "7"), ("x", "data", "[7., 8.]"), ("x", "shape", "2, 1"), ("x", "data", "[")],
)
def test_escape_gives_up_what_was_typed_and_the_canvas_gets_the_keys(open_text, window, card, field, typed):
    document = open_text("import torch\nx = torch.tensor([1., 2.])\ns = torch.sum(x, dim=0)\n")
    document.select([id_of(document, card)])
    settle()
    before = lines(document)
    edit = option(window.docks.inspector, field)
    stood = edit.text()
    type_into(edit, typed)
    settle()
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    settle()
    assert lines(document) == before
    assert document.undo_stack.count() == 0
    assert window.focusWidget() is window.canvas
    assert option(window.docks.inspector, field).text() == stood
    assert not child(window.docks.inspector, "inspector.options").says_wrong()


@pytest.mark.parametrize(
    ("field", "said"),
    [("correction", "A number goes here"), ("dim", "A dimension goes here, or several: 0 or (0, 1)")],
)
def test_the_name_of_a_tensor_is_no_value_and_what_is_wanted_is_said(from_text, show, field, said):
    document = from_text("x = torch.tensor([1., 2.])\nv = torch.var(x)\n")
    panel = show(InspectorPanel(document), 320, 900)
    document.select([id_of(document, "v")])
    settle()
    type_over(option(panel, field), "x", end=None)
    assert child(panel, f"option.{field}.message").text() == said


def test_one_number_that_has_no_such_shape_is_spoken_of_as_one(from_text, show):
    document = from_text("x = torch.tensor([1.])\n")
    panel = show(InspectorPanel(document), 320, 900)
    document.select([id_of(document, "x")])
    settle()
    type_over(option(panel, "shape"), "2, -1", end=None)
    assert child(panel, "option.shape.message").text() == "A single number can't be divided so"
