"""The table of all tensors."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from support.panels import CTRL, LEFT, PLAIN, clipboard, id_of, settle

from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad_app import steps
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.panels.tensors import COLUMNS, TensorsPanel
from chalkgrad_app.predicting import reveal


@pytest.fixture
def tensors(document, show):
    return show(TensorsPanel(document), 900, 300)


def cell(panel, row, name):
    return panel.model.index(row, COLUMNS.index(name)).data()


def names(panel):
    return [panel.model.text(row, 0) for row in range(panel.model.rowCount())]


def test_every_tensor_has_a_row_in_the_order_of_the_lines(document, tensors):
    assert (
        *("name", "value", "shape", "dtype", "is_leaf", "requires_grad", "grad"),
        *("grad_fn", "retains_grad", "_version", "saved"),
    ) == COLUMNS
    assert names(tensors) == ["w", "x", "a", "b", "y"]
    steps.run(document, steps.backward)
    document.finish()
    settle()
    assert [cell(tensors, row, "grad") for row in range(5)] == ["tensor([5.])", "None", "None", "None", "None"]
    assert cell(tensors, 4, "saved").endswith("freed")
    assert cell(tensors, 0, "saved") == "none"


def test_covered_gradients_are_question_marks(document, tensors):
    steps.run(document, steps.backward)
    document.finish()
    document.cover(True)
    settle()
    assert cell(tensors, 0, "grad") == "?"
    assert cell(tensors, 1, "grad") == "None"
    reveal(document, Question(Cover.GRADIENTS, Ref(id_of(document, "w"))))
    settle()
    assert cell(tensors, 0, "grad") == "tensor([5.])"


def test_selection_goes_both_ways(document, tensors):
    at = tensors.table.visualRect(tensors.model.index(2, 1)).center()
    QTest.mouseClick(tensors.table.viewport(), LEFT, PLAIN, at)
    assert document.selection == {id_of(document, "a")}
    at = tensors.table.visualRect(tensors.model.index(4, 1)).center()
    QTest.mouseClick(tensors.table.viewport(), LEFT, CTRL, at)
    assert document.selection == {id_of(document, "a"), id_of(document, "y")}
    document.select([id_of(document, "w")])
    settle()
    assert {index.row() for index in tensors.table.selectionModel().selectedRows()} == {0}


def test_copy_gives_the_selected_rows_as_a_table(document, tensors):
    document.select([id_of(document, "x")])
    settle()
    tensors.table.setFocus()
    QTest.keyClick(tensors.table, Qt.Key.Key_C, CTRL)
    rows = [row.split("\t") for row in clipboard().split("\n")]
    assert rows[0] == list(COLUMNS)
    assert rows[1][:4] == ["x", "tensor([2.])", "torch.Size([1])", "torch.float32"]
    assert len(rows) == 2


def test_the_filter_looks_at_names_and_facts(document, tensors):
    tensors.filter.setFocus()
    QTest.keyClicks(tensors.filter, "mulb")
    settle()
    assert names(tensors) == ["y"]
    tensors.filter.clear()
    QTest.keyClicks(tensors.filter, "intermediate")
    settle()
    assert names(tensors) == ["a", "b", "y"]
    tensors.filter.clear()
    settle()
    assert names(tensors) == ["w", "x", "a", "b", "y"]


def test_a_big_value_is_short_in_the_cell_and_whole_in_the_tooltip(from_text, show):
    document = from_text("x = torch.zeros(20, 20)\n")
    panel = show(TensorsPanel(document), 900, 300)
    index = panel.model.index(0, 1)
    assert len(index.data()) <= 60
    assert index.data().endswith("…")
    assert index.data(Qt.ItemDataRole.ToolTipRole).count("\n") > 5


def test_it_shows_the_moment_looked_at(document, tensors):
    document.look_at_line(id_of(document, "a"))
    settle()
    assert cell(tensors, 2, "value") == "tensor([3.], grad_fn=<AddBackward0>)"
    assert cell(tensors, 4, "value") == ""


def test_five_thousand_tensors_are_no_burden(from_text, show):
    text = "w = torch.tensor([1.], requires_grad=True)\na0 = w + 1\n"
    document = from_text(text + "".join(f"a{n} = a{n - 1} + 1\n" for n in range(1, 5000)))
    panel = show(TensorsPanel(document), 900, 300)
    assert panel.model.rowCount() == 5001
    began = time.process_time()
    document.look_at_line(id_of(document, "a4000"))
    settle()
    document.select(document.program.order[:2000])
    settle()
    assert time.process_time() - began < 0.5


def test_a_name_for_a_covered_gradient_shows_no_value(document, tensors):
    w = document.program.named("w")
    document.append_all(steps.backward(document), "y.backward()")
    document.append(Statement(0, Kind.ALIAS, "alias", ("g",), (replace(w, path=("grad",)),)))
    document.finish()
    settle()
    assert "tensor([5.])" in tensors.text().splitlines()[-1]
    document.cover(True)
    settle()
    assert "5." not in tensors.text().splitlines()[-1]
